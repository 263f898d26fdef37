import numpy as np
import polars as pl
import pytest

from induce.core.errors import InputError
from induce.data.catalogue import dataset
from induce.data.generate import (
    attribute_noise,
    label_noise,
    loans,
    missing_values,
    restaurant,
    restaurant_space,
)


def test_the_restaurant_space():
    space = restaurant_space()
    assert space.X.n_unique() == len(space) == 9216
    assert space.X.schema == dataset("restaurant").X.schema
    yes = space.y == "Yes"
    assert yes.sum() == 4992
    assert yes.filter(space.X["Pat"] == "Full").mean() == 0.625
    best = space.frame.group_by("Pat", "WillWait").len().group_by("Pat").agg(pl.col("len").max())
    assert best["len"].sum() / 9216 == 0.875


def test_the_twelve_evenings_agree_with_the_tree():
    space = restaurant_space().frame
    evenings = dataset("restaurant").frame.drop("ex")
    assert evenings.join(space, on=evenings.columns, how="inner").height == 12


def test_evenings_are_drawn_uniformly():
    data = restaurant(20_000, random_state=1)
    assert (data.y == "Yes").mean() == pytest.approx(4992 / 9216, abs=0.015)
    assert data.X["Type"].value_counts()["count"].min() > 4_700
    assert data.frame.equals(restaurant(20_000, random_state=1).frame)
    assert not data.frame.equals(restaurant(20_000, random_state=2).frame)
    with pytest.raises(InputError, match="n is 0"):
        restaurant(0)


def test_nothing_touches_the_global_generator():
    np.random.seed(3)
    expected = np.random.random()
    np.random.seed(3)
    restaurant(10)
    label_noise(["a", "b"], 0.5)
    loans(10)
    assert np.random.random() == expected


def test_loans():
    data = loans(50_000)
    assert (data.y == "yes").mean() == pytest.approx(0.626, abs=0.01)
    assert data.schema["history"].ordered
    assert data.schema["history"].domain == ("bad", "none", "good")
    rates = data.frame.group_by("history").agg((pl.col("repaid") == "yes").mean()).sort("history")
    assert rates["repaid"].is_sorted()


def test_label_noise_changes_that_share_of_labels():
    y = pl.Series("y", ["a", "b", "c", None] * 5_000, dtype=pl.Enum(["a", "b", "c"]))
    noisy = label_noise(y, 0.3, random_state=0)
    assert noisy.dtype == y.dtype
    assert noisy.null_count() == 5_000
    assert (noisy != y).drop_nulls().mean() == pytest.approx(0.3, abs=0.02)
    turned = noisy.filter((y == "a") & (noisy != "a"))
    assert (turned == "b").mean() == pytest.approx(0.5, abs=0.06)
    assert label_noise(y, 0.0).equals(y)
    with pytest.raises(InputError, match="rate is 2"):
        label_noise(y, 2)
    with pytest.raises(InputError, match="at least two classes"):
        label_noise(["a", "a"], 0.1)


def test_attribute_noise_draws_from_the_domain():
    X = pl.DataFrame({"n": ["p"] * 6_000, "x": [1.0, 2.0, None] * 2_000})
    X = X.with_columns(pl.col("n").cast(pl.Enum(["p", "q", "r"])))
    noisy = attribute_noise(X, 0.6, random_state=0)
    assert noisy.schema == X.schema
    assert (noisy["n"] == "p").mean() == pytest.approx(0.4 + 0.6 / 3, abs=0.03)
    assert set(noisy["x"].drop_nulls()) == {1.0, 2.0}
    assert noisy["x"].null_count() == 2_000
    assert (noisy["x"] != X["x"]).drop_nulls().mean() == pytest.approx(0.3, abs=0.03)


def test_missing_values_are_taken_at_random():
    X = dataset("digits").X
    gone = missing_values(X, 0.25)
    assert gone.schema == X.schema
    share = gone.null_count().sum_horizontal()[0] / (X.height * X.width)
    assert share == pytest.approx(0.25, abs=0.01)


def test_systematic_label_noise_changes_the_named_classes_only():
    said = label_noise(pl.Series(["old", "young", None] * 50), 0.5, to={"old": "young"})
    old = [said[k] for k in range(0, 150, 3)]
    assert set(old) == {"old", "young"}
    assert {said[k] for k in range(1, 150, 3)} == {"young"}
    assert said.null_count() == 50
    with pytest.raises(InputError, match="'ancient', which is not a class of y"):
        label_noise(pl.Series(["old", "young"]), 0.5, to={"ancient": "young"})
