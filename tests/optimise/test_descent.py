"""Descent: the numbers of Mitchell's exercise 4.4, every direction and distance, stop rules, and runs that go on."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.trace import trace
from induce.optimise import Constant, Decay, Power, Stop, descend, fold_epochs, gradient_error, restart
from tests.optimise.objectives import LinearUnit, PassingUnit, Rosenbrock, grid

BEST = (-0.52, 0.2, 0.4)


def unit():
    return LinearUnit(*grid())


def errors(w):
    X, t = grid()
    return int(((np.column_stack([np.ones(25), X]) @ w > 0) != (t > 0)).sum())


@pytest.mark.parametrize(
    ("rate", "iterations", "weights", "loss", "wrong"),
    [
        (0.01, 1, (-0.13, 0.1, 0.2), 7.27125, 3),
        (0.01, 2, (-0.2275, 0.15, 0.3), 5.501953125, 3),
        (0.01, 5, (-0.3966015625, 0.19375, 0.3875), 4.315222492, 0),
        (0.01, 10, (-0.4907169724, 0.1998046875, 0.399609375), 4.130723465, 0),
        (0.01, 50, (-0.5199997055, 0.2, 0.4), 4.12, 0),
        (0.03, 1, (-0.39, 0.3, 0.6), 5.58125, 3),
        (0.03, 2, (-0.4875, 0.15, 0.3), 4.445703125, 2),
        (0.03, 5, (-0.5194921875, 0.20625, 0.4125), 4.124886036, 0),
        (0.001, 100, (-0.4786510093, 0.1988158942, 0.3976317883), 4.141547001, 0),
        (Power(0.03), 10, (-0.494735067, 0.2018547058, 0.4037094116), 4.128408952, 0),
        (Power(0.03), 100, (-0.5154687839, 0.2000566316, 0.4001132633), 4.120257050, 0),
    ],
)
def test_batch_gradient_descent_of_exercise_4_4(rate, iterations, weights, loss, wrong):
    found = descend(unit(), np.zeros(3), distance=rate, stop=Stop(max_epochs=iterations))
    assert np.allclose(found.w, weights, atol=5e-10)
    assert found.history.loss[-1] == pytest.approx(loss, abs=1e-8)
    assert errors(found.w) == wrong
    assert found.reason == f"max_epochs is {iterations}"


@pytest.mark.parametrize("objective", [LinearUnit, PassingUnit])
@pytest.mark.parametrize(
    ("rate", "epochs", "weights", "loss"),
    [
        (0.01, 1, (-0.1163822638, 0.0785339588, 0.1783863325), 7.753006382),
        (0.01, 10, (-0.4802133124, 0.2002251022, 0.4339418157), 4.168589694),
        (0.01, 100, (-0.520583015, 0.2025885696, 0.4351465491), 4.151053764),
        (0.03, 100, (-0.5221653718, 0.2022047645, 0.5053916603), 4.397865187),
    ],
)
def test_stochastic_gradient_descent_of_exercise_4_4(objective, rate, epochs, weights, loss):
    stop = Stop(max_epochs=epochs, every=epochs)
    found = descend(objective(*grid()), np.zeros(3), distance=rate, batch_size=1, order="given", stop=stop)
    assert np.allclose(found.w, weights, atol=5e-10)
    assert found.history.loss[-1] == pytest.approx(loss, abs=1e-8)


def test_a_rate_beyond_the_limit_is_reported():
    with pytest.warns(Note, match=r"the loss rose from 12.5 to 16630.4: the learning rate is too large"):
        found = descend(unit(), np.zeros(3), distance=0.05, stop=Stop(max_epochs=10))
    assert found.history.loss[[1, 2, 5, 10]] == pytest.approx(
        [15.58125, 29.445703, 292.4452, 16630.40], rel=1e-6
    )
    with pytest.raises(
        InputError, match=r"the loss became .* in epoch \d+: the learning rate 1e\+06 is too large"
    ):
        descend(unit(), np.zeros(3), distance=1e6, stop=Stop(max_epochs=1000))
    with pytest.raises(InputError, match="the learning rate 1e\\+06 is too large"):
        descend(PassingUnit(*grid()), np.zeros(3), distance=1e6, batch_size=1)


def test_steepest_descent_with_an_exact_line_search():
    with trace("update") as events:
        found = descend(unit(), np.zeros(3), distance="exact", stop=Stop(max_epochs=5))
    steps = [event["rate"] for event in events]
    assert steps[:4] == pytest.approx([0.0228913601, 0.0319331742] * 2, abs=1e-9)
    assert np.allclose(events[0]["weights"], (-0.2975876818, 0.2289136014, 0.4578272027), atol=1e-9)
    assert found.history.loss[[1, 5]] == pytest.approx([4.842840034, 4.120040016], abs=1e-8)


@pytest.mark.parametrize("direction", ["conjugate", "fletcher-reeves"])
def test_conjugate_gradients_need_two_steps(direction):
    with trace("update") as events:
        found = descend(unit(), np.zeros(3), direction=direction, stop=Stop(max_epochs=2))
    assert [event["rate"] for event in events] == pytest.approx([0.0228913601, 0.0349476831], abs=1e-9)
    assert np.allclose(found.w, BEST, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "epochs"),
    [
        ({"direction": "conjugate"}, 60),
        ({"direction": "newton"}, 30),
        ({"direction": "levenberg"}, 30),
        ({"direction": "lbfgs"}, 60),
        ({"direction": "adam", "distance": 0.05}, 4000),
        ({"direction": "momentum", "distance": 0.0005}, 6000),
        ({"distance": "backtracking"}, 20000),
    ],
)
def test_every_direction_gets_through_rosenbrocks_valley(settings, epochs):
    found = descend(
        Rosenbrock(), [-1.2, 1.0], stop=Stop(max_epochs=epochs, every=1, loss_below=1e-8), **settings
    )
    assert np.allclose(found.w, 1.0, atol=1e-3), str(found)


def test_momentum_multiplies_the_step_where_the_gradient_is_constant():
    class Slope:
        n_parameters, n_rows = 1, 1

        def loss(self, w, rows=None):
            return -float(w[0])

        def gradient(self, w, rows=None):
            return -float(w[0]), -np.ones(1)

    found = descend(Slope(), [0.0], distance=0.1, momentum=0.9, stop=Stop(max_epochs=400))
    assert -np.diff(found.history.loss)[-1] == pytest.approx(0.1 / (1 - 0.9))


def test_mini_batches_and_drawn_rows_reach_the_minimum_with_a_decaying_rate():
    for settings in ({"batch_size": 5}, {"batch_size": 1, "order": "drawn"}):
        found = descend(
            PassingUnit(*grid()),
            np.zeros(3),
            distance=Decay(0.02, 100),
            stop=Stop(max_epochs=400, every=100),
            **settings,
        )
        assert np.allclose(found.w, BEST, atol=0.02)


def test_schedules_state_their_conditions():
    assert Decay(1.0, 1000).converges
    assert float((Decay(1.0, 1000).rates(0, 2_000_000) ** 2).sum()) == pytest.approx(1000.0, abs=1.0)
    assert not Constant(0.1).converges
    assert [Power(1.0, p).converges for p in (0.5, 0.75, 1.0, 1.5)] == [False, True, True, False]


def test_stop_rules():
    below = descend(unit(), np.zeros(3), distance=0.01, stop=Stop(loss_below=4.2))
    assert below.history.loss[-1] < 4.2 <= below.history.loss[-2]
    idle = descend(unit(), np.zeros(3), distance=0.01, stop=Stop(tolerance=1e-9, patience=3))
    assert idle.epochs < 100
    assert idle.reason == "the loss improved by no more than 1e-09"
    flat = descend(unit(), np.zeros(3), distance=0.01, stop=Stop(gradient_below=1e-3))
    assert flat.reason == "no derivative exceeds 0.001"
    assert descend(unit(), BEST, direction="newton").reason == "no step lowers the loss"


CURVE = [0.9, 0.7, 0.5, 0.4, 0.45, 0.5, 0.42, 0.35, 0.3, 0.33, 0.40, 0.5, 0.6]


@pytest.mark.parametrize(
    ("rule", "epochs", "best"),
    [({"rise": 1.2}, 5, 3), ({"rise": 1.5}, 11, 8), ({}, 12, 8), ({"validation_patience": 3}, 6, 3)],
)
def test_early_stopping_returns_the_best_weights(rule, epochs, best):
    seen, validation = [], iter(CURVE)

    def measure(w):
        seen.append(w.copy())
        return next(validation)

    found = descend(unit(), np.zeros(3), distance=0.01, validation=measure, stop=Stop(max_epochs=12, **rule))
    assert (found.epochs, found.best_epoch) == (epochs, best)
    assert np.array_equal(found.best_w, seen[best])
    assert np.array_equal(found.w, seen[-1])


def test_checks_every_few_epochs():
    found = descend(
        unit(), np.zeros(3), distance=0.01, validation=lambda w: 1.0, stop=Stop(max_epochs=120, every=50)
    )
    assert found.history.epoch.tolist() == [0, 50, 100, 120]
    assert found.best_epoch == 0  # of equals the first


def test_epochs_by_folds():
    X, t = grid()
    counts = iter([100, 140, 90, 120, 150])
    seen = []

    def run(training, held_out):
        seen.extend(held_out.tolist())
        assert len(training) + len(held_out) == 25
        best = next(counts)
        values = iter([1.0 + abs(epoch - best) for epoch in range(0, 161, 10)])
        return descend(
            LinearUnit(X[training], t[training]),
            np.zeros(3),
            distance=0.01,
            validation=lambda w: next(values),
            stop=Stop(max_epochs=160, every=10),
        )

    found = fold_epochs(run, 25, n_folds=5)
    assert found.counts == (100, 140, 90, 120, 150)
    assert found.mean == 120
    assert sorted(seen) == list(range(25))


def test_restarts_choose_the_lowest_loss():
    class Waves:
        n_parameters, n_rows = 1, 1

        def loss(self, w, rows=None):
            return float(np.sin(3 * w[0]) + 0.1 * w[0] ** 2)

        def gradient(self, w, rows=None):
            return self.loss(w), np.array([3 * np.cos(3 * w[0]) + 0.2 * w[0]])

    found = restart(
        Waves(), lambda rng: rng.uniform(-4, 4, 1), n_starts=12, distance=0.02, stop=Stop(max_epochs=300)
    )
    assert found.best.w[0] == pytest.approx(-0.512, abs=0.01)
    assert len({round(float(run.w[0]), 2) for run in found.runs}) > 1


@pytest.mark.parametrize(
    "settings",
    [
        {"distance": 0.01, "batch_size": 1},
        {"distance": Decay(0.02, 50), "batch_size": 1, "order": "drawn", "momentum": 0.5},
        {"direction": "adam", "distance": 0.05, "batch_size": 4},
        {"direction": "momentum", "distance": 0.005},
        {"direction": "conjugate"},
        {"direction": "lbfgs"},
    ],
)
@pytest.mark.parametrize("objective", [LinearUnit, PassingUnit])
def test_a_run_continues_bit_for_bit(settings, objective, tmp_path):
    whole = descend(objective(*grid()), np.zeros(3), stop=Stop(max_epochs=12), random_state=3, **settings)
    first = descend(objective(*grid()), np.zeros(3), stop=Stop(max_epochs=5), random_state=3, **settings)
    rest = descend(objective(*grid()), np.zeros(3), stop=Stop(max_epochs=12), state=first.state, **settings)
    assert np.array_equal(rest.w, whole.w)
    assert rest.history == whole.history
    assert rest.state.generator == whole.state.generator


def test_a_state_is_data():
    from induce.core.codec import Decoder, Encoder

    first = descend(PassingUnit(*grid()), np.zeros(3), distance=0.01, batch_size=1, stop=Stop(max_epochs=5))
    arrays = []
    node = Encoder("state", "leave it out", arrays).encode(first.state, "state")
    state = Decoder(arrays.__getitem__).decode(node)
    again = [
        descend(
            PassingUnit(*grid()),
            np.zeros(3),
            distance=0.01,
            batch_size=1,
            stop=Stop(max_epochs=9),
            state=each,
        )
        for each in (first.state, state)
    ]
    assert np.array_equal(again[0].w, again[1].w)


def test_a_run_is_continued_under_the_same_settings_only():
    first = descend(unit(), np.zeros(3), distance=0.01, stop=Stop(max_epochs=2))
    with pytest.raises(InputError, match=r"distance is Constant\(rate=0.02\), but the run was started with"):
        descend(unit(), np.zeros(3), distance=0.02, state=first.state)


def test_ctrl_c_keeps_the_epochs_before_the_last_check():
    class Interrupted(PassingUnit):
        def epoch(self, w, *rest):
            found = super().epoch(w, *rest)
            if self.calls == 4:
                raise KeyboardInterrupt
            return found

    settings = {"distance": 0.01, "batch_size": 1, "random_state": 1}
    with pytest.warns(Note, match="interrupted: the 3 epochs found so far are kept"):
        found = descend(Interrupted(*grid()), np.zeros(3), stop=Stop(max_epochs=9), **settings)
    assert (found.epochs, found.reason) == (3, "interrupted")
    rest = descend(PassingUnit(*grid()), np.zeros(3), stop=Stop(max_epochs=9), state=found.state, **settings)
    whole = descend(PassingUnit(*grid()), np.zeros(3), stop=Stop(max_epochs=9), **settings)
    assert np.array_equal(rest.w, whole.w)


@pytest.mark.parametrize("every", [1, 4])
def test_passes_do_not_depend_on_checks_or_traces(every):
    settings = {"distance": Decay(0.05, 30), "batch_size": 1, "momentum": 0.3}
    plain = descend(PassingUnit(*grid()), np.zeros(3), stop=Stop(max_epochs=8), **settings)
    with induce.trace() as events:
        traced = descend(PassingUnit(*grid()), np.zeros(3), stop=Stop(max_epochs=8, every=every), **settings)
    assert np.array_equal(plain.w, traced.w)
    kinds = [event.kind for event in events]
    assert (kinds.count("update"), kinds.count("epoch"), kinds.count("stop")) == (200, 8 // every + 1, 1)
    assert np.array_equal(events[-3]["weights"], traced.w)


def test_the_loss_seen_on_the_way():
    passing = PassingUnit(*grid())
    found = descend(passing, np.zeros(3), distance=0.01, batch_size=1, running=True, stop=Stop(max_epochs=3))
    assert found.history.loss[0] == 12.5
    assert found.history.loss[1] > passing.loss(found.w)


def test_bad_settings_are_named():
    for settings, message in [
        ({}, "direction is 'gradient', but distance is missing"),
        ({"direction": "down"}, "direction is 'down'; give one of"),
        ({"distance": "far"}, "distance is 'far'; it can be"),
        ({"distance": 0.0}, "the learning rate is 0.0; give a finite number above 0"),
        ({"distance": 0.1, "momentum": 1.0}, "momentum is 1.0"),
        ({"direction": "newton", "batch_size": 2}, "which uses all rows for each update"),
        ({"distance": 0.1, "order": "sorted"}, "order is 'sorted'"),
    ]:
        with pytest.raises(InputError, match=message):
            descend(unit(), np.zeros(3), **settings)
    with pytest.raises(InputError, match="w has 2 weights, but the objective has 3"):
        descend(unit(), np.zeros(2), distance=0.1)
    with pytest.raises(InputError, match="which needs hessian"):
        descend(
            type(
                "Bare",
                (),
                {"n_parameters": 1, "n_rows": 1, "loss": None, "gradient": lambda *a: (1.0, np.ones(1))},
            )(),
            [0.0],
            direction="newton",
        )
    with pytest.raises(InputError, match=r"rise is 0\.9"):
        Stop(rise=0.9)


def test_gradients_are_checked_by_differences():
    assert gradient_error(unit(), np.array([0.3, -0.2, 0.7])) < 1e-8
    assert gradient_error(Rosenbrock(), np.array([-1.2, 1.0])) < 1e-7


def test_errors_left_by_stochastic_descent():
    """Exercise 4.4: rows on the wrong side after 1, 10 and 100 epochs of the rate 0.01, and 100 of 0.03."""
    for rate, epochs, wrong in ((0.01, 1, 3), (0.01, 10, 0), (0.01, 100, 0), (0.03, 100, 1)):
        stop = Stop(max_epochs=epochs, every=epochs)
        found = descend(
            PassingUnit(*grid()), np.zeros(3), distance=rate, batch_size=1, order="given", stop=stop
        )
        assert errors(found.w) == wrong


def test_batch_descent_diverges_above_twice_the_largest_curvature():
    """The curvatures of exercise 4.4's error are 25, 50 and 50, so that the limit of the rate is 0.04."""
    X, _ = grid()
    columns = np.column_stack([np.ones(25), X])
    assert np.linalg.eigvalsh(columns.T @ columns) == pytest.approx([25, 50, 50])
    below = descend(unit(), np.zeros(3), distance=0.0399, stop=Stop(max_epochs=3000))
    assert np.allclose(below.w, BEST, atol=1e-2)
    with pytest.warns(Note, match="the learning rate is too large"):
        above = descend(unit(), np.zeros(3), distance=0.0401, stop=Stop(max_epochs=3000))
    assert above.history.loss[-1] > 100


def test_the_second_conjugate_direction():
    """Exercise 4.4: the share of the first direction that the second keeps is 0.0618340491."""
    objective = unit()
    with trace("update") as events:
        descend(objective, np.zeros(3), direction="fletcher-reeves", stop=Stop(max_epochs=2))
    places = [np.zeros(3), *(event["weights"] for event in events)]
    rates = [event["rate"] for event in events]
    first, second = ((places[k + 1] - places[k]) / rates[k] for k in (0, 1))
    falls = -objective.gradient(places[1])[1]
    share = (second - falls) / first
    assert share == pytest.approx([0.0618340491] * 3, abs=1e-8)
