"""Learners that keep their examples and generalise when a query comes (Mitchell, chapter 8)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
