"""Built-in problems with compiled fitness."""
