"""Parameters as distributions: immutable values that learn from one observation after another (AIMA 20.2)."""
