"""New rows beside those that were learned from."""

import numpy as np
import polars as pl

from induce.data.drift import Watch, fingerprint, profile
from induce.data.schema import Column, Schema

SCHEMA = Schema((Column("age"), Column("wind", "nominal", ("weak", "strong"))))


def _frame(random, n, shift=0.0, values=("weak", "strong")):
    return pl.DataFrame({"age": random.normal(40 + shift, 10, n), "wind": random.choice(values, n)})


def test_rows_of_the_same_kind_say_nothing():
    random = np.random.default_rng(0)
    learned = profile(_frame(random, 300), SCHEMA)
    for _ in range(20):
        watch = Watch(SCHEMA, learned)
        watch.see(_frame(random, 60))
        assert watch.sentences() == []


def test_a_shift_and_unseen_values_are_told_with_counts_over_pieces():
    random = np.random.default_rng(0)
    watch = Watch(SCHEMA, profile(_frame(random, 300), SCHEMA))
    for _ in range(2):
        watch.see(_frame(random, 100, 30, ("weak", "gale")))
    unseen, *drifted = watch.sentences()
    assert unseen.startswith("column 'wind' holds values in ")
    assert "of 200 rows not seen in training: gale" in unseen
    assert any(each.startswith("column 'age' has drifted: ") and "in training" in each for each in drifted)


def test_a_column_that_goes_missing_is_told():
    random = np.random.default_rng(0)
    watch = Watch(SCHEMA, profile(_frame(random, 300), SCHEMA))
    watch.see(_frame(random, 100).with_columns(age=pl.lit(None, dtype=pl.Float64)))
    assert watch.sentences() == ["column 'age' has drifted: 100 of 100 rows lack it, 0% in training"]


def test_old_models_know_only_their_domains():
    watch = Watch(SCHEMA)
    watch.see(_frame(np.random.default_rng(0), 100, 300))
    assert watch.sentences() == []


def test_the_same_rows_are_known_again():
    frame = _frame(np.random.default_rng(0), 10)
    assert fingerprint(frame, ["a"] * 10, SCHEMA) == fingerprint(frame.clone(), ["a"] * 10, SCHEMA)
    assert fingerprint(frame, ["a"] * 10, SCHEMA) != fingerprint(frame, ["b"] * 10, SCHEMA)
