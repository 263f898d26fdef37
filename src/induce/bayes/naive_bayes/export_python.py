"""Naive Bayes as Python source that needs nothing installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import KernelColumn, NormalColumn
from induce.bayes.naive_bayes.words import WordsColumn
from induce.core.errors import InputError
from induce.hypotheses.export_python import python_header, python_literal
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.column import ColumnModel
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel

ADD = """\
    def add(logs):
        for place, log in enumerate(logs):
            scores[place] += log

    def known(column):
        value = row.get(column)
        return None if value is None or value != value else value
"""
HELPERS = {
    "value": """\
    def value(column, logs, unseen, missing):
        found = known(column)
        add(missing if found is None else logs.get(found, unseen))
""",
    "interval": """\
    def interval(column, cuts, logs, missing):
        found = known(column)
        add(missing if found is None else logs[sum(cut < found for cut in cuts)])
""",
    "normal": """\
    def normal(column, curves, missing):
        found = known(column)
        if found is None:
            return add(missing)
        x = float(found)
        add([constant - (x - mean) * (x - mean) * factor for mean, factor, constant in curves])
""",
    "kernels": """\
    def kernels(column, classes, missing):
        found = known(column)
        if found is None:
            return add(missing)
        logs = []
        for numbers, weights, width, constant in classes:
            steps = [(float(found) - number) / width for number in numbers]
            sizes = [weight - 0.5 * step * step for weight, step in zip(weights, steps)]
            highest = max(sizes)
            if highest == -inf:
                logs.append(-inf)
            else:
                logs.append(math.log(math.fsum(math.exp(size - highest) for size in sizes)) + highest + constant)
        add(logs)
""",
    "words": """\
    def words(column, pattern, lowercase, present, logs, base):
        text = known(column)
        if text is None:
            return
        text = text.lower() if lowercase else text
        found = [word for word in re.findall(pattern, text) if word in logs]
        if present:
            found = sorted(set(found))
        total = [0.0] * len(scores)
        for word in found:
            total = [sum + log for sum, log in zip(total, logs[word])]
        add(total)
        add(base)
""",
}
IMPORTS = {"kernels": "import math", "words": "import re"}
DECIDE = """\
    if max(scores) < {impossible!r}:
        scores = list(prior)
    return {classes}[scores.index(max(scores))]
"""


def to_python(model: NaiveBayesModel, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class."""
    from induce.bayes.naive_bayes.hypothesis import IMPOSSIBLE

    calls = [_call(column) for column in model.columns]
    used = [helper for helper in HELPERS if any(call.startswith(f"    {helper}(") for call in calls)]
    lines = python_header(name, model.target, unit_notes(model.schema, model.schema.inputs().names()))
    lines += [f"    {IMPORTS[helper]}" for helper in used if helper in IMPORTS]
    lines += [
        "    inf = float('inf')",
        f"    prior = {_numbers(model.log_priors)}",
        "    scores = list(prior)",
        "",
    ]
    lines += [ADD, *(HELPERS[helper] for helper in used), *calls]
    classes = f"({', '.join(map(python_literal, model.classes))},)"
    return "\n".join(lines) + "\n" + DECIDE.format(impossible=IMPOSSIBLE, classes=classes)


def _call(column: ColumnModel) -> str:
    """Write the line that adds what one column says."""
    name = python_literal(column.column.name)
    match column:
        case IntervalColumn():
            logs = ", ".join(map(_numbers, column.log_table.T[: len(column.cuts) + 1]))
            missing = _numbers(column.log_table[:, -1])
            return f"    interval({name}, {_numbers(column.cuts)}, ({logs},), {missing})"
        case NominalColumn():
            *rows, unseen, missing = map(_numbers, column.log_table.T)
            table = ", ".join(
                f"{python_literal(value)}: {row}"
                for value, row in zip(column.column.domain, rows, strict=True)
            )
            return f"    value({name}, {{{table}}}, {unseen}, {missing})"
        case NormalColumn():
            curves = ", ".join(map(_numbers, np.column_stack(column.curve)))
            return f"    normal({name}, ({curves},), {_numbers(column.known[1])})"
        case KernelColumn():
            classes = ", ".join(_kernels(column, place) for place in range(len(column.holes)))
            return f"    kernels({name}, ({classes},), {_numbers(column.known[1])})"
        case WordsColumn(tokeniser=tokeniser) if tokeniser is not None:
            weights = column.weights(np.arange(len(column.vocabulary)))
            logs = ", ".join(
                f"{python_literal(word)}: {_numbers(weight)}"
                for word, weight in zip(column.vocabulary, weights, strict=True)
            )
            present = column.variant == "bernoulli"
            return (
                f"    words({name}, {tokeniser.pattern!r}, {tokeniser.lowercase}, {present}, {{{logs}}}, "
                f"{_numbers(column.base)})"
            )
    raise InputError(
        "a hypothesis learned from counts of words has no texts to find them in; learn from texts"
    )


def _kernels(column: KernelColumn, place: int) -> str:
    numbers, weights = column.kernels(place)
    width = float(column.widths[place])
    constant = float(column.known[0, place] - np.log(weights.sum() * width * np.sqrt(2 * np.pi)))
    return f"({_numbers(numbers)}, {_numbers(np.log(weights))}, {width!r}, {constant!r})"


def _numbers(numbers: NDArray[np.float64]) -> str:
    return f"({', '.join(map(repr, numbers.tolist()))},)" if len(numbers) else "()"
