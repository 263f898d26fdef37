"""Regression and model trees as learners: published numbers, choices of tests, inputs of every kind."""

import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor as ScikitTree

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.schema import Column
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.learners.model_tree import ModelTree
from induce.trees.regression import growth as regression_growth

X12 = np.arange(12.0)
Y12 = np.where(X12 <= 5, X12, 20 - 2 * X12)
NUMBERS = st.integers(-4, 4).map(float) | st.sampled_from([0.1, 0.25, 7.5, 1e-3])


def grown(X, y, **parameters):
    tree = DecisionTreeRegressor(**{"pruning": None} | parameters).fit(X, y).hypothesis_
    tree.check()
    return tree


def first_split(X, y, **parameters):
    with induce.trace("split") as events:
        grown(X, y, max_depth=1, **parameters)
    return events[0]


@st.composite
def tables(draw, missing=False, nominal=True, least=1, most=16):
    n = draw(st.integers(least, most))

    def cells(values):
        return draw(st.lists(values | st.none() if missing else values, min_size=n, max_size=n))

    columns = {
        "a": pl.Series(cells(NUMBERS), dtype=pl.Float64),
        "b": pl.Series(cells(NUMBERS), dtype=pl.Float64),
    }
    if nominal:
        columns["k"] = pl.Series(cells(st.sampled_from("pqrs")), dtype=pl.Enum(list("pqrs")))
    y = draw(st.lists(st.integers(-20, 20).map(float) | st.floats(-5, 5), min_size=n, max_size=n))
    return pl.DataFrame(columns), np.array(y)


# ---- the published example: y = x up to 5, then 20 - 2x


def sides(cut):
    """Return a table whose nominal column divides the numbers at a cut."""
    return pl.DataFrame({"x": X12, "side": ["low" if x < cut else "high" for x in X12]})


@pytest.mark.parametrize(("cut", "sse"), [(4.5, 13.3929), (5.5, 0.0), (6.5, 2.1429)])
def test_linear_criterion_of_the_kinked_line(cut, sse):
    split = first_split(sides(cut), Y12, leaf="linear")
    assert split["sse"] == pytest.approx(87.744755)
    assert split["sse"] - split["candidates"]["side"] == pytest.approx(sse, abs=5e-5)


@pytest.mark.parametrize(("cut", "sse"), [(9.5, 54.5), (5.5, 87.5)])
def test_constant_criterion_of_the_kinked_line(cut, sse):
    split = first_split(sides(cut), Y12)
    assert split["sse"] == pytest.approx(88.25)
    assert split["sse"] - split["candidates"]["side"] == pytest.approx(sse)
    assert split["candidates"]["x"] == pytest.approx(88.25 - 54.5)


def test_trees_of_the_kinked_line():
    linear = grown(X12[:, None], Y12, leaf="linear")
    assert linear.threshold[0] == 5.5
    assert linear.n_leaves == 2
    assert linear.predict([[2.5], [20.0]]) == pytest.approx([2.5, -20.0])
    constant = grown(X12[:, None], Y12, max_depth=1)
    assert constant.threshold[0] == 9.5
    assert constant.sse[1:].sum() == pytest.approx(54.5)


# ---- the choice of a test


@given(tables(least=2))
def test_constant_tests_are_the_best_of_all(table):
    X, y = table
    whole = ((y - y.mean()) ** 2).sum()
    best = {}
    for name in X.columns:
        values = X[name].to_numpy()
        cuts = [values <= value for value in np.unique(values)[:-1]]
        if name == "k":
            present = list(np.unique(values))
            subsets = itertools.chain(*(itertools.combinations(present, r) for r in range(1, len(present))))
            cuts = [np.isin(values, subset) for subset in subsets]
        gains = [whole - sum(((y[m] - y[m].mean()) ** 2).sum() for m in (left, ~left)) for left in cuts]
        if gains:
            best[name] = max(gains)
    with induce.trace("split") as events:
        grown(X, y, max_depth=1)
    if np.ptp(y) == 0 or not best:
        assert len(events) == 0
        return
    assert events[0]["candidates"] == pytest.approx(best, abs=1e-9 * whole + 1e-12)
    assert best[events[0]["chosen"]] == pytest.approx(max(best.values()), rel=1e-6, abs=1e-9 * whole)


@given(st.integers(0, 10**6))
def test_linear_tests_are_the_best_where_both_sides_can_be_fitted(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (24, 2)).astype(float)
    y = rng.normal(size=24)

    def fitted(rows):
        design = np.column_stack([np.ones(rows.sum()), X[rows]])
        return ((y[rows] - design @ np.linalg.lstsq(design, y[rows], rcond=None)[0]) ** 2).sum()

    every = np.ones(24, bool)
    best = {}
    for j in range(2):
        cuts = [X[:, j] <= value for value in np.unique(X[:, j])[:-1]]
        gains = [fitted(every) - fitted(m) - fitted(~m) for m in cuts if 6 <= m.sum() <= 18]
        if gains:
            best[f"x{j}"] = max(gains)
    with induce.trace("split") as events:
        grown(X, y, max_depth=1, leaf="linear", min_samples_leaf=6)
    assert (len(events) > 0) == (len(best) > 0)
    if best:
        assert events[0]["candidates"] == pytest.approx(best, rel=1e-8)


def test_cuts_of_a_long_column_are_found_exactly():
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (5000, 2))
    y = np.where(X[:, 1] <= 0.31234, X[:, 0], 5 - X[:, 0])
    tree = grown(X, y, leaf="linear")
    below, above = X[X[:, 1] <= 0.31234, 1].max(), X[X[:, 1] > 0.31234, 1].min()
    assert tree.n_leaves == 2
    assert below <= tree.threshold[0] < above


@pytest.mark.compiled
def test_an_attribute_that_goes_with_nothing_on_its_own_is_still_fitted_where_it_is_tested():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 40))
    tree = grown(X, np.abs(X[:, 7]) * 5 + 0.01 * rng.normal(size=400), leaf="linear", max_depth=1)
    assert tree.tested(0).name == "x7"
    assert abs(tree.threshold[0]) < 0.05


@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_a_large_offset_changes_no_test(leaf, structure_of):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = np.round(np.where(X[:, 0] > 0.3, 3 + X[:, 1], -2.0) * 8)
    plain = grown(X, y, leaf=leaf, max_depth=3, min_samples_leaf=10)
    for offset in (1e9, 1e15):
        moved = grown(X, y + offset, leaf=leaf, max_depth=3, min_samples_leaf=10)
        assert structure_of(moved) == structure_of(plain)
        assert moved.predict(X) - offset == pytest.approx(plain.predict(X), abs=1e-15 * offset + 1e-9)


@pytest.fixture
def structure_of():
    return lambda tree: (tree.attribute.tolist(), np.nan_to_num(tree.threshold).tolist())


def test_ordered_values_are_cut_along_their_order():
    sizes = ["S", "M", "L", "XL"]
    X = pl.DataFrame({"size": pl.Series(["S", "M", "XL"] * 4, dtype=pl.Enum(sizes))})
    y = [1.0, 9.0, 2.0] * 4
    plain = grown(X, y, max_depth=1)
    assert str(plain).splitlines()[0] == "size in {S, L, XL}: y = 1.5 (n=8, sd 0.5)"
    ordered = grown(X, y, max_depth=1, schema={"size": {"ordered": True}})
    assert str(ordered).splitlines()[0] == "size = S: y = 1 (n=4, sd 0)"
    assert ordered.predict(pl.DataFrame({"size": ["L"]})) == [5.5]  # absent at this node, above S


def test_one_branch_for_every_declared_value():
    X = pl.DataFrame({"k": pl.Series(["a", "b", "a", "c"], dtype=pl.Enum(list("abcd")))})
    tree = grown(X, [1.0, 2.0, 3.0, 7.0], nominal="multiway")
    assert tree.n_branches[0] == 4
    assert tree.predict(pl.DataFrame({"k": ["a", "b", "c", "d", "new"]})).tolist() == [2, 2, 7, 3.25, 3.25]
    linear = grown(
        X.with_columns(x=pl.Series([0.0, 1, 2, 3])), [1.0, 2, 3, 4], nominal="multiway", leaf="linear"
    )
    assert linear.predict(pl.DataFrame({"k": ["d"], "x": [10.0]})) == pytest.approx([11.0])


def test_limits_of_growth():
    X, y = make_friedman1(300, random_state=0)
    assert grown(X, y, max_depth=2).depth == 2
    assert grown(X, y, max_depth=0).n_nodes == 1
    tree = grown(X, y, min_samples_leaf=20)
    assert tree.n[tree.attribute < 0].min() >= 20
    tree = grown(X, y, min_samples_split=50)
    assert tree.n[tree.attribute >= 0].min() >= 50
    with induce.trace("split") as events:
        small = grown(X, y, min_decrease=0.05)
    total = ((y - y.mean()) ** 2).sum()
    assert 2 < small.n_leaves < 10
    assert min(event["candidates"][event["chosen"]] for event in events) >= 0.05 * total


@pytest.mark.compiled
@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_small_steps_and_traces_change_nothing(leaf, monkeypatch):
    X, y = make_friedman1(200, random_state=0)
    whole = grown(X, y, leaf=leaf)
    monkeypatch.setattr(regression_growth, "STEP", 1)
    shares = []
    with induce.progress(shares.append), induce.trace():
        stepped = grown(X, y, leaf=leaf)
    assert stepped == whole
    assert shares == sorted(shares)
    assert len(shares) > 100


@pytest.mark.parametrize("weighted", [False, True])
def test_same_as_scikit_learn_where_no_tie_decides(weighted):
    X, y = make_friedman1(500, noise=1.0, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 2, 500) if weighted else None
    ours = DecisionTreeRegressor(max_depth=6, pruning=None).fit(X, y, sample_weight=weights)
    theirs = ScikitTree(max_depth=6, random_state=0).fit(X, y, sample_weight=weights)
    assert ours.hypothesis_.n_nodes == theirs.tree_.node_count
    assert ours.predict(X) == pytest.approx(theirs.predict(X))


# ---- properties


@given(tables())
def test_functional_data_are_fitted_exactly(table):
    X, y = table
    known = {}
    y = np.array([known.setdefault(row, value) for row, value in zip(X.rows(), y, strict=True)])
    tree = grown(X, y)
    assert tree.predict(X).tolist() == y.tolist()
    assert tree.sse[tree.attribute < 0].max() == 0


@given(tables(missing=True), st.randoms(use_true_random=False), st.sampled_from(["constant", "linear"]))
def test_the_order_of_rows_does_not_matter(table, random, leaf):
    X, y = table
    order = list(range(len(y)))
    random.shuffle(order)
    first, second = grown(X, y, leaf=leaf), grown(X[order], y[order], leaf=leaf)
    assert first.attribute.tolist() == second.attribute.tolist()
    assert np.array_equal(first.threshold, second.threshold, equal_nan=True)
    assert first.predict(X) == pytest.approx(second.predict(X), rel=1e-6, abs=1e-6)


@given(tables(missing=True), st.integers(-1000, 1000), st.sampled_from([0.5, 4.0]))
def test_shifting_and_stretching_the_target_does_so_to_predictions(table, shift, stretch):
    X, y = table
    y = np.round(y * 4)
    tree, moved = grown(X, y), grown(X, y * stretch + shift)
    assert tree.attribute.tolist() == moved.attribute.tolist()
    assert moved.predict(X) == pytest.approx(tree.predict(X) * stretch + shift)


@given(tables(missing=True), st.sampled_from(["constant", "linear"]), st.sampled_from(["subset", "multiway"]))
def test_weights_are_repetitions(table, leaf, nominal):
    X, y = table
    weights = np.arange(len(y)) % 3
    weights[0] = 1
    rows = np.repeat(np.arange(len(y)), weights)
    learner = DecisionTreeRegressor(leaf=leaf, nominal=nominal, min_samples_leaf=2, pruning=None)
    weighted = learner.fit(X, y, sample_weight=weights).hypothesis_
    repeated = learner.fit(X[rows], y[rows]).hypothesis_
    assert weighted.attribute.tolist() == repeated.attribute.tolist()
    assert weighted.predict(X) == pytest.approx(repeated.predict(X), rel=1e-6, abs=1e-6)


# ---- missing values, odd tables


def test_missing_values_go_where_most_went():
    X = pl.DataFrame({"x": [1.0, 2.0, 3.0, None, 9.0, 10.0], "k": ["a", "a", None, "b", "b", "b"]})
    tree = grown(X, [1.0, 1, 1, 1, 5, 5], max_depth=1)
    assert str(tree) == "x <= 6: y = 1 (n=4, sd 0)\nx > 6: y = 5 (n=2, sd 0)"
    assert tree.predict(pl.DataFrame({"x": [None], "k": ["b"]}, schema_overrides={"x": pl.Float64})) == [1.0]


def test_missing_numbers_count_as_their_mean_in_linear_functions():
    x = np.array([0.0, 1, 2, 3, np.nan])
    tree = grown(x[:, None], [1.0, 3, 5, 7, 4], leaf="linear")
    assert str(tree) == "y = 1 + 2 x0 (n=5, sd 0)"
    assert tree.fill.tolist() == [1.5]
    assert tree.predict([[np.nan], [10.0]]) == pytest.approx([4.0, 21.0])


def test_unseen_values_get_what_the_node_says():
    X = pl.DataFrame({"k": ["a", "a", "b", "b"], "x": [0.0, 1, 0, 1]})
    tree = grown(X, [0.0, 1, 10, 11])
    assert tree.predict(pl.DataFrame({"k": ["zebra"], "x": [0.0]})) == [5.5]


@pytest.mark.parametrize("leaf", ["constant", "linear"])
@pytest.mark.parametrize("pruning", [None, "cost-complexity", "adjusted-error"])
def test_tables_with_next_to_nothing_in_them(leaf, pruning):
    learner = DecisionTreeRegressor(leaf=leaf, pruning=pruning)
    assert learner.fit([[1.0]], [3.5]).predict([[9.0], [np.nan]]).tolist() == [3.5, 3.5]
    assert learner.fit([[1.0], [2.0], [3.0]], [7.25] * 3).hypothesis_.n_nodes == 1
    assert learner.fit([[1.0], [1.0]], [1.0, 3.0]).predict([[5.0]]) == [2.0]
    empty = pl.DataFrame({"x": pl.Series([None] * 6, dtype=pl.Float64), "z": [1.0, 2, 3, 4, 5, 6]})
    tree = learner.fit(empty, [1.0, 1, 1, 5, 5, 5]).hypothesis_
    tree.check()
    assert "x" not in {tree.tested(node).name for node in np.flatnonzero(tree.attribute >= 0)}
    only_empty = learner.fit(empty.select("x"), [1.0, 1, 1, 5, 5, 5])
    assert only_empty.predict(empty.select("x")).tolist() == [3.0] * 6
    one_value = pl.DataFrame({"k": pl.Series(["a"] * 4, dtype=pl.Enum(["a"]))})
    assert learner.fit(one_value, [1.0, 2, 3, 4]).predict(one_value).tolist() == [2.5] * 4


def frames():
    X, y = load_diabetes(return_X_y=True)
    names = [f"c{j}" for j in range(10)]
    table = {name: X[:, j] for j, name in enumerate(names)}
    yield X, y
    yield X.tolist(), y.tolist()
    yield pd.DataFrame(table), pd.Series(y)
    yield pd.DataFrame(table), pd.Series(y, dtype="Float64")
    yield pl.DataFrame(table), pl.Series(y)
    yield pl.DataFrame(table), pl.Series(y.astype(int))
    yield pa.table(table), pa.array(y)


def test_any_frame_and_target():
    predictions = [DecisionTreeRegressor(max_depth=4).fit(X, y).predict(X).tolist() for X, y in frames()]
    assert all(each == predictions[0] for each in predictions)


def test_the_name_of_the_target_is_kept():
    X = pl.DataFrame({"x": [0.0, 1.0]})
    assert grown(X, pl.Series("price", [1, 2])).target == "price"
    assert grown(X, [1, 2]).target == "y"


def test_read_keeps_a_numeric_target_numeric(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,k,price\n1,a,10\n2,b,20\n3,a,30\n4,b,?\n", encoding="utf-8")
    with pytest.warns(Note, match="1 row has no value of the target 'price'"):
        data = induce.read(path, target="price")
    assert data.y.dtype.is_numeric()
    assert DecisionTreeRegressor(pruning=None).fit(*data).predict(data.X).tolist() == [10.0, 20.0, 30.0]


# ---- scikit-learn around it


@pytest.mark.compiled
def test_pipelines_grids_and_pickles():
    X, y = load_diabetes(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), ModelTree())
    assert cross_val_score(pipeline, X, y, cv=3, scoring="r2").mean() > 0.35
    search = GridSearchCV(DecisionTreeRegressor(), {"max_depth": [1, 3]}, cv=3).fit(X, y)
    assert search.best_params_ == {"max_depth": 3}
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    assert copy.predict(X).tolist() == search.predict(X).tolist()


@pytest.mark.compiled
def test_model_trees_beat_constant_ones_on_real_data():
    X, y = load_diabetes(return_X_y=True)
    cv = KFold(10, shuffle=True, random_state=0)

    def rmse(learner):
        return np.sqrt(-cross_val_score(learner, X, y, cv=cv, scoring="neg_mean_squared_error").mean())

    assert rmse(ModelTree()) < 57 < 61 < rmse(DecisionTreeRegressor(pruning="cost-complexity")) < 64
    assert rmse(DecisionTreeRegressor()) < 64
    assert rmse(DecisionTreeRegressor(pruning=None)) > 78


@pytest.mark.parametrize("n", [100, 400])
def test_trees_are_pruned_unless_told_otherwise(n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    noisy = DecisionTreeRegressor().fit(X, rng.normal(size=n)).hypothesis_
    assert noisy.n_leaves <= 2
    steps = DecisionTreeRegressor().fit(X, 5 * (X[:, 0] > 0) + rng.normal(size=n)).hypothesis_
    assert 2 <= steps.n_leaves <= 6
    assert steps.threshold[0] == pytest.approx(0, abs=0.2)


# ---- bad input


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("leaf", "quadratic"),
        ("nominal", "binary"),
        ("pruning", "error-based"),
        ("max_depth", -1),
        ("max_depth", 1.5),
        ("min_samples_split", -1),
        ("min_samples_leaf", "two"),
        ("min_decrease", -0.1),
        ("smoothing", -1),
        ("validation_fraction", 1.0),
        ("ccp_alpha", -1),
        ("cv", 1),
        ("schema", 3),
    ],
)
def test_parameters_are_checked(parameter, value):
    with pytest.raises(InputError, match=f"^{parameter} is ") as caught:
        DecisionTreeRegressor(**{parameter: value}).fit([[0.0], [1.0]], [0.0, 1.0])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, np.nan], "y contains NaN or infinity; drop the rows"),
        ([1.0, np.inf], "y contains NaN or infinity; drop the rows"),
        ([1.0, None], "y contains NaN or infinity; drop the rows"),
        (pd.Series([1.0, None], dtype="Float64"), "y contains NaN or infinity; drop the rows"),
        (["a", "b"], "y holds 'a', which is not a number; use a classifier"),
        (np.array(["2024-01-01", "2024-01-02"], dtype="M8[D]"), "which is not a number"),
        (np.zeros((2, 2)), "y has 2 columns, but one number is predicted for each row"),
        ([1.0, 2.0, 3.0], "inconsistent numbers of samples: X has 2 rows, y has 3"),
        ([1.0, 1e200], "y holds numbers beyond 1e\\+100"),
        (None, "requires y to be passed"),
    ],
)
def test_targets_are_checked(y, message):
    learner = DecisionTreeRegressor().fit([[0.0]], [0.0])
    with pytest.raises(InputError, match=message) as caught:
        learner.fit([[0.0], [1.0]], y)
    assert "\n" not in str(caught.value)
    assert not hasattr(learner, "hypothesis_")


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 2)), "the table has no rows"),
        (np.empty((2, 0)), "the table has no columns"),
        (pl.DataFrame({"id": ["a", "b"]}), "no column is left to learn from"),
        ([[0.0], [np.inf]], "holds infinity"),
    ],
)
@pytest.mark.filterwarnings("ignore:column 'id' looks like an identifier")
def test_tables_are_checked(X, message):
    with pytest.raises(InputError, match=message):
        DecisionTreeRegressor().fit(X, np.zeros(len(X)))


def test_weights_are_checked():
    for weights, message in (([1.0], "shape"), ([-1.0, 1.0], "negative"), ([0.0, 0.0], "zero everywhere")):
        with pytest.raises(InputError, match=message):
            DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0], sample_weight=weights)


def test_values_that_were_not_declared_are_refused():
    schema = {"k": Column("k", "nominal", ("a", "b"))}
    with pytest.raises(InputError, match="column 'k' holds 'c'"):
        DecisionTreeRegressor(schema=schema).fit(pl.DataFrame({"k": ["a", "c"]}), [0.0, 1.0])
