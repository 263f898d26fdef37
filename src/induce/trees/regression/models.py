"""Models of the nodes of a regression tree: linear functions, and smoothing along paths."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.data.table import Table
from induce.trees.regression import _linear_loops
from induce.trees.regression.hypothesis import RegressionTree

Floats = NDArray[np.float64]
EXACT = 1e-12
"""Errors below this fraction of the target are rounding errors."""


@dataclass(frozen=True, eq=False)
class Standardised:
    """The numeric columns of linear functions: imputed, centred, and scaled to about the same size.

    Missing values are replaced by the mean of the column, `fill`.
    """

    z: Floats
    fill: Floats
    scale: Floats

    @staticmethod
    def of(table: Table, weights: Floats) -> Standardised:
        """Return the columns of the training table."""
        numeric = table.numeric
        known = ~np.isnan(numeric)
        largest = np.abs(np.where(known, numeric, 0.0)).max(axis=0, initial=0.0)
        safe = np.where(largest > 0, largest, 1.0)
        shares = weights[:, None] * known
        shares /= np.maximum(shares.sum(axis=0), np.finfo(float).tiny)
        part = np.where(known, numeric / safe, 0.0)
        fill = (shares * part).sum(axis=0)
        away = np.where(known, part - fill, 0.0)
        spread = np.sqrt((shares * away**2).sum(axis=0))
        spread[spread == 0] = 1.0
        return Standardised(np.ascontiguousarray(away / spread), fill * safe, spread * safe)


def with_linear_models(
    tree: RegressionTree,
    columns: Standardised,
    y: Floats,
    weights: Floats,
    order: NDArray[np.int32],
    begin: NDArray[np.int64],
    end: NDArray[np.int64],
) -> RegressionTree:
    """Fit a linear function at each node to its examples, those from `begin` to `end` in `order`.

    A fit starts with at most one term for every two examples, and then loses terms that do not pay (M5's
    elimination). A node with more attributes than examples thus gets a function of few of them, or its mean.
    """
    n_terms = columns.z.shape[1]
    intercept, sse = tree.mean.copy(), tree.sse.copy()
    coefficients = np.zeros((tree.n_nodes, n_terms))
    for node in range(tree.n_nodes):
        rows = order[begin[node] : end[node]]
        if not len(rows) and node:
            above = tree.parent[node]
            intercept[node], coefficients[node] = intercept[above], coefficients[above]
        most = min(n_terms, int(tree.n[node] * (0.5 + 1e-9)) - 1)
        if most < 1 or tree.sse[node] == 0:
            continue
        z, off, w = columns.z[rows], y[rows] - tree.mean[node], weights[rows]
        centre = w @ z / tree.n[node]
        block = np.column_stack([z - centre, off - w @ off / tree.n[node]])
        products = (block * w[:, None]).T @ block
        select_terms = repeated(_linear_loops.select_terms, tree.n_nodes * most * len(products) ** 3)
        chosen = select_terms(products, float(tree.n[node]), most)
        errors = block[:, -1] - block[:, :-1] @ chosen
        with np.errstate(over="ignore", invalid="ignore"):
            factors = chosen / columns.scale
            constant = tree.mean[node] - chosen @ centre - factors @ columns.fill
        if chosen.any() and np.isfinite(constant) and np.isfinite(factors).all():
            intercept[node], coefficients[node], sse[node] = constant, factors, w @ errors**2
            if sse[node] <= tree.n[node] * (EXACT * max(abs(constant), abs(tree.mean[node]))) ** 2:
                sse[node] = 0.0
    return replace(tree, intercept=intercept, coefficients=coefficients, sse=sse, fill=columns.fill)


def smoothed(tree: RegressionTree, k: float) -> RegressionTree:
    """Smooth the prediction of each node with those of its ancestors (Quinlan 1992).

    On the way up, a prediction p becomes (n p + k q) / (n + k) at each step, where n is the weight of the
    training examples at the lower node and q the prediction of the upper node. The mixtures are linear again,
    so each node of the new tree has a single function.

    Examples
    --------
    >>> from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[0], [0], [1], [1]], [0, 0, 8, 8]).hypothesis_
    >>> smoothed(tree, 2).predict([[0], [1]]).tolist()
    [2.0, 6.0]
    """
    said = np.column_stack([tree.intercept, tree.coefficients])
    mixed, above = said.copy(), np.arange(tree.n_nodes)
    for _ in range(tree.depth):
        moving = np.flatnonzero(above > 0)
        n, up = tree.n[above[moving], None], tree.parent[above[moving]]
        whole = np.where(n + k > 0, n + k, 1.0)
        mixed[moving] = (n * mixed[moving] + k * said[up]) / whole
        above[moving] = up
    return replace(tree, intercept=mixed[:, 0].copy(), coefficients=mixed[:, 1:].copy())
