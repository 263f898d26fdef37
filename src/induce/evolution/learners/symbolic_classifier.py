"""Symbolic classification: discriminant formulas evolved by genetic programming (Mitchell §9.5)."""

from __future__ import annotations

import numpy as np

from induce.estimators import ClassReading, TableClassifier
from induce.evolution.learners.symbolic import SymbolicLearner
from induce.evolution.programs.formula import ClassFormulas


class SymbolicClassifier(SymbolicLearner, TableClassifier):
    """Classify by discriminant formulas evolved by genetic programming (Mitchell §9.5).

    With two classes, one formula is evolved for the second class; with more, one per class against the rest. They
    divide the programs of `population_size`, at least 50 each, and beyond twenty classes also the generations. A
    formula is evolved as in `SymbolicRegressor`, with target 1 for its class and 0 otherwise; then logistic
    calibration turns it into log odds. Nominal columns, missing values and unseen categories are treated as
    there.

    Parameters
    ----------
    population_size : int, default=1000
        Number of formulas per generation.
    generations : int, default=20
        Maximum number of generations.
    tournament_size : int, default=10
        Tournament size for selecting a parent.
    stopping_criteria : float, default=0.0
        Error at which the run ends.
    const_range : (float, float), default=(-1.0, 1.0)
        Range of the initial constants; None excludes constants from formulas.
    init_depth : (int, int), default=(2, 6)
        Minimum and maximum depth of the initial formulas.
    max_depth : int, default=17
        Maximum depth.
    max_size : int, default=100
        Maximum number of nodes.
    function_set : tuple, default=('add', 'sub', 'mul', 'div')
        Functions used in formulas.
    fit_constants : {"inherited", "learned"}, default="inherited"
        Whether fitted constants are inherited; None fits no constants.
    parsimony_coefficient : float, default=0.0003
        Penalty per node in the selection of parents; larger values keep programs small.
    p_crossover : float, default=0.7
        Fraction of offspring by crossover.
    p_subtree_mutation : float, default=0.15
        Fraction of offspring with a regrown subtree.
    p_hoist_mutation : float, default=0.02
        Fraction of offspring with a hoisted subtree.
    p_point_mutation : float, default=0.1
        Fraction of offspring with point mutations.
    p_point_replace : float, default=0.1
        Probability that a point mutation changes a node.
    validation_fraction : float, optional
        Fraction of the rows held out to choose a formula; None holds out none.
    schema : Schema or dict, optional
        Schema of the columns; inferred from their types by default.
    n_jobs : int, optional
        Number of parallel jobs; -1 uses all processors.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : ClassFormulas
    n_iter_, n_evaluations_, n_nodes_ : int
        Number of generations, of evaluated formulas and of evaluated nodes.

    See Also
    --------
    SymbolicRegressor : Symbolic regression.
    GeneticProgramming : Evolution of programs in a declared language.

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
