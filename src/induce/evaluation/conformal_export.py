"""Export of conformal sets and intervals, together with the prediction, to SQL and Python."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.evaluation.choosing.adjusted import gives_shares, opened_lets
from induce.hypotheses.expressions.nodes import (
    Case,
    Comparison,
    Constant,
    Expression,
    Largest,
    Let,
    Part,
    Variable,
    Vector,
)
from induce.hypotheses.writers.python import python_function
from induce.hypotheses.writers.sql import sql_queries

if TYPE_CHECKING:
    from induce.evaluation.conformal_prediction import Conformal

EQUAL = 1e-9


def exported_sql(
    conformal: Conformal, hypothesis: Any, confidence: float, table: str = "data", key: str | None = None
) -> str:
    """Return a query with the column "prediction", and with "low" and "high", or a 0/1 column "in A" per class A."""
    if conformal.classes:
        members = _members(conformal, hypothesis, confidence)
        columns = {f"in {value}": each for value, each in zip(conformal.classes, members, strict=True)}
        return sql_queries({"prediction": hypothesis.expression(), **columns}, table, key)
    width = repr(_width(conformal, confidence))
    query = hypothesis.to_sql(table, key).strip().removesuffix(";")
    bounds = f'"prediction" - {width} AS "low", "prediction" + {width} AS "high"'
    return f"SELECT *, {bounds}\nFROM (\n{query}\n)\n"


def exported_python(conformal: Conformal, hypothesis: Any, confidence: float) -> str:
    """Return the source of the row functions `predict` and `predict_interval` or `predict_set`."""
    source, target, percent = hypothesis.to_python().rstrip(), hypothesis.target, f"{100 * confidence:g}%"
    if conformal.classes:
        members = _members(conformal, hypothesis, confidence)
        parts = [
            python_function(each, f"holds_{place}", f"1 if class {place} is in the set,").rstrip()
            for place, each in enumerate(members)
        ]
        asked = ", ".join(f"({value!r}, holds_{place})" for place, value in enumerate(conformal.classes))
        said = f"Return classes that hold {target} in {percent} of rows like those learned from."
        body = f"    return tuple(value for value, holds in ({asked},) if holds(row))"
        return "\n\n\n".join([source, *parts, f"def predict_set(row):\n    {said!r}\n{body}\n"])
    width = _width(conformal, confidence)
    said = f"Return bounds that hold {target} in {percent} of rows like those learned from."
    body = f"    number = predict(row)\n    return number - {width!r}, number + {width!r}\n"
    return f"{source}\n\n\ndef predict_interval(row):\n    {said!r}\n{body}"


def _width(conformal: Conformal, confidence: float) -> float:
    width = conformal.width(confidence)
    if math.isinf(width):
        raise InputError(
            f"the model has only {len(conformal.scores)} conformal scores, too few for "
            f"{100 * confidence:g}%; give a lower confidence"
        )
    return width


def _members(conformal: Conformal, hypothesis: Any, confidence: float) -> list[Expression]:
    """Return for each class an expression that is 1 if it is the most probable class or above the threshold."""
    if not gives_shares(hypothesis):
        raise InputError(
            f"the probabilities of a {type(hypothesis).__name__} cannot be exported, nor can its "
            "prediction sets; use `induce predict --interval`"
        )
    lets, chosen = opened_lets(hypothesis.expression())
    assert isinstance(chosen, Largest)
    n, limit = len(hypothesis.classes), conformal.limit(confidence)
    shares: list[Expression] = [Part(Variable("shares", n), place) for place in range(n)]
    known = [*map(str, hypothesis.classes)]
    found: list[Expression] = []
    for value in conformal.classes:
        if str(value) not in known:
            found.append(Constant(1.0 if math.isinf(limit) else 0.0))
            continue
        place = known.index(str(value))
        is_best = tuple(Constant(1.0 if each == place else 0.0) for each in range(n))
        best = Largest(Vector(tuple(shares)), is_best, chosen.rounds)
        probable = Comparison(shares[place], ">=", Constant(1.0 - limit - EQUAL))
        member: Expression = Case(((probable, Constant(1.0)),), best)
        for name, expression in reversed([*lets, ("shares", chosen.scores)]):
            member = Let(name, expression, member)
        found.append(Constant(1.0) if math.isinf(limit) else member)
    return found
