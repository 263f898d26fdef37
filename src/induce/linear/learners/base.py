"""Base of linear learners: terms, standardisation, and construction of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, choice, folds, mapping, number, text, truth, whole
from induce.data.table import Table
from induce.estimators import Reading
from induce.linear.model import Knowledge
from induce.linear.standard import Standard, by_columns, dependent
from induce.linear.terms import RISING, Design

Floats = NDArray[np.float64]

PENALTIES = ("l1", "l2", "elastic", "auto")
SHARES = {"l1": 1.0, "l2": 0.0}
"""Fraction of the penalty on absolute weights; "elastic" has a parameter for it."""

DECLARED: Declared = {
    "terms": text(
        "Additional terms: powers, functions and products of columns, such as 'x^2, log(x), x:z'.",
        "a string of terms",
    ),
    "penalty": choice(
        "Penalty on large weights; 'auto' chooses kind and strength by cross-validation.",
        *PENALTIES,
        none=True,
    ),
    "strength": number(
        "Strength of the penalty; None chooses it by cross-validation.", at_least=0, finite=True, none=True
    ),
    "l1_share": number("Fraction of an elastic penalty that is L1.", above=0, at_most=1),
    "standardise": truth("Whether penalties apply to weights per standard deviation of their term."),
    "monotone": mapping(
        "Columns whose weight must not be negative ('increasing') or positive ('decreasing').",
        "a dict from columns to 'increasing' or 'decreasing'",
        none=True,
    ),
    "fit_intercept": truth("Whether the sum has an intercept."),
    "bootstrap": whole(
        "Number of bootstrap samples for intervals; 0 gives only theoretical intervals.", at_least=0
    ),
    "cv": folds("Cross-validation folds for choosing a penalty: their number, a splitter, or the splits."),
}


@dataclass(frozen=True, eq=False)
class Terms:
    """A training table as terms.

    Parameters
    ----------
    design : Design
    x : array of float, shape (rows, terms)
        Values of the terms in the columns' own units.
    weights : array of float
    rows : array of int
        Rows with positive weight.
    again : callable, optional
        Function that recomputes `x` if it is needed later, so that standardisation may overwrite it; copying
        a large table takes half as long as a fit.
    """

    design: Design
    x: Floats
    weights: Floats
    rows: NDArray[np.intp]
    again: Callable[[], Floats] | None = None

    def __getattr__(self, name: str) -> Any:
        if name == "x" and self.again is not None:  # `x` was overwritten
            self.__dict__["x"] = self.again()
            return self.__dict__["x"]
        raise AttributeError(name)

    def standard(self, intercept: bool, scaled: bool = True) -> Standard:
        """Return the standardised terms."""
        x = self.x.copy(order="F") if self.again is None else self.x
        if self.again is not None:
            del self.__dict__["x"]
        found = Standard.of(x, self.weights, intercept, scaled)
        if intercept and scaled and (found.scale != 1.0).all():  # no term is constant
            self.__dict__["known"] = found.centre, found.scale
        return found

    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the deviation of each term."""
        if "known" in self.__dict__:  # the standard units of a large table are cached
            return self.__dict__["known"]  # type: ignore[no-any-return]
        total = float(self.weights.sum())  # like `Standard.of`, to the last digit
        means = (self.weights @ self.x) / total
        spread = [float(self.weights @ np.square(self.x[:, j] - means[j])) for j in range(self.x.shape[1])]
        return means, np.sqrt(np.array(spread) / total)


def terms_of(reading: Reading, extra: str, reference: bool) -> Terms:
    """Return the terms of a training table, without the rows of weight zero."""
    weights = reading.weight()
    rows = np.flatnonzero(weights > 0)
    table = reading.table if len(rows) == len(weights) else reading.table.rows(rows)
    own = Table(table.schema, by_columns(table.numeric), table.nominal)
    design = Design.of(own, weights[rows], extra, reference)
    x = design.matrix(own)
    if x is table.numeric:  # the user's own data are not overwritten
        return Terms(design, x, weights[rows], rows)

    def again() -> Floats:
        return design.matrix(Table(table.schema, by_columns(table.numeric), table.nominal))

    return Terms(design, x, weights[rows], rows, again)


def left_out_terms(standard: Standard, names: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return the linearly dependent terms; a note names them."""
    found = dependent(standard.z, standard.weights)
    flat = ~standard.z.any(axis=0)
    odd = [names[k] for k in np.flatnonzero(found & ~flat).tolist()]
    if odd:
        listed = ", ".join(odd[:4]) + (f" and {len(odd) - 4} more" if len(odd) > 4 else "")
        note(f"{listed}: linearly dependent on earlier terms, so the weight is 0")
    return found


def signs_of(monotone: Mapping[str, str] | None, design: Design) -> Floats:
    """Return the required signs of weights: 0 if free."""
    signs = np.zeros(len(design.terms))
    for column, way in (monotone or {}).items():
        if column not in design.schema.names() or design.schema[column].kind == "nominal":
            raise InputError(
                f"monotone contains {column!r}, which is not a numeric column; give numeric columns"
            )
        if way not in ("increasing", "decreasing"):
            raise InputError(
                f"monotone gives {column!r} the direction {way!r}; give 'increasing' or 'decreasing'"
            )
        for place, term in enumerate(design.terms):
            if len(term.factors) == 1 and term.factors[0].column == column and term.factors[0].kind in RISING:
                signs[place] = 1.0 if way == "increasing" else -1.0
    return signs


class LinearLearner:
    """Base of linear learners, with their common parameters."""

    parameters: ClassVar[Declared] = DECLARED
    terms: str
    penalty: str | None
    strength: float | None
    l1_share: float
    standardise: bool
    monotone: Mapping[str, str] | None
    fit_intercept: bool
    bootstrap: int
    cv: Any
    random_state: Any

    def _check_parameters(self) -> None:
        super()._check_parameters()  # type: ignore[misc]
        if self.penalty is None and self.strength is not None:
            note(
                f"strength is {self.strength!r}, but penalty is None, so it has no effect; give a penalty too"
            )

    def _share(self, penalty: str) -> float:
        return SHARES.get(penalty, self.l1_share)

    def _kinds(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return the kinds of penalty to compare."""
        assert self.penalty is not None
        return kinds if self.penalty == "auto" else (self.penalty,)


def knowledge(terms: Terms, method: str, **known: Any) -> Knowledge:
    """Return the statistics of the weights."""
    means, deviations = terms.moments()
    return Knowledge(method, float(terms.weights.sum()), means, deviations, **known)
