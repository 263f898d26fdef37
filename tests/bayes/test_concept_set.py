"""Version spaces as hypotheses with probabilities (Mitchell 6.3, 6.7, 6.8; exercise 6.3)."""

import math
from collections import Counter

import numpy as np
import pytest

import induce
from induce import InputError
from induce.bayes import ConceptSet, HypothesisSet, LabelledSet
from induce.concepts import CandidateElimination, Conjunctions, FindS

SPORT = induce.dataset("enjoy-sport")
EXAMPLES = list(zip(SPORT.X.rows(), SPORT.y.to_list(), strict=True))
QUERIES = (
    ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
    ("Rainy", "Cold", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
)


def conjunctions(prior=None, noise=0.0):
    return ConceptSet(Conjunctions.over(SPORT.input_schema), None, ("No", "Yes"), prior, noise)


@pytest.fixture(scope="module")
def clean():
    return conjunctions().evolve(EXAMPLES)


@pytest.fixture(scope="module")
def noisy():
    return conjunctions(noise=0.1).posterior(EXAMPLES)


@pytest.fixture(scope="module")
def space():
    return CandidateElimination().fit(SPORT.X, SPORT.y).hypothesis_


def test_posterior_is_one_over_the_version_space(clean):
    """03:O6.2: brute force on EnjoySport."""
    for posterior, left in zip(clean.posteriors, (973, 64, 32, 28, 6), strict=True):
        positive = posterior.probabilities[posterior.probabilities > 0]
        assert positive == pytest.approx([1 / left] * left)
        assert math.exp(posterior.log_evidence) == pytest.approx(left / 973)
        assert len(posterior.map_hypotheses) == left


def test_the_six_survivors_are_the_version_space(clean, space):
    assert set(clean.posteriors[-1].map_hypotheses) == set(map(str, space.members()))


def test_queries_are_votes(clean, space):
    last = clean.posteriors[-1]
    shares = [last.predict(query)["Yes"] for query in QUERIES]
    assert shares == pytest.approx([1, 0, 1 / 2, 1 / 3])
    assert shares == pytest.approx([float(share) for share in space.vote(QUERIES).shares])


def test_bayes_optimal_and_gibbs_over_all_instances(space):
    left = HypothesisSet.of_version_space(space)
    said = [
        left.posterior().predict(tuple(space.language.attributes.decode(cells).values()))
        for cells in space.language.attributes.instances()
    ]
    assert len(said) == 96
    assert np.mean([each.bayes_error for each in said]) == pytest.approx(1 / 6)
    assert np.mean([each.gibbs_error for each in said]) == pytest.approx(2 / 9)
    assert sum(math.isclose(each["Yes"], 0.5) for each in said) == 8


def test_noisy_labels(noisy):
    """03:O6.2, noise 0.1."""
    errors = np.rint(-(noisy.log_likelihood - 4 * math.log(0.9)) / math.log(9)).astype(int)
    assert Counter(errors.tolist()) == {0: 6, 1: 30, 2: 102, 3: 783, 4: 52}
    assert math.exp(noisy.log_evidence) == pytest.approx(0.00787225, abs=5e-9)
    by_errors = [noisy.probabilities[errors == n][0] for n in range(5)]
    assert by_errors == pytest.approx(
        [0.0856561, 0.00951734, 0.00105748, 0.000117498, 0.0000130553], rel=1e-5
    )
    assert noisy.probabilities[errors == 0].sum() == pytest.approx(0.513937, abs=5e-7)
    votes = np.array([noisy.predict(query).votes[1] for query in QUERIES])
    assert votes == pytest.approx([0.567751, 0.039793, 0.392914, 0.307897], abs=5e-7)
    labels = [noisy.predict(query)["Yes"] for query in QUERIES]
    assert labels == pytest.approx(0.1 + 0.8 * votes)


def test_more_noise():
    posterior = conjunctions(noise=0.2).posterior(EXAMPLES)
    consistent = posterior.log_likelihood >= 4 * math.log(0.8) - 1e-9
    assert posterior.probabilities[consistent].sum() == pytest.approx(0.185687, abs=5e-7)
    assert math.exp(posterior.log_evidence) == pytest.approx(0.0136025, abs=5e-8)
    votes = [posterior.predict(query).votes[1] for query in QUERIES]
    assert votes == pytest.approx([0.271760, 0.057785, 0.234043, 0.203578], abs=5e-7)


def specific(concept):
    """A prior that is larger for what is more specific."""
    return 2.0 ** str(concept).count(",") / 3.0 ** str(concept).count("?")


def test_learners_are_audited(clean, space):
    """Exercise 6.3: FIND-S and FindG are MAP if all hypotheses are alike, but not both with a taste of one."""
    find_s = FindS().fit(SPORT.X, SPORT.y).concept_
    find_g = space.most_general[0]
    even = clean.posteriors[-1]
    assert str(even.audit(find_s)) == "⟨Sunny, Warm, ?, Strong, ?, ?⟩ is MAP and ML"
    assert even.audit(find_g).is_map
    tasted = conjunctions(prior=specific).posterior(EXAMPLES)
    assert tasted.map_hypotheses == (str(find_s),)
    assert tasted.audit(find_s).is_map
    assert str(tasted.audit(find_g)).endswith("is ML, but not MAP")
    refuted = even.audit("⟨?, ?, ?, ?, ?, ?⟩")
    assert (refuted.is_map, refuted.is_ml) == (False, False)


def test_labelling_outside_the_hypotheses():
    """03:O6.9."""
    said = ("110", "101", "011")
    labelled = LabelledSet([text.__getitem__ for text in said], "01").posterior()
    voted = "".join(labelled.predict(x).answer for x in range(3))
    assert voted == "111"
    assert voted not in said


def test_learners_can_be_hypotheses():
    X, y = induce.dataset("play-tennis")
    trees = {"stump": induce.ID3(max_depth=1).fit(X, y), "full": induce.ID3().fit(X, y)}
    rows = list(zip(X.rows(), y, strict=True))
    posterior = LabelledSet(trees, ("No", "Yes"), noise=0.1).posterior(rows)
    assert posterior["full"] == pytest.approx(1 / (1 + (1 / 9) ** 4))
    with pytest.raises(InputError, match="is impossible under the remaining hypotheses"):
        LabelledSet({"stump": trees["stump"]}, ("No", "Yes")).posterior(rows)


def test_noise_is_shared_by_the_other_classes():
    three = LabelledSet([lambda x: "a"], "abc", noise=0.2).posterior()
    assert three.predict(None).bayes == pytest.approx([0.8, 0.1, 0.1])


def test_no_prediction_without_an_instance(clean):
    assert clean.outcomes == ()
    assert "6 of 973 hypotheses left after 4 observations" in str(clean)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LabelledSet([len], "a"), "give at least two different ones"),
        (lambda: LabelledSet([len], "aa"), "give at least two different ones"),
        (lambda: LabelledSet([len], "ab", noise=1.5), "noise is 1.5"),
        (lambda: LabelledSet([lambda x: "a"], "ab").posterior([(0, "c")]), "'c' is not a class"),
        (lambda: conjunctions().posterior([(EXAMPLES[0][0], "Maybe")]), "'Maybe' is not a class"),
        (
            lambda: ConceptSet(Conjunctions.over(SPORT.input_schema), [], ("No", "Yes")),
            "the version space is empty",
        ),
        (
            lambda: ConceptSet(
                Conjunctions.over(SPORT.input_schema),
                [Conjunctions.over(SPORT.input_schema).top()] * 2,
                ("No", "Yes"),
            ),
            "a hypothesis is listed twice",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_an_empty_version_space_is_impossible():
    contradiction = [*EXAMPLES, (EXAMPLES[0][0], "No")]
    with pytest.raises(InputError, match="allow for noise"):
        conjunctions().posterior(contradiction)
    assert conjunctions(noise=0.1).posterior(contradiction).probabilities.sum() == pytest.approx(1)
