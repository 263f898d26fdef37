"""Step functions of the attributes as sums of stumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.ties import ranked
from induce.data.schema import Column
from induce.data.table import MISSING, UNSEEN, Table
from induce.ensembles.scorecard.card import Scorecard
from induce.ensembles.scorecard.points import Points
from induce.ensembles.steps import Steps, votes_of_stump
from induce.ensembles.stumps import is_stump

if TYPE_CHECKING:
    from induce.ensembles.hypothesis import Ensemble

Floats = NDArray[np.float64]


def scorecard(ensemble: Ensemble, X: Any = None) -> Scorecard:
    """Return an ensemble of stumps as a scorecard; with rows, each line has its frequency."""
    for member in ensemble.members:
        if not is_stump(member):
            raise InputError(
                f"a scorecard needs stumps, but a {type(member).__name__} of more than one test votes "
                "here; boost stumps: AdaBoost()"
            )
    classes, summed = len(ensemble.classes), ensemble.combine == "sum"
    start = np.zeros(classes)
    by_column: dict[int, list[tuple[Steps, float]]] = {}
    for member, weight in zip(ensemble.members, ensemble.weights.tolist(), strict=True):
        if member.n_nodes == 1:
            start += weight * (member.distribution[0] if summed else np.eye(classes)[member.majority[0]])
        else:
            steps = votes_of_stump(member, summed, ensemble.divides)
            by_column.setdefault(int(member.attribute[0]), []).append((steps, weight))
    table = None if X is None else ensemble.encoded(X).table
    parts = [_points(each, f, classes, table) for f, each in sorted(by_column.items())]
    return Scorecard(
        ensemble.schema,
        ensemble.target,
        ensemble.classes,
        _scores(start[None, :])[0],
        tuple(ranked(parts, lambda part: part.strength())),
        total=float(ensemble.weights.sum()),
        logistic=ensemble.logistic,
    )


def _points(steps: list[tuple[Steps, float]], place: int, n_classes: int, table: Table | None) -> Points:
    """Sum the votes of the stumps on one column, line by line."""
    column = steps[0][0].column
    ends = np.unique([end for step, _ in steps for end in step.ends])
    values = _examples(column, ends)
    votes = np.zeros((len(values), n_classes))
    for step, weight in steps:
        votes += weight * step.of(values)
    found = Points(column, ends, _scores(votes), np.empty(0))
    if table is not None:
        counts = np.bincount(found.places(table.column(place)), minlength=len(votes))
        found = Points(column, ends, found.points, counts / len(table))
    return found.joined()


def _examples(column: Column, ends: Floats) -> NDArray[Any]:
    """Return an encoded value for each line; for an interval, its upper end, which it includes."""
    if column.kind == "nominal":
        return np.append(np.arange(len(column.domain)), [UNSEEN, MISSING])
    return np.concatenate([ends, [np.inf, np.nan, np.nan]])


def _scores(votes: Floats) -> Floats:
    return votes[:, 1:] - votes[:, :1] if votes.shape[1] == 2 else votes
