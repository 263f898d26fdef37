"""The same hypothesis in memory, in partitions, in threads and on a cluster."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.estimators import scale

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
QUICK = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


def table(seed, n=120, holes=0.15, classes=("no", "yes")):
    """Numbers, some of them few, and categories, one of which only the last rows have."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n, 2)) + 1e4
    few = rng.integers(0, 4, n).astype(float)
    colour = np.where(np.arange(n) >= n - 5, "rare", rng.choice(["red", "blue", "green"], n))
    score = numbers[:, 0] - 1e4 + few - 1.5 + (colour == "red") + rng.normal(size=n)
    label = np.digitize(score, np.linspace(-1, 1, len(classes) - 1)) if len(classes) > 2 else score > 0
    columns = {
        "x": numbers[:, 0],
        "z": numbers[:, 1],
        "few": few,
        "colour": colour,
        "kind": rng.choice(["a", "b", "c", "d", "e"], n),
    }
    frame = pl.DataFrame(columns)
    if holes:
        gone = [pl.Series(rng.random(n) < holes) for _ in columns]
        frame = frame.with_columns(
            pl.when(each).then(None).otherwise(pl.col(name)).alias(name)
            for each, name in zip(gone, columns, strict=True)
        )
    return frame.with_columns(pl.Series("y", np.asarray(classes)[label.astype(int)]))


def parted(frame, n_parts, seed):
    """The rows in partitions, one of them empty, with columns in different orders."""
    rng = np.random.default_rng(seed)
    ends = [0, *np.sort(rng.integers(0, frame.height, n_parts - 1)).tolist(), frame.height]
    parts = [frame[low:high] for low, high in pairwise(ends)]
    parts.insert(int(rng.integers(len(parts) + 1)), frame[:0])
    return [
        part.select(rng.permutation(frame.columns).tolist()) if k else part for k, part in enumerate(parts)
    ]


def in_memory(learner, frame):
    X, y = induce.read(frame, "y")
    return learner.fit(X, y).hypothesis_


def at_scale(learner, frame, n_parts, seed, where):
    source = induce.scan(parted(frame, n_parts, seed), "y")
    with induce.using(where):
        return learner.fit(source).hypothesis_


@QUICK
@given(
    seed=st.integers(0, 10_000),
    numeric=st.sampled_from(["normal", "auto", "intervals", "kernel"]),
    class_weight=st.sampled_from([None, "balanced", {"no": 2, "yes": 1}, {"no": 0.3}]),
)
def test_naive_bayes(client, seed, numeric, class_weight):
    frame = table(seed)
    expected = in_memory(induce.NaiveBayes(numeric=numeric, class_weight=class_weight), frame)
    rows = frame.drop("y")
    for n_parts, where in ((1, "serial"), (2, "threads:2"), (5, client)):
        found = at_scale(
            induce.NaiveBayes(numeric=numeric, class_weight=class_weight), frame, n_parts, seed, where
        )
        assert (found.schema.names(), found.classes) == (expected.schema.names(), expected.classes)
        np.testing.assert_allclose(found.class_counts, expected.class_counts, rtol=1e-9)
        np.testing.assert_allclose(found.log_joint(rows), expected.log_joint(rows), rtol=1e-9, atol=1e-9)


SAME = ("attribute", "first", "n_branches", "map_start", "branch_map")


def assert_same_tree(found, expected):
    for name in SAME:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_array_equal(found.threshold, expected.threshold)
    np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-9, atol=1e-9)


@QUICK
@given(
    seed=st.integers(0, 10_000),
    nominal=st.sampled_from(["multiway", "subset"]),
    criterion=st.sampled_from(["gain", "gain_ratio", "gini"]),
    holes=st.sampled_from([0.0, 0.1, 0.5]),
    classes=st.sampled_from([("no", "yes"), ("low", "middle", "high")]),
    rows_in_memory=st.sampled_from([0, 10, 2**21]),
    bounded=st.booleans(),
)
def test_trees_node_for_node(
    client, monkeypatch, seed, nominal, criterion, holes, classes, rows_in_memory, bounded
):
    from induce.trees.scale import growth, numbers

    assert numbers.MOST_ENTRIES  # imported before it is replaced: it keeps the number that it finds

    monkeypatch.setattr(growth, "MOST_ENTRIES", rows_in_memory)
    monkeypatch.setattr(growth._bin_loops, "FEW", min(rows_in_memory, 200))
    monkeypatch.setattr(growth, "MOST_BYTES", 1 if bounded else 2**25)
    frame = table(seed, 70, holes, classes)
    settings = {"nominal": nominal, "criterion": criterion, "bins": 9, "max_depth": 3 if holes else 6}
    expected = in_memory(induce.DecisionTreeClassifier(**settings), frame)
    for n_parts, where in ((1, "serial"), (2, "threads:2"), (5, client)):
        found = at_scale(induce.DecisionTreeClassifier(**settings), frame, n_parts, seed, where)
        assert_same_tree(found, expected)


@pytest.mark.parametrize("class_weight", ["balanced", {"no": 3, "yes": 1}, {"no": 0.0}])
def test_trees_with_weights_of_classes(class_weight):
    frame = table(3)
    learner = induce.DecisionTreeClassifier(bins=20, max_depth=4, class_weight=class_weight)
    assert_same_tree(at_scale(learner, frame, 3, 1, "serial"), in_memory(learner, frame))


def test_bins_of_many_rows_are_settled_by_the_same_rows(monkeypatch):
    from induce.core import hashing
    from induce.trees.scale import binning

    monkeypatch.setattr(hashing.sampled_rows, "__defaults__", (0, None, 60))
    monkeypatch.setattr(binning, "SAMPLE", 60)
    frame = table(5, 400)
    learner = induce.DecisionTreeClassifier(bins=12, max_depth=4)
    found = at_scale(learner, frame, 5, 2, "serial")
    assert_same_tree(found, in_memory(learner, frame))


@pytest.mark.parametrize("pruning", ["pessimistic", "minimum-error", "chi-square", "mdl", "critical-value"])
def test_pruning_by_counts(pruning):
    frame = table(8)
    learner = induce.DecisionTreeClassifier(bins=20, pruning=pruning, critical_value=0.05)
    assert_same_tree(at_scale(learner, frame, 2, 0, "serial"), in_memory(learner, frame))


def test_pruning_that_needs_rows_says_so():
    learner = induce.DecisionTreeClassifier(pruning="reduced-error")
    with pytest.raises(
        InputError, match=r"pruning='reduced-error' needs another pass over the rows; give pruning="
    ):
        at_scale(learner, table(1), 2, 0, "serial")


def test_error_based_pruning_without_raising():
    frame = table(9, 300)
    settings = {"pruning": "error-based", "bins": 30, "min_samples_leaf": 2}
    found = at_scale(induce.DecisionTreeClassifier(**settings), frame, 3, 1, "serial")
    expected = in_memory(induce.DecisionTreeClassifier(**settings, subtree_raising=False), frame)
    assert_same_tree(found, expected)
    with pytest.warns(Note, match="does not raise subtrees, which would need another pass over the rows"):
        at_scale(induce.C45(), frame, 2, 0, "serial")


@QUICK
@given(
    seed=st.integers(0, 10_000),
    settings_=st.sampled_from(
        [
            {},
            {"penalty": "l2", "strength": 0.01},
            {"link": "probit"},
            {"fit_intercept": False},
            {"terms": "x:few, few^2"},
            {"class_weight": "balanced"},
        ]
    ),
    classes=st.sampled_from([("no", "yes"), ("low", "middle", "high")]),
)
def test_logistic_regression(client, seed, settings_, classes):
    if len(classes) > 2:
        settings_ = {name: value for name, value in settings_.items() if name != "link"}
    frame = table(seed, 400, 0.1, classes).with_columns(pl.col("x") - 1e4, pl.col("z") - 1e4)
    frame = frame.with_columns(pl.col("colour").replace("rare", "red"))
    expected = in_memory(induce.LogisticRegression(**settings_), frame)
    for n_parts, where in ((1, "serial"), (2, "threads:2"), (5, client)):
        found = at_scale(induce.LogisticRegression(**settings_), frame, n_parts, seed, where)
        assert found.design.terms == expected.design.terms
        assert found.design.holes == expected.design.holes
        np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(found.intercepts, expected.intercepts, rtol=1e-6, atol=1e-6)
        if expected.known.covariance is not None:
            np.testing.assert_allclose(
                found.known.covariance, expected.known.covariance, rtol=1e-5, atol=1e-7
            )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"penalty": "l1", "strength": 0.1},
            "penalty is 'l1', which learning from partitions does not support",
        ),
        ({"bootstrap": 20}, "bootstrap is 20, which learning from partitions does not support"),
        ({"terms": "log(few)"}, r"terms has log\(few\), which partitions do not support"),
    ],
)
def test_what_logistic_regression_needs_all_rows_for(settings, said):
    with pytest.raises(InputError, match=said):
        at_scale(induce.LogisticRegression(**settings), table(1), 2, 0, "serial")


def test_a_term_that_decides_is_named():
    frame = table(2, 80).with_columns((pl.col("y") == "yes").cast(pl.Float64).alias("few"))
    with pytest.raises(InputError, match="few decides the class of some rows"):
        at_scale(induce.LogisticRegression(), frame, 2, 0, "serial")


def test_a_large_table_chooses_partitions_and_says_so(monkeypatch):
    source = induce.scan(parted(table(1), 3, 0), "y")
    with pytest.warns(Note, match="120 rows and 5 columns and is learned in memory"):
        small = induce.NaiveBayes().fit(source)
    monkeypatch.setattr(scale, "MOST_CELLS", 100)
    with pytest.warns(Note, match=r"120 rows and is learned in 4 partitions by one thread"):
        large = induce.NaiveBayes().fit(source)
    assert small.predict(table(2).drop("y")).tolist() == large.predict(table(2).drop("y")).tolist()
    with pytest.raises(
        InputError, match=r"SVM needs all rows at once, and 'frame' has 120; learn from a sample"
    ):
        induce.SVM().fit(source)
    X, y = source.sample(60)
    assert 40 < len(induce.SVM().fit(X, y).predict(X)) < 80


def test_evaluation_on_every_engine(client):
    X, y = induce.dataset("iris")
    expected = induce.evaluate(induce.C45(), X, y, cv=5)
    for where in ("threads:2", client):
        with induce.using(where):
            assert str(induce.evaluate(induce.C45(), X, y, cv=5)) == str(expected)
            found = induce.compare({"c45": induce.C45(), "bayes": induce.NaiveBayes()}, X, y, cv=5)
        assert str(found) == str(
            induce.compare({"c45": induce.C45(), "bayes": induce.NaiveBayes()}, X, y, cv=5)
        )


def test_a_failed_fold_is_lost_on_no_engine(client):
    X, y = induce.dataset("iris")
    for where in ("serial", "threads:2", client):
        with (
            induce.using(where),
            pytest.raises(InputError, match=r"C45 failed in fold 1 of 5: confidence_factor is 7"),
        ):
            induce.evaluate(induce.C45(confidence_factor=7), X, y, cv=5)


def test_a_scanned_table_has_its_own_target():
    source = induce.scan(table(1), "y")
    with pytest.raises(InputError, match="a scanned table has its own target, 'y'; omit y"):
        induce.NaiveBayes().fit(source, [1])


def test_a_partition_that_changes_while_a_tree_grows(monkeypatch):
    from induce.trees.scale import growth

    source = induce.scan(parted(table(4), 2, 3), "y")
    original, passes = growth.counted, []

    def changed(group, given):
        passes.append(1)
        found = original(group, given)
        if len(passes) > 2:
            found.bins *= 0.5
        return found

    monkeypatch.setattr(growth, "counted", changed)
    monkeypatch.setattr(growth._bin_loops, "FEW", 0)
    monkeypatch.setattr(growth, "MOST_ENTRIES", 0)
    with (
        pytest.raises(InputError, match="do not add up to its rows: a partition changed"),
        induce.using("serial"),
    ):
        induce.DecisionTreeClassifier(bins=5).fit(source)
