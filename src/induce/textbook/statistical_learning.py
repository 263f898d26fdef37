"""Russell and Norvig, sections 20.1 and 20.2: candies, distributions over parameters, and decisions."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from induce.textbook.candy_trading import CHERRIES, PRIOR, trade
from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

NEXT = ("0.5", "0.65", "0.730769", "0.796053", "0.847107", "0.885976")
COUNTS = {"cherry": (560, 440), "red | cherry": (366, 194), "red | lime": (179, 261)}
LINE = [1.0, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]
EIGHT = (2.0, 4, 4, 4, 5, 5, 7, 9)


def bags() -> Any:
    """Return the five bags of candies with their prior."""
    from induce.bayes import HypothesisSet

    return HypothesisSet(
        {name: {"cherry": share, "lime": 1 - share} for name, share in CHERRIES.items()}, PRIOR
    )


def _candy() -> Outcome:
    evolution = bags().evolve(["lime"] * 10)
    chosen = [posterior.map_hypothesis for posterior in evolution.posteriors]
    limes = evolution.predictions("lime").tolist()
    return Outcome(
        f"{evolution}",
        chosen == ["h3", "h3", "h4", *["h5"] * 8]
        and all_as_printed(limes[:6], NEXT)
        and as_printed(limes[3], "0.8")
        and math.isclose(math.exp(evolution.posteriors[-1].log_likelihood[2]), 0.5**10),
        "bags with 100%, 75%, 50%, 25% and 0% cherry candies, prior 0.1, 0.2, 0.4, 0.2, 0.1, only limes seen",
    )


def _bits() -> Outcome:
    evolution = bags().evolve(["lime"] * 10)
    totals = [posterior.hypothesis_bits + posterior.data_bits for posterior in evolution.posteriors]
    agree = all(posterior.mdl_hypotheses == posterior.map_hypotheses for posterior in evolution.posteriors)
    shown = [float(totals[n].min()) for n in (0, 1, 2, 3, 10)]
    return Outcome(
        f"shortest description after 0, 1, 2, 3 and 10 limes: {', '.join(f'{bits:.4f}' for bits in shown)}",
        agree and all_as_printed(shown, ("1.3219", "2.3219", "3.1520", "3.3219", "3.3219")),
        "the MAP hypothesis has the shortest description every time; h5 needs no bits for the limes, "
        "which it makes certain",
    )


def _scores(n: int) -> list[float]:
    """Return the expected squared errors of Bayes, MAP and ML after n candies drawn from the prior."""
    five, scores = bags(), [0.0, 0.0, 0.0]
    limes = {name: 1 - share for name, share in CHERRIES.items()}
    for k in range(n + 1):
        ways = [
            prior * math.comb(n, k) * lime**k * (1 - lime) ** (n - k)
            for prior, lime in zip(PRIOR, limes.values(), strict=True)
        ]
        posterior = five.posterior(["lime"] * k + ["cherry"] * (n - k))
        then = sum(way * lime for way, lime in zip(ways, limes.values(), strict=True))
        said = [posterior.predict()["lime"]]
        for names in (posterior.map_hypotheses, posterior.ml_hypotheses):
            said.append(sum(limes[name] for name in names) / len(names))
        for reader, p in enumerate(said):
            scores[reader] += then * (p - 1) ** 2 + (sum(ways) - then) * p**2
    return scores


def _optimal() -> Outcome:
    scores = {n: _scores(n) for n in (1, 3, 10)}
    return Outcome(
        "; ".join(
            f"after {n}: Bayes {bayes:.5f}, MAP {of_map:.5f}, ML {ml:.5f}"
            for n, (bayes, of_map, ml) in scores.items()
        ),
        all(bayes < min(of_map, ml) for bayes, of_map, ml in scores.values())
        and all_as_printed(scores[10], ("0.18657", "0.19101", "0.19101")),
        "the exact mean of (predicted - seen)^2 over all sequences drawn from the prior; ties are averaged",
    )


def _shares() -> Outcome:
    from induce.bayes import Beta

    one = Beta().update(True)
    beliefs = [Beta().add(*pair) for pair in COUNTS.values()]
    likely, expected = [belief.modes[0] for belief in beliefs], [belief.mean for belief in beliefs]
    return Outcome(
        f"one cherry: most likely {one.modes[0]:g}, expected {one.mean:.4f}; a thousand candies: most likely "
        f"{', '.join(f'{value:.6f}' for value in likely)}, expected "
        f"{', '.join(f'{value:.6f}' for value in expected)}",
        one.modes == (1.0,)
        and all_as_printed(likely, ("0.56", "0.653571", "0.406818"))
        and all_as_printed(expected, ("0.559880", "0.653025", "0.407240")),
        "cherries, red wrappers of cherries and of limes, with the counts of section 20.3",
    )


def _normal() -> Outcome:
    from induce.bayes import NormalGamma, errors_log_likelihood, fit_normal

    mean, sd, likelihood = fit_normal(EIGHT)
    belief = NormalGamma(0, 1, 1, 1).update(EIGHT)

    def at(mu: float) -> float:
        return errors_log_likelihood([x - mu for x in EIGHT], 2.0)

    slope, expected = (at(4 + 1e-6) - at(4 - 1e-6)) / 2e-6, sum(x - 4 for x in EIGHT) / 4
    return Outcome(
        f"mean {mean:g}, deviation {sd:g}, log likelihood {likelihood:.6f}; derivative at 4: {slope:.4f}; "
        f"normal-gamma: {belief.mu:.6f}, {belief.kappa:g}, {belief.a:g}, {belief.b:.6f}",
        (mean, sd) == (5, 2)
        and as_printed(likelihood, "-16.896686")
        and math.isclose(slope, expected, rel_tol=1e-6)
        and all_as_printed([belief.mu, belief.b], ("4.444444", "28.111111")),
        "2, 4, 4, 4, 5, 5, 7, 9; the likelihood rises below the mean",
    )


def _line() -> Outcome:
    from induce.bayes import LinearGaussian, fit_line

    x, y = LINE
    line = fit_line(x, y)
    prior = LinearGaussian.prior(1, weight_sd=1, noise_sd=0.2)
    belief, evidence = prior.update(x, y), prior.log_evidence(x, y)
    at_5 = belief.predictive(5)
    return Outcome(
        f"{line}, squared error {line.error:.3f}; with a prior {belief}, at 5 {at_5.mean():.6f} ± {at_5.std():.6f}, "
        f"log evidence {evidence:.6f}",
        all_as_printed(
            [*line.weights.tolist(), line.scale, line.error], ("0.15", "1.94", "0.143178", "0.082")
        )
        and all_as_printed(belief.weights, ("0.177889", "1.928133"))
        and all_as_printed([at_5.mean(), at_5.std(), evidence], ("9.818553", "0.313246", "-4.896306")),
        "x = 1, 2, 3, 4 and y = 2.1, 3.9, 6.2, 7.8; weights of standard deviation 1, noise of 0.2",
    )


def _betas() -> Outcome:
    from induce.bayes import Beta

    betas = [Beta(3, 1), Beta(6, 2), Beta(30, 10)]
    return Outcome(
        ", ".join(f"beta[{beta.a:g}, {beta.b:g}] {beta.mean:g} ± {beta.sd:.6f}" for beta in betas),
        all(beta.mean == 0.75 for beta in betas)
        and all_as_printed([beta.sd for beta in betas], ("0.193649", "0.144338", "0.067625")),
        "mean and standard deviation",
    )


def _unrolled() -> Outcome:
    from induce.bayes import Beta

    seen: tuple[list[bool], ...] = ([True, True, False], [True, False], [True])
    evidence = math.exp(sum(Beta().log_evidence(each) for each in seen))
    flavour, of_cherry, of_lime = (Beta().update(each) for each in seen)
    cherry = flavour.predictive()
    red = cherry * of_cherry.predictive() + (1 - cherry) * of_lime.predictive()
    return Outcome(
        f"beta[{flavour.a:g}, {flavour.b:g}], beta[{of_cherry.a:g}, {of_cherry.b:g}], beta[{of_lime.a:g}, "
        f"{of_lime.b:g}]; the fourth is cherry {cherry:g}, red {red:.6f}; evidence 1/{1 / evidence:.6g}",
        (flavour, of_cherry, of_lime) == (Beta(3, 2), Beta(2, 2), Beta(2, 1))
        and all_as_printed([cherry, red], ("0.6", "0.566667"))
        and math.isclose(evidence, 1 / 144),
        "uniform priors; a red cherry, a green cherry and a red lime are opened",
    )


def _trading() -> Outcome:
    first, second = trade(20, (1, 0), (0.5, 0.6)), trade(20, (1, -1), (0.2, 0.5))
    return Outcome(
        f"{first.value:.6f} instead of {first.sell_now:g}, sell from {first.sell_from} limes; {second.value:.6f} "
        f"instead of {second.sell_now:g}, sell from {second.sell_from} limes",
        all_as_printed([first.value, first.sell_now], ("12.230036", "11"))
        and first.sell_from == (1, 3, 4, 5, 9, 10)
        and all_as_printed([second.value, second.sell_now], ("8.046640", "7"))
        and second.sell_from == (1, 1, 1, 2, 3, 4),
        "a bag of 20; opened candies are kept and the rest is sold for Bob's expected value; "
        "utilities of a cherry and a lime 1 and 0 for Ann, 0.5 and 0.6 for Bob; then 1 and -1, 0.2 "
        "and 0.5. For 0 to 5 cherries opened",
    )


def _medicine() -> Outcome:
    from induce.bayes import HypothesisSet

    def survival(action: str, disease: str) -> float:
        return float(action == "both" or action[-1] == disease[0])

    actions = ("anti-A", "anti-B", "both")
    whole = HypothesisSet({"A": "A", "B": "B"}, [0.4, 0.6])
    split = HypothesisSet({"A": "A", "B1": "B1", "B2": "B2"}, [0.4, 0.3, 0.3])
    decisions = [each.posterior().decide(survival, actions) for each in (whole, split)]
    return Outcome(
        "; ".join(
            f"Bayes {each.action}, by the most likely disease {each.action_for_map}" for each in decisions
        ),
        [(each.action, each.action_for_map) for each in decisions]
        == [("both", "anti-B"), ("both", "anti-A")],
        "40% A and 60% B, then B split into two diseases of 30%; acting on the most likely disease "
        "kills with probability 0.6",
    )


def _noisy_or() -> Outcome:
    import numpy as np

    from induce.bayes import NoisyOr

    true, sets = np.array([0.6, 0.2, 0.1]), np.array([row for row in product((0, 1), repeat=3) if any(row)])
    absent = np.array([math.prod(true[row == 1].tolist()) for row in sets])
    fever = NoisyOr(("cold", "flu", "malaria")).update(
        np.concatenate([sets, sets]), [0] * 7 + [1] * 7, 1000 * np.concatenate([absent, 1 - absent])
    )
    gradient, found = fever.gradient([0.5] * 3).tolist(), list(fever.most_likely().values())
    return Outcome(
        f"gradient at 0.5 {', '.join(f'{value:.6f}' for value in gradient)}; most likely q "
        f"{', '.join(f'{value:.4f}' for value in found)}",
        all_as_printed(gradient, ("-711.619048", "-2418.285714", "-2978.285714"))
        and all_as_printed(found, ("0.6000", "0.2000", "0.1000"))
        and as_printed(fever.log_likelihood(true), "-2255.430585"),
        "1000 expected cases for each of the seven sets of causes; q of a cold 0.6, of flu 0.2, of malaria 0.1",
    )


def _spikes() -> Outcome:
    from induce.bayes import Beta

    after = Beta(0.01, 0.01).update(True)
    modes = [Beta(2, 2).modes, Beta(1, 1).modes, Beta(0.5, 2).modes, Beta(2, 0.5).modes, Beta(0.5, 0.5).modes]
    return Outcome(
        f"mean {after.mean:.6f} after one cherry; modes {modes}",
        as_printed(after.mean, "0.990196") and modes == [(0.5,), (), (0.0,), (1.0,), (0.0, 1.0)],
        "beta[0.01, 0.01]; the modes of beta[2, 2], [1, 1] (all values alike), [0.5, 2], [2, 0.5] and [0.5, 0.5]",
    )


RESULTS = (
    Result(
        "aima-20.1-candy",
        "Russell and Norvig, section 20.1 and figure 20.1",
        "ten limes in a row: the most probable bag after each, and the probability that the next is a lime",
        "h3, h3, h4, then h5; 0.8 after three limes; P(d | h3) = 0.5^10",
        _candy,
    ),
    Result(
        "aima-20.1-description-length",
        "Russell and Norvig, section 20.1",
        "MAP learning is equivalent to minimum description length",
        "[1.3219, 2.3219, 3.1520, 3.3219, 3.3219 bits]",
        _bits,
    ),
    Result(
        "aima-20.1-optimal",
        "Russell and Norvig, section 20.1",
        "no prediction is better on average than the Bayesian one, with little data or much",
        "[squared error after ten candies: Bayes 0.18657, MAP 0.19101, ML 0.19101]",
        _optimal,
    ),
    Result(
        "aima-20.2-shares",
        "Russell and Norvig, section 20.2",
        "maximum likelihood parameters are observed frequencies, even of one candy; posterior means are not",
        "1 after one cherry; [0.56, 0.653571, 0.406818]",
        _shares,
    ),
    Result(
        "aima-20.2-normal",
        "Russell and Norvig, section 20.2",
        "the maximum likelihood mean and standard deviation are those of the sample",
        "derivative by the mean: -(1/σ²) Σ (x - μ)",
        _normal,
        "the derivative is +(1/σ²) Σ (x - μ); its zero does not change",
    ),
    Result(
        "aima-20.2-line",
        "Russell and Norvig, section 20.2 and exercise 20.6",
        "under Gaussian noise the maximum likelihood line is the least-squares line",
        "[1.94 x + 0.15, noise of 0.143178]",
        _line,
    ),
    Result(
        "aima-20.2-betas",
        "Russell and Norvig, figure 20.5",
        "belief in a proportion of 0.75 sharpens: beta[3, 1], beta[6, 2], beta[30, 10]",
        "[standard deviations 0.193649, 0.144338, 0.067625]",
        _betas,
    ),
    Result(
        "aima-20.2-unrolled",
        "Russell and Norvig, figure 20.6",
        "learning the parameters of a network is inference in a larger one, with a beta prior for each",
        "[beta[3, 2], beta[2, 2], beta[2, 1]; evidence 1/144]",
        _unrolled,
    ),
    Result(
        "aima-exercise-20.3-trading",
        "Russell and Norvig, exercise 20.3",
        "number of candies to open before the bag is sold",
        "[12.230036 instead of 11, 8.046640 instead of 7]",
        _trading,
    ),
    Result(
        "aima-exercise-20.4-medicine",
        "Russell and Norvig, exercise 20.4",
        "decisions by the most likely hypothesis depend on how the others are split; Bayesian "
        "decisions do not",
        "[both medicines; anti-B alone, then anti-A alone]",
        _medicine,
    ),
    Result(
        "aima-exercise-20.7-noisy-or",
        "Russell and Norvig, exercise 20.7",
        "the parameters of a noisy-or by gradient ascent",
        "[0.6, 0.2, 0.1]",
        _noisy_or,
    ),
    Result(
        "aima-exercise-20.8-spikes",
        "Russell and Norvig, exercise 20.8",
        "modes of beta distributions; with beta[ε, ε] the first candy almost decides",
        "[0.990196]",
        _spikes,
    ),
)
