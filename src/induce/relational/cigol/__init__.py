"""CIGOL's search: resolution inverted, with someone who answers questions (Mitchell §10.7)."""
