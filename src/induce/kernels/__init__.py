"""Kernel machines: separators of largest margin in spaces of features (AIMA 18.9, 20.6 of the second edition).

Names are imported when they are first used: a hypothesis from a model file does without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
