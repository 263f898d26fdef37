"""Mixture models: rows from one of several hidden classes (Mitchell §6.12; AIMA 20.3)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
