"""Axes stretched separately at each query (Mitchell §8.2.2), which increases the risk of overfitting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.distances.rows import Floats, Rows
from induce.instances.nearby import Nearby, Places, without_own

if TYPE_CHECKING:
    from induce.instances.neighbors.vote import NeighborVote

LEAST = 1e-3


def nearby_stretched(vote: NeighborVote, queries: Rows, own: Places | None) -> Nearby:
    """Return the examples that count for each query, after stretching the axes by its neighbourhood.

    Among the nearest `local_rows` examples, those of different classes differ more along some axes than those
    of the same class. An axis is stretched by that ratio, and the examples are sorted again.
    """
    k = vote.n_neighbors or float(vote.weights.sum())
    found = vote.index.nearest(queries, min(len(vote.weights), max(vote.local_rows, int(k)) + 1))
    distances = np.empty_like(found.powers)
    places = np.empty_like(found.places)
    for number, around in enumerate(found.places):
        query, rows = queries[number : number + 1], vote.rows[around]
        factors = relevance(vote, around)
        powers = vote.distance.shares(query, rows) @ factors
        order = np.lexsort((around, powers))
        distances[number], places[number] = vote.distance.root(powers[order]), around[order]
    weights = without_own(vote.weights[places], places, own)
    return vote.counting(Nearby(distances, weights, places), k)


def relevance(vote: NeighborVote, around: Places) -> Floats:
    """Return how much farther apart examples of different classes are than others, per column, 1 on average."""
    rows, labels = vote.rows[around], vote.labels[around]
    columns = Rows(rows.numbers[:, np.newaxis], rows.codes[:, np.newaxis])
    shares = vote.distance.shares(columns, rows)
    differ = labels[:, np.newaxis] != labels
    if not differ.any():
        return np.ones(shares.shape[-1])
    alike = ~differ & ~np.eye(len(labels), dtype=np.bool_)
    between = shares[differ].mean(axis=0)
    within = shares[alike].mean(axis=0) if alike.any() else np.zeros_like(between)
    scale = max(float(shares.mean()), 1e-300)
    factors = (between + LEAST * scale) / (within + LEAST * scale)
    return np.asarray(factors / factors.mean())
