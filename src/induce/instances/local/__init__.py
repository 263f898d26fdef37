"""Locally weighted regression: a separate function for each query, fitted to the examples near it."""
