"""Concept learning as search through a space ordered from general to specific (Mitchell ch. 2).

Names are imported on first use, so a version space from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
