"""Concept learning as search through a space ordered from general to specific (Mitchell ch. 2).

Names are imported when they are first used: a version space from a model file does without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
