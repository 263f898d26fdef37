"""Judgement: how far to trust what was learned."""

from induce.evaluation.estimate import Estimate, evaluate

__all__ = ["Estimate", "evaluate"]
