"""Version spaces of single pieces of information, to be merged (Hirsh's incremental version space merging)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from induce.concepts.boundaries import MOST_GENERAL, learn_example, start
from induce.concepts.language import Bounds, Code
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError
from induce.core.values import Value


def example_space(
    space: VersionSpace, instance: Any, label: Value, tolerance: Mapping[str, float] | None = None
) -> VersionSpace:
    """Return the version space of one example alone, to be merged with others.

    Parameters
    ----------
    space : VersionSpace
        For its language and classes.
    instance : frame or array
        One row.
    label : str, int, float or bool
    tolerance : dict, optional
        For numeric columns, how far the true number may be from the one given. All hypotheses that agree with some
        instance that near are possible then (Hirsh's bounded noise).

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
    rows = language.attributes.encode(instance, training=True)[:1]
    choices: list[list[int]] = [[cell] for cell in rows[0].tolist()]
    for name, width in (tolerance or {}).items():
        if name not in language.attributes.names:
            raise InputError(f"tolerance names column {name!r}, which there is not")
        place = language.attributes.names.index(name)
        facet = language.attributes.facets[place]
        if not facet.thresholds:
            raise InputError(f"tolerance names column {name!r}, which is not numeric; leave it out")
        at = float(facet.cells[choices[place][0]])
        near = [cell for cell, value in enumerate(facet.cells) if abs(float(value) - at) <= width]
        choices[place] = near or choices[place]
    specific: list[Code] = []
    general: list[Code] = []
    for row in product(*choices):
        alone = learn_example(language, start(language), row, label == space.positive, MOST_GENERAL)
        specific += alone.specific
        general += alone.general or ()
    return space.with_bounds(Bounds(language.minimal(specific), language.maximal(general), None))
