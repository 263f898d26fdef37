"""Constants fitted by least squares: coefficients of a sum of terms, and constants inside them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from induce.core.ties import is_less
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.evaluation import Fit, Fitted
from induce.evolution.programs.flat import depth_of
from induce.evolution.programs.free_constants import loosened, without
from induce.evolution.programs.functions import arity_of
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.population import Codes

MOST = 12
"""Maximum number of constants that are fitted: beyond it, derivatives cost more than another formula."""
SLACK = 1.01
"""Relative increase of the error below which a constant is removed."""
ROUNDING = 1e-13
"""Distance from 0 or 1 within which a coefficient is rounded."""


@dataclass(frozen=True)
class Openness:
    """Constants that functions may take, and the limits on the size and depth of the resulting formula."""

    factors: bool = False
    summands: bool = False
    max_size: int = 0
    max_depth: int = 0

    def allows(self, codes: list[int]) -> bool:
        """Return whether a formula is within the limits of size and depth."""
        return len(codes) <= self.max_size and depth_of(codes, arity_of) <= self.max_depth


def refined(codes: Codes, constants: Floats, fit: Fit, terms: int, steps: int) -> Fitted:
    """Fit the constants of a formula and the coefficients of its terms by Levenberg-Marquardt steps.

    The coefficients are refitted for every trial; derivatives with respect to the constants are differences.
    """
    best = fit.coefficients(codes, constants, terms)
    single = {start for start, end in best.ends if end == start + 1}  # covered by the intercept
    places = [int(place) for place in np.flatnonzero(codes == loops.CONSTANT) if int(place) not in single]
    n = 1
    if not 0 < len(places) <= MOST or not np.isfinite(best.error):
        return best
    damping, root = 1e-3, np.sqrt(fit.weights)
    for _ in range(steps):
        if best.error <= 1e-30 * fit.variance:
            break
        parts = fit.design(codes, best, places)
        n += 1 + len(places)
        design = np.vstack([np.ones(len(root)), parts]).T * root[:, None]
        rest = (fit.target + fit.mean - best.intercept - best.coefficients @ parts[: len(best.ends)]) * root
        if not np.isfinite(design).all():
            break
        found, damping, tried = _step(codes, fit, terms, best, places, (design, rest), damping)
        n += tried
        if found is None:
            break
        gained = best.error - found.error
        best = found
        if gained <= 1e-6 * best.error:
            break
    return replace(best, evaluations=n)


def opened(
    codes: Codes, constants: Floats, fit: Fit, terms: int, steps: int, how: Openness
) -> tuple[Codes, Fitted]:
    """Add free constants to the functions of a formula, fit all constants, and keep those that matter."""
    loose, held, added = loosened(codes.tolist(), constants.tolist(), how.factors, how.summands)
    if not added or not how.allows(loose):
        return codes, refined(codes, constants, fit, terms, steps)
    start, n = _start(np.array(loose, np.int32), np.array(held), fit, terms, added)
    fitted = refined(np.array(loose, np.int32), start, fit, terms, steps)
    found, held = loose, fitted.constants.tolist()
    n += fitted.evaluations
    for place in reversed(added):
        codes_, constants_ = without(found, held, place)
        trial = fit.coefficients(np.array(codes_, np.int32), np.array(constants_), terms)
        n += 1
        if trial.error <= SLACK * fitted.error:
            found, held, fitted = codes_, constants_, trial
    return np.array(found, np.int32), replace(fitted, evaluations=n)


def _start(codes: Codes, constants: Floats, fit: Fit, terms: int, added: list[int]) -> tuple[Floats, int]:
    """Return the initial constants: exponential functions decay if that fits better.

    No fitting step turns an increasing function into a decreasing one.
    """
    exponents = [place for place in added if place > 1 and codes[place - 2] == loops.EXP]
    if not exponents:
        return constants, 0
    falling = constants.copy()
    falling[exponents] = -1.0
    errors = [fit.coefficients(codes, each, terms).error for each in (constants, falling)]
    return (falling if is_less(errors[1], errors[0]) else constants), 2


def _step(
    codes: Codes,
    fit: Fit,
    terms: int,
    best: Fitted,
    places: list[int],
    system: tuple[Floats, Floats],
    damping: float,
) -> tuple[Fitted | None, float, int]:
    """Search for better constants with increasing damping.

    This is one Levenberg-Marquardt step, but not that of `optimise`: it moves only the constants, and the
    coefficients of the terms are solved for at each trial.
    """
    design, rest = system
    curve, gradient = design.T @ design, design.T @ rest
    for tried in range(1, 4):
        ridge = damping * np.diag(np.diag(curve)) + 1e-12 * np.eye(len(curve))
        try:
            change = np.linalg.solve(curve + ridge, gradient)
        except np.linalg.LinAlgError:
            return None, damping, tried - 1
        moved = best.constants.copy()
        moved[places] += change[-len(places) :]
        if np.isfinite(moved).all():
            trial = fit.coefficients(codes, moved, terms)
            if trial.error < best.error:
                return trial, damping / 10.0, tried
        damping *= 10.0
    return None, damping, 3


def as_sum(codes: Codes, fitted: Fitted) -> tuple[list[int], list[float]]:
    """Return a formula with its coefficients included: intercept + coefficient * term + ..."""
    total: list[tuple[list[int], list[float], bool]] = []
    if abs(fitted.intercept) > ROUNDING * fitted.unit:
        total.append(([loops.CONSTANT], [fitted.intercept], True))
    for coefficient, (start, end) in zip(fitted.coefficients.tolist(), fitted.ends, strict=True):
        term, held = codes[start:end].tolist(), fitted.constants[start:end].tolist()
        adds = coefficient > 0 or not total
        size = coefficient if not total else abs(coefficient)
        if coefficient == 0.0:
            continue
        if abs(size - 1.0) > ROUNDING:
            term, held = [loops.MUL, loops.CONSTANT, *term], [0.0, size, *held]
        total.append((term, held, adds))
    if not total:
        return [loops.CONSTANT], [fitted.intercept]
    codes_, constants, _ = total[0]
    for term, held, adds in total[1:]:
        codes_ = [loops.ADD if adds else loops.SUB, *codes_, *term]
        constants = [0.0, *constants, *held]
    return codes_, constants
