"""AdaBoost: its invariants, its ends, and any learner inside it."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.neighbors import KNeighborsClassifier

import induce
from induce.data.generate import restaurant
from induce.ensembles.boosting import Boosting, adaboost
from induce.ensembles.learners.class_members import replicated


def rounds(learner, X, y, **more):
    with induce.trace(only="round") as events:
        learner.fit(X, y, **more)
    return events


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), n_classes=st.integers(2, 4))
def test_after_the_update_a_hypothesis_is_no_better_than_chance(seed, n_classes):
    """Property 13: weights sum to 1, and the last hypothesis has the weighted error 1/2."""
    rng = np.random.default_rng(seed)
    labels, codes = rng.integers(0, n_classes, 40), rng.integers(0, n_classes, 40)
    codes[:30] = labels[:30]
    state = Boosting(labels, rng.random(40) + 0.1, n_classes, logistic=False)
    for _ in range(3):
        w = state.weights()
        assert w.sum() == pytest.approx(1.0)
        error, z = state.vote(w, codes)
        if not 0 < error < 1 - 1 / n_classes:
            return
        state.add(codes, z)
        after = state.weights()
        assert after[codes != labels].sum() == pytest.approx(1 - 1 / n_classes)
        codes = np.where(rng.random(40) < 0.7, labels, rng.integers(0, n_classes, 40))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_the_loss_falls_with_every_round(mixed, loss, n_classes):
    X, y = mixed(n_classes=n_classes)
    ensemble = induce.AdaBoost(n_estimators=25, loss=loss).fit(X, y).hypothesis_
    labels = np.array([ensemble.classes.index(value) for value in y])
    losses = []
    for k in range(1, len(ensemble.members) + 1):
        scores = ensemble.first(k).scores(X)
        own = scores[np.arange(len(labels)), labels]
        if loss == "logistic":
            losses.append(np.mean(np.log(np.exp(scores - own[:, None]).sum(axis=1))))
        else:
            losses.append(np.mean(np.exp((scores.sum(axis=1) - n_classes * own) / n_classes)))
    assert len(losses) > 10
    assert losses[-1] < losses[0]
    if loss == "exponential":
        assert (np.diff(losses) < 1e-12).all()


def test_logistic_probabilities_are_better_than_shares_of_the_vote(mixed):
    data = [mixed(600, seed=seed, holes=0) for seed in (1, 2)]
    (X, y), (new, truth) = data
    lost = {}
    for loss in ("exponential", "logistic"):
        learner = induce.AdaBoost(n_estimators=40, loss=loss).fit(X, y)
        shares = learner.predict_proba(new)
        assert (learner.classes_[shares.argmax(axis=1)] == learner.predict(new)).all()
        own = shares[np.arange(len(new)), [learner.classes_.tolist().index(value) for value in truth]]
        lost[loss] = np.mean((1 - own) ** 2)
    assert lost["logistic"] < lost["exponential"] < 0.25


def test_more_rounds_are_as_if_there_had_been_more_at_once(mixed):
    for estimator in (None, induce.C45(max_depth=2), KNeighborsClassifier(3)):
        X, y = mixed(holes=0.1 if estimator is None else 0)
        X = X if not isinstance(estimator, KNeighborsClassifier) else X.to_dummies("c").to_numpy()
        whole = induce.AdaBoost(estimator, n_estimators=12).fit(X, y)
        part = induce.AdaBoost(estimator, n_estimators=5).fit(X, y).more(7, X, y)
        assert len(whole.hypothesis_.members) == len(part.hypothesis_.members) > 5
        assert np.array_equal(whole.hypothesis_.weights, part.hypothesis_.weights)
        assert (whole.predict(X) == part.predict(X)).all()
    with pytest.raises(induce.InputError, match="other columns or classes"):
        part.more(2, X, y.replace("c0", "other"))
    assert (whole.predict(X) == part.predict(X)).all()


def test_rounds_end_where_the_validation_error_is_least(mixed):
    X, y = mixed(300, seed=3)
    learner = induce.AdaBoost(n_estimators=200, n_iter_no_change=5, validation_fraction=0.3).fit(X, y)
    errors = learner.validation_errors_
    best = int(np.argmin(errors))
    assert len(learner.hypothesis_.members) == best + 1
    assert len(errors) == best + 6 < 200


def test_no_error_ends_boosting_and_outvotes_all_others(mixed):
    X, y = induce.dataset("play-tennis")
    alone = induce.AdaBoost(induce.ID3()).fit(X, y).hypothesis_
    assert alone.weights.tolist() == [1.0]
    labels = np.array([0, 0, 1, 1])
    says = {"first": np.array([0, 1, 1, 1]), "right": labels}
    state = Boosting(labels, np.ones(4), 2, logistic=False)
    made = list(adaboost(state, lambda w, k: "first" if k == 1 else "right", says.__getitem__, 10))
    assert [round.h for round in made] == ["first", "right"]
    assert made[1].error == 0
    assert made[1].z == pytest.approx(1 + np.log(3))


class Stubborn(ClassifierMixin, BaseEstimator):
    """Says the same whatever the weights are; or fails in some round."""

    calls = 0

    def __init__(self, fail_at=None, odd=False):
        self.fail_at = fail_at
        self.odd = odd

    def fit(self, X, y, sample_weight=None):
        Stubborn.calls += 1
        if Stubborn.calls == self.fail_at:
            raise RuntimeError("out of ideas\nand of patience")
        self.classes_ = np.unique(y)
        self.says = self.classes_[np.random.default_rng(Stubborn.calls).integers(0, 2, len(X))]
        return self

    def predict(self, X):
        rows = np.arange(len(X))
        told = self.classes_[(rows % 5 == 0).astype(int)]
        return np.full(len(X), 0.5) if self.odd else told


def test_a_hypothesis_no_better_than_chance_ends_boosting():
    X, y = np.zeros((40, 1)), np.array(["a", "b", "a", "a"] * 10)
    learner = induce.AdaBoost(Stubborn()).fit(X, y)
    assert len(learner.hypothesis_.members) == 1  # after the first round it is no better than chance
    backwards = np.where(Stubborn().fit(X, y).predict(X) == "a", "b", "a")
    with pytest.warns(induce.Note, match="no better than chance"):
        worse = induce.AdaBoost(Stubborn()).fit(X, backwards)
    assert worse.hypothesis_.weights.tolist() == [1.0]


class Weak(Stubborn):
    """A stump that fails in the seventh round."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        self.tree = induce.DecisionStump().fit(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.tree.predict(X)


def test_a_learner_that_fails_is_named_with_its_round(mixed):
    Stubborn.calls = 0
    X, y = mixed()
    learner = induce.AdaBoost(Weak(fail_at=7), n_estimators=20)
    with pytest.raises(induce.InputError, match=r"^Weak failed in round 7: out of ideas$"):
        learner.fit(X, y)
    assert not hasattr(learner, "hypothesis_")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_estimators": 0}, "n_estimators is 0; it must be a whole number of at least 1"),
        ({"estimator": LinearRegression()}, "estimator is LinearRegression, which predicts numbers"),
        ({"estimator": induce.C45}, r"estimator is the class C45; give a learner: C45\(\)"),
        ({"estimator": "C45"}, "estimator is 'C45', which is not a learner; give one"),
        ({"estimator": Stubborn(odd=True)}, "a member predicts 0.5, which is not one of the classes c0, c1"),
        ({"loss": "hinge"}, "loss is 'hinge'"),
        ({"monotone": {"c": 1}}, "column 'c', whose values are not ordered"),
        ({"monotone": {"z": 1}}, "there is no column 'z'"),
        ({"monotone": {"a": 2}}, "monotone is 2 for column 'a'"),
        ({"monotone": {"a": 1}, "estimator": induce.C45()}, "monotone works with stumps only"),
        ({"n_iter_no_change": 3, "validation_fraction": 1.5}, "validation_fraction is 1.5"),
    ],
)
def test_bad_parameters(mixed, parameters, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        induce.AdaBoost(**parameters).fit(*mixed())


def test_one_class_and_weights_that_vanish(mixed):
    X, y = mixed()
    assert set(induce.AdaBoost().fit(X, ["one"] * len(X)).predict(X)) == {"one"}
    assert set(induce.AdaBoost(loss="logistic").fit(X, ["one"] * len(X)).predict(X)) == {"one"}
    expected = induce.AdaBoost(n_estimators=10).fit(X, y).hypothesis_
    for factor in (1e-300, 1e300):
        found = induce.AdaBoost(n_estimators=10).fit(X, y, sample_weight=np.full(len(X), factor)).hypothesis_
        assert found.weights == pytest.approx(expected.weights)
    weights = np.full(len(X), 1e-300)
    weights[:40] = 1.0
    some = induce.AdaBoost(n_estimators=10).fit(X, y, sample_weight=weights)
    assert (
        some.predict(X[:40]) == induce.AdaBoost(n_estimators=10).fit(X[:40], y[:40]).predict(X[:40])
    ).all()


@pytest.mark.compiled
def test_ten_thousand_categories():
    rng = np.random.default_rng(0)
    values = np.array([f"v{k:05d}" for k in range(10_000)])
    X = pl.DataFrame({"v": np.tile(values, 2), "x": rng.normal(size=20_000)})
    y = np.where(rng.random(20_000) < 0.2, "a", np.where(X["x"].to_numpy() > 0, "a", "b"))
    for learner in (induce.AdaBoost(n_estimators=2), induce.RandomForest(n_estimators=2, max_depth=3)):
        assert learner.set_params(schema={"v": "nominal"}).fit(X, y).score(X, y) > 0.7


def test_a_learner_without_weights_gets_a_replicated_training_set():
    weights = np.array([0.5, 2.25, 0.0, 1.0])
    drawn = [np.bincount(replicated(weights, seed), minlength=4) for seed in range(2000)]
    assert np.mean(drawn, axis=0) == pytest.approx(weights, abs=0.04)
    assert {tuple(times) for times in drawn} == {(a, b, 0, 1) for a in (0, 1) for b in (2, 3)}
    assert replicated(np.array([0.0, 1e-9]), 0).tolist() == [1]
    X, y = restaurant(150, random_state=0)
    bits = X.to_dummies().to_numpy()
    near = KNeighborsClassifier(5).fit(bits, y.to_numpy())
    boosted = induce.AdaBoost(KNeighborsClassifier(5), n_estimators=8).fit(bits, y.to_numpy())
    assert len(boosted.hypothesis_.members) > 3
    assert boosted.score(bits, y.to_numpy()) > near.score(bits, y.to_numpy())


def test_learners_of_scikit_learn():
    X, y = restaurant(100, random_state=0)
    bits, y = X.to_dummies(), y.to_numpy()
    learner = induce.AdaBoost(Perceptron(), n_estimators=5).fit(bits, y)
    assert learner.score(bits, y) > 0.8
    assert "Perceptron" in str(learner.hypothesis_)


def test_training_error_falls_to_zero_for_a_weak_learner():
    X, y = restaurant(100, random_state=5)
    assert induce.AdaBoost(n_estimators=200).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_logistic_weights_make_the_weighted_error_the_slope_of_the_loss(n_classes):
    """So that a hypothesis better than chance lowers the loss, with any number of classes."""
    rng = np.random.default_rng(n_classes)
    labels = rng.integers(n_classes, size=60)
    state = Boosting(labels, np.ones(60), n_classes, logistic=True)
    state.votes[:] = rng.normal(size=state.votes.shape)
    codes = rng.integers(n_classes, size=60)

    def loss(z):
        votes = state.votes + z * (codes == np.arange(n_classes)[:, None])
        own = votes[labels, np.arange(60)]
        margin = own - (votes.sum(axis=0) - own) / (n_classes - 1)
        return np.log1p((n_classes - 1) * np.exp(-margin)).mean()

    w = state.weights()
    right = codes == labels
    slope = w[right].sum() - w[~right].sum() / (n_classes - 1)
    descent = (loss(-1e-5) - loss(1e-5)) / 2e-5
    own = state.votes[labels, np.arange(60)]
    margin = own - (state.votes.sum(axis=0) - own) / (n_classes - 1)
    total = np.mean((n_classes - 1) / (n_classes - 1 + np.exp(margin)))
    assert descent == pytest.approx(total * slope, abs=1e-6)


def test_logistic_loss_uses_all_rounds_with_many_classes():
    """It stopped after a few rounds: the weights did not follow the loss that the votes were made for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = (X[:, 0] > 0) * 4 + (X[:, 1] > 0) * 2 + (X[:, 2] > 0)
    boosted = induce.AdaBoost(loss="logistic").fit(X, y)
    assert len(boosted.hypothesis_.members) == 50
    assert boosted.score(X, y) > 0.6  # 0.57 before, with 25 rounds


def test_a_learning_rate_scales_the_votes(mixed):
    X, y = mixed()
    whole, half = (induce.AdaBoost(n_estimators=1, learning_rate=rate).fit(X, y) for rate in (1, 0.5))
    assert half.hypothesis_.weights == pytest.approx(whole.hypothesis_.weights / 2)
    with pytest.raises(ValueError, match="learning_rate is 0; it must be a number above 0"):
        induce.AdaBoost(learning_rate=0).fit(X, y)
