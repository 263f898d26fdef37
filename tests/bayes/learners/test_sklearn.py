"""Where definitions coincide, the probabilities are scikit-learn's."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KernelDensity

import induce
from induce.core.estimator import counted_rows

RNG = np.random.default_rng(0)
N, N_CLASSES = 300, 4
LABELS = RNG.integers(0, N_CLASSES, N)
CODES = (RNG.random((N, 3)) * 5 + LABELS[:, None] * RNG.random(3)).astype(int) % 5
NUMBERS = RNG.normal(size=(N, 3)) + LABELS[:, None] * [0.5, 1.0, 0.0]
WEIGHTS = RNG.random(N)
NOMINAL = pl.DataFrame(
    {f"c{j}": pl.Series(CODES[:, j]).cast(pl.String).cast(pl.Enum(list("01234"))) for j in range(3)}
)


@pytest.mark.parametrize("alpha", [0.5, 1.0])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_nominal_columns(alpha, weights):
    ours = induce.NaiveBayes(alpha=alpha).fit(NOMINAL, LABELS, sample_weight=weights)
    rows = weights if weights is None else counted_rows(weights)  # alpha is a number of rows
    theirs = CategoricalNB(alpha=alpha, min_categories=5).fit(CODES, LABELS, sample_weight=rows)
    np.testing.assert_allclose(
        ours.predict_proba(NOMINAL), theirs.predict_proba(CODES), rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(
        ours.hypothesis_.log_joint(NOMINAL), theirs.predict_joint_log_proba(CODES), rtol=1e-9
    )


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("priors", [None, [0.1, 0.2, 0.3, 0.4]])
def test_numeric_columns(weights, priors):
    ours = induce.NaiveBayes(numeric="normal", priors=priors).fit(NUMBERS, LABELS, sample_weight=weights)
    theirs = GaussianNB(priors=priors, var_smoothing=0).fit(NUMBERS, LABELS, sample_weight=weights)
    np.testing.assert_allclose(
        ours.hypothesis_.log_joint(NUMBERS), theirs.predict_joint_log_proba(NUMBERS), rtol=1e-9, atol=1e-9
    )
    frame = pl.DataFrame(NUMBERS, schema=["a", "b", "c"])
    by_column = induce.NaiveBayes(numeric="normal", priors=priors).fit(frame, LABELS, sample_weight=weights)
    np.testing.assert_allclose(by_column.predict_proba(frame), ours.predict_proba(NUMBERS), rtol=1e-9)


def test_both_in_one_table():
    table = NOMINAL.with_columns(pl.Series(f"n{j}", NUMBERS[:, j]) for j in range(3))
    ours = induce.NaiveBayes(numeric="normal").fit(table, LABELS)
    nominal = CategoricalNB(min_categories=5).fit(CODES, LABELS)
    numeric = GaussianNB(var_smoothing=0).fit(NUMBERS, LABELS)
    expected = (
        nominal.predict_joint_log_proba(CODES)
        + numeric.predict_joint_log_proba(NUMBERS)
        - nominal.class_log_prior_
    )
    np.testing.assert_allclose(ours.hypothesis_.log_joint(table), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("width", [0.3, 1.5])
def test_kernels(width):
    ours = induce.NaiveBayes(numeric="kernel", bandwidth=width).fit(NUMBERS[:, :1], LABELS).hypothesis_
    expected = np.log(np.bincount(LABELS) / N) + np.column_stack(
        [
            KernelDensity(bandwidth=width).fit(NUMBERS[label == LABELS, :1]).score_samples(NUMBERS[:, :1])
            for label in range(N_CLASSES)
        ]
    )
    np.testing.assert_allclose(ours.log_joint(NUMBERS[:, :1]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("rule", ["silverman", "scott"])
def test_the_rules_for_the_width_of_kernels(rule):
    """scikit-learn's rules are for numbers of standard deviation 1."""
    numbers = NUMBERS[:, 0]
    columns = (
        induce.NaiveBayes(numeric="kernel", bandwidth=rule).fit(numbers[:, None], LABELS).hypothesis_.columns
    )
    for label, width in enumerate(columns[0].widths):
        mine = numbers[label == LABELS]
        theirs = KernelDensity(bandwidth=rule).fit(mine[:, None] / mine.std()).bandwidth_ * mine.std()
        assert width == pytest.approx(theirs)


def test_intervals_are_nominal_values():
    from induce.discretise import codes, mdlp_cuts

    cut = {f"n{j}": codes(NUMBERS[:, j], mdlp_cuts(NUMBERS[:, j], LABELS, N_CLASSES)) for j in range(3)}
    table = pl.DataFrame({name: pl.Series(each).cast(pl.String) for name, each in cut.items()})
    expected = induce.NaiveBayes().fit(table, LABELS).predict_proba(table)
    found = induce.NaiveBayes(numeric="intervals").fit(NUMBERS, LABELS).predict_proba(NUMBERS)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_partial_fits_of_scikit_learn():
    ours, theirs = induce.NaiveBayes(numeric="normal"), GaussianNB(var_smoothing=0)
    for start in range(0, N, 70):
        rows = slice(start, start + 70)
        ours.partial_fit(NUMBERS[rows], LABELS[rows], classes=range(N_CLASSES))
        theirs.partial_fit(NUMBERS[rows], LABELS[rows], classes=range(N_CLASSES))
    np.testing.assert_allclose(ours.predict_proba(NUMBERS), theirs.predict_proba(NUMBERS), rtol=1e-9)
