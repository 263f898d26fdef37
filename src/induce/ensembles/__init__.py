"""Ensembles: boosting, bagging, committees and stacking; boosted stumps as a scorecard.

Names are imported on first use, so a hypothesis from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
