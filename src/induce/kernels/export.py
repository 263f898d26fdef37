"""Kernel machines as Python source, and linear ones as SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.core.values import plain
from induce.data.table import Table
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import (
    LONGEST_CHAIN,
    sql_comments,
    sql_first_largest,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes
from induce.kernels.inputs import WIDE, Floats, Rows, inputs_of
from induce.kernels.separator import REST, Separator
from induce.kernels.weights import LinearWeights

if TYPE_CHECKING:
    from induce.data.schema import Column
    from induce.kernels.machine import KernelMachine

READ = """\
    from math import exp

    def dot(x, z):
        return sum(a * b for a, b in zip(x, z))

    def square(x, z):
        return sum((a - b) ** 2 for a, b in zip(x, z))

    x = []
    for column, offset, scale, values, missing in columns:
        cell = row.get(column)
        if values is None:
            if cell is None or cell != cell:
                x.append(missing[0])
            else:
                x.append(min(max((float(cell) - offset) / scale, -1e50), 1e50))
        elif cell in values:
            x.extend(1.0 if cell == value else 0.0 for value in values)
        else:
            x.extend(missing)
"""
SCORE = """\
    scores = []
    for _, _, terms, intercept, survival in separators:
        score, vote = intercept, 0.0
        for place, (vector, coefficient) in enumerate(terms):
            score += coefficient * alike[vector]
            if survival:
                vote += survival[place] if score >= 0 else -survival[place]
        scores.append(vote / sum(survival) if survival else score)
"""
DECIDE_REST = """\
    best = max(range(len(scores)), key=lambda m: (scores[m], -m))
    return classes[separators[best][1]]
"""
DECIDE_VOTES = """\
    votes, sums = [0.0] * len(classes), [0.0] * len(classes)
    for (negative, positive, _, _, _), score in zip(separators, scores):
        votes[positive if score >= 0 else negative] += 1.0
        sums[positive] += score
        sums[negative] -= score
    totals = [vote + total / (3.0 * (abs(total) + 1.0)) for vote, total in zip(votes, sums)]
    return classes[totals.index(max(totals))]
"""


def to_python(machine: KernelMachine, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class."""
    lines = python_header(name, machine.target, unit_notes(machine.schema, machine.schema.inputs().names()))
    if not machine.separators:
        return "\n".join([*lines, f"    return {plain(machine.classes[machine.only])!r}"]) + "\n"
    expression = machine.kernel.python()
    vectors = support_matrix(machine).tolist()
    columns = _columns(machine)
    separators = [f"        {_told(each)!r}," for each in machine.separators]
    lines += [
        f"    classes = {tuple(plain(value) for value in machine.classes)!r}",
        "    # what becomes of each column: its name, offset, scale, values, and what stands for a missing one",
        *("    columns = (", *(f"        {column!r}," for column in columns), "    )"),
        "    # the support vectors, scaled",
        *("    vectors = (", *(f"        {tuple(vector)!r}," for vector in vectors), "    )"),
        "    # negative and positive class, support vectors with their coefficients, intercept",
        *("    separators = (", *separators, "    )"),
    ]
    alike = f"    alike = [{expression} for z in vectors]\n"
    decide = DECIDE_REST if machine.separators[0].negative == REST else DECIDE_VOTES
    return "\n".join(lines) + "\n" + READ + alike + SCORE + decide


def support_matrix(machine: KernelMachine) -> Floats:
    """Return the support vectors as numbers, scaled; an `InputError` where most numbers would be zeros."""
    width = len(machine.view.mean)
    if width > WIDE:
        raise InputError(
            f"the columns become {width:,} numbers, too many to be written out; save the machine with induce.save"
        )
    table = Table(machine.view.schema, machine.numeric, machine.nominal)
    return np.asarray(inputs_of(Rows(table, machine.things), machine.view).vectors, np.float64)


def _columns(machine: KernelMachine) -> list[tuple[object, ...]]:
    view, place, number = machine.view, 0, 0
    found: list[tuple[object, ...]] = []
    for column in view.schema:
        if column.kind == "nominal":
            values = tuple(plain(value) for value in column.domain)
            missing = tuple(view.mean[place : place + len(values)].tolist())
            found.append((column.name, 0.0, 1.0, values, missing))
            place += len(values)
        else:
            offset, scale = float(view.offset[number]), float(view.scale[number])
            found.append((column.name, offset, scale, None, (float(view.mean[place]),)))
            place, number = place + 1, number + 1
    return found


def _told(separator: Separator) -> tuple[object, ...]:
    terms = tuple(zip(separator.support.tolist(), separator.coefficients.tolist(), strict=True))
    return (
        separator.negative,
        separator.positive,
        terms,
        separator.intercept,
        tuple(separator.survival.tolist()),
    )


def to_sql(machine: KernelMachine, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with a column "prediction"."""
    if not machine.separators:
        prediction = sql_literal(machine.classes[machine.only])
        return f'SELECT *,\n  {prediction} AS "prediction"\nFROM {sql_identifier(table)}'
    weights = machine.weights()
    n_terms = len(machine.view.schema)
    if n_terms > LONGEST_CHAIN or len(weights) > LONGEST_CHAIN:
        raise InputError(
            f"the machine weighs {n_terms} columns {len(weights)} times, too many for one SQL query; use to_python"
        )
    notes = sql_comments(unit_notes(machine.schema, machine.schema.inputs().names()))
    scores = [_name(machine, f"score_{m}") for m in range(len(weights))]
    sums = ",\n      ".join(
        f"{_sum(machine, each)} AS {name}" for each, name in zip(weights, scores, strict=True)
    )
    return (
        f"{notes}SELECT *,\n  (SELECT {_decision(machine, scores)}\n    FROM (SELECT\n      {sums}) AS scores) "
        f'AS "prediction"\nFROM {sql_identifier(table)}'
    )


def _decision(machine: KernelMachine, scores: list[str]) -> str:
    """Write which class the scores decide for."""
    separators = machine.separators
    if separators[0].negative == REST:
        cases = sql_first_largest(scores, [machine.classes[each.positive] for each in separators])
        return f"CASE {' '.join(cases)} END"
    if len(separators) == 1:
        positive, negative = (
            sql_literal(machine.classes[side]) for side in (separators[0].positive, separators[0].negative)
        )
        return f"CASE WHEN {scores[0]} >= 0 THEN {positive} ELSE {negative} END"
    there = sorted({side for each in separators for side in (each.negative, each.positive)})
    totals = [_total(separators, scores, code) for code in there]
    names = [f"total_{code}" for code in there]
    listed = ", ".join(f"{total} AS {name}" for total, name in zip(totals, names, strict=True))
    cases = sql_first_largest(names, [machine.classes[code] for code in there])
    return f"(SELECT CASE {' '.join(cases)} END FROM (SELECT {listed}) AS totals)"


def _total(separators: tuple[Separator, ...], scores: list[str], code: int) -> str:
    votes, parts = [], []
    for separator, score in zip(separators, scores, strict=True):
        if separator.positive == code:
            votes.append(f"CASE WHEN {score} >= 0 THEN 1.0 ELSE 0.0 END")
            parts.append(score)
        elif separator.negative == code:
            votes.append(f"CASE WHEN {score} >= 0 THEN 0.0 ELSE 1.0 END")
            parts.append(f"-{score}")
    total = " + ".join(f"({part})" for part in parts)
    return f"{' + '.join(votes)} + ({total}) / (3.0 * (ABS({total}) + 1.0))"


def _sum(machine: KernelMachine, weights: LinearWeights) -> str:
    """Write f as a sum over columns; a missing value counts as what stands for it."""
    terms, place = [sql_literal(weights.intercept)], 0
    for column in machine.view.schema:
        width = len(column.domain) if column.kind == "nominal" else 1
        part = slice(place, place + width)
        terms.append(_term(column, weights.weights[part].tolist(), weights.missing[part].tolist()))
        place += width
    return " + ".join(terms)


def _term(column: Column, weights: list[float], missing: list[float]) -> str:
    name = sql_identifier(column.name)
    if column.kind != "nominal":
        known = f"COALESCE(CAST({name} AS DOUBLE PRECISION), {sql_literal(missing[0])})"
        return f"({sql_literal(weights[0])}) * {known}"
    absent = float(np.dot(weights, missing))
    whens = [
        f"WHEN {name} = {sql_literal(value)} THEN {sql_literal(weight)}"
        for value, weight in zip(column.domain, weights, strict=True)
    ]
    return f"CASE {' '.join(whens)} ELSE {sql_literal(absent)} END" if whens else "0.0"


def _name(machine: KernelMachine, stem: str) -> str:
    while any(name.lower() == stem for name in machine.schema.names()):
        stem = "_" + stem
    return sql_identifier(stem)
