"""Control rules from conflicts: what is proved holds, what is learned loses no problem."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.analytical.control.conflicts import Conflicts
from induce.analytical.control.explanation import Explainer, reachable
from induce.core.errors import InputError
from induce.logic import parse_literal
from induce.planning import ControlRules, check_plan, means_ends, random_problem
from induce.planning.grounding import ground
from induce.planning.matching import World
from induce.planning.means_ends_search import search

SIZES = {"blocks": 4, "two-rooms": 2, "logistics": 2, "eight-puzzle": 3}


def trained(domain: str, n: int = 8, **parameters: object) -> ControlRules:
    problems = [random_problem(domain, SIZES[domain] + seed % 3, seed) for seed in range(n)]
    learner = induce.SearchControl(max_nodes=200, **parameters)
    return learner.learn(problems).hypothesis_


@pytest.fixture(scope="module")
def everything() -> dict[str, ControlRules]:
    return {domain: trained(domain, analysis=False) for domain in SIZES}


def test_the_order_of_blocks_is_learned(everything):
    """Mitchell §11.4: solve on(y, z) before on(x, y)."""
    assert "IF goal on(A, B) AND goal on(B, C) THEN on(B, C) before on(A, B)" in map(
        str, everything["blocks"].rules
    )


def test_an_explanation_is_closed_under_the_operators():
    problem = random_problem("blocks", 3, 0)
    task = ground(problem)
    world = World(problem, task)
    start, kept, state = parse_literal("on(b3, b1)"), parse_literal("on(b1, b3)"), task.initial
    assert kept in problem.initial
    can_hold = reachable(task, state, kept=world.bits[kept])
    why = Explainer(world).explain(start, can_hold, kept=kept)
    absent = {str(one.literal).split("(")[0] for one in why.absent}
    assert {"on", "holding", "clear"} <= absent
    # without the block on it the goal can be reached, and there is nothing to explain
    assert Explainer(world).explain(start, reachable(task, state)) is None


@settings(max_examples=20)
@given(st.sampled_from(sorted(SIZES)), st.integers(0, 1_000))
def test_rejected_actions_are_useless(everything, domain, seed):
    """A rejected action cannot be done, in any way, before its goal holds."""
    problem = random_problem(domain, SIZES[domain], 50_000 + seed)
    task = ground(problem)
    rejects = [rule for rule in everything[domain].rules if rule.kind == "reject"]
    matcher = ControlRules(domain, tuple(rejects)).control(problem, task)
    record, _ = search(task, None, 200)
    for decision in record.decisions:
        if decision.goal < 0 or decision.goal % 2:
            continue
        if not list(matcher.actions(decision.state, decision.goal, [decision.action])):
            possible = reachable(task, decision.state, goal=1 << decision.goal // 2)
            assert task.actions[decision.action].needs & ~possible


@settings(max_examples=20)
@given(st.sampled_from(sorted(SIZES)), st.integers(0, 1_000))
def test_no_problem_is_lost(everything, domain, seed):
    problem = random_problem(domain, SIZES[domain] + 1, 90_000 + seed)
    task = ground(problem)
    without = means_ends(task, max_nodes=1_000)
    plan = means_ends(task, everything[domain].control(problem, task), max_nodes=1_000)
    if without:
        assert plan
    if plan:
        check_plan(problem, plan.steps)


def test_rules_must_pay(everything):
    paid = trained("blocks")
    assert paid.n_taken <= len(everything["blocks"].rules)
    assert len(paid.rules) <= paid.n_taken <= paid.n_chances
    for rule in paid.rules:
        assert rule.utility > 0
        assert rule.saved - rule.cost == pytest.approx(rule.utility)
        assert rule.conflict
        assert rule.n_used
    # the robot's problems are so easy that no rule pays for its matching
    assert trained("two-rooms").rules == ()


def test_conflicts_of_one_search():
    problem = random_problem("blocks", 5, 0)
    record, _ = search(ground(problem), None, 1_000)
    found = [chance for chance in Conflicts(problem, record).chances() if chance.rule]
    kinds = {chance.rule.kind for chance in found}
    assert {"reject", "before"} <= kinds
    assert all(chance.saved > 0 for chance in found)


def test_bad_problems():
    learner = induce.SearchControl()
    with pytest.raises(InputError, match="at least one planning problem"):
        learner.learn([])
    with pytest.raises(InputError, match="all problems must be of one domain, not of blocks and logistics"):
        learner.learn([random_problem("blocks", 3), random_problem("logistics", 2)])
