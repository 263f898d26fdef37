"""Trees as SQL and as Python that predict as the tree does, missing values included."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.values import plain
from induce.hypotheses.conditions import Above, Condition, NominalCondition, NumericCondition, simplified
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import (
    LONGEST_CHAIN,
    pieces,
    sql_all,
    sql_comments,
    sql_condition,
    sql_first_largest,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.trees.hypothesis import Tree

# what SQLite reads whatever its version: bytes of a query, and joins and depths that stay below its limits
LONGEST_QUERY = 1_000_000
MOST_LEAVES = 1_500
DEEPEST = 200


@dataclass(frozen=True)
class _Step:
    """The branch to a child: its condition, and the share of a row with a missing value that takes it.

    `stand_ins` has, for each test that stands in for the missing value, what sends a row here and elsewhere.
    """

    child: int
    attribute: str
    condition: Condition | None
    share: float
    stand_ins: tuple[tuple[Condition | None, Condition | None], ...]


@dataclass(frozen=True)
class _End:
    """Where a row, or a part of it, may end: a leaf, or a node that meets a value not seen in training.

    `unseen` says in SQL that the value is not in the domain; it is empty at a leaf.
    """

    node: int
    steps: tuple[_Step, ...]
    unseen: str = ""


def to_sql(tree: Tree, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with a column "prediction".

    A row without missing values is decided by the path it takes. Other rows add up the shares of all leaves
    that a part of them reaches. Nominal columns are compared as the values of their domain, so the table must
    store what the tree was learned from.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3(max_depth=1).fit(X, y).hypothesis_
    >>> print(to_sql(tree, "days").partition("ELSE")[0])
    SELECT *,
      CASE
        WHEN "Outlook" = 'Sunny' THEN 'No'
        WHEN "Outlook" = 'Overcast' THEN 'Yes'
        WHEN "Outlook" = 'Rain' THEN 'Yes'
        WHEN "Outlook" NOT IN ('Sunny', 'Overcast', 'Rain') THEN 'Yes'
    """
    if tree.n_leaves > MOST_LEAVES or tree.depth > DEEPEST or len(tree.classes) > LONGEST_CHAIN:
        raise _too_large(tree)
    if tree.n_nodes == 1 or len(tree.classes) == 1:
        prediction = sql_literal(tree.prediction(0))
    else:
        ends = list(_ends(tree))
        rest = f"ELSE {_sum_over_ends(tree, ends)}"
        prediction = "\n    ".join(["CASE", *_whole_rows(tree, ends), rest]) + "\n  END"
    query = (
        f"{sql_comments(unit_notes(tree.schema, _tested(tree)))}"
        "SELECT *,\n"
        f'  {prediction} AS "prediction"\n'
        f"FROM {sql_identifier(table)}"
    )
    if len(query.encode()) > LONGEST_QUERY:
        raise _too_large(tree)
    return query


def _too_large(tree: Tree) -> InputError:
    return InputError(
        f"the tree ({tree.size()}, {len(tree.classes)} classes) is too large for one SQL query; export it as "
        "Python (to_python), export its rules (to_rules().to_sql()), or prune it"
    )


def _ends(tree: Tree) -> Iterator[_End]:
    """Yield the ends in the order in which `predict` adds them up."""
    waiting: list[tuple[int, tuple[_Step, ...]]] = [(0, ())]
    while waiting:
        node, steps = waiting.pop()
        if tree.attribute[node] < 0:
            yield _End(node, steps)
            continue
        column = tree.tested(node)
        if column.kind == "nominal":
            domain = ", ".join(map(sql_literal, column.domain))
            yield _End(node, steps, f"{sql_identifier(column.name)} NOT IN ({domain})")
        below = []
        for branch, child in enumerate(tree.children(node)):
            stand_ins = tuple((both[branch], both[1 - branch]) for both in tree.stand_ins(node))
            condition = tree.condition(node, branch)
            step = _Step(child, column.name, condition, float(tree.share[child]), stand_ins)
            if step.condition is not None or step.share > 0 or step.stand_ins:
                below.append((child, (*steps, step)))
        waiting += reversed(below)


def _whole_rows(tree: Tree, ends: Sequence[_End]) -> list[str]:
    """Write the paths of rows that meet no missing value; a NULL satisfies no test."""
    whens = []
    for end in sorted(ends, key=lambda end: end.unseen != ""):  # leaves first: they read as rules
        path = [step.condition for step in end.steps if step.condition is not None]
        if len(path) == len(end.steps):
            tests = [sql_all(simplified(path))] if path else []
            tests += [end.unseen] if end.unseen else []
            whens.append(f"WHEN {' AND '.join(tests)} THEN {sql_literal(tree.prediction(end.node))}")
    return whens


def _sum_over_ends(tree: Tree, ends: Sequence[_End]) -> str:
    """Write the class with the largest sum of shares over the ends, weighted by the part that reaches it."""
    stem = _free_stem(tree)
    parts = {f"{stem}part_{step.child}": _part(step) for end in ends for step in end.steps}
    parts |= {f"{stem}stop_{end.node}": _stop(end) for end in ends if end.unseen}
    tables = []
    for number, names in enumerate(pieces(list(parts))):
        columns = [f"{parts[name]} AS {name}" for name in names]
        tables.append(_with(f"{stem}parts_{number}", columns))
    sources = [f"{stem}parts_{number}" for number in range(len(tables))]
    scores = [f"{stem}score_{code}" for code in range(len(tree.classes))]
    sums = ""
    for number, piece in enumerate(pieces(ends)):
        # sums of fractions depend on their order: each piece goes on adding to the sums of the one before
        columns = [
            f"{_sum(tree, piece, code, stem, score if sums else '0.0')} AS {score}"
            for code, score in enumerate(scores)
        ]
        source = [sums, *sources] if sums else sources
        sums = f"{stem}scores_{number}"
        tables.append(_with(sums, columns, source))
    withs = ",\n      ".join(tables)
    choice = "\n        ".join(["CASE", *sql_first_largest(scores, tree.classes)])
    return f"(WITH\n      {withs}\n      SELECT {choice}\n      END FROM {sums})"


def _with(name: str, columns: Sequence[str], sources: Sequence[str] = ()) -> str:
    listed = ",\n        ".join(columns)
    source = f"\n        FROM {', '.join(sources)}" if sources else ""
    return f"{name} AS (SELECT\n        {listed}{source})"


def _part(step: _Step) -> str:
    whens = [f"WHEN {sql_condition(step.condition)} THEN 1.0"] if step.condition is not None else []
    missing = f"WHEN {sql_identifier(step.attribute)} IS NULL"
    for here, elsewhere in step.stand_ins:
        for condition, part in ((here, "1.0"), (elsewhere, "0.0")):
            if condition is not None:
                whens.append(f"{missing} AND {sql_condition(condition)} THEN {part}")
    if step.share > 0:
        whens.append(f"{missing} THEN {sql_literal(step.share)}")
    return f"CASE {' '.join(whens)} ELSE 0.0 END"


def _stop(end: _End) -> str:
    return f"CASE WHEN {end.unseen} THEN 1.0 ELSE 0.0 END"


def _sum(tree: Tree, ends: Sequence[_End], code: int, stem: str, start: str) -> str:
    terms = [start]
    for end in ends:
        share = float(tree.distribution[end.node, code])
        if share > 0:
            factors = [f"{stem}part_{step.child}" for step in end.steps]
            factors += [f"{stem}stop_{end.node}"] if end.unseen else []
            factors += [sql_literal(share)] if share < 1 else []
            terms.append(" * ".join(factors))
    return "\n        + ".join(terms)


def _free_stem(tree: Tree) -> str:
    """Return what to put before the names in the query so that none of them is a column's."""
    stem = ""
    own = ("part", "stop_", "score")
    while any(name.lower().startswith(tuple(stem + each for each in own)) for name in tree.schema.names()):
        stem += "the_"
    return stem


def _tested(tree: Tree) -> set[str]:
    return {tree.tested(node).name for node in range(tree.n_nodes) if tree.attribute[node] >= 0}


LEGEND = (
    "    # of each node: the share of each class, the column it tests, its values or the numbers up to which",
    "    # each branch but the last goes, the node that each leads to, the tests that stand in for a missing",
    "    # value, and what part of a row goes to each branch if none does, the last branch first",
)
WALK = """\
    def way(column, test, branches):
        value = row.get(column)
        if value is None or value != value:
            return None
        if isinstance(test, list):
            return branches[sum(float(value) > end for end in test)]
        return branches[test.index(value)] if value in test else -1

    scores = [0.0] * len(classes)
    waiting = [(0, 1.0)]
    while waiting:
        node, weight = waiting.pop()
        shares, column, test, branches, stand_ins, parts = nodes[node]
        onward = -1 if column is None else way(column, test, branches)
        if onward is None:
            found = [way(*stand_in) for stand_in in stand_ins]
            onward = next((branch for branch in found if branch not in (None, -1)), None)
        if onward is None:
            waiting += [(branch, weight * part) for branch, part in parts]
        elif onward >= 0:
            waiting.append((onward, weight))
        else:
            scores = [score + weight * share for score, share in zip(scores, shares)]
    return classes[scores.index(max(scores))]
"""


def to_python(tree: Tree, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> space = {}
    >>> exec(to_python(induce.ID3().fit(X, y).hypothesis_), space)
    >>> space["predict"]({"Outlook": "Sunny", "Humidity": "High"}), space["predict"]({})
    ('No', 'Yes')
    """
    header = python_header(name, tree.target, unit_notes(tree.schema, _tested(tree)))
    classes = tuple(map(plain, tree.classes))
    nodes = [f"        {_node(tree, node)},  # {node}" for node in range(tree.n_nodes)]
    lines = [*header, f"    classes = {classes!r}", *LEGEND, "    nodes = (", *nodes, "    )"]
    return "\n".join(lines) + f"\n{WALK}"


def _node(tree: Tree, node: int) -> str:
    shares = tuple(tree.distribution[node].tolist())
    if tree.attribute[node] < 0:
        return repr((shares, None, (), (), (), ()))
    column = tree.tested(node)
    children = tree.children(node)
    stand_ins = tuple(_stand_in(both, children) for both in tree.stand_ins(node) if any(both))
    parts = tuple((child, float(tree.share[child])) for child in reversed(children) if tree.share[child] > 0)
    if column.kind != "nominal":
        return repr((shares, column.name, tree.ends(node).tolist(), tuple(children), stand_ins, parts))
    start = int(tree.map_start[node])
    codes = range(len(column.domain))
    branches = codes if start < 0 else tree.branch_map[start : start + len(codes)].tolist()
    values = tuple(map(plain, column.domain))
    return repr((shares, column.name, values, tuple(children[b] for b in branches), stand_ins, parts))


def _stand_in(both: tuple[Condition | None, Condition | None], children: range) -> tuple[object, ...]:
    """Return the column, the test and the nodes it leads to, as those of a node."""
    first = both[0] if both[0] is not None else both[1]
    if isinstance(first, NumericCondition):
        swapped = isinstance(first, Above)
        ends = [bound for bound in first.bounds if math.isfinite(bound)]
        return first.attribute, ends, tuple(reversed(children) if swapped else children)
    values: list[object] = []
    leads: list[int] = []
    for condition, child in zip(both, children, strict=True):
        if isinstance(condition, NominalCondition):
            values += map(plain, condition.accepted)
            leads += [child] * len(condition.accepted)
            attribute = condition.attribute
    return attribute, tuple(values), tuple(leads)
