"""Final step of learning: constants are refitted, and the formula is brought into normal form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.constants import as_sum, refined
from induce.evolution.programs.evaluation import Blocks, Fit, Fitted, outputs
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.normal_form import (
    Flat,
    NoFormError,
    Sum,
    Term,
    joined_terms,
    normal_form,
    terms_of,
)
from induce.evolution.programs.population import Codes
from induce.evolution.programs.simplify import simplified

NEAR = 1e-9
"""Maximum change of a prediction when a formula is rewritten, as a fraction of the target's standard
deviation.
"""
NOTHING = 1e-10
"""Fraction of the standard deviation below which the effect of a term is negligible."""
STEPS = 30
"""Number of steps of the final fit; constants converge beyond the printed digits."""
UNNOTICED = 0.1
"""Mean squared difference that rounding constants may make, as a fraction of the error divided by the rows."""
EXACT = 17
"""Number of significant digits that make a constant exact."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A final formula, and its terms without coefficients, which can be refitted to other rows."""

    codes: Codes
    constants: Floats
    inner: Codes
    fitted: Fitted


@dataclass(frozen=True)
class Scale:
    """Scale on which predictions are compared: numbers, or probabilities of log odds.

    Parameters
    ----------
    noise : float
        Mean squared error of the formula, divided by the total weight of the rows.
    spread : float
        Standard deviation of the target.
    of : callable
        Conversion of the value of a formula.
    """

    noise: float
    spread: float
    of: Callable[[Floats], Floats] = np.asarray


def scale_of(fit: Fit, error: float) -> Scale:
    """Return the scale of a formula that predicts the target with this mean squared error."""
    return Scale(error / max(fit.total, 2.0), spread_of(fit))


def settled(codes: Codes, fitted: Fitted, fit: Fit) -> Settled:
    """Fit the constants of a formula in normal form, or in its original form if the predictions differ.

    Parameters
    ----------
    codes : array
        Terms without coefficients.
    fitted : Fitted
        The coefficients.
    fit : Fit
        The rows.
    """
    flat = _short(codes, fitted)
    terms = _same_terms(flat, fit)
    if terms is None:
        return Settled(*_arrays(flat), codes, fitted)
    inner, held = _arrays(joined_terms(0.0, [replace(term, coefficient=1.0) for term in terms[1]]))
    if not terms[1]:
        return Settled(*_arrays(([loops.CONSTANT], [terms[0]])), codes, fitted)
    again = refined(inner, held, fit, len(terms[1]), STEPS)
    if not again.error <= fitted.error * (1 + NEAR) + NEAR**2 * fit.variance:
        return Settled(*_arrays(joined_terms(*terms)), codes, fitted)
    return Settled(*read_as(inner, again, fit.blocks, spread_of(fit)), inner, again)


def refit(form: Settled, fit: Fit) -> Fitted:
    """Return the constants of a final formula, refitted to other rows."""
    return refined(form.inner, form.fitted.constants, fit, max(len(form.fitted.ends), 1), STEPS)


def read_as(inner: Codes, fitted: Fitted, blocks: Blocks, spread: float) -> tuple[Codes, Floats]:
    """Return a formula with its coefficients in readable form: in normal form, without negligible terms."""
    flat = _short(inner, fitted)
    wanted = outputs(*_arrays(flat), blocks)
    try:
        constant, terms = terms_of(_twice(flat))
    except NoFormError:
        return _arrays(flat)
    kept = []
    for term in terms:
        moves = term.coefficient * outputs(*_arrays((list(term.codes), list(term.constants))), blocks)
        if np.ptp(moves) <= NOTHING * spread:
            constant += float(moves.mean())
        else:
            kept.append(term)
    constant = 0.0 if abs(constant) <= NOTHING * spread else constant
    whole = _arrays(joined_terms(constant, kept))
    return whole if _near(wanted, outputs(*whole, blocks), spread) else _arrays(flat)


def shortened(
    form: tuple[Codes, Floats], blocks: Blocks, weights: Floats, scale: Scale
) -> tuple[Codes, Floats]:
    """Round the constants of a formula to as few digits as leave the predictions the same up to the noise.

    The mean squared difference is at most a fraction of what one constant explains by chance: the error divided by
    the number of rows. First all constants get the same number of digits, then each constant gets as few as it
    needs, or none if it may be 0.

    Parameters
    ----------
    form : (array, array)
        Codes and constants.
    blocks : Blocks
        The training rows.
    weights : array
        Normalised weights of the rows.
    scale : Scale
    """
    codes, constants = form
    positions = np.flatnonzero(codes == loops.CONSTANT)
    wanted = scale.of(outputs(codes, constants, blocks))
    most = UNNOTICED * scale.noise + (NEAR * scale.spread) ** 2

    def is_same(trial: Floats) -> bool:
        with np.errstate(all="ignore"):
            return bool(weights @ (scale.of(outputs(codes, trial, blocks)) - wanted) ** 2 <= most)

    if not is_same(constants):  # undefined on a row
        return form
    trials = (_rounded(constants, positions, digits) for digits in range(1, EXACT))
    best = next((trial for trial in trials if is_same(trial)), constants)
    for position in positions:
        shorter = (_rounded(best, [position], digits) for digits in range(EXACT))
        best = next((trial for trial in shorter if np.array_equal(trial, best) or is_same(trial)), best)
    return _arrays(simplified(codes.tolist(), best.tolist()))


def _rounded(constants: Floats, positions: Any, digits: int) -> Floats:
    """Round some constants to this many significant digits; to zero with none."""
    rounded = constants.copy()
    for position in positions:
        rounded[position] = float(f"{constants[position]:.{digits}g}") if digits else 0.0
    return rounded


def spread_of(fit: Fit) -> float:
    """Return the standard deviation of the target, the scale for comparing differences."""
    return fit.variance**0.5 or max(abs(fit.mean), 1.0)


def _same_terms(flat: Flat, fit: Fit) -> tuple[float, list[Term]] | None:
    """Return the terms of the normal form if its predictions are the same."""
    try:
        found = terms_of(_twice(flat))
    except NoFormError:
        return None
    before, after = (outputs(*_arrays(each), fit.blocks, fit.work) for each in (flat, joined_terms(*found)))
    return found if _near(before, after, spread_of(fit)) else None


def _twice(flat: Flat) -> Sum:
    """Return the normal form of the normal form: once small terms are dropped, more may cancel."""
    return normal_form(*joined_terms(*terms_of(normal_form(*flat))))


def _short(codes: Codes, fitted: Fitted) -> Flat:
    return simplified(*as_sum(codes, fitted))


def _near(one: Floats, other: Floats, spread: float) -> bool:
    finite = np.isfinite(one)
    if not np.array_equal(finite, np.isfinite(other)):
        return False
    return bool((np.abs(one[finite] - other[finite]) <= NEAR * spread).all())


def _arrays(flat: Flat) -> tuple[Codes, Floats]:
    return np.array(flat[0], np.int32), np.array(flat[1], np.float64)
