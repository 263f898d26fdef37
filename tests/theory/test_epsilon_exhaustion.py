"""True errors, exhausted version spaces, and the PAC claim put to the test."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from induce.core.errors import InputError
from induce.theory import (
    conjunction_table,
    conjunctions,
    exhaustion,
    failure_chance,
    learner_experiment,
    of_size,
    pac_experiment,
    sample_complexity,
    sampled_error,
    tightest_box,
    true_errors,
)

BOTH = [0, 0, 0, 1]  # the conjunction of both attributes, over 00, 01, 10, 11


def test_errors_of_the_nine_conjunctions():
    errors = true_errors(conjunction_table(2), BOTH)
    values, counts = np.unique(errors, return_counts=True)
    assert values.tolist() == [0, 0.25, 0.5, 0.75]
    assert counts.tolist() == [1, 2, 3, 3]


@pytest.mark.parametrize(
    ("epsilon", "m", "chance"),
    [
        (0.25, 5, 0.472656),
        (0.25, 10, 0.112625),
        (0.25, 20, 0.006342),
        (0.5, 2, 0.625),
        (0.5, 5, 0.091797),
        (0.75, 1, 0.75),
        (0.75, 2, 0.1875),
    ],
)
def test_exact_chances(epsilon, m, chance):
    found = failure_chance(conjunction_table(2), BOTH, m, epsilon)
    assert found.exact == pytest.approx(chance, abs=5e-7)
    assert found.exact <= found.from_bad + 1e-12
    assert found.from_bad <= found.from_all


@given(
    st.integers(1, 3).flatmap(
        lambda n: st.tuples(arrays(np.bool_, st.tuples(st.integers(1, 6), st.just(n))), arrays(np.bool_, n))
    ),
    st.integers(0, 4),
    st.sampled_from((0.1, 0.3, 0.6)),
)
def test_chances_by_writing_down_every_sample(setting, m, epsilon):
    table, target = setting
    weights = np.arange(1.0, len(target) + 1)
    shares = weights / weights.sum()
    failing = 0.0
    for rows in product(range(len(target)), repeat=m):
        if not exhaustion(table, target, rows, epsilon, weights).exhausted:
            failing += float(np.prod(shares[list(rows)]))
    assert failure_chance(table, target, m, epsilon, weights).exact == pytest.approx(failing, abs=1e-9)


def test_offenders():
    found = exhaustion(conjunction_table(2), BOTH, rows=[3], epsilon=0.5)
    assert not found.exhausted
    assert len(found.members) == 4
    assert [true_errors(conjunction_table(2), BOTH)[each] for each in found.offenders] == [0.75]
    assert "1 with a true error of 0.5 or more, at worst 0.75" in str(found)
    assert "0.5-exhausted" in str(exhaustion(conjunction_table(2), BOTH, range(4), 0.5))
    assert "vacuous" in str(failure_chance(conjunction_table(2), BOTH, 2, 0.25))


# Figure 7.2; which error belongs to which r is inferred, and the two consistent hypotheses are ours
FIGURE = ((0.1, 0.2), (0.3, 0.4), (0.2, 0.3), (0.3, 0.1), (0.1, 0.0), (0.2, 0.0))
WRONG = ((0,), (1, 2, 3), (4, 5), (6, 7, 8), (7,), (8, 9))
ROWS = (0, 0, 1, 1, 2, 3, 4, 4, 5, 6)


def test_a_space_with_true_errors_and_errors_on_the_rows():
    table = [[x in wrong for x in range(10)] for wrong in WRONG]
    found = exhaustion(table, [False] * 10, ROWS, 0.2)
    assert np.array(found.space) == pytest.approx(np.array(FIGURE))
    assert found.members == (4, 5)
    assert found.offenders == (5,)
    assert exhaustion(table, [False] * 10, ROWS, 0.25).exhausted
    axes = found.draw().axes[0]
    drawn = {
        line.get_label(): sorted(zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True))
        for line in axes.lines
        if line.get_marker() == "o"
    }
    assert drawn["consistent, below epsilon"] == [(0.0, 0.1)]
    assert drawn["consistent, as bad as that"] == [(0.0, 0.2)]
    assert drawn["not consistent"] == sorted((r, error) for error, r in FIGURE[:4])


def test_hypotheses_at_the_same_place_are_counted_in_the_picture():
    found = exhaustion(conjunction_table(2), BOTH, [0, 3], 0.5)
    axes = found.draw().axes[0]
    alone = sum(len(line.get_xdata()) for line in axes.lines if line.get_marker() == "o") - len(axes.texts)
    assert alone + sum(int(text.get_text()) for text in axes.texts) == len(found.space) == 9


def test_error_depends_on_the_distribution():
    assert true_errors([[0, 1, 1]], [0, 0, 1], [1, 2, 1]).tolist() == [0.5]


def test_the_sampled_error_is_near_the_exact_one():
    weights = np.array([1.0, 2.0, 1.0])
    target, says = np.array([0, 0, 1]), np.array([0, 1, 1])

    def draw(n, random):
        return random.choice(3, n, p=weights / weights.sum())

    exact = float(true_errors([says], target, weights)[0])
    inside = 0
    for seed in range(40):
        found = sampled_error(says.__getitem__, target.__getitem__, draw, m=500, random_state=seed)
        inside += found.low <= exact <= found.high
    assert 34 <= inside <= 40
    with pytest.raises(InputError, match="hypothesis is int; give a function"):
        sampled_error(3, target.__getitem__, draw)


@pytest.mark.parametrize("weights", [None, (0.4, 0.2, 0.2, 0.1, 0.05, 0.03, 0.01, 0.01), range(1, 9)])
@pytest.mark.parametrize("target", [0, 13, 26])
def test_the_pac_claim_by_simulation(weights, target):
    """With the rows that equation 7.2 asks for, a bad hypothesis survives in at most a share delta of the trials."""
    table, epsilon, delta, trials = conjunction_table(3), 0.1, 0.1, 4000
    m = sample_complexity(conjunctions(3), epsilon=epsilon, delta=delta).rows
    found = pac_experiment(table, table[target], m, epsilon, weights, trials)
    # three standard deviations of luck are allowed for
    assert found.rate <= delta + 3 * math.sqrt(delta * (1 - delta) / trials)
    fewer = pac_experiment(table, table[target], m // 8, epsilon, weights, trials)
    assert fewer.rate > found.rate


def test_simulation_agrees_with_the_exact_chance():
    table, trials = conjunction_table(2), 20_000
    for m in (2, 5, 10):
        exact = failure_chance(table, BOTH, m, 0.25).exact
        found = pac_experiment(table, BOTH, m, 0.2, trials=trials, random_state=m)
        assert found.rate == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / trials))


def test_experiments_repeat():
    arguments = conjunction_table(2), BOTH, 5, 0.2
    assert pac_experiment(*arguments, random_state=3) == pac_experiment(*arguments, random_state=3)


def test_the_tightest_interval():
    """Exercise 7.4: at most 2 (1 - epsilon / 2)^m; in the uniform case about 0.033 against 0.154."""
    found = learner_experiment(
        lambda X, y: tightest_box(X, y).covers,
        target=lambda X: (X > 0.2) & (X < 0.8),
        draw=lambda n, random: random.uniform(0, 1, n),
        m=50,
        epsilon=0.1,
        trials=1000,
    )
    assert pytest.approx(0.154, abs=5e-4) == 2 * (1 - 0.1 / 2) ** 50
    assert found.rate == pytest.approx(0.033, abs=0.02)
    assert found.rate <= 0.154


def test_an_estimator_can_be_tried_out():
    from sklearn.tree import DecisionTreeClassifier

    def run(m):
        return learner_experiment(
            DecisionTreeClassifier(random_state=0),
            target=lambda X: X[:, 0] > 0.5,
            draw=lambda n, random: random.uniform(0, 1, (n, 2)),
            m=m,
            epsilon=0.1,
            trials=40,
            test_rows=500,
        )

    assert run(60).rate < 0.2 < run(5).rate
    assert "the learner had a true error above 0.1" in str(run(5))


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 2), (2, 3), (3, 5)])
def test_nothing_is_learned_without_a_bias(n, m):
    """All functions that fit m rows: for every unseen instance half of them say yes (AIMA 18.5)."""
    every = np.array(list(product((False, True), repeat=2**n)))
    target = every[len(every) // 3]
    fitting = every[(every[:, :m] == target[:m]).all(axis=1)]
    assert (fitting[:, m:].mean(axis=0) == 0.5).all()
    assert len(exhaustion(every, target, range(m), 0.1).members) == 2 ** (2**n - m)
    assert len(every) == round(math.exp(of_size(2**2**n).ln_size))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: true_errors([[0, 1]], [0]), "there are 2 instances and 1 labels of the target"),
        (lambda: true_errors([[0, 1]], [0, 1], [0, 0]), "weights must contain a number of at least 0"),
        (lambda: true_errors([[0, 1]], [0, 1], [-1, 2]), "weights must contain a number of at least 0"),
        (lambda: exhaustion([[0, 1]], [0, 1], [5], 0.1), "instances are numbered from 0 to 1"),
        (lambda: exhaustion([[0, 1]], [0, 1], [0], 1.5), "epsilon is 1.5"),
        (lambda: failure_chance([[0, 1]], [0, 1], -1, 0.1), "m is -1"),
        (lambda: pac_experiment([[0, 1]], [0, 1], 1, 0.1, trials=0), "trials is 0"),
        (lambda: learner_experiment(3, None, None, 1, 0.1), "learn is a int; give an estimator"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()
