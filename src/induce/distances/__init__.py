"""Distances between rows with numeric, nominal and missing values."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
