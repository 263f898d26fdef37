"""GABIL: the book's strings and crossovers, what operators conserve, tables with holes."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.randomness import stream, streams
from induce.core.trace import trace
from induce.data.schema import Column, Schema
from induce.evolution.rule_sets import _loops
from induce.evolution.rule_sets.encoding import RuleEncoding
from induce.evolution.rule_sets.population import Population, Rates, Rows

FLAGS = Schema((Column("a1", "nominal", ("T", "F")), Column("a2", "nominal", ("T", "F"))))
TENNIS = Schema(
    (
        Column("Outlook", "nominal", ("Sunny", "Overcast", "Rain")),
        Column("Wind", "nominal", ("Strong", "Weak")),
    )
)
BOOK = RuleEncoding(FLAGS, ((), ()), 2)


def words(encoding, text):
    [(conditions, head)] = encoding.premises(encoding.read(text))
    return " AND ".join(map(str, conditions)) or "TRUE", head


@pytest.mark.parametrize(
    ("text", "conditions", "head"),
    [
        ("010 11 10", "Outlook = Overcast", 0),
        ("011 11 10", "Outlook in {Overcast, Rain}", 0),
        ("111 11 10", "TRUE", 0),
        ("011 10 01", "Outlook in {Overcast, Rain} AND Wind = Strong", 1),
        ("111 10 10", "Wind = Strong", 0),
    ],
)
def test_bits_of_rules(text, conditions, head):
    """04:9.B-1, with a bit for each class."""
    encoding = RuleEncoding(TENNIS, ((), ()), 2, compact=False)
    assert words(encoding, text) == (conditions, head)
    assert encoding.text(encoding.read(text)) == text


def test_a_rule_without_a_class_or_without_a_value_is_no_rule():
    encoding = RuleEncoding(TENNIS, ((), ()), 2, compact=False)
    assert encoding.premises(encoding.read("111 10 11")) == []
    assert encoding.premises(encoding.read("000 10 10")) == []


def test_the_first_rule_that_fires_decides():
    """04:9.B-3: TT, TF, FT, FF are F, T, F and the default."""
    bits = BOOK.read("10 01 1 11 10 0")
    rows = np.array([[place[0], place[1]] for place in ((0, 0), (0, 1), (1, 0), (1, 1))])
    coded = np.array([(1 << a) | (1 << (3 + b)) for a, b in rows]).reshape(-1, 1)
    predicted = []
    for row in coded:
        found = [
            _loops.correct(
                bits,
                2,
                5,
                BOOK.begin,
                BOOK.place,
                BOOK.numeric,
                True,
                row.reshape(1, 1),
                np.eye(2)[[k]],
                1,
                np.zeros((2, 1), dtype=np.int64),
                np.zeros(2, dtype=np.int64),
            )
            for k in range(2)
        ]
        predicted.append(int(np.argmax(found)))
    assert predicted == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("pair", "first", "second"),
    [
        ((1, 3), "11 10 0", "00 01 1 11 11 0 10 01 0"),
        ((1, 8), "11 11 0 10 00 0", "00 01 1 11 11 0"),
        ((6, 8), "10 00 0", "01 11 0 10 01 1 11 11 0"),
    ],
)
def test_crossover_of_the_book(pair, first, second):
    """04:9.B-4."""
    one, two = BOOK.read("10 01 1 11 10 0"), BOOK.read("01 11 0 10 01 0")
    children = []
    for parent, other, (left, right), (a, b) in ((one, two, (1, 8), pair), (two, one, pair, (1, 8))):
        child = np.zeros(20, dtype=np.uint8)
        length = _loops.swapped(parent, len(parent), other, left, right, a, b, child)
        children.append(BOOK.text(child[:length]))
    assert children == [first, second]


def test_points_are_those_allowed():
    """Of points 1 and 8 the second string allows (1, 3), (1, 8) and (6, 8)."""
    seen = set()
    moving = streams(0, n=1)[0]
    for _ in range(3000):
        cut = [0, 0, 0, 0]
        if _loops.points(2, 2, 5, 4, False, 20, moving, cut) and cut[:2] == [1, 8]:
            seen.add((cut[2], cut[3]))
    assert seen == {(1, 3), (1, 8), (6, 8)}


def test_aa_and_dc():
    """04:9.B-5: 10010 may become 10110; DC makes all bits ones."""
    begin = np.array([0, 5])
    moving = streams(0, n=1)[0]
    bits = np.array([1, 0, 0, 1, 0, 1], dtype=np.uint8)
    _loops.change_one(bits, 1, 6, begin, 1, moving)
    assert bits[:5].sum() == 3
    assert bits[0] == bits[3] == bits[5] == 1
    _loops.drop_condition(bits, 1, 6, begin, moving)
    assert bits.tolist() == [1] * 6
    _loops.change_one(bits, 1, 6, begin, 0, moving)
    assert bits[:5].sum() == 4


@given(st.integers(0, 10_000), st.booleans(), st.integers(2, 5))
def test_offspring_are_whole_rules(seed, compact, n_classes):
    encoding = RuleEncoding(TENNIS, ((), ()), n_classes, compact)
    rates = Rates(1.0, 0.5, 0.5, 0.5, 0.5, False, not compact)
    population = Population.random(encoding, 20, 6, stream(seed))
    rows = Rows(np.zeros((1, 1), dtype=np.int64), np.ones((1, n_classes)))
    for _ in range(5):
        population = population.judged(rows, 0).next_generation(rates, streams(seed, 1, n=1)[0])
        assert ((population.n_rules >= 1) & (population.n_rules <= 6)).all()
        for bits, n in zip(population.bits, population.n_rules, strict=True):
            rules = bits[: n * encoding.length].reshape(n, -1)
            assert all(encoding.head(rule[encoding.n_tests :]) >= 0 for rule in rules)


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n)
    size = rng.normal(size=n).round(3)
    y = np.where((colour == "red") & (size > 0), "yes", np.where(size < -1, "maybe", "no"))
    frame = pl.DataFrame({"colour": colour, "size": size})
    return frame.with_columns(
        size=pl.when(pl.Series(rng.random(n) < 0.1)).then(None).otherwise(pl.col("size"))
    ), y


@pytest.mark.parametrize("illegal", ["encoding", "operators", "fitness"])
@pytest.mark.parametrize("adaptive", [False, True])
def test_tables_with_holes(illegal, adaptive):
    X, y = table()
    with trace(only="generation") as events:
        learner = induce.GABIL(40, 15, illegal=illegal, adaptive=adaptive, specialize=0.05).fit(X, y)
    assert learner.score(X, y) ** 2 * 10_000 == pytest.approx(learner.fitness_)
    assert [event["best"] for event in events] == sorted(event["best"] for event in events)
    assert learner.score(X, y) > 0.7


@pytest.mark.compiled
def test_plain_and_compiled_are_the_same(monkeypatch):
    X, y = table()
    plain = induce.GABIL(20, 10, adaptive=True).fit(X, y).hypothesis_
    monkeypatch.setattr("induce.core.loops.PLAIN_WORK", -1)
    assert induce.GABIL(20, 10, adaptive=True).fit(X, y).hypothesis_ == plain


def test_bad_input():
    X, y = table()
    for parameters, message in (
        ({"population_size": 1}, "population_size is 1"),
        ({"crossover": 1.5}, "crossover is 1.5"),
        ({"mutation": -1}, "mutation is -1"),
        ({"illegal": "pray"}, "illegal is 'pray'"),
        ({"default": "perhaps"}, "default is 'perhaps', which is not a class"),
    ):
        with pytest.raises(InputError, match=message):
            induce.GABIL(**parameters).fit(X, y)
    with pytest.raises(InputError, match="not consist of rules of 5 bits"):
        BOOK.read("10 0")
    assert induce.GABIL(generations=0, default="no").fit(X, y).n_generations_ == 0
