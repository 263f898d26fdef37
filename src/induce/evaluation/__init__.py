"""Judgement: how far to trust what was learned."""

from induce.evaluation.estimate import Estimate, evaluate
from induce.evaluation.numeric import RegressionEstimate

__all__ = ["Estimate", "RegressionEstimate", "evaluate"]
