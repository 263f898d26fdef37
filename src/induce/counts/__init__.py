"""Machinery: additive sufficient statistics as immutable values.

The counts of two chunks are added, and a row is removed by subtraction: tables in memory, streams and folds
only need sums. Missing values are not counted.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
