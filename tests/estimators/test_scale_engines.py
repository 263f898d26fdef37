"""Evaluation, comparison and experiments on every engine; joblib's Dask backend; runs that go on where they were."""

import subprocess
import sys
from contextlib import suppress

import polars as pl
import pytest

import induce
from induce.core import engines
from induce.core.errors import InputError
from tests.estimators.test_scale import client, parted, table
from tests.estimators.test_scale_sums import numbers

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
        with (
            induce.using(where),
            pytest.raises(InputError, match=r"bad failed in fold 1 of 3: .*confidence_factor is 7"),
        ):
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


LEARNERS = {
    "tree": lambda: induce.DecisionTreeClassifier(bins=20, min_samples_leaf=2),
    "C45": lambda: induce.C45(),
    "stump": lambda: induce.DecisionStump(),
    "forest": lambda: induce.RandomForest(n_estimators=3, bins=20, max_depth=3),
    "boosted": lambda: induce.AdaBoost(n_estimators=6),
    "bayes": lambda: induce.NaiveBayes(),
    "intervals": lambda: induce.NaiveBayes(numeric="intervals"),
    "logistic": lambda: induce.LogisticRegression(),
    "linear": lambda: induce.LinearRegression(),
    "numbers": lambda: induce.DecisionTreeRegressor(),
    "network": lambda: induce.NetworkParameters(),
    "chow-liu": lambda: induce.ChowLiu(),
    "k-means": lambda: induce.KMeans(3, random_state=0),
    "gaussians": lambda: induce.GaussianMixture(2, random_state=0),
    "mixture": lambda: induce.MixtureModel(2, random_state=0),
}
NUMBERS = ("numbers", "linear")
UNGUIDED = ("k-means", "gaussians", "mixture")


@pytest.mark.compiled
@pytest.mark.parametrize("name", LEARNERS)
def test_a_run_that_was_cut_short_goes_on(name, tmp_path, monkeypatch):
    frame = numbers(2) if name in NUMBERS else table(2, 200, 0.1)
    if name in ("logistic", "linear"):
        frame = frame.with_columns(pl.col("x") - 1e4, pl.col("z") - 1e4)
    if name in UNGUIDED:
        frame = frame.drop("y")
    target = None if name in UNGUIDED else "y"
    for k, part in enumerate(parted(frame, 3, 1)):
        part.write_parquet(tmp_path / f"{k}.parquet")
    passes = []
    original = engines._total

    def counted(*given):
        passes.append(1)
        if len(passes) == stop:
            raise KeyboardInterrupt
        return original(*given)

    monkeypatch.setattr(engines, "_total", counted)

    def learned(resume):
        with induce.using("serial", resume=resume):
            source = induce.scan(str(tmp_path / "*.parquet"), target)
            return LEARNERS[name]().fit(source).hypothesis_

    stop = 0
    expected = learned(None)
    n_passes = len(passes)
    folder, stop = tmp_path / "passes", n_passes
    passes.clear()
    if name in ("boosted", "forest", *UNGUIDED):  # otherwise what was found so far is kept
        monkeypatch.setattr("induce.core.interrupts._whole", type("", (), {"get": lambda self: True})())
    with pytest.raises(KeyboardInterrupt):
        learned(folder)
    assert folder.exists()
    passes.clear()
    stop = 0
    assert learned(folder) == expected
    assert len(passes) == 1
    assert not folder.exists()


def test_passes_of_another_table_are_not_taken(tmp_path):
    frame = table(1)
    frame.write_parquet(tmp_path / "a.parquet")
    with suppress(ZeroDivisionError), induce.using("serial", resume=tmp_path / "passes"):
        induce.NaiveBayes().fit(induce.scan(tmp_path / "a.parquet", "y"))
        _ = 1 / 0
    other = table(5)
    other.write_parquet(tmp_path / "a.parquet")
    with induce.using("serial", resume=tmp_path / "passes"):
        found = induce.NaiveBayes().fit(induce.scan(tmp_path / "a.parquet", "y"))
    assert found.hypothesis_ == induce.NaiveBayes().fit(*induce.read(other, "y")).hypothesis_


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with (
        pytest.raises(InputError, match="holds other files; name a new one"),
        induce.using("serial", resume=tmp_path),
    ):
        pass


def test_keys_are_the_same_in_another_process(tmp_path):
    table(3).write_parquet(tmp_path / "a.parquet")
    program = f"""
import os, sys, warnings, induce
from induce.core import engines
warnings.simplefilter("ignore")
done, original = [], engines._total
def counted(*given):
    done.append(1)
    if len(done) == {{stop}}:
        os._exit(9)
    return original(*given)
engines._total = counted
with induce.using("serial", resume={str(tmp_path / "passes")!r}):
    induce.DecisionTreeClassifier(bins=5).fit(induce.scan({str(tmp_path / "a.parquet")!r}, "y"))
print(len(done))
"""
    killed = subprocess.run([sys.executable, "-c", program.format(stop=3)], check=False)
    assert killed.returncode == 9
    found = subprocess.run(
        [sys.executable, "-c", program.format(stop=0)],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    whole = subprocess.run(
        [sys.executable, "-c", program.format(stop=0)],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert int(found.stdout) == int(whole.stdout) - 2
