"""Expectation maximisation: one driver for all models with hidden variables (Mitchell §6.12; AIMA 20.3)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
