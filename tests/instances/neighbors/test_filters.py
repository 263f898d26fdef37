"""IB2 and IB3: fewer examples, and noise that is found out."""

import numpy as np
import pytest

import induce
from induce import IB2, IB3, KNeighborsClassifier
from induce.core.notes import Note
from induce.instances.learners.ib3 import wilson
from induce.statistics.intervals import wilson as interval


def halves(n, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    truth = (X.sum(axis=1) > 1).astype(int)
    return X, np.where(rng.random(n) < noise, 1 - truth, truth), truth


def test_ib2_by_hand():
    X, y = [[0.0], [1.0], [10.0], [9.0], [2.0], [6.0]], ["a", "a", "b", "b", "a", "a"]
    with induce.trace(only="example") as events:
        few = IB2(metric="euclidean", shuffle=False).fit(X, y)
    # 0 is stored first; 10 is wrong then; 6 is nearer to 10
    assert few.hypothesis_.numeric[:, 0].tolist() == [0.0, 10.0, 6.0]
    assert [event["stored"] for event in events] == [True, False, True, False, False, True]
    assert few.n_seen_ == 6


def test_every_stored_example_was_wrong_when_it_came():
    X, y, _ = halves(150, 0.1, 0)
    few = IB2(metric="euclidean", shuffle=False).fit(X, y)
    kept: list[int] = []
    for row in range(150):
        known = KNeighborsClassifier(1, metric="euclidean").fit(X[kept], y[kept]) if kept else None
        if known is None or known.predict(X[row : row + 1])[0] != y[row]:
            kept.append(row)
    assert few.hypothesis_.numeric.tolist() == X[kept].tolist()


def test_noise():
    """Few examples suffice without noise; with it IB2 stores the noise, and IB3 does not (Aha and others)."""
    found = {}
    for noise in (0.0, 0.2):
        (X, y, _), (T, _, truth) = halves(800, noise, 1), halves(800, 0, 2)
        for learner in (IB2, IB3):
            fitted = learner(metric="euclidean").fit(X, y)
            found[learner, noise] = np.mean(fitted.predict(T) == truth), len(fitted.hypothesis_.labels)
    assert found[IB2, 0.0][0] > 0.95
    assert found[IB2, 0.0][1] < 80
    assert found[IB3, 0.2][0] > found[IB2, 0.2][0] + 0.1
    assert found[IB3, 0.2][1] < found[IB2, 0.2][1] / 3


@pytest.mark.parametrize("learner", [IB2, IB3])
def test_rows_in_parts_are_rows_together(learner):
    X, y, _ = halves(120, 0.1, 3)
    whole = learner(metric="euclidean", shuffle=False).fit(X, y)
    parts = learner(metric="euclidean")
    for start in range(0, 120, 40):
        parts.partial_fit(X[start : start + 40], y[start : start + 40], classes=[0, 1])
    assert parts.hypothesis_.numeric.tolist() == whole.hypothesis_.numeric.tolist()
    assert parts.n_seen_ == whole.n_seen_ == 120


@pytest.mark.parametrize("learner", [IB2, IB3])
def test_a_file_goes_on_where_it_was(learner, tmp_path):
    X, y, _ = halves(120, 0.1, 3)
    whole = learner(metric="euclidean").fit(X[:80], y[:80])
    induce.save(whole, tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce")
    assert loaded.hypothesis_ == whole.hypothesis_
    assert loaded.n_seen_ == 80
    for each in (whole, loaded):
        each.partial_fit(X[80:], y[80:])
    assert loaded.hypothesis_ == whole.hypothesis_


@pytest.mark.parametrize(("right", "asked"), [(0, 3), (2, 5), (9, 9)])
def test_the_intervals_are_those_of_wilson(right, asked):
    low, high = (
        float(end[0]) for end in wilson(np.array([float(right)]), np.array([float(asked)]), 1.959964)
    )
    expected = interval(right, asked)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-6)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: IB3(accept=1.5).fit([[1.0]], [0]), "accept is 1.5"),
        (lambda: IB3(drop=0).fit([[1.0]], [0]), "drop is 0"),
        (lambda: IB2(metric="x").fit([[1.0]], [0]), "metric is 'x'"),
        (
            lambda: IB2().partial_fit([[1.0]], ["a"]).partial_fit([[1.0]], ["b"]),
            "y contains 'b', which is not a known class",
        ),
        (
            lambda: IB2().partial_fit([[1.0]], ["a"], classes=["b"]),
            "y contains 'a', which is not a known class",
        ),
    ],
)
def test_bad_input(make, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        make()


@pytest.mark.parametrize("learner", [IB2, IB3])
def test_a_file_sorted_by_class(learner):
    """Rows were taken as they came: a table sorted by class taught little but its last class."""
    X, y, _ = halves(400, 0, 5)
    order = np.argsort(y, kind="stable")
    new, truth, _ = halves(400, 0, 6)
    sorted_first = learner().fit(X[order], y[order])
    assert sorted_first.score(new, truth) > 0.9
    for reason in sorted_first.explain(new[:20]):
        for example in reason.neighbors:  # rows of the table, not of the store
            assert y[order][example.row] == example.says


def test_a_class_without_a_trusted_example_is_told():
    X, y, _ = halves(300, 0, 7)
    with pytest.warns(Note, match="no example of 2 has a good record yet, so it is never predicted"):
        IB3().fit(np.append(X, [[0.5, 0.1]], axis=0), np.append(y, 2))
