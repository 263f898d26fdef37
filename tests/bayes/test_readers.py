"""Decisions, bags without replacement, probability rules, codes and pictures on top of posteriors."""

import math

import numpy as np
import pytest

import induce
from induce import InputError
from induce.bayes import (
    Decision,
    FiniteBags,
    HypothesisSet,
    bayes_theorem,
    optimal_code,
    product_rule,
    sum_rule,
    total_probability,
)
from induce.evaluation import shortest_description
from induce.trees.pruning.description import description_length, exception_bits


def doctor(prior):
    return HypothesisSet(dict.fromkeys(prior), prior).posterior()


def test_two_medicines():
    """Exercise 20.4: the Bayesian takes both; who acts on the likeliest disease turns with how it is divided."""

    def survival(action, disease):
        return float(action == "both" or action[-1] == disease[0])

    actions = ("anti-A", "anti-B", "both")
    whole = HypothesisSet({"A": "A", "B": "B"}, [0.4, 0.6]).posterior().decide(survival, actions)
    split = (
        HypothesisSet({"A": "A", "B1": "B1", "B2": "B2"}, [0.4, 0.3, 0.3])
        .posterior()
        .decide(survival, actions)
    )
    assert whole.action == split.action == "both"
    assert whole.utility == split.utility == pytest.approx(1)
    assert (whole.action_for_map, split.action_for_map) == ("anti-B", "anti-A")
    assert split.regret_of_map == pytest.approx(0.6)
    assert whole.expected == pytest.approx(split.expected)
    assert "best for the MAP hypothesis" in str(split)


def test_utilities_by_name():
    decision = doctor({"ill": 0.3, "well": 0.7}).decide(
        {"wait": {"ill": -10, "well": 0}, "treat": {"ill": -1, "well": -2}}
    )
    assert decision.expected == pytest.approx([-3, -1.7])
    assert isinstance(decision, Decision)
    with pytest.raises(InputError, match="action 'wait' has no utility under well"):
        doctor({"ill": 0.3, "well": 0.7}).decide({"wait": {"ill": 0}})
    with pytest.raises(InputError, match="there are no actions"):
        doctor({"ill": 0.3, "well": 0.7}).decide({})


def test_bags_are_hypergeometric():
    from scipy.stats import hypergeom

    n, prior = 8, [0.25, 0.25, 0.5]
    limes = {"few": 2, "half": 4, "many": 6}
    bags = FiniteBags({name: {"cherry": n - k, "lime": k} for name, k in limes.items()}, prior)
    posterior = bags.posterior(["lime", "cherry", "lime", "lime"])
    joint = np.array(prior) * [hypergeom.pmf(3, n, k, 4) for k in limes.values()]
    assert posterior.probabilities == pytest.approx(joint / joint.sum())
    assert math.exp(posterior.log_evidence) == pytest.approx(joint.sum() / 4)  # in this order
    next_lime = sum(
        p * (k - 3) / 4 for p, k in zip(posterior.probabilities, limes.values(), strict=True) if k > 3
    )
    assert posterior.predict()["lime"] == pytest.approx(next_lime)


def test_large_bags_are_as_good_as_endless_ones():
    shares = {"few": 0.25, "many": 0.75}
    endless = HypothesisSet({name: {"cherry": 1 - p, "lime": p} for name, p in shares.items()})
    large = FiniteBags({name: {"cherry": 4e6 * (1 - p), "lime": 4e6 * p} for name, p in shares.items()})
    seen = ["lime", "lime", "cherry"]
    assert large.posterior(seen).probabilities == pytest.approx(
        endless.posterior(seen).probabilities, abs=1e-5
    )


def test_bags_refuse_what_they_cannot_hold():
    bags = FiniteBags({"a": {"lime": 1}, "b": {"lime": 2}})
    assert bags.posterior(["lime", "lime"])["b"] == 1
    with pytest.raises(InputError, match="'lime' is impossible"):
        bags.posterior(["lime"] * 3)
    with pytest.raises(InputError, match="bag a contains"):
        FiniteBags({"a": {"lime": 1.5}})


def test_rules_of_probability():
    assert product_rule(0.03, 0.992) == pytest.approx(0.02976)
    assert sum_rule(0.3, 0.3, 0.0) == pytest.approx(0.6)
    evidence = total_probability([0.98, 0.03], [0.008, 0.992])
    assert bayes_theorem(0.98, 0.008, evidence) == pytest.approx(0.208511, abs=5e-7)
    assert bayes_theorem(0.98, 0.008, evidence) + bayes_theorem(0.03, 0.992, evidence) == pytest.approx(
        1
    )  # 6.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: product_rule(1.2, 0.5), "conditional is 1.2"),
        (lambda: sum_rule(0.2, 0.3, 0.25), "cannot be more probable than 0.2"),
        (lambda: sum_rule(0.9, 0.9, 0.1), r"P\(A or B\) is 1.7"),
        (lambda: total_probability([0.5], [0.5, 0.5]), "1 conditionals for 2 events"),
        (lambda: total_probability([0.5, 0.5], [0.5, 0.6]), "partition sums to 1.1"),
        (lambda: bayes_theorem(0.5, 0.0, 0.0), "evidence is 0"),
        (lambda: bayes_theorem(0.5, 0.5, 0.1), "give at least that"),
        (lambda: optimal_code({"a": 0.5, "b": 0.6}), "probabilities sum to 1.1"),
    ],
)
def test_bad_probabilities_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_codes():
    """03:O6.6."""
    code = optimal_code({1: 0.5, 2: 0.25, 3: 0.125, 4: 0.125})
    assert list(code.bits.values()) == [1, 2, 3, 3]
    assert code.expected == 1.75
    assert optimal_code({"sure": 1.0, "never": 0.0}).bits["never"] == math.inf
    assert optimal_code({"sure": 1.0, "never": 0.0}).expected == 0


def tennis_trees():
    X, y = induce.dataset("play-tennis")
    full = induce.ID3().fit(X, y).hypothesis_
    return (
        X,
        y,
        {
            "full": full,
            "leaf": induce.ID3(max_depth=0).fit(X, y).hypothesis_,
            "outlook": induce.ID3(max_depth=1).fit(X, y).hypothesis_,
        },
    )


def test_mdl_of_trees():
    """03:O6.7: the printed code picks the full tree."""
    X, y, trees = tennis_trees()
    choice = shortest_description(trees, X, y, exceptions="mitchell")
    assert choice["total bits"] == pytest.approx(
        {"full": 18.169925, "leaf": 26.036775, "outlook": 28.229420}, abs=5e-7
    )
    assert choice.best == ("full",)
    assert float(exception_bits(14, 5, 7)) == pytest.approx(13.967226, abs=5e-7)
    assert description_length(trees["full"]).tree == pytest.approx(18.169925, abs=5e-7)


CONJUNCTIONS = {"none": (), "0": (0,), "1": (1,), "0, 1": (0, 1)}
N, ROWS = 16, (({}, True), ({5}, True), ({0}, False), ({1}, False))


def errors(listed):
    return sum((not set(listed) & set(off)) != label for off, label in ROWS)


def test_mdl_may_prefer_a_shorter_hypothesis_with_errors():
    """Exercise 6.5: two attributes take 8 bits; the empty conjunction takes 4 for its two errors."""
    bits = {name: len(listed) * math.log2(N) for name, listed in CONJUNCTIONS.items()}
    wrong = {name: errors(listed) for name, listed in CONJUNCTIONS.items()}
    assert wrong == {"none": 2, "0": 1, "1": 1, "0, 1": 0}
    data_bits = np.array([wrong[name] * math.log2(len(ROWS)) for name in CONJUNCTIONS])
    coded = HypothesisSet(CONJUNCTIONS, bits=bits).posterior().given(-math.log(2) * data_bits)
    assert coded.map_hypotheses == ("none",)
    totals = coded.hypothesis_bits + coded.data_bits
    assert totals - totals[0] == pytest.approx([0, 2, 2, 4])


def test_the_distributions_for_which_that_mdl_is_map():
    """Exercise 6.5c: P(h) = n^-|h| / (1 + 1/n)^n and P(agree) = m / (m + 1)."""
    m = len(ROWS)
    names = {",".join(map(str, s)): s for s in [(), *((k,) for k in range(N)), (0, 1), (0, 2)]}
    assert sum(math.comb(N, k) * N**-k for k in range(N + 1)) == pytest.approx((1 + 1 / N) ** N)
    probable = HypothesisSet(
        names,
        lambda listed: N ** -len(listed),
        lambda listed, row: (m if (not set(listed) & set(row[0])) == row[1] else 1) / (m + 1),
    ).posterior(ROWS)
    lengths = np.array([len(s) * math.log2(N) + errors(s) * math.log2(m) for s in names.values()])
    found = probable.hypothesis_bits + probable.data_bits
    assert found - found[0] == pytest.approx(lengths - lengths[0])
    assert probable.mdl_hypotheses == probable.map_hypotheses == ("",)


def test_bits_far_apart_do_not_underflow():
    chosen = HypothesisSet(["short", "long"], bits=[10, 20_000]).posterior().given([-30_000.0, 0.0])
    assert chosen.map_hypothesis == "h2"


def test_pictures():
    limes = {"h1": 0.1, "h2": 0.9}
    bags = HypothesisSet({name: {"cherry": 1 - p, "lime": p} for name, p in limes.items()})
    evolution = bags.evolve(["lime"] * 3)
    lines, predictions = evolution.draw().axes
    assert [line.get_label() for line in lines.lines] == ["h1", "h2"]
    assert lines.lines[1].get_ydata()[-1] == pytest.approx(evolution.posteriors[-1]["h2"])
    assert [line.get_label() for line in predictions.lines] == ["Bayes", "MAP", "ML"]
    assert len(evolution.draw_bars().axes) == 4
    many = HypothesisSet(range(100), likelihood=lambda h, x: 1 / (1 + h)).evolve([0])
    assert len(many.draw_bars().axes[0].patches) == 64
    assert len(many.draw().axes[0].lines) == 12
