"""The learners as estimators: the same data give the same tree, however they come, and it survives a trip."""

from __future__ import annotations

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError

import induce
from induce.core.registry import ESTIMATORS, resolve
from induce.trees import growth
from induce.trees.pruning import errors

close = pytest.approx
properties = settings(derandomize=True)
LEARNERS = [
    learner
    for name, home in ESTIMATORS.items()
    if home.startswith("induce.trees") and is_classifier((learner := resolve(name, ESTIMATORS))())
]
TREES = [induce.ID3, induce.C45, induce.CART]
each_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.__name__)


def rows_of(X: pl.DataFrame, y: pl.Series, index: list[int]) -> tuple[pl.DataFrame, pl.Series]:
    return X[index], y[index]


# --- properties ----------------------------------------------------------------------------------------------


@properties
@given(data=st.data())
def test_the_same_seed_gives_the_same_hypothesis(tables, data):
    X, y = data.draw(tables(missing=True, least_rows=4))
    for learner in (induce.ID3(pruning="reduced-error"), induce.C45(), induce.CART(cv=3), induce.C45Rules()):
        assert learner.fit(X, y).hypothesis_ == clone(learner).fit(X, y).hypothesis_


@properties
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(tables, data):
    X, y = data.draw(tables())
    order = data.draw(st.permutations(range(len(y))))
    for learner in (induce.ID3(), induce.C45(), induce.CART(pruning=None), induce.C45Rules()):
        assert learner.fit(X[order], y[order]).hypothesis_ == clone(learner).fit(X, y).hypothesis_


@properties
@given(data=st.data())
def test_the_order_of_rows_with_missing_values_does_not_matter(tables, structure, learned, data):
    X, y = data.draw(tables(missing=True))
    order = data.draw(st.permutations(range(len(y))))
    here, there = learned(X, y), learned(X[order], y[order])
    assert structure(there, leaves=False) == structure(here, leaves=False)
    assert there.counts == close(here.counts)


@properties
@given(data=st.data())
def test_the_order_of_columns_matters_only_for_ties(tables, splits, structure, learned, data):
    X, y = data.draw(tables(missing=True))
    here = learned(X, y)
    tied = False
    for event in splits(X, y):
        gains = sorted(candidate["gain"] for candidate in event["candidates"].values())
        tied = tied or (len(gains) > 1 and gains[-1] - gains[-2] < 1e-6)
    if not tied:
        order = data.draw(st.permutations(X.columns))
        assert structure(learned(X.select(order), y), leaves=False) == structure(here, leaves=False)


@properties
@given(data=st.data())
def test_a_full_tree_is_consistent_where_the_data_are(tables, data):
    X, y = data.draw(tables(functional=True))
    for learner in (induce.ID3(), induce.CART(pruning=None)):
        assert (learner.fit(X, y).predict(X) == y.to_numpy()).all()


@properties
@given(data=st.data())
def test_a_weight_of_two_is_two_rows(tables, structure, learned, data):
    missing = data.draw(st.booleans())
    X, y = data.draw(tables(missing=missing))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)))
    if not any(weights):
        return
    repeated = np.repeat(np.arange(len(y)), weights).tolist()
    for learner in (induce.ID3(), induce.C45(pruning=None), induce.CART(pruning=None)):
        weighted = learned(X, y, clone(learner), sample_weight=weights)
        whole = learned(*rows_of(X, y, repeated), clone(learner))
        if weighted.classes == whole.classes:
            assert structure(weighted, leaves=False) == structure(whole, leaves=False)
            assert weighted.counts == close(whole.counts)


@properties
@given(data=st.data())
def test_a_weight_of_zero_leaves_a_row_out(tables, data):
    X, y = data.draw(tables(missing=True))
    weights = np.array(data.draw(st.lists(st.sampled_from([0, 1]), min_size=len(y), max_size=len(y))), float)
    kept = np.flatnonzero(weights).tolist()
    if y[kept].n_unique() < y.n_unique():
        return
    for learner in (induce.ID3(), induce.C45(), induce.CART(cv=3), induce.C45Rules()):
        without = clone(learner).fit(X[kept], y[kept]).predict_proba(X)
        assert learner.fit(X, y, sample_weight=weights).predict_proba(X) == close(without)


@properties
@given(data=st.data())
def test_equal_weights_change_nothing_but_the_counts(tables, structure, learned, data):
    X, y = data.draw(tables())
    plain = learned(X, y)
    heavy = learned(X, y, sample_weight=np.full(len(y), 4.0))
    assert structure(heavy, leaves=False) == structure(plain, leaves=False)
    assert heavy.counts == close(4 * plain.counts)


@properties
@given(data=st.data())
def test_a_traced_fit_is_the_untraced_fit(tables, data):
    X, y = data.draw(tables(missing=True, least_rows=4))
    for learner in (induce.ID3(pruning="reduced-error"), induce.C45(), induce.CART(cv=2), induce.C45Rules()):
        untraced = clone(learner).fit(X, y).hypothesis_
        with induce.trace():
            assert learner.fit(X, y).hypothesis_ == untraced


@properties
@given(data=st.data())
def test_a_saved_hypothesis_is_the_same(tables, tmp_path_factory, data):
    X, y = data.draw(tables(missing=True))
    path = tmp_path_factory.mktemp("models") / "model.induce"
    for learner in (induce.ID3(), induce.CART(pruning=None), induce.C45Rules()):
        learner.fit(X, y)
        induce.save(learner, path)
        again = induce.load(path)
        assert again.hypothesis_ == learner.hypothesis_
        assert (again.predict_proba(X) == learner.predict_proba(X)).all()
        assert (again.classes_ == learner.classes_).all()


# --- the scikit-learn face -----------------------------------------------------------------------------------


@pytest.mark.compiled
@each_learner
def test_clone_pickle_and_parameters(learner):
    X, y = induce.dataset("iris")
    fitted = learner().fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.hypothesis_ == fitted.hypothesis_
    assert (again.predict(X) == fitted.predict(X)).all()
    assert not hasattr(clone(fitted), "hypothesis_")
    assert clone(fitted).get_params() == fitted.get_params()
    assert is_classifier(fitted)


@each_learner
def test_an_unfitted_learner_says_so(learner):
    for method in ("predict", "predict_proba", "explain"):
        with pytest.raises(NotFittedError):
            getattr(learner(), method)([[1.0]])


@pytest.mark.compiled
@each_learner
def test_what_is_known_after_fit(learner):
    X, y = induce.dataset("iris")
    fitted = learner().fit(X, y)
    assert fitted.n_features_in_ == 4
    assert fitted.feature_names_in_.tolist() == X.columns
    assert fitted.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert fitted.score(X, y) > (0.6 if learner is induce.DecisionStump else 0.9)
    assert "setosa" in fitted._repr_html_()


def test_parameters_set_later_are_the_parameters_used():
    X, y = make_classification(100, flip_y=0.2, random_state=0)
    later = induce.C45(pruning=None).set_params(min_samples_leaf=10).fit(X, y).hypothesis_
    assert later == induce.C45(pruning=None, min_samples_leaf=10).fit(X, y).hypothesis_
    assert later.counts.sum(axis=1)[later.attribute >= 0].min() >= 20


def test_probabilities_are_in_the_order_of_classes_():
    """`classes_` is sorted as scikit-learn wants it; the hypothesis keeps the declared order."""
    X, y = induce.dataset("play-tennis")
    learner = induce.ID3(max_depth=0).fit(X, y)
    assert learner.classes_.tolist() == ["No", "Yes"]
    assert learner.hypothesis_.classes == ("Yes", "No")
    assert learner.predict_proba(X[:1])[0] == close([5 / 14, 9 / 14])


def test_the_declared_order_of_classes_breaks_ties():
    X = [[0.0], [0.0]]
    for first, second in [("a", "b"), ("b", "a")]:
        y = pl.Series(["a", "b"], dtype=pl.Enum([first, second]))
        assert induce.ID3().fit(X, y).predict([[0.0]])[0] == first


@pytest.mark.parametrize("y", [[True, False], [1, 0], [2.0, 1.0], ["é", "x y"]])
def test_classes_come_back_as_they_were_given(y):
    predicted = induce.ID3().fit([[1.0], [2.0]], y).predict([[1.0], [2.0]])
    assert predicted.tolist() == y
    assert type(predicted.tolist()[0]) is type(y[0])


def test_class_weight():
    X = pl.DataFrame({"x": ["a"] * 10})
    y = ["rare"] * 2 + ["common"] * 8
    assert induce.C45().fit(X, y).predict(X[:1])[0] == "common"
    assert induce.C45(class_weight={"rare": 10}).fit(X, y).predict(X[:1])[0] == "rare"
    balanced = induce.C45(class_weight="balanced").fit(X, y)
    assert balanced.predict_proba(X[:1])[0] == close([0.5, 0.5])
    together = induce.C45(class_weight={"rare": 2.0}).fit(X, y, sample_weight=np.arange(10.0))
    assert together.hypothesis_.counts[0] == close([44, 2])


def test_presets_are_what_they_say():
    X, y = make_classification(200, n_classes=3, n_informative=4, random_state=2)
    same = [
        (induce.ID3(), induce.DecisionTreeClassifier()),
        (
            induce.C45(),
            induce.DecisionTreeClassifier(
                criterion="gain_ratio",
                min_samples_split=4,
                min_samples_leaf=2,
                min_gain=1e-6,
                guard_thresholds=True,
                pruning="error-based",
            ),
        ),
        (
            induce.CART(),
            induce.DecisionTreeClassifier(
                criterion="gini", nominal="subset", missing="surrogate", pruning="cost-complexity"
            ),
        ),
        (
            induce.ASSISTANT(),
            induce.DecisionTreeClassifier(
                nominal="subset",
                missing="class-distributed",
                min_samples_leaf=2,
                min_gain=0.01,
                pruning="minimum-error",
            ),
        ),
        (induce.DecisionStump(), induce.DecisionTreeClassifier(max_depth=1)),
    ]
    for preset, spelled_out in same:
        assert preset.fit(X, y).hypothesis_ == spelled_out.fit(X, y).hypothesis_


@pytest.mark.compiled
def test_as_accurate_as_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier

    X, y = make_classification(4000, n_informative=10, flip_y=0.05, random_state=0)
    ours = induce.ID3().fit(X[:2000], y[:2000]).score(X[2000:], y[2000:])
    theirs = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X[:2000], y[:2000])
    assert ours > theirs.score(X[2000:], y[2000:]) - 0.02


# --- progress and interruption -------------------------------------------------------------------------------


@pytest.fixture
def tiny_steps(monkeypatch):
    monkeypatch.setattr(growth, "STEP", 200)
    monkeypatch.setattr(errors, "STEP", 200)


def noisy_table(missing: bool, n: int = 150) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(n, flip_y=0.2, random_state=0)
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return X, y


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("learner", TREES)
def test_progress_rises_to_one(tiny_steps, learner, missing):
    seen: list[float] = []
    with induce.progress(seen.append):
        learner().fit(*noisy_table(missing))
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[0] >= 0
    assert seen[-1] == 1


@pytest.mark.parametrize("learner", [induce.ID3, induce.C45, induce.CART, induce.C45Rules])
def test_an_interrupted_fit_leaves_the_learner_unfitted(tiny_steps, learner):
    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    X, y = noisy_table(missing=False, n=60)
    fresh, fitted = learner(), learner().fit(X, y)
    for each in (fresh, fitted):
        with induce.progress(interrupt), pytest.raises(KeyboardInterrupt):
            each.fit(X, y)
        with pytest.raises(NotFittedError):
            each.predict(X)
        assert each.fit(X, y).score(X, y) > 0.7


def test_a_failed_fit_leaves_the_learner_unfitted():
    X, y = induce.dataset("iris")
    learner = induce.ID3().fit(X, y)
    with pytest.raises(induce.InputError):
        learner.fit(X[:10], y)
    with pytest.raises(NotFittedError):
        learner.predict(X)
