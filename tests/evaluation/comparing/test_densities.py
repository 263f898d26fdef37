"""Learners without a target compared by the log-likelihood of rows held out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

import induce
from induce.evaluation import compare_on_fresh_samples, compare_over

random = np.random.default_rng(0)
X = np.concatenate([random.normal(0, 1, (60, 2)), random.normal(6, 1, (60, 2))])
LEARNERS = {"one": GaussianMixture(1, random_state=0), "two": GaussianMixture(2, random_state=0)}


def test_compare():
    found = induce.compare(LEARNERS, X, cv=6)
    assert found.measure == "mean log-likelihood"
    assert found.best == "two"
    (pair,) = found.pairs
    assert pair.says().startswith("two has the higher mean log-likelihood: p = 0.0")
    values = {name: induce.evaluate(learner, X, cv=6) for name, learner in LEARNERS.items()}
    assert found.means == pytest.approx({name: value.value for name, value in values.items()})
    differences = np.array(values["one"].fold_values) - values["two"].fold_values
    np.testing.assert_allclose(pair.differences, differences)
    t = differences.mean() / np.sqrt((1 / 6 + 2 / 5) * differences.var(ddof=1))
    assert pair.verdict.p_value == pytest.approx(2 * stats.t.sf(abs(t), 5))


def test_one_hold_out_pairs_the_rows():
    found = induce.compare(LEARNERS, X, test_size=0.5)
    one, two = (induce.evaluate(learner, X, test_size=0.5).predicted for learner in LEARNERS.values())
    assert found.pairs[0].verdict.p_value == pytest.approx(stats.ttest_rel(one, two).pvalue)


def test_equal_learners_do_not_differ():
    found = induce.compare([KernelDensity(bandwidth=1.0), KernelDensity(bandwidth=1.0)], X, cv=3)
    assert not found.pairs[0].differs()


def test_tests_for_classes_are_refused():
    with pytest.raises(induce.InputError, match="'mcnemar' compares misclassified rows of classifiers"):
        induce.compare(LEARNERS, X, test="mcnemar")


@pytest.mark.parametrize(
    ("learners", "y", "sentence"),
    [
        (LEARNERS, np.zeros(120), "one learns without a target, but y is given; leave y out"),
        ([induce.C45(), induce.ID3()], None, "C45 predicts classes, but y is not given"),
        (
            [induce.C45(), GaussianMixture()],
            None,
            "C45 predicts classes and GaussianMixture learns without a target; compare learners of one kind only",
        ),
    ],
)
def test_targets_too_many_and_too_few(learners, y, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        induce.compare(learners, X, y)


def test_leaderboard():
    found = induce.leaderboard(LEARNERS, X, cv=6)
    assert [line.name for line in found.lines] == ["two", "one"]
    assert [line.worse for line in found.lines] == [False, True]
    assert found.baseline == ""
    assert found.lines[0].value == pytest.approx(induce.evaluate(LEARNERS["two"], X, cv=6).value)
    assert str(found).startswith("mean log-likelihood by 6-fold cross-validation, 120 rows")


def test_densities_that_do_not_sum_to_one():
    learners = {"kernels": induce.KernelDensity(), "neighbours": induce.NeighborDensity()}
    (remark,) = [each for each in induce.compare(learners, X, cv=3).remarks if "sum to 1" in each]
    assert remark.startswith("neighbours does not sum to 1 over all rows")
    assert remark in induce.leaderboard(learners, X, cv=3).remarks


def test_a_density_of_zero_is_a_failure_with_its_reason():
    box = KernelDensity(kernel="tophat", bandwidth=0.01)
    found = induce.leaderboard({**LEARNERS, "box": box}, X, cv=6)
    assert "the mean log-likelihood is -inf for row" in found.failed["box"]
    assert len(found.lines) == 2


def test_over_data_sets():
    tables = {"all": (X, None), "few": (X[::2], None), "half": (X[30:90], None)}
    found = compare_over(LEARNERS, tables, cv=3)
    assert found.wins("two", "one") == (3, 0, 0)
    data = induce.read(pl.DataFrame(X, schema=["a", "b"]))
    assert compare_over(LEARNERS, {"read": data, "all": (X, None)}, cv=3).measure == "mean log-likelihood"
    with pytest.raises(induce.InputError, match="data set wine: one learns without a target, but y is given"):
        compare_over(LEARNERS, [induce.dataset("wine"), induce.dataset("iris")])


def test_on_fresh_samples():
    def sampler(n, random):
        return random.normal(random.choice([0, 6], (n, 1)), 1), None

    found = compare_on_fresh_samples(LEARNERS, sampler, 60, 60, k=5)
    assert found.best == "two"
