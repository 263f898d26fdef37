"""The decision tree as a value: it predicts, prints, draws, explains and exports itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.core.values import Value
from induce.data.table import Table
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Places, ProbabilisticClassifier
from induce.hypotheses.naming import right_of_all, value_text
from induce.hypotheses.rules import Rule, RuleList
from induce.trees.explanation import TreeExplanation, explain_row
from induce.trees.structure import PATH_STEPS, Floats, Structure

if TYPE_CHECKING:
    from induce.hypotheses.contrast import Contrast, Question
    from induce.hypotheses.expressions.nodes import Expression

STEP = 100_000
"""Number of rows sent down a tree in one compiled call, which cannot be interrupted."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tree(SqlForm, PythonForm, OnnxForm, Structure, ProbabilisticClassifier):
    """A decision tree over nominal and numeric attributes.

    A missing value sends a row down all branches, weighted by the fraction of training examples in each,
    unless `missing` or `surrogates` say otherwise. A value not seen in training ends at the node that tests
    it.

    Parameters
    ----------
    schema : Schema
        All columns of the training table; nodes test only inputs.
    target : str
        Name of the target column.
    attribute : array of int32
        The testable column that each node tests; -1 at a leaf.
    threshold : array of float64
        Threshold of a numeric test with two branches: values up to and including it take the first branch.
    first, n_branches : arrays of int32
        The first child and the number of children of each node.
    map_start : array of int32
        Start of a node's map in `branch_map`, or -1 if the code is the branch; for a numeric test, start of
        its intervals in `cuts`, or -1 if it has a single threshold.
    branch_map : array of int32
        Maps from nominal codes to branches, one node after another.
    cuts : array of float64
        Ends of the intervals of numeric tests with several cuts.
    missing : {"fractional", "mode"}
        Treatment of a row with a missing value: all branches, weighted by the training examples in each, or
        only the branch with the most training examples.
    surrogates : Surrogates, optional
        Surrogate tests, used if the value of a test is missing.
    classes : tuple
        The classes, in the order in which ties are broken.
    counts : array of float64, shape (nodes, classes)
        The weight of the training examples of each class.
    m : float
        m of the m-estimate: weight of the prior in a node's probabilities, in examples; 0 gives relative
        frequencies.
    prior : array of float64
        The prior probability of each class; uniform if empty.

    See Also
    --------
    Structure : the parameters that describe the tests.
    """

    classes: tuple[Value, ...]
    counts: Floats
    m: float = 0.0
    prior: Floats = field(default_factory=lambda: np.empty(0))

    of_nodes: ClassVar[tuple[str, ...]] = ("counts",)

    @cached_property
    def weights(self) -> Floats:
        """The weight of the training examples that reached each node."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def distribution(self) -> Floats:
        """The probability of each class at each node; nodes without training examples inherit their parent's."""
        source = np.arange(self.n_nodes)
        while ((empty := self.weights[source] <= 0) & (source != 0)).any():
            source = np.where(empty & (source != 0), self.parent[source], source)
        prior = self.prior if len(self.prior) else np.full(len(self.classes), 1.0 / len(self.classes))
        totals = self.weights[source] + self.m
        safe = np.where(totals > 0, totals, 1.0)
        shares = (self.counts[source] + self.m * prior) / safe[:, None]
        shares[totals == 0] = prior
        return np.asarray(shares)

    def smoothed(self, m: float, prior: Floats | None = None) -> Tree:
        """Return the tree with m-estimates as its probabilities.

        Without a prior, it is uniform; Laplace's estimate has `m` equal to the number of classes.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> tree = induce.ID3().fit(X, y).hypothesis_
        >>> tree.smoothed(2).predict_proba(X[:1]).round(2).tolist()
        [[0.2, 0.8]]
        """
        return replace(self, m=float(m), prior=np.empty(0) if prior is None else prior)

    @cached_property
    def majority(self) -> NDArray[np.int64]:
        """The most common class of each node; ties go to the first."""
        return np.asarray(self.distribution.argmax(axis=1))

    def _reached(self, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Find the node where each row ends, the rows with missing values, and the outputs of their branches."""
        from induce.trees import _path_loops

        work = PATH_STEPS * len(table)
        reached = repeated(_path_loops.descend, work)(self.paths_arrays, table.numeric, table.nominal)
        several = np.flatnonzero(reached == _path_loops.EVERY)
        shares = np.zeros((len(several), len(self.classes)))
        if len(several):
            arrays = self.paths_arrays, self.surrogate_arrays
            spread = repeated(_path_loops.spread, work * len(self.classes))
            spread(*arrays, self.distribution, table.numeric, table.nominal, several, shares)
        return reached, several, shares

    def _scores(self, table: Table) -> Floats:
        reached, several, shares = self._reached(table)
        probabilities = self.distribution[reached]
        probabilities[several] = shares
        return probabilities

    def places(self, X: Any) -> Places:
        """Return the position in `classes` of the most probable class of each row."""
        return self.codes(self.encoded(X))

    def codes(self, table: Table) -> NDArray[np.int64]:
        """Return the position in `classes` of the most probable class of each encoded row.

        The class of a node is looked up, which is faster than comparing the probabilities of every row.
        """
        reached, several, shares = self._reached(table)
        codes = self.majority[reached]
        codes[several] = shares.argmax(axis=1)
        return codes

    def route(self, table: Table, labels: NDArray[np.int64], weights: Floats) -> Floats:
        """Return the class counts of each node for other examples sent down the tree."""
        from induce.trees import _path_loops

        counts = np.zeros_like(self.counts)
        rows = _path_loops.Rows(table.numeric, table.nominal, labels)
        entries = np.arange(len(labels), dtype=np.int32)
        arrays = self.paths_arrays, self.surrogate_arrays
        route = repeated(_path_loops.route, PATH_STEPS * len(table))
        for lo in range(0, len(labels), STEP):
            hi = min(lo + STEP, len(labels))
            route(*arrays, rows, entries, weights, lo, hi, 0, counts)
        return counts

    def explain(self, X: Any) -> tuple[TreeExplanation, ...]:
        """Return, for each row, the tests on its path with their class counts."""
        table = self.encoded(X)
        probabilities = self.predict_proba(table)
        return tuple(explain_row(self, table, i, probabilities[i]) for i in range(len(table)))

    def _told_of_nodes(self) -> dict[str, Any]:
        return {"counts": self.counts, "class": self.majority}

    def deciders(self, X: Any) -> NDArray[np.int64]:
        """Return the node where each row ends; -1 if a missing value sends it down several branches."""
        reached, several, _ = self._reached(self.encoded(X))
        return np.asarray(np.where(np.isin(np.arange(len(reached)), several), -1, reached))

    def _contrast(self, question: Question) -> Contrast:
        from induce.hypotheses.contrast import by_paths, thresholds_of

        paths = [(int(self.majority[leaf]), leaf, path) for leaf, path in self.paths()]
        cuts = thresholds_of(self.schema, (condition for *_, path in paths for condition in path))
        return by_paths(question, paths, cuts)

    def prediction(self, node: int) -> Value:
        """Return the class that a node predicts."""
        return self.classes[int(self.majority[node])]

    def leaf_text(self, node: int) -> str:
        """Return the text of a leaf: its class and how many of its training examples have that class."""
        prediction = self.prediction(node)
        return (
            f"{value_text(prediction)} ({right_of_all(prediction, self.classes, self.counts[node].tolist())})"
        )

    def to_rules(self) -> RuleList:
        """Return the tree as a list of rules, one for each leaf.

        A row with a missing value that the rules test satisfies none of them and gets the default class.
        """
        rules = tuple(
            Rule(path, self.prediction(leaf), tuple(self.counts[leaf].tolist())).simplified()
            for leaf, path in self.paths()
        )
        everything = tuple(self.counts[0].tolist())
        return RuleList(
            self.schema,
            self.target,
            self.classes,
            rules,
            self.prediction(0),
            everything,
            class_counts=everything,
        )

    def expression(self) -> Expression:
        """Return the tree as an expression: the class with the largest weight over the leaves reached.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> tree = induce.ID3(max_depth=1).fit(X, y).hypothesis_
        >>> print(tree.to_sql("days").partition("SELECT CASE")[2].partition("ELSE")[0])
        <BLANKLINE>
            WHEN "Outlook" = 'Sunny' THEN 'No'
            WHEN "Outlook" = 'Overcast' THEN 'Yes'
            WHEN "Outlook" = 'Rain' THEN 'Yes'
            WHEN "Outlook" NOT IN ('Sunny', 'Overcast', 'Rain') THEN 'Yes'
        """
        from induce.hypotheses.expressions.nodes import Constant, Descent, Largest
        from induce.trees.expression import splits_of

        says = tuple(Constant(tuple(shares)) for shares in self.distribution.tolist())
        return Largest(Descent(splits_of(self), says), tuple(map(Constant, self.classes)))

    def to_prolog(self) -> str:
        """Return the rules of the tree as Prolog clauses."""
        return self.to_rules().to_prolog()

    def _repr_html_(self) -> str:
        from induce.trees.html import html

        return html(self)

    def draw(self, gains: bool = False) -> Any:
        """Return a matplotlib figure of the tree.

        Parameters
        ----------
        gains : bool
            Draw the tree as the books do: from the root down, with the number of examples of each class and
            the information gain at each node.
        """
        if gains:
            from induce.trees.book_pictures import draw_with_gains

            return draw_with_gains(self)
        from induce.trees.pictures import draw

        return draw(self)

    def _fits(self) -> bool:
        return (
            len(self.classes) > 0
            and isinstance(self.counts, np.ndarray)
            and self.counts.dtype == self.prior.dtype == np.float64
            and self.counts.shape == (self.n_nodes, len(self.classes))
            and bool(np.isfinite(self.counts).all() and (self.counts >= 0).all())
            and self.prior.shape in ((0,), (len(self.classes),))
            and bool((self.prior >= 0).all())
            and 0 <= self.m < np.inf
            and super()._fits()
        )
