"""All functions that fit the examples: the version space of an unbiased learner (Mitchell exercise 3.4d)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import encode, infer_schema
from induce.hypotheses.conditions import Is
from induce.hypotheses.naming import plural, value_text
from induce.trees.understanding.construction import tree_of
from induce.trees.understanding.dnf import Dnf, to_dnf
from induce.trees.understanding.tree_counts import n_instances


@dataclass(frozen=True)
class FunctionSpace:
    """The version space if every function is a hypothesis, as for decision trees.

    Parameters
    ----------
    specific : Dnf
        The most specific function (S): true of the positive examples only.
    excluded : Dnf
        The negative examples: the most general function (G) is true of all other instances.
    instances, seen : int
        Number of distinct instances, and number of distinct instances among the examples.
    """

    specific: Dnf
    excluded: Dnf
    instances: int
    seen: int

    @property
    def n_functions(self) -> int:
        """Number of consistent functions: each unseen instance doubles it."""
        return int(2 ** (self.instances - self.seen))

    def __str__(self) -> str:
        value = value_text(self.specific.value)
        general = "everything" if not self.excluded.terms else f"NOT ({self.excluded})"
        return "\n".join(
            [
                f"2^{self.instances - self.seen} functions fit {self.seen} of {self.instances} instances",
                f"S: {value} where {self.specific}",
                f"G: {value} where {general}",
                f"on each of the {plural(self.instances - self.seen, 'other instance')} half of them predict {value}",
            ]
        )


def function_space(
    X: Any, y: Any, value: Value, schema: Schema | dict[str, Any] | None = None
) -> FunctionSpace:
    """Return the version space of candidate elimination over all functions, which decision trees can express.

    A complete space does not generalise: on every instance that is not among the examples, half of the functions
    predict one class and half the other.

    Parameters
    ----------
    X, y : frame or array, series or array
        Nominal columns without missing values, and classes.
    value : str, int, float or bool
        The positive class; all others are negative.
    schema : Schema or dict, optional
        Schema of the columns.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("enjoy-sport")
    >>> print(function_space(X[:2], y[:2], "Yes"))
    2^94 functions fit 2 of 96 instances
    S: Yes where Sky = Sunny AND AirTemp = Warm AND Wind = Strong AND Water = Warm AND Forecast = Same
    G: Yes where everything
    on each of the 94 other instances half of them predict Yes
    """
    raw = raw_frame(X)
    settled = infer_schema(raw, schema)
    instances = n_instances(settled)
    codes = encode(raw, settled).nominal
    positive = np.array([label == value for label in np.asarray(y).tolist()], dtype=bool)
    if len(positive) != len(codes):
        raise InputError(f"X has {len(codes)} rows and y has {len(positive)}; give one class per row")
    if (codes < 0).any():
        raise InputError("X has missing values, so examples are not single instances; drop those rows")
    shown = {True: _different(codes[positive]), False: _different(codes[~positive])}
    both = shown[True] & shown[False]
    if both:
        raise InputError(
            "the same instance has two classes in y, so no function fits; drop one of the two rows"
        )
    return FunctionSpace(
        _formula(settled, shown[True], value),
        _formula(settled, shown[False], value),
        instances,
        len(shown[True]) + len(shown[False]),
    )


def _different(codes: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(row) for row in codes.tolist()}


def _formula(schema: Schema, instances: set[tuple[int, ...]], value: Value) -> Dnf:
    columns = schema.inputs().columns
    terms = tuple(
        tuple(Is(column.name, column.domain[code]) for column, code in zip(columns, row, strict=True))
        for row in sorted(instances)
    )
    formula = Dnf(schema, terms, value=value, otherwise=f"not {value_text(value)}")
    return to_dnf(tree_of(formula), value)
