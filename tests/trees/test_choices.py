"""The choices of growth beyond gain and thresholds: measures, divisions, missing values, costs, stopping."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.trees import measures
from induce.trees.growth import MEASURES

properties = settings(derandomize=True)
COSTS = {"Outlook": 20, "Temperature": 1, "Humidity": 2, "Wind": 1}
TABLES = {
    "Outlook": [[2, 3], [4, 0], [3, 2]],
    "Temperature": [[2, 2], [4, 2], [3, 1]],
    "Humidity": [[3, 4], [6, 1]],
    "Wind": [[6, 2], [3, 3]],
}


def near(**values: float) -> Any:
    return pytest.approx(values, abs=1e-6)


def merits(splits: Any, X: Any, y: Any, **parameters: Any) -> dict[str, float]:
    root = splits(X, y, max_depth=1, **parameters)[0]
    return {name: candidate["merit"] for name, candidate in root["candidates"].items()}


@pytest.mark.parametrize(
    "name", ["gain", "gain_ratio", "gini", "kearns_mansour", "mantaras", "chi_square", "g_statistic"]
)
def test_growth_and_the_formulas_agree(splits, name):  # O3.2
    found = merits(splits, *induce.dataset("play-tennis"), criterion=name)
    assert found == near(**{column: measures.MEASURES[name](table) for column, table in TABLES.items()})


def test_measures_of_the_root_of_play_tennis(splits):  # O3.2
    X, y = induce.dataset("play-tennis")
    assert merits(splits, X, y, criterion="kearns_mansour") == near(
        Outlook=0.258461, Temperature=0.021104, Humidity=0.113516, Wind=0.034872
    )
    assert merits(splits, X, y, criterion="mantaras") == near(
        Outlook=1 - 0.891345, Temperature=1 - 0.988158, Humidity=1 - 0.915102, Wind=1 - 0.974365
    )
    assert merits(splits, X, y, criterion="chi_square") == pytest.approx(
        {"Outlook": 3.5467, "Temperature": 0.5704, "Humidity": 2.8, "Wind": 0.9333}, abs=1e-4
    )


@pytest.mark.parametrize("name", ["gain_ratio", "gini", "kearns_mansour", "mantaras"])
def test_all_these_measures_learn_figure_3_1(learned, structure, name):  # O3.5
    X, y = induce.dataset("play-tennis")
    tree = learned(X, y, induce.DecisionTreeClassifier(criterion=name))
    assert structure(tree) == structure(learned(X, y))


@properties
@given(st.data())
def test_twoing_is_that_of_the_formula(data):
    n_values, n_classes = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 4))
    counts = np.array(
        data.draw(
            st.lists(
                st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes),
                min_size=n_values,
                max_size=n_values,
            )
        )
    )
    values = [f"v{v}" for v in range(n_values) for c in range(n_classes) for _ in range(counts[v, c])]
    classes = [f"c{c}" for v in range(n_values) for c in range(n_classes) for _ in range(counts[v, c])]
    if len(set(values)) < 2 or len(set(classes)) < 2:
        return
    with induce.trace("split") as events:
        induce.DecisionTreeClassifier(criterion="twoing", nominal="subset", max_depth=1).fit(
            pl.DataFrame({"a": values}), classes
        )
    counts = counts[counts.sum(axis=1) > 0]
    best = max(
        measures.twoing([counts[list(left)].sum(axis=0), np.delete(counts, list(left), axis=0).sum(axis=0)])
        for size in range(1, len(counts))
        for left in combinations(range(len(counts)), size)
    )
    found = events[0]["candidates"]["a"]["gain"] if len(events) else 0.0
    if n_classes == 2 or len(counts) <= 10:
        assert found == pytest.approx(best, abs=1e-9)


@properties
@given(st.data(), st.sampled_from(["gain", "gini"]))
def test_divisions_of_few_values_are_the_best_there_are(data, measure):
    n_values, n_classes = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 4))
    rows = data.draw(
        st.lists(
            st.tuples(st.integers(0, n_values - 1), st.integers(0, n_classes - 1)), min_size=2, max_size=30
        )
    )
    X = pl.DataFrame(
        {"a": pl.Series([f"v{v}" for v, _ in rows], dtype=pl.Enum([f"v{v}" for v in range(n_values)]))}
    )
    y = [f"c{c}" for _, c in rows]
    if len(set(y)) < 2 or X["a"].n_unique() < 2:
        return
    counts = np.zeros((n_values, n_classes))
    np.add.at(counts, tuple(np.array(rows).T), 1)
    counts = counts[counts.sum(axis=1) > 0]
    divisions = [
        [counts[list(left)].sum(axis=0), np.delete(counts, list(left), axis=0).sum(axis=0)]
        for size in range(1, len(counts))
        for left in combinations(range(len(counts)), size)
    ]
    with induce.trace("split") as events:
        induce.DecisionTreeClassifier(criterion=measure, nominal="subset", max_depth=1).fit(X, y)
    best = max(measures.MEASURES[measure](division) for division in divisions)
    assert events[0]["candidates"]["a"]["gain"] == pytest.approx(best, abs=1e-9)


def test_one_value_tests_of_the_restaurant_root(gains):  # 06:O6, DT13
    X, y = induce.dataset("restaurant")
    assert gains(X, y, nominal="one-value") == near(
        Alt=0.0,
        Bar=0.0,
        Fri=0.020721,
        Hun=0.195710,
        Pat=0.459148,
        Price=0.190875,
        Rain=0.020721,
        Res=0.020721,
        Type=0.0,
        Est=0.190875,
    )


def test_one_value_tests_leave_the_other_values_for_later(learned):
    X = pl.DataFrame({"a": ["x", "x", "y", "y", "z", "z"]})
    tree = learned(X, ["p", "p", "q", "q", "r", "r"], induce.DecisionTreeClassifier(nominal="one-value"))
    assert str(tree) == "a = x: p (2/2)\na in {y, z}\n|   a = y: q (2/2)\n|   a = z: r (2/2)"


@properties
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abc")), min_size=2, max_size=30))
def test_an_ordered_attribute_is_cut_like_a_number(rows):
    domain = ["tiny", "small", "medium", "large", "huge"]
    y = [label for _, label in rows]
    as_order = pl.DataFrame({"size": [domain[v] for v, _ in rows]})
    as_number = pl.DataFrame({"size": [float(v) for v, _ in rows]})
    ordered = induce.DecisionTreeClassifier(schema={"size": {"domain": domain, "ordered": True}}).fit(
        as_order, y
    )
    numeric = induce.DecisionTreeClassifier().fit(as_number, y)
    assert ordered.predict(as_order).tolist() == numeric.predict(as_number).tolist()
    assert ordered.hypothesis_.counts.tolist() == numeric.hypothesis_.counts.tolist()


def test_intervals_are_those_of_the_description_length():
    X, y = induce.dataset("iris")
    tree = induce.DecisionTreeClassifier(numeric="intervals", max_depth=1).fit(X, y).hypothesis_
    assert str(tree).splitlines() == [
        "petal width <= 0.8: setosa (50/50)",
        "0.8 < petal width <= 1.75: versicolor (49/54)",
        "petal width > 1.75: virginica (45/46)",
    ]
    assert tree.predict(X).tolist() == tree.to_rules().predict(X).tolist()


def test_a_column_without_intervals_is_not_tested():  # O3.12
    X = pl.DataFrame({"Temperature": [40.0, 48, 60, 72, 80, 90]})
    y = ["No", "No", "Yes", "Yes", "Yes", "No"]
    assert induce.DecisionTreeClassifier(numeric="intervals").fit(X, y).hypothesis_.n_nodes == 1
    assert str(induce.DecisionTreeClassifier(max_depth=1).fit(X, y).hypothesis_).startswith(
        "Temperature <= 54:"
    )


# --- costs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"criterion": "gain_per_cost"}, (0.012337, 0.029223, 0.075918, 0.048127)),
        ({"criterion": "tan_schlimmer"}, (0.003044, 0.000854, 0.011527, 0.002316)),
        ({"criterion": "nunez", "cost_weight": 1}, (0.008882, 0.010231, 0.036994, 0.016961)),
        ({"criterion": "nunez", "cost_weight": 0.5}, (0.040704, 0.014469, 0.064076, 0.023986)),
        ({"criterion": "nunez", "cost_weight": 0}, (0.186531, 0.020462, 0.110982, 0.033922)),
    ],
)
def test_measures_by_cost(splits, parameters, expected):  # O3.14
    found = merits(splits, *induce.dataset("play-tennis"), costs=COSTS, **parameters)
    assert found == near(**dict(zip(COSTS, expected, strict=True)))


def test_gain_squared_by_other_costs(splits):  # O3.14
    costs = {"Outlook": 1, "Temperature": 2, "Humidity": 4, "Wind": 8}
    found = merits(splits, *induce.dataset("play-tennis"), criterion="tan_schlimmer", costs=costs)
    assert found == near(Outlook=0.060885, Temperature=0.000427, Humidity=0.005764, Wind=0.000290)


@pytest.mark.parametrize(
    ("parameters", "root", "cost", "nodes"),
    [
        ({"criterion": "gain"}, "Outlook", 21.0714, 8),
        ({"criterion": "gain_per_cost"}, "Humidity", 15.7143, 16),
        ({"criterion": "tan_schlimmer"}, "Humidity", 15.7143, 16),
        ({"criterion": "nunez", "cost_weight": 1}, "Humidity", 15.7143, 16),
        ({"criterion": "nunez", "cost_weight": 0.5}, "Humidity", 16.9286, 13),
        ({"criterion": "nunez", "cost_weight": 0}, "Outlook", 21.0714, 8),
    ],
)
def test_expected_cost_of_trees(parameters, root, cost, nodes):  # O3.14
    X, y = induce.dataset("play-tennis")
    learner = induce.DecisionTreeClassifier(costs=COSTS, **parameters).fit(X, y)
    tree = learner.hypothesis_
    assert (tree.tested(0).name, tree.n_nodes) == (root, nodes)
    assert tree.expected_cost() == pytest.approx(cost, abs=1e-4)
    assert learner.score(X, y) == 1.0


def test_an_attribute_tested_twice_is_paid_once():
    X = pl.DataFrame({"x": [1.0, 2, 3, 4]})
    tree = induce.DecisionTreeClassifier(costs={"x": 3}).fit(X, ["a", "b", "a", "a"]).hypothesis_
    assert tree.depth == 2
    assert tree.expected_cost() == 3.0


# --- missing values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "gain"),
    [("mode", 0.048127), ("class-mode", 0.151836), ("distributed", 0.087362), ("fractional", 0.102477)],
)
def test_gain_of_humidity_when_d8_lacks_it(gains, missing, gain):  # O3.13
    X, y = induce.dataset("play-tennis")
    X = X.with_columns(
        pl.when(pl.int_range(14) == 7).then(None).otherwise(pl.col("Humidity")).alias("Humidity")
    )
    assert gains(X, y, missing=missing)["Humidity"] == pytest.approx(gain, abs=1e-6)


def test_gain_of_patrons_when_x1_lacks_it(gains):  # 06:O13
    X, y = induce.dataset("restaurant")
    X = X.with_columns(pl.when(pl.int_range(12) == 0).then(None).otherwise(pl.col("Pat")).alias("Pat"))
    assert gains(X, y, missing="distributed")["Pat"] == pytest.approx(0.398899, abs=1e-6)


def holes(seed: int) -> tuple[pl.DataFrame, list[str]]:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(60, 2)).round(1)
    letters = rng.choice(list("abc"), 60)
    y = np.where((numbers[:, 0] > 0) ^ (letters == "a"), "yes", "no").tolist()
    numbers[rng.random((60, 2)) < 0.2] = np.nan
    cells = [None if rng.random() < 0.2 else letter for letter in letters]
    frame = pl.DataFrame({"x": numbers[:, 0], "z": numbers[:, 1], "k": cells}).fill_nan(None)
    return frame, y


@pytest.mark.parametrize("missing", ["distributed", "class-distributed", "mode", "class-mode", "surrogate"])
@pytest.mark.parametrize("seed", range(3))
def test_every_node_keeps_the_weight_of_its_examples(missing, seed):
    X, y = holes(seed)
    tree = induce.DecisionTreeClassifier(missing=missing, nominal="subset").fit(X, y).hypothesis_
    inner = np.flatnonzero(tree.attribute >= 0)
    assert len(inner) > 3
    for node in inner:
        children = tree.counts[list(tree.children(node))].sum(axis=0)
        np.testing.assert_allclose(children, tree.counts[node], atol=1e-9)
    if missing in ("mode", "class-mode", "surrogate"):
        assert np.array_equal(tree.counts, tree.counts.round())


@pytest.mark.parametrize("missing", ["mode", "surrogate"])
def test_training_rows_go_the_way_they_went_in_growth(missing):
    for seed in range(5):
        X, y = holes(seed)
        learner = induce.DecisionTreeClassifier(missing=missing, nominal="subset")
        examples, *_ = learner._examples(X, y, None)
        tree = learner.fit(X, y).hypothesis_
        np.testing.assert_array_equal(
            tree.route(examples.table, examples.labels, examples.weight()), tree.counts
        )


def test_surrogates_speak_for_a_missing_value():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = pl.DataFrame(
        {"x": x, "twin": -2 * x + 5, "echo": np.where(x > 0.1, "up", "down"), "noise": rng.normal(size=200)}
    )
    y = np.where(x > 0, "yes", "no")
    cart = induce.CART(pruning=None).fit(X, y)
    tree = cart.hypothesis_
    assert tree.tested(0).name == "x"
    surrogates = [both[0].attribute for both in tree.surrogate_conditions(0)]
    assert surrogates[:2] == ["twin", "echo"]
    assert tree.surrogates.association[0] == 1.0
    assert 0.8 < tree.surrogates.association[1] < 1.0
    blind = X.with_columns(x=pl.lit(None, pl.Float64))
    assert cart.score(blind, y) == 1.0
    deaf = blind.with_columns(twin=pl.lit(None, pl.Float64))
    assert 0.9 < cart.score(deaf, y) < 1.0
    assert "surrogate echo = down for x <= " in str(cart.explain(deaf.filter(pl.Series(x < 0)))[0])
    nothing = X.clear(1)
    heavier = "yes" if (y == "yes").sum() > 100 else "no"
    assert cart.predict(nothing).tolist() == [heavier]


def test_surrogates_survive_saving_pruning_and_raising(tmp_path):
    X, y = holes(1)
    for parameters in (
        {},
        {"pruning": "error-based"},
        {"pruning": "pessimistic"},
        {"pruning": "reduced-error"},
    ):
        cart = induce.CART(**parameters).fit(X, y)
        cart.hypothesis_.check()
        induce.save(cart, tmp_path / "cart.induce")
        again = induce.load(tmp_path / "cart.induce")
        assert again.hypothesis_ == cart.hypothesis_
        assert again.predict(X).tolist() == cart.predict(X).tolist()


# --- stopping -------------------------------------------------------------------------------------------------


def test_chi_square_stops_growth_of_play_tennis(learned):  # O3.6
    X, y = induce.dataset("play-tennis")
    assert learned(X, y, induce.DecisionTreeClassifier(significance=0.05)).n_nodes == 1
    with induce.trace("split") as events:
        tree = learned(X, y, induce.DecisionTreeClassifier(significance=0.10))
    assert tree.tested(0).name == "Humidity"
    assert set(events[0]["candidates"]) == {"Humidity"}


@pytest.mark.parametrize(("branch", "name"), [("Sunny", "Humidity"), ("Rain", "Wind")])
def test_chi_square_in_the_branches_of_play_tennis(learned, branch, name):  # O3.6
    X, y = induce.dataset("play-tennis")
    at = X["Outlook"] == branch
    for level, nodes in ((0.026, 3), (0.025, 1)):  # p = .0253
        assert (
            learned(X.filter(at), y.filter(at), induce.DecisionTreeClassifier(significance=level)).n_nodes
            == nodes
        )


@pytest.mark.parametrize("m", [1, 2, 5])
def test_stopping_early_fails_on_exclusive_or(learned, m):  # 06:O11
    X = pl.DataFrame({"a": [0, 0, 1, 1] * m, "b": [0, 1, 0, 1] * m})
    y = ["no", "yes", "yes", "no"] * m
    assert learned(X, y, induce.DecisionTreeClassifier(significance=0.05)).n_nodes == 1
    pruned = learned(X, y, induce.DecisionTreeClassifier(pruning="chi-square"))
    assert pruned.n_nodes == (1 if m == 1 else 7)


def test_degrees_of_freedom_by_declared_or_present_values(learned):
    domain = [f"v{k}" for k in range(8)]
    X = pl.DataFrame({"a": pl.Series(["v0"] * 8 + ["v1"] * 8, dtype=pl.Enum(domain))})
    y = ["p"] * 7 + ["q"] + ["q"] * 7 + ["p"]  # chi-square 9: p = .003 with 1 degree of freedom, .25 with 7
    assert learned(X, y, induce.DecisionTreeClassifier(significance=0.05)).n_nodes == 1
    assert learned(X, y, induce.DecisionTreeClassifier(significance=0.05, dof_values="present")).n_nodes == 9


def test_description_length_stops_growth(
    learned,
):  # O3.17: a leaf takes 15.967 bits, and no test is worth its own
    X, y = induce.dataset("play-tennis")
    assert learned(X, y, induce.DecisionTreeClassifier(mdl_stop=True)).n_nodes == 1
    many = pl.concat([X] * 20), pl.concat([y] * 20)
    assert learned(*many, induce.DecisionTreeClassifier(mdl_stop=True)).n_nodes == 8


def test_a_size_limit_keeps_the_first_levels(learned):  # 06:O7, DT16
    X, y = induce.dataset("restaurant")
    sizes = [(k, learned(X, y, induce.DecisionTreeClassifier(max_nodes=k))) for k in (1, 4, 5, 6, 10, 12)]
    assert [tree.n_nodes for _, tree in sizes] == [1, 4, 4, 6, 10, 12]
    errors = [int((np.array(tree.predict(X)) != y.to_numpy()).sum()) for _, tree in sizes]
    assert errors == [6, 2, 2, 2, 1, 0]
    tests = [
        learned(X, y, induce.DecisionTreeClassifier(max_nodes=k, count="tests")).n_nodes for k in (1, 2, 3, 4)
    ]
    assert tests == [4, 6, 10, 12]


# --- leaves and presets ---------------------------------------------------------------------------------------


def test_laplace_and_m_estimates():
    X, y = induce.dataset("play-tennis")
    days = pl.DataFrame(
        {"Outlook": ["Overcast"], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Weak"]}
    )
    plain, laplace, m = (
        dict(zip(learner.classes_, learner.predict_proba(days)[0], strict=True))
        for learner in (induce.DecisionTreeClassifier(smoothing=s).fit(X, y) for s in (None, "laplace", 3.5))
    )
    assert plain["Yes"] == 1.0
    assert laplace["Yes"] == pytest.approx(5 / 6)
    assert m["Yes"] == pytest.approx((4 + 3.5 * 9 / 14) / 7.5)


def test_random_tests_depend_on_the_seed_alone(structure):
    X, y = induce.dataset("restaurant")
    trees = [
        structure(induce.DecisionTreeClassifier(criterion="random", random_state=seed).fit(X, y).hypothesis_)
        for seed in (0, 0, 1, 2, 3)
    ]
    assert trees[0] == trees[1]
    assert len({str(tree) for tree in trees}) > 1
    assert induce.DecisionTreeClassifier(criterion="random").fit(X, y).score(X, y) == 1.0


def test_a_stump_minds_the_weights():  # 06:DT17
    X, y = induce.dataset("play-tennis")
    assert induce.DecisionStump().fit(X, y).hypothesis_.tested(0).name == "Outlook"
    weights = np.where(X["Wind"] == "Strong", np.where(y == "No", 20, 0), 1)
    stump = induce.DecisionStump().fit(X, y, sample_weight=weights).hypothesis_
    assert stump.tested(0).name == "Wind"
    assert stump.depth == 1


def test_assistant_learns_two_branches_and_stops():
    X, y = induce.dataset("play-tennis")
    tree = induce.ASSISTANT(pruning=None).fit(X, y).hypothesis_
    assert set(tree.n_branches[tree.attribute >= 0].tolist()) == {2}
    leaves = tree.attribute < 0
    assert tree.weights[leaves].min() >= 2
    assert induce.ASSISTANT(min_gain=0.5).fit(X, y).hypothesis_.n_nodes == 1


@properties
@given(st.data(), st.sampled_from(sorted(MEASURES)), st.sampled_from(["subset", "one-value"]))
def test_measures_do_not_mind_the_order_of_rows_and_agree_with_rules(tables, data, measure, nominal):
    X, y = data.draw(tables())
    learner = induce.DecisionTreeClassifier(criterion=measure, nominal=nominal)
    tree = learner.fit(X, y).hypothesis_
    order = np.array(data.draw(st.permutations(range(len(y)))))
    again = learner.fit(X[order], y[order]).hypothesis_
    assert str(again) == str(tree)
    assert tree.predict(X).tolist() == tree.to_rules().predict(X).tolist()


# --- bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"costs": {"Outlok": 1}}, "there is no column 'Outlok'; did you mean 'Outlook'?"),
        ({"costs": {"Outlook": -1}}, "the cost of 'Outlook' is -1; it must be a number of at least 0"),
        ({"costs": {"Outlook": "dear"}}, "the cost of 'Outlook' is 'dear'; it must be a number"),
        ({"costs": 3}, "costs is 3; give a dict"),
        (
            {"costs": {"Wind": 0}, "criterion": "gain_per_cost"},
            "column 'Wind' has the cost 0.0, which 'gain_per_cost'",
        ),
        ({"schema": {"Wind": {"cost": 0}}, "criterion": "tan_schlimmer"}, "give a finite cost above 0"),
        ({"schema": {"Wind": {"cost": -2}}}, "column 'Wind' has the cost -2; give a number of at least 0"),
        (
            {"schema": {"Wind": {"ordered": True, "domain": ["Weak"]}}},
            "column 'Wind' holds 'Strong', which is not",
        ),
        ({"criterion": "twoing"}, "use nominal='subset' or 'one-value'"),
        ({"missing": "surrogate"}, "use nominal='subset' or 'one-value'"),
        ({"missing": "surrogate", "nominal": "subset", "numeric": "intervals"}, "use numeric='threshold'"),
        ({"pruning": "critical-value"}, "give critical_value"),
        (
            {"pruning": "critical-value", "critical_value": 1, "criterion": "random"},
            "choose another of the two",
        ),
        ({"bins": 20, "criterion": "chi_square"}, "bins is incompatible with criterion='chi_square'"),
        ({"bins": 20, "missing": "mode"}, "bins is incompatible with missing='mode'"),
        ({"bins": 1}, "bins is 1; it must be a whole number of at least 2"),
        ({"cost_weight": 1.5}, "cost_weight is 1.5; it must be a number from 0 to 1"),
        ({"criterion": "gian"}, "criterion is 'gian'; it can be 'gain', "),
        ({"smoothing": "much"}, "smoothing is 'much'"),
        ({"significance": 0}, "significance is 0; it must be a number between 0 and 1"),
    ],
)
def test_one_sentence_for_bad_choices(parameters, sentence):
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError) as caught:
        induce.DecisionTreeClassifier(**parameters).fit(X, y)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_order_that_nobody_declared_is_asked_for():
    X = pl.DataFrame({"size": ["small", "large", "medium"]})
    with pytest.raises(
        InputError, match="column 'size' is ordered, but the order of its values is not declared"
    ):
        induce.DecisionTreeClassifier(schema={"size": {"ordered": True}}).fit(X, ["a", "b", "a"])
