"""Scorecards as SQL and as Python: a sum of points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.values import plain
from induce.ensembles.steps import PYTHON, python_step, sql_step
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import sql_comments, sql_first_largest, sql_identifier, sql_literal
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.ensembles.scorecard.card import Scorecard


def to_sql(card: Scorecard, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with a column "prediction".

    Nominal columns are compared as the values of their domain, so the table must store what was learned from.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(to_sql(induce.AdaBoost(n_estimators=2).fit(X, y).hypothesis_.scorecard().rounded(10), "evenings"))
    SELECT *,
      CASE WHEN 0
        + CASE WHEN "Hun" = 'No' THEN 10 ELSE -10 END
        + CASE WHEN "Pat" IN ('None', 'Full') THEN 9 ELSE -9 END > 0 THEN 'No' ELSE 'Yes' END AS "prediction"
    FROM "evenings"
    """
    sums = [_sum(card, score) for score in range(len(card.start))]
    if len(card.classes) == 1:
        prediction = sql_literal(card.classes[0])
    elif len(sums) == 1:
        first, second = map(sql_literal, card.classes)
        prediction = f"CASE WHEN {sums[0]} > 0 THEN {second} ELSE {first} END"
    else:
        names = [f"{_free_stem(card)}score_{score}" for score in range(len(sums))]
        columns = ",\n    ".join(f"{total} AS {name}" for total, name in zip(sums, names, strict=True))
        choice = "\n    ".join(["CASE", *sql_first_largest(names, card.classes)])
        prediction = f"(SELECT {choice}\n    END FROM (SELECT\n    {columns}) AS scores)"
    return (
        f"{sql_comments(unit_notes(card.schema, (part.column.name for part in card.attributes)))}"
        f'SELECT *,\n  {prediction} AS "prediction"\nFROM {sql_identifier(table)}'
    )


def to_python(card: Scorecard, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> space = {}
    >>> exec(to_python(induce.AdaBoost().fit(X, y).hypothesis_.scorecard()), space)
    >>> space["predict"]({"Pat": "Some", "Hun": "Yes"})
    'Yes'
    """
    notes = unit_notes(card.schema, (part.column.name for part in card.attributes))
    lines = [
        *python_header(name, card.target, notes),
        f"    classes = {tuple(map(plain, card.classes))!r}",
        f"    scores = {card.start.tolist()!r}",
        "",
        PYTHON,
    ]
    lines += [
        f"    scores[{score}] += {python_step(part.steps(score), repr)}"
        for score in range(len(card.start))
        for part in card.attributes
    ]
    if len(card.classes) == 1:
        decided = "classes[0]"
    elif len(card.start) == 1:
        decided = "classes[1] if scores[0] > 0 else classes[0]"
    else:
        decided = "classes[scores.index(max(scores))]"
    return "\n".join([*lines, f"    return {decided}"]) + "\n"


def _sum(card: Scorecard, score: int) -> str:
    steps = [
        sql_step(part.steps(score), lambda points: sql_literal(float(points))) for part in card.attributes
    ]
    terms = [sql_literal(float(card.start[score])), *(step for step in steps if step != "0")]
    return "\n    + ".join(terms)


def _free_stem(card: Scorecard) -> str:
    stem = ""
    while any(name.lower().startswith(f"{stem}score") for name in card.schema.names()):
        stem += "the_"
    return stem
