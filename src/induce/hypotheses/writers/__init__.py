"""One writer for each language; only they quote names, values, numbers and comments."""
