"""Trees as SQL: cases that read as rules, sums over leaves for missing values, and tables for large trees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeGuard

from induce.core.errors import InputError
from induce.hypotheses.expressions.nodes import (
    Cell,
    Constant,
    Derived,
    Descent,
    Expression,
    Largest,
    LookUp,
    Missing,
    Split,
    Test,
    Unseen,
)
from induce.hypotheses.writers.sql_text import sql_number

if TYPE_CHECKING:
    from induce.hypotheses.writers.sql import SqlWriter

FEW_NODES = 60
"""Maximum number of nodes for which the trees of a forest are written one by one."""
MOST_NODES = 1_000
DEEPEST = 200
LONGEST = 1_000_000
"""Maximum number of characters of the cases of a tree; a larger tree becomes a table."""
LARGEST = 1.7976931348623157e308


@dataclass(frozen=True)
class _Path:
    """Path of a row to a node: the remaining range of each cell, and the branches taken.

    `ranges` maps each tested column to its cell with an interval or with the indices of values in the domain;
    `steps` holds the nodes and branches. `only_blank` holds the columns that must be missing, as no value
    takes this path; `never_blank` those that must not be missing.
    """

    node: int = 0
    ranges: dict[str, tuple[Cell, tuple[float, float] | frozenset[int]]] = field(default_factory=dict)
    steps: tuple[tuple[int, int], ...] = ()
    only_blank: frozenset[str] = frozenset()
    never_blank: frozenset[str] = frozenset()


def whole_rows(writer: SqlWriter, tree: Descent, says: tuple[Constant, ...]) -> list[str]:
    """Write the cases of a classification tree: one path each for complete rows, then all other rows."""
    best = [_largest(node) for node in tree.says]
    said = [writer.scalar(says[place]) for place in best]
    if len(tree.splits) == 1:
        return [f"ELSE {said[0]}"]
    if _is_small(tree):
        ends = [path for path in _paths(tree) if not path.only_blank]
        leaves = [path for path in ends if tree.splits[path.node] is None]
        inner = [path for path in ends if tree.splits[path.node] is not None]
        whens = [f"WHEN {_tests(writer, tree, path)} THEN {said[path.node]}" for path in [*leaves, *inner]]
        if sum(map(len, whens)) <= LONGEST:
            names = [writer.column("score", text) for text in sum_over_leaves(writer, tree)]
            from induce.hypotheses.writers.sql import first_largest

            chosen = first_largest(names, list(map(writer.scalar, says)))
            return [*whens, f"ELSE CASE {' '.join(chosen)} END"]
    return [f"ELSE {_Forest(writer, [tree]).best(list(map(writer.scalar, says)))}"]


def whole_forest(writer: SqlWriter, trees: Sequence[Largest], says: tuple[Constant, ...]) -> list[str]:
    """Write the prediction of an ensemble of voting trees."""
    descents = [tree.scores for tree in trees if isinstance(tree.scores, Descent)]
    votes = [[_numbers(said) for said in tree.says] for tree in trees]
    return [f"ELSE {_Forest(writer, descents).winner(votes, list(map(writer.scalar, says)))}"]


def one_path(writer: SqlWriter, tree: Descent) -> str:
    """Write the number predicted by a tree in which every row takes one path."""
    if len(tree.splits) == 1:
        return writer.result(tree.says[0])
    if tree.divides or any(split is not None and split.surrogates for split in tree.splits):
        raise InputError(
            "cannot export a tree with formulas in its leaves that divides rows to SQL; use to_python"
        )
    if _is_small(tree):
        whens = [
            f"WHEN {_tests(writer, tree, path, blank=True)} THEN {writer.result(tree.says[path.node])}"
            for path in _paths(tree)
        ]
        if sum(map(len, whens)) <= LONGEST:
            return "\n    ".join(["CASE", *whens]) + "\n  END"
    node = _Forest(writer, [tree]).node()
    whens = [f"WHEN {k} THEN {writer.result(said)}" for k, said in enumerate(tree.says)]
    return f"CASE {node} {' '.join(whens)} END"


def sum_over_leaves(writer: SqlWriter, tree: Descent) -> list[str]:
    """Write the vector of a tree: leaf values weighted by the fraction of the row that reaches each leaf."""
    if not _is_small(tree):
        return _Forest(writer, [tree]).scores()
    parts: dict[tuple[int, int], str] = {}
    for node, split in enumerate(tree.splits):
        if split is not None:
            for branch in range(len(split.children)):
                parts[node, branch] = writer.column("part", _part(writer, split, branch))
    n = len(_numbers(tree.says[0]))
    terms: list[list[str]] = [["0e0"] for _ in range(n)]
    for path in _paths(tree):
        split = tree.splits[path.node]
        factors = [parts[step] for step in path.steps]
        if split is not None:
            factors.append(f"CASE WHEN {writer.test(Unseen(split.test.cell))} THEN 1 ELSE 0 END")
        for place, share in enumerate(_numbers(tree.says[path.node])):
            if share:
                own = [*factors, *([sql_number(share)] if share != 1 or not factors else [])]
                terms[place].append(" * ".join(own))
    return [writer.sum(each) for each in terms]


def _is_small(tree: Descent) -> bool:
    return len(tree.splits) <= MOST_NODES and max(tree.depths) <= DEEPEST


def _largest(said: Expression) -> int:
    numbers = _numbers(said)
    return numbers.index(max(numbers))


def _numbers(said: Expression) -> tuple[float, ...]:
    assert isinstance(said, Constant)
    assert isinstance(said.value, tuple)
    return said.value


# --- paths ---------------------------------------------------------------------------------------------------


def _paths(tree: Descent) -> Iterator[_Path]:
    """Yield the paths to every leaf and to every node that may meet an unseen value, in the order of addition."""
    waiting = [_Path()]
    while waiting:
        path = waiting.pop()
        split = tree.splits[path.node]
        if split is None:
            yield path
            continue
        if split.test.cell.column.kind == "nominal":
            yield path
        waiting += reversed(list(_onward(path, split)))


def _onward(path: _Path, split: Split) -> Iterator[_Path]:
    cell = split.test.cell
    name = cell.column.name
    for branch, child in enumerate(split.children):
        allowed = _allowed(split.test, branch)
        before = path.ranges.get(name)
        left = allowed if before is None else _both(before[1], allowed)
        takes_blank = split.shares[branch] > 0 or bool(split.surrogates)
        blank = path.only_blank | ({name} if left is None else frozenset())
        never = path.never_blank | (frozenset() if takes_blank else {name})
        if blank & never:
            continue
        ranges = dict(path.ranges)
        ranges[name] = (cell, left if left is not None else allowed or frozenset())
        yield replace(
            path,
            node=child,
            ranges=ranges,
            steps=(*path.steps, (path.node, branch)),
            only_blank=blank,
            never_blank=never,
        )


def _allowed(test: Test, branch: int) -> tuple[float, float] | frozenset[int] | None:
    """Return the interval, or the indices of the values, that take a branch; None if none does."""
    if test.cell.column.kind == "nominal":
        return frozenset(k for k, taken in enumerate(test.branches) if taken == branch) or None
    ends = (-math.inf, *test.ends, math.inf)
    places = [k for k, taken in enumerate(test.branches) if taken == branch]
    return (ends[places[0]], ends[places[-1] + 1]) if places else None


def _both(
    a: tuple[float, float] | frozenset[int], b: tuple[float, float] | frozenset[int] | None
) -> tuple[float, float] | frozenset[int] | None:
    if b is None:
        return None
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a & b or None
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low < high else None


def _tests(writer: SqlWriter, tree: Descent, path: _Path, blank: bool = False) -> str:
    """Write the test that a row takes this path; with `blank` also if an irrelevant value is missing."""
    split = tree.splits[path.node]
    found = []
    for name, (cell, left) in path.ranges.items():
        missing = writer.test(Missing(cell))
        if name in path.only_blank:
            found.append(missing)
            continue
        if split is not None and split.test.cell.column.name == name:
            continue  # implied for an unseen value
        text = _range(writer, cell, left)
        found.append(f"({text} OR {missing})" if blank and name not in path.never_blank else text)
    if split is not None:
        found.append(writer.test(Unseen(split.test.cell)))
    return " AND ".join(found)


def _range(writer: SqlWriter, cell: Cell, left: tuple[float, float] | frozenset[int]) -> str:
    if isinstance(left, frozenset):
        domain = cell.column.domain
        return writer.membership(cell, tuple(domain[k] for k in sorted(left)))
    low, high = left
    tests = [] if low == -math.inf else [writer.compared(cell, ">", low)]
    tests += [] if high == math.inf else [writer.compared(cell, "<=", high)]
    return " AND ".join(tests)


def _part(writer: SqlWriter, split: Split, branch: int) -> str:
    """Write the fraction of a row that takes a branch."""
    cell = split.test.cell
    allowed = _allowed(split.test, branch)
    whens = [] if allowed is None else [f"WHEN {_range(writer, cell, allowed)} THEN 1"]
    missing = f"WHEN {writer.test(Missing(cell))}"
    for test in split.surrogates:
        for other in range(len(split.children)):
            taken = _allowed(test, other)
            if taken is not None:
                whens.append(f"{missing} AND {_range(writer, test.cell, taken)} THEN {int(other == branch)}")
    if split.shares[branch] > 0:
        whens.append(f"{missing} THEN {sql_number(split.shares[branch])}")
    return f"CASE {' '.join(whens)} ELSE 0 END" if whens else "0"


# --- tables of branches --------------------------------------------------------------------------------------


def is_large_forest(terms: Sequence[Expression]) -> TypeGuard[Sequence[Largest]]:
    """Return whether terms are voting trees that are better evaluated as a table."""
    trees = [term.scores for term in terms if isinstance(term, Largest) and isinstance(term.scores, Descent)]
    return len(trees) == len(terms) and sum(len(tree.splits) for tree in trees) > FEW_NODES


def is_large_sum(terms: Sequence[Expression]) -> TypeGuard[Sequence[Descent]]:
    """Return whether terms are additive trees that are better evaluated as a table."""
    trees = [term for term in terms if isinstance(term, Descent)]
    return len(trees) == len(terms) and sum(len(tree.splits) for tree in trees) > FEW_NODES


def whole_sum(writer: SqlWriter, trees: Sequence[Descent], says: tuple[Constant, ...]) -> list[str]:
    """Write the item with the largest sum over the leaves of an ensemble of trees."""
    return [f"ELSE {_Forest(writer, trees).largest_sum(list(map(writer.scalar, says)))}"]


def is_large_sum_of_numbers(terms: Sequence[Expression]) -> TypeGuard[Sequence[Descent]]:
    """Return whether terms are many trees with numbers."""
    return is_large_sum(terms) and all(
        isinstance(said, Constant) and isinstance(said.value, float) for tree in terms for said in tree.says
    )


def sum_of_numbers(writer: SqlWriter, trees: Sequence[Descent]) -> str:
    """Write the sum of the numbers at the leaves of trees."""
    return _Forest(writer, trees, numbers=True).sum_of_numbers()


def forest_votes(writer: SqlWriter, trees: Sequence[Largest], before: list[str] | None) -> list[str]:
    """Write the sum of the votes of several trees, added to the sum before, from the first tree to the last."""
    descents = [tree.scores for tree in trees if isinstance(tree.scores, Descent)]
    return _Forest(writer, descents).votes([[_numbers(said) for said in tree.says] for tree in trees], before)


class _Forest:
    """Trees as a table of branches and a table of nodes, and the recursive query that passes a row down all trees.

    The cells of a row are numbers: nominal ones are indices in the domain, -1 if unseen. A branch has the
    interval of the numbers that take it; nodes are numbered in the order of addition.
    """

    def __init__(self, writer: SqlWriter, trees: Sequence[Descent], numbers: bool = False) -> None:
        if any(split is not None and split.surrogates for tree in trees for split in tree.splits):
            raise InputError(
                "cannot export trees with surrogate splits that are too large for one SQL query; use to_python"
            )
        self.writer, self.trees = writer, trees
        self.cells: dict[str, Cell] = {}
        branches: list[list[str]] = []
        nodes: list[list[str]] = []
        for number, tree in enumerate(trees):
            place = {node: k for k, node in enumerate(_preorder(tree))}
            for node in place:
                split = tree.splits[node]
                column = -1 if split is None else self._column(split.test.cell)
                said = tree.says[node]
                told: tuple[float, ...] = (node,)
                if isinstance(said, Constant) and isinstance(said.value, tuple):
                    told = _numbers(said)
                elif isinstance(said, Constant) and isinstance(said.value, float) and numbers:
                    told = (said.value,)
                nodes.append([str(number), str(place[node]), str(column), *map(sql_number, map(float, told))])
                if split is not None:
                    branches += self._branches(number, place, node, split, column)
        width = max(len(node) for node in nodes) - 3
        self.score_names = [f"s_{k}" for k in range(width)]
        self.nodes = writer.table("nodes", ["tree", "node", "tested", *self.score_names], nodes)
        names = ["tree", "node", "child", "tested", "low", "high", "share"]
        # a table needs a row; this one belongs to no tree
        self.branches = writer.table(
            "branches", names, branches or [["-1", "0", "0", "0", "0e0", "0e0", "0e0"]]
        )

    def _column(self, cell: Cell) -> int:
        self.cells.setdefault(cell.column.name, cell)
        return list(self.cells).index(cell.column.name)

    def _branches(
        self, number: int, place: dict[int, int], node: int, split: Split, column: int
    ) -> Iterator[list[str]]:
        for branch, child in enumerate(split.children):
            share = split.shares[branch]
            for low, high in _intervals(split.test, branch) or [(0.0, 0.0)]:
                start = [str(number), str(place[node]), str(place[child]), str(column)]
                yield [*start, *map(sql_number, (max(low, -LARGEST), min(high, LARGEST), float(share)))]
                share = 0.0

    def _value(self, of: str) -> str:
        """Write the tested cell of a node, as a number."""
        whens = []
        for k, cell in enumerate(self.cells.values()):
            whens.append(f"WHEN {k} THEN {self.writer.column('cell', _code(self.writer, cell))}")
        return f"CASE {of}.tested {' '.join(whens)} END" if whens else "0"

    def _walk(self) -> str:
        """Write the steps of the recursive query, and the ends of the paths."""
        value = self._value("b")
        nominal = [str(k) for k, cell in enumerate(self.cells.values()) if cell.column.kind == "nominal"]
        unseen = f" OR (n.tested IN ({', '.join(nominal)}) AND {self._value('n')} = -1)" if nominal else ""
        return (
            "walk(tree, node, part) AS (\n"
            f"      SELECT tree, node, 1e0 FROM {self.nodes} WHERE node = 0\n"
            "      UNION ALL\n"
            f"      SELECT b.tree, b.child, walk.part * CASE WHEN {value} IS NULL THEN b.share ELSE 1 END\n"
            f"      FROM walk JOIN {self.branches} AS b ON b.tree = walk.tree AND b.node = walk.node\n"
            f"      WHERE CASE WHEN {value} IS NULL THEN b.share > 0\n"
            f"        ELSE {value} > b.low AND {value} <= b.high END),\n"
            "    ends AS (SELECT walk.part, n.*\n"
            f"      FROM walk JOIN {self.nodes} AS n ON n.tree = walk.tree AND n.node = walk.node\n"
            f"      WHERE n.tested < 0{unseen})"
        )

    def node(self) -> str:
        """Write the number of the node where a row ends."""
        return self.writer.column("ended", f"(WITH RECURSIVE {self._walk()}\n    SELECT MAX(s_0) FROM ends)")

    def scores(self) -> list[str]:
        """Write the sums over the leaves of one tree."""
        walk = self._walk()
        return [
            self.writer.column("score", f"(WITH RECURSIVE {walk}\n    SELECT SUM(part * {name}) FROM ends)")
            for name in self.score_names
        ]

    def best(self, says: list[str]) -> str:
        """Write the item with the largest score of one tree."""
        sums = ", ".join(f"SUM(part * {name}) AS {name}" for name in self.score_names)
        return (
            f"(WITH RECURSIVE {self._walk()},\n    scores AS (SELECT {sums} FROM ends)\n"
            f"    SELECT {_of_largest(self.score_names, says)} FROM scores)"
        )

    def winner(self, votes: Sequence[Sequence[tuple[float, ...]]], says: list[str]) -> str:
        """Write the item with the largest sum of votes."""
        names, query = self._total(votes)
        return f"({query}    SELECT {_of_largest(names, says)} FROM total)"

    def largest_sum(self, says: list[str]) -> str:
        """Write the item with the largest sum over the leaves of all trees."""
        return f"({self._added()}    SELECT {_of_largest(self.score_names, says)} FROM total)"

    def sum_of_numbers(self) -> str:
        """Write the sum over the leaves of all trees, which hold one number each."""
        return self.writer.column("total", f"({self._added()}    SELECT s_0 FROM total)")

    def _added(self) -> str:
        """Write the query of the sums over the leaves of all trees, from the first tree to the last."""
        sums = ", ".join(f"SUM(part * {name}) AS {name}" for name in self.score_names)
        added = ", ".join(f"SUM({name}) AS {name}" for name in self.score_names)
        return (
            f"WITH RECURSIVE {self._walk()},\n"
            f"    scores AS (SELECT tree, {sums} FROM ends GROUP BY tree),\n"
            f"    total AS (SELECT {added} FROM (SELECT * FROM scores ORDER BY tree) AS ordered)\n"
        )

    def votes(self, votes: Sequence[Sequence[tuple[float, ...]]], before: list[str] | None) -> list[str]:
        """Write the sums of the trees' votes for their largest scores."""
        names, query = self._total(votes)
        start = [f"{text} + " for text in before] if before else [""] * len(names)
        return [
            self.writer.column("vote", f"{text}({query}    SELECT {name} FROM total)")
            for name, text in zip(names, start, strict=True)
        ]

    def _total(self, votes: Sequence[Sequence[tuple[float, ...]]]) -> tuple[list[str], str]:
        """Write the query of the sums of votes; return the names of the sums with it."""
        n, k = len(votes[0]), len(votes[0][0])
        rows = [
            [str(tree), str(place), *map(sql_number, vector)]
            for tree, vectors in enumerate(votes)
            for place, vector in enumerate(vectors)
        ]
        names = [f"v_{j}" for j in range(k)]
        table = self.writer.table("votes", ["tree", "best", *names], rows)
        sums = ", ".join(f"SUM(part * {name}) AS {name}" for name in self.score_names)
        added = ", ".join(f"SUM({name}) AS {name}" for name in names)
        places = list(map(str, range(n)))
        query = (
            f"WITH RECURSIVE {self._walk()},\n"
            f"    scores AS (SELECT tree, {sums} FROM ends GROUP BY tree),\n"
            f"    said AS (SELECT tree, {_of_largest(self.score_names[:n], places)} AS best FROM scores),\n"
            f"    total AS (SELECT {added} FROM (SELECT v.* FROM said\n"
            # because sums of fractions depend on their order
            f"      JOIN {table} AS v ON v.tree = said.tree AND v.best = said.best ORDER BY v.tree) AS ordered)\n"
        )
        return names, query


def _of_largest(names: Sequence[str], says: list[str]) -> str:
    from induce.hypotheses.writers.sql import first_largest

    return f"CASE {' '.join(first_largest(names, says))} END" if len(names) > 1 else says[0]


def _preorder(tree: Descent) -> Iterator[int]:
    waiting = [0]
    while waiting:
        node = waiting.pop()
        yield node
        split = tree.splits[node]
        if split is not None:
            waiting += reversed(split.children)


def _intervals(test: Test, branch: int) -> list[tuple[float, float]]:
    """Return the intervals of numbers that take a branch; the interval of a nominal value contains its own index."""
    if test.cell.column.kind == "nominal":
        return [(k - 0.5, k + 0.5) for k, taken in enumerate(test.branches) if taken == branch]
    allowed = _allowed(test, branch)
    assert not isinstance(allowed, frozenset)
    return [] if allowed is None else [allowed]


def _code(writer: SqlWriter, cell: Cell) -> str:
    if cell.column.kind != "nominal":
        return writer.number(cell)
    if isinstance(cell, Derived):
        return writer.name(cell)
    says = tuple(Constant(k) for k in range(len(cell.column.domain)))
    return writer.scalar(LookUp(cell, says, Constant(-1), Constant(None)))
