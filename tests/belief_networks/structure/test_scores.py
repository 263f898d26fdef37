"""Scores of families: published numbers, and what they must agree with."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln

import induce
from induce.belief_networks.structure.independence import Independences
from induce.belief_networks.structure.scores import SCORES, CodedRows, FamilyScores
from induce.belief_networks.structure.trees import mutual_information

# 03:O6.15, the table of Cooper and Herskovits
TEN = [[row >> 2, row >> 1 & 1, row & 1] for row in (4, 7, 1, 7, 0, 3, 7, 0, 7, 0)]
# 07:B6 for Flavor, Wrapper, Hole: parents, parameters, log-likelihood, BIC, BDeu(1)
B6 = [
    (((), (0,), (0, 1)), 7, -1979.3601, -2003.5373, -2006.7556),
    (((), (0,), (0,)), 5, -1993.2633, -2010.5327, -2012.2334),
    (((), (2,), (0,)), 5, -2001.3777, -2018.6471, -2020.3581),
    (((1, 2), (), ()), 6, -2001.7222, -2022.4454, -2025.1371),
    (((), (0,), (1,)), 5, -2010.3219, -2027.5913, -2029.3123),
    (((), (), (0, 1)), 6, -2009.8365, -2030.5598, -2033.2618),
    (((), (), (0,)), 4, -2023.7397, -2037.5552, -2038.7396),
    (((), (0, 2), ()), 6, -2018.7807, -2039.5040, -2042.2160),
    (((), (0,), ()), 4, -2032.6839, -2046.4994, -2047.6939),
    (((), (), (1,)), 4, -2040.7983, -2054.6138, -2055.8185),
    (((), (), ()), 3, -2063.1603, -2073.5219, -2074.2001),
]


def test_the_k2_fixture():
    families = FamilyScores(CodedRows.of(np.array(TEN), [2, 2, 2]), "k2")
    wanted = {
        (0, ()): 2772,
        (1, ()): 2772,
        (1, (0,)): 900,
        (2, ()): 2310,
        (2, (0,)): 1800,
        (2, (1,)): 180,
        (2, (0, 1)): 400,
    }
    for (node, parents), odds in wanted.items():
        assert families.score(node, parents) == pytest.approx(-math.log(odds), abs=1e-12)
    assert math.exp(families.total([(), (0,), (1,)])) == pytest.approx(float(Fraction(1, 449064000)))
    assert math.exp(families.total([(), (0,), (0,)])) == pytest.approx(2.22685e-10, rel=1e-5)
    X = pl.DataFrame(TEN, schema=["x1", "x2", "x3"], orient="row").cast(pl.String)
    assert induce.K2().fit(X).hypothesis_.graph.arcs == (("x1", "x2"), ("x2", "x3"))


@pytest.mark.parametrize(("parents", "k", "likelihood", "bic", "bdeu"), B6)
def test_scores_of_candies(candies, parents, k, likelihood, bic, bdeu):
    found = FamilyScores(candies, "bic")
    assert sum(found.n_parameters(node, above) for node, above in enumerate(parents)) == k
    assert found.total(parents) == pytest.approx(bic, abs=6e-5)
    assert found.total(parents) + k / 2 * math.log(1000) == pytest.approx(likelihood, abs=6e-5)
    assert FamilyScores(candies, "bdeu").total(parents) == pytest.approx(bdeu, abs=6e-5)
    sayings = [math.log(3) + math.log(math.comb(3, len(above))) for above in parents]
    assert FamilyScores(candies, "mdl").total(parents) == pytest.approx(found.total(parents) - sum(sayings))


def test_k2_scores_of_candies(candies, graphs):
    families = FamilyScores(candies, "k2")
    scores = {parents: families.total(parents) for parents in graphs(3)}
    assert len(scores) == 25
    assert len(graphs(4)) == 543
    assert scores[(), (), ()] == pytest.approx(-2072.8631, abs=6e-5)
    best = max(scores, key=scores.get)
    assert best == ((), (0, 2), (0,))
    assert scores[best] == pytest.approx(-1998.6416, abs=6e-5)


def test_likelihood_never_falls_with_an_arc(candies, graphs):
    """AIMA, exercise 20.9: so a penalty is needed."""
    found = FamilyScores(candies, "bic")

    def likelihood(node, above):
        return found.score(node, above) + found.n_parameters(node, above) / 2 * math.log(1000)

    for parents in graphs(3):
        for node, above in enumerate(parents):
            for more in set(range(3)) - {node, *above}:
                assert likelihood(node, (*above, more)) >= likelihood(node, above) - 1e-9


def test_independence_in_candies(candies):
    tests = Independences(candies)
    for pair, g, chi2, rest, conditional in [
        ((0, 1), 60.9528, 60.5004, 2, 44.0351),
        ((0, 2), 78.8411, 78.0697, 1, 61.9235),
        ((1, 2), 44.7241, 44.4825, 0, 27.8064),
    ]:
        found = tests.test(*pair)
        assert (found.g, found.chi2, found.freedom) == (
            pytest.approx(g, abs=6e-5),
            pytest.approx(chi2, abs=6e-5),
            1,
        )
        given_third = tests.test(*pair, (rest,))
        assert given_third.g == pytest.approx(conditional, abs=6e-5)
        assert given_third.freedom == 2
    assert tests.test(1, 2, (0,)).p_value("g") == pytest.approx(9.16e-7, rel=2e-3)
    information = mutual_information(tests)
    assert information[[0, 0, 1], [1, 2, 2]] == pytest.approx([0.030476, 0.039421, 0.022362], abs=6e-7)


def tables(most_rows=40, most_columns=4):
    @st.composite
    def made(draw):
        rng = np.random.default_rng(draw(st.integers(0, 10**6)))
        n, m = draw(st.integers(1, most_rows)), draw(st.integers(2, most_columns))
        sizes = rng.integers(1, 4, m)
        codes = np.column_stack([rng.integers(0, size, n) for size in sizes])
        codes[rng.random(codes.shape) < draw(st.sampled_from([0.0, 0.2]))] = -1
        return codes, sizes.tolist(), rng.integers(1, 4, n).astype(float)

    return made()


def by_hand(codes, sizes, weights, score, node, parents):
    """The score of a family straight from its definition."""
    scope = [*parents, node]
    known = (codes[:, scope] >= 0).all(axis=1)
    counts = np.zeros([sizes[k] for k in scope])
    np.add.at(counts, tuple(codes[known][:, scope].T), weights[known])
    total = weights.sum()
    if counts.sum():
        counts *= total / counts.sum()
    counts = counts.reshape(-1, sizes[node])
    q, r = counts.shape
    if score in ("k2", "bdeu"):
        prior = 1.0 if score == "k2" else 1.0 / (q * r)
        states = gammaln(r * prior) - gammaln(counts.sum(axis=1) + r * prior)
        return states.sum() + (gammaln(counts + prior) - gammaln(prior)).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(counts > 0, counts * np.log(counts / counts.sum(axis=1, keepdims=True)), 0.0)
    price = q * (r - 1) / 2 * math.log(total)
    n = len(sizes)
    saying = math.log(n) + math.log(math.comb(n, len(parents))) if score == "mdl" else 0.0
    return logs.sum() - price - saying


@given(tables(), st.sampled_from(SCORES))
def test_scores_follow_their_definition(table, score):
    codes, sizes, weights = table
    n = len(sizes)
    families = FamilyScores(CodedRows.of(codes, sizes, weights), score)
    for node in range(n):
        parents = tuple(k for k in range(n) if k != node)[:1]
        gains = families.gains(node, parents)
        for more in range(n):
            if more == node or more in parents:
                assert gains[more] == -math.inf
                continue
            family = (*parents, more)
            wanted = by_hand(codes, sizes, weights, score, node, family)
            assert families.score(node, family) == pytest.approx(wanted, rel=1e-9, abs=1e-9)
            # a gain compares both families on the rows that know the larger one
            known = (codes[:, [node, *family]] >= 0).all(axis=1)
            with_it, without = (
                by_hand(codes[known], sizes, weights[known], score, node, each) if known.any() else 0.0
                for each in (family, parents)
            )
            assert gains[more] == pytest.approx(with_it - without, rel=1e-9, abs=1e-9)
            assert families.gain(node, parents, more) == gains[more]
            before, after = [()] * n, [()] * n
            before[node], after[node] = parents, family
            assert families.difference(before, after) == pytest.approx(gains[more], rel=1e-9, abs=1e-9)


@pytest.mark.compiled
def test_plain_is_compiled():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 3, (60, 5))
    for score in ("bic", "bdeu"):
        plain = FamilyScores(CodedRows.of(codes, [3] * 5), score)
        quick = FamilyScores(CodedRows.of(codes, [3] * 5), score)
        quick._work = math.inf
        for node in range(5):
            above = (node - 1) % 5, (node + 1) % 5
            assert quick.gains(node, above) == pytest.approx(plain.gains(node, above), rel=1e-9, abs=1e-9)
    tests, fast = Independences(CodedRows.of(codes, [3] * 5)), Independences(CodedRows.of(codes, [3] * 5))
    fast._work = math.inf
    found, wanted = fast.test(0, 1, (2, 3)), tests.test(0, 1, (2, 3))
    assert found.freedom == wanted.freedom
    assert (found.g, found.chi2) == pytest.approx((wanted.g, wanted.chi2), rel=1e-12)


def test_more_states_than_rows():
    """States that no row is in are left out, and change nothing."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 6, (50, 6))
    for score in SCORES:
        families = FamilyScores(CodedRows.of(codes, [6] * 6), score)
        wanted = by_hand(codes, [6] * 6, np.ones(50), score, 0, (1, 2, 3, 4, 5))
        assert families.score(0, (1, 2, 3, 4, 5)) == pytest.approx(wanted, rel=1e-9)
