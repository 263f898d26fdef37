"""Locally weighted regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameter_kinds import Number, OneOf, OneOrSeveral, Whole
from induce.core.parameters import Declared, Parameter, choice, either, number
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import SCALES, NumericView
from induce.data.schema import Schema
from induce.estimators import NumberReading, TableRegressor
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.kernels import KERNELS, WITHOUT_WIDTH, DistanceKernel
from induce.instances.local.fitting import MODELS, n_terms
from induce.instances.local.hypothesis import LocalRegression
from induce.instances.targets import LARGEST, refuse_too_large

SMALL = 500
"""Maximum number of examples for which all are used for every query by default."""
NEAREST = 100
"""Default number of neighbours with more examples."""
LEFT_OUT = 500
"""Number of left-out examples for choosing the width or the number of neighbours."""
MOST_TERMS = 1000


class LocallyWeightedRegressor(TableRegressor):
    """Locally weighted regression: a function for each query, fitted to the examples near it (Mitchell §8.3).

    Training stores the examples. A query is answered by the constant, linear or quadratic function that
    minimises the squared error of the examples around it, weighted by a kernel of their distance. Mitchell's
    criteria are E1 (``kernel="uniform"``: the k nearest, equally weighted), E2 (``n_neighbors=None``: all,
    weighted by the kernel) and E3 (the k nearest, weighted by the kernel). Ties in distance go to the example
    stored first.

    A missing number is replaced by the mean of its column, a missing or unseen category by the relative
    frequencies of the categories in training. If the examples near a query do not determine a function, the
    best fit with the smallest coefficients is used. If the kernel is 0 at all examples, only the nearest are
    used; if it is infinite, only the examples equal to the query.

    Parameters
    ----------
    model : {"linear", "constant", "quadratic"}, default="linear"
        Kind of local function.
    kernel : str, default="gaussian"
        Kernel; see `induce.instances.DistanceKernel`.
    width : float or sequence of float, optional
        Width of the kernel, in the units of `scale`. The one of several, or of ten candidates if None, with
        the smallest leave-one-out squared error is chosen.
    n_neighbors : int, sequence of int, None or "auto", default="auto"
        Number of nearest examples used; None for all. The best of several is chosen, as for the width.
        ``"auto"``: all of up to 500 examples, otherwise the 100 nearest.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    ridge : float, default=0.0
        Ridge penalty on coefficients: added to the diagonal of the correlations of the terms.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the left-out examples, if there are more than 500.

    Attributes
    ----------
    hypothesis_ : LocalRegression

    See Also
    --------
    KNeighborsRegressor : The mean of the nearest examples.
    RBFNetworkRegressor : Radial units for numbers.

    References
    ----------
    C. G. Atkeson, A. W. Moore and S. Schaal (1997). Locally weighted learning. Artificial Intelligence Review 11,
    11-73.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 4.0, 9.0, 16.0]
    >>> local = LocallyWeightedRegressor(width=1.0, n_neighbors=3, scale=None).fit(X, y)
    >>> local.predict([[1.2], [2.5]]).round(6).tolist()
    [1.961243, 6.629563]
    >>> print(local.explain([[1.2]])[0])
    1.961 because
      y = -0.54695 + 2.0902 x0
      fitted to 3 examples (E3), weighted mean 1.771
       44.7%  1  row 1 at distance 0.2: x0 1
       33.1%  4  row 2 at distance 0.8: x0 2
       22.2%  0  row 0 at distance 1.2: x0 0
    """

    hypothesis_: LocalRegression

    parameters: ClassVar[Declared] = {
        "model": choice("Function fitted to the examples near a query.", *MODELS),
        "kernel": choice("Kernel that weights examples by their distance.", *KERNELS),
        "width": Parameter(
            "Width of the kernel; None and several choose by leave-one-out.",
            OneOrSeveral(Number(above=0, finite=True)),
            none=True,
            otherwise="it must be a number above 0",
        ),
        "n_neighbors": either(
            "Number of nearest examples; None uses all, 'auto' and several choose by leave-one-out.",
            OneOrSeveral(Whole(at_least=1)),
            OneOf(("auto",)),
            none=True,
        ),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
        "ridge": number("Ridge penalty; larger values shrink coefficients towards 0.", at_least=0),
    }

    def __init__(
        self,
        *,
        model: str = "linear",
        kernel: str = "gaussian",
        width: float | Sequence[float] | None = None,
        n_neighbors: int | Sequence[int] | str | None = "auto",
        scale: str | None = "standard",
        ridge: float = 0.0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.model = model
        self.kernel = kernel
        self.width = width
        self.n_neighbors = n_neighbors
        self.scale = scale
        self.ridge = ridge
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: NumberReading) -> LocalRegression:
        refuse_too_large(reading.numbers)
        counted = np.flatnonzero(reading.weight())
        weights = reading.weight()[counted]
        view = NumericView.of(reading.table, self.scale, reading.weights)
        points = view.matrix(reading.table)[counted]
        terms = n_terms(self.model, points.shape[1])
        if terms > MOST_TERMS:
            raise InputError(
                f"a {self.model} model of {points.shape[1]} columns has {terms:,} terms; use model='linear' or fewer "
                "columns"
            )
        stored = LocalRegression(
            reading.schema,
            reading.target,
            view,
            points,
            reading.numbers[counted],
            weights,
            self.model,
            DistanceKernel(self.kernel),
            max(ks := self._neighbours(float(weights.sum()))),
            float(self.ridge),
        )
        return _chosen(stored, ks, self._widths(stored), self.random_state)

    def _neighbours(self, total: float) -> list[int]:
        """Return the candidate numbers of neighbours; 0 means all examples."""
        if self.n_neighbors is None:
            return [0]
        if isinstance(self.n_neighbors, str):
            return [0 if total <= SMALL else NEAREST]
        several = several_of("n_neighbors", self.n_neighbors)
        if max(several) > total:
            note(f"n_neighbors is {max(several)}, but there are {total:g} examples; all are used")
        return [int(k) for k in several]

    def _widths(self, stored: LocalRegression) -> list[float]:
        """Return the candidate widths."""
        if self.kernel in WITHOUT_WIDTH:
            return [1.0]
        if self.width is not None:
            return [
                float(DistanceKernel(self.kernel, width).width) for width in several_of("width", self.width)
            ]
        own = _left_out(stored, LEFT_OUT // 5, self.random_state)
        return stored.near(stored.points[own], own).widths(stored.weights[own])


def _left_out(stored: LocalRegression, most: int, random_state: RandomState) -> Any:
    """Return a sample of the examples, or all if there are few."""
    n = len(stored.points)
    if n <= most:
        return np.arange(n)
    return np.sort(generator(random_state).choice(n, most, replace=False))


def _chosen(
    stored: LocalRegression, ks: list[int], widths: list[float], random_state: RandomState
) -> LocalRegression:
    """Return the stored examples with the number of neighbours and the width of the smallest leave-one-out
    error.
    """
    settings = list(product(ks, widths))
    if len(settings) == 1:
        return replace(stored, n_neighbors=ks[0], kernel=replace(stored.kernel, width=widths[0]))
    own = _left_out(stored, LEFT_OUT, random_state)
    errors = np.zeros(len(settings))
    for part in stored.blocks(len(own)):
        rows = own[part]
        queries, true, weights = stored.points[rows], stored.numbers[rows], stored.weights[rows]
        near = stored.near(queries, rows)
        around = stored.around(near)
        for trial, (k, width) in enumerate(settings):
            used = near.first(k) if k else near
            found = stored.functions(queries, used, replace(stored.kernel, width=width), around).value
            errors[trial] += float(weights @ np.square(np.clip(found, -LARGEST, LARGEST) - true))
        report(min(1.0, part.stop / len(own)))
    errors /= float(stored.weights[own].sum())
    choice = LeaveOneOutChoice.over({"n_neighbors": ks, "width": widths}, errors, "mean squared error")
    k, width = settings[choice.chosen]
    return replace(stored, n_neighbors=k, kernel=replace(stored.kernel, width=width), choice=choice)
