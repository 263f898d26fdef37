"""Curves and tables of the sources and the distribution of errors."""
