"""Hot loops of linear leaves: selecting the terms of a least-squares fit from sums of products."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import inner, loop

COLLINEAR, EXACT, TIE = 1e-8, 1e-14, 1e-6


@inner
def sweep(products: Any, j: int, sign: float) -> None:
    """Add a term to a fit (`sign` 1) or remove it again (-1)."""
    # The sweep operator (Beaton 1964): with the terms of the fit swept in, the last column holds their
    # coefficients and the corner the squared error.
    size = len(products)
    pivot = products[j, j]
    for i in range(size):
        if i != j:
            factor = products[i, j] / pivot
            for k in range(size):
                if k != j:
                    products[i, k] -= factor * products[j, k]
    for i in range(size):
        if i != j:
            products[i, j] *= sign / pivot
            products[j, i] *= sign / pivot
    products[j, j] = -1.0 / pivot


@inner
def estimate(sse: float, weight: float, n_terms: int) -> float:
    """Return M5's estimate of the error on new examples: the training error times (n + 2 v) / (n - v)."""
    v = n_terms + 1.0
    return np.sqrt(sse / weight) * (weight + 2.0 * v) / (weight - v) if weight > v else np.inf


@loop
def select_terms(products: Any, weight: float, most: int) -> Any:
    """Fit the last of some centred variables by the others; return the coefficients, zero for excluded ones.

    Terms are added while there are at most `most`, always the one that lowers the squared error most. Then
    they are dropped as long as M5's estimate of the error does not rise (Quinlan 1992). A term that depends
    linearly on those in the fit is never added.
    """
    y = len(products) - 1
    inside = np.zeros(y, np.bool_)
    alone = np.empty(y)
    for j in range(y):
        alone[j] = products[j, j]
    n_terms = 0
    least = EXACT * products[y, y]
    while n_terms < most and products[y, y] > least:
        best = 0.0
        chosen = -1
        for j in range(y):
            # For a term outside the fit, the diagonal is the part of it that the terms in the fit do not
            # explain.
            if not inside[j] and products[j, j] > COLLINEAR * alone[j]:
                off = products[j, y] * products[j, y] / products[j, j]
                if off > best * (1.0 + TIE):
                    best = off
                    chosen = j
        if chosen < 0:
            break
        sweep(products, chosen, 1.0)
        inside[chosen] = True
        n_terms += 1
    while n_terms > 0:
        best = np.inf
        chosen = -1
        for j in range(y):
            if inside[j]:
                # For a term in the fit, the diagonal is negative: this is the increase of the squared error
                # without it.
                rise = -products[j, y] * products[j, y] / products[j, j]
                if rise < best * (1.0 - TIE):
                    best = rise
                    chosen = j
        sse = max(products[y, y], least)
        if estimate(max(products[y, y] + best, least), weight, n_terms - 1) > estimate(sse, weight, n_terms):
            break
        sweep(products, chosen, -1.0)
        inside[chosen] = False
        n_terms -= 1
    coefficients = np.zeros(y)
    for j in range(y):
        if inside[j]:
            coefficients[j] = products[j, y]
    return coefficients
