"""Leaving out examples: what would be predicted without them, and what is chosen by it."""

import numpy as np
import polars as pl
import pytest

import induce
from induce import KNeighborsClassifier, KNeighborsRegressor
from induce.instances.learners.ib2 import IB2

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")


def mixed(seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "size": rng.integers(0, 6, n).astype(float),
            "colour": pl.Series(rng.choice(["red", "green"], n), dtype=pl.Enum(["red", "green", "blue"])),
            "price": rng.normal(size=n),
        }
    )
    gone = pl.Series(rng.random(n) < 0.1)
    return X.with_columns(pl.when(gone).then(None).otherwise(pl.col("size")).alias("size")), rng.integers(
        0, 3, n
    )


def learned_anew(learner, X, y):
    """Fit without each row in turn."""
    found = []
    for row in range(len(X)):
        others = np.delete(np.arange(len(X)), row)
        found.append(learner.fit(X[others], y[others]).predict(X[row : row + 1])[0])
    return np.array(found)


@pytest.mark.parametrize("metric", ["heom", "euclidean", "hvdm", "seuclidean", "chebyshev"])
@pytest.mark.parametrize("weights", ["uniform", "inverse-square"])
def test_each_row_is_left_out_as_if_learned_anew(metric, weights):
    X, y = mixed()
    learner = KNeighborsClassifier(3, metric=metric, weights=weights)
    assert learner.leave_one_out_predict(X, y).tolist() == learned_anew(learner, X, y).tolist()


@pytest.mark.parametrize("metric", ["heom", "manhattan"])
def test_numbers_are_left_out_as_if_learned_anew(metric):
    X, y = mixed()
    learner = KNeighborsRegressor(4, metric=metric, weights="gaussian", width=0.4)
    numbers = y + np.arange(len(y)) / 10
    np.testing.assert_allclose(learner.leave_one_out_predict(X, numbers), learned_anew(learner, X, numbers))


def test_evaluation_asks_for_it():
    X, y = induce.dataset("iris")
    found = induce.evaluate(KNeighborsClassifier(7), X, y, cv="loo")
    left = KNeighborsClassifier(7).leave_one_out_predict(X, y)
    assert found.error == pytest.approx(np.mean(left != y.to_numpy()))


def test_more_neighbours_than_others():
    X, y = [[0.0], [1.0], [5.0]], ["a", "a", "b"]
    assert KNeighborsClassifier(9).leave_one_out_predict(X, y).tolist() == ["a", "a", "a"]
    with pytest.raises(induce.InputError, match="there is only one row; give at least two"):
        KNeighborsClassifier(1).leave_one_out_predict([[1.0]], ["a"])


def test_one_more_neighbour_tells_what_would_be_without_each():
    """Spec 06, NP13: equal to learning without each example."""
    rng = np.random.default_rng(0)
    X, Q, y = rng.normal(size=(25, 2)), rng.normal(size=(10, 2)), rng.integers(0, 2, 25)
    for learner, told in (
        (KNeighborsClassifier(3, metric="euclidean"), y),
        (KNeighborsClassifier(3, metric="euclidean", weights="inverse-square"), y),
        (KNeighborsRegressor(3, metric="euclidean"), y + 0.5),
        (KNeighborsRegressor(None, metric="euclidean", weights="distance"), y + 0.5),
    ):
        base, places, without = learner.fit(X, told).hypothesis_.without_each(Q)
        np.testing.assert_allclose(base, learner.predict(Q))
        for row in range(25):
            others = np.delete(np.arange(25), row)
            expected = learner.fit(X[others], told[others]).predict(Q)
            known = np.where((places == row).any(axis=1), (without * (places == row)).sum(axis=1), base)
            np.testing.assert_allclose(known, expected)


# --- choosing ------------------------------------------------------------------------------------------------


def test_the_best_number_of_neighbours_is_taken():
    X, y = induce.dataset("iris")
    ks = [1, 5, 7, 51]
    fitted = KNeighborsClassifier(ks).fit(X, y).hypothesis_
    errors = [np.mean(KNeighborsClassifier(k).leave_one_out_predict(X, y) != y.to_numpy()) for k in ks]
    # the range of a column is settled once, where leaving out rows may change it for some
    assert fitted.choice.losses == pytest.approx(errors, abs=2 / 150)
    assert fitted.n_neighbors == ks[int(np.argmin(fitted.choice.losses))]
    assert "by leave-one-out: error" in str(fitted)


def test_weights_and_widths_are_chosen_too():
    rng = np.random.default_rng(0)
    X = rng.random((80, 1))
    y = np.sin(6 * X[:, 0]) + rng.normal(size=80) / 5
    fitted = KNeighborsRegressor([3, 9, 27], weights=["uniform", "gaussian"], width=[0.02, 0.1, 1.0])
    choice = fitted.fit(X, y).hypothesis_.choice
    assert len(choice.settings) == 3 * (1 + 3)
    assert choice.settings[0] == {
        "weights": "uniform",
        "width": pytest.approx(np.nan, nan_ok=True),
        "n_neighbors": 3,
    }
    kernel = fitted.hypothesis_.kernel
    assert kernel.name == choice.best["weights"]
    assert str(choice)
    assert choice.draw().axes[0].get_ylabel() == "mean squared error, leave-one-out"


def test_a_kernel_without_a_width_gets_one():
    X, y = induce.dataset("iris")
    fitted = KNeighborsClassifier(None, weights="gaussian").fit(X, y).hypothesis_
    assert len(fitted.choice.losses) == 10
    assert fitted.choice.best == {"width": fitted.kernel.width}
    assert not hasattr(KNeighborsClassifier(weights="gaussian"), "leave_one_out_predict")
    assert hasattr(KNeighborsClassifier(weights="gaussian", width=1.0), "leave_one_out_predict")


def test_auto():
    X, y = induce.dataset("iris")
    fitted = KNeighborsClassifier("auto").fit(X[::10], y[::10]).hypothesis_
    assert [setting["n_neighbors"] for setting in fitted.choice.settings] == [1, 3, 5, 7, 9, 11]
    assert not hasattr(KNeighborsClassifier("auto"), "leave_one_out_predict")


# --- rows that come later ------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["heom", "hvdm", "euclidean"])
def test_rows_one_at_a_time_are_rows_together(metric):
    X, y = mixed()
    y = np.sort(y)
    whole = KNeighborsClassifier(3, metric=metric).fit(X, y)
    parts = KNeighborsClassifier(3, metric=metric)
    for row in range(len(X)):
        parts.partial_fit(X[row : row + 1], y[row : row + 1], classes=[0, 1, 2])
    assert parts.hypothesis_ == whole.hypothesis_
    assert parts.classes_.tolist() == [0, 1, 2]
    numbers = KNeighborsRegressor(3).fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    assert numbers.hypothesis_ == KNeighborsRegressor(3).fit(X, y).hypothesis_


def test_new_values_and_classes_are_added():
    learner = KNeighborsClassifier(1).partial_fit([["a"], ["b"]], ["x", "y"])
    learner.partial_fit([["c"]], ["z"]).partial_fit([["d"]], ["x"])
    assert learner.predict([["a"], ["b"], ["c"], ["d"]]).tolist() == ["x", "y", "z", "x"]
    assert learner.predict_proba([["c"]]).tolist() == [[0.0, 0.0, 1.0]]


def test_weights_of_rows_that_come_later():
    X, y = mixed()
    weights = np.arange(len(y)) % 3
    whole = KNeighborsClassifier(3).fit(X, y, sample_weight=weights)
    parts = KNeighborsClassifier(3).fit(X[:20], y[:20], sample_weight=weights[:20])
    parts.partial_fit(X[20:], y[20:], sample_weight=weights[20:])
    assert parts.predict_proba(X).tolist() == whole.predict_proba(X).tolist()


@pytest.mark.parametrize("learner", [KNeighborsClassifier(1), KNeighborsRegressor(1), IB2()])
def test_rows_that_do_not_fit(learner):
    learner.partial_fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])
    with pytest.raises(ValueError, match=r"1 columns, but 2 were learned from|X has 1 features"):
        learner.partial_fit([[1.0]], [0]).predict([[1.0, 2.0]])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        learner.partial_fit([[1.0, 2.0]], [0, 1])


def test_a_file_goes_on_where_it_was(tmp_path):
    X, y = mixed()
    induce.save(KNeighborsClassifier(3).fit(X[:20], y[:20]), tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce").partial_fit(X[20:], y[20:])
    assert loaded.hypothesis_ == KNeighborsClassifier(3).fit(X, y).hypothesis_
