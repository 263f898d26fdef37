"""Evaluation, comparison and experiments on every engine; joblib's Dask backend; runs that go on where they were."""

import pytest

import induce
from induce.core import engines
from induce.core.errors import InputError
from tests.estimators.test_scale import client

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
__all__ = ["client"]

PLAN = {
    "learners": {"tree": "C45", "stump": "DecisionStump", "bad": "FindS"},
    "datasets": {"iris": "iris"},
}


def test_a_failed_learner_is_lost_on_no_engine(client):
    X, y = induce.dataset("iris")
    learners = {"good": induce.C45(), "bad": induce.C45(confidence_factor=7)}
    for where in ("serial", "threads:2", client):
        with induce.using(where), pytest.raises(InputError, match="bad failed in fold 1 of 3: .*confidence_factor is 7"):
            induce.compare(learners, X, y, cv=3)


def test_experiments_on_every_engine(client, tmp_path):
    expected = str(induce.experiment(PLAN, tmp_path / "here.sqlite"))
    for number, where in enumerate(("threads:2", client)):
        with induce.using(where):
            assert str(induce.experiment(PLAN, tmp_path / f"{number}.sqlite")) == expected


def test_the_dask_backend_of_joblib_is_used(client):
    import joblib

    X, y = induce.dataset("iris")
    expected = str(induce.evaluate(induce.C45(), X, y, cv=4))
    assert not engines.chosen()
    with joblib.parallel_config(backend="dask", client=client):
        assert isinstance(engines.engine(), engines.Cluster)
        assert str(induce.evaluate(induce.C45(), X, y, cv=4)) == expected
    assert not engines.chosen()
