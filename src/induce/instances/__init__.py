"""Instance-based learners, which store examples and generalise at query time (Mitchell, chapter 8)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
