"""Naive Bayes as SQL: the scores of the classes are sums of constants, and of squares for normal densities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.core.errors import InputError
from induce.hypotheses.export_sql import (
    LONGEST_CHAIN,
    pieces,
    sql_comments,
    sql_first_largest,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.column import ColumnModel
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel

MOST_CLASSES = 200
NEVER = -1e306
"""Stands for minus infinity, which SQL cannot write."""


def to_sql(model: NaiveBayesModel, table: str = "data", key: str | None = None) -> str:
    """Return a query that gives the rows of `table`, or only their `key`, with a column "prediction".

    Examples
    --------
    >>> import induce
    >>> model = induce.NaiveBayes().fit([["a"], ["b"], ["b"]], ["no", "yes", "yes"]).hypothesis_
    >>> print(to_sql(model))
    SELECT *,
      (SELECT CASE
        WHEN score_0 < -1e+305 AND score_1 < -1e+305 THEN 'yes'
        WHEN score_0 >= score_1 THEN 'no'
        ELSE 'yes'
        END
        FROM (SELECT
          -1.0986122886681098
            + CASE WHEN "x0" = 'a' THEN -0.40546510810816444 WHEN "x0" = 'b' THEN -1.0986122886681098 ELSE 0 END
            AS score_0,
          -0.40546510810816444
            + CASE WHEN "x0" = 'a' THEN -1.3862943611198906 WHEN "x0" = 'b' THEN -0.2876820724517809 ELSE 0 END
            AS score_1) AS scores) AS "prediction"
    FROM "data"
    """
    from induce.bayes.naive_bayes.hypothesis import IMPOSSIBLE

    n_classes = len(model.classes)
    if n_classes > MOST_CLASSES:
        raise InputError(
            f"{n_classes:,} classes are too many for one SQL query ({MOST_CLASSES} at most); export to Python instead"
        )
    stem = "score_"
    while any(name.lower().startswith(stem) for name in model.schema.names()):
        stem = "_" + stem
    scores = [f"{stem}{place}" for place in range(n_classes)]
    sums = [_constant(prior) for prior in model.log_priors.tolist()]
    source = ""
    for part in pieces(model.columns, LONGEST_CHAIN):
        columns = ",\n      ".join(
            "\n        + ".join([start, *(_term(column, place) for column in part)]) + f"\n        AS {score}"
            for place, (start, score) in enumerate(zip(sums, scores, strict=True))
        )
        source = f"(SELECT\n      {columns}" + (f"\n    FROM {source}" if source else "") + ") AS scores"
        sums = scores
    never = " AND ".join(f"{score} < {IMPOSSIBLE!r}" for score in scores)
    most = model.classes[int(model.log_priors.argmax())]
    cases = [f"WHEN {never} THEN {sql_literal(most)}", *sql_first_largest(scores, model.classes)]
    inner = "\n    ".join(cases)
    return (
        f"{sql_comments(unit_notes(model.schema, model.schema.inputs().names()))}"
        f"SELECT {'*' if key is None else sql_identifier(key)},\n"
        f'  (SELECT CASE\n    {inner}\n    END\n    FROM {source}) AS "prediction"\n'
        f"FROM {sql_identifier(table)}"
    )


def _term(column: ColumnModel, place: int) -> str:
    """Write what one column adds to the score of a class."""
    name = sql_identifier(column.column.name)
    match column:
        case IntervalColumn():
            logs = [_constant(log) for log in column.log_table[place].tolist()]
            number = f"CAST({name} AS DOUBLE PRECISION)"
            whens = [
                f"WHEN {number} <= {sql_literal(cut)} THEN {log}"
                for cut, log in zip(column.cuts.tolist(), logs, strict=False)
            ]
            return f"CASE WHEN {name} IS NULL THEN {logs[-1]} {' '.join(whens)} ELSE {logs[len(whens)]} END"
        case NominalColumn():
            *logs, unseen, missing = (_constant(log) for log in column.log_table[place].tolist())
            whens = [
                f"WHEN {name} = {sql_literal(value)} THEN {log}"
                for value, log in zip(column.column.domain, logs, strict=True)
            ]
            if column.as_values:
                whens.append(f"WHEN {name} IS NULL THEN {missing}")
            return f"CASE {' '.join(whens)} ELSE {unseen} END" if whens else unseen
        case NormalColumn():
            mean, factor, constant = (float(each[place]) for each in column.curve)
            gap = f"(CAST({name} AS DOUBLE PRECISION) - ({sql_literal(mean)}))"
            density = f"{sql_literal(constant)} - {gap} * {gap} * {sql_literal(factor)}"
            return f"COALESCE({density}, {_constant(float(column.known[1, place]))})"
    what = "texts" if column.column.kind == "text" else "kernels"
    raise InputError(
        f"column {column.column.name!r} needs {what}, which SQL cannot compute everywhere; export to Python instead"
    )


def _constant(log: float) -> str:
    return sql_literal(log if np.isfinite(log) else NEVER)
