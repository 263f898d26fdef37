"""Results files: whole after everything, for one run at a time, and of one plan only."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from induce.core.errors import InputError
from induce.evaluation.experiments import Experiment, experiment, read_plan
from induce.evaluation.experiments.store import DONE, FAILED, Cell, Key, Store, packed, unpacked
from induce.evaluation.experiments.tables import loaded

from .conftest import plan_of

KEY = Key("tree", "flowers", 0, 0, 0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def settled(path, **changes):
    """Begin a run of a plan and end it at once."""
    plan = read_plan(plan_of(**changes))
    with Store.writing(path) as store:
        store.settle(plan, loaded(plan), {})


@given(
    st.one_of(
        arrays(np.float64, st.integers(0, 50)),
        arrays(np.uint8, st.integers(0, 300)),
        arrays(np.int32, st.integers(0, 50)),
    )
)
def test_arrays_come_back(array):
    found = unpacked(packed(array))
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_predictions_are_small():
    assert len(packed(np.random.default_rng(0).integers(0, 3, 10_000).astype(np.uint8))) < 4_000


def test_a_cell_is_written_once_and_a_retry_counts(path):
    plan = read_plan(plan_of())
    with Store.writing(path) as store:
        store.settle(plan, loaded(plan), {"Python": "3"})
        store.put(KEY, Cell(FAILED, error="ValueError: no"))
        store.put(KEY, Cell(DONE, score=0.25))
        assert store.statuses() == {KEY: DONE}
    with Store.reading(path) as store:
        (row,) = store.rows("cells")
        assert (row["score"], row["error"], row["attempts"], row["run"]) == (0.25, None, 2, 1)
        assert [run["ended"] for run in store.rows("runs")] == [None]


def test_there_is_one_file_when_it_is_closed(path, tmp_path):
    settled(path)
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


def test_a_second_run_is_refused_until_the_first_has_ended(path):
    settled(path)
    with Store.writing(path):
        for opening in (Store.writing, Store.reading):
            with (
                pytest.raises(
                    InputError, match=r"an experiment is currently writing to '.*results.sqlite'; wait"
                ),
                opening(path),
            ):
                pass
    with Store.writing(path):
        pass


def test_nothing_is_left_of_a_run_that_never_began(path):
    with pytest.raises(InputError, match="no"), Store.writing(path):
        raise InputError("no")
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"learner,error\ntree,0.1\n" * 100, "is not a results file of `induce experiment`"),
        (b"PK\x03\x04" + bytes(5000), "is not a results file of `induce experiment`"),
    ],
)
def test_other_files_are_left_alone(path, content, expected):
    path.write_bytes(content)
    for opening in (Store.writing, Store.reading):
        with pytest.raises(InputError, match=expected), opening(path):
            pass
    assert path.read_bytes() == content


def test_other_databases_are_left_alone(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    before = path.read_bytes()
    for opening in (Store.writing, Store.reading):
        with (
            pytest.raises(
                InputError, match="is a database without results of `induce experiment`; give another path"
            ),
            opening(path),
        ):
            pass
    assert path.read_bytes() == before


def test_a_truncated_file_is_called_damaged(finished, path):
    with open(finished.path, "rb") as file:
        whole = file.read()
    for share in (0.3, 0.6, 0.9):
        path.write_bytes(whole[: int(len(whole) * share)])
        for opening in (Store.writing, Store.reading):
            with (
                pytest.raises(InputError, match=r"results.sqlite' is (damaged|not a)"),
                opening(path) as store,
            ):
                store.about()


def test_files_that_are_not_there(path, tmp_path):
    with pytest.raises(InputError, match="there is no results file"), Store.reading(path):
        pass
    path.touch()
    with pytest.raises(InputError, match="is empty"):
        Experiment.read(path)
    with (
        pytest.raises(InputError, match=r"cannot write '.*'; give a writable path"),
        Store.writing(tmp_path / "no" / "r"),
    ):
        pass
    with pytest.raises(InputError, match=r"cannot write '.*'; give a writable path"), Store.writing(tmp_path):
        pass


def test_a_file_of_a_newer_version(path):
    settled(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match="was written by a newer version of induce"), Store.writing(path):
        pass


@pytest.mark.parametrize("name", ["ergebnisse é?#%20.sqlite", "with space.sqlite"])
def test_any_name_of_a_file(tmp_path, name):
    settled(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"splits": {"folds": 4}},
            "splits was '3-fold cross-validation' there and is '4-fold cross-validation'",
        ),
        ({"score": "accuracy"}, "score was 'error' and is 'accuracy' in the plan"),
        ({"keep": "all"}, "keep was 'first' and is 'all' in the plan"),
        ({"seeds": [1]}, "it has the seed 0, which is not in the plan"),
        ({"learners": {"tree": "C45"}}, "it has the learner 'stump', which is not in the plan"),
        (
            {
                "learners": {
                    "tree": "ID3",
                    "stump": "DecisionStump",
                    "bayes": "sklearn.naive_bayes.GaussianNB",
                }
            },
            'the learner \'tree\' was {"learner": "C45"} and is {"learner": "ID3"} in the plan',
        ),
        ({"datasets": {"flowers": "iris"}}, "it has the data set 'wines', which is not in the plan"),
        ({"datasets": {"flowers": "wine", "wines": "wine"}}, "the data set 'flowers' was"),
    ],
)
def test_results_of_another_plan_are_refused(path, changes, expected):
    settled(path)
    before = path.read_bytes()
    with pytest.raises(InputError) as found:
        experiment(plan_of(**changes), path)
    assert "contains results of another plan: " in str(found.value)
    assert "\n" not in str(found.value)
    assert path.read_bytes() == before


def test_data_that_have_changed_are_refused(path, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "1,p\n2,q\n" * 6, encoding="utf-8")
    changes = {"datasets": {"own": {"data": str(table), "target": "y"}}, "learners": {"tree": "C45"}}
    settled(path, **changes)
    settled(path, **changes)
    table.write_text("x,y\n" + "1,p\n3,q\n" * 6, encoding="utf-8")
    with pytest.raises(InputError, match="the data of 'own' have changed"):
        settled(path, **changes)


def test_splits_that_are_drawn_differently_are_refused(path):
    settled(path)
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE splits SET test = ? WHERE fold = 1", (packed(np.arange(3, dtype=np.int32)),)
        )
    connection.close()
    with pytest.raises(InputError, match="draws different splits of 'flowers'"):
        settled(path)


def test_a_plan_may_grow(path):
    settled(path)
    more = plan_of()["learners"] | {"rules": "C45Rules"}
    settled(path, learners=more, seeds=[0, 1], datasets={"weather": "play-tennis", **plan_of()["datasets"]})
    found = Experiment.read(path)
    assert found.learners == ("tree", "stump", "bayes", "rules")
    assert [tried.name for tried in found.datasets] == ["weather", "flowers", "wines"]
    assert found.seeds == (0, 1)
    assert [tried.splits for tried in found.datasets] == [6, 6, 6]
