"""Russell and Norvig (third edition), section 18.3: the restaurant."""

from __future__ import annotations

from functools import cache

import induce
from induce.textbook.measuring import (
    all_as_printed,
    as_printed,
    entropy,
    listed,
    outline,
    root_gains,
    root_scores,
)
from induce.textbook.result import Outcome, Result

TREE = """\
Pat = None: No
Pat = Some: Yes
Pat = Full
|   Hun = Yes
|   |   Type = French: Yes
|   |   Type = Italian: No
|   |   Type = Thai
|   |   |   Fri = Yes: Yes
|   |   |   Fri = No: No
|   |   Type = Burger: Yes
|   Hun = No: No"""

SIZES = (10, 20, 50, 99)
TRIALS = 20


def _entropies() -> Outcome:
    got = {"fair coin": entropy(5, 5), "four-sided die": entropy(3, 3, 3, 3), "B(0.99)": entropy(99, 1)}
    return Outcome(listed(got), all_as_printed(list(got.values()), ("1", "2", "0.08")))


def _gains() -> Outcome:
    gains = root_gains(*induce.dataset("restaurant"))
    best = max(gains, key=lambda name: gains[name])
    return Outcome(
        listed(gains), best == "Pat" and all_as_printed([gains["Pat"], gains["Type"]], ("0.541", "0"))
    )


def _tree() -> Outcome:
    from induce.data.generate import restaurant_space

    X, y = induce.dataset("restaurant")
    learner = induce.ID3().fit(X, y)
    tree = learner.hypothesis_
    evenings = restaurant_space()
    agreement = float((learner.predict(evenings.X) == evenings.y.to_numpy()).mean())
    return Outcome(
        str(tree),
        outline(tree) == TREE and learner.score(X, y) == 1.0,
        f"{tree.size()}. Five attributes tie at Pat = Full; the one declared first is taken. No example is "
        "French there and the vote of the others is 2 to 2, so either answer is right at that leaf. The tree "
        f"agrees with that of figure 18.2 on {agreement:.1%} of all 9216 evenings",
    )


def _unused() -> Outcome:
    rules = induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_.to_rules().rules
    used = {condition.attribute for rule in rules for condition in rule.conditions}
    return Outcome(f"tests {', '.join(sorted(used))}", not used & {"Rain", "Res"})


def _leave_one_out() -> Outcome:
    from sklearn.model_selection import LeaveOneOut

    X, y = induce.dataset("restaurant")
    estimate = induce.evaluate(induce.ID3(), X, y, cv=LeaveOneOut())
    return Outcome(
        f"{estimate.errors} of {estimate.n} wrong",
        estimate.errors == 6,
        f"ties at a leaf go to Yes, the class declared first; {estimate.interval.summary}",
    )


@cache
def learning_curve() -> dict[int, float]:
    """Return the mean accuracy of ID3 on all evenings by the number of training evenings."""
    import numpy as np

    from induce.data.generate import restaurant_space

    X, y = restaurant_space()
    truth = y.to_numpy()
    random = np.random.default_rng(0)
    accuracy = {}
    for size in SIZES:
        right = []
        for _ in range(TRIALS):
            rows = random.integers(0, len(X), size)
            right.append(np.mean(induce.ID3().fit(X[rows], y[rows]).predict(X) == truth))
        accuracy[size] = float(np.mean(right))
    return accuracy


def _learning_curve() -> Outcome:
    accuracy = learning_curve()
    low, *_, high = accuracy.values()
    return Outcome(
        listed({str(size): value for size, value in accuracy.items()}, 3),
        0.72 <= low <= 0.86 and 0.92 <= high <= 0.98,
        f"mean of {TRIALS} runs by the number of training evenings, tested on all 9216 evenings",
    )


def _xor() -> Outcome:
    import polars as pl

    bits = pl.Enum(["0", "1"])
    X = pl.DataFrame({"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"]}, schema={"a": bits, "b": bits})
    y = ["0", "1", "1", "0"]
    full = induce.ID3().fit(X, y)
    early = induce.DecisionTreeClassifier(min_gain=1e-6).fit(X, y).hypothesis_
    return Outcome(
        f"{outline(full.hypothesis_)}\nwith early stopping: {early.size()}",
        full.score(X, y) == 1.0 and early.n_nodes == 1,
        "early stopping uses min_gain=1e-6: neither attribute has any gain alone",
    )


def _exact_time() -> Outcome:
    import polars as pl

    X, y = induce.dataset("restaurant")
    times = [f"19:{minute:02}" for minute in range(len(X))]
    X = X.with_columns(ExactTime=pl.Series(times, dtype=pl.Enum(times)))
    gains = root_gains(X, y)
    ratios = {name: scores["merit"] for name, scores in root_scores(X, y, "gain_ratio").items()}
    chosen = [max(scores, key=lambda name: scores[name]) for scores in (gains, ratios)]
    return Outcome(
        f"gain {gains['ExactTime']:.4f}, gain ratio {ratios['ExactTime']:.4f}; Pat {ratios['Pat']:.4f}",
        chosen == ["ExactTime", "Pat"]
        and as_printed(gains["ExactTime"], "1")
        and all_as_printed([ratios["ExactTime"], ratios["Pat"]], ("0.2789", "0.3707")),
        "gain selects ExactTime, gain ratio selects Pat",
    )


def _missing() -> Outcome:
    import polars as pl

    X, y = induce.dataset("restaurant")
    tree = induce.ID3().fit(X, y).hypothesis_
    evenings = [
        {"Hun": "No"},
        {"Hun": "Yes", "Type": "Burger"},
        {"Pat": "Full", "Type": "Burger"},
        {"Pat": "Full", "Hun": "Yes", "Fri": "Yes"},
        {},
    ]
    table = pl.DataFrame(
        [{name: known.get(name) for name in X.columns} for known in evenings], schema=X.schema
    )
    yes = tree.predict_proba(table)[:, tree.classes.index("Yes")].tolist()
    return Outcome(
        ", ".join(f"{share:.4f}" for share in yes),
        all_as_printed(yes, ("0.3333", "0.8333", "0.6667", "0.75", "0.5")),
        "the probability of Yes given: not hungry; hungry, burger; full, burger; full, hungry, "
        "Friday; nothing",
    )


RESULTS = (
    Result(
        "aima-18.3.4-entropy",
        "Russell and Norvig, section 18.3.4",
        "entropies of a fair coin, a fair four-sided die and a coin that comes up heads 99% of the time",
        "1, 2, about 0.08",
        _entropies,
    ),
    Result(
        "aima-18.3.4-patrons-gain",
        "Russell and Norvig, section 18.3.4",
        "Patrons has the highest gain, Type has none",
        "Patrons about 0.541, Type 0",
        _gains,
    ),
    Result(
        "aima-18.6-restaurant-tree",
        "Russell and Norvig, figure 18.6",
        "the tree learned from the twelve evenings of figure 18.3",
        "[Pat; if Full, then Hun; if hungry, then Type; if Thai, then Fri]",
        _tree,
    ),
    Result(
        "aima-18.3.3-unused",
        "Russell and Norvig, section 18.3.3",
        "the tree needs neither Raining nor Reservation",
        "no test of Raining or Reservation",
        _unused,
    ),
    Result(
        "aima-18.3.3-leave-one-out",
        "Russell and Norvig, figure 18.3",
        "leave-one-out error of the same learner",
        "[6 of 12 wrong]",
        _leave_one_out,
    ),
    Result(
        "aima-18.7-learning-curve",
        "Russell and Norvig, figure 18.7",
        "accuracy grows with the number of training evenings",
        "reaches 95% (up to 99 evenings, mean of 20 trials)",
        _learning_curve,
    ),
    Result(
        "aima-18.3.5-xor",
        "Russell and Norvig, section 18.3.5",
        "growing the full tree learns exclusive or, early stopping does not",
        "early stopping sees no attribute worth a test",
        _xor,
    ),
    Result(
        "aima-18.3.6-exact-time",
        "Russell and Norvig, section 18.3.6",
        "an attribute with a different value each evening has the highest gain; the gain ratio corrects that",
        "[gain 1, gain ratio 0.279 against 0.371 of Patrons]",
        _exact_time,
    ),
    Result(
        "aima-18.3.6-missing-values",
        "Russell and Norvig, section 18.3.6",
        "classifying evenings with missing values by the tree of figure 18.6",
        "[probability of Yes 1/3, 5/6, 2/3, 3/4, 1/2]",
        _missing,
    ),
)
