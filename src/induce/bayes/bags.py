"""Bags of known contents, with draws without replacement (AIMA 20.1, footnote 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from induce.bayes.hypothesis_set import HypothesisSet, PerHypothesis
from induce.core.errors import InputError

Bag = Mapping[Any, float]


class FiniteBags(HypothesisSet):
    """Hypotheses about the contents of a bag from which items are drawn without replacement.

    Parameters
    ----------
    bags : mapping
        Number of items of each kind in the bag, for each hypothesis.
    prior : mapping, sequence, callable or None
        Prior probabilities, as for `HypothesisSet`.

    Examples
    --------
    A bag with one lime among two candies has no lime left once it is drawn:

    >>> bags = FiniteBags({"one": {"cherry": 1, "lime": 1}, "two": {"cherry": 0, "lime": 2}}, [0.5, 0.5])
    >>> first = bags.posterior(["lime"])
    >>> round(first["two"], 4), round(first.predict()["lime"], 4)
    (0.6667, 0.6667)
    """

    def __init__(self, bags: Mapping[str, Bag], prior: PerHypothesis | None = None) -> None:
        kinds = dict.fromkeys(kind for bag in bags.values() for kind in bag)
        super().__init__(bags, prior, _share_left, tuple(kinds))
        for name, bag in zip(self.names, self.hypotheses, strict=True):
            if not all(count >= 0 and float(count).is_integer() for count in bag.values()):
                raise InputError(f"bag {name} contains {dict(bag)}; give whole numbers of at least 0")

    def after(self, observation: Any) -> FiniteBags:
        """Return the bags with one item less; a bag without such an item is refuted and remains unchanged."""
        bags = {
            name: {kind: max(count - (kind == observation), 0) for kind, count in bag.items()}
            for name, bag in zip(self.names, self.hypotheses, strict=True)
        }
        return FiniteBags(bags, np.exp(self.log_prior))


def _share_left(bag: Bag, kind: Any) -> float:
    left = sum(bag.values())
    return bag.get(kind, 0) / left if left else 0.0
