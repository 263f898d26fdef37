"""Locally weighted regression: constructed numbers, identities of the criteria, singular fits, bad input."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.instances.local.gradient import local_error, training_rule

SQUARES_X = np.arange(5.0)[:, None]
SQUARES_Y = np.arange(5.0) ** 2
OUTLIER_X = np.array([0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14.0])[:, None]
OUTLIER_Y = np.array([1, 2, 2.5, 3.5, 4, 8, 6, 6.5, 5, 4, 3])
QUERIES = np.array([0, 4, 6, 7.2, 10, 13.5, 14])[:, None]


def local(X, y, **settings):
    settings = {"scale": None, "n_neighbors": None, **settings}
    return induce.LocallyWeightedRegressor(**settings).fit(X, y)


CRITERIA = {
    "E1": {"kernel": "uniform", "n_neighbors": 3},
    "E2": {"width": 1.0},
    "E3": {"width": 1.0, "n_neighbors": 3},
}


@pytest.mark.parametrize(
    ("query", "criterion", "constant", "linear", "value"),
    [
        (1.2, "E1", 1.666667, (-0.333333, 2), 2.066667),
        (1.2, "E2", 2.481849, (-1.217855, 2.872075), 2.228635),
        (1.2, "E3", 1.771372, (-0.546947, 2.090159), 1.961243),
        (2.5, "E1", 4.666667, (-3.333333, 4), 6.666667),
        (2.5, "E2", 6.912092, (-4.698345, 4.728692), 7.123386),
        (2.5, "E3", 5.645507, (-3.927, 4.222625), 6.629563),
    ],
)
def test_squares(query, criterion, constant, linear, value):
    chosen = CRITERIA[criterion]
    flat = local(SQUARES_X, SQUARES_Y, model="constant", **chosen)
    assert flat.hypothesis_.criterion == criterion
    assert flat.predict([[query]]) == pytest.approx(constant, abs=5e-7)
    told = local(SQUARES_X, SQUARES_Y, **chosen).explain([[query]])[0]
    assert (told.constant, told.coefficients["x0"]) == pytest.approx(linear, abs=5e-7)
    assert told.prediction == pytest.approx(value, abs=5e-7)
    curved = local(SQUARES_X, SQUARES_Y, model="quadratic", **chosen).explain([[query]])[0]
    assert curved.prediction == pytest.approx(query**2, abs=1e-9)
    assert (curved.constant, *curved.coefficients.values()) == pytest.approx((0, 0, 1), abs=1e-8)


def test_the_global_line():
    told = local(SQUARES_X, SQUARES_Y, kernel="uniform").explain([[1.2], [2.5]])
    assert [each.prediction for each in told] == pytest.approx([2.8, 8])
    assert (told[0].constant, told[0].coefficients["x0"]) == pytest.approx((-2, 4))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"kernel": "uniform", "n_neighbors": 3, "model": "constant"},
            [1.833333, 3.333333, 6, 6.833333, 5.833333, 4, 4],
        ),
        (
            {"kernel": "uniform", "n_neighbors": 3},
            [1.083333, 3.642857, 5.857143, 7.1, 5.571429, 3.25, 2.928571],
        ),
        (
            {"kernel": "quadratic", "width": 10},
            [1.053942, 4.315037, 5.538949, 5.855957, 5.416667, 3.23123, 2.944334],
        ),
        (
            {"kernel": "quadratic", "width": 6},
            [1.068493, 4.326923, 6.039216, 6.379366, 5.461538, 3.258751, 3],
        ),
        ({"width": 1.0}, [1.034633, 4.025649, 6.649758, 6.628516, 5.613118, 3.262191, 2.997657]),
    ],
)
def test_the_table_with_an_outlier(settings, expected):
    assert local(OUTLIER_X, OUTLIER_Y, **settings).predict(QUERIES) == pytest.approx(expected, abs=5e-7)


def test_the_width_is_chosen_by_leave_one_out():
    widths = (4, 6, 8, 10, 14, 20, 28)
    chosen = local(OUTLIER_X, OUTLIER_Y, kernel="quadratic", width=widths).hypothesis_
    assert chosen.kernel.width == 10
    assert chosen.choice.losses[2:] == pytest.approx(
        [1.318705, 1.254357, 1.55501, 2.138012, 3.280457], abs=5e-7
    )
    assert [each["width"] for each in chosen.choice.settings] == list(widths)
    assert "width 10 by leave-one-out: mean squared error 1.254" in str(chosen)


def test_narrow_widths_differ_only_in_what_a_singular_fit_says():
    """The numbers 2.804219 and 2.050299 follow from the pseudo-inverse of (1, x), which depends on where x is 0."""
    for width, printed in ((4, 2.804219), (6, 2.050299)):
        errors = []
        for i, query in enumerate(OUTLIER_X[:, 0]):
            x, y = np.delete(OUTLIER_X[:, 0], i), np.delete(OUTLIER_Y, i)
            root = np.sqrt(np.maximum(0, 1 - (2 * (x - query) / width) ** 2))
            w = np.linalg.pinv(np.stack([root, root * x], axis=1)) @ (root * y)
            errors.append((w @ [1, query] - OUTLIER_Y[i]) ** 2)
        assert np.mean(errors) == pytest.approx(printed, abs=5e-7)
        told = local(OUTLIER_X, OUTLIER_Y, kernel="quadratic", width=(width, 10)).hypothesis_.choice
        shifted = local(OUTLIER_X + 100, OUTLIER_Y, kernel="quadratic", width=(width, 10)).hypothesis_.choice
        assert told.losses == pytest.approx(shifted.losses)


def test_the_number_of_neighbours_is_chosen_by_leave_one_out():
    ks = (1, 2, 3, 5, 7, 10)
    chosen = local(OUTLIER_X, OUTLIER_Y, model="constant", kernel="uniform", n_neighbors=ks).hypothesis_
    assert chosen.choice.losses == pytest.approx(
        [3.522727, 1.835227, 1.984848, 3.554545, 4.470779, 4.79], abs=5e-7
    )
    assert chosen.n_neighbors == 2


def test_leave_one_out_is_learning_without_the_row():
    settings = {"width": 1.3, "n_neighbors": 4}
    tried = local(OUTLIER_X, OUTLIER_Y, **settings | {"width": (1.3, 1.5)}).hypothesis_.choice
    errors = []
    for i in range(len(OUTLIER_Y)):
        kept = np.arange(len(OUTLIER_Y)) != i
        found = local(OUTLIER_X[kept], OUTLIER_Y[kept], **settings).predict(OUTLIER_X[[i]])
        errors.append((found[0] - OUTLIER_Y[i]) ** 2)
    assert tried.losses[0] == pytest.approx(np.mean(errors))


def test_both_are_chosen_together():
    chosen = local(OUTLIER_X, OUTLIER_Y, n_neighbors=(4, 8), width=(1.0, 2.0)).hypothesis_
    assert [tuple(each.values()) for each in chosen.choice.settings] == [(4, 1), (4, 2), (8, 1), (8, 2)]
    best = chosen.choice.best
    assert (chosen.n_neighbors, chosen.kernel.width) == (best["n_neighbors"], best["width"])


def test_kernel_regression_by_hand():
    X, y = [[0.0], [1.0], [3.0]], [1.0, 2.0, 6.0]
    assert local(X, y, width=0.5, model="constant").predict([[0.5]]) == pytest.approx(1.500014, abs=5e-7)
    assert local(X, y, width=0.5).predict([[0.5]]) == pytest.approx(1.500006, abs=5e-7)


# --- gradient rules ------------------------------------------------------------------------------------------


def test_the_training_rule_step_by_step():
    x, y = SQUARES_X[[1, 2, 0]], SQUARES_Y[[1, 2, 0]]
    kernel = np.exp(-0.5 * (x[:, 0] - 1.2) ** 2)
    w = np.zeros(2)
    for expected in [(0.38847948, 0.67893910), (0.52660982, 0.99962678), (0.55643961, 1.16213372)]:
        w = training_rule(w, x, y, kernel, 0.1)
        assert w == pytest.approx(expected, abs=5e-9)
    for _ in range(5000):
        w = training_rule(w, x, y, kernel, 0.1)
    assert w == pytest.approx((-0.54694703, 2.09015874), abs=5e-9)
    assert training_rule(np.zeros(2), SQUARES_X, SQUARES_Y, np.ones(5), 0.1) == pytest.approx((3, 10))


def test_the_training_rule_is_the_gradient():
    random = np.random.default_rng(0)
    x, y, kernel, w = (
        random.normal(size=(6, 2)),
        random.normal(size=6),
        random.random(6),
        random.normal(size=3),
    )
    slope = training_rule(w, x, y, kernel, 1.0) - w
    for j, step in enumerate(np.eye(3) * 1e-6):
        rise = local_error(w + step, x, y, kernel) - local_error(w - step, x, y, kernel)
        assert -rise / 2e-6 == pytest.approx(slope[j], rel=1e-6)


def test_virtual_copies():
    """Exercise 8.2: as many copies of each example as its kernel says make E4 the same as E2."""
    copies, w = np.array([3, 0, 1, 2, 1]), np.array([0.3, -1.2])
    repeated = np.repeat(np.arange(5), copies)
    assert local_error(w, SQUARES_X, SQUARES_Y, copies) == pytest.approx(
        local_error(w, SQUARES_X[repeated], SQUARES_Y[repeated], np.ones(7))
    )


# --- identities ----------------------------------------------------------------------------------------------

numbers = st.integers(-20, 20).map(lambda v: v / 4)
tables = st.lists(st.tuples(numbers, numbers, numbers), min_size=4, max_size=14)


@settings(max_examples=25, deadline=None)
@given(tables, numbers, numbers, st.integers(1, 6), st.sampled_from(["constant", "linear"]))
def test_what_the_criteria_have_in_common(rows, a, b, k, model):
    X, y = np.array([row[:2] for row in rows]), np.array([row[2] for row in rows])
    query, n = [[a, b]], len(rows)
    all_by_kernel = local(X, y, model=model, width=1.5).predict(query)
    assert local(X, y, model=model, width=1.5, n_neighbors=n).predict(query) == pytest.approx(
        all_by_kernel, abs=1e-6
    )
    away = np.sqrt(np.square(X - query).sum(axis=1))
    nearest = np.argsort(away, kind="stable")[: min(k, n)]
    k = len(nearest)
    assert local(X, y, model="constant", kernel="uniform", n_neighbors=k).predict(query) == pytest.approx(
        y[nearest].mean()
    )
    for used, which in ((nearest, {"n_neighbors": k}), (np.arange(n), {})):
        equal = used[away[used] == 0]
        weighted = y[equal].mean() if len(equal) else np.average(y[used], weights=1 / away[used] ** 2)
        found = local(X, y, model="constant", kernel="inverse-square", **which).predict(query)
        assert found == pytest.approx(weighted, abs=1e-9)
    moved = local(X, y + 7, model=model, width=1.5).predict(query)
    assert moved == pytest.approx(all_by_kernel + 7, abs=1e-6)


def test_against_the_normal_equations():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(60, 3)), random.normal(size=60)
    queries = random.normal(size=(9, 3))
    found = local(X, y, width=0.9).predict(queries)
    for query, value in zip(queries, found, strict=True):
        A = np.hstack([np.ones((60, 1)), X])
        W = np.diag(np.exp(-0.5 * np.square(X - query).sum(axis=1) / 0.81))
        w = np.linalg.solve(A.T @ W @ A, A.T @ W @ y)
        assert value == pytest.approx(w @ [1, *query], rel=1e-9)


def test_blocks_change_nothing(monkeypatch):
    from induce.instances.local import hypothesis

    random = np.random.default_rng(2)
    X, y = random.normal(size=(50, 2)), random.normal(size=50)
    fitted = local(X, y, width=0.7, n_neighbors=9)
    expected = fitted.predict(X)
    monkeypatch.setattr(hypothesis, "CELLS", 200)
    assert fitted.predict(X) == pytest.approx(expected, rel=1e-12)


# --- tables --------------------------------------------------------------------------------------------------


def test_the_line_is_in_the_units_of_the_table():
    X = pl.DataFrame({"metres": np.arange(40) * 100.0, "colour": ["red", "blue"] * 20})
    y = pl.Series("price", 3 + 0.02 * X["metres"].to_numpy() + np.where(X["colour"] == "red", 5.0, 0.0))
    told = induce.LocallyWeightedRegressor(width=2.0).fit(X, y).explain(X[:3])
    for each in told:
        assert each.coefficients["metres"] == pytest.approx(0.02)
        lift = each.coefficients['"colour = red"'] - each.coefficients['"colour = blue"']
        assert lift == pytest.approx(5.0)
    assert "price = " in str(told[0])
    assert "colour red" in str(told[0])
    assert sum(each.weight for each in told[0].examples) == pytest.approx(1)


def test_many_examples_count_the_hundred_nearest_by_default():
    random = np.random.default_rng(3)
    X = random.uniform(-3, 3, (600, 1))
    y = np.sin(X[:, 0]) + random.normal(0, 0.1, 600)
    fitted = induce.LocallyWeightedRegressor().fit(X, y)
    assert fitted.hypothesis_.n_neighbors == 100
    assert np.abs(fitted.predict(X) - np.sin(X[:, 0])).mean() < 0.04


def test_fewer_examples_than_coefficients():
    X = np.eye(3) * 2
    fitted = local(X, [1.0, 2.0, 3.0], model="quadratic", width=1.0)
    assert fitted.predict(X) == pytest.approx([1, 2, 3], abs=1e-6)
    assert np.isfinite(fitted.predict([[0, 0, 0], [9, 9, 9]])).all()


def test_columns_that_never_vary_change_nothing():
    X = np.column_stack([OUTLIER_X, np.full(11, 0.1)])
    assert local(X, OUTLIER_Y, width=1.0).predict(np.column_stack([QUERIES, [0.1] * 7])) == pytest.approx(
        local(OUTLIER_X, OUTLIER_Y, width=1.0).predict(QUERIES)
    )


def test_ridge_draws_a_line_towards_the_mean():
    steep, flat = (
        local(SQUARES_X, SQUARES_Y, kernel="uniform", ridge=r).predict([[4.0]])[0] for r in (0, 1e9)
    )
    assert steep == pytest.approx(14)
    assert flat == pytest.approx(6, abs=1e-6)


def test_widths_that_underflow_leave_the_nearest_example():
    assert local(SQUARES_X, SQUARES_Y, width=1e-150).predict([[1.2], [2.9]]) == pytest.approx([1, 9])


def test_equal_rows_with_different_targets():
    fitted = local([[1.0], [1.0], [2.0]], [3.0, 5.0, 9.0], kernel="inverse-square", n_neighbors=3)
    assert fitted.predict([[1.0]]) == pytest.approx([4.0])


def test_k_above_the_rows_is_all_rows_and_said():
    with pytest.warns(induce.Note, match="n_neighbors is 9, but there are 5 examples; all are used"):
        fitted = local(SQUARES_X, SQUARES_Y, width=1.0, n_neighbors=9)
    assert fitted.predict([[1.2]]) == pytest.approx(2.228635, abs=5e-7)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"model": "cubic"}, "model is 'cubic'"),
        ({"kernel": "box"}, "kernel is 'box'"),
        ({"scale": "unit"}, "scale is 'unit'"),
        ({"ridge": -1}, "ridge is -1"),
        ({"width": 0}, "width is 0; it must be a number above 0"),
        ({"width": ()}, "width is empty"),
        ({"width": (1.0, -1.0)}, "width is -1.0"),
        ({"n_neighbors": 0}, "n_neighbors is 0"),
        ({"n_neighbors": 2.5}, "n_neighbors is 2.5"),
        ({"n_neighbors": []}, "n_neighbors is empty"),
        ({"n_neighbors": "all"}, "n_neighbors is 'all'"),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        local(SQUARES_X, SQUARES_Y, **settings)


def test_too_many_terms():
    with pytest.raises(induce.InputError, match="a quadratic model of 50 columns has 1,325 terms"):
        local(np.zeros((3, 50)), [1, 2, 3], model="quadratic", width=1.0)


# --- pictures ------------------------------------------------------------------------------------------------


def test_pictures():
    one = local(OUTLIER_X, OUTLIER_Y, width=(0.5, 1.0, 2.0))
    assert len(one.hypothesis_.draw().axes[0].lines) == 1
    curve = one.hypothesis_.choice.draw().axes[0].lines[0]
    assert curve.get_ydata().tolist() == pytest.approx(list(one.hypothesis_.choice.losses))
    figure = one.hypothesis_.draw_fit([[6.0]])
    assert {text.get_text() for text in figure.axes[0].get_legend().get_texts()} >= {"query"}
    random = np.random.default_rng(0)
    two = local(random.normal(size=(30, 2)), random.normal(size=30), width=1.0)
    assert len(two.hypothesis_.draw().axes) == 2
    mixed = pl.DataFrame({"a": random.normal(size=30), "b": ["u", "v"] * 15, "c": random.normal(size=30)})
    assert len(local(mixed, random.normal(size=30), width=1.0).hypothesis_.draw().axes) == 3
