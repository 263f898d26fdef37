"""Explanation of a neighbour prediction: the examples, their distances, and the attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.row_numbers import row_number
from induce.core.ties import largest_first
from induce.core.values import Value
from induce.distances.rows import Floats, Rows
from induce.hypotheses.naming import plural, value_text
from induce.instances.nearby import Nearby
from induce.instances.search.index import Index
from induce.instances.units import shown

if TYPE_CHECKING:
    from induce.instances.neighbors.mean import NeighborMean
    from induce.instances.neighbors.stored import Neighbors
    from induce.instances.neighbors.vote import NeighborVote

SHOWN, COLUMNS_SHOWN = 5, 3
"""Number of examples that are printed, and of columns of each."""


@dataclass(frozen=True)
class NearExample:
    """A stored example near a query.

    Parameters
    ----------
    row : int
        Row number in the training table, from 0.
    says : str, int, float or bool
        Class or number of the example.
    distance : float
    vote : float
        Fraction of the vote.
    shares : dict
        Fraction of the distance (of its power, which is additive) due to each differing column, largest first;
        empty for an exact match, and if the distance is a function.
    """

    row: int
    says: Value
    distance: float
    vote: float
    shares: dict[str, float]

    def __str__(self) -> str:
        if self.distance == 0:
            return f"row {row_number(self.row)}: {_text(self.says)}, the same"
        parts = [f"{value_text(name)} {share:.0%}" for name, share in self.shares.items() if share >= 0.005]
        more = f", {len(parts) - COLUMNS_SHOWN} more" if len(parts) > COLUMNS_SHOWN else ""
        differs = f": {', '.join(parts[:COLUMNS_SHOWN])}{more}" if parts else ""
        return (
            f"row {row_number(self.row)}: {_text(self.says)} at distance {shown(self.distance, 3)}{differs}"
        )


@dataclass(frozen=True)
class VoteExplanation(Explained):
    """A predicted class, the examples that voted, and the nearest example of a different class.

    Parameters
    ----------
    prediction : str, int, float or bool
    votes : dict
        Fraction of the votes for each class that has any.
    neighbors : tuple of NearExample
        Examples that voted, nearest first.
    rival : NearExample or None
        Nearest example of a different class.
    """

    prediction: Value
    votes: dict[str, float]
    neighbors: tuple[NearExample, ...]
    rival: NearExample | None

    def __str__(self) -> str:
        votes = ", ".join(f"{name} {share:.0%}" for name, share in self.votes.items())
        among = plural(len(self.neighbors), "example")
        lines = [f"{value_text(self.prediction)} because {among} voted: {votes}", *_listed(self.neighbors)]
        if self.rival is not None:
            lines.append(f"  nearest other class: {self.rival}")
        return "\n".join(lines)


@dataclass(frozen=True)
class MeanExplanation(Explained):
    """A predicted number and the averaged examples.

    Parameters
    ----------
    prediction : float
    spread : float
        Weighted standard deviation of their targets.
    neighbors : tuple of NearExample
        Averaged examples, nearest first.
    """

    prediction: float
    spread: float
    neighbors: tuple[NearExample, ...]

    def __str__(self) -> str:
        among = plural(len(self.neighbors), "example")
        head = f"{shown(self.prediction)} because of {among}, whose numbers vary by {shown(self.spread, 3)}"
        return "\n".join([head, *_listed(self.neighbors)])


def explained_votes(vote: NeighborVote, X: Any) -> tuple[VoteExplanation, ...]:
    """Explain the class of each row."""
    queries = vote.queries(X)
    decided, votes = vote.decide(queries)
    rivals = _rivals(vote, queries, decided)
    found = []
    for number, near in enumerate(_each_near(vote, queries)):
        shares = votes[number] / votes[number].sum()
        order = largest_first(shares)
        query = queries[number : number + 1]
        found.append(
            VoteExplanation(
                vote.classes[decided[number]],
                {value_text(vote.classes[c]): float(shares[c]) for c in order if shares[c] > 0},
                _examples(vote, query, near, [vote.classes[c] for c in vote.labels[near.index[0]]]),
                None if rivals[number] < 0 else _rival(vote, query, int(rivals[number])),
            )
        )
    return tuple(found)


def explained_means(mean: NeighborMean, X: Any) -> tuple[MeanExplanation, ...]:
    """Explain the number of each row."""
    queries = mean.queries(X)
    found = []
    for number, near in enumerate(_each_near(mean, queries)):
        numbers = mean.numbers[near.index[0]]
        prediction = float(mean.said_by(near)[0])
        examples = _examples(mean, queries[number : number + 1], near, numbers.tolist())
        shares = np.array([each.vote for each in examples])
        values = np.array([each.says for each in examples])
        spread = float(np.sqrt(shares @ np.square(values - shares @ values)))
        found.append(MeanExplanation(prediction, spread, examples))
    return tuple(found)


def _each_near(stored: Neighbors, queries: Rows) -> Iterator[Nearby]:
    """Yield the examples near each query."""
    for part in stored.blocks(len(queries)):
        near = stored.near(queries[part])
        for number in range(len(near.index)):
            one = slice(number, number + 1)
            yield Nearby(near.distance[one], near.weights[one], near.index[one])


def _examples(stored: Neighbors, query: Rows, near: Nearby, says: list[Any]) -> tuple[NearExample, ...]:
    weights = stored.kernel.among(near.distance, near.weights)[0]
    used = np.flatnonzero(weights > 0)
    shares = column_shares(stored, query, near.index[0, used])
    total = weights.sum()
    return tuple(
        NearExample(
            stored.row_of(int(near.index[0, place])),
            says[place],
            float(near.distance[0, place]),
            float(weights[place] / total),
            shares[number],
        )
        for number, place in enumerate(used)
    )


def _rival(vote: NeighborVote, query: Rows, row: int) -> NearExample:
    distance = vote.distance.root(vote.distance.powers(query, vote.rows[[row]]))[0, 0]
    shares = column_shares(vote, query, np.array([row]))[0]
    return NearExample(vote.row_of(row), vote.classes[vote.labels[row]], float(distance), 0.0, shares)


def _rivals(vote: NeighborVote, queries: Rows, decided: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the nearest example of a class other than the predicted one; -1 if there is none."""
    found = np.full(len(queries), -1, dtype=np.int64)
    for label in np.unique(decided):
        others = np.flatnonzero(vote.labels != label)
        asked = np.flatnonzero(decided == label)
        if len(others):
            nearest = Index(vote.distance, vote.rows[others]).nearest(queries[asked], 1)
            found[asked] = others[nearest.places[:, 0]]
    return found


def column_shares(stored: Neighbors, query: Rows, rows: NDArray[np.int64]) -> list[dict[str, float]]:
    """Return the fraction of the distance between a query and the given examples due to each column."""
    added: Floats = stored.distance.shares(query, stored.rows[rows])
    total = added.sum(axis=1, keepdims=True)
    shares = np.divide(added, total, out=np.zeros_like(added), where=total > 0)
    names = stored.distance.schema.names()
    return [
        {names[j]: float(each[j]) for j in largest_first(each) if abs(each[j]) > 0}
        for each in np.nan_to_num(shares)
    ]


def _listed(neighbors: tuple[NearExample, ...]) -> list[str]:
    lines = [f"  {each.vote:6.1%}  {each}" for each in neighbors[:SHOWN]]
    rest = neighbors[SHOWN:]
    if rest:
        lines.append(f"  {sum(each.vote for each in rest):6.1%}  {plural(len(rest), 'further example')}")
    return lines


def _text(value: Value) -> str:
    return shown(value) if isinstance(value, float) else value_text(value)
