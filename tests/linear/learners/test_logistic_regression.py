"""LogisticRegression: scikit-learn and statsmodels as second opinions, separation, penalties, many classes."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression as Other

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.linear.class_losses import CountedClasses, ManyClasses, TwoClasses
from induce.optimise import gradient_error


def some(n=150, p=3, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, p))
    y = (z @ rng.normal(size=(p, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)
    return z * np.array([1.0, 10.0, 0.1])[:p], y


def rows_of(model):
    return np.column_stack([model.intercepts, model.weights])


def test_weights_and_errors_are_those_of_statsmodels():
    X, y = some()
    model = induce.LogisticRegression().fit(X, y).hypothesis_
    other = sm.Logit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12)
    table = model.table()
    assert np.allclose([row.weight for row in table.rows], other.params, atol=1e-6)
    assert np.allclose([row.error for row in table.rows], other.bse, atol=1e-6)
    assert np.allclose([(row.low, row.high) for row in table.rows], other.conf_int(), atol=1e-6)
    assert table["x0"].odds_ratio == pytest.approx(np.exp(table["x0"].weight))
    assert model.known.loss == pytest.approx(-other.llf / len(y))


def test_probit_is_that_of_statsmodels():
    X, y = some()
    model = induce.LogisticRegression(link="probit").fit(X, y).hypothesis_
    other = sm.Probit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12)
    assert np.allclose(rows_of(model)[0], other.params, atol=1e-6)
    assert np.allclose([row.error for row in model.table().rows], other.bse, atol=1e-6)
    assert np.allclose(model.predict_proba(X)[:, 1], other.predict(sm.add_constant(X)), atol=1e-6)


def test_several_classes_are_those_of_statsmodels():
    X, y = some(300, 2, 3)
    model = induce.LogisticRegression().fit(X, y).hypothesis_
    other = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12, method="newton")
    assert np.allclose(rows_of(model)[1:].T, other.params, atol=1e-6)
    errors = np.array([row.error for row in model.table().rows]).reshape(2, 3)
    assert np.allclose(errors.T, other.bse, atol=1e-6)
    assert np.allclose(model.predict_proba(X), other.predict(), atol=1e-6)


@pytest.mark.parametrize("strength", [0.003, 0.1])
def test_penalised_weights_are_those_of_scikit_learn(strength):
    X, y = some()
    X = X / X.std(axis=0)
    exact = {"tol": 1e-10, "max_iter": 100_000}
    mine = induce.LogisticRegression(penalty="l2", strength=strength, standardise=False).fit(X, y)
    other = Other(C=1 / (2 * strength * len(y)), solver="newton-cholesky", **exact).fit(X, y)
    assert np.allclose(rows_of(mine.hypothesis_)[0], np.append(other.intercept_, other.coef_), atol=1e-6)
    mine = induce.LogisticRegression(penalty="l1", strength=strength, standardise=False).fit(X, y)
    other = Other(C=1 / (strength * len(y)), l1_ratio=1.0, solver="saga", random_state=0, **exact).fit(X, y)
    assert np.allclose(rows_of(mine.hypothesis_)[0], np.append(other.intercept_, other.coef_), atol=1e-6)


def test_a_ridge_on_several_classes_is_that_of_scikit_learn():
    X, y = some(200, 2, 3)
    mine = induce.LogisticRegression(penalty="l2", strength=0.01, standardise=False).fit(X, y)
    other = Other(C=1 / (2 * 0.01 * 200), solver="newton-cholesky", tol=1e-10).fit(X, y)
    assert np.allclose(mine.hypothesis_.weights, other.coef_, atol=1e-6)
    assert np.allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-6)


def test_gradients_and_second_derivatives_by_differences():
    X, y = some(40, 2, 3)
    X = X / X.std(axis=0)
    ones = np.ones(40)
    w = np.random.default_rng(0).normal(size=9)
    for objective, at in [
        (TwoClasses(X, (y > 0) * 1.0, ones, 0.1, "logistic", True), w[:3]),
        (TwoClasses(X, (y > 0) * 1.0, ones, 0.1, "probit", True), w[:3]),
        (ManyClasses(X, y, 3, ones, 0.1, True), w),
        (ManyClasses(X, y, 3, ones, 0.0, False), w[:4]),
        (CountedClasses(X, np.random.default_rng(1).random((len(X), 3)), 0.1, True), w),
    ]:
        assert gradient_error(objective, at) < 1e-6
        for k in range(len(at)):
            step = np.where(np.arange(len(at)) == k, 1e-5, 0.0)
            slope = (objective.gradient(at + step)[1] - objective.gradient(at - step)[1]) / 2e-5
            assert np.allclose(objective.hessian(at)[k], slope, atol=1e-6)


def test_a_column_that_separates_is_named_and_answered_with_a_penalty():
    X = np.column_stack([np.arange(10.0), np.tile([1.0, 2.0], 5)])
    with pytest.warns(Note, match="x0 separates the classes perfectly, .* L2 penalty of strength 0.05"):
        learner = induce.LogisticRegression().fit(X, X[:, 0] > 4)
    assert (learner.predict(X) == (X[:, 0] > 4)).all()
    assert "no standard errors: x0 separates the classes perfectly" in str(learner.hypothesis_)


def test_columns_that_separate_together_are_found_by_the_linear_program():
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.warns(Note, match="2 terms together separate the classes perfectly"):
        learner = induce.LogisticRegression().fit(X, X.sum(axis=1) > 0)
    assert (learner.predict(X) == (X.sum(axis=1) > 0)).mean() > 0.95


def test_a_category_of_one_class_loses_its_interval_alone():
    rows = [["a"], ["a"], ["b"], ["b"], ["c"], ["c"]]
    with pytest.warns(Note, match=r"x0 = c separates the classes perfectly, .* on it is used"):
        learner = induce.LogisticRegression().fit(rows, [0, 1, 0, 1, 1, 1])
    assert learner.predict_proba([["c"]])[0, 1] > 0.6
    model = learner.hypothesis_
    assert "L2 penalty 0.08333 on 1 term" in str(model)
    assert str(model).endswith("no standard error where it is blank: x0 = c separates the classes perfectly")
    low, high = model.predict_interval([["a"], ["c"]])
    assert 0 < low[0] < high[0] < 1
    assert (low[1], high[1]) == (0.0, 1.0)


@pytest.mark.parametrize("classes", [2, 3])
def test_terms_that_separate_nothing_keep_their_intervals(classes):
    X, y = some(400, 2, classes)
    rare = np.arange(len(y)) % 97 == 0
    y = np.where(rare, 0, y)
    with pytest.warns(Note, match="x2 separates the classes perfectly"):
        model = induce.LogisticRegression().fit(np.column_stack([X, rare]), y).hypothesis_
    other = induce.LogisticRegression().fit(X[~rare], y[~rare]).hypothesis_
    for mine, theirs in zip(
        [row for row in model.table().rows if row.term != "x2"], other.table().rows, strict=True
    ):
        # the rows that are decided weigh on the others no more than the weak penalty lets them
        assert mine.weight == pytest.approx(theirs.weight, rel=0.02, abs=0.02)
        assert mine.error == pytest.approx(theirs.error, rel=0.02)
    assert np.isnan(model.table()["x2" if classes == 2 else "1: x2"].error)


def test_a_reference_category_of_one_class_is_found_by_the_linear_program():
    rng = np.random.default_rng(0)
    kind, x = rng.choice(["a", "b", "c"], 90), rng.normal(size=90)
    y = np.where(kind == "a", 0, x + rng.logistic(size=90) > 0)
    rows = [[float(number), str(name)] for number, name in zip(x, kind, strict=True)]
    with pytest.warns(Note, match="2 terms together separate the classes perfectly"):
        table = induce.LogisticRegression().fit(rows, y).hypothesis_.table()
    assert np.isfinite(table["x0"].error)
    assert np.isnan([table[name].error for name in ("(intercept)", "x1 = b", "x1 = c")]).all()


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_sparse_weights_of_several_classes_are_those_of_scikit_learn(share):
    X, y = some(120, 3, 3)
    X, strength = X / X.std(axis=0), 0.02
    kind = {"penalty": "l1"} if share == 1.0 else {"penalty": "elastic", "l1_share": share}
    mine = induce.LogisticRegression(strength=strength, standardise=False, **kind).fit(X, y).hypothesis_
    # theirs is C Σ loss + r |w| + (1 - r) / 2 w²
    both = strength * len(y) * (share + 2 * (1 - share))
    ratio = share / (share + 2 * (1 - share))
    other = Other(C=1 / both, l1_ratio=ratio, solver="saga", tol=1e-10, max_iter=100_000, random_state=0)
    other.fit(X, y)
    assert np.allclose(mine.weights, other.coef_, atol=1e-6)
    assert np.allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-6)
    assert (mine.weights == 0).any()


def test_intervals_of_probabilities():
    X, y = some()
    model = induce.LogisticRegression().fit(X, y).hypothesis_
    low, high = model.predict_interval(X)
    p = model.predict_proba(X)[:, 1]
    assert ((low < p) & (p < high)).all()
    penalised = induce.LogisticRegression(penalty="l2", strength=0.1).fit(X, y).hypothesis_
    with pytest.raises(InputError, match="there are no intervals"):
        penalised.predict_interval(X)


def test_the_penalty_by_cross_validation():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 8))
    y = X[:, 0] * 3 + rng.logistic(size=100) > 0
    model = induce.LogisticRegression(penalty="auto", cv=3).fit(X, y).hypothesis_
    assert model.known.path.kinds == ("l2", "l1", "elastic")
    assert np.abs(model.weights[0]).argmax() == 0
    assert len(model.draw_path().axes) == 2


def test_signs_weights_and_classes():
    X, y = some()
    free = induce.LogisticRegression().fit(X, y).hypothesis_.weights[0]
    way = {"x0": "increasing" if free[0] < 0 else "decreasing"}
    assert induce.LogisticRegression(monotone=way).fit(X, y).hypothesis_.weights[0, 0] == 0.0
    balanced = induce.LogisticRegression(class_weight="balanced").fit(X, y)
    weighted = induce.LogisticRegression().fit(X, y, sample_weight=(len(y) / 2 / np.bincount(y))[y])
    assert np.allclose(rows_of(balanced.hypothesis_), rows_of(weighted.hypothesis_), atol=1e-8)
    assert ((balanced.decision_function(X) > 0) == (balanced.predict(X) == 1)).all()


def test_contributions_sum_to_the_score():
    X, y = some(60, 3, 3)
    for target in (y, y > 0):
        learner = induce.LogisticRegression().fit(X, target)
        scores, chances = learner.decision_function(X), learner.predict_proba(X)
        for row, each in enumerate(learner.explain(X)):
            score = scores[row] if scores.ndim == 1 else scores[row].max()
            assert each.base + sum(part.adds for part in each.parts) == pytest.approx(score)
            assert each.probability == pytest.approx(chances[row].max())


def test_bad_settings_are_named():
    X, y = some(60, 2, 3)
    for settings, message in [
        ({"link": "probit"}, "link is 'probit', but y has 3 classes"),
        ({"monotone": {"x0": "increasing"}}, "monotone is given, but y has 3 classes"),
        ({"link": "probit", "penalty": "l1"}, "link is 'probit', but penalty is 'l1'"),
    ]:
        with pytest.raises(InputError, match=message):
            induce.LogisticRegression(**settings).fit(X, y)
    with pytest.raises(InputError, match="a class has only 1 row;"):
        induce.LogisticRegression(penalty="l2").fit([[0.0], [1.0], [2.0]], [0, 0, 1])


def test_the_books_descent_on_the_squared_error():
    # calibrated by simulation: no error, and 4 with a mean squared error of about 0.052, which chance moves a little
    for name, most, loss in [("earthquakes", 0, 0.02), ("earthquakes-noisy", 5, 0.056)]:
        X, y = induce.dataset(name)
        learner = induce.LogisticRegression(loss="squared").fit(X, y)
        assert int((learner.predict(X) != np.array(y.to_list())).sum()) <= most
        assert learner.hypothesis_.known.loss < loss
    with pytest.raises(InputError, match="loss is 'squared', which does not support penalty"):
        induce.LogisticRegression(loss="squared", penalty="l2").fit(X, y)
    with pytest.raises(InputError, match="loss is 'squared', but y has 3"):
        induce.LogisticRegression(loss="squared").fit(*some(60, 2, 3))


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_that_are_added_change_the_weights_as_all_at_once_do(classes):
    X, y = some(2000, classes=classes)
    whole = induce.LogisticRegression().fit(X, y).hypothesis_
    once = induce.LogisticRegression().partial_fit(X, y).hypothesis_
    assert np.allclose(rows_of(once), rows_of(whole), atol=1e-8)
    learner = induce.LogisticRegression()
    for first in range(0, 2000, 50):
        learner.partial_fit(X[first : first + 50], y[first : first + 50], classes=range(classes))
    parts = learner.hypothesis_
    assert parts.known.n_rows == 2000
    errors = np.array([row.error for row in whole.table().rows])
    apart = np.array(
        [a.weight - b.weight for a, b in zip(whole.table().rows, parts.table().rows, strict=True)]
    )
    assert (np.abs(apart) < 0.3 * errors).all()
    again = np.array([row.error for row in parts.table().rows])
    assert np.allclose(again, errors, rtol=0.05)


def test_rows_are_added_to_those_of_fit(tmp_path):
    X, y = some(2000)
    whole = induce.LogisticRegression().fit(X, y)
    learner = induce.LogisticRegression().fit(X[:1000], y[:1000]).partial_fit(X[1000:1500], y[1000:1500])
    induce.save(learner, tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce")
    for each in (learner, loaded):
        each.partial_fit(X[1500:], y[1500:])
    assert loaded.hypothesis_ == learner.hypothesis_
    assert np.allclose(learner.predict_proba(X), whole.predict_proba(X), atol=0.01)


def test_a_penalty_counts_the_rows_so_far():
    X, y = some(2000, classes=3)
    given = {
        "penalty": "l2",
        "strength": 0.05,
        "standardise": False,
    }  # the first rows would settle other units
    whole = induce.LogisticRegression(**given).fit(X, y)
    once = induce.LogisticRegression(**given).partial_fit(X, y)
    assert np.allclose(once.predict_proba(X), whole.predict_proba(X), atol=1e-6)
    learner = induce.LogisticRegression(**given)
    for first in range(0, 2000, 500):
        learner.partial_fit(X[first : first + 500], y[first : first + 500])
    assert np.allclose(learner.predict_proba(X), whole.predict_proba(X), atol=0.01)


def test_classes_and_columns_that_the_first_rows_do_not_settle():
    X, y = some(600)
    order = np.argsort(y, kind="stable")
    X[order[:100], 2] = 1.0  # constant in the first rows
    learner = induce.LogisticRegression().partial_fit(X[order[:100]], y[order[:100]], classes=[0, 1])
    assert "normal prior" in str(learner.hypothesis_)
    assert np.isfinite(learner.predict_proba(X)).all()
    learner.partial_fit(X[order[100:]], y[order[100:]])
    assert np.isfinite([row.error for row in learner.hypothesis_.table().rows]).all()
    assert (learner.predict(X) == y).mean() > 0.7


def test_rows_that_cannot_be_added_are_named():
    X, y = some()
    with pytest.raises(InputError, match="y has the class 7, for which there is no unit"):
        induce.LogisticRegression().partial_fit(X, y).partial_fit(X[:2], [0, 7])
    with pytest.raises(InputError, match="y has only the class 0; give all classes to the first partial_fit"):
        induce.LogisticRegression().partial_fit(X[y == 0], y[y == 0])
    with pytest.raises(InputError, match="partial_fit does not support penalty='l1'"):
        induce.LogisticRegression(penalty="l1", strength=0.1).partial_fit(X, y)
    with pytest.raises(InputError, match="give a strength for partial_fit"):
        induce.LogisticRegression(penalty="l2").partial_fit(X, y)
    with pytest.raises(InputError, match="cannot be recovered"):
        induce.LogisticRegression().fit([[0.0], [1], [2], [3]], [0, 0, 1, 1]).partial_fit([[1.0]], [0])


@pytest.mark.parametrize("classes", [2, 3])
def test_outputs_in_turns_find_the_weights_of_all_together(classes, monkeypatch):
    X, y = some(classes=classes)
    found = []
    for most in (1500, 0):
        monkeypatch.setattr("induce.linear.learners.sparse_likelihood.MOST_SQUARE", most)
        found.append(induce.LogisticRegression(penalty="elastic", strength=0.01).fit(X, y).hypothesis_)
    assert np.allclose(rows_of(found[0]), rows_of(found[1]), atol=1e-5)


def test_the_line_between_classes_is_drawn():
    X, y = induce.dataset("earthquakes-noisy")
    model = induce.LogisticRegression().fit(X, y).hypothesis_
    axes = model.draw("regions", X, y).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x1", "x2")
    assert sum(len(line.get_xdata()) for line in axes.lines) == 72
    assert set(model.forms()["svg"].pictures) == {"regions", "weights"}
    mixed = {"a": [1.0, 2.0, 3.0, None] * 5, "b": [2.0, 1.0, 4.0, 3.0] * 5, "c": ["p", None, "q", "p"] * 5}
    more = induce.LinearRegression(terms="a:b").fit(pl.DataFrame(mixed), np.arange(20.0)).hypothesis_
    assert more.draw("regions").axes
    with pytest.raises(InputError, match="regions need two numeric columns"):
        induce.LinearRegression().fit([[1.0], [2.0], [4.0]], [1.0, 3.0, 3.0]).hypothesis_.draw("regions")
    with pytest.raises(InputError, match="X and y are used only by the plot 'regions'"):
        model.draw("weights", X)
    with pytest.raises(InputError, match="kind is 'song'"):
        model.draw("song")


def test_numbers_too_large_to_add_are_told():
    X = np.random.default_rng(0).normal(size=(30, 2)) * [1.0, 1e200]
    with pytest.warns(Note, match=r"x1 has numbers beyond 1e\+50, which are clipped to 1e\+50"):
        learner = induce.LogisticRegression().fit(X, np.arange(30) % 2)
    assert np.isfinite(learner.predict_proba(X)).all()


def test_rows_are_left_as_they_are_in_any_layout():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    found = []
    for rows in (X.copy(), np.asfortranarray(X)):
        before = rows.copy()
        model = induce.LogisticRegression(bootstrap=5).fit(rows, y).hypothesis_
        assert (rows == before).all()
        found.append(model)
        numbers = induce.LinearRegression(bootstrap=5).fit(rows, X[:, 0] - X[:, 1])
        assert (rows == before).all()
        assert numbers.predict(rows) == pytest.approx(X[:, 0] - X[:, 1])
    assert np.allclose(found[0].weights, found[1].weights)
    assert np.allclose(found[0].known.bootstrap, found[1].known.bootstrap)
    assert np.allclose(found[0].known.means, X.mean(axis=0))
    assert np.allclose(found[0].known.deviations, X.std(axis=0))


def test_class_weights_leave_no_standard_errors():
    X, y = some(80, 2, 2)
    model = induce.LogisticRegression(class_weight="balanced").fit(X, y).hypothesis_
    assert model.known.covariance is None
    assert "class weights change the weights of rows; give bootstrap=200" in str(model)
