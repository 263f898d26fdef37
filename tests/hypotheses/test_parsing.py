"""What conditions and rules print is read back; what a person types is understood or refused in one sentence."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Between, Is, NoneOf, OneOf
from induce.hypotheses.parsing import parse_condition, parse_rule
from induce.hypotheses.rules import Rule

SCHEMA = Schema(
    (
        Column("outlook", "nominal", ("sunny", "overcast", "rain")),
        Column("age"),
        Column("style", "nominal", ("rock", "rock and roll", "now and then", "Rock And Soul")),
        Column("wet and wild", "nominal", (False, True)),
        Column("size", "nominal", (1, 2, 10)),
        Column("income", "nominal", (">50K", "<=50K")),
        Column("a = b", "nominal", ("x, y", "{z}", "")),
        Column("row id", "nominal", ("a",), role="id"),
    )
)
NOT_SUNNY = NoneOf("outlook", ("sunny",), ("overcast", "rain"))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("outlook = sunny", Is("outlook", "sunny")),
        ("  Outlook==SUNNY ", Is("outlook", "sunny")),
        ('"outlook" = "sunny"', Is("outlook", "sunny")),
        ("outlook = 'sunny'", Is("outlook", "sunny")),
        ("outlook != sunny", NOT_SUNNY),
        ("outlook <> sunny", NOT_SUNNY),
        ("outlook ≠ sunny", NOT_SUNNY),
        ("outlook not in {sunny}", NOT_SUNNY),
        ("outlook NOT  IN{sunny , rain}", NoneOf("outlook", ("sunny", "rain"), ("overcast",))),
        ("outlook in {rain, sunny, rain}", OneOf("outlook", ("rain", "sunny"))),
        ("age <= 30", AtMost("age", 30)),
        ("age≤30.5", AtMost("age", 30.5)),
        ("age > -3e2", Above("age", -300)),
        ("20 < age <= 30", Between("age", 20, 30)),
        ("30 >= age > 20", Between("age", 20, 30)),
        ("20 < age", Above("age", 20)),
        ("20>=age", AtMost("age", 20)),
        ("age < 30", AtMost("age", np.nextafter(30, 0))),
        ("age >= 30", Above("age", np.nextafter(30, 0))),
        ("age = 30", Between("age", np.nextafter(30, 0), 30)),
        ("20 <= age < 30", Between("age", np.nextafter(20, 0), np.nextafter(30, 0))),
        ("size = 10.0", Is("size", 10)),
        ("wet and wild = true", Is("wet and wild", True)),
        ("income = >50K", Is("income", ">50K")),
        ("income in {<=50K,>50K}", OneOf("income", ("<=50K", ">50K"))),
        ('"a = b" in {"x, y", "{z}", ""}', OneOf("a = b", ("x, y", "{z}", ""))),
        ("style = rock and roll", Is("style", "rock and roll")),
    ],
)
def test_what_people_type(text, condition):
    assert parse_condition(text, SCHEMA) == condition


def test_open_ends_mean_what_they_say_for_every_number():
    around = np.array([np.nextafter(30, 0), 30.0, np.nextafter(30, 99), np.nan, -1e308, 1e308, 0.0])[:, None]
    table = Table(Schema((Column("age"),)), around, np.empty((len(around), 0), dtype=np.int32))
    ages = around[:, 0]
    for text, expected in {
        "age < 30": ages < 30,
        "age >= 30": ages >= 30,
        "age = 30": ages == 30,
        "0 <= age < 30": (ages >= 0) & (ages < 30),
    }.items():
        assert parse_condition(text, table.schema).covers(table).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("outlok = sunny", "there is no attribute 'outlok'; did you mean 'outlook'?"),
        ("20 < agee <= 30", "there is no attribute 'agee'; did you mean 'age'?"),
        ("outlook = sunni", "there is no value of column 'outlook' called 'sunni'; did you mean 'sunny'?"),
        ("size = 3", "there is no value of column 'size' called '3'; there are 1, 2, 10"),
        ("outlook in {sunny, fog}", "there is no value of column 'outlook' called 'fog'"),
        ("outlook in sunny", "is not a condition; write one such as name = value"),
        ("outlook in {}", "names no value between the braces"),
        ('outlook in {"sunny" "rain"}', "not separated by commas"),
        ("outlook not in {sunny, rain, overcast}", "excludes all its values"),
        ("outlook > 3", "column 'outlook' is nominal, so > does not apply"),
        ("age != 30", "column 'age' is numeric, so != does not apply"),
        ("age in {30}", "column 'age' is numeric, so in does not apply"),
        ("age <= old", "column 'age' is compared with 'old', which is not a finite number"),
        ("age <= inf", "not a finite number"),
        ("age < -1.7976931348623157e308", "a threshold on column 'age' is not a finite number"),
        ("30 < age <= 20", "no number satisfies '30 < age <= 20'; swap its ends"),
        ("20 < age > 10", "is not an interval"),
        ("row id = a", "column 'row id' is not an input"),
        ("", "'' is not a condition"),
        ("sunny", "'sunny' is not a condition"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text, sentence):
    with pytest.raises(InputError) as caught:
        parse_condition(text, SCHEMA)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "conditions", "prediction"),
    [
        ("IF outlook = sunny THEN no", (Is("outlook", "sunny"),), "no"),
        ("if outlook != sunny and age > 3 then >50K (3/4)", (NOT_SUNNY, Above("age", 3)), ">50K"),
        ("outlook = sunny THEN NO", (Is("outlook", "sunny"),), "no"),
        ("IF TRUE THEN no (0/0)", (), "no"),
        ("if then no", (), "no"),
        ("THEN no (1.5/2.5)", (), "no"),
        (
            "IF style = rock and roll AND age <= 2 THEN no",
            (Is("style", "rock and roll"), AtMost("age", 2)),
            "no",
        ),
        (
            "if style = now and then and wet and wild = False then now and then",
            (Is("style", "now and then"), Is("wet and wild", False)),
            "now and then",
        ),
        (
            "IF style = Rock And Soul And style in {rock and roll} THEN no",
            (Is("style", "Rock And Soul"), OneOf("style", ("rock and roll",))),
            "no",
        ),
        ("IF age > 1 THEN yes (3/4)", (Above("age", 1),), "yes (3/4)"),
    ],
)
def test_rules_that_people_type(text, conditions, prediction):
    classes = ["no", ">50K", "now and then", "yes (3/4)"]
    rule = parse_rule(text, SCHEMA, classes)
    assert (rule.conditions, rule.prediction) == (conditions, prediction)
    assert rule.counts == (0.0, 0.0, 0.0, 0.0)
    assert rule.classes == tuple(classes)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("outlook = sunny", "has no THEN; write IF … AND … THEN class"),
        ("IF outlook = sunny THEN maybe", "there is no class 'maybe'; there are no, yes"),
        ("IF outlook = sunny THEN yess", "there is no class 'yess'; did you mean 'yes'?"),
        ("IF outlok = sunny AND age > 1 THEN no", "there is no attribute 'outlok'"),
        ("IF age > 1 AND outlook = fog THEN no", "there is no value of column 'outlook' called 'fog'"),
        ("IF age > 1 AND THEN no", "'' is not a condition"),
    ],
)
def test_what_is_wrong_in_a_rule_is_said_in_one_sentence(text, sentence):
    with pytest.raises(InputError) as caught:
        parse_rule(text, SCHEMA, ["no", "yes"])
    assert sentence in str(caught.value)


def test_only_text_is_read():
    with pytest.raises(TypeError, match="from text, not from a int"):
        parse_condition(3, SCHEMA)


@pytest.mark.parametrize(
    "name", ["x not", "x in", "x !", "20", ">x", "IF", "TRUE", "x and y", "not", "x (cm)"]
)
def test_names_that_look_like_grammar_come_back(name):
    schema = Schema(
        (
            *(Column(other) for other in ("x", "y", "5") if other != name),
            Column(name),
            Column("c", "nominal", ("a",)),
        )
    )
    for condition in (AtMost(name, 5), Above(name, 5), Between(name, 5, 7), Above("x", 5)):
        assert parse_condition(str(condition), schema) == condition
        rule = Rule((Is("c", "a"), condition, Is("c", "a")), "then", (1.0, 2.0))
        assert parse_rule(str(rule), schema, ("then", "x")).conditions == rule.conditions
    schema = Schema((Column("x", "nominal", ("a", "b")), Column(name, "nominal", ("a", "b", "IF", "= a"))))
    nominal = (
        Is(name, "a"),
        OneOf(name, ("a", "b")),
        NoneOf(name, ("b",), ("a", "IF", "= a")),
        NoneOf(name, ("b", "= a"), ("a", "IF")),
        NoneOf("x", ("a",), ("b",)),
    )
    for condition in nominal:
        assert parse_condition(str(condition), schema) == condition


@settings(max_examples=25)
@given(st.data())
def test_what_is_printed_is_read_back(cases, data):
    hypothesis, _ = data.draw(cases)
    for rule in hypothesis.rules:
        again = parse_rule(str(rule), hypothesis.schema, hypothesis.classes)
        assert again.conditions == rule.conditions
        assert again.prediction == rule.prediction
        for condition in rule.conditions:
            assert parse_condition(str(condition), hypothesis.schema) == condition


WORDS = [
    "outlook",
    "age",
    "style",
    "and",
    "AND",
    "in",
    "not",
    "sunny",
    "rock",
    "THEN",
    "then",
    "if",
    "nan",
    "3",
    "-1",
]
FRAGMENTS = st.sampled_from([*WORDS, *"{}\"=<>,'()! ", "!=", "<=", ""])


@settings(max_examples=60)
@given(st.lists(FRAGMENTS, max_size=12), st.sampled_from(["", " "]))
def test_whatever_is_typed_is_read_or_refused(fragments, space):
    text = space.join(fragments)
    for read in (lambda: parse_condition(text, SCHEMA), lambda: parse_rule(text, SCHEMA, ["no", "sunny"])):
        with contextlib.suppress(InputError):
            assert str(read())
