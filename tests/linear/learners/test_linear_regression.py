"""LinearRegression: printed results, scikit-learn and statsmodels as second opinions, and what people give it."""

import re

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from sklearn.linear_model import ElasticNet, Lasso, Ridge

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.linear import penalty_region
from tests.exports import in_duckdb, in_onnx, in_python


def some(n=60, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.array([1.0, 10.0, 0.1, 3.0])[:p] + 5.0
    return X, X @ np.array([1.0, -0.2, 3.0, 0.0])[:p] + rng.normal(size=n)


def weights(learner):
    model = learner.hypothesis_
    return np.append(model.intercepts, model.weights[0])


def test_the_line_through_four_points():
    learner = induce.LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0])
    assert weights(learner) == pytest.approx([1.5, 0.8])
    assert 4 * learner.hypothesis_.known.loss == pytest.approx(1.8)


def test_two_columns():
    rows = [[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]]
    learner = induce.LinearRegression().fit(rows, [1, 3, 0, 2.5, 4])
    assert weights(learner) == pytest.approx([1, 2, -5 / 6])
    assert 5 * learner.hypothesis_.known.loss == pytest.approx(1 / 6)


SQUARE = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
TURN = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)


def cost(w, X, y, q):
    return np.mean((X @ w - y) ** 2) + np.sum(np.abs(w) ** q)


def test_penalties_of_the_square():
    y = SQUARE @ [3.0, 0.2]
    settings = {"strength": 1.0, "fit_intercept": False}
    ridge = weights(induce.LinearRegression(penalty="l2", **settings).fit(SQUARE, y))[1:]
    lasso = weights(induce.LinearRegression(penalty="l1", **settings).fit(SQUARE, y))[1:]
    assert ridge == pytest.approx([1.5, 0.1])
    assert cost(ridge, SQUARE, y, 2) == pytest.approx(4.52)
    assert lasso[0] == pytest.approx(2.5)
    assert lasso[1] == 0.0
    assert cost(lasso, SQUARE, y, 1) == pytest.approx(2.79)


def test_a_ridge_turns_with_the_axes_and_a_lasso_does_not():
    y = SQUARE @ [3.0, 0.2]
    settings = {"strength": 1.0, "fit_intercept": False, "standardise": False}
    ridge = weights(induce.LinearRegression(penalty="l2", **settings).fit(SQUARE @ TURN, y))[1:]
    lasso = weights(induce.LinearRegression(penalty="l1", **settings).fit(SQUARE @ TURN, y))[1:]
    assert TURN @ ridge == pytest.approx([1.5, 0.1])
    assert sorted(np.abs(lasso)) == pytest.approx([1.479899, 1.762742], abs=1e-6)
    assert TURN @ lasso == pytest.approx([2.292893, 0.2], abs=1e-6)


@pytest.mark.parametrize(("power", "bound"), [(1.0, 2.5), (2.0, 2.26)])
def test_a_penalty_is_a_bound_on_the_weights(power, bound):
    """§18.6.2: the least loss among weights of no larger size is where the penalised sum is least (Fig. 18.14)."""
    y = SQUARE @ [3.0, 0.2]
    region = penalty_region(SQUARE, y, 1.0, power)
    assert region.bound == pytest.approx(bound)
    ways = np.random.default_rng(0).uniform(-3, 3, (20_000, 2))
    allowed = ways[(np.abs(ways) ** power).sum(axis=1) <= bound]
    assert region.loss(allowed).min() >= region.loss(region.weights) - 1e-9
    assert len(region.draw().axes) == 1
    other = weights(
        induce.LinearRegression(
            penalty="power", power=power, strength=1.0, fit_intercept=False, standardise=False
        ).fit(SQUARE, y)
    )[1:]
    assert region.weights == pytest.approx(other, abs=1e-6)
    sizes = [penalty_region(SQUARE, y, strength, power).bound for strength in (0.0, 0.1, 1.0, 4.0)]
    assert sizes == sorted(sizes, reverse=True)
    with pytest.raises(InputError, match="give two columns"):
        penalty_region([[1.0], [2.0]], [1.0, 2.0], 1.0)
    with pytest.raises(InputError, match="strength is -1"):
        penalty_region(SQUARE, y, -1)


def test_weights_and_errors_are_those_of_statsmodels():
    X, y = some()
    model = induce.LinearRegression().fit(X, y).hypothesis_
    other = sm.OLS(y, sm.add_constant(X)).fit()
    table = model.table(0.9)
    assert np.allclose([row.weight for row in table.rows], other.params, atol=1e-8)
    assert np.allclose([row.error for row in table.rows], other.bse, atol=1e-8)
    assert np.allclose([(row.low, row.high) for row in table.rows], other.conf_int(0.1), atol=1e-8)
    said = other.get_prediction(sm.add_constant(X)).summary_frame(0.05)
    for of, name in (("mean", "mean_ci"), ("row", "obs_ci")):
        bounds = model.predict_interval(X, of=of)
        assert np.allclose(bounds, [said[f"{name}_lower"], said[f"{name}_upper"]], atol=1e-8)


def test_whole_weights_count_rows():
    X, y = some(30)
    counts = np.arange(30) % 3
    once = induce.LinearRegression().fit(X, y, sample_weight=counts)
    often = induce.LinearRegression().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert np.allclose(weights(once), weights(often))
    assert np.allclose(once.hypothesis_.known.covariance, often.hypothesis_.known.covariance)


@pytest.mark.parametrize("strength", [0.01, 0.5])
def test_penalised_weights_are_those_of_scikit_learn(strength):
    X, y = some()
    exact = {"tol": 1e-12, "max_iter": 100_000}
    for mine, other in [
        ({"penalty": "l2"}, Ridge(strength * len(y), solver="svd")),
        ({"penalty": "l1"}, Lasso(strength / 2, **exact)),
        ({"penalty": "elastic", "l1_share": 0.4}, ElasticNet(strength * 0.8, l1_ratio=0.25, **exact)),
    ]:
        learner = induce.LinearRegression(strength=strength, standardise=False, **mine).fit(X, y)
        other.fit(X, y)
        assert np.allclose(weights(learner), np.append(other.intercept_, other.coef_), atol=1e-6)
        assert learner.hypothesis_.known.covariance is None
        assert "no standard errors" in str(learner.hypothesis_)


@pytest.mark.parametrize("power", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_any_power_of_the_weights(power):
    X, y = some(p=2)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    w = weights(induce.LinearRegression(penalty="power", power=power, strength=0.3).fit(X, y))[1:]
    y = y - y.mean()
    here = np.mean((X @ w - y) ** 2) + 0.3 * np.sum(np.abs(w) ** power)
    for step in np.random.default_rng(0).normal(scale=1e-3, size=(50, 2)):
        there = np.mean((X @ (w + step) - y) ** 2) + 0.3 * np.sum(np.abs(w + step) ** power)
        assert there > here - 1e-9


def test_other_losses_by_linear_programming():
    X, y = np.arange(5.0)[:, np.newaxis], np.array([0.0, 1.0, 2.0, 3.0, 14.0])
    assert weights(induce.LinearRegression(loss="absolute").fit(X, y)) == pytest.approx([0, 1], abs=1e-9)
    learner = induce.LinearRegression(loss="minimax").fit(X, y)
    assert np.abs(learner.predict(X) - y).max() == pytest.approx(15 / 4)
    assert "there are no standard errors for the minimax loss" in str(learner.hypothesis_)


@pytest.mark.parametrize("loss", ["absolute", "minimax"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_penalties_on_squares_with_other_losses(loss, share):
    X, y = some(20, 2)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kind = {"penalty": "elastic", "l1_share": share} if share else {"penalty": "l2"}
    found = weights(induce.LinearRegression(loss=loss, strength=0.3, **kind).fit(X, y))

    def cost(w):
        error = np.abs(y - w[0] - X @ w[1:])
        return (error.mean() if loss == "absolute" else error.max()) + 0.3 * np.sum(
            share * np.abs(w[1:]) + (1 - share) * w[1:] ** 2
        )

    steps = np.random.default_rng(0).normal(size=(400, 3)) * np.geomspace(1e-6, 1.0, 400)[:, np.newaxis]
    assert min(cost(found + step) for step in steps) > cost(found) - 1e-9
    free = weights(induce.LinearRegression(loss=loss).fit(X, y))
    assert np.square(found[1:]).sum() < np.square(free[1:]).sum()


def test_weights_near_round_numbers_show_it():
    X, _ = some(p=1)
    model = induce.LinearRegression().fit(X, 1.0003 * X[:, 0]).hypothesis_
    assert model.table()["x0"].cells()[1] == "1.0003"
    assert "1.0003 \\cdot" in model.to_latex()


def test_powers_products_and_categories():
    rng = np.random.default_rng(1)
    x, kind = rng.normal(size=80), rng.choice(["a", "b", "c"], 80)
    y = 1 + 2 * x + 3 * x**2 + np.where(kind == "b", 4.0, 0.0) - np.where(kind == "c", x, 0.0)
    frame = pl.DataFrame({"x": x, "kind": kind})
    table = induce.LinearRegression(terms="x^2, x:kind").fit(frame, y).hypothesis_.table()
    names = ["(intercept)", "x", "kind = b", "kind = c", "x^2", "x:kind = b", "x:kind = c"]
    assert [row.term for row in table.rows] == names
    assert [row.weight for row in table.rows] == pytest.approx([1, 2, 4, 0, 3, 0, -1], abs=1e-9)
    with pytest.raises(
        InputError, match="terms contains 'z', which is not a column; the columns are x, kind"
    ):
        induce.LinearRegression(terms="x:z").fit(frame, y)


def test_what_a_missing_value_and_an_unseen_category_do():
    frame = pl.DataFrame({"x": [1.0, 2.0, None, 4.0, 5.0, None], "k": ["a", "b", "a", None, "b", "b"]})
    learner = induce.LinearRegression().fit(frame, [1.0, 2.0, 9.0, 4.0, 7.0, 8.0])
    model = learner.hypothesis_
    assert model.design.names == ("x", "x missing", "k = b", "k missing")
    b, (x, hole, is_b, gone) = model.intercepts[0], model.weights[0]
    asked = pl.DataFrame({"x": [None, 3.0, 3.0], "k": ["b", None, "new"]})
    assert learner.predict(asked) == pytest.approx(
        [b + 3 * x + hole + is_b, b + 3 * x + gone, b + 3 * x + 0.6 * is_b]
    )
    whole = induce.LinearRegression().fit([[1.0], [2.0], [4.0]], [1.0, 2.0, 4.5])
    assert whole.predict([[np.nan]]) == pytest.approx(whole.predict([[7 / 3]]))


def test_signs_that_are_fixed():
    X, y = some()
    learner = induce.LinearRegression(monotone={"x1": "increasing"}).fit(X, y)
    assert weights(learner)[2] == 0.0
    assert "signs are constrained" in str(learner.hypothesis_)
    free = induce.LinearRegression(monotone={"x1": "decreasing"}).fit(X, y)
    assert np.allclose(weights(free), weights(induce.LinearRegression().fit(X, y)))
    with pytest.raises(InputError, match="monotone contains 'z', which is not a numeric column"):
        induce.LinearRegression(monotone={"z": "increasing"}).fit(X, y)


def test_terms_that_depend_on_others_are_named():
    X, y = some(p=2)
    with pytest.warns(Note, match="x2: linearly dependent on earlier terms, so the weight is 0"):
        learner = induce.LinearRegression().fit(np.column_stack([X, X.sum(axis=1)]), y)
    assert np.allclose(weights(learner), [*weights(induce.LinearRegression().fit(X, y)), 0.0])
    table = learner.hypothesis_.table()
    assert np.isnan(table["x2"].error)
    alone = induce.LinearRegression().fit(X, y).hypothesis_.table()
    assert [row.error for row in table.rows[:3]] == pytest.approx([row.error for row in alone.rows])


def test_the_penalty_by_cross_validation():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 10))
    y = 3 * X[:, 0] + 0.3 * rng.normal(size=60)
    model = induce.LinearRegression(penalty="auto").fit(X, y).hypothesis_
    path = model.known.path
    assert path.kinds == ("l2", "l1", "elastic")
    assert path.penalty != "l2"
    assert path.losses.min() == path.losses[path.kinds.index(path.penalty), path.chosen]
    assert np.count_nonzero(model.weights) < 10
    assert "path" in model.forms()["svg"].pictures
    assert len(model.draw_path().axes) == 2
    assert induce.LinearRegression(penalty="auto").fit(X, y).hypothesis_ == model


def test_bootstrap_intervals_are_near_those_of_theory():
    X, y = some(200, 2)
    theory = induce.LinearRegression().fit(X, y).hypothesis_.table()["x0"]
    resampled = induce.LinearRegression(bootstrap=200).fit(X, y).hypothesis_.table()["x0"]
    assert (resampled.low, resampled.high) == pytest.approx((theory.low, theory.high), abs=0.08)
    lasso = induce.LinearRegression(penalty="l1", strength=0.1, bootstrap=20).fit(X, y)
    row = lasso.hypothesis_.table()["x0"]
    assert np.isnan(row.error)
    assert row.low < row.weight < row.high


def test_contributions_sum_to_the_prediction():
    X, y = some()
    learner = induce.LinearRegression(terms="x0^2").fit(X, y)
    for told, said in zip(learner.explain(X), learner.predict(X), strict=True):
        assert told.base + sum(part.adds for part in told.parts) == pytest.approx(said)
        assert told.score == said
    assert str(told).splitlines()[1].endswith("at the means")


def test_more_terms_than_rows_and_huge_numbers_stay_finite():
    rng = np.random.default_rng(0)
    with pytest.warns(Note, match="linearly dependent on earlier terms"):
        learner = induce.LinearRegression().fit(rng.normal(size=(5, 8)), rng.normal(size=5))
    assert np.isfinite(learner.hypothesis_.weights).all()
    assert "no more rows than weights" in str(learner.hypothesis_)
    huge = induce.LinearRegression().fit(np.array([[1e300], [2e300], [-1e300]]), [1.0, 2.0, 3.0])
    assert np.isfinite(huge.predict([[1e308]])).all()


def test_bad_parameters_are_named():
    X, y = some()
    for settings, message in [
        ({"loss": "absolute", "penalty": "power", "strength": 1.0}, "loss is 'absolute'; give"),
        ({"loss": "minimax", "penalty": "l2"}, "give a strength for its penalty"),
        ({"penalty": "power"}, "penalty is 'power'; give a strength"),
        ({"penalty": "l1", "monotone": {"x0": "increasing"}}, "give penalty None or 'l2'"),
        ({"monotone": {"x0": "up"}}, "monotone gives 'x0' the direction 'up'"),
        ({"penalty": "l0"}, "penalty is 'l0'; it can be"),
    ]:
        with pytest.raises(InputError, match=message):
            induce.LinearRegression(**settings).fit(X, y)
    with pytest.raises(InputError, match="give a strength"):
        induce.LinearRegression(penalty="l2").fit(X[:5], y[:5])


def test_several_numbers_at_once(tmp_path):
    X, y = some()
    both = np.column_stack([y, 2 * y + X[:, 0]])
    learner = induce.LinearRegression().fit(X, both)
    alone = [induce.LinearRegression().fit(X, column) for column in both.T]
    assert np.allclose(learner.predict(X), np.column_stack([each.predict(X) for each in alone]))
    table = learner.hypothesis_.table()
    names = learner.hypothesis_.names
    assert table[f"{names[1]}: x0"].error == pytest.approx(alone[1].hypothesis_.table()["x0"].error)
    assert np.allclose(learner.explain(X[:1])[0].prediction, learner.predict(X[:1])[0])
    with pytest.raises(InputError, match="it predicts several numbers"):
        learner.hypothesis_.predict_interval(X)
    induce.save(learner, tmp_path / "model.induce")
    assert induce.load(tmp_path / "model.induce").hypothesis_ == learner.hypothesis_


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"fit_intercept": False},
        {"penalty": "l2", "strength": 0.1},
        {"penalty": "l1", "strength": 0.2},
        {"penalty": "elastic", "strength": 0.2, "standardise": False},
        {"terms": "x0^2, x0:x1"},
    ],
)
def test_rows_in_parts_give_what_all_rows_give(settings, tmp_path):
    X, y = some()
    counts = np.arange(len(y)) % 3
    parts = induce.LinearRegression(**settings)
    for rows in (slice(0, 7), slice(7, 30), slice(30, 60)):
        parts.partial_fit(X[rows], y[rows], sample_weight=counts[rows])
        induce.save(parts, tmp_path / "parts.induce")
        parts = induce.load(tmp_path / "parts.induce")
    whole = induce.LinearRegression(**settings).fit(X, y, sample_weight=counts)
    assert np.allclose(weights(parts), weights(whole), atol=1e-7)
    mine, other = parts.hypothesis_.known, whole.hypothesis_.known
    assert (mine.loss, mine.n_rows) == pytest.approx((other.loss, other.n_rows))
    assert np.allclose(mine.deviations, other.deviations)
    if not settings.get("penalty"):
        assert np.allclose(mine.covariance, other.covariance)
        assert mine.sigma == pytest.approx(other.sigma)


def test_what_partial_fit_cannot_do_is_said():
    X, y = some()
    with pytest.raises(InputError, match="give the squared loss"):
        induce.LinearRegression(loss="absolute").partial_fit(X, y)
    with pytest.raises(InputError, match="give a strength for partial_fit"):
        induce.LinearRegression(penalty="l2").partial_fit(X, y)
    with pytest.raises(InputError, match="the sums over the rows of fit cannot be recovered"):
        induce.LinearRegression(fit_intercept=False).fit(X, y).partial_fit(X, y)
    with pytest.raises(InputError, match="X has 60 rows, y has 59"):
        induce.LinearRegression().partial_fit(X, y).partial_fit(X, y[:59])
    assert induce.LinearRegression().partial_fit(X, y).fit(X, y)._products is None


def test_a_fit_goes_on():
    X, y = some()
    begun = induce.LinearRegression().fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    whole = induce.LinearRegression().fit(X, y)
    assert np.allclose(weights(begun), weights(whole), atol=1e-9)
    assert np.allclose(begun.hypothesis_.known.covariance, whole.hypothesis_.known.covariance)


def test_a_model_file_whose_terms_do_not_fit_is_refused(tmp_path):
    from dataclasses import replace

    from induce.linear.terms import Factor, Term

    rows = pl.DataFrame({"name": [f"row {n}" for n in range(40)], "x": np.arange(40.0), "k": ["a", "b"] * 20})
    learner = induce.LinearRegression().fit(rows, np.arange(40.0) ** 2)
    induce.save(learner, tmp_path / "model.induce")
    model = induce.load(tmp_path / "model.induce").hypothesis_  # a column that names rows is no input
    for factor in (Factor("z"), Factor("k"), Factor("k", "is", "c"), Factor("x", power=0)):
        design = replace(model.design, terms=(Term((factor,)), *model.design.terms[1:]))
        with pytest.raises(InputError, match="the terms do not match the columns"):
            replace(model, design=design).check()
    with pytest.raises(InputError, match="the terms do not match the columns"):
        replace(model, schema=replace(model.schema, columns=model.schema.columns[:2])).check()


def test_functions_of_columns():
    """Any basis: terms name functions, which print, export and predict alike."""
    rng = np.random.default_rng(0)
    x, z = rng.uniform(0.5, 9, 120), rng.normal(size=120)
    y = 1 + 2 * np.log(x) - 3 * np.sin(z) + 0.5 * np.sqrt(x) * z + np.exp(0.1 * z) * 0
    frame = pl.DataFrame({"x": x, "z": z})
    learner = induce.LinearRegression(terms="log(x), sin(z), sqrt(x):z, abs(z)^2").fit(frame, y)
    table = learner.hypothesis_.table()
    assert table["log(x)"].weight == pytest.approx(2.0)
    assert table["sin(z)"].weight == pytest.approx(-3.0)
    assert table["sqrt(x):z"].weight == pytest.approx(0.5)
    assert table["abs(z)^2"].weight == pytest.approx(0.0, abs=1e-9)
    rows = pl.DataFrame({"x": [1.0, -4.0, None, 30.0], "z": [0.3, None, 1.0, -2.0]})
    said = learner.predict(rows)
    assert np.isfinite(said).all()
    hypothesis = learner.hypothesis_
    assert in_python(hypothesis, rows) == pytest.approx(said.tolist())
    assert in_duckdb(hypothesis, rows) == pytest.approx(said.tolist())
    assert in_onnx(hypothesis, rows)["prediction"] == pytest.approx(said.tolist())
    for told, number in zip(learner.explain(rows), said, strict=True):
        assert told.base + sum(part.adds for part in told.parts) == pytest.approx(number)


def test_functions_that_do_not_go_with_a_column():
    frame = pl.DataFrame({"x": [0.0, 1.0, 2.0], "k": ["a", "b", "a"]})
    for terms, message in [
        ("log(x)", "terms has log(x), but 'x' has the number 0; add a constant"),
        ("log(k)", "terms has log(k), but 'k' is nominal"),
        ("sqrt(w)", "terms contains 'w', which is not a column"),
        ("gamma(x)", "terms contains 'gamma(x)', which is not a column"),
    ]:
        with pytest.raises(InputError, match=re.escape(message)):
            induce.LinearRegression(terms=terms).fit(frame, [1.0, 2.0, 4.0])
    named = induce.LinearRegression(terms="log(x)^2").fit(
        pl.DataFrame({"log(x)": [1.0, 2.0, 3.0, 5.0]}), [1, 4, 9, 25]
    )
    assert named.predict([[4.0]]) == pytest.approx([16.0])  # a column of that name comes first


def test_several_numbers_are_exported():
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"size": rng.normal(size=30), "kind": ["a", "b", None] * 10})
    learner = induce.LinearRegression().fit(
        X, pl.DataFrame({"up": rng.normal(size=30), "down": X["size"] * 2})
    )
    model, expected = learner.hypothesis_, learner.predict(X)
    scope = {}
    exec(model.to_python(), scope)
    assert np.allclose([scope["predict"](row) for row in X.to_dicts()], expected)
    import onnxruntime as runtime

    session = runtime.InferenceSession(model.to_onnx())
    cells = {"size": X["size"].to_numpy(), "kind": np.array(X["kind"].fill_null("").to_list(), object)}
    said = session.run(["prediction"], {name: cells[name].reshape(-1, 1) for name in cells})[0]
    assert np.allclose(said, expected)
    assert "prediction_up" in model.to_sql("t")


def test_rounding_is_not_shown():
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"size": rng.normal(size=60), "kind": rng.choice(["a", "b"], 60)})
    X = X.with_columns(
        age=pl.when(pl.int_range(60) % 7 == 0).then(None).otherwise(pl.Series(rng.normal(size=60)))
    )
    y = 2 * X["size"] + (X["kind"] == "b").cast(float) + 0.1 * rng.normal(size=60)
    # of two terms that mirror each other at most one has a weight, and a missing number is at its mean
    sparse = induce.LinearRegression(penalty="l1", strength=0.05).fit(X, y)
    assert np.abs(sparse.hypothesis_.weights[sparse.hypothesis_.weights != 0]).min() > 1e-6
    told = induce.LinearRegression().fit(X, y).explain(X[:1])[0]
    assert "age" not in [part.name for part in told.parts]
    assert told.base + sum(part.adds for part in told.parts) == pytest.approx(told.score)


def test_a_strength_without_a_penalty_is_noted():
    with pytest.warns(Note, match="strength is 0.5, but penalty is None, so it has no effect"):
        induce.LinearRegression(strength=0.5).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0])
