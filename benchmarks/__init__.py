"""How fast is it? Each module here measures one thing and can be run by itself."""
