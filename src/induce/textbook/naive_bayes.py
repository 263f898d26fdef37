"""Mitchell, sections 6.9, 6.10 and 6.13, and AIMA, section 20.2: naive Bayes."""

from __future__ import annotations

from functools import cache
from typing import cast

import numpy as np

import induce
from induce.bayes.naive_bayes.nominal import NominalColumn
from induce.textbook.measuring import all_as_printed, as_printed, listed
from induce.textbook.result import Outcome, Result

DAY = {"Outlook": ["Sunny"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Strong"]}
N_POSITIONS, N_WORDS = 111, 50_000
SIZES, TRIALS, TESTED = (20, 60, 100), 6, 500


def _sunny_day() -> Outcome:
    import polars as pl

    model = induce.NaiveBayes(alpha=0).fit(*induce.dataset("play-tennis")).hypothesis_
    day = pl.DataFrame(DAY)
    scores = np.exp(model.log_joint(day)[0]).tolist()
    chance = float(model.predict_proba(day).max())
    return Outcome(
        f"yes {scores[0]:.6f}, no {scores[1]:.6f}: {model.predict(day)[0]}, with probability {chance:.6f}",
        all_as_printed(scores, ("0.0053", "0.0206"))
        and model.predict(day)[0] == "No"
        and as_printed(chance, "0.795"),
        str(model.explain(day)[0]),
    )


def _wind() -> Outcome:
    model = induce.NaiveBayes(alpha=0).fit(*induce.dataset("play-tennis")).hypothesis_
    wind = cast(NominalColumn, model.columns[3])
    strong = wind.probabilities[wind.column.domain.index("Strong")].tolist()
    return Outcome(
        f"P(strong | yes) = {strong[0]:.4f}, P(strong | no) = {strong[1]:.4f}",
        all_as_printed(strong, ("0.33", "0.60")),
        "the network has an arc from PlayTennis to each attribute",
    )


def _terms() -> Outcome:
    from induce.bayes import text_terms

    each, shared = text_terms(2, N_WORDS, N_POSITIONS), text_terms(2, N_WORDS)
    return Outcome(
        f"{each:,}; {shared:,}",
        round(each, -7) == 10_000_000 and shared == 100_000,
        "2 classes, 111 positions and 50,000 words make 11.1 million, which the book calls approximately 10 million",
    )


def _overconfident() -> Outcome:
    from induce.bayes import check_independence

    once = np.array([[0.4, 0.1], [0.2, 0.3]])
    twice = check_independence(np.stack([np.diag(row) for row in once]))
    return Outcome(
        str(twice),
        twice.agreement == 1.0 and twice.gap > 0.1,
        "a duplicated attribute: the posterior is overconfident, but the class is right",
    )


def _restaurant() -> Outcome:
    X, y = induce.dataset("restaurant")
    model = induce.NaiveBayes(class_alpha=1).fit(X, y).hypothesis_
    wrong = (np.flatnonzero(model.predict(X) != y.to_numpy()) + 1).tolist()
    return Outcome(
        f"{len(y) - len(wrong)} of {len(y)} right, wrong on {', '.join(map(str, wrong))}",
        wrong == [4, 12],
        "counts of values and of classes start at one",
    )


def _parameters() -> Outcome:
    sizes = []
    for n in (1, 5, 10):
        rows = [[bool(k >> j & 1) for j in range(n)] for k in range(4)]
        model = induce.NaiveBayes().fit(rows, ["no", "yes", "no", "yes"]).hypothesis_
        sizes.append((n, model.n_free_parameters()))
    return Outcome(
        ", ".join(f"n = {n}: {size}" for n, size in sizes), all(size == 2 * n + 1 for n, size in sizes)
    )


@cache
def curve() -> dict[str, float]:
    """Return mean accuracies by learner and number of training evenings, such as "tree 20"."""
    from induce.data.generate import restaurant_space

    X, y = restaurant_space()
    bayes, random = induce.NaiveBayes(class_alpha=1), np.random.default_rng(0)
    right: dict[str, list[float]] = {}
    for size in SIZES:
        learners = {"naive Bayes": bayes, "tree": induce.ID3()}
        if size == SIZES[-1]:
            learners["boosted naive Bayes"] = induce.AdaBoost(bayes, n_estimators=10)
        for _ in range(TRIALS):
            rows = random.permutation(len(X))
            train, test = rows[:size], rows[size : size + TESTED]
            for name, learner in learners.items():
                score = learner.fit(X[train], y[train]).score(X[test], y[test])
                right.setdefault(f"{name} {size}", []).append(score)
    return {name: float(np.mean(scores)) for name, scores in right.items()}


def _curve() -> Outcome:
    means = curve()
    below = all(means[f"naive Bayes {size}"] < means[f"tree {size}"] for size in SIZES)
    boosted = means["naive Bayes 100"] < means["boosted naive Bayes 100"] < means["tree 100"]
    return Outcome(
        listed(means, 3),
        below and boosted and 0.88 < means["naive Bayes 100"] < 0.94,
        f"mean accuracy of {TRIALS} runs by number of training evenings, on {TESTED} others; the book "
        "shows only a curve",
    )


RESULTS = (
    Result(
        "mitchell-6.9.1-sunny-day",
        "Mitchell, section 6.9.1",
        "naive Bayes on a sunny, cool, humid and windy day",
        "0.0053 and 0.0206: no, with probability 0.795",
        _sunny_day,
    ),
    Result(
        "mitchell-6.10-terms",
        "Mitchell, section 6.10",
        "word probabilities at each position of a 111-word text, and independent of position",
        "approximately 10 million; 100,000",
        _terms,
    ),
    Result(
        "mitchell-6.13-optimality",
        "Mitchell, section 6.13",
        "naive Bayes can be optimal even if its probabilities are wrong",
        "[the class of the true posterior on every row]",
        _overconfident,
    ),
    Result(
        "mitchell-exercise-6.6-wind",
        "Mitchell, exercise 6.6 and section 6.9.1",
        "naive Bayes as a network: the conditional probabilities of Wind",
        "0.33 and 0.60",
        _wind,
    ),
    Result(
        "aima-20.2-naive-bayes-size",
        "Russell and Norvig, section 20.2",
        "naive Bayes with n Boolean attributes has 2n + 1 parameters",
        "2n + 1",
        _parameters,
    ),
    Result(
        "aima-20.2-naive-bayes-restaurant",
        "Russell and Norvig, section 20.2",
        "naive Bayes on the twelve examples of the restaurant",
        "[10 of 12 right, wrong on 4 and 12]",
        _restaurant,
    ),
    Result(
        "aima-20.2-naive-bayes-curve",
        "Russell and Norvig, section 20.2 and figure 20.3",
        "naive Bayes learns the restaurant fairly well, but not as well as a decision tree",
        "naive Bayes below the tree",
        _curve,
    ),
)
