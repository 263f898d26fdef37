"""Kernel machines: maximum-margin separators in feature spaces (AIMA 18.9; 20.6 of the second edition).

Names are imported on first use: a hypothesis from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
