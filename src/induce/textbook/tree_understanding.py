"""Mitchell, sections 3.6 and 3.7, and Russell and Norvig, section 18.3: the expressiveness and bias of trees."""

from __future__ import annotations

import math

import induce
from induce.textbook.measuring import as_printed
from induce.textbook.result import Outcome, Result


def _bias() -> Outcome:
    from induce.trees.understanding import bias

    found = bias(induce.ID3())
    return Outcome(str(found), found.complete and not found.exhaustive and found.kind == "preference bias")


def _small_sets() -> Outcome:
    from induce.trees.understanding import small_sets

    short, arcane, every = small_sets()
    return Outcome(
        "\n".join(map(str, (short, arcane, every))),
        max(short.chance, arcane.chance) < 0.05 and every.chance == 1.0,
        "six attributes with two values and five with three, so trees that test each once have 17 "
        "leaves; the probability is a bound for 40 examples with random labels",
    )


def _function_space() -> Outcome:
    from induce.trees.understanding import function_space

    X, y = induce.dataset("enjoy-sport")
    one, two = (function_space(X[:n], y[:n], "Yes") for n in (1, 2))
    return Outcome(
        f"{one}\n{two}",
        (one.n_functions, two.n_functions) == (2**95, 2**94)
        and not one.excluded.terms
        and not two.excluded.terms
        and len(two.specific.terms) == 1,
        "after the first and after the second example; the two examples differ in Humidity only",
    )


def _noisy_functions() -> Outcome:
    from induce.trees.understanding import agreement

    figure = induce.ID3().fit(*induce.dataset("play-tennis"))
    X, y = induce.dataset("play-tennis-noisy")
    # day 15 has so little weight that only its position matters, as in the book
    told = induce.ID3().fit(X, y, sample_weight=[1.0] * 14 + [0.001])
    found = {"learned": agreement(induce.ID3().fit(X, y), figure), "told": agreement(told, figure)}
    differ = {name: result.total - result.same for name, result in found.items()}
    return Outcome(
        "\n".join(f"the tree as {name}: {result}" for name, result in found.items()),
        differ == {"learned": 4, "told": 2} and found["told"].total == 36,
    )


def _functions() -> Outcome:
    from induce.trees.understanding import n_functions, n_instances

    digits = [math.log10(n_functions(n)) for n in (10, 20)]
    evenings = n_instances(induce.dataset("restaurant").input_schema)
    return Outcome(
        f"10^{digits[0]:.1f}, 10^{digits[1]:,.1f}",
        as_printed(digits[0], "308.3") and digits[1] > 300_000,
        f"six of the ten attributes of the restaurant are Boolean; there are {evenings} different evenings",
    )


def _formula() -> Outcome:
    from induce.trees.understanding import agreement, to_dnf, tree_of

    tree = induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_
    formula = to_dnf(tree, "Yes")
    back = tree_of(formula)
    return Outcome(
        f"{formula}\nand back as a tree: {back.size()}, {agreement(back, tree)}",
        len(formula.terms) == 4 and agreement(back, tree).share == 1.0,
    )


def _agreement() -> Outcome:
    from induce.data.generate import restaurant_space
    from induce.trees.understanding import agreement

    learned = induce.ID3().fit(*induce.dataset("restaurant"))
    found = agreement(learned, induce.ID3().fit(*restaurant_space()))
    return Outcome(str(found), (found.same, found.total) == (7500, 9216), "French: Yes")


def _ties() -> Outcome:
    from induce.trees.understanding import near_ties

    X, y = induce.dataset("restaurant")
    found = near_ties(induce.ID3(), X, y, within=0)
    return Outcome(str(found), [1 + len(tie.rivals) for tie in found.ties] == [5, 3])


def _dice() -> Outcome:
    from induce.trees.understanding import overfit_dice

    strict, usual = (overfit_dice(200, alpha=alpha) for alpha in (0.01, 0.05))
    return Outcome(
        f"{strict}\nat the 5% level: {usual.pruned_nodes:.1f} nodes, error {usual.pruned_error:.3f}, a single leaf "
        f"in {usual.single_leaf:.0%} of the runs",
        strict.nodes > 20
        and strict.single_leaf >= 0.8
        and strict.pruned_error < strict.error
        and usual.single_leaf < 0.5,
        "200 rolls, mean of 20 runs, pruned at the 1% level",
    )


RESULTS = (
    Result(
        "mitchell-3.6-bias",
        "Mitchell, section 3.6.1",
        "ID3 searches a complete space incompletely: it has a preference bias, not a restriction bias",
        "preference (search) bias",
        _bias,
    ),
    Result(
        "mitchell-3.6-small-sets",
        "Mitchell, section 3.6.2",
        "short trees are few, so one that fits is unlikely to do so by chance; but trees of 17 leaves "
        "with ordered tests are also few",
        "no number is given",
        _small_sets,
    ),
    Result(
        "mitchell-exercise-3.4d",
        "Mitchell, exercise 3.4d",
        "candidate elimination over all decision trees: S and G after the first and the second example",
        "[S: the positive examples alone, G: everything; 2^95, then 2^94 functions fit]",
        _function_space,
    ),
    Result(
        "mitchell-3.7.1-noisy-functions",
        "Mitchell, section 3.7.1",
        "number of the 36 possible mornings that a wrong day 15 changes",
        "[4 in the tree that ID3 learns, 2 in the one the text describes]",
        _noisy_functions,
    ),
    Result(
        "aima-18.3.2-formula",
        "Russell and Norvig, section 18.3.2",
        "a tree is a disjunction of its paths to Yes, and every such formula is a tree",
        "[four paths in the tree of figure 18.6]",
        _formula,
    ),
    Result(
        "aima-18.3.2-functions",
        "Russell and Norvig, section 18.3.2",
        "the number of Boolean functions of ten and of twenty attributes",
        "about 10^308, over 10^300,000",
        _functions,
    ),
    Result(
        "aima-18.3.3-agreement",
        "Russell and Norvig, section 18.3.3",
        "the learned tree looks different from the true tree of figure 18.2; how closely do the two "
        "functions agree?",
        "[7500 of 9216 evenings]",
        _agreement,
    ),
    Result(
        "aima-18.3.3-ties",
        "Russell and Norvig, section 18.3.3",
        "with attributes of similar importance, a few different examples give a different tree",
        "[five attributes tie below Pat = Full, three below Type = Thai]",
        _ties,
    ),
    Result(
        "aima-18.3.5-dice",
        "Russell and Norvig, section 18.3.5",
        "a tree finds patterns in the colour, weight and time of rolls of a die; chi-square pruning does not",
        "a tree that is a single No",
        _dice,
        comment="mostly at the 1% level; at 5% one useless test in twenty is kept, and few trees are "
        "a single leaf",
    ),
)
