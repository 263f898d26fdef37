"""Symbolic regression by genetic programming (Mitchell §9.5)."""

from __future__ import annotations

import numpy as np

from induce.core.errors import InputError
from induce.estimators import NumberReading, TableRegressor
from induce.evolution.learners.symbolic import LARGEST, SymbolicLearner
from induce.evolution.programs.formula import Formula


class SymbolicRegressor(SymbolicLearner, TableRegressor):
    """Symbolic regression: a formula evolved by genetic programming (Mitchell §9.5).

    Formulas are trees of functions, columns and constants. The next generation is bred from the winners of
    tournaments: subtrees are exchanged (crossover), regrown, hoisted or changed at single nodes (mutation). Up to
    six terms of a sum get coefficients by least squares, and so do the constants inside the best formulas, whose
    functions may take an extra factor and summand. The best formula of each size is kept; from this front of error
    against size, the one with the shortest description length is chosen. The learned formula is in algebraic normal
    form with constants collected; its predictions differ by at most 1e-9 of the target's standard
    deviation.

    A nominal column is encoded as one indicator per value. A missing number is replaced by the column mean, a missing
    or unseen category by the relative frequencies of the categories in training.

    Parameters
    ----------
    population_size : int, default=1000
        Number of formulas per generation.
    generations : int, default=20
        Maximum number of generations; the run ends early if a formula is exact.
    tournament_size : int, default=10
        Tournament size for selecting a parent.
    stopping_criteria : float, default=0.0
        Mean squared error at which the run ends.
    const_range : (float, float) or None, default=(-1.0, 1.0)
        Range of the initial constants; None excludes constants from formulas.
    init_depth : (int, int), default=(2, 6)
        Minimum and maximum depth of the initial formulas (ramped half-and-half).
    max_depth : int, default=17
        Maximum depth.
    max_size : int, default=100
        Maximum number of nodes, not counting the coefficients of terms; the normal form of the chosen formula may
        also be deeper.
    function_set : tuple of str, default=('add', 'sub', 'mul', 'div')
        Functions, from add, sub, mul, div, max, min, pow, neg, abs, sqrt, log, inv, sin, cos, tan, sig, exp, square.
    fit_constants : {"inherited", "learned", None}, default="inherited"
        Fit the coefficients of every formula's terms and the constants inside the best formulas. Offspring get the
        fitted constants ("inherited") or the original ones ("learned"). None fits no constants.
    parsimony_coefficient : float, default=0.0003
        Penalty per node, as a fraction of the root mean squared error of the constant mean prediction.
    p_crossover : float, default=0.7
        Fraction of offspring by crossover. The remaining offspring are copies.
    p_subtree_mutation : float, default=0.15
        Fraction of offspring with a regrown subtree.
    p_hoist_mutation : float, default=0.02
        Fraction of offspring with a hoisted subtree.
    p_point_mutation : float, default=0.1
        Fraction of offspring with point mutations.
    p_point_replace : float, default=0.1
        Probability that a point mutation changes a node.
    validation_fraction : float, optional
        Fraction of rows held out to choose from the front, if there are at least 50 rows. Otherwise the choice is
        by the description length on all rows.
    schema : Schema or dict, optional
        Schema of the columns; inferred from their types by default.
    n_jobs : int, optional
        Number of threads; the formula does not depend on it.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Formula
    n_iter_, n_evaluations_, n_nodes_ : int
        Number of generations, of evaluated formulas and of evaluated nodes.

    See Also
    --------
    SymbolicClassifier : Symbolic classification.
    GeneticProgramming : Evolution of programs in a declared language.
    ModelTree : Trees of linear models.

    References
    ----------
    J. R. Koza (1992). Genetic Programming: On the Programming of Computers by Means of Natural Selection. MIT
    Press.

    Examples
    --------
    >>> X = [[x / 10.0] for x in range(-10, 11)]
    >>> y = [x**4 + x**3 + x**2 + x for (x,) in X]
    >>> learner = SymbolicRegressor(population_size=60, generations=8, const_range=None).fit(X, y)
    >>> print(learner.hypothesis_)
    y = ...
    """

    hypothesis_: Formula

    def _learn(self, reading: NumberReading) -> Formula:
        self._restart()
        if np.abs(reading.numbers).max(initial=0.0) > LARGEST:
            raise InputError(f"y holds numbers beyond {LARGEST:g}, whose squares overflow; scale them down")
        how = self._settings()
        inputs = self._inputs(reading, how)
        return self._formula(inputs, reading.numbers[np.flatnonzero(reading.weight())], reading.target, how)
