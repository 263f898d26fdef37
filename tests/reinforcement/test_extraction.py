"""Policies as rules and trees: how short, what they lose, and exports that do as the policy does."""

from __future__ import annotations

import json
import math
import sqlite3

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.environments import MDP, elevator, environment, grid_world, machine_repair, stock_keeping, taxi
from induce.reinforcement import DynamicProgramming, Policy
from induce.reinforcement.extraction.returns import exact_return

STOPS = {"R": (0, 0), "G": (0, 4), "Y": (4, 0), "B": (4, 3)}


def goal(state):
    return STOPS[state[3] if state[2] == "taxi" else state[2]]


OFFSET = {
    "rows to goal": lambda state: goal(state)[0] - state[0],
    "columns to goal": lambda state: goal(state)[1] - state[1],
}


def solved(process, discount=0.95):
    return DynamicProgramming(discount).learn(process).hypothesis_


@pytest.fixture(scope="module")
def cab():
    return solved(taxi(), 1.0)


def test_taxi_in_few_rules_that_lose_nothing(cab):
    for features, most in ((None, 62), (OFFSET, 27)):
        found = cab.to_rules(features)
        assert len(found.hypothesis.rules) + 1 <= most
        assert found.agreement == 1.0
        assert found.value == found.earned == pytest.approx(7.93)
        assert found.loss == 0
        assert "nothing lost" in str(found)
    assert (
        sum(sum(rule.counts) for rule in found.hypothesis.rules) + sum(found.hypothesis.default_counts) == 400
    )


def test_a_tree_may_agree_nearly_everywhere_and_earn_next_to_nothing(cab):
    whole = cab.to_tree()
    assert (whole.agreement, whole.loss) == (1.0, 0.0)
    cut = cab.to_tree(max_depth=10)
    assert 0.97 < cut.agreement < 1
    assert cut.earned < -50  # nothing ends an episode in which the taxi drives to and fro
    assert cut.steps == 200
    assert "over 200 steps" in cut.summary()


@pytest.mark.parametrize(
    ("name", "discount"),
    [
        ("cliff", 0.9),
        ("cliff", 1.0),
        ("frozen-lake", 0.95),
        ("frozen-lake", 1.0),
        ("repair", 0.9),
        ("mitchell-13.2", 0.9),
    ],
)
def test_readings_lose_nothing(name, discount):
    policy = solved(environment(name), discount)
    for found in (policy.to_rules(), policy.to_tree()):
        assert found.agreement == 1.0
        assert found.loss == 0.0
        assert found.value == pytest.approx(policy.value())


def test_ties_without_discount_never_go_in_circles():
    # left and right are equally good in the middle, since nothing is lost by waiting
    policy = solved(grid_world("G..S..G", {"G": 1}), 1.0)
    assert policy.best((0, 2)) == ("right", "left")
    assert policy.to_rules().earned == policy.to_tree().earned == 1.0


def test_average_rewards():
    policy = DynamicProgramming(criterion="average").learn(machine_repair()).hypothesis_
    found = policy.to_rules()
    assert found.earned == pytest.approx(policy.gain, abs=1e-6)
    worse = policy.to_rules(max_rules=1)
    assert worse.earned < policy.gain


def test_tolerance_trades_return_for_length():
    policy = solved(elevator(3), 0.9)
    exact, near = policy.to_rules(), policy.to_rules(tolerance=0.2)
    assert len(near.hypothesis.rules) < len(exact.hypothesis.rules)
    assert 0 < near.loss < 1
    assert exact.loss == 0


def test_states_without_features_are_read_by_their_names():
    policy = solved(MDP.of({"a": {"go": ("b", 1)}, "b": {"go": ("c", 99), "back": "a"}}))
    assert str(policy.to_rules()).splitlines()[0] == "DEFAULT go (2/2)"
    mixed = solved(MDP.of({"a": {"go": ((1, 2), 1)}, (1, 2): {"back": ("a", 1)}}))
    assert mixed.to_rules().agreement == 1.0


def test_features_that_do_not_tell_states_apart_are_said_to_lose():
    policy = solved(stock_keeping(4, [0.5, 0.5]))
    blind = Policy(
        policy.states,
        policy.actions,
        policy.pair_state,
        policy.pair_action,
        policy.q,
        policy.discount,
        start=policy.start,
        features={"none": (0,) * 5},
        model=policy.model,
    )
    found = blind.to_rules()
    assert found.agreement < 1
    assert found.loss > 0
    assert found.agreement == blind.to_tree().agreement


def test_without_a_model_the_loss_is_not_known():
    policy = solved(stock_keeping(4, [0.5, 0.5]))
    learned = Policy(
        policy.states,
        policy.actions,
        policy.pair_state,
        policy.pair_action,
        policy.q,
        policy.discount,
        visits=np.where(policy.pair_state < 2, 5, 0),
        features=policy.features,
    )
    found = learned.to_rules()
    assert math.isnan(found.loss)
    assert "unknown without a model" in found.summary()
    rules = found.hypothesis
    assert sum(map(sum, [*(rule.counts for rule in rules.rules), rules.default_counts])) == 2  # those visited
    assert learned.to_rules(model=policy.model).loss == 0
    with pytest.raises(InputError, match="states or actions of the model differ"):
        learned.to_rules(model=stock_keeping(5))


def test_readings_act_save_and_export(tmp_path):
    policy = solved(machine_repair())
    for found in (policy.to_rules(), policy.to_tree()):
        induce.save(found, tmp_path / "rules.induce")
        assert induce.load_hypothesis(tmp_path / "rules.induce") == found
        assert found.act({"wear": 2, "condition": "running"}) == "run"
        assert found.draw()
        names = {}
        exec(found.to_python(), names)
        rows = pl.DataFrame(policy.features)
        for row, state in zip(rows.to_dicts(), policy.states, strict=True):
            assert names["act"](row) == policy.act(state) == found.act(row)
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE states (wear REAL, condition TEXT)")
        base.executemany("INSERT INTO states VALUES (?, ?)", rows.rows())
        assert [row[-1] for row in base.execute(found.to_sql())] == list(policy.predict(policy.states))


@pytest.mark.parametrize("name", ["repair", "cliff", "mitchell-13.2", "taxi"])
def test_exports_of_a_policy_do_as_it_does(name, cab):
    policy = cab if name == "taxi" else solved(environment(name))
    names: dict = {}
    exec(policy.to_python("choose"), names)
    assert [names["choose"](state) for state in policy.states] == [
        policy.act(state) for state in policy.states
    ]
    assert names["choose"]("nowhere") is None
    columns = list(policy.features)
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE states ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        base.executemany(f"INSERT INTO states VALUES ({marks})", zip(*policy.features.values(), strict=True))
        found = base.execute(policy.to_sql()).fetchall()
    assert [row[-1] for row in found] == [policy.act(state) for state in policy.states]
    document = json.loads(policy.to_json())
    told = {json.dumps(entry["state"]): entry["action"] for entry in document["states"]}
    assert told == {
        json.dumps(state): policy.act(state) for state in policy.states if policy.act(state) is not None
    }


def test_sql_of_states_that_share_their_features():
    process = MDP.of({"a": {"go": ("b", 1)}, "b": {"go": ("a", 1)}}, features={"same": [0, 0]})
    with pytest.raises(InputError, match="two states have the same features"):
        solved(process).to_sql()


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda policy: policy.to_rules({"stock": [1] * 5}), "'stock' already exists"),
        (lambda policy: policy.to_rules({"more": [1]}), "'more' has 1 values for 5 states"),
        (lambda policy: policy.to_rules({"more": [None] * 5}), "'more' has missing values"),
        (lambda policy: policy.to_rules({"more": [math.inf] * 5}), "not a finite number"),
        (lambda policy: policy.to_rules(tolerance=-1), "tolerance is -1"),
        (lambda policy: policy.to_rules(max_rules=0), "max_rules is 0"),
        (lambda policy: policy.to_rules(width=0), "width is 0"),
        (lambda policy: policy.to_tree(max_depth=-1), "max_depth is -1"),
        (lambda policy: policy.to_python("in"), "cannot name a Python function"),
    ],
)
def test_bad_readings(read, message):
    with pytest.raises(InputError, match=message):
        read(solved(stock_keeping(4, [0.5, 0.5])))


def test_the_return_of_a_choice_by_hand():
    walk = MDP.of({"a": {"go": ("b", -1), "stay": ("a", -1)}, "b": {"go": ("end", 10)}}, start="a")
    assert exact_return(walk, np.array([0, 2, -1]), 0.5).value == -1 + 0.5 * 10
    assert exact_return(walk, np.array([1, 2, -1]), 0.5).value == pytest.approx(-2)
