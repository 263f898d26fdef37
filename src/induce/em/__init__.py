"""Expectation maximisation: one driver for all models with hidden variables (Mitchell §6.12; AIMA 20.3)."""
