"""Ensembles as SQL and as Python: a sum over their members."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.ensembles.speaking import codes_in
from induce.ensembles.steps import PYTHON, python_step, sql_step, steps_of
from induce.ensembles.stumps import is_stump
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import (
    pieces,
    sql_comments,
    sql_first_largest,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes
from induce.trees.hypothesis import Tree

if TYPE_CHECKING:
    from induce.ensembles.hypothesis import Ensemble

MOST_MEMBERS = 1_500
"""So many columns SQLite takes in a query, whatever its version."""
LONGEST_QUERY = 1_000_000


def to_sql(ensemble: Ensemble, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with a column "prediction".

    Nominal columns are compared as the values of their domain, so the table must store what was learned from.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(to_sql(induce.AdaBoost(n_estimators=2).fit(X, y).hypothesis_, "evenings"))
    SELECT *,
      (SELECT CASE
        WHEN score_0 >= score_1 THEN 'Yes'
        ELSE 'No'
        END FROM (SELECT
          0.0
          + CASE WHEN vote_0 = 'Yes' THEN 1.6094379124341005 ELSE 0 END
          + CASE WHEN vote_1 = 'Yes' THEN 1.7346010553881064 ELSE 0 END AS score_0,
          0.0
          + CASE WHEN vote_0 = 'No' THEN 1.6094379124341005 ELSE 0 END
          + CASE WHEN vote_1 = 'No' THEN 1.7346010553881064 ELSE 0 END AS score_1
        FROM (SELECT
          CASE WHEN "Pat" IN ('None', 'Full') THEN 'No' ELSE 'Yes' END AS vote_0,
          CASE WHEN "Hun" = 'No' THEN 'No' ELSE 'Yes' END AS vote_1) AS votes) AS scores) AS "prediction"
    FROM "evenings"
    """
    _check(ensemble)
    if len(ensemble.members) > MOST_MEMBERS:
        raise _too_large(ensemble)
    stem = _free_stem(ensemble)
    votes = [f"{_expression(member, table)} AS {stem}vote_{k}" for k, member in enumerate(ensemble.members)]
    scores = [f"{stem}score_{code}" for code in range(len(ensemble.classes))]
    source = f"(SELECT\n      {_lines(votes)}) AS {stem}votes"
    kept = [f"{stem}vote_{k}" for k in range(len(ensemble.members))]
    parts = pieces(range(len(ensemble.members)))
    for number, part in enumerate(parts):
        # sums of fractions depend on their order: each part goes on adding to the sums of the one before
        sums = [
            f"{_sum(ensemble, part, code, stem, score if number else '0.0')} AS {score}"
            for code, score in enumerate(scores)
        ]
        later = kept[parts[number + 1][0] :] if number + 1 < len(parts) else []
        source = f"(SELECT\n      {_lines([*later, *sums])}\n    FROM {source}) AS {stem}scores"
    choice = "\n    ".join(["CASE", *sql_first_largest(scores, ensemble.classes)])
    query = (
        f"{sql_comments(unit_notes(ensemble.schema, ensemble.schema.names()))}"
        f'SELECT *,\n  (SELECT {choice}\n    END FROM {source}) AS "prediction"\n'
        f"FROM {sql_identifier(table)}"
    )
    if len(ensemble.classes) == 1:
        query = (
            f'SELECT *,\n  {sql_literal(ensemble.classes[0])} AS "prediction"\nFROM {sql_identifier(table)}'
        )
    if len(query.encode()) > LONGEST_QUERY:
        raise _too_large(ensemble)
    return query


def to_python(ensemble: Ensemble, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> space = {}
    >>> exec(to_python(induce.AdaBoost().fit(X, y).hypothesis_), space)
    >>> space["predict"]({"Pat": "Some", "Hun": "Yes"})
    'Yes'
    """
    _check(ensemble)
    notes = unit_notes(ensemble.schema, ensemble.schema.names())
    lines = [
        *python_header(name, ensemble.target, notes),
        f"    classes = {tuple(map(plain, ensemble.classes))!r}",
        f"    votes = [0.0] * {len(ensemble.classes)}",
        "",
        PYTHON,
    ]
    for k, (member, weight) in enumerate(zip(ensemble.members, ensemble.weights.tolist(), strict=True)):
        if is_stump(member):
            said = _python_stump(member, ensemble.classes)
        else:
            source = _written(member, "to_python", f"member_{k}")
            lines.append(indent(source, "    "))
            said = f"classes.index(member_{k}(row))"
        lines.append(f"    votes[{said}] += {weight!r}")
    return "\n".join([*lines, "    return classes[votes.index(max(votes))]"]) + "\n"


def _python_stump(stump: Tree, classes: tuple[Value, ...]) -> str:
    """The code of the class that a stump says, as an expression of Python."""
    places = codes_in(stump.classes, classes).tolist()
    if stump.n_nodes == 1:
        return repr(places[int(stump.majority[0])])
    return python_step(steps_of(stump), lambda code: repr(places[code]))


def _expression(member: Any, table: str) -> str:
    """What a member says of a row, as an expression of SQL."""
    if is_stump(member):
        if member.n_nodes == 1:
            return sql_literal(member.prediction(0))
        return sql_step(steps_of(member), lambda code: sql_literal(member.classes[code]))
    query = _written(member, "to_sql", table)
    head, tail = "SELECT *,\n  ", f' AS "prediction"\nFROM {sql_identifier(table)}'
    start = query.find(head)
    if start < 0 or not query.endswith(tail):
        raise InputError(f"a {type(member).__name__} has no form in SQL that could be added up")
    return query[start + len(head) : -len(tail)]


def _sum(ensemble: Ensemble, part: Sequence[int], code: int, stem: str, start: str) -> str:
    said = sql_literal(ensemble.classes[code])
    terms = [
        f"CASE WHEN {stem}vote_{k} = {said} THEN {sql_literal(float(ensemble.weights[k]))} ELSE 0 END"
        for k in part
    ]
    return "\n      + ".join([start, *terms])


def _lines(columns: Sequence[str]) -> str:
    return ",\n      ".join(columns)


def _written(member: Any, form: str, *given: Any) -> str:
    write = getattr(member, form, None)
    if write is None:
        language = {"to_sql": "SQL", "to_python": "Python"}[form]
        raise InputError(f"a {type(member).__name__} votes in the ensemble, and it has no form in {language}")
    return str(write(*given))


def _check(ensemble: Ensemble) -> None:
    if ensemble.combine != "vote":
        raise InputError(
            "an ensemble that adds probabilities has no form in SQL or Python; use combine='vote'"
        )


def _too_large(ensemble: Ensemble) -> InputError:
    return InputError(
        f"the ensemble ({ensemble.size()}) is too large for one SQL query; simplify it, export it as Python "
        "(to_python), or, if its members are stumps, export its scorecard (scorecard().to_sql())"
    )


def _free_stem(ensemble: Ensemble) -> str:
    """Return what to put before the names in the query so that none of them is a column's."""
    stem = ""
    while any(name.lower().startswith((f"{stem}vote", f"{stem}score")) for name in ensemble.schema.names()):
        stem += "the_"
    return stem
