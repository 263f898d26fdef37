"""Distances between the rows of mixed tables with holes."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
