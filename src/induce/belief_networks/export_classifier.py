"""Networks that predict, as SQL and as Python source that needs nothing installed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.export_python import python_header, python_literal
from induce.hypotheses.export_sql import sql_first_largest, sql_identifier, sql_literal
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.belief_networks.classifier import NetworkClassifier
    from induce.belief_networks.network import BeliefNetwork

MOST_ROWS = 20_000
NEVER = -1e306
"""Stands for minus infinity, which SQL cannot write."""
IMPOSSIBLE = -1e305

BODY = """\

    def known(column):
        value = row.get(column)
        if column in domains:
            return value if value in domains[column] else None
        return None if value is None or value != value else float(value)

    def density(state):  # the log density of the numbers that are known, one after the other
        logs, means, spreads = 0.0, {}, {}
        for (*parents, name), numbers, table in lines:
            if name not in used:
                continue
            mean, weights, variance = table[tuple(state[parent] for parent in parents)]
            links = list(zip(weights, numbers))
            mean += sum(weight * means[other] for weight, other in links)
            shared = {other: sum(weight * spreads[other, above] for weight, above in links) for other in means}
            variance += sum(weight * shared[above] for weight, above in links)
            if name in state:
                gap = state[name] - mean
                logs -= 0.5 * (gap / variance * gap + math.log(2 * math.pi * variance))
                for other in means:
                    means[other] += shared[other] / variance * gap
                    for third in means:
                        spreads[other, third] -= shared[other] / variance * shared[third]
                mean, variance, shared = state[name], 0.0, dict.fromkeys(means, 0.0)
            for other in means:
                spreads[name, other] = spreads[other, name] = shared[other]
            means[name], spreads[name, name] = mean, variance
        return logs

    def total(open_nodes, state):  # the log probability of what is known; all else is summed out
        if not open_nodes:
            shares = [table[tuple(state[name] for name in names)] for names, table in tables if names[-1] in used]
            if not all(shares):
                return -math.inf
            return sum(map(math.log, shares)) + density(state)
        first, rest = open_nodes[0], open_nodes[1:]
        parts = [total(rest, {**state, first: value}) for value in domains[first]]
        top = max(parts)
        return top + math.log(sum(math.exp(part - top) for part in parts)) if top > -math.inf else top

    families = {names[-1]: names[:-1] for names, _ in tables}
    families.update({names[-1]: names[:-1] + numbers for names, numbers, _ in lines})
    state = {column: known(column) for column in families if column != target and known(column) is not None}
    used = set(families)
    while True:  # a node that is not known and has no children left bears on nothing
        needed = {parent for node in used for parent in families[node]}
        barren = {node for node in used if node not in state and node != target and node not in needed}
        if not barren:
            break
        used -= barren
    nodes = [names[-1] for names, _ in tables if names[-1] in used - set(state) - {target}]
    logs = [total(nodes, {**state, target: value}) for value in domains[target]]
    if max(logs) == -math.inf:
        logs = prior
    return domains[target][logs.index(max(logs))]
"""


def to_python(model: NetworkClassifier, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a value of the target.

    Unknown nodes are summed over state by state, so that it suits small networks.
    """
    network = model.network
    _check_kinds(model)
    sizes = [len(column.domain) for column in network.schema]
    _check_size(model, sum(_table(network, node).size for node in range(len(sizes))))
    lines = python_header(name, model.target, unit_notes(model.schema, model.schema.names()))
    lines += ["    import math", "", "    domains = {"]
    lines += [
        f"        {python_literal(each.name)}: {_literals(each.domain)},"
        for each in network.schema
        if each.kind == "nominal"
    ]
    lines += ["    }", f"    target = {python_literal(model.target)}", "    tables = ["]
    lines += _python_tables(network)
    lines += ["    ]", "    lines = ["]
    lines += _python_lines(network)
    lines += ["    ]", f"    prior = {model._prior.tolist()!r}"]
    return "\n".join(lines) + "\n" + BODY


def _python_tables(network: BeliefNetwork) -> Iterator[str]:
    """Write the tables of the nominal nodes: the names of a family, and a probability for each of its states."""
    for node, parents in enumerate(network.parents):
        if network.schema.columns[node].kind == "numeric":
            continue
        domains = [network.schema.columns[k].domain for k in (*parents, node)]
        entries = zip(product(*domains), _table(network, node).reshape(-1).tolist(), strict=True)
        yield f"        ({_literals([network.nodes[k] for k in (*parents, node)])}, {{"
        for state, chance in entries:
            yield f"            {_literals(state)}: {chance!r},"
        yield "        }),"


def _python_lines(network: BeliefNetwork) -> Iterator[str]:
    """Write the lines of the numeric nodes, parents first: the names of nominal parents and node, those of numeric
    parents, and intercept, weights and variance for each state."""
    for node in network.graph.order:
        line = network.conditionals[node]
        if not isinstance(line, GaussianConditional):
            continue
        states, numbers = _split(network, node)
        yield (
            f"        ({_literals([network.nodes[k] for k in (*states, node)])}, "
            f"{_literals([network.nodes[k] for k in numbers])}, {{"
        )
        for state in np.ndindex(line.intercepts.shape):
            values = tuple(network.schema.columns[k].domain[c] for k, c in zip(states, state, strict=True))
            yield (
                f"            {_literals(values)}: ({float(line.intercepts[state])!r}, "
                f"{_literals(line.weights[state].tolist())}, {float(line.variances[state])!r}),"
            )
        yield "        }),"


def to_sql(model: NetworkClassifier, table: str = "data", key: str | None = None) -> str:
    """Return a query that gives the rows of `table`, or only their `key`, with a column "prediction".

    The score of a value is the sum of the logarithms of the tables that it is in. Where a parent, a child or another
    parent of a child is NULL, so is the prediction.

    Examples
    --------
    >>> from induce.belief_networks import BeliefNetwork
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
    _check_kinds(model)
    place = network.graph.position(model.target)
    nodes = [place, *network.graph.children[place]]
    _check_size(model, sum(_table(network, node).size for node in nodes))
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
    line = network.conditionals[node]
    if isinstance(line, GaussianConditional):
        states, numbers = _split(network, node)
        scope, shape = states, line.intercepts.shape
        texts = [_log_density(network, line, state, node, numbers) for state in np.ndindex(shape)]
    else:
        table = _table(network, node)
        scope, shape = [*network.parents[node], node], table.shape
        texts = [_log(float(chance)) for chance in table.reshape(-1)]
    terms = np.take(np.array(texts, object).reshape(shape), code, axis=scope.index(target))
    others = [network.schema.columns[k] for k in scope if k != target]
    if not others:
        return str(terms.item() if isinstance(terms, np.ndarray) else terms)
    whens = []
    for state, values in zip(
        np.ndindex(terms.shape), product(*(each.domain for each in others)), strict=True
    ):
        tests = (
            f"{sql_identifier(each.name)} = {sql_literal(v)}" for each, v in zip(others, values, strict=True)
        )
        whens.append(f"WHEN {' AND '.join(tests)} THEN {terms[state]}")
    return f"CASE {' '.join(whens)} END"


def _log_density(
    network: BeliefNetwork, line: GaussianConditional, state: tuple[int, ...], node: int, numbers: list[int]
) -> str:
    """Write the log density of a numeric node in one state of its nominal parents."""
    mean = sql_literal(float(line.intercepts[state]))
    for weight, k in zip(line.weights[state].tolist(), numbers, strict=True):
        mean += f" + {sql_literal(weight)} * {sql_identifier(network.nodes[k])}"
    variance = float(line.variances[state])
    gap = f"({sql_identifier(network.nodes[node])} - ({mean}))"
    constant = sql_literal(-0.5 * math.log(2 * math.pi * variance))
    return f"({constant} - {gap} / {sql_literal(2 * variance)} * {gap})"


def _split(network: BeliefNetwork, node: int) -> tuple[list[int], list[int]]:
    """Return the nominal and the numeric parents of a node."""
    numbers = [k for k in network.parents[node] if network.schema.columns[k].kind == "numeric"]
    return [k for k in network.parents[node] if k not in numbers], numbers


def _table(network: BeliefNetwork, node: int) -> Floats:
    """Return the table of a nominal node; of a numeric one, its intercepts."""
    conditional = network.conditionals[node]
    if isinstance(conditional, GaussianConditional):
        return conditional.intercepts
    return conditional.table([len(network.schema.columns[k].domain) for k in network.parents[node]])


def _check_kinds(model: NetworkClassifier) -> None:
    """Refuse nominal nodes with numeric parents: a row that lacks the number has no exact answer."""
    network = model.network
    for node, column in enumerate(network.schema):
        numbers = _split(network, node)[1]
        if column.kind == "nominal" and numbers:
            raise InputError(
                f"node {column.name!r} depends on the number {network.nodes[numbers[0]]!r}, which is not exported; "
                "save the network as a model file"
            )


def _log(chance: float) -> str:
    return sql_literal(math.log(chance) if chance > 0 else NEVER)


def _literals(values: Iterable[Value]) -> str:
    found = [python_literal(value) for value in values]
    return f"({', '.join(found)},)" if found else "()"


def _check_size(model: NetworkClassifier, entries: int) -> None:
    if entries > MOST_ROWS:
        raise InputError(
            f"the tables that {model.target!r} depends on have {entries:,} entries, too many to write out "
            f"({MOST_ROWS:,} at most); save the network as a model file"
        )
