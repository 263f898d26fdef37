"""Bayesian learning: reasoning with probabilities (Mitchell, chapter 6; AIMA, chapter 20).

Names are imported on first use: a hypothesis from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
