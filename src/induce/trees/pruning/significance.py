"""Pruning of uninformative tests: chi-square pruning and critical values.

Both use only the class counts of a test at its own node, never the errors of the tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.trees import measures
from induce.trees.hypothesis import Tree
from induce.trees.pruning.passes import Floats, cut_unless

DOF_VALUES = ("declared", "present")


def chi_square(tree: Tree, alpha: float = 0.05, dof_values: str = "declared") -> Tree:
    """Prune the tests that are not statistically significant (Quinlan 1986; AIMA 18.3.5).

    A test whose children are all leaves becomes a leaf unless the chi-square test rejects the independence of
    classes and branches at level `alpha`. This is repeated until every such test is significant.

    Parameters
    ----------
    tree : Tree
        Tree to prune.
    alpha : float
        Significance level, above 0 and at most 1; smaller values prune more.
    dof_values : {"declared", "present"}
        Whether the degrees of freedom count all branches of a test, one per declared value of a nominal
        attribute; if not, only branches with examples count.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(chi_square(induce.ID3().fit(X, y).hypothesis_))
    Pat = None: No (2/2)
    Pat = Some: Yes (4/4)
    Pat = Full: No (4/6)
    """
    if not 0 < alpha <= 1:
        raise InputError(f"alpha is {alpha}; give a significance level above 0 and at most 1")
    one_of("dof_values", dof_values, DOF_VALUES)
    statistic, p_value = np.zeros(tree.n_nodes), np.full(tree.n_nodes, np.inf)
    for nodes, tables in _tables(tree):
        test = measures.chi_square_test(tables, tables.shape[1] if dof_values == "declared" else None)
        statistic[nodes], p_value[nodes] = test.statistic, test.p_value
    return cut_unless(
        tree,
        p_value <= alpha,
        lambda node: {"statistic": float(statistic[node]), "p_value": float(p_value[node])},
    )


def critical_value(tree: Tree, value: float, measure: str = "gain") -> Tree:
    """Prune tests that do not reach a critical value, unless a test below them does (Mingers 1987, 1989).

    Parameters
    ----------
    tree : Tree
        Tree to prune.
    value : float
        Minimum value of the measure for keeping a test; larger values prune more.
    measure : str
        A key of `induce.trees.measures.MEASURES`; more is better for all of them.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> [critical_value(tree, value).n_nodes for value in (0.2, 0.9, 1.0)]
    [8, 8, 1]
    """
    one_of("measure", measure, measures.MEASURES)
    if math.isnan(value):
        raise InputError(f"value is {value}; it must be a number")
    reached = np.full(tree.n_nodes, -np.inf)
    for nodes, tables in _tables(tree):
        reached[nodes] = measures.MEASURES[measure](tables)
    tested = tree.attribute >= 0
    return cut_unless(tree, tested & (reached >= value), lambda node: {"value": float(reached[node])})


def _tables(tree: Tree) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    """Yield tests with the same number of branches, and the stack of their tables of counts."""
    tested = np.flatnonzero(tree.attribute >= 0)
    for n_branches in np.unique(tree.n_branches[tested]):
        nodes = tested[tree.n_branches[tested] == n_branches]
        yield nodes, tree.counts[tree.first[nodes][:, None] + np.arange(n_branches)]
