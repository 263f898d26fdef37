"""Self-contained exercises of both books: intervals, gains, bit strings, candies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import induce
from induce.textbook.measuring import all_as_printed, entropy, root_gains
from induce.textbook.result import Outcome, Result

if TYPE_CHECKING:
    from induce.belief_networks import BeliefNetwork

LIMES = {"h1": 0.0, "h2": 0.25, "h3": 0.5, "h4": 0.75, "h5": 1.0}
NESTED = (((), (), ()), ((), (0,), ()), ((), (0,), (0,)), ((), (0,), (0, 1)))
"""Parents of Flavor, Wrapper and Hole; each graph has one more arc than the one before."""


def _closed_intervals() -> Outcome:
    from induce.concepts import CandidateElimination

    space = CandidateElimination().fit([[3.1], [5.7], [1.0], [8.0]], ["+", "+", "-", "-"]).hypothesis_
    specific = [space.language.text(code) for code in space.bounds.specific]
    return Outcome(
        str(space),
        specific == ["⟨3.1..5.7⟩"],
        "closed intervals, positive at 3.1 and 5.7, negative at 1 and 8: S is bounded by examples, "
        "which is impossible for open intervals",
    )


def _six_examples() -> Outcome:
    gains = root_gains(*induce.dataset("exercise-3.2"))
    return Outcome(
        f"entropy {entropy(3, 3):.4f}; gain of a2 {gains['a2']:.4f}, of a1 {gains['a1']:.4f}",
        all_as_printed([entropy(3, 3), gains["a2"], gains["a1"]], ("1.0", "0", "0.0817")),
        "six examples recalled from the book",
    )


def _bits_of_a_rule() -> Outcome:
    from induce.evolution import RuleEncoding

    schema = induce.dataset("play-tennis").input_schema
    compact, wide = (RuleEncoding(schema, ((),) * 4, 2, compact) for compact in (True, False))
    return Outcome(
        f"{' + '.join(map(str, compact.widths))} bits of conditions and {compact.n_class_bits} of the "
        f"class are {compact.length}; with one bit per class {wide.length}",
        (tuple(compact.widths), compact.length, wide.length) == ((3, 3, 2, 2), 11, 12),
        "Outlook, Temperature, Humidity, Wind",
    )


def _sweep() -> Outcome:
    from induce.evolution import Bits, GeneticAlgorithm, RuleEncoding

    X, y = induce.dataset("play-tennis")
    encoding = RuleEncoding(induce.dataset("play-tennis").input_schema, ((),) * 4, 2)
    values = [[str(value) for value in column.domain] for column in encoding.schema]
    places = [[domain.index(value) for domain, value in zip(values, row, strict=True)] for row in X.rows()]
    begins = np.concatenate([[0], np.cumsum(encoding.widths)])[:4]
    asked = begins + np.array(places)
    yes = y.to_numpy() == "Yes"

    def right(bits: Any) -> float:
        """Return the squared accuracy on the days of one rule: IF its conditions hold THEN Yes, else No."""
        fires = np.asarray(bits)[asked].all(axis=1)
        return float((fires == yes).mean()) ** 2

    found = {}
    for p, r, m in ((20, 0.6, 0.01), (20, 0.6, 0.1), (100, 0.6, 0.01)):
        algorithm = GeneticAlgorithm.prototypical(Bits(10), population_size=p, r=r, m=m, generations=30)
        found[p, r, m] = round(14 * math.sqrt(algorithm.learn(right).hypothesis_.fitness))
    return Outcome(
        "; ".join(f"p = {p}, r = {r}, m = {m}: {count} of 14" for (p, r, m), count in found.items()),
        max(found.values()) == 10,
        "one ten-bit rule for PlayTennis; no single rule classifies more than 10 of 14 days correctly",
    )


def _filter() -> Outcome:
    from induce.evolution import LowPass, Program

    problem = LowPass()
    coil, capacitor = math.log10(0.1591549431), math.log10(0.3183098862e-6)
    ladder = Program.parse(f"(shunt L={coil} L={coil} C={capacitor})", problem.language)
    errors = [problem.error(program) for program in (ladder, Program.parse("wire", problem.language))]
    response = problem.circuit(ladder).response([100, 1000, 10000])
    return Outcome(
        f"a three-part ladder {errors[0]:.4f}, a wire {errors[1]:.1f}; the ladder passes "
        f"{', '.join(f'{value:.4f}' for value in response)} of 100, 1,000 and 10,000 Hz",
        all_as_printed(errors, ("0.5031", "17.0"))
        and all_as_printed(response.tolist(), ("0.5000", "0.3536", "0.0005")),
        "sum of errors over 101 frequencies: the fitness of a program that builds a low-pass filter "
        "(our own target)",
    )


def _sequences() -> Outcome:
    from induce.textbook.statistical_learning import bags

    found, three = {}, bags()
    for name, share in LIMES.items():
        random = np.random.default_rng(0)
        candies = ["lime" if each < share else "cherry" for each in random.random(100)]
        posterior = three.posterior(candies)
        found[name] = posterior.map_hypothesis, posterior.predict()["lime"]
    return Outcome(
        "; ".join(f"drawn from {name}: {best}, next lime {lime:.4f}" for name, (best, lime) in found.items()),
        all(name == best and abs(lime - LIMES[name]) < 0.001 for name, (best, lime) in found.items()),
        "100 candies from each bag; the prediction converges to the proportion of limes in it",
    )


def _predictions() -> Outcome:
    from induce.textbook.statistical_learning import bags

    random = np.random.default_rng(0)
    candies = ["lime" if each < LIMES["h4"] else "cherry" for each in random.random(100)]
    evolution = bags().evolve(candies)
    bayes = evolution.predictions("lime")
    jumps = len({round(LIMES[each.map_hypothesis], 2) for each in evolution.posteriors})
    after = {n: float(bayes[n]) for n in (0, 5, 20, 100)}
    return Outcome(
        f"Bayes {', '.join(f'{value:.3f} after {n}' for n, value in after.items())}; MAP takes {jumps} values",
        abs(after[100] - 0.75) < 0.001 and jumps <= 5 and evolution.posteriors[-1].map_hypothesis == "h4",
        "candies of bag h4; the Bayesian prediction changes smoothly, that of the most probable bag in steps",
    )


def _more_links() -> Outcome:
    from induce.belief_networks.structure.scores import CodedRows, FamilyScores

    X = induce.dataset("candy").X
    rows = np.column_stack([X[name].to_physical() for name in X.columns])
    scores = FamilyScores(CodedRows.of(rows, [2, 2, 2]), "bic")
    found = []
    for parents in NESTED:
        size = sum(scores.n_parameters(node, above) for node, above in enumerate(parents))
        found.append(scores.total(parents) + size / 2 * math.log(1000))
    return Outcome(
        f"log likelihood {', '.join(f'{value:.4f}' for value in found)}",
        all_as_printed([-value for value in found], ("2063.1603", "2032.6839", "1993.2633", "1979.3601")),
        "1,000 candies: no arc, flavor to wrapper, flavor to hole, wrapper to hole; each arc raises the likelihood",
    )


def _not_identifiable() -> Outcome:
    from induce.belief_networks import NetworkParameters

    X = induce.dataset("candy").X
    bags = {"Bag": ["1", "2"]}
    ends, shares = [], []
    for seed in range(3):
        learner = NetworkParameters(
            {"Flavor": ["Bag"], "Wrapper": ["Bag"]},
            method="em",
            alpha=0,
            hidden=bags,
            random_state=seed,
            tol=1e-13,
            max_iter=3000,
        ).fit(X.drop("Hole"))
        learned: Any = learner.hypothesis_
        ends.append(learner.search_.objective[-1])
        shares.append(float(learned.conditional("Bag").probabilities[0]))
    spread = max(shares) - min(shares)
    return Outcome(
        f"log likelihood {ends[0]:.3f} from {len(ends)} starts, with different weights of the first bag",
        all(abs(end + 1344.5451) < 1e-3 for end in ends) and spread > 0.01,
        "flavor and wrapper alone: five parameters for a table with three free cells",
    )


def two_bags(theta: float, first: float, second: float) -> BeliefNetwork:
    """Return the network of figure 20.10: the hidden bag is the parent of flavor, wrapper and hole."""
    from induce.belief_networks import BeliefNetwork

    columns = induce.dataset("candy").input_schema
    table = {"1": [first, 1 - first], "2": [second, 1 - second]}
    return BeliefNetwork.of(
        {column.name: ["Bag"] for column in columns},
        {"Bag": [theta, 1 - theta], **{column.name: table for column in columns}},
        {"Bag": ["1", "2"], **{column.name: list(column.domain) for column in columns}},
    )


def _symmetric() -> Outcome:
    from induce.belief_networks import NetworkParameters

    X = induce.dataset("candy").X
    ends: list[tuple[Any, float]] = []
    for start, steps in ((two_bags(0.4, 0.4, 0.4), 5), (two_bags(0.5, 0.5 + 1e-4, 0.5), 500)):
        learner = NetworkParameters(start, method="em", alpha=0, max_iter=steps, tol=0).fit(X)
        ends.append((learner.hypothesis_, float(learner.search_.objective[-1])))
    (stuck, low), (_, high) = ends
    found = [float(stuck.conditional(name).probabilities[bag, 0]) for name in X.columns for bag in (0, 1)]
    return Outcome(
        f"equal start: {', '.join(f'{value:.3f}' for value in found)} at {low:.4f}; start differing by "
        f"0.0001: {high:.2f}",
        all_as_printed(found, ("0.56", "0.56", "0.545", "0.545", "0.55", "0.55"))
        and all_as_printed([-low], ("2063.1603",))
        and abs(high + 1979.36) < 0.01,
        "parameters that are equal for both bags stay equal: a saddle point, which any difference escapes",
    )


def _separable_functions() -> Outcome:
    from induce.linear import threshold_functions

    found = [threshold_functions(n) for n in (1, 2, 3, 4)]
    shares = [count / 2 ** (2**n) for n, count in zip((1, 2, 3, 4), found, strict=True)]
    return Outcome(
        f"{', '.join(map(str, found))}; fractions {', '.join(f'{share:.5f}' for share in shares)}",
        found == [4, 14, 104, 1882] and all_as_printed(shares, ("1", "0.875", "0.40625", "0.02872")),
    )


RESULTS = (
    Result(
        "mitchell-exercise-2.7-intervals",
        "Mitchell, exercise 2.7",
        "open real intervals have no maximally specific consistent hypothesis; closed intervals do",
        "[use closed intervals: 3.1 <= x <= 5.7]",
        _closed_intervals,
    ),
    Result(
        "mitchell-exercise-3.2-gains",
        "Mitchell, exercise 3.2",
        "entropy of six examples, and the gain of a2",
        "[1 and 0]",
        _six_examples,
    ),
    Result(
        "mitchell-9.5.3-filter",
        "Mitchell, section 9.5.3",
        "programs that build electrical filters are scored by the frequency response of their circuits",
        "[0.5031 for a ladder, 17 for a wire]",
        _filter,
    ),
    Result(
        "mitchell-exercise-9.1-bits",
        "Mitchell, exercise 9.1",
        "bits of one rule of PlayTennis for a genetic algorithm",
        "[11, or 12 with a bit for each class]",
        _bits_of_a_rule,
    ),
    Result(
        "mitchell-exercise-9.2-sweep",
        "Mitchell, exercise 9.2",
        "a simple genetic algorithm with several population sizes and mutation rates",
        "[at most 10 of 14 days with a single rule]",
        _sweep,
    ),
    Result(
        "aima-exercise-20.1-sequences",
        "Russell and Norvig, exercise 20.1",
        "candies drawn from each of the five bags identify that bag",
        "[the true bag, and its proportion of limes]",
        _sequences,
    ),
    Result(
        "aima-exercise-20.2-predictions",
        "Russell and Norvig, exercise 20.2",
        "predictions of Bayes and of the most probable bag, candy by candy",
        "[both converge to 0.75; the second in steps]",
        _predictions,
    ),
    Result(
        "aima-exercise-20.9-links",
        "Russell and Norvig, exercise 20.9",
        "an additional link never lowers the maximum likelihood of a network",
        "[-2063.1603, -2032.6839, -1993.2633, -1979.3601]",
        _more_links,
    ),
    Result(
        "aima-exercise-20.10a-attributes",
        "Russell and Norvig, exercise 20.10a",
        "two attributes do not identify the parameters of two bags",
        "[-1344.5451 from every start, with different parameters]",
        _not_identifiable,
    ),
    Result(
        "aima-exercise-20.10c-symmetry",
        "Russell and Norvig, exercise 20.10c",
        "EM started with identical bags never separates them",
        "[0.56, 0.545 and 0.55 for both, at -2063.1603]",
        _symmetric,
    ),
    Result(
        "aima-exercise-20.14-threshold",
        "Russell and Norvig, exercise 20.14",
        "number and fraction of the Boolean functions of 1 to 4 inputs that a threshold unit represents",
        "[4, 14, 104, 1882]",
        _separable_functions,
    ),
)
