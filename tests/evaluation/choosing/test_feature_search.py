"""The search for the columns a learner does best with."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

import induce
from induce import InputError, Note
from induce.evaluation.choosing.feature_search import FeatureSearch, search_features

QUICK = induce.ID3(max_depth=2)
CHECKS = [
    pytest.param(estimator, check, id=f"{check.func.__name__}-{number}")
    for number, (estimator, check) in enumerate(estimator_checks_generator(FeatureSearch(QUICK, cv=2)))
    if check.func.__name__ != "check_array_api_input"  # it only runs where SCIPY_ARRAY_API was set
]


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    check(estimator)


@pytest.mark.compiled
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_it_goes_the_way_of_scikit_learn(direction):
    X, y = induce.dataset("wine")
    X, y = X.to_numpy()[:, :6], y.to_numpy()
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    path = search_features(GaussianNB(), X, y, direction, folds, patience=9)
    for step in path.steps[1:-1]:
        peer = SequentialFeatureSelector(
            GaussianNB(), n_features_to_select=len(step.columns), direction=direction, cv=folds
        )
        assert np.flatnonzero(peer.fit(X, y).get_support()).tolist() == list(step.columns)


def test_numbers_can_be_predicted():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 5))
    y = 3 * X[:, 1] - 2 * X[:, 4] + 0.1 * random.normal(size=80)
    path = search_features(LinearRegression(), X, y, cv=KFold(5), nested=3)
    assert path.nested.value == pytest.approx(path.best.loss, rel=0.5)  # the same squared error
    assert [step.columns for step in path.steps[:3]] == [(), (1,), (1, 4)]
    assert {"x1", "x4"} <= set(path.chosen)
    assert path.label == "squared error"
    assert path.steps[0].loss == pytest.approx(np.mean([_spread(y, test) for _, test in KFold(5).split(X)]))


def _spread(y, test):
    return np.mean((y[test] - np.delete(y, test).mean()) ** 2)


@pytest.mark.compiled
def test_a_search_overfits_and_the_nested_estimate_says_so():
    """Of twelve columns that tell nothing, some do well by luck."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 12)), np.array(["a", "b"] * 20)
    path = search_features(KNeighborsClassifier(1), X, y, cv=2, nested=4)
    assert path.best.loss < 0.35
    assert path.nested.error > 0.45
    assert "repeating the search in every fold gives error 0." in str(path)


def test_patience_finds_what_one_step_does_not():
    X = pd.DataFrame({"a": ["0", "0", "1", "1"] * 6, "b": ["0", "1", "0", "1"] * 6, "c": ["0", "1", "1"] * 8})
    y = ["0", "1", "1", "0"] * 6
    impatient = search_features(induce.ID3(), X, y, cv=4)
    patient = search_features(induce.ID3(), X, y, cv=4, patience=3)
    assert patient.chosen == ("a", "b")
    assert patient.best.loss == 0 < impatient.best.loss


@pytest.mark.compiled
def test_backward_drops_what_is_not_needed():
    X, y = induce.dataset("restaurant")
    path = search_features(induce.ID3(), X[:, :5], y, "backward", 6)
    assert len(path.steps[0].columns) == 5
    assert len(path.best.columns) < 5
    assert path.best.loss <= path.steps[0].loss


@pytest.mark.compiled
def test_the_selector_keeps_frames():
    X, y = induce.dataset("wine")
    selector = FeatureSearch(induce.ID3(max_depth=3), cv=3, max_features=2).fit(X, y)
    assert selector.transform(X).columns == list(selector.path_.chosen)
    assert selector.get_feature_names_out().tolist() == list(selector.path_.chosen)
    assert len(selector.path_.chosen) == 2


def test_threads_change_nothing():
    X, y = induce.dataset("wine")
    one, two = (search_features(QUICK, X[:, :6], y, cv=2, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert one.steps == two.steps


def test_where_no_column_helps_one_is_kept_with_a_note():
    X, y = np.random.default_rng(3).normal(size=(30, 2)), ["a"] * 20 + ["b"] * 10
    path = search_features(induce.ID3(), X, y, cv=3)
    assert path.chosen == ()
    assert "* no column" in str(path)
    with pytest.warns(Note, match="no column improves on the constant prediction"):
        assert FeatureSearch(induce.ID3(), cv=3).fit(X, y).support_.sum() == 1


def test_the_report():
    X, y = induce.dataset("wine")
    path = search_features(QUICK, X[:, :6], y, "backward", 2)
    assert "all columns" in str(path)
    assert f"is the least of {path.tried}, so it is optimistic" in str(path)
    axes = path.draw().axes[0]
    assert axes.xaxis_inverted()
    assert "<table>" in path._repr_html_()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"direction": "up"}, "direction is 'up'"),
        ({"patience": 0}, "patience is 0"),
        ({"max_features": 99}, "max_features is 99; it must be a whole number from 1 to 4"),
        ({"cv": None}, "cv is None"),
        ({"cv": [([0, 1, 2, 3], [4, 5])], "nested": 3}, "cv holds row numbers"),
        ({"y": ["No"]}, "14 rows and y has 1"),
        ({"learner": LinearRegression()}, "y holds 'No', which is not a number"),
    ],
)
def test_bad_input_is_named(change, message):
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match=message):
        search_features(**({"learner": QUICK, "X": X, "y": y, "cv": 3} | change))
