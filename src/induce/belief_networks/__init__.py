"""Belief networks: readable probability models with queries and explanations (Mitchell 6.11; AIMA 14, 20)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
