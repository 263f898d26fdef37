"""Returns of policies and of learners from experience: intervals, the same dice, exact values, curves."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.environments import (
    MDP,
    PerfectPlayer,
    RandomPlayer,
    TicTacToe,
    machine_repair,
    match,
    stock_keeping,
)
from induce.evaluation import experience_curve
from induce.evaluation.experience.curves import PowerLaw
from induce.reinforcement.extraction.returns import exact_return
from induce.reinforcement.policy_evaluation import _loops
from induce.reinforcement.policy_evaluation.episodes import play

SHOP = stock_keeping(6, 1.5)
WALK = MDP.of(
    {"a": {"go": [("b", 0.5, -1), ("a", 0.5, -1)], "stay": ("a", -1)}, "b": {"go": ("end", 10)}}, start="a"
)


def best(process, discount=0.9):
    return induce.DynamicProgramming(discount).learn(process).hypothesis_


def thumb(stock):
    return "up to 6" if stock < 3 else "none"


def corridor(length, limit):
    """An environment of gymnasium's convention: to the right is the end, every step costs 1."""

    class Corridor:
        action_space = SimpleNamespace(n=2)
        observation_space = SimpleNamespace(n=length + 1)
        spec = SimpleNamespace(max_episode_steps=limit)

        def reset(self, seed=None):
            self.rng, self.at, self.steps = np.random.default_rng(seed), 0, 0
            return self.at, {}

        def step(self, action):
            self.at = min(max(self.at + (1 if action and self.rng.random() < 0.9 else -1), 0), length)
            self.steps += 1
            return self.at, -1.0, self.at == length, self.steps >= limit, {}

    return Corridor()


def test_simulated_returns_agree_with_the_exact_one():
    policy = best(SHOP)
    found = induce.evaluate(policy, SHOP, episodes=300, random_state=1)
    assert found.exact == pytest.approx(policy.value(), abs=1e-3)
    assert abs(found.value - found.exact) < 4 * found.values.std() / math.sqrt(300)
    assert found.measure == "discounted return"
    assert found.cut == 0
    assert "(300 episodes); exactly" in str(found)
    assert found.draw()


@pytest.mark.parametrize("policy", ["random", "best", thumb])
def test_the_exact_return_of_any_policy(policy):
    chosen = best(SHOP) if policy == "best" else policy
    played = play(chosen, SHOP, 400, discount=0.8, seed=3)
    assert abs(played.returns.mean() - played.exact) < 4 * played.returns.std() / 20
    if policy == "best":
        assert played.exact == pytest.approx(exact_return(SHOP, chosen.choice, 0.8).value, abs=1e-3)


def test_cut_off_episodes_are_counted_and_valued_as_cut_off():
    found = induce.evaluate(lambda state: "stay", WALK, episodes=5, max_steps=7)
    assert (found.value, found.exact, found.cut, found.limit) == (-7, -7, 5, 7)
    assert "; 5 episodes truncated after 7 steps" in str(found)
    assert induce.evaluate(lambda state: "go", WALK, episodes=50).cut == 0


def test_the_same_dice_make_differences_sure():
    policies = {"best": best(SHOP), "thumb": thumb}
    same = induce.compare(policies, SHOP, episodes=60)
    assert same.measure == "discounted return"  # the rule of thumb is judged by the discount of the policy
    assert same.of in same.title
    width = same.pairs[0].verdict.interval.high - same.pairs[0].verdict.interval.low
    apart = [play(one, SHOP, 60, discount=0.9, seed=k).returns for k, one in enumerate(policies.values())]
    assert width < 0.7 * 4 * math.sqrt(sum(each.var() / 60 for each in apart))
    assert same.best == "best"
    assert same.draw()
    again = induce.compare({"a": thumb, "b": thumb}, SHOP, discount=0.9, episodes=5)
    assert again.scores[:, 0].tolist() == again.scores[:, 1].tolist()


@pytest.mark.compiled
def test_plain_and_compiled_loops_agree():
    process = machine_repair(3)
    streams = np.random.default_rng(0).integers(1, 2**31, size=(2, 40, 6))
    found = []
    for loop in (_loops.play, compiled(_loops.play)):
        returns, steps = np.empty(40), np.empty(40, dtype=np.int64)
        arrays = (process.absorbing, process.offset, process.first, process.next_state, process.probability)
        choice = np.full(process.n_states, _loops.RANDOM)
        dice, coins = streams.copy()
        rest = (process.reward, process.ends, process.start, 0.9, 30, dice, coins, returns, steps)
        assert loop(choice, *arrays, *rest) == -1
        found.append((returns, steps))
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


def test_readings_are_policies_too():
    policy = best(machine_repair())
    rules = policy.to_rules()
    found = induce.compare({"policy": policy, "rules": rules}, machine_repair(), episodes=20, discount=0.9)
    assert found.pairs[0].differences.tolist() == [0.0] * 20
    with pytest.raises(InputError, match="test the feature 'wear'"):
        induce.evaluate(rules, SHOP)


def test_stepped_environments():
    env = corridor(4, 30)
    found = induce.evaluate(lambda state: 1, env, episodes=200)
    assert math.isnan(found.exact)
    assert -9 < found.value < -4
    pair = induce.compare({"right": lambda state: 1, "random": "random"}, env, episodes=50).pairs[0]
    assert pair.verdict.difference > 0
    with pytest.raises(InputError, match="chooses 5, which is not an action"):
        induce.evaluate(lambda state: 5, env)


def test_players_are_judged_by_games():
    perfect = PerfectPlayer(TicTacToe())
    found = induce.evaluate(perfect, "tic-tac-toe", episodes=40, random_state=1)
    games = match("tic-tac-toe", perfect, RandomPlayer(), 40, 1)
    assert (found.measure, found.of, found.value) == ("win rate", "40 games", games.win_rate())
    assert found.interval == games.win_interval()
    assert found.interval.high <= 1
    drawn = induce.evaluate(perfect, TicTacToe(), episodes=4, opponent="perfect")
    assert drawn.values.tolist() == [0.5] * 4
    pair = induce.compare({"perfect": perfect, "random": "random"}, "tic-tac-toe", episodes=40).pairs[0]
    assert pair.says().startswith("perfect has the higher win rate: p < 0.001")
    learned = induce.evaluate(
        induce.TDGammon(games=20), "tic-tac-toe", episodes=10, runs=2, opponent="perfect"
    )
    assert str(learned).startswith("win rate 0.")
    curve = experience_curve(induce.TDGammon(games=8), "tic-tac-toe", points=2, runs=2, episodes=4)
    assert curve.measure == "win rate"
    assert curve["TDGammon"].practice.mean(axis=0).tolist() == [1, 8]


def test_learners_are_judged_by_independent_runs():
    learner = induce.QLearning(60, 0.9, alpha=0.5, max_steps=20)
    found = induce.evaluate(learner, WALK, runs=4, random_state=5)
    assert len(found.values) == 4
    assert not hasattr(learner, "hypothesis_")
    assert found.exact != found.exact
    assert "4 independent runs, policies valued exactly" in str(found)
    assert "real actions per run" in str(found)
    again = induce.evaluate(learner, WALK, runs=4, random_state=5, n_jobs=2)
    assert again.values.tolist() == found.values.tolist()
    solver = induce.DynamicProgramming(0.9)
    both = induce.compare({"q": learner, "solver": solver}, WALK, runs=4, random_state=5)
    assert both.means["solver"] == pytest.approx(best(WALK).value(), abs=1e-3)
    assert both.method == "policies of independent runs"
    assert "4 runs" in both.title


def test_curves_over_runs():
    learners = {"q": induce.QLearning(40, 0.9, max_steps=20), "td": induce.TDLambda(40, 0.9, max_steps=20)}
    curve = experience_curve(learners, WALK, runs=3, points=4)
    assert curve.best == pytest.approx(best(WALK).value(), abs=1e-3)
    assert curve["q"].values.shape == (3, 4)
    assert (np.diff(curve["q"].practice, axis=1) > 0).all()
    assert (curve["q"].low <= curve["q"].high).all()
    assert str(curve).startswith("discounted return by actions, 3 independent runs; the optimal return is")
    assert curve.draw()
    # stopping to look changes nothing
    alone = induce.evaluate(learners["q"], WALK, runs=3)
    assert alone.values.tolist() == curve["q"].values[:, -1].tolist()
    assert "seconds" in experience_curve(learners["q"], WALK, runs=2, points=2, against="seconds").table()[0]


def test_power_laws():
    practice = np.array([1.0, 10, 100, 1000])
    law = PowerLaw.of(practice, 5 * practice**-0.4)
    assert (law.scale, law.exponent, law.r2) == pytest.approx((5, 0.4, 1))
    assert law(100) == pytest.approx(5 * 100**-0.4)
    assert PowerLaw.of(practice, np.array([1, 0, 0, -1.0])) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: induce.evaluate(best(SHOP), WALK), "has no action for state 'a'"),
        (
            lambda: induce.evaluate(lambda state: "go", SHOP),
            "chooses 'go' in state .*, where the process allows",
        ),
        (lambda: induce.evaluate(thumb, SHOP, episodes=0), "episodes is 0"),
        (lambda: induce.evaluate(thumb, SHOP, discount=2), "discount is 2"),
        (lambda: induce.evaluate(thumb, SHOP, max_steps=0), "max_steps is 0"),
        (lambda: induce.evaluate(thumb, SHOP, [1]), "leave y out"),
        (lambda: induce.evaluate(thumb, SHOP, runs=3), "runs is for learners"),
        (lambda: induce.evaluate(thumb, "shop"), "no process 'shop'"),
        (
            lambda: induce.evaluate(induce.C45(), *induce.dataset("play-tennis"), episodes=3),
            "episodes is for",
        ),
        (lambda: induce.evaluate(RandomPlayer(), SHOP), "RandomPlayer plays a game"),
        (lambda: induce.evaluate(thumb, SHOP, opponent="random"), "opponent does not apply to a process"),
        (lambda: induce.evaluate("random", "checkers", discount=0.9), "discount does not apply to a game"),
        (
            lambda: induce.evaluate("random", "checkers", opponent="nobody"),
            "'nobody' is not a player; give a player, or",
        ),
        (lambda: induce.evaluate(PerfectPlayer(TicTacToe()), "checkers"), "tic-tac-toe, not checkers"),
        (lambda: induce.compare({"a": thumb}, SHOP), "give at least 2"),
        (lambda: induce.compare({"a": thumb, "b": induce.QLearning()}, SHOP), "b learns and a is a policy"),
        (
            lambda: induce.compare({"a": best(SHOP), "b": best(SHOP, 0.5)}, SHOP),
            "the discount factors differ",
        ),
        (lambda: induce.compare({"a": thumb, "b": "random"}, SHOP, episodes=1), "one difference cannot"),
        (lambda: induce.evaluate(induce.GeneticAlgorithm(generations=1), lambda x: 1.0), "genome"),
        (lambda: experience_curve(induce.DynamicProgramming(), SHOP), "does not learn in steps"),
        (lambda: experience_curve(induce.C45(), SHOP), "does not learn from experience"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()
