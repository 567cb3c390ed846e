"""What is kept: the database, its tables and migrations, the log of events (event sourcing), group commits."""
