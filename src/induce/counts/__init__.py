"""Machinery: additive sufficient statistics as immutable values.

What was counted in one chunk is added to what was counted in another, and a row is left out by subtracting it:
memory, streams and folds only sum. A missing value is counted nowhere.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
