"""Formulas that tell classes apart, evolved by genetic programming (Mitchell §9.5)."""

from __future__ import annotations

import numpy as np

from induce.estimators import ClassReading, TableClassifier
from induce.evolution.learners.symbolic import SymbolicLearner
from induce.evolution.programs.formula import ClassFormulas


class SymbolicClassifier(SymbolicLearner, TableClassifier):
    """Formulas that tell classes apart, bred by genetic programming (Mitchell §9.5).

    With two classes one formula is bred for the second of them, with more one for each against the others; they
    share the programs of `population_size`, at least 50 each, and beyond twenty classes the generations too. A
    formula is bred as in `SymbolicRegressor`, for 1 in its class and 0 outside; then it is turned into the logarithm
    of the odds by a line of largest likelihood. What happens to nominal columns, missing values and unseen
    categories is said there too.

    Parameters
    ----------
    population_size, generations, tournament_size, stopping_criteria, const_range, init_depth, max_depth, max_size, \
function_set, fit_constants, parsimony_coefficient, p_crossover, p_subtree_mutation, p_hoist_mutation, \
p_point_mutation, p_point_replace, validation_fraction, schema, n_jobs, random_state
        See `SymbolicRegressor`.

    Attributes
    ----------
    hypothesis_ : ClassFormulas
    n_iter_, n_evaluations_, n_nodes_ : int
        Generations, formulas and nodes of formulas that were worked out.

    Examples
    --------
    >>> X = [[x / 4.0, y / 4.0] for x in range(-4, 5) for y in range(-4, 5)]
    >>> inside = [x * x + y * y < 0.5 for x, y in X]
    >>> learner = SymbolicClassifier(population_size=60, generations=5).fit(X, inside)
    >>> learner.score(X, inside) > 0.9
    True
    """

    hypothesis_: ClassFormulas

    def _learn(self, reading: ClassReading) -> ClassFormulas:
        self._restart()
        n = len(reading.classes)
        how = self._settings(n if n > 2 else 1)
        inputs = self._inputs(reading, how)
        labels = reading.labels[np.flatnonzero(reading.weight())]
        spoken = {1: (), 2: (1,)}.get(n, tuple(range(n)))
        if not spoken:
            self._grammar(inputs.matrix.shape[1], how.breeding)
        formulas = []
        for k, code in enumerate(spoken):
            parts = k / len(spoken), (k + 1) / len(spoken)
            mine = labels == code
            formulas.append(self._formula(inputs, mine.astype(np.float64), reading.target, how, parts, mine))
        return ClassFormulas(reading.schema, reading.target, reading.classes, tuple(formulas))
