"""Lazy ID3: only the branch of a decision tree that a query follows, grown on demand (Mitchell, exercise 8.3)."""
