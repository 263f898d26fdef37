"""The number of classes: the marginal likelihood and the visits of the sampler, against enumeration."""

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp

import induce
from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.mixtures.components import start_from
from induce.mixtures.estimation import EMSettings, fit
from induce.mixtures.number import Conjugate, cheeseman_stutz, visits
from induce.mixtures.rows import Rows


def few_rows():
    numeric = np.array([[-1.2], [-1.0], [-0.9], [np.nan], [1.1], [1.2], [0.8]])
    nominal = np.array([[0], [0], [1], [0], [1], [-1], [1]], np.int32)
    return Rows(numeric, nominal, np.ones(7), (2,))


def log_rows(rows, labels, conjugate):
    """Return the log marginal likelihood of the rows of each class."""
    total = 0.0
    numbers = rows.numeric / np.sqrt(rows.variances)
    for label in set(labels):
        own = np.asarray(labels) == label
        x = numbers[own, 0]
        x = x[~np.isnan(x)]
        mean = x.mean() if len(x) else 0.0
        counts = np.array([[float((rows.nominal[own, 0] == value).sum()) for value in range(2)]])
        total += conjugate.log_numbers(
            np.array([float(len(x))]), np.array([mean]), np.array([((x - mean) ** 2).sum()])
        )
        total += conjugate.log_counts(counts, rows)
    return total


def exact(rows, k, conjugate):
    """Return ln P(X | k), over all ways to put the rows into k classes."""
    n = len(rows)
    logs = []
    for labels in product(range(k), repeat=n):
        sizes = np.bincount(labels, minlength=k)
        prior = gammaln(k) - gammaln(k + n) + gammaln(1.0 + sizes).sum()
        logs.append(prior + log_rows(rows, labels, conjugate))
    return logsumexp(logs) - np.log(np.sqrt(rows.variances)).sum() * (~np.isnan(rows.numeric)).sum()


def test_the_marginal_likelihood_of_one_class_is_exact():
    rows = few_rows()
    start = start_from(rows, np.zeros(7, np.int64), 1, "diag")
    found = cheeseman_stutz(start, rows, 1.0)
    assert found == pytest.approx(exact(rows, 1, Conjugate.of(rows, 1.0)))


def test_cheeseman_and_stutz_near_enumeration():
    rows = few_rows()
    start = start_from(rows, np.array([0, 0, 0, 0, 1, 1, 1]), 2, "diag")
    best = fit(rows, [start], EMSettings(1.0, 1e-9, 500), np.random.default_rng(0)).components
    found = cheeseman_stutz(best, rows, 1.0)
    true = exact(rows, 2, Conjugate.of(rows, 1.0))
    assert found <= true  # it is a lower bound (Beal and Ghahramani)
    assert found == pytest.approx(true, abs=2.0)


def partitions(n):
    """Yield every way to put n rows into classes without names."""
    if n == 0:
        yield ()
        return
    for rest in partitions(n - 1):
        for label in range(max(rest, default=-1) + 2):
            yield (*rest, label)


@pytest.mark.compiled
def test_visits_are_the_posterior_of_the_number_of_classes(monkeypatch):
    monkeypatch.setattr("induce.mixtures.number.sized", lambda loop, *_: compiled(loop))
    rows, most = few_rows(), 4
    conjugate = Conjugate.of(rows, 1.0)
    logs = {t: [] for t in range(1, most + 1)}
    for labels in partitions(7):
        t = max(labels) + 1
        if t <= most:
            k = np.arange(t, most + 1)
            prior = logsumexp(gammaln(k + 1) - gammaln(k - t + 1) + gammaln(k) - gammaln(k + 7.0))
            sizes = np.bincount(labels)
            logs[t].append(prior + gammaln(1.0 + sizes).sum() + log_rows(rows, labels, conjugate))
    true = np.array([logsumexp(logs[t]) for t in range(1, most + 1)])
    true = np.exp(true - logsumexp(true))
    n_sweeps = 20_000
    found = visits(rows, np.zeros(7, np.int64), 1.0, most, n_sweeps, np.random.default_rng(0))
    assert found.sum() == n_sweeps * 3 / 4
    assert found / found.sum() == pytest.approx(true, abs=0.02)


@pytest.mark.compiled
def test_plain_sweeps_and_compiled_ones_agree(monkeypatch):
    found = []
    for run in (lambda loop, *_: loop, lambda loop, *_: compiled(loop)):
        monkeypatch.setattr("induce.mixtures.number.sized", run)
        found.append(visits(few_rows(), np.zeros(7, np.int64), 1.0, 3, 8, np.random.default_rng(0)).tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize("criterion", ["bic", "cheeseman-stutz", "mcmc"])
def test_three_classes_far_apart_are_found(criterion):
    random = np.random.default_rng(0)
    which = random.choice(3, 60)
    X = np.column_stack([random.normal(size=60) + 8 * which, np.array(["a", "b", "c"])[which]])
    X[::7, 0] = None
    X = [
        [None if cell == "None" else float(cell), word]
        for cell, word in X.astype(object).astype(str).tolist()
    ]
    model = induce.MixtureModel(criterion=criterion, max_classes=6, n_sweeps=40).fit(X)
    assert model.hypothesis_.choice.chosen == 3 == len(model.hypothesis_.shares)
    assert all(len(set(model.labels_[which == c].tolist())) == 1 for c in range(3))


def test_the_sampler_takes_whole_weights_only():
    with pytest.raises(
        InputError, match="sample_weight contains fractions, but criterion='mcmc' needs whole numbers"
    ):
        induce.MixtureModel(criterion="mcmc").fit([[1.0], [2.0], [5.0]], sample_weight=[0.5, 1, 1])
