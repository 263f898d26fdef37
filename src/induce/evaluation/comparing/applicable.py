"""Which learners of the catalogue a table is for, and why others are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils import get_tags

from induce.core.declarations import learners as catalogue
from induce.core.randomness import RandomState, generator
from induce.core.values import is_missing
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import encode_declared, infer_schema
from induce.hypotheses.naming import value_text

MOST_CLASSES = 20
"""More different numbers than these are taken for numbers to predict, not for classes."""


def holds_numbers(y: Any) -> bool:
    """Say whether a target is a number to predict: fractions, or more different numbers than there are classes.

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


def applicable(
    X: Any,
    numeric: bool,
    n_classes: int,
    schema: Schema | dict[str, Any] | None = None,
    random_state: RandomState = 0,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the learners that can learn from a table, by name, and of the others why they cannot.

    Parameters
    ----------
    X : frame or array
    numeric : bool
        Whether numbers are to be predicted.
    n_classes : int
        How many classes there are otherwise.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.
    random_state : int, Generator or None
        What those learners that draw at random depend on.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> found, left_out = applicable(X, numeric=False, n_classes=2)
    >>> "C45" in found, left_out["ModelTree"]
    (True, 'it predicts numbers, and there are classes to predict')
    """
    import induce

    raw = raw_frame(X)
    settled = infer_schema(raw, schema)
    table = encode_declared(raw, settled)
    nominal = [column.name for column in settled.inputs() if column.kind == "nominal"]
    numbers = [column.name for column in settled.inputs() if column.kind != "nominal"]
    missing = [
        *(name for k, name in enumerate(numbers) if np.isnan(table.numeric[:, k]).any()),
        *(name for k, name in enumerate(nominal) if (table.nominal[:, k] < 0).any()),
    ]
    seed = int(generator(random_state).integers(2**31))
    found: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for entry in catalogue():
        learner = getattr(induce, entry.name)()
        told = {"schema": schema, "random_state": seed}
        learner.set_params(**{name: told[name] for name in told if name in learner.get_params()})
        reason = (
            "it learns from the predictions of experts, not from a table"
            if entry.gives == "WeightedExperts"
            else _obstacle(learner, numeric, n_classes, nominal, missing)
        )
        if reason:
            left_out[entry.name] = reason
        else:
            found[entry.name] = learner
    return found, left_out


def _obstacle(
    learner: Any, numeric: bool, n_classes: int, nominal: Sequence[str], missing: Sequence[str]
) -> str:
    """Why a learner cannot learn from such a table; empty if it can."""
    tags = get_tags(learner)
    if is_regressor(learner) != numeric:
        kinds = ("classes", "numbers")
        return f"it predicts {kinds[not numeric]}, and there are {kinds[numeric]} to predict"
    if missing and not tags.input_tags.allow_nan:
        return f"it needs every value, and some are missing in {_named(missing)}"
    if nominal and not tags.input_tags.categorical:
        return f"it takes numeric columns only, and there is {_named(nominal)}"
    if not numeric and n_classes > 2 and not tags.classifier_tags.multi_class:
        return f"it tells two classes apart, and there are {n_classes}"
    return ""


def _named(columns: Sequence[str]) -> str:
    rest = len(columns) - 1
    more = f" and {rest} other column{'' if rest == 1 else 's'}" if rest else ""
    return f"{value_text(columns[0])}{more}"
