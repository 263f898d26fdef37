"""Stored examples as Python source: whatever the distance, the kernel and the ties, it predicts what they predict."""

import warnings

import pytest

import induce
from tests.exports import in_python
from tests.hypotheses.test_sources import asked, source


@pytest.mark.parametrize("ties", ["nearest", "first", "last"])
@pytest.mark.parametrize("weights", ["uniform", "gaussian", "inverse-square", "tricube", "quadratic"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_votes_and_means(metric, weights, ties):
    X, labels, score = source(40)
    rows = asked(X)
    given = {"n_neighbors": 3, "weights": weights, "metric": metric, "schema": {"ward": "nominal"}}
    with warnings.catch_warnings(action="ignore", category=induce.Note):
        vote = induce.KNeighborsClassifier(ties=ties, **given).fit(X, labels).hypothesis_
        mean = induce.KNeighborsRegressor(**given).fit(X, score).hypothesis_
    assert in_python(vote, rows) == vote.predict(rows).tolist()
    assert in_python(mean, rows) == pytest.approx(mean.predict(rows).tolist(), rel=1e-10)


def test_what_cannot_be_exported():
    X, _, score = source(30)
    medians = induce.KNeighborsRegressor(average="median").fit(X.select("age"), score).hypothesis_
    with pytest.raises(induce.InputError, match="cannot export medians"):
        medians.to_python()
