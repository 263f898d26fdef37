"""Perceptron, Adaline and LMS: the steps of the books, by hand, and as people use them."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.core.notes import Note
from induce.core.trace import trace
from induce.linear import Unit
from induce.linear._loops import unit_pass
from induce.optimise import Stop, descend, gradient_error

CORNERS = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], float)
BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)


def weights(model):
    return np.append(model.intercepts, model.weights[0]).round(9).tolist()


def changes(events):
    """Return the weights after each update that changed them."""
    found, before = [], np.zeros(3)
    for event in events:
        if not np.array_equal(event["weights"], before):
            before = event["weights"]
            found.append(tuple(before.round(9).tolist()))
    return found


def test_conjunction_and_disjunction_by_the_rule():
    with trace("update") as events:
        learner = induce.Perceptron(scale=None, order="given").fit(CORNERS, [1, 0, 0, 0])
    assert changes(events) == [(0.2, 0.2, 0.2), (0.0, 0.0, 0.4), (-0.2, 0.2, 0.2)]
    assert learner.converged_
    either = induce.Perceptron(scale=None, order="given").fit(CORNERS, [1, 1, 1, 0])
    assert weights(either.hypothesis_) == [0.2, 0.2, 0.2]


def test_exclusive_or_cycles():
    settings = {"scale": None, "order": "given", "max_epochs": 100}
    with trace("update") as events:
        learner = induce.Perceptron(**settings).fit(CORNERS, [0, 1, 1, 0])
    assert not learner.converged_
    assert "(not converged)" in str(learner.hypothesis_)
    found = changes(events)
    assert len(found) == 399
    assert found[-4:] == [(0.0, 0.0, 0.0), (0.2, 0.2, -0.2), (0.4, 0.0, 0.0), (0.2, 0.2, 0.2)]


def test_the_carry_of_two_bits():
    settings = {
        "coding": "zero-one",
        "at_zero": "high",
        "learning_rate": 1.0,
        "scale": None,
        "order": "given",
    }
    with trace("update") as events:
        learner = induce.Perceptron(**settings).fit(BITS, [0, 0, 0, 1])
    assert changes(events) == [
        *[(-1, 0, 0), (0, 1, 1), (-1, 1, 1), (-2, 1, 0), (-1, 2, 1), (-2, 2, 0), (-3, 1, 0), (-2, 2, 1)],
        *[(-3, 1, 1), (-2, 2, 2), (-3, 2, 1)],
    ]
    assert weights(learner.hypothesis_) == [-3, 2, 1]
    with trace("epoch") as epochs:
        learner = induce.Perceptron(**settings, max_epochs=20).fit(BITS, [0, 1, 1, 0])
    assert not learner.converged_
    assert [tuple(epoch["weights"]) for epoch in epochs][1:4] == [(-1, -1, 0), (0, -1, 0), (0, -1, 0)]


def test_a_single_update():
    unit = Unit(np.array([[0.8]]), np.array([1.0]), "threshold")
    w = np.array([-1.0])
    unit.epoch(w, np.zeros(1), np.zeros(1, np.intp), np.array([0.1]), 0.0)
    assert w + 1.0 == pytest.approx([0.16])


def test_the_threshold_is_the_weight_of_a_negative_bias():
    learner = induce.Perceptron(scale=None, order="given", bias_input="-1").fit(CORNERS, [1, 0, 0, 0])
    assert weights(learner.hypothesis_) == [-0.2, 0.2, 0.2]


def test_least_squares_is_not_fewest_errors():
    X, y = [[0.0], [1.0], [2.0], [20.0]], [-1, 1, 1, 1]
    rule = induce.Perceptron(scale=None, order="given").fit(X, y)
    assert weights(rule.hypothesis_) == [0.0, 0.2]
    assert rule.predict(X).tolist() == y
    best = induce.LinearRegression().fit(X, y).hypothesis_
    assert np.append(best.intercepts, best.weights[0]) == pytest.approx([0.25756187, 0.04216315], abs=1e-8)
    settings = {"scale": None, "batch_size": None, "learning_rate": 0.004, "decay": None, "patience": None}
    delta = induce.Adaline(max_epochs=8000, **settings).fit(X, y)
    assert weights(delta.hypothesis_) == pytest.approx([0.25756187, 0.04216315], abs=1e-6)
    assert delta.predict(X[:1]).tolist() == [1]


def test_linear_fits_of_the_gates():
    for targets, expected, loss in [
        ([1, -1, -1, -1], (-0.5, 0.5, 0.5), 0.5),
        ([1, 1, 1, -1], (0.5, 0.5, 0.5), 0.5),
        ([-1, 1, 1, -1], (0.0, 0.0, 0.0), 2.0),
    ]:
        model = induce.LinearRegression().fit(CORNERS, targets).hypothesis_
        assert weights(model) == pytest.approx(expected, abs=1e-9)
        assert 2 * model.known.loss == pytest.approx(loss)


def test_the_lms_rule_by_hand():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0]
    plain = {"scale": None, "decay": None, "patience": None, "order": "given"}
    with trace("update") as events:
        induce.LMS(learning_rate=0.02, batch_size=None, max_epochs=3, **plain).fit(X, y)
    steps = [(0.28, 0.78), (0.3816, 1.036), (0.423872, 1.11808)]
    assert np.allclose([event["weights"] for event in events], steps, atol=1e-9)
    with trace("update") as events:
        induce.LMS(learning_rate=0.1, max_epochs=1, **plain).fit(X, y)
    steps = [(0.2, 0.2), (0.44, 0.68), (0.692, 1.436), (0.4484, 0.4616)]
    assert np.allclose([event["weights"] for event in events], steps, atol=1e-9)


def test_the_stability_limit_of_batch_descent():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [2.0, 3.0, 5.0, 4.0]
    settings = {"scale": None, "decay": None, "patience": None, "batch_size": None, "max_epochs": 40}
    below = induce.LMS(learning_rate=0.0598, **settings).fit(X, y)
    assert below.history_.loss[-1] < below.history_.loss[0]
    with pytest.warns(Note, match="the learning rate is too large"):
        above = induce.LMS(learning_rate=0.06, **settings).fit(X, y)
    assert above.history_.loss[-1] > above.history_.loss[-2]
    with pytest.raises(InputError, match=r"the learning rate 1e\+06 is too large"):
        induce.LMS(learning_rate=1e6, decay=None, scale=None, max_epochs=400, patience=None).fit(X, y)


def test_a_half_less_makes_updates_twice_as_long():
    X, y = [[1.0], [2.0]], [2.0, 3.0]
    plain = {"scale": None, "decay": None, "patience": None, "order": "given", "max_epochs": 3}
    half = induce.LMS(learning_rate=0.04, **plain).fit(X, y).hypothesis_
    whole = induce.LMS(learning_rate=0.02, half=False, **plain).fit(X, y).hypothesis_
    assert weights(half) == weights(whole)


def test_lms_approaches_least_squares():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1.0, 100.0, 0.01] + 50
    y = X @ [2.0, -0.03, 100.0] + 1000 + rng.normal(size=60)
    best = induce.LinearRegression().fit(X, y).hypothesis_.weights
    assert np.allclose(induce.LMS(patience=None).fit(X, y).hypothesis_.weights, best, rtol=0.15)


def test_a_sigmoid_unit_by_hand():
    unit = Unit(np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 2.0]]), np.array([1.0, 0.0]), "sigmoid")
    w, memory = np.zeros(3), np.zeros(3)
    unit.epoch(w, memory, np.array([0]), np.ones(1), 0.0)
    assert w.tolist() == [0.125, 0.25, 0.375]
    assert unit.outputs(w)[1] == pytest.approx(0.651354865, abs=1e-9)
    unit.epoch(w, memory, np.array([1]), np.ones(1), 0.0)
    assert w == pytest.approx([-0.022917287, 0.397917287, 0.079165427], abs=1e-9)
    assert gradient_error(unit, w) < 1e-8


def test_pocket_and_average_on_classes_that_no_plane_separates():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(200) < 0.1)
    wrong = {
        variant: int((induce.Perceptron(variant, max_epochs=20).fit(X, y).predict(X) != y).sum())
        for variant in ("rule", "pocket", "averaged")
    }
    assert wrong["pocket"] <= wrong["rule"]
    assert wrong["averaged"] <= wrong["rule"]
    assert wrong["averaged"] <= 30
    with pytest.raises(InputError, match=r"variant is 'averaged', .* give batch_size=1"):
        induce.Perceptron("averaged", batch_size=None).fit(X, y)


def test_several_classes():
    X, y = induce.dataset("iris")
    for learner in (induce.Perceptron("averaged", max_epochs=20), induce.Adaline()):
        assert learner.fit(X, y).score(X, y) > 0.8
        assert learner.decision_function(X).shape == (len(X), 3)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["linear", "threshold", "sigmoid"])
def test_compiled_passes_take_the_same_steps(kind):
    rng = np.random.default_rng(0)
    unit = Unit(rng.normal(size=(30, 4)), rng.choice([-1.0, 1.0], 30), kind, averaged=True)
    plain, fast = np.zeros(4), np.zeros(4)
    order, rates = rng.permutation(30).astype(np.intp), np.full(30, 0.1)
    rest = (unit.kind, unit.factor, unit.low, unit.high, unit.fires)
    rows = (unit.x, unit.targets, rng.integers(1, 3, 30).astype(float))
    pockets, tallies = np.zeros((2, 4)), np.tile([0.0, -1.0, np.inf, 0.0], (2, 1))
    losses = [
        loop(*rows, w, np.zeros(4), order, rates, 0.3, *rest, np.zeros(4), pocket, tally)
        for loop, w, pocket, tally in (
            (unit_pass, plain, pockets[0], tallies[0]),
            (compiled(unit_pass), fast, pockets[1], tallies[1]),
        )
    ]
    assert np.allclose(pockets[0], pockets[1], rtol=1e-12)
    assert (tallies[0] == tallies[1]).all()
    assert losses[0] == pytest.approx(losses[1], rel=1e-12)
    assert np.allclose(plain, fast, rtol=1e-12, atol=0)


def test_descent_of_a_unit_with_every_direction():
    unit = Unit(np.column_stack([np.ones(4), CORNERS]), np.array([1.0, -1.0, -1.0, -1.0]))
    for direction in ("conjugate", "lbfgs"):
        found = descend(unit, np.zeros(3), direction=direction, stop=Stop(max_epochs=20))
        assert np.allclose(found.w, [-0.5, 0.5, 0.5])


def noisy(n=80, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * [1.0, 20.0] + [0.0, 5.0]
    return X, (X[:, 0] + X[:, 1] / 20 + 0.8 * rng.normal(size=n) > 0).astype(int)


LEARNERS = [
    lambda **settings: induce.Perceptron(**settings),
    lambda **settings: induce.Perceptron("pocket", decay=500.0, **settings),
    lambda **settings: induce.Adaline(patience=None, momentum=0.3, **settings),
    lambda **settings: induce.LMS(patience=None, **settings),
]


@pytest.mark.parametrize("learner", LEARNERS)
def test_passes_one_at_a_time_are_those_of_a_fit(learner):
    X, y = noisy()
    whole = learner(max_epochs=5).fit(X, y)
    parts = learner()
    for _ in range(5):
        parts.partial_fit(X, y)
    if getattr(whole, "variant", "") != "pocket":  # which then begins anew with each table
        assert np.allclose(parts.hypothesis_.weights, whole.hypothesis_.weights, rtol=1e-12)
    assert parts.hypothesis_.known.n_rows == 5 * len(X)
    assert parts.n_iter_ == 5


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_warm_start_takes_the_steps_of_one_fit(learner, tmp_path):
    X, y = noisy()
    whole = learner(max_epochs=5).fit(X, y)
    warm = learner(max_epochs=2, warm_start=True).fit(X, y)
    induce.save(warm, tmp_path / "warm.induce")
    again = induce.load(tmp_path / "warm.induce")
    for each in (warm, again):
        each.set_params(max_epochs=3).fit(X, y)
        if getattr(whole, "variant", "") != "pocket":
            assert (each.hypothesis_.weights == whole.hypothesis_.weights).all()
    assert (warm.hypothesis_.weights == again.hypothesis_.weights).all()
    anew = learner(max_epochs=5).fit(X[:40], y[:40]).fit(X, y)
    assert (anew.hypothesis_.weights == whole.hypothesis_.weights).all()
    if not isinstance(warm, induce.Perceptron):
        with pytest.raises(InputError, match=r"momentum is 0.5, but the earlier training had"):
            warm.set_params(momentum=0.5).fit(X, y)


@pytest.mark.parametrize("learner", LEARNERS)
def test_rows_weigh(learner):
    X, y = noisy()
    weights = np.where(np.arange(len(y)) < 60, 1.0, 0.0)
    some = learner(max_epochs=3).fit(X, y, sample_weight=weights).hypothesis_
    assert (some.weights == learner(max_epochs=3).fit(X[:60], y[:60]).hypothesis_.weights).all()
    heavy = learner(max_epochs=30).fit(X, y, sample_weight=np.where(y == 1, 20.0, 1.0))
    light = learner(max_epochs=30).fit(X, y)
    assert heavy.predict(X).mean() > light.predict(X).mean()
    if not isinstance(heavy, induce.LMS):
        classed = learner(max_epochs=30, class_weight={0: 1.0, 1: 20.0}).fit(X, y)
        assert (classed.hypothesis_.weights == heavy.hypothesis_.weights).all()


def test_whole_steps_with_weights_are_those_with_repetitions():
    X, y = noisy(30)
    counts = np.arange(30) % 3
    plain = {"batch_size": None, "patience": None, "learning_rate": 0.002, "max_epochs": 20}
    once = induce.LMS(**plain).fit(X, y, sample_weight=counts).hypothesis_
    often = induce.LMS(**plain).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts)).hypothesis_
    assert np.allclose(once.weights, often.weights)


@pytest.mark.parametrize("learner", LEARNERS)
def test_rows_held_out_choose_the_epoch(learner):
    from sklearn.model_selection import ShuffleSplit

    X, y = noisy()
    for validation in (0.25, ShuffleSplit(1, random_state=0), noisy(seed=9)):
        fitted = learner(validation=validation, max_epochs=12).fit(X, y)
        history = fitted.history_ if isinstance(fitted, induce.LMS) else fitted.histories_[0]
        assert len(history.validation) == 13
        if isinstance(validation, tuple) and not isinstance(fitted, induce.LMS):
            wrong = (fitted.predict(validation[0]) != validation[1]).mean()
            assert isinstance(fitted, induce.Adaline) or wrong == pytest.approx(history.validation.min())
    with pytest.raises(InputError, match=r"validation is 0\.001 of 80 rows, which leaves no rows"):
        learner(validation=0.001).fit(X, y)
    with pytest.raises(InputError, match="validation has 80 rows and 79 targets"):
        learner(validation=(X, y[:79])).fit(X, y)


def test_the_pocket_has_the_fewest_mistakes_of_weights_that_last():
    X, y = noisy(60)
    with trace("update") as events:
        learner = induce.Perceptron("pocket", max_epochs=10).fit(X, y)
    wrong = int((learner.predict(X) != y).sum())
    ends = learner.histories_[0].loss.min()
    assert wrong <= ends
    z = np.column_stack([np.ones(60), (X - X.mean(axis=0)) / X.std(axis=0)])
    counts = {tuple(e["weights"]): int(((z @ e["weights"] > 0) != y).sum()) for e in events}
    assert wrong in counts.values()


def test_classes_to_come_and_new_ones():
    X, y = noisy()
    learner = induce.Perceptron().partial_fit(X[:5], np.zeros(5, int), classes=[0, 1])
    learner.partial_fit(X, y)
    assert learner.classes_.tolist() == [0, 1]
    assert learner.score(X, y) > 0.6
    with pytest.raises(InputError, match="y has the class 2, for which there is no unit"):
        learner.partial_fit(X, y + 1)
    with pytest.raises(InputError, match="X has 80 rows, y has 79"):
        induce.LMS().partial_fit(X, y).partial_fit(X, y[:79])
    with pytest.raises(InputError, match=r"variant is 'averaged', .* validation has nothing to choose"):
        induce.Perceptron("averaged", validation=0.2).fit(X, y)


@pytest.mark.parametrize("learner", ["Perceptron", "Adaline", "LMS"])
def test_rows_to_choose_by_have_the_columns_of_the_others(learner):
    X, y = np.eye(4)[:, :3], [0, 1, 1, 0]
    with pytest.raises(
        InputError, match="validation does not have the columns of X: the rows have 2 columns"
    ):
        getattr(induce, learner)(validation=(X[:, :2], y)).fit(X, y)
    with pytest.raises(InputError, match="validation has no rows"):
        getattr(induce, learner)(validation=(X[:0], [])).fit(X, y)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_warm_start_keeps_columns_classes_and_parameters(learner):
    X, y = noisy()
    for changed, words in (
        ({"scale": None}, "scale is None, but"),
        ({"bias_input": "-1"}, "bias_input is '-1', but"),
    ):
        warm = learner(max_epochs=2, warm_start=True).fit(X, y)
        with pytest.raises(InputError, match=f"{words} the earlier training had"):
            warm.set_params(**changed).fit(X, y)
    warm = learner(max_epochs=2, warm_start=True).fit(X, y)
    with pytest.raises(
        InputError, match="X lacks the column 'x1', unlike in the training that warm_start continues"
    ):
        warm.fit(X[:, :1], y)
    if not isinstance(warm, induce.LMS):
        warm = learner(max_epochs=2, warm_start=True).fit(X, y)
        with pytest.raises(
            InputError, match=r"the classes are 'a', 'b', but in the training .* they were 0, 1"
        ):
            warm.fit(X, np.where(y == 1, "a", "b"))
