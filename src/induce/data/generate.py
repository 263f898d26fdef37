"""Generated tables with known ground truth, and noise for existing tables."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.random import Generator

from induce.core.errors import InputError
from induce.data.catalogue import dataset
from induce.data.dataset import Dataset
from induce.data.reading import read
from induce.data.schema import Column, Schema

Seed = int | Generator | None
HISTORIES = ("bad", "none", "good")
DIE = {
    "colour": ("red", "green", "white"),
    "weight": ("light", "heavy"),
    "time": ("morning", "afternoon", "evening", "night"),
    "fingers crossed": ("yes", "no"),
}


def restaurant(n: int, random_state: Seed = 0) -> Dataset:
    """Draw evenings at the restaurant uniformly, labelled by the tree of figure 18.2 of AIMA.

    Examples
    --------
    >>> evenings = restaurant(100)
    >>> evenings.target, len(evenings)
    ('WillWait', 100)
    """
    rng = np.random.default_rng(random_state)
    inputs = _restaurant_inputs()
    frame = pl.DataFrame([_drawn(rng, column.name, column.domain, _count(n)) for column in inputs])
    return _labelled(frame, inputs, "evenings drawn uniformly and labelled by the tree of figure 18.2")


def restaurant_space() -> Dataset:
    """Return all 9216 distinct evenings at the restaurant with their labels.

    Examples
    --------
    >>> restaurant_space().y.value_counts().sort("WillWait").rows()
    [('Yes', 4992), ('No', 4224)]
    """
    inputs = _restaurant_inputs()
    rows = list(product(*(column.domain for column in inputs)))
    frame = pl.DataFrame(rows, schema={c.name: pl.Enum(_strings(c.domain)) for c in inputs}, orient="row")
    return _labelled(frame, inputs, "every possible evening, labelled by the tree of figure 18.2")


def loans(n: int, random_state: Seed = 0) -> Dataset:
    """Draw loan applicants whose probability of repaying is a logistic function of their attributes.

    P(repaid) = logistic(-2 + balance/4 + (age - 40)/50 + employed + history), with age in [20, 70],
    balance in [-2, 20] (thousands), employment 0 or 1 and history -1, 0 or 1 (bad, none, good), all
    independent.

    Examples
    --------
    >>> loans(1000).X.columns
    ['age', 'balance', 'employed', 'history']
    """
    rng = np.random.default_rng(random_state)
    n = _count(n)
    age = rng.uniform(20, 70, n)
    balance = rng.uniform(-2, 20, n)
    employed = rng.integers(0, 2, n)
    history = rng.integers(-1, 2, n)
    # written out, because `statistics`, with the logistic function, is a layer above `data`
    chance = 1 / (1 + np.exp(-(-2 + 0.25 * balance + 0.02 * (age - 40) + employed + history)))
    repaid = (rng.random(n) < chance).astype(int)
    frame = pl.DataFrame(
        {
            "age": age,
            "balance": balance,
            "employed": _coded(employed, ("no", "yes")),
            "history": _coded(history + 1, HISTORIES),
            "repaid": _coded(repaid, ("no", "yes")),
        }
    )
    data = read(frame, "repaid", schema={"history": {"domain": HISTORIES, "ordered": True}}, name="loans")
    return Dataset(data.frame, data.target, data.schema, "loans", "loan applicants, some of whom repaid")


def die_rolls(n: int, random_state: Seed = 0) -> Dataset:
    """Roll a fair die with attributes that are irrelevant to the outcome (AIMA section 18.3.5).

    The colour and weight of the die, the time of day and whether the fingers were crossed are all independent
    and equally likely; about every sixth roll is a six.

    Examples
    --------
    >>> die_rolls(1000).y.value_counts().sort("roll").rows()
    [('other', 824), ('six', 176)]
    """
    rng = np.random.default_rng(random_state)
    n = _count(n)
    frame = pl.DataFrame([_drawn(rng, name, domain, n) for name, domain in DIE.items()])
    roll = _coded((rng.random(n) < 1 / 6).astype(int), ("other", "six")).alias("roll")
    data = read(frame.with_columns(roll), "roll", name="die rolls")
    return Dataset(
        data.frame, data.target, data.schema, "die rolls", "rolls of a die, with irrelevant attributes"
    )


def label_noise(
    y: Any, rate: float, random_state: Seed = 0, to: Mapping[Any, Any] | None = None
) -> pl.Series:
    """Change each label, with probability `rate`, to another class chosen uniformly.

    Parameters
    ----------
    y : Series or sequence
        Labels.
    rate : float
        Probability that a label is changed.
    random_state : int or Generator, default=0
        Random seed.
    to : dict, optional
        Systematic errors: a mapping from classes to the classes they are mistaken for. Other classes keep
        their labels.

    Examples
    --------
    >>> label_noise(pl.Series(["a", "b"] * 3), rate=1.0).to_list()
    ['b', 'a', 'b', 'a', 'b', 'a']
    >>> label_noise(pl.Series(["old", "young"]), rate=1.0, to={"old": "young"}).to_list()
    ['young', 'young']
    """
    rng = np.random.default_rng(random_state)
    labels = _series(y, "y")
    codes, values = _codes(labels)
    if len(values) < 2:
        raise InputError("label noise needs at least two classes; give labels of two or more")
    known = codes >= 0
    flipped = known & (rng.random(len(codes)) < _rate(rate))
    if to is None:
        shift = rng.integers(1, len(values), len(codes))
        codes = np.where(flipped, (codes + shift) % len(values), codes)
    else:
        places = {value: place for place, value in enumerate(values)}
        strange = [value for value in (*to, *to.values()) if value not in places]
        if strange:
            raise InputError(f"to names {strange[0]!r}, which is not a class of y; give classes of y")
        taken = np.array([places[to.get(value, value)] for value in values])
        codes = np.where(flipped, taken[codes], codes)
    return _from_codes(codes, values, labels)


def attribute_noise(X: pl.DataFrame, rate: float, random_state: Seed = 0) -> pl.DataFrame:
    """Replace each known cell, with probability `rate`, by a uniform draw from its column.

    A nominal column is drawn from its domain, a numeric one from its distinct observed values.

    Examples
    --------
    >>> attribute_noise(pl.DataFrame({"a": [1, 2, 3]}), rate=0.0).equals(pl.DataFrame({"a": [1, 2, 3]}))
    True
    """
    rng = np.random.default_rng(random_state)
    rate = _rate(rate)
    noisy = []
    for column in X.get_columns():
        codes, values = _codes(column)
        hit = (codes >= 0) & (rng.random(len(codes)) < rate)
        drawn = rng.integers(0, max(len(values), 1), len(codes))
        noisy.append(_from_codes(np.where(hit, drawn, codes), values, column))
    return pl.DataFrame(noisy)


def missing_values(X: pl.DataFrame, rate: float, random_state: Seed = 0) -> pl.DataFrame:
    """Delete each cell with probability `rate`.

    Examples
    --------
    >>> missing_values(pl.DataFrame({"a": [1, 2, 3]}), rate=1.0)["a"].null_count()
    3
    """
    rng = np.random.default_rng(random_state)
    rate = _rate(rate)
    gone = [pl.Series(rng.random(X.height) < rate) for _ in X.columns]
    return pl.DataFrame([column.set(lost, None) for column, lost in zip(X.get_columns(), gone, strict=True)])


def _restaurant_inputs() -> tuple[Column, ...]:
    return tuple(dataset("restaurant").schema.inputs())


def _labelled(frame: pl.DataFrame, inputs: tuple[Column, ...], description: str) -> Dataset:
    target = dataset("restaurant").schema["WillWait"]
    labels = (
        pl.when(_waits()).then(pl.lit("Yes")).otherwise(pl.lit("No")).cast(pl.Enum(_strings(target.domain)))
    )
    frame = frame.with_columns(labels.alias("WillWait"))
    return Dataset(frame, "WillWait", Schema((*inputs, target)), "restaurant", description)


def _waits() -> pl.Expr:
    """Return the label by the tree of figure 18.2, as conditions."""

    def yes(name: str) -> pl.Expr:
        return pl.col(name) == "Yes"

    estimate = pl.col("Est")
    long_wait = pl.when(yes("Alt")).then(yes("Fri")).otherwise(yes("Res") | yes("Bar"))
    short_wait = ~yes("Hun") | ~yes("Alt") | yes("Rain")
    full = (estimate == "0-10") | ((estimate == "30-60") & long_wait) | ((estimate == "10-30") & short_wait)
    return (pl.col("Pat") == "Some") | ((pl.col("Pat") == "Full") & full)


def _drawn(rng: Generator, name: str, domain: tuple[Any, ...], n: int) -> pl.Series:
    return _coded(rng.integers(0, len(domain), n), _strings(domain)).alias(name)


def _coded(codes: Any, domain: tuple[str, ...]) -> pl.Series:
    return pl.Series(domain).gather(codes).cast(pl.Enum(domain))


def _codes(column: pl.Series) -> tuple[Any, pl.Series]:
    """Return the index of each cell among the column's possible values (-1 if missing), and these values."""
    dtype: Any = column.dtype
    declared = pl.Series(dtype.categories, dtype=dtype) if dtype == pl.Enum else None
    values = column.drop_nulls().unique().sort() if declared is None else declared
    if values.dtype.is_float():
        values = values.drop_nans()
    places = pl.DataFrame({"value": values, "code": pl.int_range(len(values), eager=True)})
    found = column.alias("value").to_frame().join(places, on="value", how="left", maintain_order="left")
    return found["code"].fill_null(-1).to_numpy(), values


def _from_codes(codes: Any, values: pl.Series, like: pl.Series) -> pl.Series:
    picked = values.gather(np.maximum(codes, 0)) if len(values) else like
    return picked.set(pl.Series(codes < 0), None).alias(like.name)


def _series(values: Any, name: str) -> pl.Series:
    return values if isinstance(values, pl.Series) else pl.Series(name, list(values))


def _strings(domain: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(str(value) for value in domain)


def _rate(rate: float) -> float:
    if not 0 <= rate <= 1:
        raise InputError(f"rate is {rate}; give a probability between 0 and 1")
    return rate


def _count(n: int) -> int:
    if n < 1:
        raise InputError(f"n is {n}; give a number of rows of at least 1")
    return n
