"""What theory promises for a hypothesis: never less than it should, and in one honest line."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Above, Between, Is, OneOf
from induce.hypotheses.rules import Rule, RuleList
from induce.theory import (
    chernoff,
    code_length,
    conjunctions,
    decision_lists_of,
    highest_rate,
    hoeffding,
    of_dimension,
    of_size,
    promise,
    promise_for,
    rectangles,
    relative_rows,
    sample_complexity,
    space_of,
)
from induce.theory.code import number_bits, whole_bits
from induce.trees.pruning import description_length


def test_tails():
    assert hoeffding(100, 0.1) == pytest.approx(math.exp(-2))
    assert chernoff(100, 0.5, 0.4) == pytest.approx((math.exp(-100 * 0.5 * 0.16 / 3), math.exp(-4)))
    assert relative_rows(10 * math.log(3), 0.1, 0.5, 0.05) == pytest.approx(2516.7, abs=0.05)


@given(st.integers(1, 400), st.floats(0.01, 0.99), st.floats(0, 1))
def test_tails_are_bounds(m, p, gamma):
    above = stats.binom.sf(math.floor(m * p * (1 + gamma) + 1e-9), m, p)
    below = stats.binom.cdf(math.ceil(m * p * (1 - gamma) - 1e-9) - 1, m, p)
    most_above, most_below = chernoff(m, p, gamma)
    assert above <= most_above + 1e-12
    assert below <= most_below + 1e-12
    shortfall = stats.binom.cdf(math.ceil(m * (p - gamma) - 1e-9) - 1, m, p)
    assert shortfall <= hoeffding(m, gamma) + 1e-12


@given(st.integers(1, 300), st.data(), st.floats(0.001, 0.5))
def test_the_inverted_bound_is_above_the_exact_one_and_below_hoeffdings(m, data, delta):
    errors = data.draw(st.integers(0, m))
    found = highest_rate(errors / m, math.log(1 / delta) / m)
    exact = 1.0 if errors == m else float(stats.beta.isf(delta, errors + 1, m - errors))
    assert exact <= found + 1e-9
    assert found <= min(1.0, errors / m + math.sqrt(math.log(1 / delta) / (2 * m))) + 1e-9
    if errors == 0:
        assert found == pytest.approx(exact)


def test_a_promise_is_never_worse_than_the_books():
    for m, n in product((50, 500, 5000), (5, 10, 50)):
        space = conjunctions(n)
        consistent = sample_complexity(space, m=m, delta=0.05).epsilon
        assert promise(space, m).bound <= min(1.0, consistent)
        agnostic = sample_complexity(space, m=m, delta=0.05, setting="agnostic").epsilon
        assert promise(space, m, 0.1).bound <= min(1.0, 0.1 + agnostic)


def test_a_promise_without_a_finite_space():
    assert promise(rectangles(), 1000).bound == pytest.approx(0.2114, abs=1e-4)
    some_errors = promise(of_dimension(3), 100_000, 0.1)
    ln_growth = 3 * math.log(2 * math.e * 100_000 / 3)
    assert some_errors.bound == pytest.approx(0.1 + math.sqrt(8e-5 * (ln_growth + math.log(80))))
    assert promise(of_dimension(10_000), 100, 0.1).bound == 1.0
    assert "VC dimension 3" in some_errors.line()


def test_promises_are_kept():
    """The best of many useless hypotheses looks good on the rows; the promise is not fooled."""
    random = np.random.default_rng(0)
    n_hypotheses, m, delta = 200, 60, 0.1
    broken = 0
    for _ in range(300):
        true = random.uniform(0.2, 0.5, n_hypotheses)
        shown = random.binomial(m, true) / m
        chosen = shown.argmin()
        broken += true[chosen] > promise(of_size(n_hypotheses), m, float(shown[chosen]), delta).bound
    assert broken <= 300 * delta


def test_words():
    good, bad = promise(conjunctions(10), 500), promise(conjunctions(10), 5)
    assert not good.vacuous
    assert bad.vacuous
    needed = int(bad.line().rpartition("below 0.5 takes ")[2].removesuffix(" rows"))
    assert promise(conjunctions(10), needed).bound < 0.5 <= promise(conjunctions(10), needed - 1).bound
    assert promise(conjunctions(2), 9, 0.6).line().endswith("no better than guessing")
    assert promise(of_size(10**9), 9, 0.4999999999).line().endswith("no better than guessing")
    assert "an independent sample" in str(good)
    assert "the space was chosen before the rows were seen" in good._repr_html_()
    assert good.as_dict()["bound"] == good.bound
    assert promise(rectangles(), 10).as_dict()["ln_size"] is None


def test_a_tree_of_nominal_tests_takes_what_it_takes_elsewhere():
    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    assert code_length(tree) == pytest.approx(2 + description_length(tree).tree)


def test_thresholds_take_bits():
    tree = induce.C45().fit(*induce.dataset("iris")).hypothesis_
    thresholds = tree.threshold[tree.attribute >= 0]
    structure = tree.n_nodes + tree.n_leaves * math.log2(3) + len(thresholds) * 2
    assert code_length(tree) == pytest.approx(2 + structure + sum(map(number_bits, thresholds.tolist())))
    longer = replace(tree, threshold=tree.threshold + 1 / 3)
    assert code_length(longer) == pytest.approx(2 + structure + 65 * len(thresholds))


def test_grouped_values_and_several_cuts_take_bits():
    X, y = induce.dataset("restaurant")
    grouped = induce.CART().fit(X, y).hypothesis_
    assert (grouped.map_start >= 0).any()
    least = 2 + description_length(grouped).tree
    assert code_length(grouped) > least
    X, y = induce.dataset("iris")
    several = induce.DecisionTreeClassifier(numeric="intervals").fit(X, y).hypothesis_
    assert (several.n_branches > 2).any()
    inner = np.flatnonzero(several.attribute >= 0).tolist()
    ends = [end for node in inner for end in several.ends(node).tolist()]
    assert len(ends) > len(inner)
    structure = several.n_nodes + several.n_leaves * math.log2(3) + len(inner) * 2
    branches = sum(whole_bits(int(several.n_branches[node])) for node in inner)
    assert code_length(several) == pytest.approx(2 + structure + branches + sum(map(number_bits, ends)))


def test_a_code_has_room_for_all():
    """Kraft's inequality: the shares 2^-bits of all whole numbers, and of all small lists, are at most one."""
    assert sum(2.0 ** -whole_bits(number) for number in range(200_000)) <= 1
    decimals = {round(number / 100, 2) for number in range(-20_000, 20_000)}
    assert sum(2.0 ** -number_bits(number) for number in decimals) <= 1
    schema = Schema((Column("a", "nominal", ("x", "y")), Column("b", "nominal", ("x", "y", "z"))))
    conditions = [
        OneOf(column.name, chosen) if len(chosen) != 1 else Is(column.name, chosen[0])
        for column in schema
        for keep in product((False, True), repeat=len(column.domain))
        if any(keep)
        for chosen in [tuple(value for value, kept in zip(column.domain, keep, strict=True) if kept)]
    ]
    premises = [(), *((one,) for one in conditions), *product(conditions, repeat=2)]
    lists = (
        RuleList(schema, "t", ("n", "p"), tuple(Rule(each, "p", (0, 1)) for each in rules), "n", (1, 1))
        for rules in ((), *((one,) for one in premises))
    )
    assert sum(2.0 ** -code_length(each) for each in lists) <= 1


def test_rules():
    schema = Schema((Column("wind", "nominal", ("weak", "strong")), Column("rain")))
    rules = (
        Rule((Is("wind", "weak"), Above("rain", 2.0)), "no", (3, 1)),
        Rule((Between("rain", 0.0, 7.0),), "yes", (0, 2)),
    )
    ordered = RuleList(schema, "play", ("no", "yes"), rules, "yes", (1, 5))
    conditions = (
        (1 + 1 + 1) + (1 + math.log2(8 / 3) + number_bits(2.0)) + (1 + 2 + number_bits(0) + number_bits(7))
    )
    assert code_length(ordered) == pytest.approx(3 + 2 * 3 + 3 + conditions)
    voting = replace(ordered, ordered=False)
    assert code_length(voting) == pytest.approx(
        code_length(ordered) + sum(whole_bits(count) for count in (3, 1, 0, 2))
    )
    assert space_of(ordered).supposes == ()
    weighted = replace(voting, rules=(replace(rules[0], counts=(0.5, 1.0)),))
    with pytest.raises(InputError, match="fractional weights"):
        code_length(weighted)


def test_a_learned_tree():
    X, y = induce.dataset("breast-cancer")
    learner = induce.C45().fit(X, y)
    found = promise_for(learner, X, y)
    wrong = (learner.predict(X) != np.asarray(y)).mean()
    assert found.training_error == pytest.approx(wrong)
    assert found == promise(space_of(learner.hypothesis_), len(y), float(wrong))
    assert "no value is missing or new" in found.supposes
    assert wrong < found.bound < 0.5
    frame = pd.DataFrame(X.to_dict(as_series=False))
    assert promise_for(learner.hypothesis_, frame, pd.Series(y.to_list())) == found


def test_the_promise_for_decision_lists_holds():
    """What the greedy list errs in truth is below the bound of its space in more than 95% of the trials."""
    random = np.random.default_rng(0)
    every = np.array(list(product("ab", repeat=4)))
    schema = Schema(tuple(Column(f"x{i}", "nominal", ("a", "b")) for i in range(4)))
    space = decision_lists_of(schema, 1)
    assert promise(space, 12).vacuous
    broken, bounds = 0, []
    for _ in range(40):
        truth = np.where((every[:, 0] == "a") | (every[:, 2] == "b"), "yes", "no")
        rows = random.integers(0, 16, 120)
        learner = induce.DecisionListClassifier(1, schema=schema).fit(every[rows], truth[rows])
        training_error = 1 - learner.score(every[rows], truth[rows])
        bounds.append(promise(space, 120, training_error).bound)
        broken += float((learner.predict(every) != truth).mean()) > bounds[-1]
    assert broken <= 2
    assert max(bounds) < 0.5


def test_a_learned_list_of_rules():
    X, y = induce.dataset("wine")
    rules = induce.C45Rules().fit(X, y)
    assert promise_for(rules, X, y).space.name.startswith("rule lists of at most")


def test_the_promise_of_a_tree_holds_on_new_rows():
    """Random concepts and rows: the true error is below the bound in more than 95% of the trials."""
    random = np.random.default_rng(1)
    every = np.array(list(product("ab", repeat=4)))
    broken = 0
    for _ in range(60):
        truth = np.where((every[:, 0] == "a") ^ (random.random(16) < 0.1), "yes", "no")
        rows = random.integers(0, 16, 150)
        learner = induce.ID3().fit(every[rows], truth[rows])
        error = float((learner.predict(every) != truth).mean())
        broken += error > promise_for(learner, every[rows], truth[rows]).bound
    assert broken <= 3


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: promise(of_size(9), 0), "m is 0"),
        (lambda: promise(of_size(9), 9, 1.2), "training_error is 1.2; it must be a number from 0 to 1"),
        (lambda: promise(of_size(9), 9, 0.1, 0), "delta is 0; it must be a number between 0 and 1"),
        (lambda: space_of(3), "cannot encode a int; give a Tree or a RuleList"),
        (lambda: relative_rows(3.0, 0.0, 0.5, 0.1), "p is 0"),
        (lambda: chernoff(9, 0.5, 2), "gamma is 2"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()


def test_rows_that_do_not_match():
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match="X has 14 rows, but y has 3"):
        promise_for(induce.ID3().fit(X, y), X, y[:3])
