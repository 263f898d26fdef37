"""Lazy ID3, which grows only the branch of a decision tree that a query follows (Mitchell, exercise 8.3)."""
