"""Analytical learning: rules from a domain theory and few examples (Mitchell, chapter 11)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
