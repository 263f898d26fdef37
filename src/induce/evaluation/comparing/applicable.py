"""Learners in the catalogue that suit a table, and the reasons against the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from induce.core.declarations import Learner
from induce.core.declarations import learners as catalogue
from induce.core.randomness import RandomState, generator
from induce.core.values import is_missing
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import encode_declared, infer_schema
from induce.evaluation.estimating.kinds import CLASSES, DENSITY, SAYS, kind_of
from induce.hypotheses.naming import value_text

MOST_CLASSES = 20
"""Maximum number of distinct values of a numeric classification target; more imply regression."""


def holds_numbers(y: Any) -> bool:
    """Return whether a target is numeric: it contains fractions or has more distinct values than a
    classification target.

    Examples
    --------
    >>> holds_numbers([0.5, 1.5]), holds_numbers([0, 1, 1]), holds_numbers(range(100)), holds_numbers(["a", "b"])
    (True, False, True, False)
    """
    values = np.asarray(y)
    if values.dtype == object:
        known = [value for value in values.tolist() if not is_missing(value)]
        if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
            return False
        values = np.array(known, dtype=np.float64)
    if values.dtype.kind not in "iuf":
        return False
    different = np.unique(values[np.isfinite(values)])
    return bool(different.size > MOST_CLASSES or (different != np.floor(different)).any())


@dataclass(frozen=True)
class Contents:
    """Input columns by type, and the columns with missing values."""

    nominal: Sequence[str]
    numbers: Sequence[str]
    texts: Sequence[str]
    missing: Sequence[str]

    @property
    def width(self) -> int:
        """Number of input columns."""
        return len(self.nominal) + len(self.numbers) + len(self.texts)


def applicable(
    X: Any,
    kind: str,
    n_classes: int = 0,
    schema: Schema | dict[str, Any] | None = None,
    random_state: RandomState = 0,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the applicable learners by name, and the reasons against the others.

    Without a target, supervised learners are not mentioned.

    Parameters
    ----------
    X : frame or array
    kind : {"classes", "numbers", "density"}
        Type of prediction: classes, numbers or densities.
    n_classes : int
        Number of classes.
    schema : Schema or dict, optional
        Schema of the columns, in addition to their types.
    random_state : int, Generator or None
        Random seed of randomised learners.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> found, left_out = applicable(X, "classes", n_classes=2)
    >>> "C45" in found, left_out["ModelTree"]
    (True, 'it predicts numbers, but the target is classes')
    """
    import induce

    contents = contents_of(X, schema)
    seed = int(generator(random_state).integers(2**31))
    found: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for entry in catalogue():
        needs_target = entry.has_target and not entry.target_optional
        if not entry.takes_tables or (kind == DENSITY and needs_target):
            continue
        learner = getattr(induce, entry.name)()
        told = {"schema": schema, "random_state": seed}
        learner.set_params(**{name: told[name] for name in told if name in learner.get_params()})
        reason = _obstacle(entry, learner, kind, n_classes, contents)
        if reason:
            left_out[entry.name] = reason
        else:
            found[entry.name] = learner
    return found, left_out


def contents_of(X: Any, schema: Schema | dict[str, Any] | None) -> Contents:
    """Return the types of the columns of a table."""
    raw = raw_frame(X)
    settled = infer_schema(raw, schema, text=True)
    plain = Schema(
        tuple(replace(column, role="ignore") if column.kind == "text" else column for column in settled)
    )
    table = encode_declared(raw, plain)
    names: dict[str, list[str]] = {"nominal": [], "numeric": [], "text": []}
    for column in settled.inputs():
        names[column.kind].append(column.name)
    missing = [
        *(name for k, name in enumerate(names["numeric"]) if np.isnan(table.numeric[:, k]).any()),
        *(name for k, name in enumerate(names["nominal"]) if (table.nominal[:, k] < 0).any()),
    ]
    return Contents(names["nominal"], names["numeric"], names["text"], missing)


def _obstacle(entry: Learner, learner: Any, kind: str, n_classes: int, contents: Contents) -> str:
    """Return the reason why a learner cannot learn from the table; empty if it can."""
    tags = get_tags(learner)
    if entry.needs_experts:
        return "it learns from the predictions of experts, not from a table"
    own = kind_of(learner, kind != DENSITY)
    if own != kind:
        return f"it {SAYS[own]}, but the target is {kind}"
    if not getattr(learner, "sums_to_one", True):
        return "its densities do not sum to 1 over all rows, so log-likelihoods cannot be compared"
    if entry.needs_text and not contents.texts:
        return "it learns from text, but there is no text column"
    only_text = contents.texts and not contents.nominal and not contents.numbers
    if only_text and not getattr(learner, "takes_text", False):
        return f"it cannot use text, but {_named(contents.texts)} is the only input"
    if contents.missing and not tags.input_tags.allow_nan:
        return f"it does not support missing values, but there are some in {_named(contents.missing)}"
    if contents.nominal and not tags.input_tags.categorical:
        return f"it supports numeric columns only, but there is {_named(contents.nominal)}"
    if kind == CLASSES and n_classes > 2 and not tags.classifier_tags.multi_class:
        return f"it supports two classes, but there are {n_classes}"
    return ""


def _named(columns: Sequence[str]) -> str:
    rest = len(columns) - 1
    more = f" and {rest} other column{'' if rest == 1 else 's'}" if rest else ""
    return f"{value_text(columns[0])}{more}"
