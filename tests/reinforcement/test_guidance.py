"""Advice and theories of actions for Q learning with networks: AD-04c, and EBNN for Q values (RL-21)."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.environments import MountainCar
from induce.hypotheses.knowledge import Knowledge
from induce.reinforcement import (
    ActionModels,
    ApproximateQLearning,
    Network,
    Numbers,
    TileCoding,
    learn_action_models,
)
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.features import Observations
from induce.reinforcement.approximation.models import WATCHED, agent_of, first_memory, first_weights

SWING = "IF velocity > 0 THEN right\nIF velocity <= 0 THEN left"
ARCHITECTURES = ("shared", "per-action", "pairs")


@pytest.fixture(scope="module")
def models() -> ActionModels:
    rng = np.random.default_rng(0)
    n, hidden, actions = 2, 3, 2
    return ActionModels(
        ("a", "b"),
        ("stay", "go"),
        np.array([0.5, -1.0]),
        np.array([2.0, 0.5]),
        rng.normal(size=(actions, hidden, n + 1)),
        rng.normal(size=(actions, n + 1, hidden + 1)),
    )


def agent_with(models: ActionModels, architecture: str, mu: float = 1.0, tolerance: float = 1e9) -> tuple:
    """Return an agent on two numbers with two actions, and its coding."""
    seen = Observations(models.names, np.array([-1.0, -2.0]), np.array([1.0, 4.0]))
    coding = Numbers().coding(seen)
    model = Network(hidden=4, architecture=architecture)
    rng = np.random.default_rng(1)
    weights = first_weights(model, coding, 2, 0.0, rng)
    weights.values[:] = rng.normal(size=len(weights.values))
    settings = np.array([0.2, 0.0, 0.0, 0.0, 1.0, 0.0, 0.9, 10.0, 0.0, mu, tolerance])
    theory = models.weights_for(coding, seen, models.actions)
    memory = first_memory(0, coding, 2)
    stream = np.ones(6, dtype=np.int64)
    return agent_of(model, coding, 2, weights, memory, settings, np.zeros(WATCHED), stream, theory), coding


def value(agent: object, coding: object, numbers: np.ndarray, action: int) -> float:
    """Return the value of an action at features."""
    _loops.see(agent, numbers / coding.scale + coding.low, 2)
    return float(agent.values[2, action])


def differences(function: object, at: np.ndarray, step: float = 1e-5) -> np.ndarray:
    moved = np.eye(len(at)) * step
    return np.array([(function(at + one) - function(at - one)) / (2 * step) for one in moved])


# --- EBNN for Q values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("ended", [False, True])
def test_wanted_slopes_are_those_of_the_training_value(
    models: ActionModels, architecture: str, ended: bool
) -> None:
    """The derivatives of the predicted reward plus the discounted value there, by finite differences."""
    agent, coding = agent_with(models, architecture)
    numbers = np.array([0.3, -0.6])

    def predicted(at: np.ndarray) -> tuple[np.ndarray, float]:
        observation, reward = models.predict(at / coding.scale + coding.low, "go")
        return (observation - coding.low) * coding.scale, reward

    after, _ = predicted(numbers)
    _loops.see(agent, numbers / coding.scale + coding.low, 0)
    _loops.see(agent, after / coding.scale + coding.low, 1)
    best = -1 if ended else int(np.argmax(agent.values[1]))
    reward = _loops.foresee(agent, 1, agent.amount[0])
    assert reward == pytest.approx(predicted(numbers)[1])
    found = (agent.room[_loops.EXPECTED, :2] - coding.low) * coding.scale
    assert found == pytest.approx(after)
    _loops.explain(agent, 1, 1, best, 0.9)

    def training_value(at: np.ndarray) -> float:
        later, reward = predicted(at)
        return reward + (0.0 if best < 0 else 0.9 * value(agent, coding, later, best))

    assert agent.room[_loops.WANTED, :2] == pytest.approx(differences(training_value, numbers), abs=1e-7)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_step_goes_down_the_gradient_of_slope_errors(models: ActionModels, architecture: str) -> None:
    agent, coding = agent_with(models, architecture)
    numbers, action = np.array([0.3, -0.6]), 1
    wanted = np.array([0.7, -0.4])
    _loops.see(agent, numbers / coding.scale + coding.low, 0)
    agent.room[_loops.WANTED, :2] = wanted
    start = agent.weights.copy()

    def wrong(weights: np.ndarray) -> float:
        agent.weights[:] = weights
        slopes = differences(lambda at: value(agent, coding, at, action), numbers, 1e-4)
        agent.weights[:] = start
        return float(((wanted - slopes) ** 2).sum() / 2)

    gradient = differences(wrong, start, 1e-5)
    _loops.bend(agent, 0, action, 1e6, 1.0)  # so long a gradient that the step is only its direction
    step = agent.weights - start
    assert step @ -gradient > 0
    cosine = step @ -gradient / np.linalg.norm(step) / np.linalg.norm(gradient)
    assert cosine == pytest.approx(1.0, abs=1e-6)


def test_trust_falls_with_the_error_of_the_theory(models: ActionModels) -> None:
    agent, _ = agent_with(models, "shared", tolerance=0.6)
    assert [_loops.trusted(agent, 0.8 - by, 0.8) for by in (0.0, 0.1, 0.3, 0.6, 1.0)] == pytest.approx(
        [1.0, 5 / 6, 0.5, 0.0, 0.0]
    )
    agent, _ = agent_with(models, "shared", tolerance=0.0)
    assert _loops.trusted(agent, 1.0, 1.0) == 1.0
    assert _loops.trusted(agent, 3.0, 1.0) == 0.0  # the largest error so far
    assert _loops.trusted(agent, 2.0, 1.0) == 0.5


def car(**settings: object) -> ApproximateQLearning:
    given = {"episodes": 2, "model": Network(hidden=3), "max_steps": 40, "replay": 1, "alpha": 0.1}
    return ApproximateQLearning(**(given | settings)).learn(MountainCar())


@pytest.fixture(scope="module")
def pushes() -> ActionModels:
    return learn_action_models(MountainCar(), episodes=2, hidden=4, max_steps=60)


def test_models_predict_what_actions_do(pushes: ActionModels) -> None:
    env = MountainCar()
    place, _ = env.reset(seed=3)
    for action in (2, 2, 0, 1, 2):
        said, reward = pushes.predict(place, env.action_names[action])
        after = env.step(action)[0]
        assert np.abs(said - after).max() < 0.01
        assert reward == pytest.approx(-1.0, abs=0.01)
        place = after


def test_without_weight_slopes_change_nothing(pushes: ActionModels) -> None:
    plain = car()
    without = car(theory=pushes, mu=0.0)
    with_slopes = car(theory=pushes)
    assert np.array_equal(plain.state_.weights.values, without.state_.weights.values)
    assert not np.array_equal(plain.state_.weights.values, with_slopes.state_.weights.values)


def test_a_learner_with_a_theory_is_saved_and_goes_on(pushes: ActionModels, tmp_path: object) -> None:
    path = f"{tmp_path}/car.induce"
    learner = car(theory=pushes, advice=SWING)
    induce.save(learner, path)
    loaded = induce.load(path)
    assert loaded.hypothesis_.action_values([-0.5, 0.01]) == learner.hypothesis_.action_values([-0.5, 0.01])
    assert np.array_equal(loaded.theory.out, pushes.out)


@pytest.mark.compiled
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_plain_and_compiled_agree(architecture: str, pushes: ActionModels) -> None:
    model = Network(3, architecture)
    learner = ApproximateQLearning(
        2, model=model, max_steps=40, epsilon=0.3, alpha=0.1, replay=2, theory=pushes, advice=SWING
    )
    found = []
    for work in (0.0, np.inf):
        with learner._opened(MountainCar()) as run:
            agent, state = learner._agent(run, learner._begin(run))
            played = run.world.play(agent, 2, work, 1.0, 0, 0)
            found.append((state.weights.values, state.monitor, played.returns))
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12)


# --- advice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_advice_is_followed_before_anything_is_learned(architecture: str) -> None:
    rules = "IF position <= -0.4 AND velocity > 0 THEN right\nIF NOT velocity > 0 THEN left"
    model = Network(hidden=3, architecture=architecture)
    policy = car(episodes=0, model=model, advice=rules, preference=5.0).hypothesis_
    assert policy.best([-0.6, 0.02]) == ("right",)
    assert policy.best([-0.6, -0.02]) == ("left",)
    values = policy.action_values([-0.6, 0.02])
    on, off = 1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(6.0))  # W = 4: nets of 2 and, for none of two, -6
    assert values["right"] == pytest.approx(5 * on, abs=0.2)
    # among pairs the unit for left also sees which action is asked about: without it its net is -2
    off += 1 / (1 + np.exp(2.0)) if architecture == "pairs" else 0.0
    assert policy.action_values([0.2, -0.02])["right"] == pytest.approx(5 * off, abs=0.2)
    assert "2 conditions of advice" in policy.size()


def test_concepts_and_trust() -> None:
    rules = "IF velocity > 0 THEN forward\nIF forward THEN right"
    full = car(episodes=0, advice=rules, preference=5.0).hypothesis_
    half = car(episodes=0, advice=Knowledge(rules=rules, trust=0.5), preference=5.0).hypothesis_
    seen = [-0.5, 0.01]
    assert half.action_values(seen)["right"] == pytest.approx(full.action_values(seen)["right"] / 2, abs=0.1)


def test_advice_on_listed_states() -> None:
    """The grid of Figure 13.2: advice by the name of a state."""
    rules = "IF state = BL THEN up\nIF state in {TL, TM} THEN right"
    learner = ApproximateQLearning(
        episodes=0, model=Network(hidden=3), advice=rules, preference=10.0, discount=0.9
    )
    policy = learner.learn("mitchell-13.2").hypothesis_
    assert [policy.act(state) for state in ("BL", "TL", "TM")] == ["up", "right", "right"]


def test_bad_advice_is_unlearned() -> None:
    bad = "IF state = BL THEN right\nIF state = TL THEN down\nIF state = TM THEN down"
    settings = {"model": Network(hidden=6), "discount": 0.9, "preference": 50.0, "epsilon": 0.5, "replay": 3}
    policy = ApproximateQLearning(episodes=150, advice=bad, **settings).learn("mitchell-13.2").hypothesis_
    assert policy.act("TL") == "right"
    assert policy.act("TM") == "right"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"advice": "IF velocty > 0 THEN right"}, "did you mean 'velocity'"),
        (
            {"advice": "IF velocity > 0 THEN jump"},
            "'jump', which is not an action; the actions are left, coast, right",
        ),
        ({"advice": " "}, "the advice is empty"),
        ({"advice": 3}, "knowledge is a int; give rules as text"),
        ({"advice": {"laws": "IF velocity > 0 THEN right"}}, "cannot use the part 'laws'"),
        ({"advice": SWING, "model": "linear"}, "advice requires a network"),
        ({"advice": SWING, "features": TileCoding()}, "advice requires numeric features"),
        ({"advice": SWING, "preference": -1}, "preference"),
        (
            {"advice": "IF velocity > 0 THEN fast\nIF NOT fast THEN left"},
            "negates the concept 'fast'; write out its conditions",
        ),
        ({"theory": 3}, "give ActionModels"),
        ({"theory": "pushes", "model": "linear"}, "theory requires a network"),
        ({"theory": "pushes", "rule": "residual"}, "a theory requires rule='direct'"),
        ({"theory": "pushes", "features": TileCoding()}, "a theory requires numeric observations"),
        ({"theory": "other"}, "the action models were learned with a, b"),
    ],
)
def test_bad_guidance(settings: dict, message: str, pushes: ActionModels, models: ActionModels) -> None:
    named = {"pushes": pushes, "other": models}
    given = {
        name: named[one] if name == "theory" and isinstance(one, str) else one
        for name, one in settings.items()
    }
    with pytest.raises((InputError, TypeError)) as caught:
        car(**given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_models() -> None:
    with pytest.raises(InputError, match="states are listed"):
        learn_action_models("mitchell-13.2")
    with pytest.raises(InputError, match="give more episodes"):
        learn_action_models(MountainCar(), episodes=1, max_steps=3)
    nothing = np.zeros((1, 2, 3))
    with pytest.raises(InputError, match="do not fit 1 actions and 1 numbers"):
        ActionModels(("a",), ("go",), np.zeros(1), np.ones(1), nothing, nothing).check()
