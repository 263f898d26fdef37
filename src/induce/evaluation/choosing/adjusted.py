"""Classifiers with calibrated probabilities or cost-sensitive decisions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.forms import Form, Parts
from induce.core.hypothesis import Hypothesis
from induce.core.ties import first_largest_of_each
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.exporting import PythonForm, SqlForm
from induce.hypotheses.expressions.nodes import (
    Case,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    Part,
    Variable,
    Vector,
    WeightedSum,
)
from induce.hypotheses.kinds.classifier import Classifier, ProbabilisticClassifier
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]

LEAST = 0.01
"""Minimum distance of probabilities from 0 and 1; the extreme odds of pure leaves would flatten the sigmoid."""


@dataclass(frozen=True, eq=False)
class SigmoidMap:
    """Platt scaling: an affine map of the log odds of a class."""

    slope: float
    shift: float

    def __call__(self, shares: Floats) -> Floats:
        clipped = np.clip(shares, LEAST, 1 - LEAST)
        odds = np.log(clipped / (1 - clipped))
        return sigmoid(self.shift + self.slope * odds)

    def expression(self, share: Expression) -> Expression:
        """Return the calibrated probability as an expression."""
        within = Function("smaller", (Function("larger", (share, Constant(LEAST))), Constant(1 - LEAST)))
        odds = Function(
            "log", (Function("quotient", (within, Function("difference", (Constant(1.0), within)))),)
        )
        return Function("sigmoid", (WeightedSum(self.shift, (self.slope,), (odds,)),))


@dataclass(frozen=True, eq=False)
class IsotonicMap:
    """Isotonic step function; probabilities up to `ends[k]` map to the k-th value, and larger ones to the
    last value.
    """

    ends: tuple[float, ...]
    values: tuple[float, ...]

    def __call__(self, shares: Floats) -> Floats:
        return np.asarray(
            np.asarray(self.values)[np.searchsorted(np.asarray(self.ends), shares, side="left")]
        )

    def check(self) -> None:
        """Raise an error if the fields are inconsistent."""
        if len(self.values) != len(self.ends) + 1:
            raise ValueError("the steps and their values have different lengths")

    def expression(self, share: Expression) -> Expression:
        """Return the calibrated probability as an expression."""
        steps = [
            (Comparison(share, "<=", Constant(end)), Constant(value))
            for end, value in zip(self.ends, self.values, strict=False)
        ]
        last = Constant(self.values[-1])
        return Case(tuple(steps), last) if steps else last


@dataclass(frozen=True, eq=False)
class AdjustedClassifier(Classifier, SqlForm, PythonForm):
    """A classifier with calibrated probabilities, or one that minimises the expected loss.

    Parameters
    ----------
    inner : Hypothesis
        Original classifier, used for printing, drawing and explanations.
    maps : tuple of SigmoidMap or IsotonicMap
        Calibration map of each class; empty for no calibration.
    losses : tuple of tuple of float
        Loss of each pair of true class (rows) and predicted class (columns); empty if every mistake costs the same.
    """

    inner: Hypothesis
    maps: tuple[SigmoidMap | IsotonicMap, ...] = ()
    losses: tuple[tuple[float, ...], ...] = ()

    ties_by_rounding: ClassVar[bool] = True

    def check(self) -> None:
        """Raise an error if the fields are inconsistent."""
        k = len(self.classes)
        if self.inner.answer != "class" or len(self.maps) not in (0, k) or len(self.losses) not in (0, k):
            raise ValueError("the adjustment does not fit the classifier")

    @cached_property
    def schema(self) -> Schema:
        """Schema of the input columns."""
        found: Schema = self._inner.schema
        return found

    @cached_property
    def target(self) -> str:
        """Name of the target."""
        return str(self._inner.target)

    @cached_property
    def classes(self) -> tuple[Value, ...]:
        """Classes, in declared order."""
        return tuple(self._inner.classes)

    @property
    def takes_tables(self) -> bool:  # type: ignore[override]
        """Whether the classifier accepts encoded rows."""
        return self.inner.takes_tables

    @property
    def _inner(self) -> Any:
        return self.inner

    def encoded(self, X: Any) -> Any:
        """Return the rows in the encoding of the inner hypothesis."""
        return self._inner.encoded(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the calibrated probability of each class for each row."""
        return self.calibrated(self._inner.predict_proba(X))

    def calibrated(self, shares: Floats) -> Floats:
        """Calibrate the probabilities of the inner hypothesis."""
        if not self.maps:
            return shares
        found = np.column_stack([each(shares[:, k]) for k, each in enumerate(self.maps)])
        total = found.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, found / np.where(total > 0, total, 1.0), 1 / found.shape[1]))

    def places(self, X: Any) -> NDArray[np.intp]:
        """Return the index in `classes` of the decision for each row."""
        shares = self._inner.predict_proba(X)
        return first_largest_of_each(self._gains(self.calibrated(shares)))

    def _scores(self, table: Any) -> Floats:
        return self._gains(self.predict_proba(table))

    def _gains(self, shares: Floats) -> Floats:
        return shares if not self.losses else np.asarray(-(shares @ np.asarray(self.losses)))

    def explain(self, X: Any) -> Any:
        """Return the explanation of each row by the inner hypothesis."""
        return self.inner.explain(X)

    def draw(self) -> Any:
        """Return the drawing of the inner hypothesis."""
        return self.inner.draw()

    def size(self) -> str:
        """Return the size of the inner hypothesis and the kind of adjustment."""
        return f"{self.inner.size()}, {self._adjusted()}"

    def parts(self) -> Parts:
        """Return the number of readable parts of the inner hypothesis."""
        return self.inner.parts()

    def __str__(self) -> str:
        return f"{self.inner}\n\n{self._adjusted()}"

    def _adjusted(self) -> str:
        said = []
        if self.maps:
            said.append(
                "probabilities calibrated " + ("by isotonic steps" if self._isotonic else "by a sigmoid")
            )
        if self.losses:
            costs = [
                f"{true}>{other} {self.losses[i][j]:.4g}"
                for i, true in enumerate(self.classes)
                for j, other in enumerate(self.classes)
                if i != j
            ]
            said.append(f"decisions by cost ({', '.join(costs[:6])}{', …' if len(costs) > 6 else ''})")
        return "; ".join(said) or "not adjusted"

    @property
    def _isotonic(self) -> bool:
        return bool(self.maps) and isinstance(self.maps[0], IsotonicMap)

    def expression(self) -> Expression:
        """Return `predict` as an expression: the class of maximum expected gain under the calibrated
        probabilities.
        """
        lets, chosen = opened_lets(self._inner.expression())
        assert isinstance(chosen, Largest)
        k = len(self.classes)
        shares: list[Expression] = [Part(Variable("shares", k), place) for place in range(k)]
        if self.maps:
            shares = [each.expression(share) for each, share in zip(self.maps, shares, strict=True)]
        gains = shares
        if self.losses:
            held = [Part(Variable("calibrated", k), place) for place in range(k)]
            gains = [
                WeightedSum(0.0, tuple(-self.losses[i][j] for i in range(k)), tuple(held)) for j in range(k)
            ]
        says = tuple(map(Constant, self.classes))
        made: Expression = Largest(Vector(tuple(gains)), says, True)
        if self.losses:
            made = Let("calibrated", Vector(tuple(shares)), made)
        made = Let("shares", chosen.scores, made)
        for name, value in reversed(lets):
            made = Let(name, value, made)
        return made

    @classmethod
    def _implements(cls, form: Form) -> bool:
        return form.name not in ("rules", "tree", "statistics") and super()._implements(form)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if not gives_shares(self._inner):
            reason = f"cannot export the probabilities of a {type(self.inner).__name__} to this form"
            lacking |= {"sql": reason, "python": reason}
        if not self.inner.can("svg"):
            lacking |= dict.fromkeys(("svg", "png", "pdf"), "the learned hypothesis has no drawing")
        return lacking


def opened_lets(expression: Expression) -> tuple[list[tuple[str, Expression]], Expression]:
    """Return the enclosing let-bindings of an expression, and the inner expression."""
    lets = []
    while isinstance(expression, Let):
        lets.append((expression.name, expression.value))
        expression = expression.within
    return lets, expression


def gives_shares(hypothesis: Any) -> bool:
    """Return whether the exported scores of a hypothesis are probabilities."""
    expression = getattr(hypothesis, "expression", None)
    by_scores = getattr(type(hypothesis), "_shares", None) is ProbabilisticClassifier._shares
    if expression is None or not by_scores:
        return False
    chosen = opened_lets(expression())[1]
    says = tuple(map(Constant, hypothesis.classes))
    return isinstance(chosen, Largest) and chosen.says == says
