"""Parameters as distributions: immutable values updated with each observation (AIMA 20.2)."""
