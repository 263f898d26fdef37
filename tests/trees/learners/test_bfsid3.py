"""BFS-ID3: printed numbers, a plain search as reference, and what no search can do."""

from __future__ import annotations

from itertools import count, pairwise, product
from math import comb, inf, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.trees.learners.bfsid3 import BFSID3

D15 = ("Sunny", "Hot", "Normal", "Strong")


def truth_table(n, function, nominal=True):
    """All rows of n boolean attributes and what a function makes of them."""
    rows = list(product((0, 1), repeat=n))
    X = pl.DataFrame(np.array(rows), schema=[f"a{i}" for i in range(n)], orient="row")
    X = X.cast(pl.String).cast(pl.Enum(["0", "1"])) if nominal else X
    return X, ["yes" if function(*row) else "no" for row in rows]


def with_d15():
    X, y = induce.dataset("play-tennis")
    noise = pl.DataFrame([D15], schema=X.schema, orient="row")
    return pl.concat([X, noise]), pl.concat([y, pl.Series(y.name, ["No"], dtype=y.dtype)])


def size(X, y, **parameters):
    tree = BFSID3(**parameters).fit(X, y).hypothesis_
    return tree.n_nodes, tree.depth


# --- printed numbers ------------------------------------------------------------------------------------------


def test_play_tennis_is_fig_3_1_and_nothing_else():
    X, y = induce.dataset("play-tennis")
    assert str(BFSID3().fit(X, y).hypothesis_) == str(induce.ID3().fit(X, y).hypothesis_)
    assert size(X, y) == (8, 2)
    assert BFSID3().count_smallest(X, y) == 1


def test_the_noisy_example_has_three_shortest_trees(structure):
    X, y = with_d15()
    assert size(X, y) == (11, 3)
    assert BFSID3().count_smallest(X, y) == 3
    root, _, branches = structure(BFSID3().fit(X, y).hypothesis_)
    assert root == "Outlook"
    assert branches[0] == (
        "Temperature",
        None,
        ("No", ("Humidity", None, ("No", "Yes")), "Yes"),
    )
    assert branches[1] == "Yes"


@pytest.mark.parametrize("nominal", [True, False])
@pytest.mark.parametrize(
    ("n", "function", "expected"),
    [
        (2, lambda a, b: a and not b, (5, 2)),
        (3, lambda a, b, c: a or (b and c), (7, 3)),
        (2, lambda a, b: a != b, (7, 2)),
        (4, lambda a, b, c, d: (a and b) or (c and d), (13, 4)),
    ],
)
def test_exercise_3_1(n, function, expected, nominal):
    assert size(*truth_table(n, function, nominal)) == expected


@pytest.mark.parametrize("n", [3, 5, 7])
def test_the_majority_function_needs_many_leaves(n):
    tree = BFSID3().fit(*truth_table(n, lambda *row: sum(row) > n / 2)).hypothesis_
    assert tree.n_leaves == 2 * comb(n, (n + 1) // 2)


def test_restaurant_fits_at_depth_2_where_id3_needs_4():
    X, y = induce.dataset("restaurant")
    tree = BFSID3().fit(X, y).hypothesis_
    assert (tree.n_nodes, tree.depth) == (12, 2)
    assert tree.predict(X).tolist() == y.to_list()
    assert induce.ID3().fit(X, y).hypothesis_.depth == 4


def test_iris():
    X, y = induce.dataset("iris")
    tree = BFSID3().fit(X, y).hypothesis_
    greedy = induce.ID3().fit(X, y).hypothesis_
    assert (tree.n_nodes, tree.depth) == (15, 4)
    assert (greedy.n_nodes, greedy.depth) > (15, 4)
    assert tree.predict(X).tolist() == y.to_list()


def test_every_function_of_five_attributes_takes_few_sets(rng):
    parity = [sum(row) % 2 == 1 for row in product((0, 1), repeat=5)]
    functions = [parity] + [rng.random(32) < share for share in np.linspace(0.1, 0.9, 60)]
    for truth in functions:
        values = iter(truth)
        with induce.trace("depth") as events:
            BFSID3().fit(*truth_table(5, lambda *_, values=values: next(values)))
        assert events[-1]["states"] < 1000  # there are 243 sets of rows and at most 5 depths
    assert events[-1]["nodes"] is not None
    assert all(event["nodes"] is None for event in events[:-1])
    assert [event["depth"] for event in events] == list(range(len(events)))


# --- a plain search as reference ------------------------------------------------------------------------------


def divisions(columns, rows):
    """Every test of some rows: the parts that have rows and the number of those that have none."""
    for values, domain in columns:
        if domain:
            parts = [tuple(r for r in rows if values[r] == value) for value in domain]
            if sum(map(bool, parts)) > 1:
                yield [part for part in parts if part], parts.count(())
        else:
            for low, _ in pairwise(sorted({values[r] for r in rows})):
                yield [tuple(r for r in rows if (values[r] <= low) == side) for side in (True, False)], 0


def smallest(columns, y, rows, depth):
    """The size of the smallest trees up to a depth, and how many there are."""
    if len({y[r] for r in rows}) == 1:
        return 1, 1
    best, n_trees = inf, 0
    if depth:
        for parts, n_empty in divisions(columns, rows):
            below = [smallest(columns, y, part, depth - 1) for part in parts]
            total = 1 + n_empty + sum(nodes for nodes, _ in below)
            if total < best:
                best, n_trees = total, 0
            if total == best < inf:
                n_trees += prod(n for _, n in below)
    return best, n_trees


@given(data=st.data())
def test_no_tree_is_shorter(data, tables):
    X, y = data.draw(tables(functional=True, most_rows=9))
    columns = [
        (column.to_list(), column.dtype.categories.to_list() if column.dtype == pl.Enum else None)
        for column in X
    ]
    for depth in count():
        nodes, n_trees = smallest(columns, y.to_list(), tuple(range(len(y))), depth)
        if nodes < inf:
            break
    assert size(X, y) == (nodes, depth)
    assert BFSID3().count_smallest(X, y) == n_trees


@given(data=st.data())
def test_what_holds_of_every_shortest_tree(data, tables, structure):
    X, y = data.draw(tables(functional=True))
    tree = BFSID3().fit(X, y).hypothesis_
    tree.check()
    assert tree.predict(X).tolist() == tree.to_rules().predict(X).tolist() == y.to_list()
    greedy = induce.ID3().fit(X, y).hypothesis_
    assert (tree.depth, tree.n_nodes) <= (greedy.depth, greedy.n_nodes)
    order = data.draw(st.permutations(range(len(y))))
    shuffled = BFSID3().fit(X[order], y[order]).hypothesis_
    assert structure(shuffled) == structure(tree)
    twice = BFSID3().fit(pl.concat([X, X]), pl.concat([y, y])).hypothesis_
    assert structure(twice) == structure(tree)


def test_thresholds_between_examples_of_one_class_count():
    """The best first cut, at x = 0, has examples of class c on both sides."""
    rows = [(-10, -1, "e"), (-10, 1, "c"), (-10, 7, "c"), (-1, 3, "c"), (1, 7, "c")]
    rows += [(10, 7, "c"), (10, -1, "d"), (10, 3, "d")]
    X, y = [row[:2] for row in rows], [row[2] for row in rows]
    tree = BFSID3().fit(X, y).hypothesis_
    assert (tree.n_nodes, tree.depth) == (7, 2)
    assert tree.threshold[0] == 0


def test_ties_go_to_the_first_attribute_and_the_lowest_threshold():
    X = [[0, 0, 5], [1, 1, 6], [3, 3, 8]]
    tree = BFSID3().fit(X, ["a", "b", "b"]).hypothesis_
    assert (tree.attribute[0], tree.threshold[0]) == (0, 0.5)
    tree = BFSID3().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "c", "d"]).hypothesis_
    assert tree.threshold[0] == 1.5
    tree = BFSID3().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"]).hypothesis_
    assert tree.threshold[0] == 0.5


def test_an_empty_branch_says_what_is_most_common_above_it():
    X = pl.DataFrame({"a": pl.Series(["p", "q", "q"], dtype=pl.Enum(["p", "q", "r"]))})
    fitted = BFSID3().fit(X, ["no", "yes", "yes"])
    assert fitted.hypothesis_.n_nodes == 4
    assert fitted.predict(pl.DataFrame({"a": ["r", "never", None]})).tolist() == ["yes"] * 3
    weighted = BFSID3().fit(X, ["no", "yes", "yes"], sample_weight=[5, 1, 1])
    assert weighted.predict(pl.DataFrame({"a": ["r"]})).tolist() == ["no"]


def test_an_ordered_attribute_is_cut():
    sizes = pl.Series(["s", "m", "l", "xl"], dtype=pl.Enum(["s", "m", "l", "xl"]))
    fitted = BFSID3(schema={"size": {"ordered": True}}).fit(pl.DataFrame({"size": sizes}), [0, 0, 1, 1])
    assert str(fitted.hypothesis_) == "size in {s, m}: 0 (2/2)\nsize in {l, xl}: 1 (2/2)"


def test_a_row_of_weight_zero_is_left_out():
    X, y = with_d15()
    weights = np.append(np.ones(14), 0)
    assert BFSID3().fit(X, y, weights).hypothesis_ == BFSID3().fit(X[:14], y[:14]).hypothesis_


# --- what cannot be fitted ------------------------------------------------------------------------------------


def test_of_conflicting_rows_the_most_common_class_is_fitted():
    X, y = [[9, 9], [1, 2], [5, 5], [1, 2], [1, 2]], ["b", "a", "a", "b", "b"]
    with pytest.warns(Note, match=r"1 row \(row 1, counted from 0, is the first\) cannot be fitted"):
        learner = BFSID3().fit(X, y)
    assert learner.predict(X).tolist() == ["b", "b", "a", "b", "b"]
    with pytest.warns(Note, match="1 row .row 3,"):  # of equals, the class declared first
        learner.fit([[1], [1], [2], [2]], ["a", "b", "a", "b"], sample_weight=[1, 0, 1, 1])
    assert learner.hypothesis_.n_nodes == 1


@pytest.mark.parametrize(
    "cells",
    [pl.Series([1.0, None]), pl.Series([1.0, float("nan")]), pl.Series(["x", None]), pl.Series([None, None])],
)
def test_a_missing_value_is_named_by_its_column(cells):
    X = pl.DataFrame({"whole": [1, 2], "torn": cells})
    with pytest.raises(InputError, match=r"column 'torn' has a missing value .* use ID3"):
        BFSID3().fit(X, ["a", "b"])


def test_one_class_and_one_row():
    assert size([[1.0], [2.0]], ["a", "a"]) == (1, 0)
    assert BFSID3().fit([[1.0]], ["a"]).predict([[7.0], [float("nan")]]).tolist() == ["a", "a"]


def test_max_depth():
    X, y = induce.dataset("play-tennis")
    assert size(X, y, max_depth=2) == (8, 2)
    with pytest.raises(InputError, match=r"no tree of depth 1 \(max_depth\) fits every row"):
        BFSID3(max_depth=1).fit(X, y)


def test_a_search_that_takes_too_long_ends(rng):
    X, y = rng.random((200, 20)), rng.integers(0, 2, 200)
    learner = BFSID3(max_states=50)
    with pytest.raises(InputError, match=r"more than 50 sets of rows; raise max_states.*use ID3"):
        learner.fit(X, y)
    assert not hasattr(learner, "hypothesis_")


def test_too_many_rows_for_any_search(rng):
    X, y = rng.random((60_000, 1)), rng.integers(0, 2, 60_000)
    with pytest.raises(InputError, match="60,000 different rows are too many"):
        BFSID3().fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"max_depth": -1}, "max_depth is -1"),
        ({"max_depth": 1.5}, "max_depth is 1.5"),
        ({"max_states": 0}, "max_states is 0"),
        ({"schema": {"nothing": "nominal"}}, "there is no column 'nothing'"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        BFSID3(**parameters).fit([[1.0], [2.0]], ["a", "b"])
