"""Support vector regression: numbers by hand, the optimum of scikit-learn, columns, exports, pictures."""

import sqlite3

import numpy as np
import polars as pl
import pytest
from sklearn import svm

import induce
from induce.core.loops import compiled
from induce.kernels import SVR, Gaussian, Linear, Polynomial, _loops
from induce.kernels.gram import Gram, KernelRows
from induce.kernels.inputs import plain_inputs
from induce.kernels.smo import Limits, Tube, solve
from tests.exports import in_onnx


def waves(n=60, seed=0):
    random = np.random.default_rng(seed)
    X = random.uniform(-3, 3, (n, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + random.normal(0, 0.1, n)


def mixed(n=60, seed=0):
    random = np.random.default_rng(seed)
    X = pl.DataFrame({"size": random.normal(500, 100, n), "it's": random.choice(["x", "y'", "z"], n)})
    X = X.with_columns(
        pl.when(pl.Series(random.random(n) < 0.1)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    y = X["size"].fill_null(500).to_numpy() / 50 + (X["it's"] == "z").fill_null(False).to_numpy() * 5
    return X, pl.Series("price", y + random.normal(0, 0.3, n))


def test_the_flattest_line_within_the_tube():
    """Through (0, 1 + e) and (3, 7 - e): slope (6 - 2 e) / 3."""
    line = SVR(kernel="linear", C=10, epsilon=0.5, scale=None, tol=1e-9)
    line.fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 5.0, 7.0])
    weights = line.hypothesis_.weights()
    assert weights.weights == pytest.approx([5 / 3])
    assert weights.intercept == pytest.approx(1.5)
    assert line.hypothesis_.rows.tolist() == [0, 3]
    assert line.hypothesis_.coefficients == pytest.approx([-5 / 9, 5 / 9])


@pytest.mark.compiled
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_the_optimum_is_that_of_libsvm(kernel, epsilon):
    X, y = waves()
    value = {"linear": Linear(), "rbf": Gaussian(0.5), "poly": Polynomial(2, offset=1.0, gamma=0.5)}[kernel]
    mine = SVR(kernel=value, C=2.0, epsilon=epsilon, scale=None, tol=1e-6).fit(X, y)
    other = svm.SVR(kernel=kernel, degree=2, coef0=1.0, gamma=0.5, C=2.0, epsilon=epsilon, tol=1e-6).fit(X, y)
    assert mine.predict(X) == pytest.approx(other.predict(X), abs=2e-4)
    beta = mine.hypothesis_.coefficients
    K = value(X[mine.hypothesis_.rows])
    dual = beta @ mine.hypothesis_.values - epsilon * np.abs(beta).sum() - 0.5 * beta @ K @ beta
    assert mine.hypothesis_.objective == pytest.approx(dual, rel=1e-5)
    assert np.abs(beta.sum()) < 1e-9


def test_weights_are_repetitions_and_bounds_of_single_rows():
    X, y = waves(30)
    times = np.random.default_rng(1).integers(0, 4, 30)
    rows = np.repeat(np.arange(30), times)
    one = SVR(tol=1e-6).fit(X, y, sample_weight=times)
    other = SVR(tol=1e-6).fit(X[rows], y[rows])
    assert one.predict(X) == pytest.approx(other.predict(X), abs=1e-4)


def test_the_tube_in_units_of_the_target():
    X, y = waves()
    one, other = SVR(tol=1e-6).fit(X, y), SVR(tol=1e-6).fit(X, 1000 * y + 5)
    assert other.predict(X) == pytest.approx(1000 * one.predict(X) + 5, abs=0.1)
    assert other.hypothesis_.epsilon == pytest.approx(100 * y.std())
    inside = np.abs(one.predict(X) - y) < one.hypothesis_.epsilon - 1e-3
    assert set(one.hypothesis_.rows.tolist()) == set(np.flatnonzero(~inside).tolist())


@pytest.mark.compiled
def test_the_cost_is_chosen_by_rows_held_out():
    X, y = waves(120)
    chosen = SVR(C="auto").fit(X, y)
    assert chosen.C_ > 1
    assert np.square(chosen.predict(X) - y).mean() < np.square(SVR(C=0.25).fit(X, y).predict(X) - y).mean()
    with pytest.warns(induce.Note, match="too few rows to choose C"):
        assert SVR(C="auto").fit(X[:5], y[:5]).C_ == 1


def test_a_constant_target():
    fitted = SVR().fit([[1.0], [2.0], [3.0]], [7.0, 7.0, 7.0])
    assert fitted.predict([[9.0]]).tolist() == [7.0]
    assert "0 support vectors of 3" in str(fitted.hypothesis_)
    assert fitted.explain([[9.0]])[0].prediction == 7


@pytest.mark.compiled
def test_plain_and_compiled_loops_do_the_same():
    X, y = waves(40)
    gram = Gram(Gaussian(0.5), plain_inputs(X)[0], 10.0, False)
    tube = Tube(np.arange(40), y, np.ones(40), 0.125)
    results = []
    for step in (_loops.smo, compiled(_loops.smo)):
        rows = KernelRows(gram, tube.index)
        up, down = np.full(40, -0.125, np.float32), np.full(40, 0.125, np.float32)
        state = (
            y.copy(),
            np.zeros(40),
            tube.low,
            tube.high,
            up,
            down,
            rows.own,
            rows.slot,
            rows.rows,
            rows.used,
        )
        counts, numbers = np.zeros(5, np.int64), np.zeros(3)
        assert step(*state, counts, numbers, 1e-6, 0.125, 10_000) == _loops.DONE
        results.append((state[0].tolist(), state[1].tolist(), counts.tolist(), numbers.tolist()))
    assert results[0] == results[1]
    assert solve(gram, tube, Limits(1e-6)).beta.tolist() == results[0][1]


@pytest.mark.compiled
def test_kernel_rows_that_do_not_fit_into_memory():
    X, y = waves(150)
    whole = SVR(tol=1e-5, scale=None).fit(X, y)
    tube = Tube(np.arange(150), y, np.ones(150), 0.125)
    gram = Gram(Gaussian(0.4), plain_inputs(X)[0], 0.02, False)
    assert gram.whole is None
    small, large = (
        solve(each, tube, Limits(1e-5))
        for each in (gram, Gram(Gaussian(0.4), plain_inputs(X)[0], 10.0, False))
    )
    assert small.objective == pytest.approx(large.objective, rel=1e-6)
    assert whole.hypothesis_.gap < 1e-5


# --- printed, explained, exported, drawn


def test_columns_or_rows_add_up_to_the_prediction():
    X, y = mixed()
    for kernel in ("linear", "gaussian", "mixed"):
        learner = SVR(kernel=kernel).fit(X, y)
        for told, number in zip(learner.explain(X), learner.predict(X), strict=True):
            assert told.prediction == pytest.approx(number)
            assert told.intercept + sum(part.adds for part in told.parts) == pytest.approx(number)
            if kernel == "linear":
                assert told.typical + sum(each.adds for each in told.contributions) == pytest.approx(number)
    assert "further support vectors" in str(told)


def test_printed():
    X, y = mixed()
    text = str(SVR(kernel="linear").fit(X, y).hypothesis_)
    assert text.startswith("price by support vector regression, K = x·z, C = 1\n")
    assert "it's = z" in text
    assert "more support vectors" in str(SVR().fit(X, y).hypothesis_)
    frame = SVR().fit(X, y).hypothesis_.support_vectors()
    assert frame.columns == ["row", "price", "coefficient", "at bound", "size", "it's"]
    assert frame["price"].to_list() == [y[row] for row in frame["row"]]


@pytest.mark.parametrize("kernel", ["linear", "polynomial", Gaussian(0.2), 1 + Linear()])
def test_exports_predict_the_same(kernel, tmp_path):
    X, y = mixed()
    learned = SVR(kernel=kernel).fit(X, y).hypothesis_
    space = {}
    exec(learned.to_python("predict"), space)
    rows = [dict(row) for row in X.iter_rows(named=True)]
    expected = learned.predict(X)
    assert [space["predict"](row) for row in rows] == pytest.approx(expected)
    connection = sqlite3.connect(":memory:")
    X.to_pandas().to_sql("t", connection)
    assert [row[-1] for row in connection.execute(learned.to_sql("t"))] == pytest.approx(expected)
    assert np.ravel(in_onnx(learned, X)["prediction"]) == pytest.approx(expected, rel=1e-4)
    induce.save(learned, tmp_path / "sum.induce")
    assert induce.load(tmp_path / "sum.induce").predict(X).tolist() == expected.tolist()


def test_pictures():
    X, y = waves()
    one = SVR().fit(X[:, :1], y).hypothesis_
    axes = one.draw(X=X[:, :1], y=y).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()][:2] == ["tube", "f"]
    both = SVR().fit(*mixed()).hypothesis_
    assert len(both.draw().axes[0].lines) == 3
    assert both.draw(columns=("it's",)).axes[0].get_xlabel() == "it's"
    with pytest.raises(induce.InputError, match="give the name of one column"):
        both.draw(columns=("none",))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"epsilon": -1}, "epsilon is -1"),
        ({"C": 0}, "C is 0"),
        ({"C": float("inf")}, "C is inf"),
        ({"kernel": "none"}, "kernel is 'none'"),
        ({"scale": "big"}, "scale is 'big'"),
    ],
)
def test_bad_parameters(settings, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        SVR(**settings).fit([[1.0], [2.0]], [1.0, 2.0])


def test_numbers_too_large_to_be_squared():
    with pytest.raises(induce.InputError, match="squares overflow"):
        SVR().fit([[1.0], [2.0]], [1e200, 2e200])


def test_a_run_that_is_cut_short_says_so():
    X, y = waves()
    with pytest.warns(induce.Note, match="stopped after 3 steps before the optimum"):
        SVR(max_iter=3).fit(X, y)
