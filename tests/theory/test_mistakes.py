"""Mistake bounds: the chain VC <= Opt <= Halving <= log2, by brute force and with the numbers of section 7.5."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from induce.core.errors import InputError
from induce.theory import (
    OptTree,
    conjunction_table,
    conjunctions,
    find_s_bound,
    halving_bound,
    mistake_bounds,
    no_regret_beta,
    of_size,
    randomized_majority_bound,
    rectangles,
    regret_bound,
    weighted_majority_bound,
)

TABLES = st.tuples(st.integers(1, 10), st.integers(1, 5)).flatmap(lambda shape: arrays(np.bool_, shape))
STRICT = [
    *([0, *(int(x >= t) for x in range(3)), *[0] * 5] for t in range(4)),
    *([1, *[0] * 3, *(int(i == s) for i in range(5))] for s in range(5)),
]


@cache
def plain_opt(members):
    """The recursion as printed, over frozen sets of concepts."""
    if len(members) < 2:
        return 0
    sides = [
        [frozenset(each for each in members if each[x] == label) for label in (False, True)]
        for x in range(len(next(iter(members))))
    ]
    return max(1 + min(map(plain_opt, both)) for both in sides if all(both))


def most_mistakes(members, unseen):
    """Halving on every sequence of different instances with every target, played out."""
    worst = 0
    for x in unseen:
        yes = frozenset(each for each in members if each[x])
        no = members - yes
        for label, left in ((True, yes), (False, no)):
            if left:
                said = len(yes) > len(no)
                worst = max(worst, (said != label) + most_mistakes(left, unseen - {x}))
    return worst


def complete(tree, members, depth):
    """Whether every path of so many questions leaves a concept."""
    if depth == 0:
        return bool(members)
    yes = {each for each in members if each[tree.point]}
    return complete(tree.yes, yes, depth - 1) and complete(tree.no, members - yes, depth - 1)


@given(TABLES)
def test_against_brute_force(table):
    members = frozenset(map(tuple, table.tolist()))
    found = mistake_bounds(table)
    assert found.n_concepts == len(members)
    assert found.opt == plain_opt(members) == found.tree.depth
    assert found.halving == most_mistakes(members, frozenset(range(table.shape[1])))
    assert found.vc <= found.opt <= found.halving <= math.log2(len(members))
    assert complete(found.tree, set(members), found.opt)


@pytest.mark.parametrize(
    ("table", "vc", "opt", "halving"),
    [
        (list(product((0, 1), repeat=1)), 1, 1, 1),
        (list(product((0, 1), repeat=2)), 2, 2, 2),
        (list(product((0, 1), repeat=3)), 3, 3, 3),
        (np.eye(7), 1, 1, 1),
        ([[int(x >= t) for x in range(7)] for t in range(8)], 1, 3, 3),
        (conjunction_table(2), 2, 3, 3),
        (conjunction_table(3), 3, 4, 4),
        (STRICT, 1, 2, 3),
    ],
)
def test_the_chain(table, vc, opt, halving):
    found = mistake_bounds(table)
    assert (found.vc, found.opt, found.halving) == (vc, opt, halving)
    assert found.halving <= halving_bound(of_size(found.n_concepts)) <= math.log2(found.n_concepts) + 1e-9
    assert f"<= log2 {math.log2(found.n_concepts):.2f} mistakes" in str(found)


def test_find_s_is_optimal_on_small_spaces():
    assert [mistake_bounds(conjunction_table(n)).opt for n in (2, 3)] == [find_s_bound(n) for n in (2, 3)]


def test_halving_bound():
    assert halving_bound(of_size(7)) == 2
    assert [halving_bound(of_size(2**k)) for k in range(20)] == list(range(20))
    assert halving_bound(conjunctions(10)) == math.floor(10 * math.log2(3))
    with pytest.raises(InputError, match="Halving needs a finite one"):
        halving_bound(rectangles())


@pytest.mark.parametrize(
    ("beta", "of_best", "of_experts"),
    [
        (0.1, 3.852, 1.159),
        (0.25, 2.950, 1.475),
        (0.5, 2.409, 2.409),
        (0.75, 2.154, 5.191),
        (0.9, 2.054, 13.513),
    ],
)
def test_weighted_majority(beta, of_best, of_experts):
    assert weighted_majority_bound(0, 2, beta) == pytest.approx(of_experts, abs=5e-4)
    assert weighted_majority_bound(1, 1, beta) == pytest.approx(of_best, abs=5e-4)


def test_weighted_majority_of_the_trace():
    assert weighted_majority_bound(1, 5) == pytest.approx(8.004, abs=5e-4)
    assert weighted_majority_bound(1, 1) == pytest.approx(2.40942, abs=5e-6)
    assert weighted_majority_bound(0, 8, beta=0) == 3
    assert weighted_majority_bound(1, 8, beta=0) == randomized_majority_bound(1, 8, beta=0) == math.inf


@pytest.mark.parametrize(
    ("beta", "of_best", "constant"), [(0.5, 1.386, 4.605), (0.75, 1.1507, 9.2103), (0.9, 1.0536, 23.026)]
)
def test_randomised(beta, of_best, constant):
    assert randomized_majority_bound(0, 10, beta) == pytest.approx(constant, abs=5e-4)
    assert randomized_majority_bound(1, 1, beta) == pytest.approx(of_best, abs=5e-4)


def test_randomised_of_the_trace():
    assert randomized_majority_bound(1, 3) == pytest.approx(3.583519, abs=5e-7)
    assert randomized_majority_bound(1, 3, 0.75) == pytest.approx(5.545177, abs=5e-7)


@given(
    st.integers(2, 6).flatmap(lambda n: arrays(np.bool_, (30, n))),
    arrays(np.bool_, 30),
    st.floats(0.05, 0.95),
)
def test_the_bounds_hold_on_any_sequence(advice, truth, beta):
    weights, mistakes, expected = np.ones(advice.shape[1]), 0, 0.0
    for said, label in zip(advice, truth, strict=True):
        wrong = said != label
        against = weights[wrong].sum() / weights.sum()
        mistakes += against >= 0.5  # ties counted as mistakes: the worst that chance can do
        expected += against
        weights[wrong] *= beta
    best = int((advice != truth[:, None]).sum(axis=0).min())
    assert mistakes <= weighted_majority_bound(best, advice.shape[1], beta) + 1e-9
    assert expected <= randomized_majority_bound(best, advice.shape[1], beta) + 1e-9


def test_regret_grows_slower_than_the_rounds():
    shares = [regret_bound(10, rounds) / rounds for rounds in (10, 100, 10_000, 10**6)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.004
    beta = no_regret_beta(10, 10_000)
    # what the bound on the mistakes says, with the best expert erring in half of the rounds
    assert randomized_majority_bound(5000, 10, beta) - 5000 <= regret_bound(10, 10_000)


def test_reports():
    found = mistake_bounds([[0, 1], [1, 0]])
    assert str(found.tree) == "instance 0 is 0\ninstance 0 is 1"
    assert str(OptTree()) == "nothing to ask"
    assert "Opt 1 &lt;= Halving 1" in found._repr_html_()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: weighted_majority_bound(-1, 3), "best is -1"),
        (lambda: weighted_majority_bound(1, 0), "n is 0"),
        (lambda: weighted_majority_bound(1, 3, 1.5), "beta is 1.5; it must be a number from 0 to 1"),
        (lambda: randomized_majority_bound(1, 3, 1), "beta is 1, with which no weight ever changes"),
        (lambda: no_regret_beta(3, 0), "rounds is 0"),
        (lambda: find_s_bound(0), "n is 0"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()


def test_a_class_that_is_too_large(monkeypatch):
    from induce.theory import mistakes

    monkeypatch.setattr(mistakes, "MOST_SETS", 5)
    with pytest.raises(InputError, match="give fewer concepts"):
        mistake_bounds(conjunction_table(3))


def test_the_perceptron_rule_stays_within_its_bound():
    """Rosenblatt: rows that a plane separates by a margin allow (R / margin)² updates, whatever the order."""
    from induce.linear import Unit, separable
    from induce.theory import perceptron_bound

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    sums = X @ [1.0, -2.0] + 0.3
    X, sums = X[np.abs(sums) > 0.3], sums[np.abs(sums) > 0.3]
    rows, t = np.column_stack([np.ones(len(X)), X]), np.where(sums > 0, 1.0, -1.0)
    found = separable(X, t)
    w = np.append(found.intercept, found.weights)
    margin = float((t * (rows @ w)).min() / np.linalg.norm(w))
    bound = perceptron_bound(float(np.linalg.norm(rows, axis=1).max()), margin)
    for seed in range(5):
        w, updates, order = np.zeros(3), 0, np.random.default_rng(seed).permutation(len(rows))
        unit = Unit(rows, t, "threshold")
        for _ in range(200):
            for row in order:
                before = w.copy()
                unit.epoch(w, np.zeros(3), np.array([row]), np.array([0.5]), 0.0)
                updates += int((w != before).any())
        assert ((rows @ w > 0) == (t > 0)).all()
        assert 0 < updates <= bound
    with pytest.raises(InputError, match="margin is 0"):
        perceptron_bound(1.0, 0)


def test_rows_that_networks_need_by_rules_of_thumb():
    """AIMA: the network for digits has 123,300 weights, that for the restaurant 49."""
    from induce.neural import Network
    from induce.theory import rows_by_weights

    assert rows_by_weights(123_300) == (1_233_000, 1_445_369)
    assert rows_by_weights(Network.layered(10, 4, 1).n_weights) == (490, 191)
    with pytest.raises(InputError, match="n_weights is 0"):
        rows_by_weights(0)
