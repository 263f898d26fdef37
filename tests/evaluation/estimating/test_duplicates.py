"""Copies of rows are told from rows that coincide by chance."""

import numpy as np
import polars as pl
import pytest

from induce import NaiveBayes, evaluate
from induce.evaluation.estimating import splits
from induce.evaluation.estimating.duplicates import copies


def nominal(rng, n, chances):
    return rng.choice([f"v{k}" for k in range(len(chances))], n, p=chances)


EVEN, SKEWED = [0.2] * 5, [0.7, 0.1, 0.1, 0.05, 0.05]


def honest(kind, seed=0):
    """Return independent rows that often coincide, and their classes."""
    rng = np.random.default_rng(seed)
    labels = np.array(["no", "yes"])
    if kind.startswith("four nominal"):
        chances = SKEWED if "skewed" in kind else EVEN
        X = pl.DataFrame({name: nominal(rng, 10_000, chances) for name in "abcd"})
        decided = ((X["a"] == "v0") ^ (X["b"] == "v1")).to_numpy()
        noise = rng.random(len(X)) < (0.5 if "random" in kind else 0.1 if "noisy" in kind else 0)
        return X, labels[(decided ^ noise).astype(int)]
    if kind == "a whole number":
        x = rng.integers(1, 61, 240)
        return pl.DataFrame({"x": x}), labels[(x > 30).astype(int)]
    if kind == "whole numbers":
        X = rng.integers(0, 10, (5000, 2))
        return pl.DataFrame({"x": X[:, 0], "z": X[:, 1]}), labels[(X.sum(axis=1) > 9).astype(int)]
    if kind == "mixed":
        X = pl.DataFrame(
            {"a": nominal(rng, 5000, SKEWED), "b": nominal(rng, 5000, EVEN), "x": rng.integers(0, 8, 5000)}
        )
        return X, labels[((X["x"] > 3) & (X["a"] == "v0")).cast(pl.Int64).to_numpy()]
    if kind == "many zeros":
        x = np.where(rng.random(2000) < 0.9, 0.0, rng.random(2000))
        return pl.DataFrame({"x": x, "a": nominal(rng, 2000, EVEN)}), labels[rng.integers(0, 2, 2000)]
    if kind == "dependent":
        city = rng.integers(0, 25, 3000)
        X = pl.DataFrame(
            {"city": [f"c{k}" for k in city], "code": [f"k{k}" for k in city], "a": nominal(rng, 3000, EVEN)}
        )
        return X, labels[(city % 2).astype(int)]
    if kind == "binary":
        X = rng.random((1000, 4)) < 0.03
        return pl.DataFrame(X, schema=list("abcd")), labels[X.any(axis=1).astype(int)]
    rate = np.round(rng.normal(size=3000) * 3)
    return pl.DataFrame({"x": rng.integers(0, 6, 3000), "b": nominal(rng, 3000, EVEN)}), rate


HONEST = (
    *(
        "four nominal",
        "four nominal, skewed",
        "four nominal, random",
        "four nominal, noisy",
        "four nominal, skewed, noisy",
    ),
    *("a whole number", "whole numbers", "mixed", "many zeros", "dependent", "binary", "numbers to predict"),
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", HONEST)
def test_rows_that_chance_repeats_are_no_copies(kind, seed):
    X, y = honest(kind, seed)
    assert X.with_columns(pl.Series("y", y)).is_duplicated().mean() > 0.05
    assert copies(X, y) is None


def base(kind, rng, n=60):
    if kind == "a number":
        return pl.DataFrame({"x": rng.normal(size=n)})
    if kind == "a rounded number":
        return pl.DataFrame({"x": np.round(rng.normal(size=n), 3)})
    if kind == "numbers":
        return pl.DataFrame(rng.normal(size=(n, 3)), schema=list("xyz"))
    if kind == "ten nominal":
        return pl.DataFrame({f"n{k}": nominal(rng, n, [1 / 3] * 3) for k in range(10)})
    if kind == "whole numbers":
        return pl.DataFrame(rng.integers(0, 10, (n, 5)), schema=list("abcde"))
    return pl.DataFrame(
        {"a": nominal(rng, n, EVEN), "b": nominal(rng, n, EVEN), "x": np.round(rng.random(n) * 50, 2)}
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("times", [2, 4, 9])
@pytest.mark.parametrize(
    "kind", ["a number", "a rounded number", "numbers", "ten nominal", "whole numbers", "mixed"]
)
def test_copies_are_seen(kind, times, seed):
    rng = np.random.default_rng(seed)
    once, labels = base(kind, rng), rng.choice(["no", "yes"], 60)
    twins = copies(pl.concat([once] * times), np.tile(labels, times))
    assert twins is not None
    assert twins.tolist() == list(range(60)) * times


@pytest.mark.parametrize("kind", ["a number", "numbers", "ten nominal", "whole numbers", "mixed"])
def test_a_few_copies_are_seen(kind):
    rng = np.random.default_rng(1)
    once, labels = base(kind, rng, 300), rng.choice(["no", "yes"], 300)
    twins = copies(pl.concat([once, once[:60]]), np.concatenate([labels, labels[:60]]))
    assert twins is not None
    assert twins[300:].tolist() == list(range(60))


@pytest.mark.parametrize("kind", ["four nominal, noisy", "four nominal, skewed, noisy"])
def test_honest_coincidences_keep_estimate_and_interval(kind, monkeypatch):
    X, y = honest(kind)
    found = evaluate(NaiveBayes(), X, y)
    monkeypatch.setattr(splits, "copies", lambda X, actual: None)
    expected = evaluate(NaiveBayes(), X, y)
    assert (found.n, str(found)) == (10_000, str(expected))
