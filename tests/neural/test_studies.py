"""The books' experiments with networks; what takes thousands of updates runs compiled."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import Network, NetworkObjective

pytestmark = pytest.mark.compiled

EIGHT = np.eye(8)
XOR, ODD = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), ["no", "yes", "yes", "no"]


def by_the_book(**settings: object) -> dict[str, object]:
    return {"solver": "gradient", "weight_decay": 0, "tol": 0, **settings}


def test_eight_values_through_three_units():
    """Figure 4.7: all are learned from every start, with eight different codes from most."""
    codes = []
    for seed in range(5):
        learner = induce.NeuralNetworkRegressor(
            **by_the_book(
                hidden=3, output="sigmoid", scale=None, learning_rate=0.3, init=0.1, max_epochs=5000
            ),
            random_state=seed,
        )
        network = learner.fit(EIGHT, EIGHT).hypothesis_
        said = network.predict(EIGHT)
        assert said.argmax(axis=1).tolist() == list(range(8))
        assert np.square(said - EIGHT).sum() < 0.2
        codes.append(len({tuple(code) for code in (network.codes(EIGHT) > 0.5).tolist()}))
    assert sum(found == 8 for found in codes) >= 3


def test_exclusive_or_from_several_starts():
    """Three hidden units learn it from every start tried; two may be caught in a local minimum."""
    settings = by_the_book(
        hidden=3, loss="squared", learning_rate=0.3, momentum=0.9, init=0.5, scale=None, max_epochs=2000
    )
    for seed in range(4):
        learner = induce.NeuralNetworkClassifier(**settings, random_state=seed).fit(XOR, ODD)
        assert learner.predict(XOR).tolist() == ODD


VOWELS = {
    "heed": (270, 2290), "hid": (390, 1990), "head": (530, 1840), "had": (660, 1720), "hud": (520, 1190),
    "hod": (730, 1090), "hawed": (570, 840), "hood": (440, 1020), "who'd": (300, 870), "heard": (490, 1350),
}  # fmt: skip


def vowels(n: int, seed: int) -> tuple[pl.DataFrame, list[str]]:
    rng = np.random.default_rng(seed)
    rows = np.concatenate([np.array(mean) * (1 + 0.08 * rng.normal(size=(n, 2))) for mean in VOWELS.values()])
    return pl.DataFrame(rows, ["F1", "F2"]), [name for name in VOWELS for _ in range(n)]


def test_vowels():
    """Figure 4.5: regions with hidden units are right where straight lines are not."""
    X, y = vowels(75, 0)
    held, truth = vowels(200, 1)
    settings = by_the_book(loss="squared", learning_rate=0.1, init=0.5)
    network = induce.NeuralNetworkClassifier(**settings, hidden=12, max_epochs=300).fit(X, y)
    assert network.score(held, truth) == pytest.approx(0.885, abs=0.02)
    flat = induce.NeuralNetworkClassifier(**settings, hidden=(), max_epochs=100).fit(X, y)
    assert flat.score(held, truth) < 0.76


def loans(n: int, seed: int) -> tuple[pl.DataFrame, np.ndarray, np.ndarray]:
    """Applicants for loans, whether each repaid, and the probability of that."""
    rng = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "age": rng.uniform(20, 70, n),
            "balance": rng.uniform(-2, 20, n),
            "employed": rng.integers(0, 2, n),
            "history": rng.integers(-1, 2, n),
        }
    )
    net = -2 + 0.25 * X["balance"] + 0.02 * (X["age"] - 40) + X["employed"] + X["history"]
    p = 1 / (1 + np.exp(-net.to_numpy()))
    return X, np.where(rng.random(n) < p, "repaid", "not"), p


def test_probabilities_of_loans():
    """Cross entropy gives probabilities: a single unit comes near the true ones (section 6.5)."""
    X, y, _ = loans(1000, 0)
    held, repaid, p = loans(4000, 1)
    unit = induce.NeuralNetworkClassifier(hidden=(), weight_decay=0.01).fit(X, y)
    said = unit.predict_proba(held)[:, 1]
    assert np.abs(said - p).mean() < 0.04
    assert unit.score(held, repaid) == pytest.approx(0.79, abs=0.02)
    weights = unit.hypothesis_.weights()
    per_unit = dict(zip(weights["source"], weights["per unit"], strict=True))
    assert per_unit["balance"] == pytest.approx(0.25, abs=0.06)
    assert per_unit["employed"] == pytest.approx(1.0, abs=0.4)


def test_earthquakes():
    """Figure 18.15: the clean records are told apart, and no line gets below three errors on the noisy ones."""
    X, y = induce.dataset("earthquakes")
    assert induce.NeuralNetworkClassifier(hidden=(), weight_decay=0.001).fit(X, y).score(X, y) == 1.0
    noisy, label = induce.dataset("earthquakes-noisy")
    line = induce.NeuralNetworkClassifier(hidden=()).fit(noisy, label)
    assert 3 <= round((1 - line.score(noisy, label)) * len(label)) <= 6


def test_majority():
    """Figure 18.22: a single unit learns the majority of eleven inputs quickly, a tree does not."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (1100, 11)).astype(float)
    y = np.where(X.sum(axis=1) > 5, "most", "few")
    unit = induce.NeuralNetworkClassifier(hidden=()).fit(X[:100], y[:100]).score(X[100:], y[100:])
    tree = induce.DecisionTreeClassifier().fit(X[:100], y[:100]).score(X[100:], y[100:])
    assert unit > 0.92 > 0.85 > tree


def test_one_output_learns_the_mean():
    """Exercise 20.19: of targets 1, 1, 1, 1, 0 for one input, a unit learns 0.8."""
    learner = induce.NeuralNetworkRegressor(hidden=(), output="sigmoid", weight_decay=0, max_epochs=100)
    assert learner.fit([[1.0]] * 5, [1, 1, 1, 1, 0]).predict([[1.0]])[0] == pytest.approx(0.8, abs=1e-3)


def test_small_rates_come_near_the_true_gradient():
    """Exercise 4.6: a pass example by example is the true gradient only as the rate goes to 0."""
    rng = np.random.default_rng(0)
    network = Network.layered(3, 2, 1).with_weights(rng.normal(size=11))
    objective = NetworkObjective(network, rng.normal(size=(20, 3)), rng.random((20, 1)))
    gradient, apart = objective.gradient(network.weights)[1], []
    for rate in (0.1, 0.01, 0.001):
        w = network.weights.copy()
        objective.epoch(w, np.zeros(11), np.arange(20), np.full(20, rate), 0.0)
        apart.append(float(np.abs((network.weights - w) / rate - gradient).max()))
    assert apart[0] > 5 * apart[1] > 25 * apart[2]


def test_vowels_by_neighbours_and_at_best():
    """The overlap of the vowels leaves about a tenth: 91 % is the best, five neighbours get 88 %."""
    X, y = vowels(75, 0)
    held, truth = vowels(200, 1)
    names = np.array(list(VOWELS))
    means = np.array(list(VOWELS.values()), float)
    apart = (held.to_numpy()[:, np.newaxis] - means) / (0.08 * means)
    likely = -0.5 * np.square(apart).sum(axis=2) - np.log(means).sum(axis=1)
    assert (names[likely.argmax(axis=1)] == truth).mean() == pytest.approx(0.906, abs=0.015)
    five = induce.KNeighborsClassifier(5).fit(X, y).score(held, truth)
    assert five == pytest.approx(0.88, abs=0.02)
    settings = by_the_book(loss="squared", learning_rate=0.1, init=0.5)
    flat = induce.NeuralNetworkClassifier(**settings, hidden=(), max_epochs=100).fit(X, y)
    assert flat.score(held, truth) == pytest.approx(0.695, abs=0.04)


def test_likelihood_finds_the_weights_of_loans():
    """Maximum likelihood on 1,000 applicants comes near the true weights, and near the best that can be said."""
    held, repaid, p = loans(20_000, 100)
    truth = repaid == "repaid"
    assert truth.mean() == pytest.approx(0.626, abs=0.015)
    assert ((p > 0.5) == truth).mean() == pytest.approx(0.792, abs=0.01)
    assert -np.mean(np.where(truth, np.log(p), np.log(1 - p))) == pytest.approx(0.442, abs=0.012)
    assert np.mean((truth - p) ** 2) == pytest.approx(0.143, abs=0.005)
    found, scores, losses, away = [], [], [], []
    for seed in range(8):
        X, y, _ = loans(1000, seed)
        learner = induce.LogisticRegression().fit(X, y)
        model = learner.hypothesis_
        said = learner.predict_proba(held)[:, list(learner.classes_).index("repaid")]
        found.append(np.append(model.intercepts, model.weights[0]))
        scores.append(learner.score(held, repaid))
        losses.append(-np.mean(np.where(truth, np.log(said), np.log(1 - said))))
        away.append(np.abs(said - p).mean())
    assert np.mean(found, axis=0) == pytest.approx([-2.8, 0.02, 0.25, 1.0, 1.0], abs=0.25)
    assert np.mean(found, axis=0)[2] == pytest.approx(0.25, abs=0.02)
    assert np.mean(scores) == pytest.approx(0.791, abs=0.01)
    assert np.mean(losses) == pytest.approx(0.446, abs=0.012)
    assert np.mean(away) == pytest.approx(0.022, abs=0.01)


def test_exclusive_or_by_the_number_of_hidden_units():
    """Targets 0.1 and 0.9, rate 0.3, momentum 0.9: three or four units always get there within 5,000 epochs."""
    settings = by_the_book(
        loss="squared", learning_rate=0.3, momentum=0.9, init=0.5, scale=None, max_epochs=1500
    )
    for hidden, least in ((2, 7), (3, 10), (4, 10)):
        there = 0
        for seed in range(10):
            network = induce.NeuralNetworkClassifier(hidden=hidden, **settings, random_state=seed)
            said = network.fit(XOR, ODD).hypothesis_.outputs(XOR).ravel()
            right = ((said > 0.5) == [False, True, True, False]).all()
            there += int(right and 0.5 * np.square(said - [0.1, 0.9, 0.9, 0.1]).sum() < 0.01)
        assert there >= least


def test_memories_break_down_above_their_capacity():
    """Random patterns are recalled up to about 0.138 for each unit, and lost beyond it."""
    from induce.neural import capacity_curve

    curve = dict(capacity_curve(200, (0.05, 0.1, 0.18, 0.25), trials=2))
    assert curve[0.05] > 0.99
    assert curve[0.1] > 0.97
    assert curve[0.18] < 0.9
    assert curve[0.25] < 0.7


def test_projection_keeps_patterns_that_hebb_blurs() -> None:
    from induce.data.images import generated_faces
    from induce.neural import HopfieldNetwork

    images = generated_faces(1).X.to_numpy()[::3].astype(float)
    faces = np.where(images > np.median(images, axis=1, keepdims=True), 1.0, -1.0)

    def kept(rule: str) -> int:
        memory = HopfieldNetwork.storing(faces, rule=rule)
        return sum(bool((memory.recall(face, max_sweeps=5).state == face).all()) for face in faces)

    assert kept("projection") == len(faces) == 11
    assert kept("hebb") <= 2
    with pytest.raises(InputError, match="rule is 'storkey'"):
        HopfieldNetwork.storing(faces, rule="storkey")


def test_neighbours_and_machines_do_not_see_where_pixels_are() -> None:
    """AIMA 18.11.1 (SL-118): one permutation of the pixels of all images changes no prediction."""
    from induce.data.images import generated_digits

    X, y = generated_digits(160, random_state=3)
    pixels = X.to_numpy() / 255.0
    order = np.random.default_rng(0).permutation(pixels.shape[1])
    for learner in (
        induce.KNeighborsClassifier(3, metric="euclidean"),
        induce.SVM(kernel="gaussian", scale=None),
    ):
        plain = learner.fit(pixels[:110], y[:110]).predict(pixels[110:])
        mixed = learner.fit(pixels[:110][:, order], y[:110]).predict(pixels[110:][:, order])
        assert (plain == mixed).all()
