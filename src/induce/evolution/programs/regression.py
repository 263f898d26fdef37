"""The search for formulas: a population is bred, and the best formula of each size is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.ties import TOLERANCE, first_smallest, is_less, levelled, smallest_first
from induce.evolution.programs._evaluation_loops import CONSTANT
from induce.evolution.programs.constants import as_sum, refined
from induce.evolution.programs.evaluation import Blocks, Fit, Fitted, outputs
from induce.evolution.programs.front import Front
from induce.evolution.programs.grammar import Floats, Grammar, Ints
from induce.evolution.programs.population import (
    Breeding,
    Codes,
    Population,
    successes,
)
from induce.evolution.programs.simplify import simplified
from induce.evolution.programs.vocabulary import FormulaWords

REFINED = 3
"""Formulas of a generation whose constants are fitted."""
MOST_TERMS = 6
"""Terms of a sum that get a coefficient of their own; the last one is what is left of the sum."""
EXACT = 1e-24
"""A formula that leaves a smaller share of the variance is exact."""


@dataclass(frozen=True)
class Evolution:
    """How formulas are searched for: the parameters of `SymbolicRegressor` that it needs."""

    population_size: int
    generations: int
    breeding: Breeding
    parsimony_coefficient: float
    stopping_criteria: float
    fit_constants: str | None
    seed: int

    @property
    def terms(self) -> int:
        """How many terms of a formula get a coefficient."""
        return 0 if self.fit_constants is None else MOST_TERMS


@dataclass
class Best:
    """The best formula of each size so far, and what the search has cost."""

    formulas: dict[int, tuple[float, Codes, Floats]] = field(default_factory=dict)
    evaluations: int = 0
    nodes: int = 0
    generations: int = 0
    refined: set[float] = field(default_factory=set)

    def add(self, error: float, codes: Codes, constants: Floats) -> None:
        """Keep a formula if it is the best of its size."""
        size = len(codes)
        if np.isfinite(error) and (size not in self.formulas or is_less(error, self.formulas[size][0])):
            self.formulas[size] = error, codes.copy(), constants.copy()

    def has_refined(self, error: float) -> bool:
        """Say whether the constants of a formula with this error, up to rounding, have been fitted."""
        return any(math.isclose(error, known, rel_tol=TOLERANCE) for known in self.refined)

    def least(self) -> float:
        """Return the least error so far."""
        return min((error for error, _, _ in self.formulas.values()), default=np.inf)

    def front(self) -> list[tuple[Codes, Floats]]:
        """Return the formulas that no smaller one beats, the smallest first."""
        found, least = [], np.inf
        for size in sorted(self.formulas):
            error, codes, constants = self.formulas[size]
            if is_less(error, least):
                found.append((codes, constants))
                least = error
        return found


def search(fit: Fit, grammar: Grammar, how: Evolution, parts: tuple[float, float] = (0.0, 1.0)) -> Best:
    """Breed formulas that fit a target; Ctrl-C ends it with the best so far.

    Parameters
    ----------
    fit : Fit
    grammar : Grammar
    how : Evolution
    parts : (float, float)
        Which part of the whole work this is, for progress.
    """
    best = Best()
    begun, ended = parts
    done: list[int] = []
    with interruptible(done, "generations"):
        population = how.breeding.first(grammar, how.population_size, how.seed, fit.work)
        fresh = np.arange(len(population))
        errors = np.empty(0)
        for number in range(how.generations):
            if number:
                last, before = population, errors
                losses = _losses(errors, fit, last.sizes, how)
                population = how.breeding.next(last, losses, grammar, (how.seed, number), work=fit.work)
                _keep(population, last, first_smallest(losses))
                copied = np.flatnonzero(population.ways == 0)
                errors = np.full(len(population), np.inf)
                errors[copied] = before[population.parents[copied, 0]]
                fresh = np.flatnonzero(population.ways != 0)
            else:
                before, errors = np.empty(0), np.full(len(population), np.inf)
            found = fit.errors(population, fresh, how.terms, how.breeding.n_jobs, how.breeding.max_depth)
            errors[fresh] = found
            errors = levelled(errors)  # no formula wins by rounding
            best.evaluations += len(fresh)
            best.nodes += int(population.sizes[fresh].sum())
            best.generations = number + 1
            _keep_best(best, population, errors, fresh)
            if how.terms:
                _refine(best, population, errors, fit, how)
            if trace.active("generation"):
                _tell(number, population, errors, before, best)
            done.append(number)
            report(begun + (ended - begun) * (number + 1) / how.generations)
            if best.least() <= max(how.stopping_criteria, EXACT * fit.variance):
                break
    return best


def _losses(errors: Floats, fit: Fit, sizes: Ints, how: Evolution) -> Floats:
    """Return what is to be small: the root of the error, by that of the mean, and a little for each node."""
    unit = fit.variance or 1.0
    return levelled(np.sqrt(errors / unit) + how.parsimony_coefficient * sizes)


def _keep(population: Population, last: Population, row: int) -> None:
    """Let the best program live on, unchanged, in the first place."""
    n = int(last.sizes[row])
    population.put(
        0, last.codes[row, :n].tolist(), last.constants[row, :n].tolist(), last.starts[row].tolist()
    )
    population.parents[0] = row, -1
    population.ways[0] = 0


def _keep_best(best: Best, population: Population, errors: Floats, fresh: Ints) -> None:
    """Keep the best new formula of each size."""
    sizes = population.sizes[fresh]
    order = np.lexsort((errors[fresh], sizes))
    firsts = order[np.r_[True, np.diff(sizes[order]) > 0]] if len(order) else order
    for row in fresh[firsts].tolist():
        n = int(population.sizes[row])
        best.add(float(errors[row]), population.codes[row, :n], population.constants[row, :n])


def _refine(best: Best, population: Population, errors: Floats, fit: Fit, how: Evolution) -> None:
    """Fit the constants of the best formulas, and write them back where they are to be inherited.

    What was fitted before is known by its error: it is not fitted again.
    """
    tried: set[float] = set()
    for row in smallest_first(errors)[: 10 * REFINED].tolist():
        n = int(population.sizes[row])
        error = float(errors[row])
        codes, constants = population.codes[row, :n], population.constants[row, :n]
        if error in tried or not np.isfinite(error):
            continue
        tried.add(error)
        if not best.has_refined(error) and (codes == CONSTANT).any():
            found = refined(codes, constants.copy(), fit, how.terms, 2)
            best.evaluations += found.evaluations
            best.nodes += found.evaluations * n
            best.refined |= {error, found.error}
            if is_less(found.error, error):
                best.add(found.error, codes, found.constants)
                errors[row] = found.error
                if how.fit_constants == "inherited":
                    population.constants[row, :n] = found.constants
        if len(tried) == REFINED:
            break


def _tell(number: int, population: Population, errors: Floats, before: Floats, best: Best) -> None:
    finite = errors[np.isfinite(errors)]
    trace.emit(
        "generation",
        number=number,
        best=best.least(),
        mean=float(np.median(finite)) if len(finite) else np.inf,
        diversity=population.distinct() / len(population),
        nodes=float(population.sizes.mean()),
        success=successes(population, errors, before) if len(before) else {},
    )


@dataclass(frozen=True, eq=False)
class Candidate:
    """A formula of the front with its coefficients written into it, and its squared errors on rows held out."""

    codes: Codes
    constants: Floats
    fitted: Fitted
    inner: Codes
    held: Floats


def candidates(best: Best, fit: Fit, how: Evolution, held: tuple[Floats, Floats] | None) -> list[Candidate]:
    """Return the formulas of the front, their constants fitted once more, without those that another beats."""
    found: list[Candidate] = []
    for codes, constants in best.front():
        fitted = _settled(codes, constants, fit, how)
        best.evaluations += fitted.evaluations
        short = short_sum(codes, fitted)
        squares = np.empty(0)
        if held is not None:
            given = outputs(*short, Blocks.of(held[0]), fit.work)
            given = np.where(np.isfinite(given), given, fit.mean)
            squares = (given - held[1]) ** 2
        found.append(Candidate(*short, fitted, codes, squares))
    errors, sizes = levelled([each.fitted.error for each in found]), [len(each.codes) for each in found]
    order = sorted(range(len(found)), key=lambda k: (sizes[k], errors[k]))
    kept: list[Candidate] = []
    for each in (found[k] for k in order):
        if np.isfinite(each.fitted.error) and (not kept or is_less(each.fitted.error, kept[-1].fitted.error)):
            kept.append(each)
    return kept


def settled(chosen: Candidate, fit: Fit, how: Evolution) -> Fitted:
    """Return a chosen formula with its constants fitted to all rows."""
    fitted = _settled(chosen.inner, chosen.fitted.constants, fit, how)
    return fitted if np.isfinite(fitted.error) else chosen.fitted


def _settled(codes: Codes, constants: Floats, fit: Fit, how: Evolution) -> Fitted:
    if how.terms:
        return refined(codes, constants, fit, how.terms, 10)
    out = outputs(codes, constants, fit.blocks, fit.work)
    with np.errstate(all="ignore"):
        error = float(fit.weights @ (out - fit.target - fit.mean) ** 2)
    error = error if np.isfinite(error) else np.inf
    return Fitted(constants, np.ones(1), ((0, len(codes)),), 0.0, error, 1.0)


def short_sum(codes: Codes, fitted: Fitted) -> tuple[Codes, Floats]:
    """Return a formula with its coefficients, simplified."""
    short, held = simplified(*as_sum(codes, fitted))
    return np.array(short, np.int32), np.array(held)


def chosen_front(found: list[Candidate], fit: Fit, held_weights: Floats | None, words: FormulaWords) -> Front:
    """Choose a formula of the front, by rows held out or by a criterion on all rows, and say how.

    Of rows held out, the smallest formula is taken that is not worse than the best by more than one standard error
    of the difference. Without them, n ln(error) + nodes ln(n) is made small.
    """
    from induce.evolution.programs.flat import written

    sizes = np.array([len(each.codes) for each in found], np.int64)
    errors = np.array([each.fitted.error for each in found])
    if held_weights is not None:
        shares = held_weights / held_weights.sum()
        judged = np.array([float(shares @ each.held) for each in found])
        best = first_smallest(judged)
        chosen = best
        for k in range(best):
            apart = found[k].held - found[best].held
            mean = float(shares @ apart)
            spread = float(np.sqrt(shares**2 @ (apart - mean) ** 2))
            if mean <= spread:
                chosen = k
                break
        n = len(held_weights)
        how = f"the smallest within one standard error of the best on {n} rows held out, of {len(found)} on the front"
        if chosen == best:
            how = f"the best on {n} rows held out, of {len(found)} on the front"
    else:
        floor = np.maximum(errors, 1e-20 * max(fit.variance, 1e-280))
        judged = fit.total * np.log(floor) + sizes * np.log(max(fit.total, 2.0))
        chosen = first_smallest(judged)
        how = f"the least n ln(error) + nodes ln(n) on all {fit.blocks.n_rows} rows, of {len(found)} on the front"
    texts = tuple(written(each.codes.tolist(), each.constants.tolist(), words) for each in found)
    return Front(sizes, errors, judged, texts, chosen, how)
