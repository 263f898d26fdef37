"""Trees that learn one example at a time, compared with ID3 on all examples after each of them."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import induce
from induce.core import registry
from induce.core.errors import InputError, ModelFileError
from induce.core.notes import Note
from induce.core.progress import progress
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.trees.growth import GrowthRule, grow
from induce.trees.incremental import _loops as loops
from induce.trees.incremental.mutable_tree import StandingTree
from induce.trees.learners.incremental_id3 import IncrementalID3

SCALARS = ("attribute", "first", "n_branches")


def assert_same(tree, other):
    """The trees have the same nodes in the same order, with the same counts up to the rounding of weights."""
    for name in SCALARS:
        assert getattr(tree, name).tolist() == getattr(other, name).tolist()
    assert tree.counts == pytest.approx(other.counts, rel=1e-9, abs=1e-12)
    assert (tree.schema, tree.target, tree.classes) == (other.schema, other.target, other.classes)


def batch(X, y, **parameters):
    return induce.ID3(**parameters).fit(X, y).hypothesis_


def row(data, i):
    return data[i : i + 1]


class Stream:
    """Encoded examples, and the trees that both ways of learning make of the first few."""

    def __init__(self, codes, labels, weights, sizes, n_classes):
        self.schema = Schema(
            tuple(Column(f"x{j}", "nominal", tuple("abcdef"[:k])) for j, k in enumerate(sizes))
        )
        self.codes = np.ascontiguousarray(codes, np.int32).reshape(len(labels), len(sizes))
        self.labels = np.asarray(labels, np.int64)
        self.weights = np.asarray(weights, np.float64)
        self.classes = tuple(range(n_classes))
        self.seen = loops.Seen(self.codes, self.labels, self.weights)

    def grown(self, n):
        table = Table(self.schema, np.empty((n, 0)), self.codes[:n])
        weights = None if (self.weights == 1).all() else self.weights[:n]
        examples = Examples(table, self.labels[:n], weights, len(self.classes))
        return grow(examples, self.schema, "class", self.classes, GrowthRule())

    def standing(self, few, least_aside):
        return StandingTree(self.schema, len(self.classes), few, least_aside)

    def tree(self, standing):
        return standing.tree(self.schema, "class", self.classes)


@st.composite
def streams(draw):
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    n_classes = draw(st.integers(1, 3))
    n = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    codes = np.stack([rng.integers(0, k, n) for k in sizes], axis=1)
    noise = draw(st.sampled_from([0.0, 0.2, 1.0]))
    labels = np.where(rng.random(n) < noise, rng.integers(0, n_classes, n), codes[:, -1] % n_classes)
    weights = rng.choice(draw(st.sampled_from([[1.0], [1.0, 2.0, 5.0], [0.1, 0.3, 2.5, 1e-14, 1e14]])), n)
    return Stream(codes, labels, weights, sizes, n_classes)


@given(streams(), st.sampled_from([1, 4, 12]), st.sampled_from([1, 5, 64]))
def test_the_tree_is_the_batch_tree_after_every_example(stream, few, least_aside):
    standing = stream.standing(few, least_aside)
    for n in range(1, len(stream.labels) + 1):
        standing.learn(stream.seen, n)
        assert_same(stream.tree(standing), stream.grown(n))


@given(streams(), st.sampled_from([1, 12]))
def test_a_tree_grown_at_once_goes_on_like_any_other(stream, few):
    half = len(stream.labels) // 2
    standing = stream.standing(few, 1)
    standing.learn_at_once(stream.seen, half)
    for n in range(half + 1, len(stream.labels) + 1):
        standing.learn(stream.seen, n)
        assert_same(stream.tree(standing), stream.grown(n))


def test_equal_gains_are_equal_whatever_their_rounding(rng):
    """The second column is the first under other names, and adds up its gain in another order."""
    first = rng.integers(0, 6, (300, 1))
    codes = np.hstack([first, np.array([3, 5, 0, 2, 1, 4])[first], rng.integers(0, 2, (300, 1))])
    stream = Stream(codes, rng.integers(0, 3, 300), np.ones(300), [6, 6, 2], 3)
    standing = stream.standing(4, 16)
    for n in range(1, 301):
        standing.learn(stream.seen, n)
        tree = stream.tree(standing)
        assert not (tree.attribute == 1).any()
    assert_same(tree, stream.grown(300))


def rivals(n):
    """Two columns that predict the class and err in turn: after every fourth example they tie."""
    rng = np.random.default_rng(3)
    labels, turn = rng.integers(0, 2, n), np.arange(n) % 4
    sizes = [2, 2, 3, 3, 3]
    codes = np.stack([rng.integers(0, k, n) for k in sizes], axis=1)
    codes[:, 0] = np.where(turn == 1, 1 - labels, labels)
    codes[:, 1] = np.where(turn == 3, 1 - labels, labels)
    return Stream(codes, labels, np.ones(n), sizes, 2)


@pytest.mark.compiled
def test_tests_that_take_turns_at_being_the_best():
    stream = rivals(400)
    standing = stream.standing(12, 16)
    roots, n_asides = [], []
    for n in range(1, 401):
        standing.learn(stream.seen, n)
        tree = stream.tree(standing)
        assert_same(tree, stream.grown(n))
        roots.append(int(tree.attribute[0]))
        n_asides.append(int((standing.nodes[: standing.state[loops.N_NODES], loops.ASIDE] >= 0).sum()))
    assert np.count_nonzero(np.diff(roots)) > 100
    assert max(n_asides) > 1


@pytest.mark.compiled
def test_plain_and_compiled_loops_learn_the_same(monkeypatch):
    stream = rivals(150)
    stream.weights[::3] = 0.3
    found = []
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr("induce.core.loops.PLAIN_WORK", plain_work)
        standing = stream.standing(12, 16)
        for n in (1, 50, 150):
            standing.learn(stream.seen, n)
        n_nodes = standing.state[loops.N_NODES]
        found.append((stream.tree(standing), standing.counts[:n_nodes].tolist(), standing.state.tolist()))
    assert found[0] == found[1]


@pytest.mark.compiled
def test_tests_put_aside_do_not_pile_up():
    stream = rivals(3000)
    standing = stream.standing(None, 8)
    standing.learn(stream.seen, 3000)
    assert_same(stream.tree(standing), stream.grown(3000))
    assert standing.state[loops.USED_CELLS] <= (loops.MOST_CELLS + 1) * 3000


@pytest.mark.compiled
def test_noise_in_one_long_stream(rng):
    sizes = [3, 4, 2, 5, 3, 3]
    codes = np.stack([rng.integers(0, k, 4000) for k in sizes], axis=1)
    stream = Stream(codes, rng.integers(0, 3, 4000), np.ones(4000), sizes, 3)
    standing = stream.standing(None, 64)
    for n in (1, 10, 500, 501, 2500, 4000):
        standing.learn(stream.seen, n)
        assert_same(stream.tree(standing), stream.grown(n))


def test_play_tennis_day_by_day():
    """O3.5 after fourteen days and, with the noisy fifteenth, tree R of O3.7."""
    X, y = induce.dataset("play-tennis-noisy")
    learner = IncrementalID3()
    for day in range(14):
        learner.partial_fit(row(X, day), row(y, day))
        assert str(learner.hypothesis_) == str(batch(X[: day + 1], y[: day + 1]))
    assert (
        str(learner.hypothesis_)
        == """\
Outlook = Sunny
|   Humidity = High: No (3/3)
|   Humidity = Normal: Yes (2/2)
Outlook = Overcast: Yes (4/4)
Outlook = Rain
|   Wind = Weak: Yes (3/3)
|   Wind = Strong: No (2/2)"""
    )
    learner.partial_fit(row(X, 14), row(y, 14))
    assert (
        str(learner.hypothesis_)
        == """\
Outlook = Sunny
|   Temperature = Hot: No (3/3)
|   Temperature = Mild
|   |   Humidity = High: No (1/1)
|   |   Humidity = Normal: Yes (1/1)
|   Temperature = Cool: Yes (1/1)
Outlook = Overcast: Yes (4/4)
Outlook = Rain
|   Wind = Weak: Yes (3/3)
|   Wind = Strong: No (2/2)"""
    )


def test_restaurant_guest_by_guest():
    """O7; no example has French food there, and Yes is the first class of those that tie above it."""
    X, y = induce.dataset("restaurant")
    learner = IncrementalID3()
    for guest in range(12):
        learner.partial_fit(row(X, guest), row(y, guest))
        assert_same(learner.hypothesis_, grow_declared(X[: guest + 1], y[: guest + 1]))
    assert (
        str(learner.hypothesis_)
        == """\
Pat = None: No (2/2)
Pat = Some: Yes (4/4)
Pat = Full
|   Hun = Yes
|   |   Type = French: Yes (0/0)
|   |   Type = Italian: No (1/1)
|   |   Type = Thai
|   |   |   Fri = Yes: Yes (1/1)
|   |   |   Fri = No: No (1/1)
|   |   Type = Burger: Yes (1/1)
|   Hun = No: No (2/2)"""
    )
    assert learner.hypothesis_.size() == "12 nodes, 8 leaves, depth 4"


def grow_declared(X, y):
    """The tree of ID3 with all classes that `y` declares."""
    learner = induce.ID3()
    examples, schema, target, _ = learner._examples(X, y, None)
    classes = tuple(y.dtype.categories)
    labels = y.to_physical().to_numpy().astype(np.int64)
    examples = Examples(examples.table, labels, None, len(classes))
    return grow(examples, schema, target, classes, GrowthRule())


@pytest.mark.parametrize("sizes", [[14], [1, 13], [5, 5, 4], [13, 1]])
def test_how_the_rows_are_dealt_out_does_not_matter(sizes):
    X, y = induce.dataset("play-tennis")
    learner, done = IncrementalID3(), 0
    for size in sizes:
        learner.partial_fit(X[done : done + size], y[done : done + size])
        done += size
    assert_same(learner.hypothesis_, batch(X, y))


def test_fit_forgets_and_partial_fit_goes_on():
    X, y = induce.dataset("play-tennis")
    learner = IncrementalID3().fit(X[:3], y[:3]).fit(X[:9], y[:9])
    assert_same(learner.hypothesis_, batch(X[:9], y[:9]))
    learner.partial_fit(X[9:], y[9:])
    assert_same(learner.hypothesis_, batch(X, y))


def test_a_snapshot_stays_as_it_is():
    X, y = induce.dataset("play-tennis-noisy")
    learner = IncrementalID3().partial_fit(X[:14], y[:14])
    before = learner.hypothesis_
    text, counts = str(before), before.counts.copy()
    assert learner.hypothesis_ is before
    learner.partial_fit(X[14:], y[14:])
    assert str(before) == text
    assert before.counts.tolist() == counts.tolist()
    assert learner.hypothesis_ is not before


@given(st.data())
def test_any_table_gives_the_tree_of_id3(tables, data):
    """Numeric columns and missing values too, though such a tree is grown anew."""
    X, y = data.draw(tables(missing=True, least_rows=2))
    learner = IncrementalID3()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        for i in range(len(y)):
            learner.partial_fit(row(X, i), row(y, i))
        assert_same(learner.hypothesis_, grow_declared(X, y))


def test_weights_count_as_repetitions_and_zero_as_absence(rng):
    X, y = induce.dataset("restaurant")
    weights = rng.integers(0, 4, len(y))
    weights[:2] = 1, 2
    learner = IncrementalID3()
    for i in np.flatnonzero(weights):
        learner.partial_fit(row(X, int(i)), row(y, int(i)), sample_weight=weights[i : i + 1])
    repeated = np.repeat(np.arange(len(y)), weights)
    assert_same(learner.hypothesis_, batch(X[repeated], y[repeated]))
    together = IncrementalID3().partial_fit(X, y, sample_weight=weights)
    assert_same(together.hypothesis_, learner.hypothesis_)


def test_new_values_and_classes_are_added_as_they_come(rng):
    """Plain text declares nothing: the tree is that of ID3 with what is known so far, in the order it came."""
    cells = rng.choice(["a", "b", "c", "d"], (40, 3)).astype(object)
    labels = np.where(cells[:, 0] == cells[:, 1], "same", rng.choice(["x", "y", "z"], 40)).astype(object)
    learner = IncrementalID3()
    for i in range(40):
        learner.partial_fit(cells[i : i + 1], labels[i : i + 1])
        domains = [tuple(dict.fromkeys(cells[: i + 1, j].tolist())) for j in range(3)]
        classes = tuple(dict.fromkeys(labels[: i + 1].tolist()))
        frame = pl.DataFrame(
            {f"x{j}": pl.Series(cells[: i + 1, j].tolist(), dtype=pl.Enum(domains[j])) for j in range(3)}
        )
        target = pl.Series("class", labels[: i + 1].tolist(), dtype=pl.Enum(classes))
        assert_same(learner.hypothesis_, batch(frame, target))
        assert learner.classes_.tolist() == sorted(classes)


def test_announced_classes_come_in_their_order():
    X = np.array([["a"], ["a"]], dtype=object)
    tie = IncrementalID3().partial_fit(X, ["no", "yes"], classes=["yes", "no", "maybe"])
    assert tie.hypothesis_.classes == ("yes", "no", "maybe")
    assert tie.predict(X).tolist() == ["yes", "yes"]
    assert tie.classes_.tolist() == ["maybe", "no", "yes"]
    assert tie.predict_proba(X[:1]).tolist() == [[0.0, 0.5, 0.5]]


def test_values_the_user_declared_are_all_there_are():
    X = np.array([["a"], ["b"]], dtype=object)
    learner = IncrementalID3(schema={"x0": {"domain": ("a", "b")}}).partial_fit(X, ["no", "yes"])
    with pytest.raises(InputError, match="column 'x0' holds 'c', which is not among its declared values"):
        learner.partial_fit([["c"]], ["no"])
    assert_same(learner.hypothesis_, batch(X, ["no", "yes"]))


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (pl.Series([1.0, 2.0, 2.0, 4.0]), "column 'b' is numeric"),
        (pl.Series(["u", None, "u", "v"]), "column 'b' has missing values"),
        (pl.Series(["u", "w", "v", "u"]), "the values of column 'b' are ordered"),
    ],
)
def test_what_cannot_be_restructured_is_said_once_and_grown_anew(column, reason):
    schema = {"b": {"domain": ("u", "v", "w"), "ordered": True}} if "ordered" in reason else None
    X = pl.DataFrame({"a": ["p", "q", "p", "q"], "b": column})
    y = ["no", "yes", "yes", "no"]
    learner = IncrementalID3(schema=schema)
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", Note)
        for i in range(4):
            learner.partial_fit(row(X, i), row(y, i))
    assert [str(told.message).partition(":")[0] for told in notes] == [reason]
    assert_same(learner.hypothesis_, batch(X, y, schema=schema))


def test_rows_read_cell_by_cell_are_the_same():
    """Small frames and arrays of known text are read another way than lists."""
    X, y = induce.dataset("restaurant")
    text, labels = X.cast(pl.String), y.to_list()
    frames = {
        "list": ([list(cells) for cells in text.rows()], labels),
        "array": (np.array(text.rows(), dtype=object), np.array(labels)),
        "polars": (text, y.cast(pl.String)),
        "pandas": (text.to_pandas(), y.cast(pl.String).to_pandas()),
    }
    trees = {}
    for kind, (rows, classes) in frames.items():
        learner = IncrementalID3().partial_fit(rows[:6], classes[:6])
        for i in range(6, 12):
            learner.partial_fit(rows[i : i + 1], classes[i : i + 1])
        trees[kind] = learner.hypothesis_
    for tree in trees.values():
        for name in SCALARS:
            assert getattr(tree, name).tolist() == getattr(trees["list"], name).tolist()
        assert tree.counts.tolist() == trees["list"].counts.tolist()


def test_saved_it_goes_on_learning(tmp_path, monkeypatch):
    monkeypatch.setitem(
        registry.ESTIMATORS, "IncrementalID3", "induce.trees.learners.incremental_id3:IncrementalID3"
    )
    X, y = induce.dataset("play-tennis-noisy")
    learner = IncrementalID3().partial_fit(X[:9], y[:9])
    induce.save(learner, tmp_path / "tree.induce")
    loaded = induce.load(tmp_path / "tree.induce")
    assert_same(loaded.hypothesis_, learner.hypothesis_)
    loaded.partial_fit(X[9:], y[9:])
    assert_same(loaded.hypothesis_, batch(X, y))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("nominal", np.full((9, 4), 3, np.int32)),
        ("nominal", np.full((9, 4), -2, np.int32)),
        ("nominal", np.zeros((9, 3), np.int32)),
        ("nominal", np.zeros((9, 4), np.int64)),
        ("labels", np.full(9, 2)),
        ("labels", np.full(9, -1)),
        ("weights", np.zeros(9)),
        ("weights", np.ones(8)),
        ("numeric", np.ones((9, 1))),
    ],
)
def test_examples_of_a_damaged_file_are_refused(name, value):
    X, y = induce.dataset("play-tennis")
    learner = IncrementalID3().partial_fit(X[:9], y[:9])
    state = learner._resumable_state() | {name: value}
    with pytest.raises(ModelFileError, match="do not match"):
        IncrementalID3()._restore(learner.hypothesis_, state)


def test_pickled_it_goes_on_learning():
    X, y = induce.dataset("restaurant")
    learner = pickle.loads(pickle.dumps(IncrementalID3().partial_fit(X[:5], y[:5])))
    learner.partial_fit(X[5:], y[5:])
    assert_same(learner.hypothesis_, batch(X, y))


def test_interrupted_it_finishes_later():
    X, y = induce.dataset("restaurant")

    def interrupt(share):
        raise KeyboardInterrupt

    learner = IncrementalID3().partial_fit(X[:1], y[:1])
    with progress(interrupt), pytest.raises(KeyboardInterrupt):
        learner.partial_fit(X[1:], y[1:])
    assert_same(learner.hypothesis_, batch(X, y))


def test_before_anything_is_learned():
    learner = IncrementalID3()
    assert not hasattr(learner, "hypothesis_")
    with pytest.raises(NotFittedError):
        learner.predict([["a"]])


@pytest.mark.parametrize(
    ("X", "y", "classes", "message"),
    [
        ([["a", "b"]], ["no"], None, "X has 2 features, but IncrementalID3 is expecting 1 features"),
        ([["a"], ["b"]], ["no"], None, "X has 2 rows, y has 1"),
        (np.empty((0, 1), object), [], None, "the table has no rows"),
        ([["a"]], [1], None, "both text and numbers"),
        ([["a"]], [None], None, "y holds missing values"),
        ([["a"]], ["no"], "no", "classes is 'no'; give a list"),
    ],
)
def test_bad_rows_are_refused_and_change_nothing(X, y, classes, message):
    learner = IncrementalID3().partial_fit([["a"], ["b"]], ["no", "yes"])
    before = learner.hypothesis_
    with pytest.raises(InputError, match=message):
        learner.partial_fit(X, y, classes=classes)
    assert learner.hypothesis_ is before
    assert learner.classes_.tolist() == ["no", "yes"]
