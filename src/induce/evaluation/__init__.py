"""Evaluation: error estimates, comparisons and experiments."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
