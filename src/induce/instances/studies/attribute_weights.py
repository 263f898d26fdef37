"""Weights of attributes in a distance (Mitchell §8.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of, share
from induce.core.errors import InputError
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.distances.attributes import AttributeDistance
from induce.hypotheses.naming import value_text
from induce.instances.nearby import Nearby
from induce.instances.neighbors.mean import NeighborMean
from induce.instances.neighbors.stored import Neighbors
from induce.instances.neighbors.vote import NeighborVote

Floats = NDArray[np.float64]
Loss = tuple[float, float]

FACTORS = (0.0, 0.5, 2.0)
"""Candidate factors of a weight; a weight of 0 is reset to 1."""
MOST_SWEEPS = 10


@dataclass(frozen=True)
class AttributeWeights:
    """Column weights of a distance, with their effect on the loss.

    Parameters
    ----------
    weights : dict
        Factor of each column's axis; pass it as `attribute_weights`.
    loss : float
        Loss with these weights on left-out or held-out examples.
    before : float
        Loss on the same examples when all weights are 1.
    loss_name : str
        Name of the loss.
    steps : tuple of (str, float)
        Changes, with the loss after each.

    Examples
    --------
    >>> print(AttributeWeights({"size": 1.0, "noise": 0.0}, 0.1, 0.3, "error", (("without noise", 0.1),)))
    error 0.1, with equal weights 0.3
      1      size
      0      noise
    """

    weights: dict[str, float]
    loss: float
    before: float
    loss_name: str
    steps: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        lines = [f"  {weight:<5.3g}  {value_text(name)}" for name, weight in self.weights.items()]
        head = f"{self.loss_name} {self.loss:.4g}, with equal weights {self.before:.4g}"
        return "\n".join([head, *lines])


def stretch_attributes(
    learner: Any,
    X: Any,
    y: Any,
    *,
    repeats: int = 5,
    test_size: float = 0.3,
    random_state: RandomState = 0,
) -> AttributeWeights:
    """Stretch the axes so that neighbours predict held-out examples better (Mitchell §8.2.2).

    Some random examples are stored, and weights are sought with which they predict the others best. This is
    repeated, and the weights are averaged. One weight at a time is set to 0, halved or doubled, as long as
    the loss decreases.

    Parameters
    ----------
    learner : KNeighborsClassifier or KNeighborsRegressor
        Learner whose metric is a sum over attributes; it is not modified.
    X, y : frame or array, series or array
        Table, and the target of each row.
    repeats : int
        Number of random splits of the examples.
    test_size : float
        Fraction of the examples held out.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> import induce, numpy as np
    >>> X = np.random.default_rng(0).random((80, 3))
    >>> found = stretch_attributes(induce.KNeighborsClassifier(5), X, X[:, 0] > 0.5)
    >>> max(found.weights, key=found.weights.get)
    'x0'
    """
    at_least("repeats", repeats, 1, whole=True)
    share("test_size", test_size)
    random = generator(random_state)
    whole = _stored(learner, X, y)
    n = len(whole.weights)
    n_held = round(test_size * n)
    if not 1 <= n_held < n:
        raise InputError(
            f"test_size is {test_size!r}, which leaves one side of {n} examples empty; give another fraction"
        )
    n_columns = len(whole.distance.schema)
    found, steps = np.zeros((repeats, n_columns)), []
    losses = []
    for number in range(repeats):
        order = random.permutation(n)
        held, stored = np.sort(order[:n_held]), _some(whole, np.sort(order[n_held:]))

        def loss_of(weights: Floats, stored: Any = stored, held: Any = held) -> Loss:
            near = _stretched(stored, weights)
            return _loss(near, whole, held, near.near(near.queries(whole.table.rows(held))))

        found[number], trail = _climbed(loss_of, n_columns, whole.distance.schema.names())
        losses.append(
            (loss_of(np.ones(n_columns))[0], trail[-1][1] if trail else loss_of(np.ones(n_columns))[0])
        )
        steps += [(f"{said} (division {number + 1})", loss) for said, loss in trail]
        report((number + 1) / repeats)
    before, after = np.mean(losses, axis=0)
    return _result(whole, found.mean(axis=0), float(after), float(before), steps)


def eliminate_attributes(learner: Any, X: Any, y: Any, *, direction: str = "backward") -> AttributeWeights:
    """Eliminate attributes by their effect on the leave-one-out loss (Moore and Lee 1994).

    Parameters
    ----------
    learner : KNeighborsClassifier or KNeighborsRegressor
        Learner whose metric is a sum over attributes; it is not modified.
    X, y : frame or array, series or array
        Table, and the target of each row.
    direction : {"backward", "forward"}
        "backward": start with all attributes and remove one at a time, unless that increases the loss.
        "forward": start with none and add one at a time.

    Examples
    --------
    >>> import induce
    >>> X = [[0, 0], [0.2, 5], [0.4, 1], [1, 0.1], [1.2, 5.1], [1.4, 1.1]]
    >>> nearest = induce.KNeighborsClassifier(1, metric="euclidean")
    >>> print(eliminate_attributes(nearest, X, list("aaabbb")))
    error 0, with equal weights 1
      1      x0
      0      x1
    """
    one_of("direction", direction, ("backward", "forward"))
    whole = _stored(learner, X, y)
    own = np.arange(len(whole.weights))

    def loss_of(weights: Floats) -> Loss:
        near = _stretched(whole, weights)
        return _loss(near, whole, own, near.near(near.rows, own))

    names = whole.distance.schema.names()
    backward = direction == "backward"
    weights, steps = np.full(len(names), float(backward)), []
    before = loss_of(np.ones(len(names)))
    best = before if backward else (np.inf, np.inf)
    for step in range(len(names) - backward):
        left = np.flatnonzero(weights == float(backward))
        trials = []
        for column in left:
            weights[column] = float(not backward)
            trials.append((loss_of(weights), column))
            weights[column] = float(backward)
        loss, column = min(trials, key=lambda trial: trial[0])
        if not (loss[0] <= best[0] if backward else loss < best):
            break
        best, weights[column] = loss, float(not backward)
        steps.append((f"{'without' if backward else 'with'} {names[column]}", loss[0]))
        report((step + 1) / len(names))
    return _result(whole, weights, best[0], before[0], steps)


def _climbed(
    loss_of: Callable[[Floats], Loss], n_columns: int, names: tuple[str, ...]
) -> tuple[Floats, list[tuple[str, float]]]:
    """Change one weight at a time as long as the loss decreases; return the weights and the changes."""
    weights, trail = np.ones(n_columns), []
    best = loss_of(weights)
    for _ in range(MOST_SWEEPS):
        improved = False
        for column in range(n_columns):
            for factor in FACTORS:
                trial = weights.copy()
                trial[column] = trial[column] * factor if trial[column] else 1.0
                loss = loss_of(trial) if trial.any() else (np.inf, np.inf)
                if loss < best:
                    best, weights, improved = loss, trial, True
                    trail.append((f"{names[column]} {trial[column]:.3g}", loss[0]))
        if not improved:
            break
    return weights, trail


def _stored(learner: Any, X: Any, y: Any) -> NeighborVote | NeighborMean:
    from sklearn.base import clone

    stored = clone(learner).set_params(attribute_weights=None).fit(X, y).hypothesis_
    if not isinstance(stored, NeighborVote | NeighborMean) or not isinstance(
        stored.distance, AttributeDistance
    ):
        raise InputError(
            "the metric has no axes to stretch; give nearest neighbours with a metric that is a sum "
            "over attributes"
        )
    return stored


def _stretched(stored: Any, weights: Floats) -> Any:
    return replace(stored, distance=stored.distance.stretched(weights))


def _some(stored: Any, rows: NDArray[np.int64]) -> Any:
    known = "labels" if isinstance(stored, NeighborVote) else "numbers"
    parts = {name: getattr(stored, name)[rows] for name in ("numeric", "nominal", "weights", known)}
    return replace(stored, **parts)


def _loss(near: Any, whole: Any, rows: NDArray[np.int64], nearby: Nearby) -> Loss:
    """Return the loss, and the tie-breaker between weights of equal loss: the missing votes for the true
    class.
    """
    weights = whole.weights[rows]
    if isinstance(near, NeighborVote):
        decided, votes = near.counted(nearby)
        truth = whole.labels[rows]
        missed = 1 - votes[np.arange(len(rows)), truth] / votes.sum(axis=1)
        return float(weights @ (decided != truth) / weights.sum()), float(weights @ missed)
    error = float(weights @ np.square(near.said_by(nearby) - whole.numbers[rows]) / weights.sum())
    return error, error


def _result(
    whole: Neighbors, weights: Floats, loss: float, before: float, steps: list[tuple[str, float]]
) -> AttributeWeights:
    names = whole.distance.schema.names()
    name = "error" if isinstance(whole, NeighborVote) else "mean squared error"
    return AttributeWeights(dict(zip(names, weights.tolist(), strict=True)), loss, before, name, tuple(steps))
