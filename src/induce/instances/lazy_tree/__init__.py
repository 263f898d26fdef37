"""Lazy ID3: only the branch of a decision tree that a query follows is grown (Mitchell, exercise 8.3)."""
