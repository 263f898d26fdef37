"""Lazy ID3: of a decision tree only the branch that a query follows, grown when it comes (Mitchell, exercise 8.3)."""
