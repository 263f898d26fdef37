"""Numbers of Mitchell, chapter 12: refinement epoch by epoch, exercises 12.1 to 12.5; and odd rules."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.declarations import WAYS, learners
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.numeric_view import NumericView
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge import damaged_rules, knowledge_report
from induce.knowledge.encoding import Encoding
from induce.neural import Group, Link, Network, NetworkObjective, Slopes
from tests.knowledge.cup import TEXT, X, is_cup, theory

ROWS = X.to_numpy() == "yes"
NAMES = list(X.columns)
MIDDLE = ("graspable", "stable", "liftable", "open_vessel")
STATED = {
    "stable": (["BottomIsFlat"], -2.0),
    "graspable": (["HasHandle"], -2.0),
    "liftable": (["Light"], -6.0),
    "open_vessel": (["HasConcavity", "ConcavityPointsUp"], -6.0),
}


def cup_network(rng: np.random.Generator, stated: bool = True) -> Network:
    """Return the network of Figure 12.2: twelve inputs, all of them linked to the four concepts."""
    groups = [Group("x", 12, "input"), *(Group(name, 1, "sigmoid") for name in (*MIDDLE, "cup"))]
    links = [Link("x", name) for name in MIDDLE] + [Link("graspable", "liftable")]
    links += [Link(name, "cup") for name in ("stable", "liftable", "open_vessel")]
    network = Network.of(groups, links)
    network = network.with_weights(rng.uniform(-0.01, 0.01, network.n_weights))
    if not stated:
        return network
    for name, (inputs, bias) in STATED.items():
        weights = network.get(("x", name))
        weights[[NAMES.index(each) for each in inputs]] = 4.0
        network = network.set(("x", name), weights).set(name, [bias])
    network = network.set(("graspable", "liftable"), [[4.0]]).set("cup", [-10.0])
    for name in ("stable", "liftable", "open_vessel"):
        network = network.set((name, "cup"), [[4.0]])
    return network


def trained(network: Network, enough: object, most: int = 200) -> tuple[Network, int]:
    """Descend the halved sum of squares by 0.3 until enough; return the network and the number of epochs."""
    rows, targets = np.asarray(ROWS, float), is_cup[:, np.newaxis].astype(float)
    objective = NetworkObjective(network, rows, targets)
    weights = network.weights.copy()
    for epoch in range(1, most + 1):
        weights -= 0.3 * objective.gradient(weights)[1]
        network = network.with_weights(weights)
        if enough(network(rows)[:, 0] - is_cup):
            return network, epoch
    raise AssertionError("too many epochs")


def right(errors: np.ndarray) -> bool:
    return bool((np.abs(errors) < 0.5).all())


def close(errors: np.ndarray) -> bool:
    return bool((np.abs(errors) < 0.2).all())


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_refinement_epoch_by_epoch(seed: int) -> None:
    """12.B.2: right after 9 epochs, close after 27; styrofoam speaks for liftable, a handle on top against."""
    start = cup_network(np.random.default_rng(seed))
    assert trained(start, right)[1] == 9
    refined, epochs = trained(start, close)
    assert epochs == 27
    # the first random weights, of up to 0.01, move these by up to 0.05
    into = dict(zip(NAMES, refined.get(("x", "liftable")).ravel(), strict=True))
    assert into["MadeOfStyrofoam"] == pytest.approx(0.68, abs=0.05)
    assert into["HandleOnTop"] == pytest.approx(-0.68, abs=0.05)
    assert into["MadeOfCeramic"] == pytest.approx(-0.52, abs=0.05)
    assert into["HasHandle"] == pytest.approx(-0.41, abs=0.05)
    assert into["Light"] == pytest.approx(4.25, abs=0.05)
    assert refined.get(("graspable", "liftable")).item() == pytest.approx(3.77, abs=0.05)
    new = {name: weight for name, weight in into.items() if name != "Light"}
    assert max(new, key=new.__getitem__) == "MadeOfStyrofoam"
    assert min(new, key=new.__getitem__) == "HandleOnTop"


def test_a_random_start_takes_longer() -> None:
    epochs = [trained(cup_network(np.random.default_rng(seed), False), right)[1] for seed in (0, 1, 2)]
    assert all(110 <= each <= 130 for each in epochs)


def test_units_of_the_cup_network() -> None:
    """12.B.2: what each unit says of each kind of example."""
    expected = {
        0: (0.8808, 0.8808, 0.8210, 0.8808),
        1: (0.8808, 0.1192, 0.1790, 0.8808),
        5: (0.8808, 0.1192, 0.1790, 0.0025),
        7: (0.1192, 0.1192, 0.0040, 0.8808),
        8: (0.1192, 0.8808, 0.8210, 0.1192),
        9: (0.8808, 0.1192, 0.0040, 0.1192),
    }
    network = cup_network(np.random.default_rng(0))
    weights = np.where(np.abs(network.weights) < 1, 0.0, network.weights)  # extra weights exactly 0
    network = network.with_weights(weights)
    rows = np.asarray(ROWS, float)
    said = {name: network.said(name, rows)[:, 0] for name in MIDDLE}
    for row, values in expected.items():
        found = [said[name][row] for name in ("stable", "graspable", "liftable", "open_vessel")]
        assert found == pytest.approx(values, abs=5e-5)


def test_all_rows_of_exercise_12_1() -> None:
    schema = Schema(tuple(Column(n, "nominal", (False, True)) for n in ("loan", "savings", "student", "car")))
    rules = "IF employed AND low_debt THEN good\nIF NOT student THEN employed\nIF NOT loan AND savings THEN low_debt"
    rows = np.array([[*row, 0] for row in product([0, 1], repeat=3)], bool)
    found_theory = ExpertRules(schema, rules)
    found = Encoding(found_theory, NumericView.of(encode(rows, schema)), ("good",), 4.0)
    outputs = found.network(found.view.matrix(rows)).ravel()
    said = {tuple(row[:3].astype(int).tolist()): each for row, each in zip(rows, outputs, strict=True)}
    expected = {
        (0, 1, 0): 0.7401,
        (0, 0, 0): 0.1192,
        (0, 1, 1): 0.1192,
        (1, 0, 0): 0.0782,
        (1, 1, 0): 0.1192,
        (0, 0, 1): 0.0064,
        (1, 0, 1): 0.0040,
        (1, 1, 1): 0.0064,
    }
    assert said == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("plain", "negated"), [(p, q) for p, q in product(range(4), repeat=2) if p + q])
def test_n_of_m_with_negations(plain: int, negated: int) -> None:
    """CI-4a: weights W and -W, and a bias of -(n - q - 0.5) W, for up to three of each."""
    names = [f"a{k}" for k in range(plain + negated)]
    schema = Schema(tuple(Column(name, "nominal", (False, True)) for name in names))
    literals = [*names[:plain], *(f"NOT {name}" for name in names[plain:])]
    rows = np.array(list(product([False, True], repeat=len(names))))
    for n in range(1, len(names) + 1):
        rules = ExpertRules(schema, f"IF {n} OF ({', '.join(literals)}) THEN c")
        found = Encoding(rules, NumericView.of(encode(rows, schema)), ("c",), 4.0)
        assert found.units[0].bias == -(n - negated - 0.5)
        assert ((found.network(found.view.matrix(rows)).ravel() > 0.5) == rules.holds(rows)).all()


@pytest.mark.parametrize(("mu", "after"), [(0.0, (0.16, 0.24, 0.44)), (0.5, (0.16, 0.30, 0.64))])
def test_exercise_12_4(mu: float, after: tuple[float, ...]) -> None:
    """A parabola as a linear unit of x and its square: one step of 0.01, and where it ends."""
    x, f, slopes = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0]), np.array([0.0, 2.0, 4.0])
    network, objective = parabola(x, f, slopes, mu)
    step = -0.01 * 2 * objective.gradient(network.weights)[1]  # the book's error has no half
    found = network.with_weights(step)
    assert (found.get("h").item(), *found.get(("x", "h")).ravel()) == pytest.approx(after)


@pytest.mark.parametrize(("mu", "ends"), [(0.0, (0.0, 0.0, 0.0)), (1.0, (0.0, 1.0, -1.0))])
def test_slopes_settle_what_values_do_not(mu: float, ends: tuple[float, ...]) -> None:
    network, objective = parabola(np.array([0.0, 1.0]), np.zeros(2), np.array([1.0, -1.0]), mu)
    weights = network.weights.copy()
    for _ in range(5_000):
        weights -= 0.1 * objective.gradient(weights)[1]
    found = network.with_weights(weights)
    assert (found.get("h").item(), *found.get(("x", "h")).ravel()) == pytest.approx(ends, abs=1e-6)


def parabola(x: np.ndarray, f: np.ndarray, slopes: np.ndarray, mu: float) -> tuple:
    network = Network.of([Group("x", 2, "input"), Group("h", 1, "linear")], [Link("x", "h")])
    network = network.with_weights(np.zeros(network.n_weights))
    along = np.column_stack([np.ones(len(x)), 2 * x])[:, np.newaxis]  # x + a and its square, by a
    given = Slopes(slopes[:, np.newaxis, np.newaxis], np.full(len(x), mu), along) if mu else None
    rows = np.column_stack([x, x**2])
    return network, NetworkObjective(network, rows, f[:, np.newaxis], slopes=given)


def test_exercise_12_5() -> None:
    """The slopes of a sigmoid unit: f (1 - f) w."""
    network = Network.of([Group("x", 3, "input"), Group("o", 1, "sigmoid")], [Link("x", "o")])
    network = network.set(("x", "o"), [[0.1], [0.5], [-0.3]]).set("o", [-0.2])
    row = np.array([[1.0, 0.5, 2.0]])
    assert network(row).item() == pytest.approx(0.38936, abs=5e-6)
    assert network.input_gradients(row)[0, 0] == pytest.approx([0.023776, 0.118879, -0.071328], abs=5e-7)


# --- first-order theories over constants (exercise 12.3) ---


BLOCKS = {"red(X)": "red_{X} = yes", "large(X)": "large_{X} = yes"}


def blocks(n: int = 60) -> tuple[pl.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {f"{c}_{k}": rng.choice(["no", "yes"], n) for c in ("red", "large") for k in (1, 2, 3)}
    )
    both = [(frame[f"red_{k}"] == "yes") & (frame[f"large_{k}"] == "yes") for k in (1, 2, 3)]
    return frame, np.where(np.logical_or.reduce([each.to_numpy() for each in both]), "yes", "no")


@pytest.mark.parametrize(
    ("rules", "ground"),
    [
        (
            "good :- block(X), red(X), large(X). block(1). block(2).",
            ["IF red_1 = yes AND large_1 = yes THEN good", "IF red_2 = yes AND large_2 = yes THEN good"],
        ),
        (
            "good :- red(X), large(Y), X < Y.",
            [
                "IF red_1 = yes AND large_2 = yes THEN good",
                "IF red_1 = yes AND large_3 = yes THEN good",
                "IF red_2 = yes AND large_3 = yes THEN good",
            ],
        ),
        (
            "good :- nice(X). nice(X) :- red(X), X > 2.",
            ["IF nice(3) THEN good", "IF red_3 = yes THEN nice(3)"],
        ),
        (
            "good :- red(X), large(X), \\+ odd(X). odd(2) :- large(2).",
            [
                "IF red_1 = yes AND large_1 = yes THEN good",
                "IF red_2 = yes AND large_2 = yes AND NOT odd(2) THEN good",
                "IF red_3 = yes AND large_3 = yes THEN good",
                "IF large_2 = yes THEN odd(2)",
            ],
        ),
    ],
)
def test_variables_over_constants_are_written_out(rules: str, ground: list[str]) -> None:
    frame, y = blocks(36)  # so few rows choose no rules
    learner = induce.KBANN(knowledge=rules, columns=BLOCKS, weight=6.0, weight_decay=1e6).fit(frame, y)
    found = learner.hypothesis_.theory
    assert str(found).splitlines() == ground
    assert ((learner.predict(frame) == "yes") == found.holds(frame)).all()


def test_a_first_order_theory_is_refined() -> None:
    frame, y = blocks(200)
    rules = "good :- block(X), red(X), large(X). block(1). block(2)."
    assert induce.KBANN(knowledge=rules, columns=BLOCKS).fit(frame, y).score(frame, y) > 0.95
    text = induce.TheoryRevision(knowledge=rules, columns=BLOCKS).fit(frame, y).hypothesis_.text
    assert "good :- red(3), large(3)." in text


# --- another task's network as the beginning (CI-4d) ---


def test_weights_of_another_task_are_a_beginning() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 3))
    near, wanted = (np.where(rows[:, 0] + by * rows[:, 1] > 0, "a", "b") for by in (1.0, 1.2))
    other = induce.NeuralNetworkClassifier(hidden=4).fit(rows, near)
    held = induce.KBANN(knowledge=other, weight_decay=1e6).fit(rows[:8], wanted[:8])
    assert held.hypothesis_.network.weights == pytest.approx(other.hypothesis_.network.weights, abs=1e-3)
    guided = induce.KBANN(knowledge=other.hypothesis_).fit(rows[:8], wanted[:8])
    plain = induce.KBANN(hidden=4).fit(rows[:8], wanted[:8])
    assert guided.score(rows, wanted) > plain.score(rows, wanted)
    with pytest.raises(InputError, match="has 3 inputs and 1 outputs, but this task needs 2 and 1"):
        induce.KBANN(knowledge=other).fit(rows[:, :2], wanted)


# --- where knowledge enters, and damage ---


def test_learners_say_where_knowledge_enters() -> None:
    ways = {learner.name: learner.knowledge for learner in learners()}
    assert "initial hypothesis" in ways["KBANN"]
    assert ways["TangentProp"] == ways["EBNN"] == ("objective",)
    assert ways["FOCL"] == ("operators",)
    assert ways["C45"] == ()
    assert all(set(each) <= set(WAYS) for each in ways.values())
    named = {learner.name for learner in learners() if learner.knowledge}
    report = knowledge_report()
    assert named == {line.split()[0] for line in report.split("\n\n")[0].splitlines()[1:]}
    assert "statistical inference" in report


@pytest.mark.parametrize("changes", [0, 1, 5])
def test_damage_is_as_large_as_asked_and_repeats(changes: int) -> None:
    given = theory()
    found = damaged_rules(given, changes, random_state=3)
    assert str(found) == str(damaged_rules(given, changes, random_state=3))
    assert (str(found) == str(given)) == (changes == 0)
    assert found.target == given.target
    assert str(ExpertRules(given.schema, found.text, found.target)) == str(found)


def test_damage_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="changes is -1"):
        damaged_rules(theory(), -1)


# --- rules that say nothing are noted ---


@pytest.mark.parametrize("learner", [induce.KBANN, induce.EBNN, induce.FOCL, induce.TheoryRevision])
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("cup :- light, light(no).", "never holds: Light = yes contradicts Light = no"),
        ("cup :- true.", "the rule IF TRUE THEN cup always holds"),
        ("IF Light THEN yes\nIF Light THEN no", "Light = yes implies both yes and no"),
    ],
)
def test_rules_that_say_nothing_are_noted(learner: type, rules: str, said: str) -> None:
    data = induce.dataset("cup")
    with pytest.warns(Note) as noted:
        learner(knowledge=rules).fit(data.X, data.y)
    assert any(said in str(each.message) for each in noted)


def test_a_sound_theory_is_not_noted(recwarn: pytest.WarningsRecorder) -> None:
    induce.FOCL(knowledge=TEXT).fit(*induce.dataset("cup"))
    assert not [each for each in recwarn if "holds" in str(each.message)]
