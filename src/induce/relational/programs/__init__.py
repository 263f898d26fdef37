"""Whole theories: clauses that are evaluated together, including recursive and invented ones."""
