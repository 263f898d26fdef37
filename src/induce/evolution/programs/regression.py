"""Search for formulas: evolve a population and keep the best formula of each size."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.ties import TOLERANCE, first_smallest, is_less, levelled, smallest_first
from induce.evolution.programs.constants import Openness, opened, refined
from induce.evolution.programs.description import description_length, trimmed
from induce.evolution.programs.evaluation import Blocks, Fit, Fitted, outputs
from induce.evolution.programs.final_formula import Settled, read_as, scale_of, settled, shortened, spread_of
from induce.evolution.programs.front import Front
from induce.evolution.programs.grammar import Floats, Grammar, Ints
from induce.evolution.programs.population import (
    Breeding,
    Codes,
    Population,
    successes,
)
from induce.evolution.programs.vocabulary import FormulaWords

BEST, EACH = 0.02, 0.002
"""Fractions of a generation whose constants are fitted: the best formulas, and the best of each small size."""
SMALL = 25
"""Maximum number of nodes of a small formula."""
STEPS = 3
"""Number of steps of such a fit; promising formulas get more in the next generation."""
TRIMMED = 3
"""Number of formulas of the front that are pruned."""
MOST_TERMS = 6
"""Maximum number of terms of a sum with their own coefficient; the last one is the rest of the sum."""
EXACT = 1e-24
"""Residual fraction of the variance below which a formula is exact."""


@dataclass(frozen=True)
class Evolution:
    """Search settings, a subset of the parameters of `SymbolicRegressor`."""

    population_size: int
    generations: int
    breeding: Breeding
    parsimony_coefficient: float
    stopping_criteria: float
    fit_constants: str | None
    seed: int
    openness: Openness

    @property
    def terms(self) -> int:
        """Number of terms of a formula with a coefficient."""
        return 0 if self.fit_constants is None else MOST_TERMS


@dataclass
class Best:
    """Best formula of each size so far, and the cost of the search."""

    formulas: dict[int, tuple[float, Codes, Floats]] = field(default_factory=dict)
    evaluations: int = 0
    nodes: int = 0
    generations: int = 0
    refined: set[int] = field(default_factory=set)

    def add(self, error: float, codes: Codes, constants: Floats) -> None:
        """Keep a formula if it is the best of its size."""
        size = len(codes)
        if np.isfinite(error) and (size not in self.formulas or is_less(error, self.formulas[size][0])):
            self.formulas[size] = error, codes.copy(), constants.copy()

    def has_refined(self, error: float) -> bool:
        """Return whether the constants of a formula with this error, up to rounding, have been fitted."""
        here = _level(error)
        return not self.refined.isdisjoint((here - 1, here, here + 1))

    def remember(self, error: float) -> None:
        """Record that the constants of a formula with this error have been fitted."""
        self.refined.add(_level(error))

    def least(self) -> float:
        """Return the smallest error so far."""
        return min((error for error, _, _ in self.formulas.values()), default=np.inf)

    def front(self) -> list[tuple[Codes, Floats]]:
        """Return the formulas not dominated by a smaller one, smallest first."""
        found, least = [], np.inf
        for size in sorted(self.formulas):
            error, codes, constants = self.formulas[size]
            if is_less(error, least):
                found.append((codes, constants))
                least = error
        return found


def _level(error: float) -> int:
    """Return an integer that differs by at most 1 for errors equal up to rounding."""
    return round(math.log(max(error, 1e-300)) / TOLERANCE)


def search(fit: Fit, grammar: Grammar, how: Evolution, parts: tuple[float, float] = (0.0, 1.0)) -> Best:
    """Evolve formulas that fit a target; an interrupt returns the best so far.

    Parameters
    ----------
    fit : Fit
    grammar : Grammar
    how : Evolution
    parts : (float, float)
        Range of this part in the whole work, for progress.
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
    """Return the losses: relative root mean squared errors plus a penalty per node."""
    unit = fit.variance or 1.0
    return levelled(np.sqrt(errors / unit) + how.parsimony_coefficient * sizes)


def _keep(population: Population, last: Population, row: int) -> None:
    """Keep the best program, unchanged, in the first row."""
    n = int(last.sizes[row])
    population.put(
        0, last.codes[row, :n].tolist(), last.constants[row, :n].tolist(), last.starts[row].tolist()
    )
    population.parents[0] = row, -1
    population.ways[0] = 0


def _keep_best(best: Best, population: Population, errors: Floats, fresh: Ints) -> None:
    """Keep the best new formula of each size."""
    sizes = population.sizes[fresh]
    order = np.lexsort((levelled(errors[fresh]), sizes))
    firsts = order[np.r_[True, np.diff(sizes[order]) > 0]] if len(order) else order
    for row in fresh[firsts].tolist():
        n = int(population.sizes[row])
        best.add(float(errors[row]), population.codes[row, :n], population.constants[row, :n])


def _refine(best: Best, population: Population, errors: Floats, fit: Fit, how: Evolution) -> None:
    """Fit the constants of the best formulas, and write them back if they are inherited.

    Formulas that were fitted before are recognised by their error and not fitted again.
    """
    for row in _promising(best, population.sizes, errors):
        error = float(errors[row])
        n = int(population.sizes[row])
        codes, constants = population.codes[row, :n], population.constants[row, :n]
        made, found = opened(codes, constants.copy(), fit, how.terms, STEPS, how.openness)
        best.evaluations += found.evaluations
        best.nodes += found.evaluations * n
        best.remember(error)
        best.remember(found.error)
        if is_less(found.error, error):
            best.add(found.error, made, found.constants)
            errors[row] = found.error
            if how.fit_constants == "inherited":
                population.put(row, made.tolist(), found.constants.tolist(), [0, len(made)])


def _promising(best: Best, sizes: Ints, errors: Floats) -> list[int]:
    """Return the formulas whose constants are to be fitted: the best overall, and the best of each size.

    A small formula of the right form with the wrong constants is rarely among the best.
    """
    n_best, n_each = (math.ceil(share * len(errors)) for share in (BEST, EACH))
    found: list[int] = []
    known: set[float] = set()
    n_of: dict[int, int] = {}
    for row in smallest_first(errors).tolist():
        error, size = float(errors[row]), int(sizes[row])
        if not math.isfinite(error) or error in known or best.has_refined(error):
            continue
        if len(found) < n_best or (size <= SMALL and n_of.get(size, 0) < n_each):
            known.add(error)
            n_of[size] = n_of.get(size, 0) + 1
            found.append(row)
    return found


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
    """A formula of the front in normal form, with its description length and its errors on held-out rows."""

    form: Settled
    bits: float
    held: Floats

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.form.codes)

    @property
    def error(self) -> float:
        """Mean squared error."""
        return self.form.fitted.error


def candidates(
    best: Best, fit: Fit, how: Evolution, n_symbols: int, held: tuple[Floats, Floats] | None
) -> list[Candidate]:
    """Return the non-dominated formulas of the front, with their constants refitted."""
    found: list[Candidate] = []
    for codes, constants in best.front():
        form = (
            settled(codes, _fitted(codes, constants, fit, how), fit)
            if how.terms
            else _as_it_is(codes, constants, fit)
        )
        best.evaluations += form.fitted.evaluations
        if np.isfinite(form.fitted.error):
            found.append(_candidate(form, fit, n_symbols, held))
    if how.terms:
        bits = np.array([each.bits for each in found])
        for k in smallest_first(bits, float(np.abs(bits).max(initial=0.0)))[:TRIMMED].tolist():
            shorter = trimmed(found[k].form, fit, n_symbols)
            if shorter is not found[k].form:
                found.append(_candidate(shorter, fit, n_symbols, held))
    errors = levelled([each.error for each in found])
    order = sorted(range(len(found)), key=lambda k: (found[k].size, errors[k]))
    kept: list[Candidate] = []
    for each in (found[k] for k in order):
        if not kept or is_less(each.error, kept[-1].error):
            kept.append(each)
    return kept


def _candidate(form: Settled, fit: Fit, n_symbols: int, held: tuple[Floats, Floats] | None) -> Candidate:
    scale = scale_of(fit, form.fitted.error)
    codes, constants = shortened((form.codes, form.constants), fit.blocks, fit.weights, scale)
    form = replace(form, codes=codes, constants=constants)
    squares = np.empty(0)
    if held is not None:
        given = outputs(form.codes, form.constants, Blocks.of(held[0]), fit.work)
        given = np.where(np.isfinite(given), given, fit.mean)
        squares = (given - held[1]) ** 2
    return Candidate(form, description_length(form, fit, n_symbols), squares)


def _fitted(codes: Codes, constants: Floats, fit: Fit, how: Evolution) -> Fitted:
    return refined(codes, constants, fit, how.terms, 10)


def _as_it_is(codes: Codes, constants: Floats, fit: Fit) -> Settled:
    """Return a formula in normal form without fitting its constants."""
    out = outputs(codes, constants, fit.blocks, fit.work)
    with np.errstate(all="ignore"):
        error = float(fit.weights @ (out - fit.target - fit.mean) ** 2)
    error = error if np.isfinite(error) else np.inf
    fitted = Fitted(constants, np.ones(1), ((0, len(codes)),), 0.0, error, 1.0)
    return Settled(*read_as(codes, fitted, fit.blocks, spread_of(fit)), codes, fitted)


def chosen_front(found: list[Candidate], fit: Fit, held_weights: Floats | None, words: FormulaWords) -> Front:
    """Choose a formula of the front by description length or held-out rows, and record how.

    With held-out rows, the smallest formula within one standard error of the best difference is
    chosen.
    """
    from induce.evolution.programs.flat import written

    sizes = np.array([each.size for each in found], np.int64)
    errors = np.array([each.error for each in found])
    if held_weights is not None:
        judged, chosen, how = _by_rows_held_out(found, held_weights)
    else:
        judged = np.array([each.bits for each in found])
        chosen = first_smallest(judged, float(np.abs(judged).max()))
        how = f"the shortest description length on {fit.total:,.10g} rows, among {len(found)} on the front"
    texts = tuple(written(each.form.codes.tolist(), each.form.constants.tolist(), words) for each in found)
    return Front(sizes, errors, judged, texts, chosen, how)


def _by_rows_held_out(found: list[Candidate], weights: Floats) -> tuple[Floats, int, str]:
    shares = weights / weights.sum()
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
    said = f"on {len(weights)} held-out rows, among {len(found)} on the front"
    which = "the best" if chosen == best else "the smallest within one standard error of the best"
    return judged, chosen, f"{which} {said}"
