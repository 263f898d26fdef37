"""Theories over columns: how they are read, where they hold, and what is refused."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.expert_rules.theory import ExpertRules

SCHEMA = Schema(
    (
        Column("Outlook", "nominal", ("sunny", "rain", "fog")),
        Column("humidity"),
        Column("has wind", "nominal", ("no", "yes")),
        Column("p-35", "nominal", ("a", "t")),
    )
)
ROWS = encode([["sunny", 80.0, "no", "a"], ["rain", None, "yes", "t"], [None, 60.0, None, "a"]], SCHEMA)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IF Outlook = sunny AND humidity > 75 THEN play", [True, False, False]),
        ("play :- outlook(sunny), humidity > 75.", [True, False, False]),
        ("play(X) :- outlook(X, sunny), \\+ has_wind(X).", [True, False, False]),
        ("play :- has_wind ; humidity =< 60.", [False, True, True]),
        ("IF NOT humidity > 75 THEN play", [False, True, True]),
        ("IF 2 OF (Outlook in {rain, fog}, has wind, humidity > 10) THEN play", [False, True, False]),
        ("play :- at_least(2, [outlook(rain), has_wind, humidity > 10]).", [False, True, False]),
        ("% remarks are left out\nIF wet THEN play\nIF Outlook = rain\n   THEN wet", [False, True, False]),
        ("play.", [True, True, True]),
    ],
)
def test_reading(text: str, expected: list[bool]) -> None:
    assert ExpertRules(SCHEMA, text, "play").holds(ROWS).tolist() == expected


def test_patterns() -> None:
    theory = ExpertRules(SCHEMA, "site :- base(-35, t).", columns={"base(P, B)": "p{P} = {B}"})
    assert theory.holds(ROWS).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the theory is empty"),
        ("IF Outlok = sunny THEN play", "there is no attribute 'Outlok'; did you mean 'Outlook'?"),
        ("IF Outlook = snow THEN play", "snow"),
        ("play :- humidity.", "numeric, so 'humidity' alone is not a condition; compare it with a threshold"),
        ("play :- outlook.", "has the values sunny, rain, fog"),
        ("play :- pressure > 3.", "uses 'pressure', which is neither a column nor concluded by a rule"),
        ("a :- b. b :- c. c :- \\+ a.", "defines a concept by itself: a → b → c → a"),
        ("IF Outlook = sunny", "has no THEN"),
        ("IF 4 OF (has wind, humidity > 3) THEN play", "requires 4 of 2 conditions; require 1 to 2"),
        ("site :- base(-35, t).", "give a pattern"),
        ("play(X, Y) :- outlook(X, sunny).", "has a variable that no row of a table binds"),
        ("play :- outlook(sunny)", ""),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError, match=None) as caught:
        ExpertRules(SCHEMA, text)
    assert message in str(caught.value)


def test_several_tops() -> None:
    theory = ExpertRules(SCHEMA, "IF has wind THEN a\nIF humidity > 3 THEN b")
    with pytest.raises(
        InputError, match="the theory concludes a, b, none of which is used by a rule; name the main one"
    ):
        theory.holds(ROWS)
    assert theory.truths(ROWS)["a"].tolist() == [False, True, False]
    with pytest.raises(InputError, match="no rule for 'c'; it concludes a, b"):
        ExpertRules(SCHEMA, theory.text, "c")


def test_unfolded() -> None:
    theory = ExpertRules(
        SCHEMA, "top :- mid, has_wind. mid :- outlook(sunny). mid :- outlook(rain), humidity > 3."
    )
    assert [" AND ".join(map(str, way)) for way in theory.unfolded()] == [
        "Outlook = sunny AND has wind = yes",
        "Outlook = rain AND humidity > 3 AND has wind = yes",
    ]
    assert theory.depth() == 2
    rows = np.array(theory.holds(ROWS))
    assert ExpertRules(SCHEMA, str(theory), "top").holds(ROWS).tolist() == rows.tolist()
