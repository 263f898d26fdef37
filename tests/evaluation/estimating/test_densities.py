"""Learners without a target: the log-likelihood of rows that were held out."""

from __future__ import annotations

import math
import re

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import induce
from induce.evaluation.estimating.kinds import actual_values, kind_of

random = np.random.default_rng(0)
X = np.concatenate([random.normal(0, 1, (60, 2)), random.normal(4, 1, (40, 2))])


def held_out(learner, rows, splits):
    """The log density of each row, learned from the other folds: what is to be found, computed plainly."""
    found = np.empty(len(rows))
    for train, test in splits:
        found[test] = learner.fit(rows[train]).score_samples(rows[test])
    return found


def test_cross_validated_log_likelihood():
    splits = list(KFold(5, shuffle=True, random_state=1).split(X))
    expected = held_out(KernelDensity(bandwidth=0.5), X, splits)
    found = induce.evaluate(KernelDensity(bandwidth=0.5), X, cv=splits)
    assert found.measure == "mean log-likelihood"
    assert found.higher
    assert found.value == pytest.approx(expected.mean())
    assert found.n == 100
    np.testing.assert_allclose(found.predicted, expected)
    assert np.isnan(found.actual).all()
    assert found.fold_values == pytest.approx([expected[test].mean() for _, test in splits])
    variance = max(2 * expected.var(ddof=1) / 100, (1 / 5 + 2 / 4) * np.var(found.fold_values, ddof=1))
    low, high = stats.t(99, expected.mean(), np.sqrt(variance)).interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert str(found) == (
        f"mean log-likelihood {expected.mean():.2f}, approximate 95% interval [{low:.2f}, {high:.2f}] "
        "(5-fold cross-validation, 100 rows)"
    )
    assert "the folds share training rows" in found.interval.preconditions
    assert "the row values are not normally distributed" in found.interval_by("t").preconditions


def test_repeats_hold_outs_and_given_rows():
    mixture = GaussianMixture(2, random_state=0)
    repeated = induce.evaluate(mixture, X, cv=5, repeats=3)
    assert repeated.n == 100
    assert len(repeated.fold_values) == 15
    held = induce.evaluate(mixture, X, test_size=0.3, train=True)
    assert held.n == 30
    assert held.optimism == pytest.approx(held.train_value - held.value)
    given = induce.evaluate(mixture.fit(X[:70]), X[70:], cv=None)
    assert given.value == pytest.approx(mixture.score(X[70:]))
    assert [each.method for each in held.intervals()] == ["t", "normal", "bootstrap, BCa"]
    assert held.interval.approximate


def test_frames_groups_and_threads():
    frame = pl.DataFrame(X, schema=["a", "b"])
    groups = np.arange(100) // 5
    kernel = KernelDensity(bandwidth=0.5)
    one = induce.evaluate(kernel, frame, cv=5, groups=groups)
    two = induce.evaluate(kernel, X, cv=5, groups=groups, n_jobs=2)
    assert one == two
    assert one.method == "5-fold cross-validation by groups"


def test_it_has_no_error():
    found = induce.evaluate(GaussianMixture(), X, cv=2)
    assert "error" not in found.as_dict()
    with pytest.raises(
        AttributeError, match="mean log-likelihood is a score to be maximised, so it has no error; use value"
    ):
        _ = found.error


def test_the_better_density_has_the_higher_value():
    one, two = (induce.evaluate(GaussianMixture(k, random_state=0), X).value for k in (1, 2))
    assert two > one


def test_densities_that_do_not_sum_to_one():
    flowers = induce.dataset("iris").X
    sentence = (
        "NeighborDensity does not sum to 1 over all rows, so its log-likelihood is not comparable with others"
    )
    with pytest.warns(induce.Note, match=sentence):
        induce.evaluate(induce.NeighborDensity(n_neighbors=5), flowers, cv=2)


def test_kinds():
    assert kind_of(make_pipeline(StandardScaler(), GaussianMixture())) == "density"
    assert kind_of(PCA()) == "density"
    with pytest.raises(
        TypeError,
        match="density estimators can be evaluated, and IsolationForest is none of these",
    ):
        kind_of(IsolationForest())


@pytest.mark.parametrize(
    ("learner", "y", "sentence"),
    [
        (GaussianMixture(), [0, 1], "GaussianMixture learns without a target, but y is given; leave y out"),
        (induce.C45(), None, "C45 predicts classes, but y is not given; give the class of each row"),
        (
            induce.DecisionTreeRegressor(),
            None,
            "DecisionTreeRegressor predicts numbers, but y is not given; give the number of each row",
        ),
    ],
)
def test_targets_too_many_and_too_few(learner, y, sentence):
    with pytest.raises(induce.InputError, match=re.escape(sentence)):
        induce.evaluate(learner, [[0.0], [1.0]], y)


@pytest.mark.parametrize("score", ["zero-one", "roc_auc", lambda true, said: said])
def test_other_scores(score):
    with pytest.raises(induce.InputError, match="is scored by its mean log-likelihood; leave out score"):
        induce.evaluate(GaussianMixture(), X, score=score)


@pytest.mark.parametrize(("density", "shown"), [(-math.inf, "-inf"), (math.inf, "inf"), (math.nan, "nan")])
def test_densities_that_are_not_finite(density, shown, monkeypatch):
    monkeypatch.setattr(GaussianMixture, "score_samples", lambda self, rows: np.full(len(rows), density))
    with pytest.raises(
        induce.InputError, match="its density there is not finite, so smooth it or leave the row out"
    ):
        induce.evaluate(GaussianMixture(), X)


def test_no_rows():
    with pytest.raises(induce.InputError, match="X has no rows"):
        actual_values("density", np.empty((0, 2)), None)
    with pytest.raises(induce.InputError, match="X has one row, which leaves none to test on"):
        induce.evaluate(GaussianMixture(), X[:1])


def test_a_fit_that_fails_is_named_with_its_fold():
    with pytest.raises(induce.InputError, match=r"GaussianMixture failed in fold 1 of 2: .*n_samples"):
        induce.evaluate(GaussianMixture(40), X[:50], cv=2)
