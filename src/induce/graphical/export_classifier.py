"""Networks that predict, as SQL and as Python source that needs nothing installed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.export_python import python_header, python_literal
from induce.hypotheses.export_sql import sql_first_largest, sql_identifier, sql_literal
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.graphical.classifier import NetworkClassifier

MOST_ROWS = 20_000
NEVER = -1e306
"""Stands for minus infinity, which SQL cannot write."""
IMPOSSIBLE = -1e305

BODY = """\

    def known(column):
        value = row.get(column)
        return value if value in domains[column] else None

    def total(open_nodes, state):
        if not open_nodes:
            chance = 1.0
            for names, table in used:
                chance *= table[tuple(state[name] for name in names)]
            return chance
        first, rest = open_nodes[0], open_nodes[1:]
        return sum(total(rest, {**state, first: value}) for value in domains[first])

    state = {column: known(column) for column in domains if column != target and known(column) is not None}
    used = list(tables)
    while True:  # a node that is not known and has no children left bears on nothing
        barren = [
            part for part in used
            if part[0][-1] not in state and part[0][-1] != target
            and not any(part[0][-1] in other[0][:-1] for other in used)
        ]
        if not barren:
            break
        used = [part for part in used if part not in barren]
    nodes = [names[-1] for names, _ in used if names[-1] not in state and names[-1] != target]
    chances = [total(nodes, {**state, target: value}) for value in domains[target]]
    if not any(chances):
        chances = prior
    return domains[target][chances.index(max(chances))]
"""


def to_python(model: NetworkClassifier, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a value of the target.

    Unknown nodes are summed over state by state, so that it suits small networks.
    """
    network = model.network
    _check_size(model, len(network.factors.tables))
    lines = python_header(name, model.target, unit_notes(model.schema, model.schema.names()))
    lines += ["    domains = {"]
    lines += [f"        {python_literal(each.name)}: {_literals(each.domain)}," for each in network.schema]
    lines += ["    }", f"    target = {python_literal(model.target)}", "    tables = ["]
    for node, parents in enumerate(network.parents):
        table = network.factors.table(node)
        names = _literals([network.nodes[k] for k in (*parents, node)])
        domains = [network.schema.columns[k].domain for k in (*parents, node)]
        entries = zip(product(*domains), table.reshape(-1).tolist(), strict=True)
        lines.append(f"        ({names}, {{")
        lines += [f"            {_literals(state)}: {chance!r}," for state, chance in entries]
        lines.append("        }),")
    lines += ["    ]", f"    prior = {model._prior.tolist()!r}"]
    return "\n".join(lines) + "\n" + BODY


def to_sql(model: NetworkClassifier, table: str = "data", key: str | None = None) -> str:
    """Return a query that gives the rows of `table`, or only their `key`, with a column "prediction".

    The score of a value is the sum of the logarithms of the tables that it is in. Where a parent, a child or another
    parent of a child is NULL, so is the prediction.

    Examples
    --------
    >>> from induce.graphical import BeliefNetwork
    >>> rain = BeliefNetwork.of(
    ...     {"wet": ["rain"]},
    ...     {"rain": {"no": 0.5, "yes": 0.5}, "wet": {"no": {"no": 1, "yes": 0}, "yes": {"no": 0.5, "yes": 0.5}}},
    ... )
    >>> print(to_sql(rain.classifier("rain"), key="id"))
    SELECT "id",
      (SELECT CASE
        WHEN score_0 IS NULL THEN NULL
        WHEN score_0 < -1e+305 AND score_1 < -1e+305 THEN 'no'
        WHEN score_0 >= score_1 THEN 'no'
        ELSE 'yes'
        END
        FROM (SELECT
          -0.6931471805599453
            + CASE WHEN "wet" = 'no' THEN 0 WHEN "wet" = 'yes' THEN -1e+306 END
            AS score_0,
          -0.6931471805599453
            + CASE WHEN "wet" = 'no' THEN -0.6931471805599453 WHEN "wet" = 'yes' THEN -0.6931471805599453 END
            AS score_1) AS scores) AS "prediction"
    FROM "data"
    """
    network = model.network
    place = network.graph.position(model.target)
    nodes = [place, *network.graph.children[place]]
    _check_size(model, sum(network.factors.table(node).size for node in nodes))
    stem = "score_"
    while any(name.lower().startswith(stem) for name in network.nodes):
        stem = "_" + stem
    scores = [f"{stem}{code}" for code in range(len(model.classes))]
    sums = ",\n      ".join(
        "\n        + ".join(_term(model, node, place, code) for node in nodes) + f"\n        AS {score}"
        for code, score in enumerate(scores)
    )
    never = " AND ".join(f"{score} < {IMPOSSIBLE!r}" for score in scores)
    most = model.classes[int(model._prior.argmax())]
    cases = [
        f"WHEN {scores[0]} IS NULL THEN NULL",
        f"WHEN {never} THEN {sql_literal(most)}",
        *sql_first_largest(scores, model.classes),
    ]
    inner = "\n    ".join(cases)
    return (
        f"SELECT {'*' if key is None else sql_identifier(key)},\n"
        f"  (SELECT CASE\n    {inner}\n    END\n    FROM (SELECT\n      {sums}) AS scores) "
        f'AS "prediction"\nFROM {sql_identifier(table)}'
    )


def _term(model: NetworkClassifier, node: int, target: int, code: int) -> str:
    """Write the logarithm of what the conditional of a node says when the target has a value."""
    network = model.network
    scope = network.factors.scope(node)
    table = np.take(network.factors.table(node), code, axis=scope.index(target))
    others = [network.schema.columns[k] for k in scope if k != target]
    if not others:
        return _log(float(table))
    whens = []
    for state, values in zip(
        np.ndindex(table.shape), product(*(each.domain for each in others)), strict=True
    ):
        tests = (
            f"{sql_identifier(each.name)} = {sql_literal(v)}" for each, v in zip(others, values, strict=True)
        )
        whens.append(f"WHEN {' AND '.join(tests)} THEN {_log(float(table[state]))}")
    return f"CASE {' '.join(whens)} END"


def _log(chance: float) -> str:
    return sql_literal(math.log(chance) if chance > 0 else NEVER)


def _literals(values: Iterator[Value] | tuple[Value, ...] | list[str]) -> str:
    return f"({', '.join(map(python_literal, values))},)"


def _check_size(model: NetworkClassifier, entries: int) -> None:
    if entries > MOST_ROWS:
        raise InputError(
            f"the tables that {model.target!r} depends on have {entries:,} entries, too many to write out "
            f"({MOST_ROWS:,} at most); save the network as a model file"
        )
