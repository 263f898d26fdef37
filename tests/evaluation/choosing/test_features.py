"""Scores of single columns, and the filter that keeps the telling ones."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.feature_selection import mutual_info_classif
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

import induce
from induce import InputError, Note
from induce.discretise import codes, mdlp_cuts, quantile_cuts
from induce.evaluation.choosing.features import FeatureFilter, feature_scores
from induce.trees.measures import gain

CHECKS = [
    pytest.param(estimator, check, id=f"{check.func.__name__}-{number}")
    for number, (estimator, check) in enumerate(estimator_checks_generator(FeatureFilter()))
    if check.func.__name__ != "check_array_api_input"  # it only runs where SCIPY_ARRAY_API was set
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_check(estimator, check):
    check(estimator)


def test_scores_are_those_of_scipy_and_scikit_learn():
    X, y = induce.dataset("restaurant")
    scores = feature_scores(X, y)
    labels = (y == "Yes").to_numpy()
    for j, name in enumerate(X.columns):
        table = pd.crosstab(X[name].to_numpy(), labels).to_numpy()
        test = chi2_contingency(table, correction=False)
        assert scores.statistic[j] == pytest.approx(test.statistic)
        assert (scores.dof[j], scores.p_value[j]) == (test.dof, pytest.approx(test.pvalue))
        assert scores.expected[j] == pytest.approx(test.expected_freq.min())
    numbered = np.column_stack([X[name].to_physical().to_numpy() for name in X.columns])
    nats = mutual_info_classif(numbered, labels, discrete_features=True)
    assert scores.gain == pytest.approx(nats / np.log(2), abs=1e-9)
    assert scores.names[scores.ranked()[0]] == "Pat"


@pytest.mark.parametrize("cuts", ["quantiles", "mdlp"])
def test_numeric_columns_are_cut(cuts):
    X, y = induce.dataset("wine")
    scores = feature_scores(X, y, cuts=cuts, bins=4)
    classes, labels = np.unique(y.to_numpy(), return_inverse=True)
    for j in (0, 6):
        values = X[:, j].to_numpy()
        at = quantile_cuts(values, 4) if cuts == "quantiles" else mdlp_cuts(values, labels, len(classes))
        table = pd.crosstab(codes(values, at), labels).to_numpy()
        assert scores.gain[j] == pytest.approx(gain(table))


def test_missing_values_take_no_part():
    X = pl.DataFrame(
        {"a": ["x", "x", "y", "y", None, None], "b": [1.0, 2.0, None, 4.0, 5.0, 6.0], "c": [None] * 6}
    )
    y = ["p", "p", "q", "q", "p", "q"]
    scores = feature_scores(X, y)
    assert scores.missing.tolist() == [2, 1, 6]
    assert scores.gain[0] == pytest.approx(4 / 6)  # one bit, known of four rows in six
    assert scores.statistic[0] == pytest.approx(4)
    assert (scores.gain[2], scores.p_value[2]) == (0, 1)


def test_identifiers_score_nothing():
    X = pd.DataFrame({"name": [f"n{k}" for k in range(12)], "flag": ["a", "b"] * 6})
    with pytest.warns(Note, match="'name' looks like an identifier"):
        scores = feature_scores(X, ["p", "q"] * 6)
    assert scores.kinds == ("ignored", "nominal")
    assert scores.gain.tolist() == [0, 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), min_size=2, max_size=40))
def test_gain_lies_between_0_and_the_entropy_of_the_class(rows):
    values, labels = zip(*rows, strict=True)
    names = [f"class {label}" for label in labels]
    scores = feature_scores(
        pl.DataFrame({"v": values, "copy": names}), names, schema={"v": "nominal", "copy": "nominal"}
    )
    assert -1e-12 <= scores.gain[0] <= scores.gain[1] + 1e-12
    assert 0 <= scores.p_value.min() <= scores.p_value.max() <= 1


def test_about_alpha_of_useless_columns_are_kept():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300, 200)), random.integers(0, 2, 300)
    kept = FeatureFilter(alpha=0.1).fit(X, y).support_.mean()
    assert 0.05 < kept < 0.15


def test_the_filter_keeps_names_and_kinds():
    X, y = induce.dataset("restaurant")
    for frame in (X, pd.DataFrame(X.to_dict(as_series=False)), pa.table(X.to_dict(as_series=False))):
        kept = FeatureFilter("gain", k=2).fit(frame, y)
        chosen = kept.transform(frame)
        assert type(chosen) is type(frame)
        names = chosen.column_names if isinstance(chosen, pa.Table) else list(chosen.columns)
        assert names == kept.get_feature_names_out().tolist() == ["Pat", "Est"]


def test_it_works_in_a_pipeline():
    X, y = induce.dataset("wine")
    chosen = make_pipeline(FeatureFilter(k=4), induce.C45())
    assert cross_val_score(chosen, X, y, cv=3).mean() > 0.8


def test_something_is_always_kept():
    X = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": ["x", "y", "x", "y"]})
    with pytest.warns(Note, match="no column is informative about the class at level 0.05; only 'a' is kept"):
        kept = FeatureFilter().fit(X, ["p", "q", "q", "p"])
    assert kept.support_.sum() == 1


def test_exclusive_or_fools_a_filter():
    X = pl.DataFrame({"a": ["0", "0", "1", "1"] * 5, "b": ["0", "1", "0", "1"] * 5})
    scores = feature_scores(X, ["0", "1", "1", "0"] * 5)
    assert scores.gain == pytest.approx(0)
    assert scores.p_value == pytest.approx(1)


def test_the_report():
    scores = feature_scores(*induce.dataset("wine"))
    lines = str(scores).splitlines()
    assert lines[2].startswith("flavanoids")
    assert scores.draw().axes[0].get_xlabel() == "information gain (bits)"
    assert "<table>" in scores._repr_html_()
    rough = feature_scores(*induce.dataset("play-tennis"))
    assert "an expected count below 5" in rough.remark()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: feature_scores(X, y, cuts="even"), "cuts is 'even'"),
        (lambda X, y: feature_scores(X, y, bins=1), "bins is 1"),
        (lambda X, y: feature_scores(X, y[:3]), "14 rows and y has 3"),
        (lambda X, y: feature_scores(X, [None] * 14), "y is missing in 14 rows; leave those rows out"),
        (lambda X, y: FeatureFilter(by="luck").fit(X, y), "by is 'luck'"),
        (lambda X, y: FeatureFilter(k=0).fit(X, y), "k is 0"),
        (lambda X, y: FeatureFilter(alpha=0).fit(X, y), "alpha is 0"),
        (lambda X, y: FeatureFilter().fit(X), "requires y to be passed"),
        (lambda X, y: FeatureFilter(k=1).fit(X, y).transform(X.to_numpy()[:, :2]), "X has 2 features"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call(*induce.dataset("play-tennis"))


def test_numbers_to_predict_are_refused():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        feature_scores([[0], [1], [2]], [0.1, 0.7, 0.35])
