"""Mitchell 3.6 to 3.7.5 and AIMA 18.3: other searches, measures, costs, stopping and pruning."""

from __future__ import annotations

from itertools import product
from typing import Any

import induce
from induce.textbook.measuring import all_as_printed, listed, outline
from induce.textbook.result import Outcome, Result
from induce.textbook.trees import TREE

COSTS = {"Outlook": 20, "Temperature": 1, "Humidity": 2, "Wind": 1}


def _merits(X: Any, y: Any, **parameters: Any) -> dict[str, float]:
    with induce.trace(only="split") as events:
        induce.DecisionTreeClassifier(max_depth=1, **parameters).fit(X, y)
    return {name: scores["merit"] for name, scores in events[0]["candidates"].items()}


def _shortest() -> Outcome:
    X, y = induce.dataset("play-tennis")
    tree = induce.BFSID3().fit(X, y).hypothesis_
    return Outcome(
        f"{outline(tree)}\n{tree.size()}",
        outline(tree) == TREE and induce.BFSID3().count_smallest(X, y) == 1,
        "no tree of depth 0 or 1 fits the fourteen days, and no other of depth 2 is as small",
    )


def _shortest_with_noise() -> Outcome:
    X, y = induce.dataset("play-tennis-noisy")
    tree = induce.BFSID3().fit(X, y).hypothesis_
    number = induce.BFSID3().count_smallest(X, y)
    return Outcome(
        f"{tree.size()}; {number} trees have this size", (tree.n_nodes, tree.depth, number) == (11, 3, 3)
    )


def _truth_table(names: str, function: Any) -> tuple[Any, list[bool]]:
    import polars as pl

    rows = list(product([True, False], repeat=len(names)))
    return pl.DataFrame(rows, schema=list(names), orient="row"), [bool(function(*row)) for row in rows]


def _smallest_size(names: str, function: Any) -> tuple[int, int]:
    tree = induce.BFSID3().fit(*_truth_table(names, function)).hypothesis_
    return tree.n_nodes, tree.depth


def _exercise_3_1() -> Outcome:
    sizes = [
        _smallest_size("AB", lambda a, b: a and not b),
        _smallest_size("ABC", lambda a, b, c: a or (b and c)),
        _smallest_size("AB", lambda a, b: a != b),
        _smallest_size("ABCD", lambda a, b, c, d: (a and b) or (c and d)),
    ]
    words = [f"{nodes} nodes, depth {depth}" for nodes, depth in sizes]
    return Outcome("; ".join(words), sizes == [(5, 2), (7, 3), (7, 2), (13, 4)])


def _majority() -> Outcome:
    leaves = {}
    for n in (3, 5):
        names = "ABCDE"[:n]
        table = _truth_table(names, lambda *values: sum(values) > len(values) / 2)
        leaves[n] = induce.BFSID3().fit(*table).hypothesis_.n_leaves
    return Outcome(
        ", ".join(f"{n} attributes: {count} leaves" for n, count in leaves.items()),
        leaves == {3: 6, 5: 20},
        "2 C(n, (n + 1) / 2) leaves for odd n: the smallest tree grows exponentially",
    )


def _distance() -> Outcome:
    distances = {
        name: 1 - merit
        for name, merit in _merits(*induce.dataset("play-tennis"), criterion="mantaras").items()
    }
    return Outcome(
        listed(distances),
        all_as_printed(list(distances.values()), ("0.8913", "0.9882", "0.9151", "0.9744")),
        "the smallest distance is best",
    )


def _kearns_mansour() -> Outcome:
    merits = _merits(*induce.dataset("play-tennis"), criterion="kearns_mansour")
    return Outcome(
        listed(merits), all_as_printed(list(merits.values()), ("0.2585", "0.0211", "0.1135", "0.0349"))
    )


def _costs(criterion: str, root: str, printed: tuple[str, ...], cost: str, **parameters: Any) -> Any:
    def run() -> Outcome:
        X, y = induce.dataset("play-tennis")
        merits = _merits(X, y, criterion=criterion, costs=COSTS, **parameters)
        learner = induce.DecisionTreeClassifier(criterion=criterion, costs=COSTS, **parameters).fit(X, y)
        tree = learner.hypothesis_
        return Outcome(
            f"{listed(merits)}; expected cost per day {tree.expected_cost():.2f} ({tree.size()})",
            tree.tested(0).name == root
            and all_as_printed([*merits.values(), tree.expected_cost()], (*printed, cost)),
            "with the costs Outlook 20, Temperature 1, Humidity 2, Wind 1",
        )

    return run


def _chi_square_stop() -> Outcome:
    X, y = induce.dataset("play-tennis")
    trees = {
        level: induce.DecisionTreeClassifier(significance=level).fit(X, y).hypothesis_
        for level in (0.05, 0.1)
    }
    return Outcome(
        f"at 5%: {trees[0.05].size()}; at 10% the root tests {trees[0.1].tested(0).name}",
        trees[0.05].n_nodes == 1 and trees[0.1].tested(0).name == "Humidity",
    )


def _description_length() -> Outcome:
    from induce.trees.pruning import description_length, mdl

    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    full, one = description_length(tree), description_length(mdl(tree))
    other = mdl(tree, exceptions="mitchell")
    return Outcome(
        f"figure 3.1: {sum(full):.3f} bits; one leaf: {sum(one):.3f} bits",
        all_as_printed([sum(full), sum(one)], ("23.755", "15.967"))
        and mdl(tree).n_nodes == 1
        and other == tree,
        "exceptions as a subset of the examples; if each is identified by its index, as in section "
        "6.6, the full tree is shorter",
    )


def _chi_square_table() -> Outcome:
    from scipy.optimize import brentq

    from induce.belief_networks.structure.independence import IndependenceTest

    def beyond(deviation: float, level: float) -> float:
        return IndependenceTest(deviation, deviation, 3).p_value("chi2") - level

    values = [float(brentq(beyond, 0.0, 100.0, args=(level,))) for level in (0.05, 0.01)]
    return Outcome(f"{values[0]:.4f} at 5%, {values[1]:.4f} at 1%", all_as_printed(values, ("7.81", "11.34")))


def _chi_square_pruning() -> Outcome:
    learner = induce.DecisionTreeClassifier(pruning="chi-square")
    tree = learner.fit(*induce.dataset("restaurant")).hypothesis_
    at_1 = induce.DecisionTreeClassifier(pruning="chi-square", pruning_significance=0.01)
    return Outcome(
        outline(tree),
        outline(tree) == "Pat = None: No\nPat = Some: Yes\nPat = Full: No"
        and at_1.fit(*induce.dataset("restaurant")).hypothesis_.n_nodes == 1,
        "at 1% the test of Patrons is pruned too",
    )


def _noise() -> Outcome:
    from induce.data.generate import label_noise, restaurant, restaurant_space
    from induce.trees.pruning import chi_square

    evenings = restaurant_space()
    truth = evenings.y.to_numpy()
    rates, runs = (0.0, 0.1, 0.2, 0.3), 12
    accuracy = {"full": [0.0] * 4, "pruned": [0.0] * 4}
    nodes = {"full": [0.0] * 4, "pruned": [0.0] * 4}
    for k, rate in enumerate(rates):
        for seed in range(runs):
            data = restaurant(100, seed)
            tree = induce.ID3().fit(data.X, label_noise(data.y, rate, 100 + seed)).hypothesis_
            for name, of in (("full", tree), ("pruned", chi_square(tree))):
                accuracy[name][k] += float((of.predict(evenings.X) == truth).mean()) / runs
                nodes[name][k] += of.n_nodes / runs
    better = [one - other for one, other in zip(accuracy["pruned"], accuracy["full"], strict=True)]
    smaller = [one / other for one, other in zip(nodes["pruned"], nodes["full"], strict=True)]
    return Outcome(
        "\n".join(
            f"{rate:.0%} of the labels wrong: {accuracy['full'][k]:.3f} with {nodes['full'][k]:.0f} nodes, pruned "
            f"{accuracy['pruned'][k]:.3f} with {nodes['pruned'][k]:.0f}"
            for k, rate in enumerate(rates)
        ),
        min(better[1:]) > 0.03 and max(smaller[1:]) < 0.5,
        f"100 evenings, mean of {runs} runs, tested on all 9216 possible evenings; chi-square pruning at 5%",
    )


def _one_value() -> Outcome:
    merits = _merits(*induce.dataset("restaurant"), nominal="one-value")
    best = {name: merits[name] for name in ("Pat", "Hun", "Price", "Est")}
    return Outcome(
        listed(best), all_as_printed(list(best.values()), ("0.4591", "0.1957", "0.1909", "0.1909"))
    )


def _linear_leaves() -> Outcome:
    import polars as pl

    x = list(range(12))
    X, y = pl.DataFrame({"x": [float(value) for value in x]}), [float(v if v <= 5 else 20 - 2 * v) for v in x]
    roots = {
        leaf: induce.DecisionTreeRegressor(leaf=leaf, max_depth=1, pruning=None, min_samples_leaf=1).fit(X, y)
        for leaf in ("linear", "constant")
    }
    cuts = {leaf: float(learner.hypothesis_.threshold[0]) for leaf, learner in roots.items()}
    return Outcome(
        f"linear leaves split at {cuts['linear']:g}, constant ones at {cuts['constant']:g}",
        cuts == {"linear": 5.5, "constant": 9.5},
    )


RESULTS = (
    Result(
        "mitchell-3.6-bfs-id3",
        "Mitchell, section 3.6",
        "BFS-ID3 finds the smallest tree that fits the days of table 3.2",
        "[figure 3.1; the only one with 8 nodes]",
        _shortest,
    ),
    Result(
        "mitchell-3.7.1-smallest-with-noise",
        "Mitchell, section 3.7.1",
        "the smallest trees that fit all fifteen days",
        "[three trees of 11 nodes and depth 3]",
        _shortest_with_noise,
    ),
    Result(
        "mitchell-3.7.1-chi-square-stop",
        "Mitchell, section 3.7.1",
        "growth that stops if the chi-square test finds no dependence",
        "[at 5% one leaf; at 10% Humidity alone passes]",
        _chi_square_stop,
    ),
    Result(
        "mitchell-3.7.1-description-length",
        "Mitchell, section 3.7.1",
        "the description length of the tree of figure 3.1 and of a single leaf",
        "[23.755 and 15.967 bits: the leaf is shorter]",
        _description_length,
    ),
    Result(
        "mitchell-3.7.3-distance",
        "Mitchell, section 3.7.3",
        "the López de Mántaras distance at the root (Outlook, Temperature, Humidity, Wind)",
        "[0.8913, 0.9882, 0.9151, 0.9744]",
        _distance,
    ),
    Result(
        "mitchell-3.7.3-kearns-mansour",
        "Mitchell, section 3.7.3",
        "the decrease of the Kearns and Mansour impurity at the root",
        "[0.2585, 0.0211, 0.1135, 0.0349]",
        _kearns_mansour,
    ),
    Result(
        "mitchell-3.7.5-gain-squared-by-cost",
        "Mitchell, section 3.7.5",
        "Tan and Schlimmer's Gain² / Cost at the root, and the expected cost of classifying a day",
        "[0.003044, 0.000854, 0.011527, 0.002316; 15.7143 per day]",
        _costs("tan_schlimmer", "Humidity", ("0.003044", "0.000854", "0.011527", "0.002316"), "15.7143"),
    ),
    Result(
        "mitchell-3.7.5-nunez",
        "Mitchell, section 3.7.5",
        "Núñez's measure at the root with w = 0.5, and the expected cost of classifying a day",
        "[0.040704, 0.014469, 0.064076, 0.023986; 16.9286 per day]",
        _costs(
            "nunez", "Humidity", ("0.040704", "0.014469", "0.064076", "0.023986"), "16.9286", cost_weight=0.5
        ),
    ),
    Result(
        "mitchell-exercise-3.1",
        "Mitchell, exercise 3.1",
        "the smallest trees for A and not B, A or (B and C), A xor B, (A and B) or (C and D)",
        "[5 nodes; 7 nodes, depth 3; 7 nodes, depth 2; 13 nodes, depth 4]",
        _exercise_3_1,
    ),
    Result(
        "aima-18.3.2-majority",
        "Russell and Norvig, section 18.3.2",
        "the majority function needs an exponentially large tree",
        "[6 leaves for 3 attributes, 20 for 5]",
        _majority,
    ),
    Result(
        "aima-18.3.5-chi-square-table",
        "Russell and Norvig, section 18.3.5",
        "the deviation that rejects the null hypothesis with 3 degrees of freedom at 5% and at 1%",
        "7.82 and 11.35",
        _chi_square_table,
        "rounded to two places they are 7.81 and 11.34",
    ),
    Result(
        "aima-18.3.5-chi-square-pruning",
        "Russell and Norvig, section 18.3.5",
        "the restaurant tree pruned by the chi-square test at 5%",
        "[only the test of Patrons is left]",
        _chi_square_pruning,
        "the text gives the degrees of freedom as v - 1 with v the size of the sample; its own "
        "example (Type: 4 values, 3 degrees) shows that v is the number of values of the attribute",
    ),
    Result(
        "aima-18.3.5-noise",
        "Russell and Norvig, section 18.3.5",
        "with noise, pruned trees are significantly more accurate, and smaller",
        "no number is given",
        _noise,
    ),
    Result(
        "aima-18.3.6-one-value-tests",
        "Russell and Norvig, section 18.3.6",
        "the best one-against-rest tests at the restaurant root (Patrons, Hungry, Price, Estimate)",
        "[0.4591, 0.1957, 0.1909, 0.1909]",
        _one_value,
    ),
    Result(
        "aima-18.3.6-linear-leaves",
        "Russell and Norvig, section 18.3.6",
        "a regression tree with a linear function at each leaf splits where constants would not",
        "[at 5.5; constant leaves at 9.5]",
        _linear_leaves,
    ),
)
