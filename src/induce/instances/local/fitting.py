"""Weighted least squares around many queries at once (Mitchell §8.3.1).

`induce.linear` solves one problem at a time by a matrix decomposition; here thousands of tiny problems, one
per query, are solved in one batch of matrix products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MODELS = ("constant", "linear", "quadratic")
SINGULAR = 1e-10
"""Relative variance below which directions are indistinguishable from rounding errors."""


def n_terms(model: str, n_columns: int) -> int:
    """Return the number of terms of a model, excluding the constant.

    Examples
    --------
    >>> n_terms("quadratic", 3)
    9
    """
    linear = 0 if model == "constant" else n_columns
    return linear + (n_columns * (n_columns + 1) // 2 if model == "quadratic" else 0)


def terms(offsets: Floats, model: str, axis: int = -1) -> Floats:
    """Return the terms of a model for points given by their offsets from the query: a_j, then a_i a_j (i <= j).

    Parameters
    ----------
    offsets : array of float64
    model : {"constant", "linear", "quadratic"}
    axis : int
        Axis of the columns.

    Examples
    --------
    >>> terms(np.array([2.0, 3.0]), "quadratic").tolist()
    [2.0, 3.0, 4.0, 6.0, 9.0]
    """
    if model == "constant":
        return np.take(offsets, range(0), axis=axis)
    if model == "linear":
        return offsets
    i, j = np.triu_indices(offsets.shape[axis])
    products = np.take(offsets, i, axis=axis) * np.take(offsets, j, axis=axis)
    return np.concatenate([offsets, products], axis=axis)


class LocalFunctions(NamedTuple):
    """The function of each query: ``constant + coefficients · terms(x - centre)``.

    Parameters
    ----------
    value : array of float64
        Value of each function at its query.
    constant : array of float64
    coefficients : array of float64, shape (queries, terms)
    centre : array of float64, shape (queries, columns)
        The weighted mean of the examples.
    """

    value: Floats
    constant: Floats
    coefficients: Floats
    centre: Floats


class Surroundings(NamedTuple):
    """The unweighted examples used by each query.

    Parameters
    ----------
    axes : array of float64, shape (queries, columns, examples)
        Coordinates, with the example axis last, which is faster in numpy.
    numbers : array of float64, shape (queries, examples)
        Target of each example.
    low, high : array of float64, shape (queries, columns)
        Range of the examples.
    """

    axes: Floats
    numbers: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, axes: Floats, numbers: Floats) -> Surroundings:
        """Return the neighbourhoods of queries, with their ranges."""
        return cls(axes, numbers, axes.min(axis=-1), axes.max(axis=-1))


def fit_around(
    queries: Floats, points: Floats, numbers: Floats, weights: Floats, model: str, ridge: float = 0.0
) -> LocalFunctions:
    """Fit a model around each query by weighted least squares.

    If the examples do not determine all coefficients, the solution with the smallest sum of squares is used
    (the pseudo-inverse): undetermined ones stay 0.

    Parameters
    ----------
    queries : array of float64, shape (queries, columns)
    points : array of float64, shape (queries, examples, columns)
        Examples used for each query.
    numbers, weights : array of float64, shape (queries, examples)
        Target and weight K(d) of each example.
    model : {"constant", "linear", "quadratic"}
    ridge : float
        Ridge penalty: added to the diagonal of the correlations between the terms; it shrinks the coefficients
        towards 0.

    Examples
    --------
    >>> x, y = np.array([[[-1.0], [0.0], [1.0]]]), np.array([[1.0, 3.0, 5.0]])
    >>> found = fit_around(np.array([[2.0]]), x, y, np.ones((1, 3)), "linear")
    >>> found.value.round(9).tolist(), found.coefficients.round(9).tolist()
    ([7.0], [[2.0]])
    """
    axes = np.moveaxis(points, -1, 1)
    return fit_in(Surroundings.of(axes, numbers), queries, weights, model, ridge)


def fit_in(
    around: Surroundings, queries: Floats, weights: Floats, model: str, ridge: float = 0.0
) -> LocalFunctions:
    """Fit a model around each query, like `fit_around`, to previously gathered examples."""
    axes, numbers = around.axes, around.numbers
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total > 0, total, 1.0)
    mean = np.einsum("qk,qk->q", shares, numbers)
    centre = (axes @ shares[..., np.newaxis])[..., 0]
    if model == "constant":
        return LocalFunctions(mean, mean, np.empty((len(mean), 0)), centre)
    offsets = axes - centre[..., np.newaxis]
    reach = np.maximum(around.high - centre, centre - around.low)
    rounding = reach <= SINGULAR * np.abs(centre)
    if rounding.any():
        offsets *= ~rounding[..., np.newaxis]
        reach = np.where(rounding, 0.0, reach)
    root = np.sqrt(shares)
    aims = (numbers - mean[:, np.newaxis]) * root
    if model == "linear":  # the offsets from a weighted mean have mean 0
        columns, means = offsets, np.zeros_like(centre)
    else:
        columns = terms(offsets, model, axis=1)
        means = (columns @ shares[..., np.newaxis])[..., 0]
        reach = terms(reach, model)  # upper bound of the products
        columns -= means[..., np.newaxis]
    columns *= root[:, np.newaxis]
    coefficients = _least_squares(columns, aims, reach, ridge)
    constant = mean - (means * coefficients).sum(axis=1)
    value = constant + (terms(queries - centre, model) * coefficients).sum(axis=1)
    return LocalFunctions(value, constant, coefficients, centre)


def _least_squares(columns: Floats, numbers: Floats, size: Floats, ridge: float) -> Floats:
    """Return the least-squares coefficients for each query, from the correlations of the columns."""
    products = columns @ columns.mT
    scale = np.sqrt(np.diagonal(products, axis1=1, axis2=2))
    scale = np.where(scale > SINGULAR * size, scale, np.inf)  # the other columns are constant up to rounding
    products /= scale[:, np.newaxis] * scale[..., np.newaxis]
    values, vectors = np.linalg.eigh(products)
    settled = values > SINGULAR * values.max(axis=1, keepdims=True, initial=1.0)
    inverse = np.where(settled, 1.0 / np.where(settled, values + ridge, 1.0), 0.0)
    moments = (columns @ numbers[..., np.newaxis]) / scale[..., np.newaxis]
    found = vectors @ (inverse[..., np.newaxis] * (vectors.mT @ moments))
    return np.asarray(found[..., 0] / scale)
