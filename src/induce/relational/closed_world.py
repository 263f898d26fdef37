"""Negative examples by the closed-world assumption: what is not said to be in a relation is not in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic import _fact_loops
from induce.logic.facts import Codes, Facts
from induce.relational.examples import Examples
from induce.relational.literals import Vocabulary

MOST_TUPLES = 500_000
"""How many negative examples are listed; of more, as many are drawn."""


def closed_world(examples: Examples, random: np.random.Generator) -> Examples:
    """Add all other tuples over the constants of the arguments' types as negative examples.

    Parameters
    ----------
    examples : Examples
        Negative ones among them stay what they are.
    random : Generator
        For a sample, if there are too many tuples.
    """
    if (examples.rows < 0).any():
        raise InputError("an example has a missing argument; drop it, or give negative examples")
    vocabulary = Vocabulary(examples, undeclared=False, recursive=False)
    domains = [vocabulary.constants(kind) for kind in examples.types]
    n_all = float(np.prod([float(len(domain)) for domain in domains]))
    if n_all <= MOST_TUPLES:
        rows = np.stack([column.ravel() for column in np.meshgrid(*domains, indexing="ij")], 1)
    else:
        note(
            f"there are {n_all:.3g} tuples of arguments; {MOST_TUPLES} of them are drawn as negative examples "
            "of the closed world"
        )
        rows = np.stack([random.choice(domain, MOST_TUPLES) for domain in domains], 1)
    others = _others(Facts.of(rows).rows, examples.rows)
    return replace(
        examples,
        rows=np.concatenate([examples.rows, others]),
        positive=np.concatenate([examples.positive, np.zeros(len(others), np.bool_)]),
    )


def _others(rows: Codes, known: Codes) -> Codes:
    """Return the rows that are not known."""
    first = _fact_loops.group(np.ascontiguousarray(np.concatenate([known, rows])))[1]
    return rows[first[first >= len(known)] - len(known)]
