"""Linear models: weighted sums of columns that predict numbers and classes (Mitchell §4.4; AIMA 18.6)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
