"""Mitchell, sections 6.2 to 6.9: Bayesian learning, maximum likelihood and minimum description length."""

from __future__ import annotations

import math
from typing import Any

import induce
from induce.textbook.measuring import all_as_printed, as_printed, listed
from induce.textbook.result import Outcome, Result

QUERIES = (
    ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
    ("Rainy", "Cold", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
)
NOISY = [1.0, 2, 3, 4, 5], [1.2, 1.9, 3.2, 3.8, 5.1]


def _cancer_test() -> Any:
    from induce.bayes import HypothesisSet

    return HypothesisSet(
        {"cancer": {"+": 0.98, "-": 0.02}, "not cancer": {"+": 0.03, "-": 0.97}}, [0.008, 0.992]
    )


def _cancer() -> Outcome:
    from induce.bayes import product_rule

    joint = [product_rule(0.98, 0.008), product_rule(0.03, 0.992)]
    positive = _cancer_test().posterior(["+"])
    return Outcome(
        f"{joint[0]:.5f}, {joint[1]:.5f}; MAP {positive.map_hypothesis}; P(cancer | +) = {positive['cancer']:.6f}",
        all_as_printed(joint, ("0.0078", "0.0298"))
        and positive.map_hypothesis == "not cancer"
        and as_printed(positive["cancer"], "0.21"),
    )


def _two_tests() -> Outcome:
    twice = _cancer_test().posterior(["+", "+"])
    return Outcome(
        f"P(cancer | ++) = {twice['cancer']:.6f}, P(not cancer | ++) = {twice['not cancer']:.6f}",
        all_as_printed([twice["cancer"], twice["not cancer"]], ("0.895896", "0.104104")),
    )


def _enjoy_sport(prior: Any = None, noise: float = 0.0) -> tuple[Any, list[Any]]:
    from induce.bayes import ConceptSet
    from induce.concepts import Conjunctions

    sport = induce.dataset("enjoy-sport")
    concepts = ConceptSet(Conjunctions.over(sport.input_schema), None, ("No", "Yes"), prior, noise)
    return concepts, list(zip(sport.X.rows(), sport.y.to_list(), strict=True))


def _version_space() -> Outcome:
    concepts, examples = _enjoy_sport()
    evolution = concepts.evolve(examples)
    sizes = [len(posterior.map_hypotheses) for posterior in evolution.posteriors]
    even = all(
        math.isclose(posterior.probabilities.max(), 1 / size)
        and math.isclose(math.exp(posterior.log_evidence), size / 973)
        for posterior, size in zip(evolution.posteriors, sizes, strict=True)
    )
    return Outcome(
        f"1/|VS| for {', '.join(map(str, sizes))} hypotheses, 0 for all others; P(D) = |VS|/973",
        even and sizes == [973, 64, 32, 28, 6],
        "brute-force MAP learning on EnjoySport, before any example and after each",
    )


def _noise() -> Outcome:
    concepts, examples = _enjoy_sport(noise=0.1)
    posterior = concepts.posterior(examples)
    best = posterior.probabilities.max()
    votes = [float(posterior.predict(query).votes[1]) for query in QUERIES]
    return Outcome(
        f"each consistent hypothesis {best:.7f}, P(D) = {math.exp(posterior.log_evidence):.8f}; votes for Yes "
        f"{', '.join(f'{vote:.6f}' for vote in votes)}",
        as_printed(best, "0.0856561")
        and as_printed(math.exp(posterior.log_evidence), "0.00787225")
        and all_as_printed(votes, ("0.567751", "0.039793", "0.392914", "0.307897")),
        "a label of EnjoySport is wrong with probability 0.1; the new instances of table 2.6",
    )


def _audits() -> Outcome:
    from induce.concepts import CandidateElimination, FindS

    sport = induce.dataset("enjoy-sport")
    specific = FindS().fit(sport.X, sport.y).concept_
    general = CandidateElimination().fit(sport.X, sport.y).hypothesis_.most_general[0]
    concepts, examples = _enjoy_sport()
    even = concepts.posterior(examples)
    tasted = _enjoy_sport(lambda concept: 0.5 ** str(concept).count("?"))[0].posterior(examples)
    audits = [posterior.audit(found) for posterior in (even, tasted) for found in (specific, general)]
    return Outcome(
        f"equal priors: {audits[0]}, {audits[1]}; prior favouring specific hypotheses: {audits[2]}, "
        f"{audits[3]}",
        [(audit.is_map, audit.is_ml) for audit in audits]
        == [(True, True), (True, True), (True, True), (False, True)],
        "the hypothesis of FIND-S, and a maximally general consistent hypothesis (FindG)",
    )


def _least_squares() -> Outcome:
    from induce.bayes import errors_log_likelihood, fit_line

    x, d = NOISY
    line, robust = fit_line(x, d), fit_line(x, d, noise="laplace")
    errors = [y - h for y, h in zip(d, line.predict(x).tolist(), strict=True)]
    at = errors_log_likelihood(errors, 0.2)
    return Outcome(
        f"{line}; squared error {line.error:.3f}; log likelihood {at:.6f} at variance 0.04, at most "
        f"{line.log_likelihood:.6f}; absolute error under Laplacian noise {robust.error:.2f}",
        all_as_printed(line.weights.tolist(), ("0.13", "0.97"))
        and all_as_printed([line.error, at, line.log_likelihood], ("0.123", "1.914997", "2.167829"))
        and as_printed(robust.error, "0.65"),
        "five invented points; the maximum likelihood line is the least-squares line for any variance",
    )


def _survivors() -> Outcome:
    from induce.bayes import bernoulli_log_likelihood

    chances = [k / 100 for k in range(1, 100)]
    scores = [bernoulli_log_likelihood([0.92], [chance]) for chance in chances]
    best = chances[scores.index(max(scores))]
    return Outcome(
        f"{best}, with an expected log likelihood of {max(scores):.6f} per patient",
        best == 0.92 and as_printed(max(scores), "-0.278769"),
        "the best of the constants 0.01, …, 0.99",
    )


def _sigmoid() -> Outcome:
    from induce.bayes import sigmoid_ascent

    ascent = sigmoid_ascent([0, 1, 2], [0, 1, 1], rate=0.1, steps=3)
    return Outcome(
        str(ascent),
        all_as_printed(ascent.log_likelihood[:3].tolist(), ("-2.0794415", "-1.8499807", "-1.6880432"))
        and all_as_printed(ascent.gradient[2].tolist(), ("0.2341544", "1.1005534"))
        and all_as_printed(ascent.squared_error[2].tolist(), ("0.0471944", "0.2552811"))
        and all_as_printed(ascent.weights[3].tolist(), ("0.1085205", "0.3877484")),
        "three invented examples; the squared-error rule has the additional factor h (1 - h)",
    )


def _codes() -> Outcome:
    from induce.bayes import optimal_code

    code = optimal_code(dict(zip("abcd", (0.5, 0.25, 0.125, 0.125), strict=True)))
    return Outcome(
        f"{', '.join(f'{bits:g}' for bits in code.bits.values())} bits, {code.expected} expected",
        list(code.bits.values()) == [1, 2, 3, 3] and code.expected == 1.75,
    )


def _trees() -> Outcome:
    from induce.evaluation import shortest_description

    X, y = induce.dataset("play-tennis")
    depths = {"full tree": None, "one leaf": 0, "Outlook alone": 1}
    trees = {name: induce.ID3(max_depth=depth).fit(X, y) for name, depth in depths.items()}
    choice = shortest_description(trees, X, y, exceptions="mitchell")
    return Outcome(
        f"{listed(choice['total bits'], 6)}; shortest: {choice.best[0]}",
        all_as_printed(list(choice["total bits"].values()), ("18.169925", "26.036775", "28.229420"))
        and choice.best == ("full tree",),
        "PlayTennis; log2 14 + log2 2 bits for each example that a tree gets wrong",
    )


def _bayes_optimal() -> Outcome:
    from induce.bayes import HypothesisSet

    said = HypothesisSet([{"+": 1}, {"-": 1}, {"-": 1}], [0.4, 0.3, 0.3]).posterior().predict()
    return Outcome(
        f"+ {said['+']:.1f}, - {said['-']:.1f}: {said.answer}, though h_MAP says {said.map_answer}; errors: Bayes "
        f"{said.bayes_error:.2f}, Gibbs {said.gibbs_error:.2f}",
        all_as_printed([said["+"], said["-"]], ("0.4", "0.6"))
        and (said.answer, said.map_answer) == ("-", "+")
        and all_as_printed([said.bayes_error, said.gibbs_error], ("0.40", "0.48")),
    )


def _outside() -> Outcome:
    from induce.bayes import LabelledSet

    rows = ("110", "101", "011")
    posterior = LabelledSet([row.__getitem__ for row in rows], "01").posterior()
    labels = "".join(posterior.predict(x).answer for x in range(3))
    return Outcome(labels, labels == "111", "three hypotheses on three instances, each of probability 1/3")


def _gibbs() -> Outcome:
    from induce.bayes import HypothesisSet
    from induce.concepts import CandidateElimination

    space = CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    posterior, attributes = HypothesisSet.of_version_space(space).posterior(), space.language.attributes
    said = [posterior.predict(tuple(attributes.decode(cells).values())) for cells in attributes.instances()]
    bayes = sum(one.bayes_error for one in said) / len(said)
    gibbs = sum(one.gibbs_error for one in said) / len(said)
    return Outcome(
        f"Bayes-optimal {bayes:.6f}, Gibbs {gibbs:.6f}, a ratio of {gibbs / bayes:.4f}",
        math.isclose(bayes, 1 / 6) and math.isclose(gibbs, 2 / 9) and gibbs <= 2 * bayes,
        "all 96 instances of EnjoySport; the target is any of the six hypotheses in its version space",
    )


def _m_estimate() -> Outcome:
    from induce.bayes import Dirichlet
    from induce.statistics import Binomial

    shares = [
        Dirichlet.m_estimate({"strong": 0.5, "weak": 0.5}, m)
        .add({"strong": 3, "weak": 2})
        .predictive()["strong"]
        for m in (1, 2, 5, 10, 100)
    ]
    chances = [float(Binomial(5, 0.08).pmf(k)) for k in range(6)]
    return Outcome(
        f"m = 1, 2, 5, 10, 100: {', '.join(f'{share:.6f}' for share in shares)}; probability of 0 out "
        f"of 5 {chances[0]:.6f}",
        all_as_printed(shares, ("0.583333", "0.571429", "0.55", "0.533333", "0.504762"))
        and as_printed(chances[0], "0.659082")
        and max(chances) == chances[0],
        "the relative frequency of Wind = strong given no is 3/5; if the true probability is 0.08, 0 "
        "out of 5 is the most likely count",
    )


def _conjunctions() -> Outcome:
    from induce.bayes import HypothesisSet

    listed_attributes: dict[str, tuple[int, ...]] = {"empty": (), "one": (0,), "two": (0, 1)}
    rows: tuple[tuple[set[int], bool], ...] = ((set(), True), ({5}, True), ({0}, False), ({1}, False))
    wrong = [
        sum((not set(attributes) & off) != label for off, label in rows)
        for attributes in listed_attributes.values()
    ]
    bits = [4.0 * len(attributes) for attributes in listed_attributes.values()]
    posterior = HypothesisSet(listed_attributes, bits=bits).posterior()
    chosen = posterior.given([-math.log(4) * errors for errors in wrong]).map_hypotheses
    totals = [own + 2 * errors for own, errors in zip(bits, wrong, strict=True)]
    return Outcome(
        f"{', '.join(f'{name} {total:g} bits' for name, total in zip(listed_attributes, totals, strict=True))}; "
        f"chosen: {', '.join(chosen)}",
        totals == [4, 6, 8] and chosen == ("empty",),
        "16 attributes at 4 bits each, four examples at 2 bits for each error; only the conjunction "
        "of two attributes fits all examples",
    )


RESULTS = (
    Result(
        "mitchell-6.2.1-cancer",
        "Mitchell, section 6.2.1",
        "a positive test for a rare cancer: the terms of Bayes' theorem, the MAP hypothesis, P(cancer | +)",
        "0.0078, 0.0298, not cancer, 0.21",
        _cancer,
    ),
    Result(
        "mitchell-6.3-version-space",
        "Mitchell, section 6.3.1 and figure 6.1",
        "with equal priors and no noise every consistent hypothesis has posterior 1/|VS|, and P(D) = "
        "|VS|/|H|",
        "[64, 32, 28 and 6 of 973 hypotheses after each example]",
        _version_space,
    ),
    Result(
        "mitchell-6.3.2-noise",
        "Mitchell, section 6.3.2",
        "with label noise no example rules out a hypothesis, and posteriors are graded",
        "[0.0856561 for a consistent hypothesis, P(D) = 0.00787225]",
        _noise,
    ),
    Result(
        "mitchell-6.4-least-squares",
        "Mitchell, section 6.4",
        "under Gaussian noise the maximum likelihood line is the least-squares line",
        "[0.13 + 0.97 x, squared error 0.123]",
        _least_squares,
    ),
    Result(
        "mitchell-6.5-survivors",
        "Mitchell, section 6.5",
        "the maximum likelihood prediction if 92% of the patients survive",
        "0.92",
        _survivors,
    ),
    Result(
        "mitchell-6.5.1-sigmoid",
        "Mitchell, section 6.5.1",
        "gradient ascent on cross entropy for a sigmoid unit, compared with the back-propagation rule",
        "[G -2.0794415, -1.8499807, -1.6880432; weights 0.1085205 and 0.3877484 after three steps]",
        _sigmoid,
    ),
    Result(
        "mitchell-6.6-codes",
        "Mitchell, section 6.6",
        "the optimal code takes -log2 p bits for a message of probability p",
        "[1, 2, 3, 3 bits for 0.5, 0.25, 0.125, 0.125; 1.75 expected]",
        _codes,
    ),
    Result(
        "mitchell-6.6-trees",
        "Mitchell, section 6.6",
        "minimum description length weighs a tree's size against its errors",
        "[full tree 18.169925, one leaf 26.036775, Outlook alone 28.229420 bits]",
        _trees,
    ),
    Result(
        "mitchell-6.7-bayes-optimal",
        "Mitchell, section 6.7",
        "three hypotheses with posteriors 0.4, 0.3, 0.3: the Bayes-optimal class differs from that of "
        "the MAP hypothesis",
        "+ 0.4, - 0.6: -",
        _bayes_optimal,
    ),
    Result(
        "mitchell-6.7-outside",
        "Mitchell, section 6.7",
        "the Bayes-optimal labelling of the instances may match no hypothesis",
        "[111 from 110, 101 and 011]",
        _outside,
    ),
    Result(
        "mitchell-6.8-gibbs",
        "Mitchell, section 6.8",
        "the Gibbs algorithm errs at most twice as often as the Bayes-optimal classifier",
        "[1/6 and 2/9]",
        _gibbs,
    ),
    Result(
        "mitchell-6.9.1.1-m-estimate",
        "Mitchell, section 6.9.1.1",
        "the m-estimate of P(Wind = strong | no), and why it is needed: a true probability of 0.08 "
        "and five examples",
        "0 out of 5 is the most probable count; [0.583333 for m = 1 to 0.504762 for m = 100]",
        _m_estimate,
    ),
    Result(
        "mitchell-exercise-6.1-two-tests",
        "Mitchell, exercise 6.1",
        "the posterior of cancer after two positive tests",
        "[0.895896 and 0.104104]",
        _two_tests,
    ),
    Result(
        "mitchell-exercise-6.3-find-g",
        "Mitchell, section 6.3.2 and exercise 6.3",
        "with equal priors every consistent learner is MAP; with a prior favouring specific "
        "hypotheses FIND-S is and FindG is not",
        "FIND-S outputs a MAP hypothesis under both",
        _audits,
    ),
    Result(
        "mitchell-exercise-6.5-conjunctions",
        "Mitchell, exercise 6.5",
        "minimum description length may prefer a shorter conjunction to one that fits all examples",
        "[empty 4, one attribute 6, two attributes 8 bits]",
        _conjunctions,
    ),
)
