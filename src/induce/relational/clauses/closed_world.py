"""Negative examples by the closed-world assumption: unlisted tuples are not in a relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.randomness import RandomState, generator
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes, Facts
from induce.relational.clauses.literals import Vocabulary

MOST_NEGATIVES = 100_000
"""Maximum number of negative examples under the closed-world assumption; beyond it a random sample is drawn."""


def closed_world(examples: Examples, random: np.random.Generator) -> Examples:
    """Add all other tuples over the constants of the arguments' types as negative examples.

    Parameters
    ----------
    examples : Examples
        Examples; the negative ones among them are kept.
    random : Generator
        Random generator of the sample, used if there are too many tuples.
    """
    if (examples.rows < 0).any():
        raise InputError("an example has a missing argument; drop it, or give negative examples")
    vocabulary = Vocabulary(examples, undeclared=False, recursive=False)
    domains = [vocabulary.constants(kind) for kind in examples.types]
    others = other_tuples(examples.rows, domains, MOST_NEGATIVES, random)
    return replace(
        examples,
        rows=np.concatenate([examples.rows, others]),
        positive=np.concatenate([examples.positive, np.zeros(len(others), np.bool_)]),
    )


def other_tuples(
    rows: Codes, domains: Sequence[Codes], limit: int = MOST_NEGATIVES, random_state: RandomState = 0
) -> Codes:
    """Return the tuples over some domains that are not among `rows`; a random sample if there are more than `limit`.

    Examples
    --------
    >>> other_tuples(np.array([[0, 1]]), [np.array([0, 1]), np.array([1, 2])])
    array([[0, 2], [1, 1], [1, 2]])
    """
    if limit < 1:
        raise InputError(f"limit is {limit}; give 1 or more")
    sizes = [len(domain) for domain in domains]
    total = int(np.prod(np.array(sizes, object)))
    if total - len(rows) <= limit:
        grid = np.stack([axis.ravel() for axis in np.meshgrid(*domains, indexing="ij")], 1)
        return grid[~_among(grid, rows)]
    note(
        f"the closed world has {total - len(rows):,} negative examples, of which a random sample of {limit:,} is "
        "taken"
    )
    random = generator(random_state)
    found = np.empty((0, len(domains)), np.int64)
    while len(found) < limit:
        drawn = np.stack([domain[random.integers(0, len(domain), limit)] for domain in domains], 1)
        found = Facts.of(np.concatenate([found, drawn[~_among(drawn, rows)]])).rows
    return found[:limit]


def _among(rows: Codes, others: Codes) -> NDArray[np.bool_]:
    return Facts.of(others).matches(tuple(range(rows.shape[1])), rows).count > 0
