"""Base of the symbolic regression and classification learners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from induce.core.notes import note
from induce.core.parameters import Declared, choice, items, number, such, whole
from induce.core.randomness import RandomState, seed_of, stream
from induce.data.numeric_view import NumericView
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.constants import Openness
from induce.evolution.programs.evaluation import Fit, Fitted, outputs
from induce.evolution.programs.final_formula import Scale, read_as, refit, scale_of, settled, shortened
from induce.evolution.programs.formula import Formula
from induce.evolution.programs.functions import function_codes
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.population import BREEDING, Breeding, Codes
from induce.evolution.programs.regression import (
    Best,
    Evolution,
    candidates,
    chosen_front,
    search,
)
from induce.evolution.programs.vocabulary import FormulaWords, formula_grammar
from induce.statistics.logistic import sigmoid
from induce.statistics.sigmoid import fitted_sigmoid

FEWEST = 50
"""Minimum number of rows for holding out a validation set."""
FEWEST_PROGRAMS = 50
"""Minimum population size per class, if classes divide the programs."""
MANY, FEWEST_GENERATIONS = 20, 3
"""Number of classes above which they also divide the generations, and minimum number of generations each."""
LARGEST = 1e100


@dataclass(frozen=True, eq=False)
class _Inputs:
    """A table encoded for formulas, and the held-out rows."""

    schema: Schema
    view: NumericView
    matrix: Floats
    weights: Floats
    held: Any

    @property
    def words(self) -> FormulaWords:
        return FormulaWords(self.view.quantities)

    @property
    def ranges(self) -> Floats:
        """Smallest and largest number of each column."""
        return np.array([self.matrix.min(axis=0), self.matrix.max(axis=0)])


class SymbolicLearner:
    """Base class of both learners: evolve formulas, evaluate the Pareto front, choose one."""

    parameters: ClassVar[Declared] = {
        **BREEDING,
        "population_size": whole("Number of formulas per generation.", at_least=1),
        "generations": whole("Maximum number of generations.", at_least=1),
        "tournament_size": whole("Tournament size for selecting a parent.", at_least=1),
        "stopping_criteria": number("Error at which the run ends.", at_least=0),
        "const_range": such(
            "Range of the initial constants; None excludes constants from formulas.",
            "two numbers",
            lambda value: len(value) == 2 and -np.inf < value[0] <= value[1] < np.inf,
            none=True,
            otherwise="give two finite numbers, the smaller first: (-1, 1), or None",
        ),
        "function_set": items("Functions used in formulas.", "names of functions, such as 'add'"),
        "fit_constants": choice(
            "Whether fitted constants are inherited; None fits no constants.",
            "inherited",
            "learned",
            none=True,
        ),
        "validation_fraction": number(
            "Fraction of the rows held out to choose a formula; None holds out none.",
            above=0,
            below=1,
            none=True,
        ),
    }

    def __init__(
        self,
        *,
        population_size: int = 1000,
        generations: int = 20,
        tournament_size: int = 10,
        stopping_criteria: float = 0.0,
        const_range: tuple[float, float] | None = (-1.0, 1.0),
        init_depth: tuple[int, int] = (2, 6),
        max_depth: int = 17,
        max_size: int = 100,
        function_set: tuple[str, ...] = ("add", "sub", "mul", "div"),
        fit_constants: str | None = "inherited",
        parsimony_coefficient: float = 0.0003,
        p_crossover: float = 0.7,
        p_subtree_mutation: float = 0.15,
        p_hoist_mutation: float = 0.02,
        p_point_mutation: float = 0.1,
        p_point_replace: float = 0.1,
        validation_fraction: float | None = None,
        schema: Schema | dict[str, Any] | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.population_size = population_size
        self.generations = generations
        self.tournament_size = tournament_size
        self.stopping_criteria = stopping_criteria
        self.const_range = const_range
        self.init_depth = init_depth
        self.max_depth = max_depth
        self.max_size = max_size
        self.function_set = function_set
        self.fit_constants = fit_constants
        self.parsimony_coefficient = parsimony_coefficient
        self.p_crossover = p_crossover
        self.p_subtree_mutation = p_subtree_mutation
        self.p_hoist_mutation = p_hoist_mutation
        self.p_point_mutation = p_point_mutation
        self.p_point_replace = p_point_replace
        self.validation_fraction = validation_fraction
        self.schema = schema
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _settings(self, shared_by: int = 1) -> Evolution:
        breeding = Breeding(
            self.max_size,
            self.max_depth,
            self.init_depth,
            self.tournament_size,
            self.p_crossover,
            self.p_subtree_mutation,
            self.p_hoist_mutation,
            self.p_point_mutation,
            self.p_point_replace,
            self.n_jobs,
        )
        size, generations = int(self.population_size), int(self.generations)
        if shared_by > 1:
            size = max(min(size, FEWEST_PROGRAMS), size // shared_by)
            generations = max(
                min(generations, FEWEST_GENERATIONS), generations * MANY // max(MANY, shared_by)
            )
        return Evolution(
            size,
            generations,
            breeding,
            float(self.parsimony_coefficient),
            float(self.stopping_criteria),
            self.fit_constants,
            seed_of(self.random_state),
            self._openness(),
        )

    def _openness(self) -> Openness:
        """Return the constants that functions may take, restricted to those the function set can express."""
        codes = function_codes(self.function_set)
        has_constants = self.const_range is not None
        return Openness(
            has_constants and loops.MUL in codes,
            has_constants and loops.ADD in codes,
            int(self.max_size),
            int(self.max_depth),
        )

    def _grammar(self, n_columns: int, breeding: Breeding) -> Any:
        limits = self.const_range
        if limits is not None:
            low, high = (float(limit) for limit in limits)
            limits = low, high
        made = formula_grammar(function_codes(self.function_set), n_columns, limits)
        breeding.check(made)
        return made

    def _inputs(self, reading: Reading, how: Evolution) -> _Inputs:
        """Return the rows as numbers, with the held-out rows marked."""
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        view = NumericView.of(reading.table, None, reading.weights)
        matrix, weights = view.matrix(reading.table)[counted], weights[counted]
        held = None
        if self.validation_fraction is not None and len(counted) >= FEWEST:
            drawn = stream(how.seed, 10**6).permutation(len(counted))
            held = np.sort(drawn[: max(1, round(len(counted) * float(self.validation_fraction)))])
        return _Inputs(reading.schema, view, matrix, weights, held)

    def _formula(
        self,
        inputs: _Inputs,
        numbers: Floats,
        target: str,
        how: Evolution,
        parts: tuple[float, float] = (0.0, 1.0),
        positive: Any = None,
    ) -> Formula:
        """Evolve a formula: search on the training rows, choose on the held-out ones, and refit on all."""
        held = inputs.held
        trained = np.setdiff1d(np.arange(len(numbers)), held) if held is not None else slice(None)
        programs = float(how.population_size * how.generations)
        fit = Fit.of(inputs.matrix[trained], numbers[trained], inputs.weights[trained], programs)
        grammar = self._grammar(inputs.matrix.shape[1], how.breeding)
        best = search(fit, grammar, how, parts)
        others = None if held is None else (inputs.matrix[held], numbers[held])
        n_symbols = len(function_codes(self.function_set)) + inputs.matrix.shape[1] + 1
        found = candidates(best, fit, how, n_symbols, others)
        self._count(best)
        whole = fit if held is None else Fit.of(inputs.matrix, numbers, inputs.weights, programs)
        if not found:
            note("no formula gives finite numbers on all rows; the mean is predicted")
            constant = np.array([loops.CONSTANT], np.int32), np.array([whole.mean])
            return Formula(inputs.schema, target, inputs.view, *constant, whole.mean, ranges=inputs.ranges)
        front = chosen_front(found, fit, None if held is None else inputs.weights[held], inputs.words)
        form, mean = found[front.chosen].form, whole.mean
        if held is not None and how.terms:
            again = settled(form.inner, refit(form, whole), whole)
            form = again if np.isfinite(again.fitted.error) else form
        codes, constants, scale = form.codes, form.constants, scale_of(whole, form.fitted.error)
        if positive is not None:
            made, mean = _as_odds(form.inner, form.fitted, whole, positive)
            codes, constants = read_as(form.inner, made, whole.blocks, 1.0)
            chances = sigmoid(outputs(codes, constants, whole.blocks))
            noise = float(whole.weights @ (chances * (1 - chances))) / max(whole.total, 2.0)
            scale = Scale(noise, 1.0, sigmoid)
        codes, constants = shortened((codes, constants), whole.blocks, whole.weights, scale)
        return Formula(inputs.schema, target, inputs.view, codes, constants, mean, front, inputs.ranges)

    def _count(self, best: Best) -> None:
        self.n_evaluations_ = getattr(self, "n_evaluations_", 0) + best.evaluations
        self.n_nodes_ = getattr(self, "n_nodes_", 0) + best.nodes
        self.n_iter_ = max(getattr(self, "n_iter_", 0), best.generations)

    def _restart(self) -> None:
        for name in ("n_evaluations_", "n_nodes_", "n_iter_"):
            self.__dict__.pop(name, None)


def _as_odds(codes: Codes, fitted: Fitted, fit: Fit, positive: Any) -> tuple[Fitted, float]:
    """Calibrate a formula to the log odds of its class by maximum likelihood."""
    values = fitted.intercept + fitted.coefficients @ fit.design(codes, fitted, [])
    values = np.where(np.isfinite(values), values, fit.mean)
    slope, shift = fitted_sigmoid(values, positive, fit.weights * fit.total)
    odds = replace(
        fitted,
        coefficients=-slope * fitted.coefficients,
        intercept=-slope * fitted.intercept - shift,
        unit=1.0,
    )
    return odds, -slope * fit.mean - shift
