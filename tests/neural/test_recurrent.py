"""Networks in time: unfolding, settling, and memories (Mitchell §4.8.3, AIMA §20.5)."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.neural import (
    BoltzmannMachine,
    HopfieldNetwork,
    RecurrentNetwork,
    capacity_curve,
    real_time_gradient,
    settle,
)


def small(tie: str = "sum") -> RecurrentNetwork:
    """b(t) = s(.1 + .2 x + .3 c), c(t) = b(t - 1), y = s(-.1 + .4 b)."""
    recurrent = RecurrentNetwork.elman(1, 1, 1, tie=tie)
    network = recurrent.network.set("hidden", [0.1]).set(("inputs", "hidden"), [[0.2]])
    network = network.set(("hidden", "hidden", 1), [[0.3]]).set(("hidden", "outputs"), [[0.4]])
    return RecurrentNetwork(network.set("outputs", [-0.1]))


X, T = np.array([[[1.0], [0.0], [1.0]]]), np.array([[[1.0], [1.0], [0.0]]])
PLACES = ["hidden", ("inputs", "hidden"), ("hidden", "hidden", 1), "outputs", ("hidden", "outputs")]


def in_order(recurrent: RecurrentNetwork) -> list[float]:
    return [float(recurrent.network.get(where).ravel()[0]) for where in PLACES]


def test_unfolding():
    recurrent = small()
    assert recurrent.run(X[0]).ravel() == pytest.approx([0.53239879, 0.53172388, 0.53648053], abs=1e-8)
    unfolded = recurrent.unfolded(3)
    assert unfolded.n_weights == 5
    said = [float(unfolded.said(f"hidden@{step}", X.reshape(1, 3))[0, 0]) for step in (1, 2, 3)]
    assert said == pytest.approx([0.57444252, 0.56766550, 0.61545468], abs=1e-8)
    objective = recurrent.objective(X, T)
    loss, gradient = objective.gradient(unfolded.weights)
    assert loss == pytest.approx(0.3628723862, abs=1e-10)
    falls = recurrent.folded(unfolded.with_weights(-gradient))
    assert in_order(falls) == pytest.approx(
        [0.01004123, -0.00047516, -0.00112816, 0.09960106, 0.05095362], abs=1e-8
    )


@pytest.mark.parametrize(
    ("tie", "weights"),
    [
        ("sum", [0.10301237, 0.19985745, 0.29966155, -0.07011968, 0.41528609]),
        ("mean", [0.10100412, 0.19995248, 0.29988718, -0.09003989, 0.40509536]),
    ],
)
def test_one_step_by_the_sum_and_by_the_mean_of_copies(tie, weights):
    recurrent = small(tie)
    unfolded = recurrent.unfolded(3)
    gradient = recurrent.objective(X, T).gradient(unfolded.weights)[1]
    moved = recurrent.folded(unfolded.with_weights(unfolded.weights - 0.3 * gradient))
    assert in_order(moved) == pytest.approx(weights, abs=1e-7)


def test_errors_of_the_copies():
    """What each copy of a unit contributes: its error is the fall of the loss by its own bias."""
    recurrent = small()
    objective = recurrent.objective(X, T)
    unfolded = recurrent.unfolded(3, shared=False)
    apart = type(objective)(unfolded, objective.X, objective.T)
    falls = unfolded.with_weights(-apart.gradient(unfolded.weights)[1])
    errors = [[float(falls.get(f"{unit}@{step}")[0]) for step in (1, 2, 3)] for unit in ("outputs", "hidden")]
    assert errors[0] == pytest.approx([0.11640947, 0.11659776, -0.13340617], abs=1e-8)
    assert errors[1] == pytest.approx([0.01215415, 0.01051638, -0.01262931], abs=1e-8)


def test_copies_that_are_averaged_after_training():
    """The book's words: train the copies, then take their mean. After one step it is the mean of their steps."""
    recurrent = small()
    trained, _ = recurrent.train(
        X, T, solver="gradient", learning_rate=0.3, init=None, max_epochs=1, copies="free"
    )
    expected = [0.10100412, 0.19995248, 0.29988718, -0.09003989, 0.40509536]
    assert in_order(trained) == pytest.approx(expected, abs=1e-7)
    settings = {"solver": "gradient", "learning_rate": 0.3, "init": None, "max_epochs": 200}
    shared, free = (recurrent.train(X, T, copies=each, **settings)[0] for each in ("shared", "free"))
    losses = [each.objective(X, T).loss(each.unfolded(3).weights) for each in (shared, free)]
    assert losses[0] < losses[1]  # copies that fit their own steps do not fit all as a mean
    with pytest.raises(InputError, match="copies is 'some'"):
        recurrent.train(X, T, copies="some")


def test_a_window_of_earlier_inputs():
    """Figure 4.11: a fixed window is a delayed copy of the inputs, without feedback."""
    recurrent = RecurrentNetwork.window(1, 2, 3, 1)
    assert {link.delay for link in recurrent.network.links} == {0, 1, 2}
    rng = np.random.default_rng(0)
    recurrent = RecurrentNetwork(recurrent.network.with_weights(rng.normal(size=recurrent.network.n_weights)))
    sequence = rng.normal(size=(5, 1))
    later = np.concatenate([rng.normal(size=(3, 1)), sequence])
    assert recurrent.run(sequence)[2:] == pytest.approx(recurrent.run(later)[5:])  # only three inputs matter
    assert RecurrentNetwork.window(1, 0, 3, 1).run(sequence).shape == (5, 1)
    with pytest.raises(InputError, match="before is -1"):
        RecurrentNetwork.window(1, -1, 3, 1)


def test_what_units_said_before_the_first_step():
    recurrent = RecurrentNetwork(small().network, initial=0.5)
    b = 1 / (1 + np.exp(-(0.1 + 0.2 * 1.0 + 0.3 * 0.5)))
    assert recurrent.run(X[0])[0, 0] == pytest.approx(1 / (1 + np.exp(-(-0.1 + 0.4 * b))))
    objective = recurrent.objective(X, T)
    gradient = recurrent.folded(
        objective.network.with_weights(objective.gradient(objective.network.weights)[1])
    )
    assert real_time_gradient(recurrent, X[0], T[0])[0] == pytest.approx(gradient.network.weights)
    trained, _ = recurrent.train(X, T, max_epochs=5)
    assert trained.initial == 0.5


def test_steps_without_targets():
    """A target at the last step only, and one in the middle."""
    recurrent = small()
    holes = T.copy()
    holes[:, 0] = np.nan
    objective = recurrent.objective(X, holes)
    y = np.array([0.53172388, 0.53648053])
    assert objective.loss(objective.network.weights) == pytest.approx(
        0.5 * np.square(y - [1, 0]).sum(), abs=1e-8
    )
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (40, 4, 1)).astype(float)
    last = np.full((40, 4, 1), np.nan)
    last[:, 3] = 0.1 + 0.8 * bits[:, 1]
    trained, _ = RecurrentNetwork.elman(1, 4, 1).train(bits, last, max_epochs=300, random_state=1)
    said = np.array([trained.run(each)[3, 0] for each in bits])
    assert ((said > 0.5) == (bits[:, 1, 0] > 0.5)).mean() > 0.9
    mixed = np.repeat(T, 2, axis=0)
    mixed[0, 0] = np.nan
    with pytest.raises(InputError, match="must be NaN in all sequences of a step or in none"):
        recurrent.objective(np.repeat(X, 2, axis=0), mixed)


def test_a_recurrent_network_is_kept_in_a_file(tmp_path):
    from induce.core.codec import Decoder, Encoder

    arrays: list = []
    node = Encoder("network", "leave it out", arrays).encode(
        RecurrentNetwork(small().network, 0.5), "network"
    )
    again = Decoder(arrays.__getitem__).decode(node)
    assert again.initial == 0.5
    assert again.run(X[0]).tolist() == RecurrentNetwork(small().network, 0.5).run(X[0]).tolist()


def test_the_loop_by_example_agrees():
    recurrent = small()
    objective = recurrent.objective(X, T)
    w = objective.network.weights.copy()
    gradient = objective.gradient(w)[1]
    moved = w.copy()
    objective.epoch(moved, np.zeros_like(w), np.array([0]), np.array([0.3]), 0.0)
    assert moved == pytest.approx(w - 0.3 * gradient, abs=1e-14)


def test_a_memory_of_one_step():
    """What came one step before: no network without feedback can say it."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 6, 1)).astype(float)
    T = np.concatenate([np.full((30, 1, 1), 0.5), 0.1 + 0.8 * X[:, :-1]], axis=1)
    trained, found = RecurrentNetwork.elman(1, 3, 1).train(X, T, max_epochs=200)
    said = np.stack([trained.run(each) for each in X[:5]])
    assert ((said[:, 1:] > 0.5) == (T[:5, 1:] > 0.5)).all()
    assert found.history.loss[-1] < found.history.loss[0]
    assert RecurrentNetwork.jordan(1, 2, 1).run(X[0]).shape == (6, 1)


def test_sequences_that_do_not_fit():
    with pytest.raises(InputError, match="sequences and targets need three axes"):
        small().train([[1.0, 0.0]], [[1.0, 0.0]])
    with pytest.raises(InputError, match="the network has delayed links; use RecurrentNetwork"):
        small().network([[1.0]])
    with pytest.raises(InputError, match="steps is 0"):
        small().unfolded(0)


def test_systems_of_threshold_units():
    cycle = settle(lambda s: [float(0.5 - s[1] > 0), float(s[0] - 0.5 > 0)], [0, 0])
    assert cycle.states == ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))

    def memory(s):
        return [float(s[0] + s[1] - 0.5 > 0), float(s[0] + s[1] - 1.5 > 0)]

    ends = {start: settle(memory, start).states[-1] for start in [(0, 0), (1, 0), (1, 1), (0, 1)]}
    assert ends == {(0, 0): (0, 0), (1, 0): (1, 0), (1, 1): (1, 1), (0, 1): (1, 0)}
    assert settle(lambda s: s + 1, [0.0], max_steps=5).kind == "neither"


def test_a_piece_of_a_picture_brings_back_the_picture():
    letters = {
        "T": "#####..#....#....#....#..",
        "L": "#....#....#....#....#####",
        "X": "#...#.#.#...#...#.#.#...#",
    }
    patterns = np.array([[1.0 if dot == "#" else -1.0 for dot in text] for text in letters.values()])
    memory = HopfieldNetwork.storing(patterns)
    for pattern in patterns:
        piece = np.where(np.arange(25) < 15, pattern, 0.0)  # the last two lines are not known
        recall = memory.recall(piece)
        assert recall.settled
        assert recall.state.tolist() == pattern.tolist()
        assert (np.diff(recall.energies) <= 1e-9).all()
    assert memory.draw(recall, (5, 5)).axes


def test_energy_never_rises():
    rng = np.random.default_rng(0)
    memory = HopfieldNetwork.storing(np.where(rng.random((6, 30)) < 0.5, -1, 1), normalise=True)
    for seed in range(5):
        recall = memory.recall(np.where(rng.random(30) < 0.5, -1, 1), order="random", random_state=seed)
        assert (np.diff(recall.energies) <= 1e-12).all()
        assert recall.settled


def test_capacity():
    curve = dict(capacity_curve(60, (0.05, 0.4), trials=2))
    assert curve[0.05] > 0.98 > curve[0.4]


def test_what_is_no_memory():
    with pytest.raises(InputError, match="patterns contain values other than -1 and 1"):
        HopfieldNetwork.storing([[0, 1]])
    with pytest.raises(InputError, match="state does not match the units; give 2 numbers"):
        HopfieldNetwork.storing([[1, -1]]).recall([1])
    with pytest.raises(InputError, match="symmetric"):
        HopfieldNetwork(np.array([[0.0, 1.0], [2.0, 0.0]])).check()


def test_copies_of_all_weights_are_shared():
    assert [small().unfolded(steps).n_weights for steps in (1, 4)] == [5, 5]


def test_gradients_carried_forward_in_time():
    """Real-time recurrent learning gives the gradient of the unfolded network."""
    gradient, carried = real_time_gradient(small(), X[0], T[0])
    falls = RecurrentNetwork(small().network.with_weights(-gradient))
    assert in_order(falls) == pytest.approx(
        [0.01004123, -0.00047516, -0.00112816, 0.09960106, 0.05095362], abs=1e-8
    )
    network = small().network
    for step, expected in enumerate(
        [
            (0.24445831, 0.24445831, 0.0),
            (0.26341997, 0.01799859, 0.14098048),
            (0.25537332, 0.23794814, 0.14435928),
        ]
    ):
        at = RecurrentNetwork(network.with_weights(carried[step, 0]))
        assert in_order(at)[:3] == pytest.approx(expected, abs=1e-8)
    rng = np.random.default_rng(0)
    wide = RecurrentNetwork.elman(2, 3, 2)
    wide = RecurrentNetwork(wide.network.with_weights(rng.normal(size=wide.network.n_weights)))
    sequence, targets = rng.normal(size=(5, 2)), rng.random((5, 2))
    objective = wide.objective(sequence[np.newaxis], targets[np.newaxis])
    unfolded = objective.gradient(objective.network.weights)[1]
    folded = wide.folded(objective.network.with_weights(unfolded)).network.weights
    assert real_time_gradient(wide, sequence, targets)[0] == pytest.approx(folded)
    with pytest.raises(InputError, match="make one by"):
        real_time_gradient(RecurrentNetwork.jordan(1, 1, 1), X[0], T[0])


def test_two_units_of_a_boltzmann_machine():
    machine = BoltzmannMachine.blank(2)
    data = [[1, 1]] * 6 + [[0, 0]] * 4  # both fire in 6 of 10
    found = [float(machine.train(data, steps=k, biases=False).weights[0, 1]) for k in range(1, 6)]
    assert found == pytest.approx([0.35, 0.628876, 0.844198, 1.007460, 1.130233], abs=1e-6)
    limit = machine.train(data, steps=200, biases=False)
    assert limit.weights[0, 1] == pytest.approx(np.log(4.5), abs=1e-6)
    pair = BoltzmannMachine(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2), 2)
    assert pair.probabilities() == pytest.approx([0.174878, 0.174878, 0.174878, 0.475367], abs=1e-6)
    drawn = pair.sample(2000, sweeps=5)
    assert (drawn.sum(axis=1) == 2).mean() == pytest.approx(0.475, abs=0.05)


def test_hidden_units_learn_what_pairs_cannot_say():
    """Three units with an even number of ones: all pairs look independent, so that weights alone learn nothing."""
    even = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
    without = BoltzmannMachine.blank(3).train(even, steps=100)
    assert without.score_samples(even).mean() == pytest.approx(np.log(1 / 8), abs=1e-6)
    hidden = BoltzmannMachine.blank(3, 2).train(even, rate=2.0, steps=400)
    assert hidden.score_samples(even).mean() > np.log(1 / 8) + 0.05


def test_machines_that_are_none():
    with pytest.raises(InputError, match="symmetric"):
        BoltzmannMachine(np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros(2), 2).check()
    with pytest.raises(InputError, match="give 2 values per pattern, each 0 or 1"):
        BoltzmannMachine.blank(2).train([[2, 0]])
    with pytest.raises(InputError, match="too many to enumerate their states"):
        BoltzmannMachine.blank(20).probabilities()


def test_running_step_by_step_is_what_the_unfolded_network_says():
    """For feedback of hidden units, of outputs, and for a window; with what was said before the first step."""
    rng = np.random.default_rng(0)
    for made in (
        RecurrentNetwork.elman(2, 3, 2),
        RecurrentNetwork.jordan(2, 3, 2),
        RecurrentNetwork.window(2, 2, 3, 2),
    ):
        for initial in (0.0, 0.3):
            drawn = made.network.with_weights(rng.normal(size=made.network.n_weights))
            recurrent = RecurrentNetwork(drawn, initial)
            sequence = rng.normal(size=(6, 2))
            whole = recurrent.unfolded(6)(sequence.ravel()[np.newaxis]).reshape(6, 2)
            assert recurrent.run(sequence) == pytest.approx(whole, abs=1e-14)
    with pytest.raises(InputError, match="the sequence has 1 columns, but the network has 2 inputs"):
        recurrent.run([[1.0], [2.0]])


def test_one_wrong_unit_is_put_right():
    """Two patterns by Hebb's rule: a sweep changes unit 4 alone, and the energy falls from -12 to -24."""
    first, second = [1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1]
    memory = HopfieldNetwork.storing([first, second])
    recall = memory.recall([1, 1, 1, -1, -1, -1, -1, -1])
    assert recall.energies.tolist() == [-12, -24, -24]
    assert np.flatnonzero(recall.states[0] != recall.states[1]).tolist() == [3]
    assert recall.state.tolist() == first
