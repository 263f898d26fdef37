"""Gradient descent: one driver for all gradient-based learners (Mitchell §4.4.3, §4.8.2; AIMA 18.6)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
