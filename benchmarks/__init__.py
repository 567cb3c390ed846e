"""How fast is it? Each module here measures one thing: `run()` prints its lines."""
