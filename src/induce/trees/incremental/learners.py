"""A tree that learns one example at a time and always is what ID3 would have grown from all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, Self, cast

import numpy as np
from sklearn.utils.validation import _check_feature_names

from induce.core.arrays import longer
from induce.core.errors import InputError, ModelFileError
from induce.core.estimator import declared_classes
from induce.core.hypothesis import Hypothesis
from induce.core.loops import repeated, spend
from induce.core.notes import note
from induce.core.progress import report
from induce.core.values import Value
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Column, Schema
from induce.data.table import UNSEEN, Table, encode, encode_declared, infer_schema
from induce.data.training import Examples
from induce.trees.growth import GrowthRule, grow
from induce.trees.hypothesis import Tree
from induce.trees.incremental import _loops as loops
from induce.trees.learners import TreeLearner

STEP, PLAIN_STEP = 5_000_000, 20_000
"""Counts looked at in one step, compiled or not: a small fraction of a second."""
TERMS = 2**14
"""Up to here k log2 k is looked up."""
FEW_ROWS = 500
"""So many rows are read cell by cell sooner than column by column."""
LEAST_ASIDE = 64
"""Branches of fewer examples are not put aside: growing them anew is as quick."""


class StandingTree:
    """A tree in mutable arrays that takes in one example after the other.

    Parameters
    ----------
    inputs : Schema
        Nominal columns.
    n_classes : int
    few : int, optional
        A node of so many examples keeps a table of counts; by default so many that it takes no more space than they.
    least_aside : int
        Branches of so many examples are put aside when the test changes.
    """

    def __init__(
        self, inputs: Schema, n_classes: int, few: int | None = None, least_aside: int = LEAST_ASIDE
    ) -> None:
        sizes = np.array([len(column.domain) for column in inputs])
        start = np.append(0, np.cumsum(sizes))
        k = np.arange(TERMS, dtype=np.float64)
        if few is None:
            few = int(np.clip(start[-1] * n_classes // len(sizes), 8, 256))
        self.n_columns = len(sizes)
        self.widest = max(1, int(sizes.max()))
        self.settings = loops.Settings(start, k * np.log2(np.maximum(k, 1.0)), few, least_aside)
        self.nodes = np.full((1, loops.NODE_SIZE), loops.NONE)
        self.nodes[0, loops.SIZE] = 0
        self.counts = np.zeros((1, n_classes))
        self.cells = np.empty((0, 2), np.int64)
        self.room = loops.Room(
            tables=np.empty((1, int(start[-1]), n_classes)),
            free_table=np.empty(1, np.int64),
            free_block=np.full(self.widest + 1, loops.NONE),
            order=np.empty(0, np.int64),
            sorted=np.empty(0, np.int64),
            put=np.empty(self.widest, np.int64),
            walk=np.empty((1, 2), np.int64),
            stack=np.zeros((1, 4), np.int64),
        )
        self.state = np.zeros(loops.STATE_SIZE, np.int64)
        self.state[[loops.N_NODES, loops.N_TABLES]] = 1
        self.state[[loops.FREE_TABLE, loops.FREE_CELL]] = loops.NONE

    def learn(self, seen: loops.Seen, stop: int) -> None:
        """Take in the examples before `stop` that were not taken in yet."""
        begin = int(self.state[loops.NEXT])
        self._make_room(stop)
        while not self._step(seen, stop):
            self._make_room(stop)
            report((int(self.state[loops.NEXT]) - begin) / max(1, stop - begin))

    def _step(self, seen: loops.Seen, stop: int) -> bool:
        """Take in some of these examples; say whether all are in the tree."""
        learn = repeated(loops.learn, 0)
        arrays = self.nodes, self.counts, self.cells, self.room, self.state
        budget = PLAIN_STEP if learn is loops.learn else STEP
        done = learn(seen, self.settings, *arrays, stop, budget)
        spend(loops.learn, float(self.state[loops.SPENT]))
        return bool(done)

    def learn_at_once(self, seen: loops.Seen, stop: int) -> None:
        """Take in all examples before `stop` together, into a tree that has none."""
        self._make_room(stop)
        self.room.order[:stop] = np.arange(stop)
        self.counts[0] = np.bincount(seen.labels[:stop], seen.weights[:stop], self.counts.shape[1])
        self.nodes[0, loops.SIZE] = stop
        self.room.stack[0] = loops.GROW, 0, 0, stop
        self.state[[loops.NEXT, loops.STACK]] = stop, 1
        self.learn(seen, stop)

    def _make_room(self, n_examples: int) -> None:
        """Give the next step the space it may need; what others rely on grows first."""
        state = self.state
        if n_examples >= len(self.room.order):
            size = 2 * (n_examples + 1)
            self.room = self.room._replace(
                order=longer(self.room.order, size), sorted=np.empty(size, np.int64)
            )
        if state[loops.N_NODES] + self.widest > len(self.nodes):
            size = 2 * (int(state[loops.N_NODES]) + self.widest)
            self.room = self.room._replace(walk=np.empty((size, 2), np.int64))
            self.counts = longer(self.counts, size)
            self.nodes = longer(self.nodes, size)
        if state[loops.N_TABLES] == len(self.room.tables):
            size = 2 * len(self.room.tables)
            self.room = self.room._replace(
                tables=longer(self.room.tables, size), free_table=longer(self.room.free_table, size)
            )
        if state[loops.STACK] + self.widest + 2 > len(self.room.stack):
            size = 2 * (int(state[loops.STACK]) + self.widest + 2)
            self.room = self.room._replace(stack=longer(self.room.stack, size))
        _, _, lo, hi = (
            self.room.stack[state[loops.STACK] - 1].tolist() if state[loops.STACK] else (0, 0, 0, 0)
        )
        needed = int(state[loops.USED_CELLS]) + hi - lo + self.n_columns + 2
        if needed > len(self.cells):
            self.cells = longer(self.cells, 2 * needed)

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the tree as it stands, as an immutable value."""
        size = int(self.state[loops.N_NODES])
        shape = np.empty((3, size), np.int32)
        counts = np.empty((size, len(classes)))
        snapshot = repeated(loops.snapshot, counts.size)
        n = snapshot(self.nodes, self.counts, self.settings.start, self.room.walk, shape, counts)
        return Tree(
            schema=schema,
            target=target,
            classes=classes,
            attribute=shape[0, :n].copy(),
            threshold=np.full(n, np.nan),
            first=shape[1, :n].copy(),
            n_branches=shape[2, :n].copy(),
            map_start=np.full(n, -1, np.int32),
            branch_map=np.empty(0, np.int32),
            counts=counts[:n].copy(),
        )


class Memory:
    """The examples seen so far and the tree they have led to."""

    def __init__(
        self, schema: Schema, target: str, classes: tuple[Value, ...], tree: Tree | None = None
    ) -> None:
        self.schema = schema
        self.target = target
        self.classes = classes
        self._look_up()
        n_nominal = sum(column.kind == "nominal" for column in self.inputs)
        self.n = 0
        self.nominal = np.empty((0, n_nominal), np.int32)
        self.numeric = np.empty((0, len(self.inputs) - n_nominal))
        self.labels = np.empty(0, np.int64)
        self.weights = np.empty(0)
        self.in_place = all(column.kind == "nominal" and not column.ordered for column in self.inputs)
        self._standing: StandingTree | None = None
        self._tree = tree

    def _look_up(self) -> None:
        """Prepare to find the codes of known text cells and classes one by one."""
        self.inputs = self.schema.inputs()
        text = all(isinstance(value, str) for column in self.inputs for value in column.domain)
        self._codes = [
            {value: code for code, value in enumerate(column.domain)} if column.role == "input" else None
            for column in self.schema
        ]
        self._places = {value: place for place, value in enumerate(self.classes)}
        self._quick = text and len({*map(type, self.classes)}) == 1

    def enlarge(self, schema: Schema, classes: tuple[Value, ...]) -> None:
        """Let columns have further values, or the target further classes."""
        if schema != self.schema or classes != self.classes:
            self.schema, self.classes = schema, classes
            self._standing = self._tree = None
            self._look_up()

    def add(self, examples: Examples, tree: Tree | None = None) -> None:
        """Add some examples, perhaps with the tree of all those seen then."""
        n, stop = self.n, self.n + len(examples)
        if stop > len(self.labels):
            for name in ("nominal", "numeric", "labels", "weights"):
                setattr(self, name, longer(getattr(self, name), 2 * stop))
        self.nominal[n:stop] = examples.table.nominal
        self.numeric[n:stop] = examples.table.numeric
        self.labels[n:stop] = examples.labels
        self.weights[n:stop] = examples.weight()
        if self.in_place and (examples.table.nominal < 0).any():
            self.in_place, self._standing = False, None
        self._tree = tree
        self.n = stop

    def learn(self, examples: Examples) -> None:
        """Add some examples and take them into the tree one by one."""
        if self._standing is None:
            self._stand()
        self.add(examples)
        self._stand()

    def _stand(self) -> None:
        """See to it that all examples are in the standing tree, if there can be one."""
        if self.in_place:
            seen = loops.Seen(self.nominal, self.labels, self.weights)
            if self._standing is None:
                standing = StandingTree(self.inputs, len(self.classes))
                standing.learn_at_once(seen, self.n)
                self._standing = standing
            self._standing.learn(seen, self.n)

    def known_rows(self, X: Any, y: Any, names: list[str] | None) -> Examples | None:
        """Read a few rows cell by cell, which is quick; None if they hold anything but known text."""
        if not (self.in_place and self._quick and hasattr(X, "shape") and X.shape[0] <= FEW_ROWS):
            return None
        cells = _cells(X, names)
        values = y.to_list() if hasattr(y, "to_list") else y.tolist() if hasattr(y, "tolist") else y
        if cells is None or not isinstance(values, list) or len(cells) != len(values):
            return None
        if {*map(type, values)} != {type(self.classes[0])}:
            return None
        try:
            codes = [
                [code[cell] for code, cell in zip(self._codes, row, strict=True) if code is not None]
                for row in cells
            ]
            labels = np.array([self._places[value] for value in values], np.int64)
        except (KeyError, TypeError, ValueError):
            return None
        table = Table(self.inputs, np.empty((len(labels), 0)), np.array(codes, np.int32))
        return Examples(table, labels, None, len(self.classes))

    def examples(self) -> Examples:
        """Return all examples seen so far."""
        n, weights = self.n, self.weights[: self.n]
        table = Table(self.inputs, self.numeric[:n], self.nominal[:n])
        return Examples(table, self.labels[:n], None if (weights == 1).all() else weights, len(self.classes))

    def tree(self) -> Tree:
        """Return the tree of all examples seen so far."""
        if self._tree is None:
            self._stand()
            if self._standing is not None:
                self._tree = self._standing.tree(self.schema, self.target, self.classes)
            else:
                self._tree = grow(self.examples(), self.schema, self.target, self.classes, GrowthRule())
        return self._tree


class IncrementalID3(TreeLearner):
    """ID3 one example at a time: after every example the tree is what `ID3` grows from all seen so far.

    Counts at the nodes tell at once when another test has become the best one; then that part of the tree is
    restructured, as in Utgoff's ID5R, and the rest stays. All examples are kept. (Mitchell §3.8 mentions such
    extensions of ID3.)

    Restructuring needs nominal attributes whose values are all known. Where an attribute is numeric or ordered, or
    once a value is missing, `partial_fit` only keeps the examples, and the tree is grown anew when it is asked
    for; a missing value then counts as in `ID3`. In prediction, a row whose tested value is missing goes down every
    branch with a fraction of its weight, and a category not seen in training gets the distribution of the node that
    asks.

    Parameters
    ----------
    schema : Schema or dict, optional
        What is known of the columns beyond their types. A value that comes up later and is not declared here is
        added to those of its column.

    Attributes
    ----------
    hypothesis_ : Tree
        The tree of the examples seen so far, made when it is asked for.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.incremental.learners import IncrementalID3
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = IncrementalID3().partial_fit(X[:6], y[:6])
    >>> print(tree.hypothesis_)
    Outlook = Sunny: No (2/2)
    Outlook = Overcast: Yes (1/1)
    Outlook = Rain
    |   Wind = Weak: Yes (2/2)
    |   Wind = Strong: No (1/1)
    >>> for day in range(6, 14):
    ...     tree = tree.partial_fit(X[day : day + 1], y[day : day + 1])
    >>> str(tree.hypothesis_) == str(induce.ID3().fit(X, y).hypothesis_)
    True
    """

    class_weight = None

    def __init__(self, *, schema: Schema | dict[str, Any] | None = None) -> None:
        self.schema = schema

    @property
    def hypothesis_(self) -> Tree:
        """The tree of all examples seen so far."""
        memory = self.__dict__.get("_memory")
        if memory is None:
            raise AttributeError(
                f"this {type(self).__name__} has learned nothing yet; call fit or partial_fit"
            )
        return cast(Memory, memory).tree()

    @hypothesis_.setter
    def hypothesis_(self, tree: Hypothesis) -> None:
        tree = cast(Tree, tree)
        self._memory = Memory(tree.schema, tree.target, tree.classes, tree)

    def _forget(self) -> None:
        self.__dict__.pop("_memory", None)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget what was learned and grow a tree from all rows at once.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of classes
        sample_weight : array, optional
            A row of weight 2 counts as two rows.
        """
        examples, schema, target, classes = self._examples(X, y, sample_weight)
        tree = grow(examples, schema, target, classes, GrowthRule(), report)
        memory = Memory(schema, target, classes)
        memory.add(examples, tree)
        self._memory = memory
        report(1.0)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows, one after the other.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of classes
        classes : sequence, optional
            Classes to come, in the order in which ties are broken; when `y` declares its categories these are
            known already. A class that comes up unannounced is added after the others.
        sample_weight : array, optional
            A row of weight 2 counts as two rows.
        """
        memory: Memory | None = self.__dict__.get("_memory")
        announced = declared_classes(y) if classes is None else _listed(classes)
        if memory is not None and sample_weight is None and {*announced} <= {*memory.classes}:
            names = getattr(self, "feature_names_in_", None)
            quick = memory.known_rows(X, y, None if names is None else names.tolist())
            if quick is not None:
                memory.learn(quick)
                return self
        if memory is None:
            examples, schema, target, found = self._examples(X, y, sample_weight)
            memory, was_in_place = Memory(schema, target, ()), True
        else:
            examples, schema, found = self._further(memory, X, y, sample_weight)
            was_in_place = memory.in_place
        known = _joined(memory.classes, announced, found)
        if len({isinstance(value, str) for value in known}) > 1:
            raise InputError("y holds both text and numbers; make all classes text or all of them numbers")
        place = np.array([known.index(value) for value in found])
        examples = Examples(examples.table, place[examples.labels], examples.weights, len(known))
        self._memory, self.classes_ = memory, np.unique(np.asarray(known))
        memory.enlarge(schema, known)
        memory.learn(examples)
        if was_in_place and not memory.in_place:
            note(f"{_hindrance(memory)}: the tree is not restructured but grown anew when it is asked for")
        return self

    def _further(
        self, memory: Memory, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, tuple[Value, ...]]:
        """Encode rows that come after others; return also the schema with the values new in them."""
        _check_feature_names(self, X, reset=False)
        raw = raw_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        if raw.n_rows == 0:
            raise InputError("the table has no rows; give at least one to learn from")
        before = self.classes_
        try:
            _, found, codes = self._target(y)
        finally:
            self.classes_ = before
        if len(codes) != raw.n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(codes)}"
            )
        schema = memory.schema
        table = encode(raw, schema)
        if (table.nominal == UNSEEN).any():
            schema = self._with_new_values(schema, raw, table)
            table = encode_declared(raw, schema)
        weights = self._weights(sample_weight, None, found, codes)
        return Examples(table, codes, weights, len(found)).counted(), schema, found

    def _with_new_values(self, schema: Schema, raw: RawFrame, table: Table) -> Schema:
        """Return the schema with the values that were not seen before, except where the user declared them."""
        told = self.schema if isinstance(self.schema, dict) else {c.name: c for c in self.schema or ()}
        columns = []
        unseen = iter((table.nominal == UNSEEN).any(axis=0))
        for column, cells in zip(schema, raw.columns, strict=True):
            if column.role == "input" and column.kind == "nominal" and next(unseen) and not column.ordered:
                change = {cells.name: told.get(column.name)}
                declared = Schema((Column(cells.name),)).override(change)[cells.name].domain
                alone = RawFrame((cells,), raw.n_rows, named=True)
                found = infer_schema(alone, {cells.name: Column(cells.name, "nominal")})[cells.name].domain
                if not declared and {*map(type, found)} == {*map(type, column.domain)}:
                    column = replace(column, domain=_joined(column.domain, found))
            columns.append(column)
        return Schema(tuple(columns))

    def _resumable_state(self) -> dict[str, Any]:
        seen = self._memory.examples()
        return super()._resumable_state() | {
            "nominal": seen.table.nominal,
            "numeric": seen.table.numeric,
            "labels": seen.labels,
            "weights": seen.weight(),
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        tree = self.hypothesis_
        inputs = tree.schema.inputs()
        nominal, numeric, labels, weights = map(
            state.__getitem__, ("nominal", "numeric", "labels", "weights")
        )
        n_nominal = sum(column.kind == "nominal" for column in inputs)
        sizes = np.array([len(column.domain) for column in inputs if column.kind == "nominal"])
        sound = (
            (nominal.dtype, numeric.dtype) == (np.int32, np.float64)
            and (labels.dtype, weights.dtype) == (np.int64, np.float64)
            and labels.ndim == 1
            and labels.shape == weights.shape
            and nominal.shape == (len(labels), n_nominal)
            and numeric.shape == (len(labels), len(inputs) - n_nominal)
            and bool(((nominal >= -1) & (nominal < sizes)).all())
            and bool(((labels >= 0) & (labels < len(tree.classes))).all())
            and bool((np.isfinite(weights) & (weights > 0)).all())
            and not np.isinf(numeric).any()
        )
        if not sound:
            raise ModelFileError("the examples it keeps do not fit its tree")
        table = Table(inputs, numeric, nominal)
        self._memory.add(Examples(table, labels, weights, len(tree.classes)), tree)


def _cells(X: Any, names: list[str] | None) -> list[Any] | None:
    """The rows of a small frame with these columns or of a small array, as Python values."""
    if isinstance(X, np.ndarray):
        return X.tolist() if names is None and X.ndim == 2 and X.dtype.kind in "OU" else None
    if names is None or list(getattr(X, "columns", ())) != names:
        return None
    if hasattr(X, "rows"):
        return cast(list[Any], X.rows())
    return cast(list[Any], X.to_numpy(dtype=object).tolist()) if hasattr(X, "iloc") else None


def _joined(*groups: Iterable[Value]) -> tuple[Value, ...]:
    """The values of several groups, each once and where it comes first."""
    return tuple(dict.fromkeys(chain(*groups)))


def _listed(classes: Any) -> list[Value]:
    values = np.asarray(classes)
    if values.ndim != 1 or values.dtype.kind not in "OUSbiuf":
        raise InputError(f"classes is {classes!r}; give a list of the classes that may come")
    return cast(list[Value], values.tolist())


def _hindrance(memory: Memory) -> str:
    """Say what keeps a tree from being restructured in place."""
    for column in memory.inputs:
        if column.kind != "nominal":
            return f"column {column.name!r} is numeric"
        if column.ordered:
            return f"the values of column {column.name!r} are ordered"
    column = memory.inputs.columns[int((memory.nominal < 0).any(axis=0).argmax())]
    return f"column {column.name!r} has missing values"
