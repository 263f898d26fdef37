"""Choice of a test with look-ahead over further tests below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.loops import repeated
from induce.core.parameters import whole
from induce.core.progress import report
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.trees.hypothesis import Tree
from induce.trees.recursion import Place, Rows, Test, class_tree, cut, divide, is_cut
from induce.trees.searches import _loops as loops
from induce.trees.structure import MODE

Floats = NDArray[np.float64]
Candidate = tuple[int, int]
"""A test: the attribute and, if its values are cut, the position in its order where the second branch starts."""
Judge = Callable[..., None]

TOLERANCE = 1e-9
"""Differences below this fraction of a bit, or of the highest cost, do not make a test better."""


THRESHOLDS = whole(
    "Maximum number of thresholds of a numeric attribute considered in the look-ahead.", at_least=1
)
"""Declaration of the parameter that limits the candidate thresholds."""


@dataclass(frozen=True, eq=False)
class View:
    """Some examples with every column in ascending order of its values."""

    rows: Rows
    labels: NDArray[np.int64]
    weights: Floats
    order: list[Rows]
    ranks: list[NDArray[np.int32]]


class Tried(NamedTuple):
    """The last node with a choice of tests: its examples, depth, class counts and merits of attributes."""

    view: View
    depth: int
    counts: Floats
    merits: dict[str, dict[str, float]]


class Lookahead:
    """Choice of the test with the smallest remainder after up to `steps` more tests on every path below it.

    The remainder of a set of examples is its impurity, or the cost of predicting its most common class. A
    test adds its price for every example. Ties are broken by fewer steps, then by the declared order.

    Parameters
    ----------
    examples : Examples
        Training examples.
    measure : int
        Measure of impurity; a constant of the loops.
    steps : int
        Maximum number of tests to look ahead.
    max_thresholds : int
        Maximum number of evenly spaced thresholds per attribute considered in the look-ahead.
    max_depth : int or None
        Maximum depth; None sets no limit.
    prices : array of float64, optional
        Price of each test, which must save more than that; without prices, every test that splits is allowed.
    cost : array of float64, shape (classes, classes), optional
        Cost of predicting the second class for an example of the first.
    """

    def __init__(
        self,
        examples: Examples,
        measure: int,
        steps: int,
        max_thresholds: int,
        max_depth: int | None,
        prices: Floats | None = None,
        cost: Floats | None = None,
    ) -> None:
        self.examples = examples
        self.inputs = examples.table.schema.columns
        self.cuts = [is_cut(column) for column in self.inputs]
        self.measure = measure
        self.steps = steps
        self.max_thresholds = max_thresholds
        self.max_depth = max_depth
        self.prices = np.zeros(len(self.inputs)) if prices is None else prices
        self.must_save = prices is not None
        self.cost = np.zeros((0, 0)) if cost is None else cost
        self.slack = TOLERANCE * (1.0 if cost is None else float(cost.max()))
        self.weights = examples.weight()
        self.ranks = [_ranks(examples, f) for f in range(len(self.inputs))]
        self.done = 0

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the tree grown with this choice of tests."""
        divided = self._emit if trace.active("split") else None
        return class_tree(
            divide(len(self.examples), self.pick, divided), self.examples, schema, target, classes, MODE
        )

    def pick(self, rows: Rows, above: tuple[Test, ...]) -> tuple[Test, NDArray[Any]] | None:
        """Return the best test of the given examples and the branch of each, or None for a leaf."""
        picked = None if len(above) == self.max_depth else self._best(rows, above)
        if picked is None:
            self.done += len(rows)
            report(self.done / len(self.examples))
        return picked

    def _best(self, rows: Rows, above: tuple[Test, ...]) -> tuple[Test, NDArray[Any]] | None:
        view = self._view(rows)
        weight = float(view.weights.sum())
        slack = self.slack * weight
        counts = self._counts(view, np.zeros(len(rows), np.int64), 1)
        leaf = float(self._impurities(counts)[0])
        if leaf <= slack:
            return None
        paid = frozenset(test.attribute for test in above)
        at_once, left = self._best_of_columns(view, counts, paid)
        if not at_once:
            return None
        candidates, after = at_once, [left]
        if self.steps and left.min() > slack:
            candidates = self._candidates(view, dict(at_once))
            after = [self._values(view, candidates, 0, paid)]
        while len(after) <= self.steps and after[-1].min() > slack:
            after.append(self._values(view, candidates, len(after), paid))
        best = np.arange(len(candidates))
        for values in reversed(after):
            best = best[values[best] <= values[best].min() + slack]
        chosen = int(best[0])
        if self.must_save and after[-1][chosen] >= leaf - slack:
            return None
        if trace.active("split"):
            gain, merit = (leaf - after[0]) / weight, (leaf - after[-1]) / weight
            self.tried = Tried(view, len(above), counts[0], self._merits(candidates, gain, merit))
        return self._test(view, candidates[chosen]), self._branch(view, candidates[chosen])

    def _view(self, rows: Rows) -> View:
        order, ranks = [], []
        for of_column in self.ranks:
            here = of_column[rows]
            order.append(np.argsort(here, kind="stable"))
            ranks.append(here[order[-1]])
        return View(rows, self.examples.labels[rows], self.weights[rows], order, ranks)

    def _price(self, attribute: int, paid: frozenset[int]) -> float:
        """Return the price of a test per example: 0 if its value is known from a test above."""
        return 0.0 if attribute in paid else float(self.prices[attribute])

    def _n_branches(self, attribute: int) -> int:
        return 2 if self.cuts[attribute] else len(self.inputs[attribute].domain)

    def _counts(self, view: View, branch: Rows, n_branches: int) -> Floats:
        """Return the class counts of every branch."""
        k = self.examples.n_classes
        counts = np.bincount(branch * k + view.labels, view.weights, n_branches * k)
        return counts.reshape(n_branches, k).astype(np.float64)

    def _impurities(self, counts: Floats) -> Floats:
        """Return the weighted impurity of every branch."""
        found: Floats = repeated(loops.impurities, counts.size)(counts, self.measure, self.cost)
        return found

    def _judges(self, view: View, times: int) -> tuple[Judge, Judge]:
        """Return the loops that evaluate nominal and threshold tests, for a number of evaluations.

        The choice between plain and compiled loops is made once for all evaluations, because it takes longer
        than one evaluation on few examples.
        """
        n_cuts = sum(self.cuts)
        looked_at = len(view.rows) * times
        # For a threshold, both sides are updated and evaluated class by class at nearly every example;
        # nominal values are only counted.
        return (
            repeated(loops.best_multiway, looked_at * (len(self.cuts) - n_cuts)),
            repeated(loops.best_threshold, looked_at * n_cuts * 4 * self.examples.n_classes),
        )

    def _lower(
        self,
        judges: tuple[Judge, Judge],
        view: View,
        attribute: int,
        branch: Rows,
        counts: Floats,
        paid: frozenset[int],
        best: Floats,
    ) -> NDArray[np.int64]:
        """Lower `best` of every branch to its remainder after a test of an attribute; return the cuts."""
        at = np.full(len(counts), -1)
        judges[self.cuts[attribute]](
            view.order[attribute],
            view.ranks[attribute],
            view.labels,
            view.weights,
            branch,
            counts,
            self._price(attribute, paid),
            self.measure,
            self.cost,
            best,
            at,
        )
        return at

    def _best_of_columns(
        self, view: View, counts: Floats, paid: frozenset[int]
    ) -> tuple[list[Candidate], Floats]:
        """Return the best test of each attribute that has one, and its remainder."""
        candidates, left = [], []
        whole = np.zeros(len(view.rows), np.int64)
        judges = self._judges(view, 1)
        for f in range(len(self.inputs)):
            best = np.full(1, np.inf)
            at = int(self._lower(judges, view, f, whole, counts, paid, best)[0])
            if at >= 0:
                candidates.append((f, at))
                left.append(float(best[0]))
        return candidates, np.array(left)

    def _candidates(self, view: View, best: dict[int, int]) -> list[Candidate]:
        """Return the tests for the look-ahead: for a cut attribute, up to the maximum number of thresholds."""
        found = []
        for f, at in best.items():
            cuts = np.array([0])
            if self.cuts[f]:
                ranks = view.ranks[f]
                cuts = np.flatnonzero((ranks[1:] != ranks[:-1]) & (ranks[:-1] >= 0)) + 1
                if len(cuts) > self.max_thresholds:
                    spread = np.linspace(0, len(cuts) - 1, self.max_thresholds).round().astype(np.int64)
                    cuts = np.union1d(cuts[spread], at)
            found += [(f, int(cut)) for cut in cuts]
        return found

    def _values(self, view: View, candidates: list[Candidate], steps: int, paid: frozenset[int]) -> Floats:
        """Return the remainder of each test followed by up to `steps` tests on every path, prices included."""
        weight = float(view.weights.sum())
        values = np.empty(len(candidates))
        judges = self._judges(view, len(candidates) if steps == 1 else 0)
        for i, candidate in enumerate(candidates):
            after = self._after(judges, view, candidate, steps, paid | {candidate[0]})
            values[i] = self._price(candidate[0], paid) * weight + after.sum()
        return values

    def _after(
        self,
        judges: tuple[Judge, Judge],
        view: View,
        candidate: Candidate,
        steps: int,
        paid: frozenset[int],
    ) -> Floats:
        """Return the remainder of each branch of a test after up to `steps` more tests."""
        branch = self._branch(view, candidate)
        counts = self._counts(view, branch, self._n_branches(candidate[0]))
        best = self._impurities(counts)
        if steps == 1:
            for f in range(len(self.inputs)):
                self._lower(judges, view, f, branch, counts, paid, best)
        elif steps > 1:
            for b in np.flatnonzero(best > 0):
                part = self._view(view.rows[branch == b])
                columns = dict(self._best_of_columns(part, counts[b : b + 1], paid)[0])
                if columns:
                    below = self._values(part, self._candidates(part, columns), steps - 1, paid)
                    best[b] = min(best[b], below.min())
        return best

    def _branch(self, view: View, candidate: Candidate) -> Rows:
        """Return the branch of each example; an example with a missing value takes the heaviest branch."""
        attribute, at = candidate
        ranks = self.ranks[attribute][view.rows]
        cut = self.cuts[attribute]
        branch: Rows = np.array(ranks >= view.ranks[attribute][at] if cut else ranks, np.int64)
        unknown = ranks < 0
        if unknown.any():
            known = np.bincount(branch[~unknown], view.weights[~unknown])
            branch[unknown] = known.argmax()
        return branch

    def _test(self, view: View, candidate: Candidate) -> Test:
        attribute, at = candidate
        if not self.cuts[attribute]:
            return Test(attribute, self._n_branches(attribute))
        values = self.examples.table.column(attribute)[view.rows]
        low, high = values[view.order[attribute][at - 1 : at + 1]]
        return cut(self.inputs[attribute], attribute, low, high)

    def _merits(
        self, candidates: list[Candidate], gain: Floats, merit: Floats
    ) -> dict[str, dict[str, float]]:
        """Return the gain of the best test of each attribute, by itself and after the tests that follow."""
        best: dict[int, int] = {}
        for i, (f, _) in enumerate(candidates):
            if f not in best or merit[i] > merit[best[f]]:
                best[f] = i
        names = [column.name for column in self.inputs]
        return {names[f]: {"gain": float(gain[i]), "merit": float(merit[i])} for f, i in best.items()}

    def _emit(self, place: Place, test: Test, branch: NDArray[Any]) -> None:
        """Report a node that is split by the last chosen test to an active trace."""
        view, depth, counts, merits = self.tried
        branches = self._counts(view, np.asarray(branch, np.int64), test.n_branches)
        trace.emit(
            "split",
            node=place.node,
            depth=depth,
            counts=tuple(counts.tolist()),
            candidates=merits,
            chosen=self.inputs[test.attribute].name,
            threshold=None if np.isnan(test.threshold) else test.threshold,
            parent=place.parent,
            branch=place.branch,
            branches=tuple(tuple(each) for each in branches.tolist()),
        )


def _ranks(examples: Examples, attribute: int) -> NDArray[np.int32]:
    """Return the values of a column as ranks; -1 if missing."""
    values = examples.table.column(attribute)
    if examples.table.schema.columns[attribute].kind == "nominal":
        return values.astype(np.int32)
    ranks = np.unique(values, return_inverse=True)[1].astype(np.int32)
    return np.where(np.isnan(values), np.int32(-1), ranks)
