"""The interval by nested cross-validation, worked out by hand beside it."""

import math
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

import induce
from induce.core.errors import InputError

X, Y = induce.dataset("iris").X.to_numpy()[::3, :2], np.asarray(induce.dataset("iris").y)[::3]


def test_by_hand():
    found = induce.evaluate(GaussianNB(), X, Y, 5, interval="nested", random_state=1)
    plain = induce.evaluate(GaussianNB(), X, Y, 5, random_state=1)
    assert found.value == plain.value
    splits = [test for _, test in induce.evaluation.estimating.splits.plan(X, Y, 5, random_state=1).splits]
    inner = [[] for _ in splits]
    for one, other in combinations(range(5), 2):
        out = np.concatenate([splits[one], splits[other]])
        fitted = clone(GaussianNB()).fit(np.delete(X, out, axis=0), np.delete(Y, out))
        inner[one].append(fitted.predict(X[splits[other]]) != Y[splits[other]])
        inner[other].append(fitted.predict(X[splits[one]]) != Y[splits[one]])
    inner = [np.concatenate(each).astype(float) for each in inner]
    wrong = np.zeros(len(Y))
    for test in splits:
        fitted = clone(GaussianNB()).fit(np.delete(X, test, axis=0), np.delete(Y, test))
        wrong[test] = fitted.predict(X[test]) != Y[test]
    gaps = [(each.mean() - wrong[test].mean()) ** 2 for each, test in zip(inner, splits, strict=True)]
    noise = [wrong[test].var(ddof=1) / len(test) for test in splits]
    usual = wrong.std(ddof=1) / math.sqrt(len(Y))
    deviation = np.clip(math.sqrt(max(np.mean(gaps) - np.mean(noise), 0)), usual, math.sqrt(5) * usual)
    pairs = np.concatenate(inner).mean()
    centre = pairs - (1 + 3 / 5) * (pairs - wrong.mean())
    high = centre + 1.959964 * math.sqrt(4 / 5) * deviation
    assert found.interval.high == pytest.approx(high, abs=1e-6)
    assert found.interval.method == "nested cross-validation"
    assert found.interval.approximate


@pytest.mark.parametrize("how", [{"test_size": 0.3}, {"score": "accuracy"}])
def test_what_cannot_be_nested(how):
    with pytest.raises(InputError, match="interval='nested' needs a number of folds and a loss per row"):
        induce.evaluate(GaussianNB(), X, Y, interval="nested", **how)


def test_too_few_folds():
    with pytest.raises(InputError, match="at least 3 folds, not 2"):
        induce.evaluate(GaussianNB(), X, Y, 2, interval="nested")
