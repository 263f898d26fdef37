"""The likeliest target of a table, wherever it stands and whatever its name."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.data.reading import read
from induce.evaluation.comparing.targets import likely_targets, sure_target

CLASSES = ("iris", "wine", "breast-cancer", "play-tennis", "restaurant", "earthquakes", "cup")


def table(name, last=True):
    """Return a shipped table, with its target last and so named, or second and named otherwise."""
    data = induce.dataset(name)
    inputs = data.frame.drop(data.target)
    target = data.frame[data.target].alias("class" if last else "of interest")
    names = [*inputs.columns, "class"] if last else [inputs.columns[0], "of interest", *inputs.columns[1:]]
    return inputs.with_columns(target).select(names)


@pytest.mark.parametrize("name", CLASSES)
def test_a_named_last_column_is_sure(name):
    data = read(table(name))
    assert likely_targets(data.frame, data.schema)[0] == "class"
    assert sure_target(data.frame, data.schema) == "class"


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "play-tennis", "earthquakes"])
def test_a_target_in_the_middle_without_a_telling_name(name):
    data = read(table(name, last=False))
    assert likely_targets(data.frame, data.schema)[0] == "of interest"


def people(n=900):
    """A census: sex and marital status depend on each other, income a little on everything."""
    rng = np.random.default_rng(4)
    sex = rng.choice(["female", "male"], n)
    status = np.where(rng.random(n) < 0.3, "single", np.where(sex == "male", "married", "widowed"))
    age, hours = rng.integers(18, 80, n), rng.integers(10, 70, n)
    score = (age > 40) + (hours > 40) + (status == "married") + rng.normal(0, 0.7, n)
    income = np.where(score > 2, ">50K", "<=50K")
    return pl.DataFrame({"age": age, "marital-status": status, "sex": sex, "hours": hours, "income": income})


def test_income_comes_before_marital_status():
    data = read(people())
    assert likely_targets(data.frame, data.schema)[0] == "income"
    assert sure_target(data.frame, data.schema) == "income"
    moved = read(
        people().select("income", "age", "marital-status", "sex", "hours").rename({"income": "earns"})
    )
    assert sure_target(moved.frame, moved.schema) is None


def test_rows_in_the_order_of_their_class():
    data = read(table("breast-cancer", last=False).sort("of interest"))
    assert likely_targets(data.frame, data.schema)[0] == "of interest"


def test_columns_without_a_favourite_are_not_sure():
    rng = np.random.default_rng(0)
    data = read(pl.DataFrame({name: rng.choice(["u", "v", "w"], 200) for name in ("p", "q", "r", "s")}))
    assert sure_target(data.frame, data.schema) is None
    assert set(likely_targets(data.frame, data.schema)) == {"p", "q", "r", "s"}
