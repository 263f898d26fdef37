"""Additive sufficient statistics: what many learners learn from, as values that add up."""
