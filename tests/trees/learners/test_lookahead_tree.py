"""Look-ahead and CLS: a plain recursion as reference, foresight that pays, costs, missing values."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.trees.learners.cls import CLS
from induce.trees.learners.lookahead_tree import LookaheadTree

NAN = float("nan")


def parity(n, of, nominal=True):
    """A truth table of n boolean attributes whose class is the parity of some of them."""
    rows = list(product((0, 1), repeat=n))
    X = pl.DataFrame(np.array(rows), schema=[f"a{i}" for i in range(n)], orient="row")
    X = X.cast(pl.String).cast(pl.Enum(["0", "1"])) if nominal else X
    return X, [sum(row[i] for i in of) % 2 for row in rows]


def splits(learner, X, y):
    with induce.trace("split") as events:
        tree = learner.fit(X, y).hypothesis_
    return tree, list(events)


# --- a plain recursion as reference ---------------------------------------------------------------------------


def entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -len(labels) * float((shares * np.log2(shares)).sum())


def gini(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return len(labels) * (1 - float((shares**2).sum()))


def divisions(columns, rows):
    for f, values in enumerate(columns):
        found = sorted({values[r] for r in rows})
        if isinstance(found[0], str):
            if len(found) > 1:
                yield f, [[r for r in rows if values[r] == value] for value in found]
        else:
            for low, _ in pairwise(found):
                yield f, [[r for r in rows if (values[r] <= low) == side] for side in (True, False)]


def left(columns, y, rows, n_tests, leaf, prices, paid=frozenset()):
    """The least that up to `n_tests` tests on every path leave of some rows."""
    least = leaf([y[r] for r in rows])
    if n_tests:
        for f, parts in divisions(columns, rows):
            price = 0 if f in paid else prices[f] * len(rows)
            below = (left(columns, y, part, n_tests - 1, leaf, prices, paid | {f}) for part in parts)
            least = min(least, price + sum(below))
    return least


@given(data=st.data())
def test_the_first_test_leaves_the_least(data, tables):
    X, y = data.draw(tables(most_rows=8))
    steps = data.draw(st.integers(0, 2))
    criterion, leaf = data.draw(st.sampled_from([("gain", entropy), ("gini", gini)]))
    tree, events = splits(LookaheadTree(steps=steps, criterion=criterion), X, y)
    columns, rows = [column.to_list() for column in X], list(range(len(y)))
    if not events:
        assert tree.n_nodes == 1
        assert leaf(y.to_list()) == pytest.approx(0) or not list(divisions(columns, rows))
        return
    merits = {name: candidate["merit"] for name, candidate in events[0]["candidates"].items()}
    expected = leaf(y.to_list()) - left(columns, y.to_list(), rows, steps + 1, leaf, [0] * len(columns))
    assert max(merits.values()) * len(y) == pytest.approx(expected, abs=1e-7)
    assert merits[events[0]["chosen"]] == pytest.approx(max(merits.values()), abs=1e-8)


@given(data=st.data())
def test_cls_pays_the_least(data, tables):
    X, y = data.draw(tables(most_rows=8))
    lookahead = data.draw(st.integers(0, 2))
    prices = [data.draw(st.sampled_from([0.0, 0.5, 1.0, 3.0])) for _ in X.columns]
    mistake = data.draw(st.sampled_from([1.0, 4.0, 20.0]))
    schema = {name: {"cost": price} for name, price in zip(X.columns, prices, strict=True)}
    learner = CLS(lookahead=lookahead, misclassification_cost=mistake, schema=schema)
    tree, events = splits(learner, X, y)

    def leaf(labels):
        return mistake * (len(labels) - max(map(labels.count, labels)))

    columns, rows = [column.to_list() for column in X], list(range(len(y)))
    at_once = leaf(y.to_list())
    saved = at_once - left(columns, y.to_list(), rows, lookahead + 1, leaf, prices)
    assert (tree.n_nodes > 1) == (saved > 1e-6)
    if events:
        merits = [candidate["merit"] for candidate in events[0]["candidates"].values()]
        assert max(merits) * len(y) == pytest.approx(saved, abs=1e-6)


@given(data=st.data())
def test_without_steps_it_is_id3(data, tables, structure):
    X, y = data.draw(tables())
    for criterion in ("gain", "gini"):
        greedy = induce.DecisionTreeClassifier(criterion=criterion).fit(X, y)
        assert structure(LookaheadTree(steps=0, criterion=criterion).fit(X, y).hypothesis_) == structure(
            greedy.hypothesis_
        )


@pytest.mark.parametrize("name", ["play-tennis", "restaurant", "iris"])
def test_without_steps_it_is_id3_on_real_tables(name, structure):
    X, y = induce.dataset(name)
    assert structure(LookaheadTree(steps=0).fit(X, y).hypothesis_) == structure(
        induce.ID3().fit(X, y).hypothesis_
    )


# --- foresight ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nominal", [True, False])
@pytest.mark.parametrize(("n", "of", "nodes"), [(5, (2, 4), 7), (5, (0, 1), 7), (5, (1, 2, 4), 15)])
def test_parity_among_attributes_that_do_not_matter(n, of, nodes, nominal):
    X, y = parity(n, of, nominal)
    tree, events = splits(LookaheadTree(steps=len(of) - 1), X, y)
    assert (tree.n_nodes, tree.depth) == (nodes, len(of))
    assert events[0]["chosen"] == f"a{of[0]}"
    assert events[0]["candidates"][f"a{of[0]}"] == pytest.approx({"gain": 0, "merit": 1})
    if of[0] > 0:
        assert LookaheadTree(steps=len(of) - 2).fit(X, y).hypothesis_.n_nodes > nodes


@pytest.mark.compiled
def test_a_chessboard_of_numbers(rng):
    X = rng.random((120, 3))
    y = (X[:, 0] > 0.5) != (X[:, 1] > 0.5)
    tree = LookaheadTree(max_thresholds=200).fit(X, y).hypothesis_
    assert (tree.n_nodes, tree.depth) == (7, 2)
    few = LookaheadTree(max_thresholds=5).fit(X, y).hypothesis_
    assert few.n_nodes < induce.ID3().fit(X, y).hypothesis_.n_nodes


def test_of_equal_tests_the_one_that_needs_fewer_further_tests_wins():
    """Any first test leaves nothing once x1 is tested below it."""
    X, y = parity(3, (1,))
    assert LookaheadTree(steps=2).fit(X, y).hypothesis_.n_nodes == 3


def test_max_depth():
    X, y = parity(4, (1, 3))
    assert LookaheadTree(max_depth=0).fit(X, y).hypothesis_.n_nodes == 1
    tree = LookaheadTree(max_depth=1).fit(X, y).hypothesis_
    assert (tree.depth, tree.tested(0).name) == (1, "a1")
    assert CLS(max_depth=1).fit(X, y).hypothesis_.depth == 1


@given(data=st.data())
def test_the_order_of_rows_and_doubled_rows_do_not_matter(data, tables, structure):
    X, y = data.draw(tables(missing=True))
    order = data.draw(st.permutations(range(len(y))))
    for learner in (LookaheadTree(), CLS()):
        grown = structure(learner.fit(X, y).hypothesis_)
        assert structure(learner.fit(X[order], y[order]).hypothesis_) == grown
        assert structure(learner.fit(X, y, sample_weight=np.full(len(y), 2.0)).hypothesis_) == grown
        assert structure(learner.fit(pl.concat([X, X]), pl.concat([y, y])).hypothesis_) == grown


def test_a_row_of_weight_two_is_two_rows(structure, rng):
    X, y = rng.integers(0, 4, (30, 3)).astype(float), rng.integers(0, 2, 30)
    weights = rng.integers(0, 3, 30)
    for learner in (LookaheadTree(), CLS()):
        weighted = learner.fit(X, y, sample_weight=weights).hypothesis_
        repeated = learner.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).hypothesis_
        assert structure(weighted) == structure(repeated)


def test_an_ordered_attribute_is_cut():
    sizes = pl.Series(["s", "m", "l", "xl"], dtype=pl.Enum(["s", "m", "l", "xl"]))
    fitted = LookaheadTree(schema={"size": {"ordered": True}}).fit(
        pl.DataFrame({"size": sizes}), [0, 0, 1, 1]
    )
    assert str(fitted.hypothesis_) == "size in {s, m}: 0 (2/2)\nsize in {l, xl}: 1 (2/2)"


# --- missing values -------------------------------------------------------------------------------------------


@given(data=st.data())
def test_a_missing_value_takes_the_same_branch_in_training_and_in_prediction(data, tables):
    X, y = data.draw(tables(missing=True))
    for learner in (LookaheadTree(steps=data.draw(st.integers(0, 1))), CLS()):
        tree = learner.fit(X, y).hypothesis_
        tree.check()
        labels = np.array([tree.classes.index(value) for value in y])
        assert tree.route(tree.encoded(X), labels, np.ones(len(y))) == pytest.approx(tree.counts)


def test_a_missing_value_goes_with_the_most_examples():
    X = pl.DataFrame({"a": ["x", "x", "y", "y", "y", None]})
    fitted = LookaheadTree().fit(X, ["p", "p", "q", "q", "q", "p"])
    assert fitted.hypothesis_.counts.tolist() == [[3, 3], [2, 0], [1, 3]]
    assert fitted.predict(X).tolist() == ["p", "p", "q", "q", "q", "q"]
    numbers = [[1.0], [1.0], [5.0], [5.0], [5.0], [NAN]]
    assert LookaheadTree().fit(numbers, ["p", "p", "q", "q", "q", "p"]).predict([[NAN]]).tolist() == ["q"]


@pytest.mark.parametrize("learner", [LookaheadTree(), LookaheadTree(steps=2), CLS()])
def test_nothing_to_tell_rows_apart(learner):
    assert learner.fit([[NAN], [NAN], [NAN]], ["a", "b", "b"]).predict([[1.0]]).tolist() == ["b"]
    assert learner.fit([[1.0], [1.0], [1.0]], ["a", "b", "b"]).predict([[7.0]]).tolist() == ["b"]
    assert learner.fit([[1.0]], ["a"]).predict([[7.0]]).tolist() == ["a"]
    assert learner.fit([[1.0], [2.0]], ["a", "a"]).hypothesis_.n_nodes == 1


@pytest.mark.parametrize("learner", [LookaheadTree(), CLS()])
def test_an_unseen_category_gets_what_the_node_that_asks_says(learner):
    fitted = learner.fit(pl.DataFrame({"a": ["x", "x", "y"] * 5}), ["p", "p", "q"] * 5)
    assert fitted.predict_proba(pl.DataFrame({"a": ["never"]})).tolist() == [
        [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    ]


# --- costs ----------------------------------------------------------------------------------------------------


def test_cls_on_play_tennis_costs_what_it_should():
    X, y = induce.dataset("play-tennis")
    tree, events = splits(CLS(), X, y)
    assert tree.size() == "8 nodes, 5 leaves, depth 2"
    at_once, with_outlook = 10 * 5 / 14, 1 + 10 / 14
    assert events[0]["candidates"]["Outlook"]["merit"] == pytest.approx(at_once - with_outlook)
    assert events[0]["candidates"]["Outlook"]["gain"] == pytest.approx(at_once - (1 + 10 * 4 / 14))
    assert CLS(lookahead=0).fit(X, y).hypothesis_.n_nodes == 1  # no single test pays


def test_cheap_mistakes_are_made_and_dear_ones_avoided():
    X, y = induce.dataset("play-tennis")
    assert CLS(misclassification_cost=1).fit(X, y).hypothesis_.n_nodes == 1
    tree = CLS(misclassification_cost=100).fit(X, y).hypothesis_
    assert tree.predict(X).tolist() == y.to_list()


def test_prices_come_from_the_schema():
    X, y = induce.dataset("play-tennis")
    dear = CLS(schema={"Outlook": {"cost": 100}}).fit(X, y).hypothesis_
    assert "Outlook" not in str(dear)
    whole = Schema(tuple(Column(name, "nominal", cost=1000.0) for name in X.columns))
    assert CLS(schema=whole).fit(X, y).hypothesis_.n_nodes == 1


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_unit_of_cost_does_not_matter(scale, structure):
    X, y = induce.dataset("play-tennis")
    plain = CLS(misclassification_cost=20, schema={"Humidity": {"cost": 3}}).fit(X, y).hypothesis_
    schema = {name: {"cost": (3 if name == "Humidity" else 1) * scale} for name in X.columns}
    scaled = CLS(misclassification_cost=20 * scale, schema=schema).fit(X, y).hypothesis_
    assert structure(scaled) == structure(plain)


def test_testing_a_number_again_is_free():
    """A third of the rows are mistakes for 12 each; two thresholds in turn avoid them all for 3."""
    X, y = [[float(i)] for i in range(12)], ["a"] * 4 + ["b"] * 4 + ["a"] * 4
    schema = {"x0": {"cost": 3}}
    tree, events = splits(CLS(misclassification_cost=12, schema=schema), X, y)
    assert tree.threshold[:3].tolist() == pytest.approx([3.5, NAN, 7.5], nan_ok=True)
    assert events[0]["candidates"]["x0"]["merit"] == pytest.approx(12 / 3 - 3)
    assert events[1]["candidates"]["x0"]["merit"] == pytest.approx(12 / 2)


def test_costs_of_classes():
    X = pl.DataFrame({"a": ["x"] * 6 + ["y"] * 4})
    y = ["ill"] + ["well"] * 9
    assert CLS(misclassification_cost={"ill": 10, "well": 1}, lookahead=0).fit(X, y).hypothesis_.n_nodes == 1
    X = pl.DataFrame({"a": ["x"] + ["y"] * 9})
    schema = {"a": {"cost": 2}}
    for cost, n_nodes in (({"ill": 30, "well": 1}, 3), ({"ill": 1, "well": 30}, 1), ([[0, 30], [1, 0]], 3)):
        assert CLS(misclassification_cost=cost, schema=schema).fit(X, y).hypothesis_.n_nodes == n_nodes


def test_a_matrix_of_costs_is_in_the_order_of_classes_whatever_the_declared_order():
    X = pl.DataFrame({"a": ["x"] + ["y"] * 9})
    y = pl.Series(["ill"] + ["well"] * 9, dtype=pl.Enum(["well", "ill"]))
    for cost, n_nodes in (([[0, 30], [1, 0]], 3), ([[0, 1], [30, 0]], 1)):
        fitted = CLS(misclassification_cost=cost, schema={"a": {"cost": 2}}).fit(X, y)
        assert fitted.classes_.tolist() == ["ill", "well"]
        assert fitted.hypothesis_.classes == ("well", "ill")
        assert fitted.hypothesis_.n_nodes == n_nodes


@pytest.mark.parametrize(
    ("cost", "sentence"),
    [
        (0, "above 0 in some other cell"),
        (-1, "negative, infinite or NaN"),
        (NAN, "negative, infinite or NaN"),
        (float("inf"), "negative, infinite or NaN"),
        (None, "negative, infinite or NaN"),
        ("dear", "misclassification_cost is 'dear'"),
        ({"p": 1}, "has no entry for the class 'q'"),
        ({"p": 1, "q": -1}, "negative, infinite or NaN"),
        ({"p": 1, "q": "much"}, "a dict from classes to numbers"),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], r"shape \(3, 3\), but there are 2 classes"),
        ([0, 1], r"shape \(2,\)"),
        ([[1, 1], [1, 0]], "0 on the diagonal"),
        ([[0, 0], [0, 0]], "above 0 in some other cell"),
        ([[0, -1], [1, 0]], "negative, infinite or NaN"),
    ],
)
def test_costs_of_mistakes_that_cannot_be(cost, sentence):
    with pytest.raises(InputError, match=sentence):
        CLS(misclassification_cost=cost).fit([[1.0], [2.0]], ["p", "q"])


@pytest.mark.parametrize("cost", [-1, NAN, float("inf"), "much"])
def test_prices_that_cannot_be(cost):
    with pytest.raises(InputError, match="column 'x0' has the cost"):
        CLS(schema={"x0": {"cost": cost}}).fit([[1.0], [2.0]], ["p", "q"])


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (LookaheadTree(steps=-1), "steps is -1"),
        (LookaheadTree(steps=0.5), "steps is 0.5"),
        (LookaheadTree(criterion="gain_ratio"), "criterion is 'gain_ratio'; it can be 'gain', 'gini'"),
        (LookaheadTree(max_depth=-1), "max_depth is -1"),
        (LookaheadTree(max_thresholds=0), "max_thresholds is 0"),
        (CLS(lookahead=-1), "lookahead is -1"),
        (CLS(max_thresholds=None), "max_thresholds is None"),
        (CLS(schema={"nothing": {"cost": 2}}), "there is no column 'nothing'"),
    ],
)
def test_bad_parameters(learner, sentence):
    with pytest.raises(InputError, match=sentence):
        learner.fit([[1.0], [2.0]], ["a", "b"])


def test_progress_ends_at_one():
    shares = []
    with induce.core.progress.progress(shares.append):
        LookaheadTree().fit(*induce.dataset("restaurant"))
    assert shares == sorted(shares)
    assert shares[-1] == 1
