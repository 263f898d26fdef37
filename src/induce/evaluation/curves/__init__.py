"""Curves and tables: where errors come from and where they lie."""
