"""The numbers of the books: Mitchell §6.9, AIMA §20.2."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import induce
from induce.bayes import check_independence

QUERY = {"Outlook": ["Sunny"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Strong"]}
TENNIS = {
    "Outlook": {"Sunny": (2 / 9, 3 / 5), "Overcast": (4 / 9, 0), "Rain": (3 / 9, 2 / 5)},
    "Temperature": {"Hot": (2 / 9, 2 / 5), "Mild": (4 / 9, 2 / 5), "Cool": (3 / 9, 1 / 5)},
    "Humidity": {"High": (3 / 9, 4 / 5), "Normal": (6 / 9, 1 / 5)},
    "Wind": {"Weak": (6 / 9, 2 / 5), "Strong": (3 / 9, 3 / 5)},
}


@pytest.fixture(scope="module")
def tennis():
    return induce.dataset("play-tennis")


def learned(data, **parameters):
    return induce.NaiveBayes(**parameters).fit(*data).hypothesis_


def test_the_conditional_probabilities_of_play_tennis(tennis):
    model = learned(tennis, alpha=0)
    assert model.classes == ("Yes", "No")
    assert model.priors.tolist() == pytest.approx([9 / 14, 5 / 14])
    for column in model.columns:
        expected = TENNIS[column.column.name]
        for value, shares in zip(column.column.domain, column.probabilities, strict=True):
            assert shares.tolist() == pytest.approx(expected[value])


def test_a_sunny_cool_humid_windy_day(tennis):
    model = learned(tennis, alpha=0)
    scores = np.exp(model.log_joint(pl.DataFrame(QUERY)))[0]
    assert scores.tolist() == pytest.approx([1 / 189, 18 / 875], rel=1e-12)
    assert model.predict(pl.DataFrame(QUERY)).tolist() == ["No"]
    assert model.predict_proba(pl.DataFrame(QUERY))[0, 1] == pytest.approx(0.7954173, abs=5e-8)


@pytest.mark.parametrize(("m", "chance"), [(1, 0.759002), (2, 0.725776), (3, 0.696203), (4, 0.670127)])
def test_the_m_estimate(tennis, m, chance):
    assert learned(tennis, m=m).predict_proba(pl.DataFrame(QUERY))[0, 1] == pytest.approx(chance, abs=5e-7)


def test_the_scores_with_one_virtual_example(tennis):
    scores = np.exp(learned(tennis, m=1).log_joint(pl.DataFrame(QUERY)))[0]
    assert scores.tolist() == pytest.approx([0.006125, 0.0192901], rel=1e-5)


def test_an_overcast_day_is_vetoed_without_smoothing(tennis):
    overcast = pl.DataFrame(QUERY | {"Outlook": ["Overcast"]})
    raw = np.exp(learned(tennis, alpha=0).log_joint(overcast))[0]
    assert raw.tolist() == pytest.approx([0.0105820, 0.0], abs=5e-8)
    smoothed = np.exp(learned(tennis, m=1).log_joint(overcast))[0]
    assert smoothed.tolist() == pytest.approx([0.011375, 0.00192901], abs=5e-9)


def test_the_training_days(tennis):
    X, y = tennis
    model = learned(tennis, alpha=0)
    expected = [0.2046, 0.0790, 1, 0.5365, 0.9328, 0.8224, 1, 0.3397, 0.8606, 0.9025, 0.5784, 1, 1, 0.2784]
    assert model.predict_proba(X)[:, 0].round(4).tolist() == expected
    assert np.flatnonzero(model.predict(X) != y.to_numpy()).tolist() == [5]


@pytest.mark.parametrize("m", [0, 1, 2])
def test_leave_one_out_on_the_training_days(tennis, m):
    X, y = tennis
    left_out = induce.NaiveBayes(m=m).leave_one_out_predict(X, y)
    wrong = (np.flatnonzero(left_out != y.to_numpy()) + 1).tolist()
    assert wrong == [1, 4, 6, 8, 11, 14]
    assert induce.evaluate(induce.NaiveBayes(m=m), X, y, cv="loo").error == pytest.approx(6 / 14)


@pytest.mark.parametrize(
    ("m", "share"), [(1, 0.583333), (2, 0.571429), (5, 0.55), (10, 0.533333), (100, 0.504762)]
)
def test_the_share_of_strong_wind_without_tennis(tennis, m, share):
    wind = learned(tennis, m=m).columns[3]
    assert wind.probabilities[1, 1] == pytest.approx(share, abs=5e-7)


@pytest.mark.parametrize(("m", "share"), [(1, 0.083333), (2, 0.142857), (5, 0.25)])
def test_the_share_of_what_never_happened(m, share):
    model = learned((pl.DataFrame({"wind": ["weak"] * 5 + ["strong"]}), ["no"] * 5 + ["yes"]), m=m)
    assert model.columns[0].probabilities[0, 0] == pytest.approx(share, abs=5e-7)


def test_how_many_numbers_are_needed(tennis):
    model = learned(tennis)
    assert sum(column.n_parameters() for column in model.columns) == 20
    assert np.prod([len(column.column.domain) for column in model.columns]) * len(model.classes) == 72
    boolean = pl.DataFrame({f"b{j}": [True, False, True] for j in range(7)})
    assert learned((boolean, ["n", "y", "y"])).n_free_parameters() == 2 * 7 + 1


# --- the restaurant of AIMA ----------------------------------------------------------------------------------

RAW = [1, 0.412844, 1, 0.412844, 0, 1, 0, 1, 0, 0.319149, 0, 0.260116]
FROM_ONE = [0.936768, 0.434389, 0.680851, 0.434389, 0.040921, 0.991080]
FROM_ONE += [0.191617, 0.991080, 0.048706, 0.390244, 0.124514, 0.315444]


@pytest.mark.parametrize(
    ("parameters", "expected"), [({"alpha": 0}, RAW), ({"alpha": 1, "class_alpha": 1}, FROM_ONE)]
)
def test_the_restaurant(parameters, expected):
    X, y = induce.dataset("restaurant")
    bayes = induce.NaiveBayes(**parameters).fit(X, y)
    yes = bayes.classes_.tolist().index("Yes")
    assert bayes.predict_proba(X)[:, yes].tolist() == pytest.approx(expected, abs=5e-7)
    assert (np.flatnonzero(bayes.predict(X) != y.to_numpy()) + 1).tolist() == [4, 12]


def test_boosted_rounds_by_weights():
    """AdaBoost of AIMA-18 around naive Bayes with counts that start at one (oracle B3)."""
    X, y = induce.dataset("restaurant")
    truth = y.to_numpy() == "Yes"
    weights = np.full(12, 1 / 12)
    vote = np.zeros(12)
    found = []
    for _ in range(7):
        bayes = induce.NaiveBayes(class_alpha=1).fit(X, y, sample_weight=12 * weights)
        predicted = bayes.predict_proba(X)[:, bayes.classes_.tolist().index("Yes")] > 0.5
        wrong = predicted != truth
        error = weights[wrong].sum()
        z = np.log((1 - error) / error)
        vote += z * np.where(predicted, 1, -1)
        found.append((error, z, (np.flatnonzero(wrong) + 1).tolist(), ((vote > 0) == truth).mean()))
        weights = np.where(wrong, weights, weights * error / (1 - error))
        weights /= weights.sum()
        if len(found) == 1:
            assert weights[[3, 11]].tolist() == pytest.approx([0.25, 0.25])
            assert weights[0] == pytest.approx(0.05)
    assert [each[0] for each in found] == pytest.approx(
        [0.166667, 0.15, 0.117647, 0.383333, 0.176263, 0.240728, 0.081024], abs=5e-7
    )
    assert [each[1] for each in found] == pytest.approx(
        [1.609438, 1.734601, 2.014903, 0.475424, 1.541873, 1.148695, 2.428515], abs=5e-6
    )
    assert [each[2] for each in found] == [
        [4, 12],
        [2, 3, 10],
        [1, 7, 9, 11],
        [2, 3, 4, 5, 10],
        [4, 12],
        [2, 3, 6, 8, 10],
        [7, 9],
    ]
    assert [each[3] for each in found] == pytest.approx([0.8333, 0.75, 1, 1, 1, 1, 1], abs=5e-5)


# --- when independence fails ---------------------------------------------------------------------------------


def test_naive_bayes_may_be_optimal_where_its_probabilities_are_wrong():
    once = np.array([[0.4, 0.1], [0.2, 0.3]])
    found = check_independence(np.stack([np.diag(row) for row in once]))
    assert (found.agreement, found.error) == pytest.approx((1, found.best_error))
    assert found.gap > 0.1


def test_naive_bayes_cannot_learn_exclusive_or():
    joint = np.array([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]])
    found = check_independence(joint)
    assert (found.error, found.best_error) == pytest.approx((0.5, 0))


def test_an_independent_joint_has_no_gap():
    a, b = np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([[0.5, 0.5], [0.1, 0.9]])
    found = check_independence(np.einsum("c,ca,cb->cab", [0.4, 0.6], a, b))
    assert found.gap == pytest.approx(0, abs=1e-12)
    for joint in ([0.5, 0.5], [[-1, 1], [1, 1]], [[0, 0], [0, 0]], [[np.nan, 1], [1, 1]]):
        with pytest.raises(induce.InputError, match="joint"):
            check_independence(joint)
