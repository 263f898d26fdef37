"""Schemas: the numbers of the spec, an enumeration, and a run."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evolution import GeneticAlgorithm, OneMax, Tournament
from induce.theory import Schema, n_schemas, schema_count, schema_table, selection_probabilities

POPULATION, FITNESS = ["0110", "1100", "0011", "1001"], [6, 12, 3, 9]


def test_9_b_6():
    assert Schema("0*10").strings() == ("0010", "0110")
    assert n_schemas(4) == (16, 81)
    every = [Schema("".join(signs)) for signs in product("01*", repeat=4)]
    assert sum(bool(schema.matches(["0010"])[0]) for schema in every) == 16
    found = {
        text: (Schema(text).order, Schema(text).defining_length) for text in ("0*10", "00**", "****", "1***0")
    }
    assert found == {"0*10": (3, 3), "00**": (2, 1), "****": (0, 0), "1***0": (2, 4)}
    assert (Schema("*11*").order, Schema("*11*").defining_length) == (2, 1)


@pytest.mark.parametrize(
    ("schema", "m", "u", "selected", "bound", "exact", "other"),
    [
        ("1***", 2, 10.5, 2.8, 2.7972, 2.7984, 2.772),
        ("1*0*", 2, 10.5, 2.8, 1.676642, 2.459747, 1.463616),
        ("11**", 1, 12, 1.6, 1.277441, 1.614736, 1.202256),
        ("1**1", 1, 9, 1.2, 0.47904, 1.151792, 0.352836),
        ("0*1*", 2, 4.5, 1.2, 0.718561, 0.862947, 0.627264),
        ("*0*1", 2, 6, 1.6, 0.958081, 1.214338, 0.836352),
        ("*1**", 2, 9, 2.4, 2.3976, 2.3992, 2.376),
    ],
)
def test_9_b_7(schema, m, u, selected, bound, exact, other):
    found = schema_count(schema, POPULATION, FITNESS, 0.6, 0.001)
    assert (found.count, found.fitness, found.mean) == (m, u, 7.5)
    assert (found.selected, found.bound, found.expected) == pytest.approx((selected, bound, exact), abs=1e-6)
    assert schema_count(schema, POPULATION, FITNESS, 0.7, 0.01).bound == pytest.approx(other, abs=1e-6)


def enumerated(schema, rows, fitness, p_c, p_m):
    """All parents, mates, points, children and mutations, one by one."""
    shares, n, length = np.array(fitness) / sum(fitness), len(rows), len(schema)
    total = 0.0
    for i, j in product(range(n), repeat=2):
        children = [(1 - p_c, rows[i])]
        for point in range(1, length):
            for child in (rows[i][:point] + rows[j][point:], rows[j][:point] + rows[i][point:]):
                children.append((p_c / (length - 1) / 2, child))
        for weight, child in children:
            fits = [1 - p_m if a == b else p_m for a, b in zip(child, schema, strict=True) if b != "*"]
            total += shares[i] * shares[j] * weight * np.prod(fits)
    return n * total


def test_the_expectation_is_that_of_an_enumeration():
    rng = np.random.default_rng(0)
    for _ in range(10):
        rows = ["".join(map(str, row)) for row in rng.integers(0, 2, (5, 4))]
        fitness = rng.integers(1, 9, 5).tolist()
        schema = "".join(rng.choice(list("01*"), 4))
        found = schema_count(schema, rows, fitness, 0.6, 0.1)
        assert found.expected == pytest.approx(enumerated(schema, rows, fitness, 0.6, 0.1))
        assert found.bound <= found.expected + 1e-9


def test_selection_probabilities():
    assert selection_probabilities([5, 3, 2], Tournament(0.75)).tolist() == pytest.approx([0.5, 1 / 3, 1 / 6])
    with pytest.raises(InputError, match="finite numbers"):
        selection_probabilities([1, float("nan")])


def test_a_run_keeps_to_what_is_expected():
    """Over many generations observed counts scatter around their expectation, and reach the bound on average."""
    learner = GeneticAlgorithm.prototypical(population_size=200, m=0.2, generations=12, random_state=1)
    with induce.trace("generation") as events:
        learner.learn(OneMax(16))
    table = schema_table(events, "11**************", 0.6, 0.2)
    assert len(table.rows) == len(events)
    expected = np.array([row.expected for row in table.rows[:-1]])
    assert np.abs(np.array(table.observed) - expected).mean() < 12  # a standard deviation is about 6
    assert all(row.bound <= row.expected for row in table.rows)
    assert 0 <= table.kept() <= 1
    assert "bound" in str(table)
    assert table.draw().axes
    assert "<table>" in table._repr_html_()


def test_bad_schemas():
    for run, sentence in (
        (lambda: Schema("01x"), "not a schema"),
        (lambda: Schema(""), "not a schema"),
        (lambda: schema_count("0*", POPULATION, FITNESS, 0.6, 0.1), "2 bits, but the strings have 4"),
        (lambda: schema_count("0***", POPULATION, [1, 2], 0.6, 0.1), "4 strings and 2 fitness values"),
        (lambda: schema_count("0***", POPULATION, FITNESS, 1.6, 0.1), "p_c is 1.6"),
        (lambda: schema_count("0***", ["01", "0"], FITNESS, 0.6, 0.1), "all of the same length"),
        (lambda: schema_table([], "1*", 0.6, 0.1), "no generation"),
        (lambda: Schema("*" * 30).strings(), "more than a million"),
    ):
        with pytest.raises(InputError, match=sentence):
            run()
