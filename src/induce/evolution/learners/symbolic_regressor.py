"""A formula that predicts a number, evolved by genetic programming (Mitchell §9.5)."""

from __future__ import annotations

import numpy as np

from induce.core.errors import InputError
from induce.estimators import NumberReading, TableRegressor
from induce.evolution.learners.symbolic import LARGEST, SymbolicLearner
from induce.evolution.programs.formula import Formula


class SymbolicRegressor(SymbolicLearner, TableRegressor):
    """A formula that predicts a number, evolved by genetic programming (Mitchell §9.5).

    Formulas are trees of functions, columns and constants. The next generation is made from the winners of
    tournaments: subtrees are exchanged (crossover), regrown, lifted or changed in single nodes (mutation). The
    terms of a sum, up to six, get coefficients by least squares, and so do the constants inside the best
    formulas, whose functions may take a factor and a summand of their own. The best formula of each size is
    kept: of this front of error against size the one with the shortest description is chosen. The learned
    formula is in algebraic normal form with constants collected; its predictions differ by at most 1e-9 of the
    target's spread.

    A nominal column is an indicator for each of its values. A missing number counts as the mean of its column, a
    missing category or one not seen in training as the shares of the categories in training.

    Parameters
    ----------
    population_size : int, default=1000
        Formulas of a generation.
    generations : int, default=20
        Generations, unless a formula is exact before.
    tournament_size : int, default=10
        Formulas of which the best becomes a parent.
    stopping_criteria : float, default=0.0
        The mean squared error that is small enough to stop.
    const_range : (float, float) or None, default=(-1.0, 1.0)
        The range that constants are drawn from; None for formulas without constants of their own.
    init_depth : (int, int), default=(2, 6)
        The depths of the first trees: half of them full, half of them grown at random.
    max_depth : int, default=17
        Maximum depth.
    max_size : int, default=100
        Maximum number of nodes. Coefficients come on top: a product for each term; the normal form of the
        chosen formula may be deeper too.
    function_set : tuple of str, default=('add', 'sub', 'mul', 'div')
        Of add, sub, mul, div, max, min, pow, neg, abs, sqrt, log, inv, sin, cos, tan, sig, exp, square.
    fit_constants : {"inherited", "learned", None}, default="inherited"
        Fit the coefficients of every formula's terms and the constants inside the best formulas: offspring inherit
        the constants, or get those that the formula was born with. None fits nothing.
    parsimony_coefficient : float, default=0.0003
        Penalty per node, as a share of the root mean squared error of the mean.
    p_crossover : float, default=0.7
        Share of offspring by crossover. The rest of the offspring, up to 1, is copied.
    p_subtree_mutation : float, default=0.15
        Share of offspring with a regrown subtree.
    p_hoist_mutation : float, default=0.02
        Share of offspring with a subtree lifted.
    p_point_mutation : float, default=0.1
        Share of offspring with single nodes changed.
    p_point_replace : float, default=0.1
        Probability that a point mutation changes a node.
    validation_fraction : float, optional
        The share of rows held out to choose from the front, of 50 rows or more. With None, or of fewer rows, none is
        held out, and the choice is made by the description length on all rows.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    n_jobs : int, optional
        The number of threads; the formula does not depend on it.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Formula
    n_iter_, n_evaluations_, n_nodes_ : int
        Generations, formulas and nodes of formulas that were worked out.

    See Also
    --------
    SymbolicClassifier : Formulas for classes.
    GeneticProgramming : Programs of a declared language.
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
            raise InputError(f"y holds numbers beyond {LARGEST:g}, whose squares overflow; scale it")
        how = self._settings()
        inputs = self._inputs(reading, how)
        return self._formula(inputs, reading.numbers[np.flatnonzero(reading.weight())], reading.target, how)
