"""Hypotheses that classify instances, with noise in the labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.bayes.hypothesis_set import Floats, Hypotheses, HypothesisSet, PerHypothesis
from induce.core.checks import share
from induce.core.errors import InputError
from induce.core.values import Value, plain


class LabelledSet(HypothesisSet):
    """Hypotheses that predict the class of an instance; an observation is an instance with its label.

    Without noise, a hypothesis gives its predicted label probability 1. With noise, every label is replaced
    with probability `noise` by one of the others, all equally likely (Mitchell, end of 6.3.2). Instances are
    fixed; if they were drawn independently of the hypothesis, nothing would change (exercise 6.4). A
    prediction is that of the next label, noise included; its `votes` exclude the noise.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Functions of one instance that return its class, or fitted learners and hypotheses that predict it.
    classes : sequence
        Possible labels.
    prior : mapping, sequence, callable or None
        Prior probabilities, as for `HypothesisSet`.
    noise : float
        Probability of a wrong label, at least 0 and below 1.

    Examples
    --------
    The vote of three hypotheses can differ from the MAP hypothesis (Mitchell 6.7):

    >>> labels = {"h1": "110", "h2": "101", "h3": "011"}
    >>> bits = LabelledSet({name: text.__getitem__ for name, text in labels.items()}, "01")
    >>> "".join(bits.posterior().predict(x).answer for x in range(3))
    '111'
    """

    needs_instance = True

    def __init__(
        self,
        hypotheses: Hypotheses,
        classes: Sequence[Value],
        prior: PerHypothesis | None = None,
        noise: float = 0.0,
    ) -> None:
        self.classes = tuple(plain(value) for value in classes)
        if len(set(self.classes)) < max(2, len(self.classes)):
            raise InputError(f"classes are {self.classes}; give at least two different ones")
        self.noise = noise
        self._chances = label_chances(len(self.classes), noise)
        super().__init__(hypotheses, prior, outcomes=self.classes)

    def said(self, x: Any) -> NDArray[np.int64]:
        """Return the index of the class that each hypothesis predicts for an instance; -1 for an unknown
        class.
        """
        places = {value: place for place, value in enumerate(self.classes)}
        return np.array([places.get(_says(h, x), -1) for h in self.hypotheses], dtype=np.int64)

    def likelihoods(self, observation: Any) -> Floats:
        """Return P(label | h, x) of each hypothesis, for a pair of an instance and its label."""
        x, label = observation
        return self.outcome_likelihoods((label,), x)[:, 0]

    def outcome_likelihoods(self, outcomes: Sequence[Any], x: Any = None) -> Floats:
        """Return P(label | h, x), one row per hypothesis."""
        unknown = [label for label in map(plain, outcomes) if label not in self.classes]
        if unknown:
            raise InputError(
                f"{unknown[0]!r} is not a class; give one of {', '.join(map(repr, self.classes))}"
            )
        asked = np.array([self.classes.index(plain(label)) for label in outcomes])
        agree = self.said(x)[:, None] == asked[None, :]
        return np.asarray(np.where(agree, *self._chances), np.float64)


def label_chances(n_classes: int, noise: float) -> tuple[float, float]:
    """Return the probability of the predicted label, and the probability of each other label.

    Examples
    --------
    >>> label_chances(3, noise=0.1)
    (0.9, 0.05)
    """
    if noise != 0:
        share("noise", noise)
    return 1 - noise, noise / max(n_classes - 1, 1)


def _says(hypothesis: Any, x: Any) -> Any:
    learned = getattr(
        hypothesis, "hypothesis_", hypothesis
    )  # an estimator would warn about missing column names
    if hasattr(learned, "predict"):
        return plain(np.asarray(learned.predict([list(x)]))[0])
    return plain(learned(x))
