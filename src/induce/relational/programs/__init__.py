"""Whole theories: clauses evaluated together, including recursive and invented predicates."""
