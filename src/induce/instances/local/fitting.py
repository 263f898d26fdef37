"""Weighted least squares around many queries at once (Mitchell §8.3.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MODELS = ("constant", "linear", "quadratic")
SINGULAR = 1e-10
"""Directions with less than this share of the largest variance cannot be told from rounding."""


def n_terms(model: str, n_columns: int) -> int:
    """Return how many terms a model has besides its constant.

    Examples
    --------
    >>> n_terms("quadratic", 3)
    9
    """
    linear = 0 if model == "constant" else n_columns
    return linear + (n_columns * (n_columns + 1) // 2 if model == "quadratic" else 0)


def terms(offsets: Floats, model: str) -> Floats:
    """Return the terms of a model for points given by their offsets from the query: a_j, then a_i a_j (i <= j).

    Examples
    --------
    >>> terms(np.array([2.0, 3.0]), "quadratic").tolist()
    [2.0, 3.0, 4.0, 6.0, 9.0]
    """
    if model == "constant":
        return offsets[..., :0]
    if model == "linear":
        return offsets
    i, j = np.triu_indices(offsets.shape[-1])
    return np.concatenate([offsets, offsets[..., i] * offsets[..., j]], axis=-1)


class LocalFunctions(NamedTuple):
    """The function of each query: ``constant + coefficients · terms(x - centre)``.

    Parameters
    ----------
    value : array of float64
        What each says at its query.
    constant : array of float64
    coefficients : array of float64, shape (queries, terms)
    centre : array of float64, shape (queries, columns)
        The weighted mean of the examples.
    """

    value: Floats
    constant: Floats
    coefficients: Floats
    centre: Floats


def fit_around(
    queries: Floats, points: Floats, numbers: Floats, weights: Floats, model: str, ridge: float = 0.0
) -> LocalFunctions:
    """Fit a model around each query by weighted least squares.

    Where the examples do not settle all coefficients, those are taken whose squares have the least sum (the
    pseudo-inverse): what the examples say nothing about stays 0.

    Parameters
    ----------
    queries : array of float64, shape (queries, columns)
    points : array of float64, shape (queries, examples, columns)
        The examples that count for each query.
    numbers, weights : array of float64, shape (queries, examples)
        The target and the weight K(d) of each example.
    model : {"constant", "linear", "quadratic"}
    ridge : float
        Added to the diagonal of the correlations between the terms; it draws the coefficients towards 0.

    Examples
    --------
    >>> x, y = np.array([[[-1.0], [0.0], [1.0]]]), np.array([[1.0, 3.0, 5.0]])
    >>> found = fit_around(np.array([[2.0]]), x, y, np.ones((1, 3)), "linear")
    >>> found.value.round(9).tolist(), found.coefficients.round(9).tolist()
    ([7.0], [[2.0]])
    """
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total > 0, total, 1.0)
    mean = (shares * numbers).sum(axis=1)
    centre = (shares[:, np.newaxis] @ points)[:, 0]
    offsets = points - centre[:, np.newaxis]
    rounding = np.abs(offsets).max(axis=1) <= SINGULAR * np.abs(centre)
    offsets *= ~rounding[:, np.newaxis]
    columns = terms(offsets, model)
    means = (shares[:, np.newaxis] @ columns)[:, 0]
    root = np.sqrt(shares)
    coefficients = _least_squares(
        (columns - means[:, np.newaxis]) * root[..., np.newaxis],
        (numbers - mean[:, np.newaxis]) * root,
        np.abs(columns).max(axis=1, initial=0.0),
        ridge,
    )
    constant = mean - (means * coefficients).sum(axis=1)
    value = constant + (terms(queries - centre, model) * coefficients).sum(axis=1)
    return LocalFunctions(value, constant, coefficients, centre)


def _least_squares(columns: Floats, numbers: Floats, size: Floats, ridge: float) -> Floats:
    """Return for each query the coefficients of the least squares, by the correlations of the columns."""
    scale = np.sqrt(np.square(columns).sum(axis=1))
    scale = np.where(scale > SINGULAR * size, scale, np.inf)  # the others are constant but for rounding
    columns = columns / scale[:, np.newaxis]
    values, vectors = np.linalg.eigh(columns.mT @ columns)
    settled = values > SINGULAR * values.max(axis=1, keepdims=True, initial=1.0)
    inverse = np.where(settled, 1.0 / np.where(settled, values + ridge, 1.0), 0.0)
    moments = columns.mT @ numbers[..., np.newaxis]
    found = vectors @ (inverse[..., np.newaxis] * (vectors.mT @ moments))
    return np.asarray(found[..., 0] / scale)
