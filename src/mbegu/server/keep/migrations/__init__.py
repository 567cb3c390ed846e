"""How the database came to its shape, one step a file. Alembic runs them; see docs/serving.md."""
