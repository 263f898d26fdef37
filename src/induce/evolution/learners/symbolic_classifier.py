"""Formulas that discriminate classes, evolved by genetic programming (Mitchell §9.5)."""

from __future__ import annotations

import numpy as np

from induce.estimators import ClassReading, TableClassifier
from induce.evolution.learners.symbolic import SymbolicLearner
from induce.evolution.programs.formula import ClassFormulas


class SymbolicClassifier(SymbolicLearner, TableClassifier):
    """Formulas that discriminate classes, evolved by genetic programming (Mitchell §9.5).

    With two classes one formula is evolved for the second of them, with more classes one for each against the
    others; they share the programs of `population_size`, at least 50 each, and beyond twenty classes the
    generations too. A formula is evolved as in `SymbolicRegressor`, for 1 in its class and 0 outside; then a
    maximum likelihood line turns it into the logarithm of the odds. Nominal columns, missing values and unseen
    categories are treated as there.

    Parameters
    ----------
    population_size : int, default=1000
        Number of formulas of a generation.
    generations : int, default=20
        Maximum number of generations.
    tournament_size : int, default=10
        Tournament size: the best of so many formulas becomes a parent.
    stopping_criteria : float, default=0.0
        Error at which the run ends.
    const_range : (float, float), default=(-1.0, 1.0)
        Range of the first constants; None has no constants in formulas.
    init_depth : (int, int), default=(2, 6)
        Depths of the first programs, the smallest and the largest.
    max_depth : int, default=17
        Maximum depth.
    max_size : int, default=100
        Maximum number of nodes.
    function_set : tuple, default=('add', 'sub', 'mul', 'div')
        Functions of formulas.
    fit_constants : {"inherited", "learned"}, default="inherited"
        Whether constants that were fitted are inherited; None fits none.
    parsimony_coefficient : float, default=0.0003
        Penalty per node in the selection of parents; larger values keep programs small.
    p_crossover : float, default=0.7
        Share of offspring by crossover.
    p_subtree_mutation : float, default=0.15
        Share of offspring with a regrown subtree.
    p_hoist_mutation : float, default=0.02
        Share of offspring with a subtree lifted.
    p_point_mutation : float, default=0.1
        Share of offspring with single nodes changed.
    p_point_replace : float, default=0.1
        Probability that a point mutation changes a node.
    validation_fraction : float, optional
        Share of the rows held out to choose a formula; None holds none out.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    n_jobs : int, optional
        Number of parallel jobs; -1 uses all processors.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : ClassFormulas
    n_iter_, n_evaluations_, n_nodes_ : int
        Generations, formulas and nodes of formulas that were worked out.

    See Also
    --------
    SymbolicRegressor : Formulas for numbers.
    GeneticProgramming : Programs of a declared language.

    References
    ----------
    J. R. Koza (1992). Genetic Programming: On the Programming of Computers by Means of Natural Selection. MIT
    Press.

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
