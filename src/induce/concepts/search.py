"""Search for the first hypothesis of a language that agrees with the examples, and conversion of hypotheses
to rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from induce.concepts.facets import Cells
from induce.concepts.language import Code, Language, Mask
from induce.concepts.version_space import VersionSpace
from induce.core.values import positive_rows
from induce.hypotheses.rules import RuleList


def ruled(space: VersionSpace, code: Code, cells: Cells, labels: Mask) -> RuleList:
    """Return one hypothesis as rules with their coverage of the examples."""
    rules = replace(space, specific=(code,), general=None).to_rules()
    classes = rules.classes
    at = {True: classes.index(space.positive), False: classes.index(space.negative)}
    open_ = np.ones(len(cells), dtype=np.bool_)
    counted = []
    for rule, box in zip(rules.rules, space.language.boxes(code), strict=True):
        low, high = np.array(box).T
        covered = ((low <= cells) & (cells <= high)).all(axis=1)
        mine = covered & open_
        counted.append(replace(rule, counts=_counts(labels[mine], at, len(classes))))
        open_ &= ~covered
    return replace(rules, rules=tuple(counted), default_counts=_counts(labels[open_], at, len(classes)))


def _counts(labels: Mask, at: dict[bool, int], n_classes: int) -> tuple[float, ...]:
    counts = [0.0] * n_classes
    counts[at[True]] += float(labels.sum())
    counts[at[False]] += float((~labels).sum())
    return tuple(counts)


def first_consistent(language: Language, cells: Cells, labels: Any) -> Code | None:
    """Return the first hypothesis of a language that agrees with all examples (learning by enumeration).

    Parameters
    ----------
    language : Language
        Hypothesis language.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.
    """
    labels = positive_rows(labels)
    return next((code for code in language.hypotheses() if language.consistent(code, cells, labels)), None)
