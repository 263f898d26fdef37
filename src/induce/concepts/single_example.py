"""Version spaces of single examples, to be merged (Hirsh's incremental version space merging)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, learn_example, start
from induce.concepts.language import Bounds, Language
from induce.concepts.version_space import VersionSpace
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.names import listed
from induce.data.table import encode

MOST_NEAR = 10_000


def example_space(
    space: VersionSpace, instance: Any, label: Value, tolerance: Mapping[str, float] | None = None
) -> VersionSpace:
    """Return the version space of a single example, to be merged with others.

    Parameters
    ----------
    space : VersionSpace
        Version space that determines the language and the classes.
    instance : frame or array
        A frame or array with one row.
    label : str, int, float or bool
        Class of the example.
    tolerance : dict, optional
        Maximum distance of the true value from the given one, for numeric columns. Every hypothesis that
        agrees with some instance within that distance is then possible (Hirsh's bounded noise).

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import CandidateElimination
    >>> X, y = induce.dataset("enjoy-sport")
    >>> space = CandidateElimination().fit(X, y).hypothesis_
    >>> merged = example_space(space, X[:1], y[0])
    >>> for row in range(1, 4):
    ...     merged = merged.merge(example_space(space, X[row : row + 1], y[row]))
    >>> merged.specific == space.specific, set(merged.general) == set(space.general)
    (True, True)
    """
    language = space.language
    cells = language.attributes.encode(instance, training=True)
    if len(cells) != 1:
        raise InputError(f"instance has {len(cells)} rows; give a single row")
    choices = [range(cell, cell + 1) for cell in cells[0].tolist()]
    for name, width in (tolerance or {}).items():
        place = _numeric_place(language, name)
        at_least(f"tolerance of {name}", width, 0)
        at = float(encode(instance, language.attributes.schema).column(place)[0])
        thresholds = language.attributes.facets[place].thresholds
        first, last = np.searchsorted(thresholds, [at - width, at + width]).tolist()
        choices[place] = range(first, last + 1)
    n = math.prod(map(len, choices))
    if n > MOST_NEAR:
        raise InputError(
            f"{n:,} instances are within the tolerance, too many to enumerate (at most {MOST_NEAR:,}); "
            "give a tolerance for fewer columns, or a smaller one"
        )
    alone = [
        learn_example(language, start(language), row, label == space.positive, MOST_GENERAL)
        for row in product(*choices)
    ]
    if n == 1:
        return space.with_bounds(alone[0])
    specific = language.minimal([code for each in alone for code in each.specific])
    general = language.maximal([code for each in alone for code in each.general or ()])
    return space.with_bounds(Bounds(specific, general, None))


def _numeric_place(language: Language, name: str) -> int:
    names = language.attributes.names
    if name not in names:
        raise InputError(
            f"tolerance names column {name!r}, which does not exist; the columns are {listed(names)}"
        )
    if not language.attributes.facets[names.index(name)].thresholds:
        raise InputError(f"tolerance names column {name!r}, which is not numeric; leave it out")
    return names.index(name)
