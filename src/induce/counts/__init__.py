"""Machinery: additive sufficient statistics as immutable values.

The counts of two chunks are added, and a row is left out by subtraction: memory, streams and folds only sum. A
missing value is not counted.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
