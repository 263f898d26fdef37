"""Numbers of the specifications, by the learners of linear models."""

import numpy as np
import pytest

import induce
from induce.bayes import fit_line, sigmoid_ascent
from induce.core.notes import Note
from induce.core.trace import trace
from induce.linear import Unit
from induce.optimise import Constant, Stop, descend


def weights(learner):
    model = learner.hypothesis_
    return np.append(model.intercepts, model.weights[0])


# --- the checkers learner of chapter 1 -------------------------------------------------------------------------

BOARD, WON = [3.0, 0.0, 1.0, 0.0, 0.0, 0.0], 100.0
RAW = {"scale": None, "decay": None, "patience": None, "order": "given"}


def test_the_lms_rule_on_the_printed_board():
    learner = induce.LMS(learning_rate=0.1, max_epochs=1, **RAW).fit([BOARD], [WON])
    assert weights(learner) == pytest.approx([10, 30, 0, 10, 0, 0, 0])
    # the error is multiplied by 1 - 0.1 · 11; without an error nothing changes
    with trace("update") as events:
        induce.LMS(learning_rate=0.1, max_epochs=4, **RAW).fit([BOARD], [WON])
    assert [event["weights"][1] for event in events] == pytest.approx([30, 27, 27.3, 27.27])
    exact = induce.LMS(learning_rate=1 / 11, max_epochs=1, **RAW).fit([BOARD], [WON])
    assert exact.predict([BOARD]) == pytest.approx([100.0])
    more = induce.LMS(learning_rate=1 / 11, max_epochs=5, **RAW).fit([BOARD], [WON])
    assert weights(more) == pytest.approx(weights(exact))


def test_counts_of_pieces_diverge():
    start = [[12.0, 12.0, 0.0, 0.0, 0.0, 0.0]]
    with trace("update") as events, pytest.warns(Note, match="the learning rate is too large"):
        induce.LMS(learning_rate=0.1, max_epochs=3, **RAW).fit(start, [100.0])
    said = [float(event["weights"] @ [1, *start[0]]) for event in events]
    assert said[:2] == pytest.approx([2890.0, -77741.0])
    just = induce.LMS(learning_rate=1.99 / 289, max_epochs=800, **RAW).fit(start, [100.0])
    assert just.predict(start) == pytest.approx([100.0], abs=0.1)


def test_a_pass_over_a_game():
    rows = np.array(
        [[12, 12, 0, 0, 0, 0], [11, 10, 0, 0, 1, 0], [6, 1, 1, 0, 0, 1], [3, 0, 1, 0, 0, 0]], float
    )
    unit = Unit(np.column_stack([np.ones(4), rows]), np.array([5.0, 85.0, 100.0, 100.0]))
    w = np.array([0.0, 10.0, -10.0, 30.0, -30.0, -5.0, 5.0])
    assert unit.outputs(w).tolist() == [0.0, 5.0, 85.0, 60.0]
    unit.epoch(w, np.zeros(7), np.arange(4), np.full(4, 0.001), 0.0)
    after = [0.129215, 11.088063, -9.144138, 30.045480, -30, -4.921265, 5.008512]
    assert w == pytest.approx(after, abs=5e-7)


def test_the_step_follows_the_gradient():
    rng = np.random.default_rng(0)
    X, v = rng.normal(size=(5, 3)), rng.normal(size=5)
    unit = Unit(X, v, half=False)
    w = rng.normal(size=3)
    assert unit.gradient(w)[1] == pytest.approx(-2 * X.T @ (v - X @ w))
    step = w.copy()
    unit.epoch(step, np.zeros(3), np.array([2]), np.array([0.05]), 0.0)
    assert step - w == pytest.approx(-0.05 * unit.gradient(w, np.array([2]))[1])


def test_linear_programs_of_figure_1_2():
    X, v = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 9.0]
    assert weights(induce.LinearRegression(loss="minimax").fit(X, v)) == pytest.approx([-2.0, 3.0])
    absolute = induce.LinearRegression(loss="absolute").fit(X, v)
    assert np.abs(absolute.predict(X) - v).sum() == pytest.approx(6.0)  # several lines have it
    assert weights(induce.LinearRegression().fit(X, v)) == pytest.approx([-1.2, 2.8])


# --- likelihood of chapters 6 and 20 ---------------------------------------------------------------------------


def test_the_most_likely_line_has_the_least_squares():
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.1, 3.9, 6.2, 7.8])
    learner = induce.LinearRegression().fit(x[:, np.newaxis], y)
    assert weights(learner) == pytest.approx([0.15, 1.94])
    assert 4 * learner.hypothesis_.known.loss == pytest.approx(0.082)
    assert np.sqrt(learner.hypothesis_.known.loss) == pytest.approx(0.143178, abs=5e-7)
    n = len(x)
    slope = (n * x @ y - x.sum() * y.sum()) / (n * x @ x - x.sum() ** 2)
    assert weights(learner)[1] == pytest.approx(slope)
    assert fit_line(x, y).weights == pytest.approx(weights(learner))
    constant = induce.LinearRegression().fit(np.ones((4, 1)), y)
    assert weights(constant) == pytest.approx([y.mean(), 0.0])


def test_laplace_noise_asks_for_absolute_errors():
    x, y = np.arange(5.0), np.array([0.0, 1.1, 1.9, 3.0, 14.0])
    line = fit_line(x, y, "laplace")
    other = induce.LinearRegression(loss="absolute").fit(x[:, np.newaxis], y)
    assert line.error == pytest.approx(np.abs(y - other.predict(x[:, np.newaxis])).sum())


def test_cross_entropy_ascent_tends_to_the_largest_likelihood():
    x, d = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 3.0]), np.array([0, 0, 1, 0, 1, 1])
    found = induce.LogisticRegression().fit(x[:, np.newaxis], d)
    ascent = sigmoid_ascent(x, d, rate=0.2, steps=1500)
    assert ascent.weights[-1] == pytest.approx(weights(found), abs=1e-4)
    assert ascent.log_likelihood[-1] == pytest.approx(-len(d) * found.hypothesis_.known.loss)


def test_training_on_frequencies_finds_the_same():
    x, d = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0]), np.array([0, 1, 0, 1, 0, 1, 0])
    whole = induce.LogisticRegression().fit(x[:, np.newaxis], d)
    rows = [[each] for each in np.unique(x) for _ in range(2)]
    counts = [int(((x == each[0]) & (d == k)).sum()) for each, k in zip(rows, [0, 1] * 3, strict=True)]
    grouped = induce.LogisticRegression().fit(rows, [0, 1] * 3, sample_weight=counts)
    assert weights(grouped) == pytest.approx(weights(whole))


# --- threshold units -------------------------------------------------------------------------------------------

FOURTEEN = "101000 101100 101010 110011 111100 100011 100010 011101 011011 000110 010101 000101 011011 011100"
SAID = [1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0]


def test_fourteen_examples():
    X = [[float(bit) for bit in row] for row in FOURTEEN.split()]
    settings = {"coding": "zero-one", "scale": None, "order": "given", "bias_input": "-1"}
    learner = induce.Perceptron(learning_rate=1.0, **settings).fit(X, SAID)
    assert weights(learner).tolist() == [0, 2, 0, 1, -1, -2, 1]
    assert learner.n_iter_ == 3  # and a clean pass
    unit = Unit(np.column_stack([-np.ones(14), X]), np.array(SAID, float), "threshold", low=0.0)
    run = descend(
        unit,
        np.full(7, 0.1),
        distance=Constant(0.1),
        batch_size=1,
        order="given",
        stop=Stop(max_epochs=20, loss_below=0.5),
    )
    assert run.w == pytest.approx([0.2, 0.4, 0.0, 0.2, 0.0, -0.2, 0.1])


def test_parity_cycles():
    X = np.array([[int(bit) for bit in f"{n:04b}"] for n in range(16)], float)
    unit = Unit(np.column_stack([-np.ones(16), X]), X.sum(axis=1) % 2, "threshold", low=0.0)
    with trace("epoch") as events:
        descend(
            unit,
            np.full(5, 0.1),
            distance=Constant(0.1),
            batch_size=1,
            order="given",
            stop=Stop(max_epochs=8),
        )
    found = [(10 * event["weights"]).round(6).tolist() for event in events]
    assert found[1:6] == [
        *[[2, -1, 0, 1, 0], [0, -1, 1, 1, 0], [0, -1, 0, 1, 0], [0, -2, 0, 0, 0], [-1, -2, 0, 0, 0]]
    ]
    assert found[6] == found[7] == found[5]
    assert all(event["loss"] == 8 for event in events[1:])


def test_earthquakes_and_explosions():
    clean, noisy = (induce.dataset(name) for name in ("earthquakes", "earthquakes-noisy"))
    X, y = clean
    learner = induce.Perceptron(random_state=0).fit(X, y)
    assert learner.converged_
    assert learner.n_iter_ * len(X) < 1000  # 657 steps are printed; they depend on units and order
    X, y = noisy
    labels = np.array(y.to_list())
    last = induce.Perceptron(max_epochs=60).fit(X, y)
    assert not last.converged_
    assert 3 <= (last.predict(X) != labels).sum() <= 24
    pocket = induce.Perceptron("pocket", max_epochs=60).fit(X, y)
    assert 3 <= (pocket.predict(X) != labels).sum() <= 4


def test_irrelevant_columns_cost_a_lasso_little():
    # the number of rows that a lasso needs grows with the logarithm of the irrelevant columns, of a ridge with them
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 60))
    y = 3 * X[:, 0] - 2 * X[:, 1] + 0.3 * rng.normal(size=40)
    errors = {}
    for penalty, strength in (("l1", 0.3), ("l2", 0.1)):
        found = weights(induce.LinearRegression(penalty=penalty, strength=strength).fit(X, y))[1:]
        errors[penalty] = float(np.square(found - np.append([3.0, -2.0], np.zeros(58))).sum())
    assert errors["l1"] < 0.2 * errors["l2"]
