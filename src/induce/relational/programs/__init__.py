"""Whole theories: clauses that are judged together, recursive and invented ones among them."""
