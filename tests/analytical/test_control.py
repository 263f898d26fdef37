"""Control rules from conflicts: what is proved holds, what is learned loses no problem."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.analytical.control.conflicts import Conflicts
from induce.analytical.control.explanation import Explainer, reachable
from induce.analytical.control.utility import run
from induce.core.errors import InputError
from induce.logic import parse_literal
from induce.planning import ControlRule, ControlRules, check_plan, means_ends, random_problem
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


def test_advice_that_finds_nothing_costs_a_tenth_more():
    """After a search with advice that used all decisions, one without it gets a tenth of them."""
    problem = random_problem("blocks", 12, 3)
    task = ground(problem)
    astray = ControlRules("blocks", (ControlRule("before", "(on ?x ?y)", "(on ?z ?w)"),))
    plan = means_ends(task, astray.control(problem, task), max_nodes=100)
    assert not plan
    assert not plan.complete
    assert plan.expanded == 110
    assert means_ends(task, ControlRules("blocks").control(problem, task), max_nodes=100).expanded == 100


def test_a_rejection_that_leaves_no_plan_is_undone():
    problem = random_problem("blocks", 3)
    task = ground(problem)
    wrong = ControlRules(
        "blocks",
        (
            ControlRule("reject", "(holding ?x)", "(unstack ?x ?y)"),
            ControlRule("reject", "(holding ?x)", "(pick-up ?x)"),
        ),
    )
    control = wrong.control(problem, task)
    record, exhausted = search(task, control, 1_000)
    assert record.solution < 0
    assert exhausted
    assert means_ends(task, control, max_nodes=1_000)


def test_the_cost_of_matching_counts_the_facts_looked_at():
    """Conditions that join facts cost more in a larger problem, though the rule fits as many choices."""
    rule = ControlRule(
        "reject", "(in ?a ?b)", "(load-plane ?b ?c ?a)", absent=("(at ?a ?g)|(serves ?h ?e)|(in-city ?g ?e)",)
    )
    costs = []
    for size in (3, 9):
        problem = random_problem("logistics", size, 1)
        task = ground(problem)
        matcher = ControlRules("logistics", (rule,)).control(problem, task)
        goal, action = next(
            (2 * place, number)
            for place, fact in enumerate(task.facts)
            if fact.name == "in"
            for number, one in enumerate(task.actions)
            if one.operator == "load-plane" and one.adds >> place & 1
        )
        list(matcher.actions(task.initial, goal, [action]))
        assert matcher.n_matched == [1]
        costs.append(matcher.n_looked[0])
    assert 0 < costs[0] < costs[1]


def test_a_kept_rule_lessens_the_work_of_all_searches():
    """Utility is the work without the rule less that with it, matching of the other rules included."""
    rules = trained("blocks", 12).rules
    problems = [random_problem("blocks", 4 + seed % 3, seed) for seed in range(12)]
    tasks = sorted(((one, ground(one)) for one in problems), key=lambda one: -len(one[1].facts))[:10]
    works = [sum(run(some, *one, 200).work for one in tasks) for some in (rules, rules[1:])]
    assert rules[0].utility == pytest.approx((works[1] - works[0]) / len(tasks))


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
    with pytest.raises(InputError, match="the problems are of the domains blocks and logistics"):
        learner.learn([random_problem("blocks", 3), random_problem("logistics", 2)])
