"""One writer per language; only writers quote names, values, numbers and comments."""
