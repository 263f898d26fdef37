"""Posteriors over finite sets: the candy bags of AIMA 20.1, the cancer test and the votes of Mitchell 6.2 and 6.7."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.bayes import HypothesisSet, Posterior
from induce.bayes.posterior import maximisers

LIMES = dict(zip(("h1", "h2", "h3", "h4", "h5"), (0, 0.25, 0.5, 0.75, 1), strict=True))
PRIOR = (0.1, 0.2, 0.4, 0.2, 0.1)


def candy():
    return HypothesisSet({name: {"cherry": 1 - p, "lime": p} for name, p in LIMES.items()}, PRIOR)


def cancer():
    return HypothesisSet(
        {"cancer": {"+": 0.98, "-": 0.02}, "healthy": {"+": 0.03, "-": 0.97}}, [0.008, 0.992]
    )


def exact(n):
    """The posterior after n limes in a row, as fractions."""
    joint = [
        Fraction(prior).limit_denominator() * Fraction(p) ** n
        for prior, p in zip(PRIOR, LIMES.values(), strict=True)
    ]
    return [each / sum(joint) for each in joint]


@pytest.mark.parametrize("n", range(11))
def test_limes_in_a_row(n):
    """07:B1, the table: posterior, prediction, MAP."""
    posterior = candy().posterior(["lime"] * n)
    assert posterior.probabilities == pytest.approx([float(p) for p in exact(n)], abs=1e-15)
    expected = float(sum(p * Fraction(lime) for p, lime in zip(exact(n), LIMES.values(), strict=True)))
    assert posterior.predict()["lime"] == pytest.approx(expected, abs=1e-15)
    assert posterior.map_hypothesis == ("h3", "h3", "h4", *["h5"] * 8)[n]
    assert posterior.predict().map[1] == LIMES[posterior.map_hypothesis]


def test_printed_numbers_of_the_candy_bags():
    first = ["1/2", "13/20", "19/26", "121/152", "205/242", "1453/1640", "2659/2906", "19921/21272"]
    for n, shown in enumerate([*first, "37945/39842", "292693/303560", "569599/585386"]):
        assert candy().posterior(["lime"] * n).predict()["lime"] == pytest.approx(float(Fraction(shown)))
    ten = candy().posterior(["lime"] * 10)
    assert math.exp(ten.log_likelihood[2]) == pytest.approx(0.0009765625)
    assert exact(3)[4] == Fraction(8, 19)


def test_ml_ties_before_any_candy_and_is_sure_after_one():
    assert candy().posterior().ml_hypotheses == tuple(LIMES)
    assert candy().posterior(["lime"]).ml_hypotheses == ("h5",)
    assert candy().posterior(["lime"]).predict().ml.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("n", "bits"),
    [
        (0, (3.3219, 2.3219, 1.3219, 2.3219, 3.3219)),
        (1, (math.inf, 4.3219, 2.3219, 2.7370, 3.3219)),
        (2, (math.inf, 6.3219, 3.3219, 3.1520, 3.3219)),
        (3, (math.inf, 8.3219, 4.3219, 3.5670, 3.3219)),
        (10, (math.inf, 22.3219, 11.3219, 6.4723, 3.3219)),
    ],
)
def test_description_lengths(n, bits):
    posterior = candy().posterior(["lime"] * n)
    assert posterior.hypothesis_bits + posterior.data_bits == pytest.approx(bits, abs=5e-5)
    assert posterior.mdl_hypotheses == posterior.map_hypotheses


def test_data_that_a_hypothesis_is_certain_of_take_no_bits():
    assert candy().posterior(["lime"] * 5).data_bits[4] == 0


def test_alternating_candies():
    seen = ["lime", "cherry"] * 5
    after = {n: candy().posterior(seen[:n]).probabilities for n in (1, 2, 4, 10)}
    assert after[1] == pytest.approx([0, 0.1, 0.4, 0.3, 0.2])
    assert after[2] == pytest.approx([0, 0.2143, 0.5714, 0.2143, 0], abs=5e-5)
    assert after[4] == pytest.approx([0, 0.18, 0.64, 0.18, 0])
    assert after[10] == pytest.approx([0, 0.095896, 0.808208, 0.095896, 0], abs=5e-7)
    assert candy().posterior(seen[:2]).predict()["lime"] == pytest.approx(0.5)


def brier_and_accuracy(n):
    """The expected scores of Bayes, MAP and ML over all sequences drawn from the prior; tied hypotheses averaged."""
    limes = np.array(list(LIMES.values()))
    scores = np.zeros((3, 2))
    for k in range(n + 1):
        ways = math.comb(n, k) * limes**k * (1 - limes) ** (n - k) * np.array(PRIOR)
        chance, then_lime = ways.sum(), (ways * limes).sum()
        if chance == 0:
            continue
        posterior = candy().posterior(["lime"] * k + ["cherry"] * (n - k))
        said = [
            posterior.predict()["lime"],
            *(
                np.mean([LIMES[name] for name in names])
                for names in (posterior.map_hypotheses, posterior.ml_hypotheses)
            ),
        ]
        for reader, p in enumerate(said):
            right = 0.5 * chance if math.isclose(p, 0.5) else then_lime if p > 0.5 else chance - then_lime
            scores[reader] += right, then_lime * (p - 1) ** 2 + (chance - then_lime) * p**2
    return scores


@pytest.mark.parametrize(
    ("n", "accuracies", "briers"),
    [
        (0, (0.5, 0.5, 0.5), (0.25, 0.25, 0.25)),
        (1, (0.65, 0.5, 0.65), (0.2275, 0.25, 0.35)),
        (2, (0.65, 0.65, 0.65), (0.21538, 0.21562, 0.2625)),
        (3, (0.66875, 0.64062, 0.66875), (0.20686, 0.22813, 0.24688)),
        (4, (0.66875, 0.63125, 0.66875), (0.20081, 0.21328, 0.21875)),
        (5, (0.67930, 0.66172, 0.66172), (0.19647, 0.20547, 0.20547)),
        (10, (0.69021, 0.67724, 0.67724), (0.18657, 0.19101, 0.19101)),
        (20, (0.69822, 0.67858, 0.68980), (0.18110, 0.18332, 0.18422)),
        (50, (0.69998, 0.69449, 0.69713), (0.17665, 0.17720, 0.17734)),
        (100, (0.70000, 0.69948, 0.69948), (0.17523, 0.17530, 0.17530)),
    ],
)
def test_no_reader_predicts_better_than_bayes(n, accuracies, briers):
    found = brier_and_accuracy(n)
    assert found[:, 0] == pytest.approx(accuracies, abs=6e-6)
    assert found[:, 1] == pytest.approx(briers, abs=6e-6)


def test_cancer():
    """03:O6.1 and exercise 6.1."""
    one = cancer().posterior(["+"])
    assert one["cancer"] == pytest.approx(0.208511, abs=5e-7)
    assert one["healthy"] == pytest.approx(0.791489, abs=5e-7)
    assert math.exp(one.log_evidence) == pytest.approx(0.0376)
    assert one.map_hypothesis == "healthy"
    assert cancer().posterior(["-"])["cancer"] == pytest.approx(0.00016625, abs=5e-9)
    repeated = [cancer().posterior("+" * n)["cancer"] for n in (2, 3, 4, 5)]
    assert repeated == pytest.approx([0.895896, 0.996455, 0.999891, 0.999997], abs=5e-7)
    for order in ("+-", "-+"):
        assert cancer().posterior(order)["cancer"] == pytest.approx(0.00540243, abs=5e-9)


def test_the_most_probable_hypothesis_is_outvoted():
    """03:O6.8."""
    said = HypothesisSet([{"+": 1}, {"-": 1}, {"-": 1}], [0.4, 0.3, 0.3]).posterior().predict()
    assert (said["+"], said["-"]) == pytest.approx((0.4, 0.6))
    assert (said.answer, said.map_answer) == ("-", "+")
    assert (said.bayes_error, said.gibbs_error) == pytest.approx((0.4, 0.48))
    drawn = np.random.default_rng(0)
    assert np.mean([said.gibbs(drawn) == "+" for _ in range(2000)]) == pytest.approx(0.4, abs=0.04)


@given(st.floats(0.001, 0.999))
@settings(max_examples=25, deadline=None)
def test_gibbs_errs_at_most_twice_as_often(p):
    said = HypothesisSet([{"+": 1}, {"-": 1}], [p, 1 - p]).posterior().predict()
    assert said.gibbs_error == pytest.approx(2 * p * (1 - p))
    assert said.gibbs_error <= 2 * said.bayes_error + 1e-12


def test_gibbs_draws_by_probability():
    posterior = candy().posterior(["lime"] * 3)
    drawn = np.random.default_rng(1)
    names = [posterior.gibbs(drawn) for _ in range(3000)]
    shares = [names.count(name) / 3000 for name in LIMES]
    assert shares == pytest.approx(posterior.probabilities, abs=0.03)
    assert posterior.gibbs(7) == posterior.gibbs(7)


@given(st.lists(st.sampled_from(["lime", "cherry"]), min_size=1, max_size=12), st.randoms())
@settings(max_examples=25, deadline=None)
def test_order_and_batches_do_not_matter(seen, random):
    whole = HypothesisSet({"a": {"lime": 0.2, "cherry": 0.8}, "b": {"lime": 0.7, "cherry": 0.3}}, [0.4, 0.6])
    shuffled = list(seen)
    random.shuffle(shuffled)
    cut = random.randint(0, len(seen))
    one, other = whole.posterior(seen), whole.posterior(shuffled[:cut]).update_all(shuffled[cut:])
    assert one.probabilities == pytest.approx(other.probabilities)
    assert one.log_evidence == pytest.approx(other.log_evidence)
    assert one.probabilities.sum() == pytest.approx(1)


@given(
    st.lists(st.floats(0.01, 1), min_size=2, max_size=5),
    st.lists(st.floats(0.01, 1), min_size=5, max_size=5),
    st.floats(1.1, 3),
)
@settings(max_examples=25, deadline=None)
def test_a_posterior_rises_with_prior_and_likelihood(weights, likelihoods, factor):
    def first(prior, likelihood):
        numbered = HypothesisSet(range(len(weights)), lambda k: prior[k], lambda k, seen: likelihood[k])
        return numbered.posterior([0])["h1"]

    base = first(weights, likelihoods)
    assert first([weights[0] * factor, *weights[1:]], likelihoods) > base
    assert first(weights, [likelihoods[0] * factor, *likelihoods[1:]]) > base


def test_long_sequences_do_not_underflow():
    posterior = candy().posterior(["lime", "cherry"] * 2000)
    assert posterior.map_hypothesis == "h3"
    assert posterior.probabilities.sum() == pytest.approx(1)
    assert posterior.log_evidence < -2000


@pytest.mark.parametrize("true", ["h2", "h3", "h4"])
def test_the_truth_wins_and_all_predictions_converge(true):
    """Exercises 20.1 and 20.2."""
    random = np.random.default_rng(0)
    seen = ["lime" if lime else "cherry" for lime in random.random(200) < LIMES[true]]
    evolution = candy().evolve(seen)
    last = evolution.posteriors[-1]
    assert last.map_hypothesis == last.ml_hypothesis == true
    assert last[true] > 0.99
    for reader in ("bayes", "map", "ml"):
        assert evolution.predictions("lime", reader)[-1] == pytest.approx(LIMES[true], abs=0.01)


def test_a_refuted_hypothesis_stays_refuted():
    assert candy().posterior(["lime", *["cherry"] * 50])["h1"] == 0


def test_equal_priors_make_map_and_ml_the_same():
    even = HypothesisSet({name: {"cherry": 1 - p, "lime": p} for name, p in LIMES.items()})
    for seen in product(["lime", "cherry"], repeat=3):
        assert even.posterior(seen).map_hypotheses == even.posterior(seen).ml_hypotheses


def test_all_maximisers_are_reported_and_the_first_is_chosen():
    even = HypothesisSet({"a": {"x": 0.3, "y": 0.7}, "b": {"x": 0.3, "y": 0.7}, "c": {"x": 0.1, "y": 0.9}})
    posterior = even.posterior("xx")
    assert posterior.map_hypotheses == ("a", "b")
    assert posterior.map_hypothesis == "a"
    assert maximisers(np.array([1.0, 1.0 + 1e-15, 0.5])) == [0, 1]


def test_densities_will_do():
    def normal(mean, x):
        return math.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)

    near = HypothesisSet({"0": 0.0, "1": 1.0}, likelihood=normal).posterior([0.9, 1.2])
    assert near["1"] == pytest.approx(1 / (1 + math.exp(0.5 * (0.1**2 + 0.2**2 - 0.9**2 - 1.2**2))))
    with pytest.raises(InputError, match="the possible outcomes are unknown"):
        near.predict()
    assert near.predict(outcomes=[1.0]).map[0] == pytest.approx(normal(1, 1))


def test_posteriors_never_change():
    before = candy().posterior(["lime"])
    kept = before.probabilities.copy()
    before.update("cherry")
    assert before.probabilities.tolist() == kept.tolist()
    with pytest.raises(AttributeError):
        before.n = 3
    with pytest.raises(ValueError, match="read-only"):
        before.hypothesis_set.log_prior[0] = 0


def test_instances_drawn_by_chance_change_nothing():
    """Exercise 6.4: the factors P(x) cancel."""
    drawn = {"x1": 0.9, "x2": 0.1}
    table = {"h1": {"x1": 0.2, "x2": 0.6}, "h2": {"x1": 0.5, "x2": 0.3}}
    fixed = HypothesisSet(table, likelihood=lambda h, x: h[x]).posterior(["x1", "x2"])
    random = HypothesisSet(table, likelihood=lambda h, x: h[x] * drawn[x]).posterior(["x1", "x2"])
    assert fixed.probabilities == pytest.approx(random.probabilities)
    assert random.log_evidence < fixed.log_evidence


def test_reports():
    text = str(candy().posterior(["lime"] * 3))
    assert text.splitlines()[-1].split() == ["h5", "0.10000", "1", "0.42105", "MAP"]
    many = HypothesisSet(range(30), likelihood=lambda h, x: 1.0).posterior(["x"])
    assert "… and 10 more" in str(many)
    assert "Bayes optimal" in str(candy().posterior().predict())
    assert "<pre>" in many._repr_html_()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: HypothesisSet([]), "hypotheses is empty"),
        (lambda: HypothesisSet({"a": 1, "b": 2}, [0.5, 0.6]), "prior sums to 1.1"),
        (lambda: HypothesisSet({"a": 1, "b": 2}, {"a": 0.5, "b": 0.4}), "prior sums to 0.9"),
        (lambda: HypothesisSet({"a": 1}, {}), "prior has no number for a"),
        (lambda: HypothesisSet({"a": 1}, [0.5, 0.5]), r"prior has the shape \(2,\) for 1 hypotheses"),
        (lambda: HypothesisSet({"a": 1, "b": 2}, [-0.5, 1.5]), "the prior of a is -0.5"),
        (lambda: HypothesisSet({"a": 1}, lambda h: math.nan), "the prior of a is nan"),
        (lambda: HypothesisSet({"a": 1, "b": 2}, lambda h: 0), "the prior of every hypothesis is 0"),
        (lambda: HypothesisSet({"a": 1}, [1.0], bits=[3]), "both prior and bits"),
        (lambda: HypothesisSet({"a": 1}, bits=[math.nan]), "bits contains a non-number"),
        (lambda: HypothesisSet({"a": {"x": 0.5, "y": 0.6}}), "the probabilities of a are"),
        (lambda: HypothesisSet({1: 1, "1": 1}), "two hypotheses have the same name"),
        (lambda: HypothesisSet({"a": 1}).posterior(["x"]), "give a likelihood"),
        (
            lambda: candy().posterior(["lime", "cherry", "lemon"]),
            "'lemon' is impossible under the remaining hypotheses",
        ),
        (
            lambda: HypothesisSet([{"x": 1, "y": 0}, {"x": 0, "y": 1}]).posterior("xy"),
            "none of the hypotheses can be true",
        ),
        (
            lambda: HypothesisSet({"a": 1}, likelihood=lambda h, x: -1).posterior([0]),
            "give a number of at least 0",
        ),
        (
            lambda: HypothesisSet({"a": 1}, likelihood=lambda h, x: math.nan).posterior([0]),
            "the likelihood of 0 is nan",
        ),
        (lambda: candy().posterior()["h9"], "h9 is not one of the 5 hypotheses"),
        (lambda: candy().posterior().predict()["lemon"], "'lemon' is not an outcome"),
        (lambda: candy().evolve(["lime"]).draw("lemon"), "'lemon' is not an outcome"),
        (
            lambda: candy().evolve(["lime"]).draw_bars([2]),
            "after is 2; give numbers of observations from 0 to 1",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_given_likelihoods_are_checked():
    prior = HypothesisSet({"a": 1, "b": 2}).posterior()
    assert prior.given([-1.0, -2.0])["a"] == pytest.approx(1 / (1 + math.exp(-1)))
    with pytest.raises(InputError, match="the log-likelihood of b is NaN or plus infinity"):
        prior.given([0.0, math.inf])
    with pytest.raises(InputError, match="the data are impossible"):
        prior.given([-math.inf, -math.inf])


def test_all_orders_of_a_test_give_the_same():
    found = {round(cancer().posterior(order)["cancer"], 15) for order in permutations("++--")}
    assert len(found) == 1
    assert isinstance(cancer().posterior(), Posterior)
