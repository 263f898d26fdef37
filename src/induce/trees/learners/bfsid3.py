"""BFS-ID3: the shortest tree that fits every example, by exhaustive search (Mitchell §3.6)."""

from __future__ import annotations

from functools import reduce
from itertools import count
from operator import or_
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, whole
from induce.core.progress import report
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.naming import plural
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.recursion import Rows, Test, class_tree, cut, divide, is_cut
from induce.trees.searches.shortest import NONE, SizeSearch


class BFSID3(TreeLearner, TableClassifier):
    """The shortest tree that fits the examples: minimum depth, then minimum number of nodes (§3.6).

    Trees of depth 0, 1, 2 and so on are searched exhaustively, so no tree that fits the examples is shorter;
    ID3 approximates this search greedily. Nominal attributes have one branch per declared value; numeric and
    ordered ones are cut at a threshold between any two values. Ties between trees of the same size are broken
    from the root down by the declared order of attributes, then by the lower threshold. Finding the tree is
    NP-hard: the time can grow exponentially with the number of relevant attributes. If rows have the same
    values but different classes, no tree fits them all; their most common class is fitted, with a note.

    A missing value in the training table is an error, because no tree is sure to fit it. In prediction, it
    sends a row down every branch with a fraction of its weight. A category not seen in training gets the
    class distribution of the node that tests it.

    Parameters
    ----------
    max_depth : int, optional
        Maximum depth of the search; `fit` raises an error if no tree of this depth fits the examples.
    max_states : int, default=500000
        Maximum number of sets of examples to visit.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : Tree
        The learned tree.

    See Also
    --------
    ID3 : Trees by information gain, without pruning.
    LookaheadTree : Trees with look-ahead over several tests.

    References
    ----------
    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, section 3.6.

    Examples
    --------
    ID3 sees no gain in either input of an exclusive or, and first wastes tests on other attributes:

    >>> import induce
    >>> from itertools import product
    >>> X = list(product([0, 1], repeat=4))
    >>> y = [c != d for a, b, c, d in X]
    >>> print(induce.ID3().fit(X, y).hypothesis_.size())
    31 nodes, 16 leaves, depth 4
    >>> print(BFSID3().fit(X, y).hypothesis_)
    x2 <= 0.5
    |   x3 <= 0.5: False (4/4)
    |   x3 > 0.5: True (4/4)
    x2 > 0.5
    |   x3 <= 0.5: True (4/4)
    |   x3 > 0.5: False (4/4)
    """

    hypothesis_: Tree
    class_weight = None

    parameters: ClassVar[Declared] = {
        "max_depth": whole(
            "Maximum depth of the search; an error if no such tree fits.", at_least=0, none=True
        ),
        "max_states": whole("Maximum number of sets of examples to visit.", at_least=1),
    }

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        max_states: int = 500_000,
        knowledge: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_states = max_states
        self.knowledge = knowledge
        self.schema = schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def _learn(self, reading: ClassReading) -> Tree:
        search, depth, kind, examples = self._searched(reading)

        def pick(rows: Rows, above: tuple[Test, ...]) -> tuple[Test, NDArray[Any]] | None:
            members = reduce(or_, (1 << k for k in set(kind[rows].tolist())))
            size = search.size(members, depth - len(above))
            if size == 1:
                return None
            tests = search.tests(members, depth - len(above), size)
            attribute, parts = next((tested, parts) for total, tested, parts in tests if total == size)
            values = examples.table.column(attribute)[rows]
            column = examples.table.schema.columns[attribute]
            if not is_cut(column):
                return Test(attribute, len(column.domain)), values
            high = np.array([parts[1] >> k & 1 for k in kind[rows].tolist()])
            return cut(column, attribute, values[high == 0].max(), values[high == 1].min()), high

        found = class_tree(divide(len(examples), pick), examples, *reading.names)
        report(1.0)
        return found

    def count_smallest(self, X: Any, y: Any) -> int:
        """Return the number of trees as short as the one that `fit` returns, including itself.

        Thresholds that split the examples of a node in the same way count once.

        Examples
        --------
        >>> import induce
        >>> BFSID3().count_smallest(*induce.dataset("play-tennis"))
        1
        """
        search, depth, *_ = self._searched(self._read(X, y, None))
        return search.number(search.everything, depth)

    def _searched(self, reading: ClassReading) -> tuple[SizeSearch, int, NDArray[np.int64], Examples]:
        """Find the search of minimum depth, the distinct row of each example, and the examples in use."""
        examples, schema = reading.all_examples(), reading.schema
        numbers = np.flatnonzero(examples.weight() > 0)
        examples = examples.rows(numbers)
        values = _whole_numbers(examples.table, numbers)
        kinds, kind = np.unique(values, axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        votes = np.zeros((len(kinds), examples.n_classes))
        np.add.at(votes, (kind, examples.labels), examples.weight())
        labels = votes.argmax(axis=1)
        conflicts = np.flatnonzero(examples.labels != labels[kind])
        if len(conflicts):
            note(
                f"{plural(len(conflicts), 'row')} (row {numbers[conflicts[0]]}, counted from 0, is the first) cannot "
                "be fitted: rows with the same values have another class more often, which the tree predicts"
            )
        domains = tuple(0 if is_cut(column) else len(column.domain) for column in schema.inputs())
        search = SizeSearch(kinds, labels, domains, self.max_states)
        return search, self._least_depth(search), kind, examples

    def _least_depth(self, search: SizeSearch) -> int:
        for depth in count():
            size = search.size(search.everything, depth)
            trace.emit("depth", depth=depth, nodes=size if size < NONE else None, states=search.n_states)
            if size < NONE:
                break
            if depth == self.max_depth:
                raise InputError(
                    f"no tree of depth {depth} (max_depth) fits every row; raise max_depth, or use ID3, which need "
                    "not fit every row"
                )
        return depth


def _whole_numbers(table: Table, numbers: Rows) -> NDArray[np.int64]:
    """Return the values of a table without missing values as integers that keep their order."""
    values = np.empty((len(table), len(table.schema)), np.int64)
    for j, column in enumerate(table.schema):
        cells = table.column(j)
        nominal = column.kind == "nominal"
        holes = np.flatnonzero(cells < 0 if nominal else np.isnan(cells))
        if len(holes):
            raise InputError(
                f"column {column.name!r} has a missing value (null or NaN) in row {numbers[holes[0]]} "
                "(counted from 0), and no tree is sure to fit it; fill it in, ignore the column, or "
                "use ID3"
            )
        values[:, j] = cells if nominal else np.unique(cells, return_inverse=True)[1]
    return values
