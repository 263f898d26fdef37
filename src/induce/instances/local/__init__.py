"""Locally weighted regression: for each query a function of its own, fitted to the examples near it."""
