"""Empty column models from the parameters of the learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.column import ColumnModel
from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import KernelColumn, NormalColumn
from induce.bayes.naive_bayes.smoothing import Smoothing
from induce.bayes.naive_bayes.words import WordsColumn
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.values import Value, by_class
from induce.counts.additive import Floats
from induce.counts.joint import JointCounts
from induce.counts.moments import Moments
from induce.counts.numbers import NumberCounts
from induce.counts.steps import Steps
from induce.counts.tokens import TokenCounts
from induce.data.names import listed
from induce.data.schema import Column
from induce.data.text import Tokeniser
from induce.discretise.mdlp import mdlp_cuts

DENSITIES = ("auto", "normal", "kernel", "intervals")
UNKNOWN = ("ignore", "value")
ROUNDING = 1e-9

Alpha = float | Mapping[str, float | Sequence[float]]


@dataclass(frozen=True)
class ColumnSettings:
    """Settings for counting and smoothing columns; see `NaiveBayes` and `TextNaiveBayes` for the fields."""

    alpha: Alpha = 1.0
    m: float | None = None
    numeric: str = "normal"
    bandwidth: str | float = "silverman"
    min_variance: float = 1e-9
    unknown: str = "ignore"
    tokeniser: Tokeniser | None = None
    variant: str = "multinomial"
    drop_top: int = 0
    min_count: float = 0.0

    def check(self, columns: Sequence[str]) -> None:
        """Raise an `InputError` that names the parameter unless all are valid for these columns and together."""
        unknown = (
            [name for name in self.alpha if name not in columns] if isinstance(self.alpha, Mapping) else []
        )
        if unknown:
            raise InputError(
                f"alpha gives {unknown[0]!r} pseudo-counts, which is not a column; give pseudo-counts "
                f"for {listed(columns)}"
            )
        for alpha in self.alpha.values() if isinstance(self.alpha, Mapping) else [self.alpha]:
            for each in alpha if isinstance(alpha, Sequence) and not isinstance(alpha, str) else [alpha]:
                at_least("alpha", each, 0)
        if self.variant != "multinomial" and self.alpha == 0:
            raise InputError(f"alpha is 0; give a number above 0 for the {self.variant} variant")
        if self.tokeniser is not None:
            self.tokeniser.check()

    def blank(
        self, column: Column, values: Any, labels: NDArray[np.int64], n_classes: int, weights: Any
    ) -> ColumnModel:
        """Return the empty model of a column; its first values determine the outer limits of intervals."""
        nothing, as_values = np.zeros(n_classes), self.unknown == "value"
        if column.kind == "text":
            return WordsColumn(
                column=column,
                holes=nothing,
                counts=TokenCounts.none(n_classes),
                texts=nothing,
                tokeniser=self.tokeniser,
                alpha=self._pseudo(column.name)[0],
                variant=self.variant,
                drop_top=self.drop_top,
                min_count=self.min_count,
            )
        smoothing = Smoothing(self._pseudo(column.name), self.m)
        if column.kind == "nominal":
            smoothing.pseudo(len(column.domain), column.name)  # raises the error now rather than on first use
            counts = JointCounts.none(len(column.domain), n_classes)
            return NominalColumn(
                column=column, holes=nothing, counts=counts, smoothing=smoothing, as_values=as_values
            )
        if self.numeric == "intervals":
            cuts = mdlp_cuts(values, labels, n_classes, weights)
            return IntervalColumn(
                column=column,
                holes=nothing,
                counts=JointCounts.none(len(cuts) + 1, n_classes),
                smoothing=smoothing,
                as_values=as_values,
                cuts=cuts,
            )
        if self.numeric == "kernel":
            numbers = NumberCounts(np.empty(0), np.empty(0, np.int32), np.empty(0))
            return KernelColumn(
                column=column,
                holes=nothing,
                counts=numbers,
                smoothing=smoothing,
                as_values=as_values,
                steps=Steps(np.empty(0)),
                min_variance=self.min_variance,
                bandwidth=self.bandwidth,
            )
        return NormalColumn(
            column=column,
            holes=nothing,
            counts=Moments.none(n_classes),
            smoothing=smoothing,
            as_values=as_values,
            steps=Steps(np.empty(0)),
            min_variance=self.min_variance,
        )

    def _pseudo(self, name: str) -> tuple[float, ...]:
        alpha = self.alpha.get(name, 1.0) if isinstance(self.alpha, Mapping) else self.alpha
        return tuple(map(float, alpha)) if isinstance(alpha, Sequence) else (float(alpha),)


def given_priors(priors: Any, classes: tuple[Value, ...]) -> Floats:
    """Return the validated prior probabilities; empty if none are given.

    A list is in the sorted order of the classes, as scikit-learn has them in ``classes_``.

    Examples
    --------
    >>> given_priors({"yes": 0.25, "no": 0.75}, ("yes", "no")).tolist()
    [0.25, 0.75]
    """
    if priors is None:
        return np.empty(0)
    given = by_class(priors, classes) if isinstance(priors, Mapping) else None
    if given is None:
        try:
            numbers = np.asarray(priors, np.float64).tolist()
            given = dict(zip(np.unique(np.asarray(classes)).tolist(), numbers, strict=True))
        except (TypeError, ValueError):
            raise InputError(
                f"priors do not match the {len(classes)} classes; give one probability per class, in a "
                "list or a dict"
            ) from None
    if {*given} != {*classes}:
        wrong = sorted(map(str, {*given} ^ {*classes}))[0]
        raise InputError(f"priors and the classes of y differ in {wrong!r}; give each class its probability")
    found = np.array([given[value] for value in classes], np.float64)
    if not (found >= 0).all():
        wrong = found[~(found >= 0)][0]
        raise InputError(f"priors contain {wrong:g}; give probabilities that sum to 1")
    if abs(found.sum() - 1) > ROUNDING:
        raise InputError(f"priors sum to {found.sum():.6g}; give probabilities that sum to 1")
    return found
