"""Description length of formulas: bits for the formula and for its residuals."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.ties import is_less
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.constants import refined
from induce.evolution.programs.evaluation import Fit
from induce.evolution.programs.final_formula import Settled, settled, spread_of
from induce.evolution.programs.flat import subtree_ends
from induce.evolution.programs.functions import arity_of

ROUNDS = 12
"""Maximum number of parts removed from a formula."""


def description_length(form: Settled, fit: Fit, n_symbols: int) -> float:
    """Return the description length in bits of a formula and its residuals.

    A node of a term takes log2(symbols) bits; the sum and its coefficients are implied. A constant takes half of
    log2(rows), and more if it is large compared with the target: terms that cancel each other need more digits.
    Errors below 1e-10 of the standard deviation count as rounding.
    """
    n = max(fit.total, 2.0)
    floor = 1e-20 * max(fit.variance, 1e-280)
    n_terms = len(form.fitted.ends)
    n_constants = int(np.count_nonzero(form.codes == loops.CONSTANT))
    parts = fit.design(form.inner, form.fitted, [])
    with np.errstate(all="ignore"):
        centred = parts - (parts @ fit.weights)[:, None]
        moves = np.abs(form.fitted.coefficients) * np.sqrt(centred**2 @ fit.weights) / spread_of(fit)
    digits = float(np.log2(np.maximum(moves, 1.0)).sum())
    left = 0.5 * n * float(np.log2(max(form.fitted.error, floor) / max(fit.variance, floor)))
    nodes = (len(form.inner) - n_terms + 1) * float(np.log2(n_symbols))
    return left + nodes + 0.5 * n_constants * float(np.log2(n)) + digits


def trimmed(form: Settled, fit: Fit, n_symbols: int) -> Settled:
    """Remove parts of a formula as long as its description length decreases.

    A sum, product or quotient becomes one of its arguments; the constants are refitted.
    """
    best, bits = form, description_length(form, fit, n_symbols)
    for _ in range(ROUNDS):
        found = None
        for codes, constants in _without_a_part(best):
            fitted = fit.coefficients(codes, constants, len(best.fitted.ends))
            if not np.isfinite(fitted.error):
                continue
            rough = Settled(codes, constants, codes, fitted)
            its = description_length(rough, fit, n_symbols)
            if found is None or is_less(its, found[0], abs(its)):
                found = its, rough
        if found is None:
            break
        rough = found[1]
        fitted = refined(rough.inner, rough.constants, fit, len(rough.fitted.ends), 3)
        shorter = settled(rough.inner, fitted, fit)
        its = description_length(shorter, fit, n_symbols)
        if not (np.isfinite(shorter.fitted.error) and is_less(its, bits, abs(bits))):
            break
        best, bits = shorter, its
    return best


def _without_a_part(form: Settled) -> list[tuple[Any, Any]]:
    """Return the variants of a formula with one binary function replaced by one of its arguments."""
    codes, constants = form.inner, form.fitted.constants
    ends = subtree_ends(codes.tolist(), arity_of)
    found = []
    for i in np.flatnonzero(codes < loops.UNARY).tolist():
        second = ends[i + 1]
        for start, end in ((i + 1, second), (second, ends[i])):
            kept = np.r_[0:i, start:end, ends[i] : len(codes)]
            found.append((codes[kept], constants[kept]))
    return found
