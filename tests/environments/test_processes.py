"""The processes that ship: their known values, what their parameters do, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.environments import MDP, elevator, environment, machine_repair, stock_keeping, taxi
from induce.environments.catalogue import ENVIRONMENTS
from induce.reinforcement import DynamicProgramming


def solved(process, discount=0.99):
    return DynamicProgramming(discount).learn(process).hypothesis_


def test_taxi_is_that_of_gymnasium():
    process = taxi()
    assert (process.n_states, process.n_pairs, (process.start > 0).sum()) == (500, 3000, 300)
    assert solved(process).value() == pytest.approx(6.327464, abs=5e-7)
    undiscounted = solved(process, 1.0)
    assert undiscounted.value() == pytest.approx(7.93, abs=1e-9)
    assert undiscounted.value((2, 1, "Y", "G")) == 20 - 12  # 3 steps to Y, in, 8 to G, and out


def test_taxi_on_wet_streets_earns_less():
    small = "|A: |\n| :B|"
    assert solved(taxi(small, slip=0.2), 1.0).value() < solved(taxi(small), 1.0).value()


def test_the_best_way_to_keep_a_stock_is_two_levels():
    policy = solved(stock_keeping())
    orders = [policy.act(stock) for stock in range(21)]
    assert orders == ["up to 19"] * 5 + ["none"] * 16  # (s, S), as Scarf proved in 1960


def test_stock_by_hand():
    process = stock_keeping(1, [0.5, 0.5], price=10, cost=6, order_cost=1, holding=2, lost_sale=3)
    pairs = process.pairs()
    assert pairs == [(0, "none"), (0, "up to 1"), (1, "none")]
    assert process.expected_reward.tolist() == [-1.5, 0.5 * (-7 - 2) + 0.5 * (10 - 7), 0.5 * -2 + 0.5 * 10]


def test_machines_are_serviced_from_some_wear_on():
    policy = solved(machine_repair())
    chosen = [policy.act(level) for level in range(11)]
    assert chosen == sorted(chosen)
    assert set(chosen) == {"run", "service"}
    assert policy.act("broken") == "repair"
    slow = solved(machine_repair(days=3))
    assert slow.value() < policy.value()
    assert set(solved(machine_repair(failure=0.0, scrap=0.0)).predict(range(11))) == {"run"}


def test_an_elevator_opens_where_somebody_waits_or_wants_to_leave():
    process = elevator(3)
    assert process.n_states == 3 * 64
    policy = solved(process, 0.9)
    here = [state for state in process.states if str(state[0]) in state[1] and str(state[0]) in state[2]]
    assert {policy.act(state) for state in here} == {"open"}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_by_name(name):
    assert "\n" not in ENVIRONMENTS[name].summary
    process = environment(name)
    if not isinstance(process, MDP):
        assert hasattr(process, "step")
        return
    assert np.isclose(process.start.sum(), 1)
    assert set(map(len, process.features.values())) == {process.n_states}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: environment("taxy"), "no environment 'taxy'; did you mean 'taxi'"),
        (lambda: environment("stock", size=3), "'stock' has no parameter 'size'; it has capacity, demand"),
        (lambda: environment("cliff", slip=1), "'cliff' has no parameter 'slip'; it has none"),
        (lambda: stock_keeping(0), "capacity is 0"),
        (lambda: stock_keeping(demand=-1), "demand is -1"),
        (lambda: stock_keeping(demand=[0.5, 0.6]), "demand is not a list of probabilities"),
        (lambda: machine_repair(wear=[]), "wear is not a list of probabilities"),
        (lambda: machine_repair(failure=2), "failure is 2"),
        (lambda: elevator(9), "floors is 9; give at most 6"),
        (lambda: elevator(3, arrival=0), "arrival is 0"),
        (lambda: taxi("|R:G|\n|:|"), "lines of equal length"),
        (lambda: taxi("|R:R|"), "two stops 'R'"),
        (lambda: taxi("|R: |"), "fewer than two stops"),
        (lambda: taxi(slip=1), "slip is 1"),
    ],
)
def test_what_they_refuse(make, message):
    with pytest.raises(InputError, match=message):
        make()
