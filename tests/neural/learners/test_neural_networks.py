"""Networks as people train them: topologies, stopping, resuming, several outputs, bad input."""

import numpy as np
import polars as pl
import pytest
from sklearn.model_selection import ShuffleSplit

import induce
from induce.core.errors import InputError
from induce.neural import Group, Link, Network
from tests.exports import in_duckdb, in_onnx, in_python, in_sqlite

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
ODD = ["no", "yes", "yes", "no"]
EIGHT = np.eye(8)


def mixed(n: int = 60, seed: int = 0) -> tuple[pl.DataFrame, list[str], np.ndarray]:
    """A nominal and two numeric columns with holes, a class and a number that depend on them."""
    rng = np.random.default_rng(seed)
    colour, a, b = rng.choice(["red", "blue"], n), rng.normal(size=n), rng.normal(50, 10, n)
    number = 2 * a + 0.3 * b + 4 * (colour == "red")
    holes = rng.random(n) < 0.1
    X = pl.DataFrame(
        {"colour": colour, "a": [None if hole else x for x, hole in zip(a, holes, strict=True)], "b": b}
    )
    return X, ["high" if each > 17 else "low" for each in number], number


@pytest.mark.parametrize("solver", ["lbfgs", "adam", "gradient", "conjugate", "levenberg"])
def test_all_solvers_learn_exclusive_or(solver):
    learner = induce.NeuralNetworkClassifier(
        hidden=4, loss="squared", solver=solver, weight_decay=0, momentum=0.9 if solver == "gradient" else 0.0,
        learning_rate={"gradient": 0.3, "adam": 0.05}.get(solver), init=0.5, max_epochs=80, tol=0, random_state=1,
    )  # fmt: skip
    if solver in ("gradient", "adam"):
        learner.set_params(max_epochs=1000)
    assert learner.fit(XOR, ODD).predict(XOR).tolist() == ODD


def test_one_hidden_layer_less_cannot():
    learner = induce.NeuralNetworkClassifier(hidden=(), weight_decay=0.0)
    assert learner.fit(XOR, ODD).score(XOR, ODD) <= 0.75


def test_nominal_and_missing_values_without_a_pipeline():
    X, y, number = mixed()
    assert induce.NeuralNetworkClassifier().fit(X, y).score(X, y) > 0.95
    found = induce.NeuralNetworkRegressor().fit(X, number)
    assert found.score(X, number) > 0.95
    row = X[:1].with_columns(pl.lit("green").alias("colour"), pl.lit(None, pl.Float64).alias("a"))
    assert np.isfinite(found.predict(row)).all()


def test_several_outputs():
    network = induce.NeuralNetworkRegressor(hidden=3, output="sigmoid", weight_decay=0, scale=None).fit(
        EIGHT, EIGHT
    )
    assert network.predict(EIGHT).shape == (8, 8)
    assert network.predict(EIGHT).argmax(axis=1).tolist() == list(range(8))
    hypothesis = network.hypothesis_
    assert hypothesis.targets() == tuple(f"y{k}" for k in range(8))
    assert hypothesis.codes(EIGHT).shape == (8, 3)
    assert {"sql", "python", "onnx"} <= set(hypothesis.forms())
    named = induce.NeuralNetworkRegressor(hidden=2).fit(
        EIGHT, pl.DataFrame({"up": range(8), "down": range(8, 0, -1)})
    )
    assert named.hypothesis_.targets() == ("up", "down")
    with pytest.raises(InputError, match="y has 2 columns, but one number is predicted"):
        induce.KNeighborsRegressor().fit(EIGHT, EIGHT[:, :2])


def test_a_network_of_ones_own():
    """A direct way beside the hidden units, and a frozen unit that stays what it is."""
    network = Network.of(
        [Group("x", 2, "input"), Group("both", 1, frozen=True), Group("y", 1)],
        [Link("x", "both", frozen=True), Link("both", "y"), Link("x", "y")],
    )
    network = network.set("both", [-30.0]).set(("x", "both"), [[20.0], [20.0]])
    learner = induce.NeuralNetworkClassifier(network=network, scale=None, weight_decay=0.001)
    learner.fit(XOR, ODD)
    assert learner.predict(XOR).tolist() == ODD
    assert learner.hypothesis_.network.get("both").tolist() == [-30.0]
    assert learner.hypothesis_.network.get(("x", "both")).ravel().tolist() == [20.0, 20.0]
    with pytest.raises(InputError, match="network has 2 inputs, but the columns give 3"):
        learner.fit(np.ones((4, 3)), ODD)
    with pytest.raises(
        InputError, match="network has 1 outputs, but there are 3 classes; give it one output per"
    ):
        learner.fit(XOR, ["a", "b", "c", "a"])


@pytest.mark.parametrize("kind", ["share", "splitter", "pair"])
def test_the_best_weights_on_a_validation_set(kind):
    X, y, _ = mixed(80)
    train, test = X[:60], X[60:]
    validation = {
        "share": 0.25,
        "splitter": ShuffleSplit(1, test_size=0.25, random_state=0),
        "pair": (test, y[60:]),
    }
    learner = induce.NeuralNetworkClassifier(validation=validation[kind], weight_decay=0, max_epochs=60)
    record = learner.fit(train, y[:60]).hypothesis_.record
    assert record.chosen == record.epochs[record.validation.argmin()]
    assert len(record.validation) == len(record.loss)
    patient = learner.set_params(patience=3).fit(train, y[:60]).hypothesis_.record
    assert len(patient.epochs) <= len(record.epochs)


def test_validation_sets_that_do_not_fit():
    X, y, number = mixed()
    learner = induce.NeuralNetworkClassifier(validation=(X.drop("b"), y))
    with pytest.raises(InputError, match="'b'"):
        learner.fit(X, y)
    learner.set_params(validation=(X, ["neither"] * len(X)))
    with pytest.raises(InputError, match="validation has the class 'neither', which does not occur in y"):
        learner.fit(X, y)
    with pytest.raises(InputError, match=r"validation is 0\.1 of 2 rows"):
        induce.NeuralNetworkRegressor(validation=0.1).fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(InputError, match=r"validation has 60 rows and targets of shape \(60, 2\)"):
        induce.NeuralNetworkRegressor(validation=(X, np.column_stack([number, number]))).fit(X, number)


@pytest.mark.parametrize("solver", ["gradient", "adam", "lbfgs"])
def test_a_training_continues_as_if_it_had_not_stopped(solver, tmp_path):
    X, y, _ = mixed()
    settings = {"solver": solver, "hidden": 3, "tol": 0, "warm_start": True}
    whole = induce.NeuralNetworkClassifier(max_epochs=20, **settings).fit(X, y)
    half = induce.NeuralNetworkClassifier(max_epochs=10, **settings).fit(X, y)
    induce.save(half, tmp_path / "half.induce")
    again = induce.load(tmp_path / "half.induce").fit(X, y)
    half.fit(X, y)
    assert half.hypothesis_.network == whole.hypothesis_.network == again.hypothesis_.network
    with pytest.raises(InputError, match=r"momentum is 0\.5, but the earlier training had 0\.0"):
        induce.NeuralNetworkClassifier(max_epochs=5, **settings | {"solver": "gradient"}).fit(
            X, y
        ).set_params(momentum=0.5).fit(X, y)


def test_the_history_of_a_training():
    learner = induce.NeuralNetworkClassifier(hidden=2, max_epochs=5)
    assert not hasattr(learner, "history_")
    learner.fit(XOR, ODD)
    assert learner.history_ == learner.hypothesis_.record
    assert len(learner.history_.loss) == len(learner.history_.epochs)


def test_partial_fit():
    X, y, number = mixed(80)
    learner = induce.NeuralNetworkClassifier(solver="gradient", weight_decay=0)
    for _ in range(40):
        learner.partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    assert learner.score(X, y) > 0.9
    with pytest.raises(InputError, match="y has the class 'middling', for which the network has no output"):
        learner.partial_fit(X[:2], ["middling", "low"])
    announced = induce.NeuralNetworkClassifier().partial_fit(X[:3], ["a", "a", "b"], classes=["a", "b", "c"])
    assert announced.partial_fit(X[:1], ["c"]).predict_proba(X).shape == (80, 3)
    numbers = induce.NeuralNetworkRegressor(solver="adam", learning_rate=0.02, weight_decay=0)
    for _ in range(60):
        numbers.partial_fit(X, number)
    assert numbers.score(X, number) > 0.8
    with pytest.raises(InputError, match="give 1 targets per row, as in the first partial_fit"):
        numbers.partial_fit(X, np.column_stack([number, number]))


def test_weights_of_rows_and_classes():
    X, y = [[0.0]] * 10, ["rare"] * 3 + ["common"] * 7
    plain = induce.NeuralNetworkClassifier(hidden=(), weight_decay=0.01)
    assert plain.fit(X, y).predict_proba([[0.0]])[0] == pytest.approx([0.7, 0.3], abs=0.02)
    balanced = induce.NeuralNetworkClassifier(hidden=(), class_weight="balanced").fit(X, y)
    assert balanced.predict_proba([[0.0]])[0] == pytest.approx([0.5, 0.5], abs=0.01)
    weighted = plain.fit(X, y, sample_weight=[10.0] * 3 + [1.0] * 7)
    assert weighted.predict([[0.0]]).tolist() == ["rare"]


def test_targets_between_the_ends():
    network = induce.NeuralNetworkClassifier(loss="squared", weight_decay=0, random_state=1, hidden=4).fit(
        XOR, ODD
    )
    outputs = network.hypothesis_.outputs(XOR).ravel()
    assert outputs == pytest.approx([0.1, 0.9, 0.9, 0.1], abs=0.02)
    assert network.predict_proba(XOR)[:, 1] == pytest.approx([0, 1, 1, 0], abs=0.05)
    assert network.hypothesis_.confidence(XOR) == pytest.approx(0.8, abs=0.05)
    with pytest.raises(InputError, match="give the smaller number first"):
        network.set_params(targets=(0.9, 0.1)).fit(XOR, ODD)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"hidden": (3, 0)}, r"hidden is \(3, 0\)"),
        ({"solver": "newton"}, "solver is 'newton'; it can be 'auto', 'gradient'"),
        ({"solver": "lbfgs", "batch_size": 10}, "solver 'lbfgs' uses all rows for each update"),
        ({"solver": "levenberg"}, "residuals are defined only for the squared error"),
        ({"unit": "threshold"}, "unit is 'threshold'"),
        ({"momentum": 1.0}, "momentum is 1.0"),
        ({"validation": 2}, "validation is 2"),
    ],
)
def test_parameters_that_do_not_fit(parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        induce.NeuralNetworkClassifier(**parameters).fit(XOR, ODD)


def test_targets_outside_the_range_of_the_outputs():
    with pytest.raises(
        InputError, match="a target is 3, but sigmoid output units 'outputs' only range from 0 to 1"
    ):
        induce.NeuralNetworkRegressor(output="sigmoid").fit([[1.0], [2.0]], [3.0, 0.5])


def wild_columns() -> tuple[np.ndarray, np.ndarray]:
    """Huge numbers, a column of one value, and one that tells the class."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30) * 1e200, np.full(30, 7.0), rng.normal(size=30)])
    return X, np.where(X[:, 2] > 0, 1, 0)


@pytest.mark.parametrize(
    "learner",
    [
        induce.NeuralNetworkClassifier(),
        induce.NeuralNetworkClassifier(
            solver="gradient", init=1000.0, max_epochs=5
        ),  # saturated from the start
        induce.NeuralNetworkRegressor(),
    ],
)
def test_numbers_stay_finite(learner):
    X, y = wild_columns()
    fitted = learner.fit(X, y)
    assert np.isfinite(fitted.predict(X)).all()
    assert np.isfinite(fitted.hypothesis_.network.weights).all()


def test_steps_that_are_too_large():
    X, y = wild_columns()
    wild = induce.NeuralNetworkRegressor(solver="gradient", learning_rate=1e6, max_epochs=20)
    with pytest.raises(InputError, match=r"the learning rate 1e\+06 is too large; decrease it"):
        wild.fit(X[:, 2:], X[:, 2])
    bounded = induce.NeuralNetworkClassifier(
        solver="gradient", learning_rate=1e6, weight_decay=0, max_epochs=5
    )
    assert np.isfinite(bounded.fit(X[:, 2:], y).predict_proba(X[:, 2:])).all()


@pytest.mark.parametrize("unit", ["sigmoid", "tanh", "rectified", "linear"])
def test_exports_say_the_same(unit):
    X, y, number = mixed(40)
    rows = X[:12].with_columns(
        pl.when(pl.int_range(12) == 3).then(None).otherwise(pl.col("colour")).alias("colour")
    )
    hypotheses = [
        induce.NeuralNetworkClassifier(hidden=(3, 2), unit=unit, max_epochs=20).fit(X, y).hypothesis_,
        induce.NeuralNetworkRegressor(hidden=3, unit=unit, max_epochs=20).fit(X, number).hypothesis_,
    ]
    for hypothesis in hypotheses:
        expected = hypothesis.predict(rows).tolist()
        found = [in_python(hypothesis, rows), in_sqlite(hypothesis, rows), in_duckdb(hypothesis, rows)]
        for said in [*found, in_onnx(hypothesis, rows)["prediction"].tolist()]:
            assert said == (expected if isinstance(expected[0], str) else pytest.approx(expected, rel=1e-9))


def test_large_networks_are_written_as_onnx_only():
    X = np.random.default_rng(0).normal(size=(40, 30))
    hypothesis = induce.NeuralNetworkRegressor(hidden=120, max_epochs=3).fit(X, X[:, 0] * X[:, 1]).hypothesis_
    assert not {"sql", "python"} & set(hypothesis.forms())
    assert in_onnx(hypothesis, pl.DataFrame(X, [f"x{k}" for k in range(30)]))["prediction"] == pytest.approx(
        hypothesis.predict(X), rel=1e-9
    )
    with pytest.raises(InputError, match="it has 3,841 weights; to_onnx"):
        hypothesis.written("sql")


def test_what_a_reader_sees():
    X, y, _ = mixed()
    hypothesis = induce.NeuralNetworkClassifier(hidden=2).fit(X, y).hypothesis_
    text = str(hypothesis)
    assert text.startswith("class by a network of 13 weights: inputs 4, hidden 2 sigmoid, outputs 1 sigmoid")
    assert all(name in text for name in ("hidden[0]: ", "colour = red", "low: "))
    frame = hypothesis.weights()
    assert frame.height == 13
    b = frame.filter((pl.col("unit") == "hidden[0]") & (pl.col("source") == "b"))
    assert b["weight"][0] / b["per unit"][0] == pytest.approx(float(hypothesis.view.scale[1]))
    told = hypothesis.explain(X[:1])[0]
    assert told.what == "probability"
    assert {each.column for each in told.effects} <= {"colour", "a", "b"}
    assert len(told.code) == 2


@pytest.mark.parametrize("kind", ["diagram", "weights", "regions", "errors", "codes", "paths"])
def test_pictures(kind):
    X, y, number = mixed(40)
    for hypothesis in (
        induce.NeuralNetworkClassifier(hidden=2, max_epochs=10, validation=0.2).fit(X, y).hypothesis_,
        induce.NeuralNetworkRegressor(hidden=2, max_epochs=10).fit(X, number).hypothesis_,
    ):
        assert hypothesis.draw(kind).axes
        if kind in ("regions", "codes"):
            assert hypothesis.draw(kind, X, y if hasattr(hypothesis, "classes") else None).axes
    with pytest.raises(InputError, match="kind is 'song'"):
        hypothesis.draw("song")


def test_the_three_plots_of_figure_4_8():
    learner = induce.NeuralNetworkRegressor(
        hidden=3,
        output="sigmoid",
        scale=None,
        solver="gradient",
        learning_rate=0.3,
        max_epochs=30,
        weight_decay=0,
    ).fit(EIGHT, EIGHT)
    network = learner.hypothesis_
    errors = network.draw("outputs", EIGHT, EIGHT).axes[0]
    said = network.predict(EIGHT)
    ends = [line.get_ydata()[-1] for line in errors.lines]
    assert ends == pytest.approx(np.square(said - EIGHT).sum(axis=0))
    weights = network.draw("paths").axes
    assert [axes.get_title() for axes in weights] == ["hidden[0]", "hidden[1]", "hidden[2]"]
    assert len(weights[0].lines) == 9  # the bias and eight inputs
    assert weights[1].lines[0].get_ydata()[-1] == pytest.approx(network.network.get("hidden")[1])
    assert len(network.draw("codes").axes) == 3
    with pytest.raises(InputError, match="plot of output errors needs examples"):
        network.draw("outputs")


def test_pictures_that_a_network_does_not_have():
    nominal = pl.DataFrame({"a": ["x", "y"] * 5, "b": ["u", "v", "u", "v", "v"] * 2})
    hypothesis = (
        induce.NeuralNetworkClassifier(hidden=(), max_epochs=5).fit(nominal, ["p", "q"] * 5).hypothesis_
    )
    with pytest.raises(InputError, match="regions need two numeric columns"):
        hypothesis.draw("regions")
    assert "codes" not in hypothesis.forms()["svg"].pictures
    assert "regions" not in hypothesis.forms()["svg"].pictures


def test_many_categories():
    X = pl.DataFrame({"v": [f"v{k % 400}" for k in range(800)], "a": np.arange(800.0)})
    learner = induce.NeuralNetworkClassifier(hidden=2, max_epochs=5, schema={"v": "nominal"})
    assert learner.fit(X, ["p", "q"] * 400).hypothesis_.network.n_inputs == 401


def test_weight_decay_follows_the_noise():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (60, 1))
    smooth = induce.NeuralNetworkRegressor(hidden=2, max_epochs=25).fit(X, np.sin(X[:, 0]))
    noise = induce.NeuralNetworkRegressor(hidden=2, max_epochs=25).fit(X, rng.normal(size=60))
    assert "weight decay 0.03 by cross-validation" in str(smooth.hypothesis_)
    assert "weight decay 10 by cross-validation" in str(noise.hypothesis_)
    few = induce.NeuralNetworkRegressor(hidden=4, max_epochs=20).fit(X[:30], X[:30, 0])
    fixed = induce.NeuralNetworkRegressor(hidden=4, max_epochs=20, weight_decay=0.1).fit(X[:30], X[:30, 0])
    assert few.hypothesis_ == fixed.hypothesis_
    with pytest.raises(InputError, match="weight_decay is 'some'"):
        induce.NeuralNetworkRegressor(weight_decay="some").fit(X, X[:, 0])


def test_validation_sets_of_ones_own_that_do_not_fit():
    X = pl.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
    y, number = ["no", "no", "yes", "yes"], [0.0, 1.0, 2.0, 3.0]
    other = X.rename({"b": "c"})
    with pytest.raises(InputError, match="validation does not have the columns of X: column 'b' is absent"):
        induce.NeuralNetworkClassifier(validation=(other, y)).fit(X, y)
    with pytest.raises(InputError, match="validation does not have the columns of X: column 'b' is absent"):
        induce.NeuralNetworkRegressor(validation=(other, number)).fit(X, number)
    with pytest.raises(InputError, match="validation has no rows"):
        induce.NeuralNetworkClassifier(validation=(X[:0], [])).fit(X, y)
    with pytest.raises(InputError, match="validation has the class 'perhaps', which does not occur in y"):
        induce.NeuralNetworkClassifier(validation=(X, ["perhaps"] * 4)).fit(X, y)
    with pytest.raises(InputError, match="3 rows and 4 classes; give one class per row"):
        induce.NeuralNetworkClassifier(validation=(X[:3], y)).fit(X, y)


@pytest.mark.parametrize("learner", [induce.NeuralNetworkClassifier, induce.CascadeCorrelation])
def test_one_row_and_one_class(learner):
    assert learner().fit([[1.0, 2.0]], ["a"]).predict([[5.0, 6.0]]).tolist() == ["a"]
    assert learner().fit([[1.0], [2.0]], ["a", "a"]).predict_proba([[5.0]]).tolist() == [[1.0]]


def test_saturated_units_stay_finite():
    X = np.random.default_rng(0).normal(size=(20, 2))
    y = np.where(X[:, 0] > 0, "a", "b")
    for solver in ("lbfgs", "gradient", "adam"):
        learner = induce.NeuralNetworkClassifier(hidden=2, init=1e6, solver=solver, max_epochs=3).fit(X, y)
        assert np.isfinite(learner.predict_proba(X)).all()


@pytest.mark.parametrize("solver", ["lbfgs", "adam", "gradient"])
def test_many_categories_are_a_sparse_matrix_and_give_the_same_network(solver, monkeypatch):
    rng = np.random.default_rng(0)
    domain = [f"v{k}" for k in range(40)]
    codes = rng.integers(40, size=200)
    names = [None if k % 97 == 0 else domain[code] for k, code in enumerate(codes.tolist())]
    X = pl.DataFrame({"a": pl.Series(names, dtype=pl.Enum(domain)), "x": rng.normal(size=200)})
    y = np.where(codes % 2, "odd", "even")
    held = (X[:20], y[:20])

    def learner():
        return induce.NeuralNetworkClassifier(hidden=3, solver=solver, max_epochs=5, validation=held)

    whole = learner().fit(X, y)
    monkeypatch.setattr("induce.neural.learners.base.MANY_CELLS", 0)
    monkeypatch.setattr("induce.neural.objective.CELLS", 500)
    sparse = learner().fit(X, y)
    assert np.allclose(sparse.hypothesis_.network.weights, whole.hypothesis_.network.weights, atol=1e-6)
    assert (sparse.partial_fit(X, y).predict(X) == whole.partial_fit(X, y).predict(X)).all()
