"""Trees that test linear combinations of attributes."""
