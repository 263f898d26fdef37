"""Experts in model files: predictions, and hypotheses, also in place of the learners that have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from induce.core.codec import Encoder
from induce.core.estimator import HypothesisClassifier
from induce.online.experts import Pool

ADVICE = (
    "give hypotheses or learners of induce as experts, or save only the weights, which are the `hypothesis_`"
)


def saved_experts(experts: Any) -> Any:
    """Return experts as data: hypotheses, also those of learners, or plain predictions.

    Any other expert raises an `InputError` that names it.

    Examples
    --------
    >>> import induce
    >>> tree = induce.ID3().fit(*induce.dataset("play-tennis"))
    >>> type(saved_experts({"tree": tree})["tree"]).__name__
    'Tree'
    >>> saved_experts([len])
    Traceback (most recent call last):
    induce.core.errors.InputError: expert 'expert 1' is a function, which a model file cannot hold; give hypotheses or
    learners of induce as experts, or save only the weights, which are the `hypothesis_`
    """
    pool = Pool(experts)
    if not pool.asked:
        return _plain(experts)
    encoder = Encoder("expert", ADVICE, [])
    held = {name: _hypothesis_of(expert) for name, expert in pool.asked.items()}
    for name, expert in held.items():
        encoder.encode(expert, name)
    return held if isinstance(experts, Mapping) else list(held.items())


def _hypothesis_of(expert: Any) -> Any:
    """Return an equivalent of an expert: the hypothesis of a learner that predicts by it."""
    hands_on = getattr(type(expert), "predict", None) is HypothesisClassifier.predict
    return getattr(expert, "hypothesis_", expert) if hands_on else expert


def _plain(experts: Any) -> Any:
    """Return a matrix of predictions with text as lists, which a model file can store."""
    if isinstance(experts, Mapping):
        return {str(name): _plain(row) for name, row in experts.items()}
    if isinstance(experts, np.ndarray) and experts.dtype.kind not in "biuf":
        return experts.tolist()
    return [_plain(row) for row in experts] if isinstance(experts, list | tuple) else experts
