"""Mitchell: figures not covered by other results, reproduced as far as they can be computed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import induce
from induce.textbook.measuring import all_as_printed
from induce.textbook.result import Outcome, Result

INSTANCES = {
    "x1": ("Sunny", "Warm", "High", "Strong", "Cool", "Same"),
    "x2": ("Sunny", "Warm", "High", "Weak", "Warm", "Same"),
}
HYPOTHESES = {
    "h1": ("Sunny", "?", "?", "Strong", "?", "?"),
    "h2": ("Sunny", "?", "?", "?", "?", "?"),
    "h3": ("Sunny", "?", "?", "?", "Cool", "?"),
}
CONCEPT = (2, 2), (7, 6)
"""Lower left and upper right corner of a concept on a grid from 0 to 9."""
DRAWN = [(3, 3), (6, 5), (5, 6), (1, 4), (8, 8), (4, 9)]


def _modules() -> Outcome:
    from induce.reinforcement import tic_tac_toe_learner

    with induce.trace() as events:
        tic_tac_toe_learner(games=3, random_state=0).learn("tic-tac-toe")
    kinds = [event.kind for event in events]
    return Outcome(
        f"three games of tic-tac-toe: {', '.join(kinds)}",
        kinds == ["game", "examples", "hypothesis"] * 3,
        "events of the performance system, of the critic and of the generalizer; the experiment generator then "
        "starts the next game",
    )


def _language() -> tuple[Any, Any, dict[str, Any]]:
    """Return the conjunctions of EnjoySport, and the instances and hypotheses of figure 2.1."""
    import polars as pl

    from induce.concepts import Conjunctions

    days = induce.dataset("enjoy-sport")
    language = Conjunctions.over(days.input_schema)
    table = pl.DataFrame(list(INSTANCES.values()), schema=days.X.schema, orient="row")
    return (
        language,
        language.attributes.encode(table),
        {name: language.read(h) for name, h in HYPOTHESES.items()},
    )


def covering() -> dict[str, list[str]]:
    """Return the hypotheses of figure 2.1 that cover each of its instances."""
    language, cells, codes = _language()
    covers = {name: language.covers(code, cells).tolist() for name, code in codes.items()}
    return {x: [name for name in codes if covers[name][k]] for k, x in enumerate(INSTANCES)}


def more_general() -> list[tuple[str, str]]:
    """Return the pairs of hypotheses in figure 2.1 whose first member is more general than the second."""
    language, _, codes = _language()
    return [(a, b) for a in codes for b in codes if a != b and language.more_general(codes[a], codes[b])]


def _ordering() -> Outcome:
    inside, order = covering(), more_general()
    return Outcome(
        f"{'; '.join(f'{x} satisfies {_and(names)}' for x, names in inside.items())}; "
        f"{', '.join(f'{a} > {b}' for a, b in order)}",
        inside == {"x1": ["h1", "h2", "h3"], "x2": ["h2"]} and order == [("h2", "h1"), ("h2", "h3")],
        "the second wind is Light in the figure and Weak elsewhere in the chapter",
    )


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _deduction() -> Outcome:
    from itertools import product

    from induce.concepts import CandidateElimination, entailed

    days = induce.dataset("enjoy-sport")
    language = _language()[0]
    cells, labels = language.attributes.encode(days.X), np.array([day == "Yes" for day in days.y])
    space = CandidateElimination().fit(*days).hypothesis_
    counts = {True: 0, False: 0, None: 0}
    same = True
    for instance in product(*(range(len(column.domain)) for column in days.input_schema)):
        follows = entailed(language, cells, labels, instance).follows
        votes = sum(language.covers_one(code, instance) for code in language.members(space.bounds))
        same = same and {6: True, 0: False}.get(votes) is follows
        counts[follows] += 1
    return Outcome(
        f"of 96 instances {counts[True]} are deduced to be positive, {counts[False]} negative, "
        f"{counts[None]} neither; the version space gives {'the same' if same else 'something else'}",
        same,
        "unanimous votes of the six hypotheses, compared with deduction from the examples and “the "
        "concept is a conjunction”",
    )


def entropy_curve(n: int = 20) -> tuple[list[float], list[float]]:
    """Return fractions of positive examples from 0 to 1, and the entropy of each."""
    from induce.trees.measures import entropy

    return [k / n for k in range(n + 1)], [float(entropy([k, n - k])) for k in range(n + 1)]


def _entropies() -> Outcome:
    values = entropy_curve(4)[1]
    return Outcome(
        ", ".join(f"{value:.3f}" for value in values),
        all_as_printed([values[0], values[2], values[4]], ("0", "1", "0"))
        and all_as_printed(values[1:2], ("0.811",)),
        "with none, a quarter, half, three quarters and all of the examples positive",
    )


def search_of_id3() -> list[Any]:
    """Return the trees that ID3 passes through on PlayTennis, each with one more test."""
    from induce.trees.size import breadth_first

    tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    return [breadth_first(tree, size) for size in (1, 4, 6, 8)]


def _search() -> Outcome:
    X, y = induce.dataset("play-tennis")
    with induce.trace(only="split") as events:
        induce.ID3().fit(X, y)
    tried = [len(event["candidates"]) for event in events]
    right = [int((tree.predict(X) == y.to_numpy()).sum()) for tree in search_of_id3()]
    return Outcome(
        f"{', '.join(map(str, tried))} attributes compared; {', '.join(map(str, right))} of 14 days right after "
        "0 to 3 tests",
        right == [9, 10, 12, 14],
        "one tree is kept at a time, without backtracking",
    )


def true_and_learned() -> tuple[Any, Any, Any]:
    """Return the points of a grid, their membership in a concept, and Find-S fitted to six of them."""
    points = np.array([(x, y) for x in range(10) for y in range(10)], dtype=np.float64)
    inside = ((points >= CONCEPT[0]) & (points <= CONCEPT[1])).all(axis=1)
    rows = [10 * x + y for x, y in DRAWN]
    return points, inside, induce.FindS().fit(points[rows], np.where(inside, "+", "-")[rows])


def _true_error() -> Outcome:
    from induce.evaluation import true_error

    points, inside, learner = true_and_learned()
    sample = [10 * x + y for x, y in DRAWN]
    classes = np.where(inside, "+", "-")
    found = [true_error(learner, points[rows], classes[rows]) for rows in (sample, np.arange(100))]
    return Outcome(
        f"{found[0]:g} of the examples, {found[1]:.2f} of all instances",
        found[0] == 0 and all_as_printed(found[1:], ("0.14",)),
        "a rectangle of 30 among 100 points, and the hypothesis of Find-S from six examples",
    )


RESULTS = (
    Result(
        "mitchell-1.1-modules",
        "Mitchell, figure 1.1",
        "a learner is a cycle of four modules: performance system, critic, generalizer and experiment "
        "generator",
        "solution trace, training examples, hypothesis, new problem",
        _modules,
    ),
    Result(
        "mitchell-2.1-ordering",
        "Mitchell, figure 2.1",
        "the more-general-than order of three hypotheses, and the instances that satisfy them",
        "h2 > h1, h2 > h3; x1 satisfies all three, x2 only h2",
        _ordering,
    ),
    Result(
        "mitchell-2.8-deduction",
        "Mitchell, figure 2.8",
        "candidate elimination gives the answers that follow by deduction once its bias is added to "
        "the examples",
        "both systems give the same outputs for all inputs",
        _deduction,
    ),
    Result(
        "mitchell-3.2-entropy-curve",
        "Mitchell, figure 3.2",
        "entropy of a Boolean classification by the fraction of positive examples",
        "0 at 0 and 1, 1 at one half",
        _entropies,
    ),
    Result(
        "mitchell-3.5-search",
        "Mitchell, figure 3.5",
        "ID3 searches from the empty tree towards larger trees, guided by information gain",
        "no number is given",
        _search,
    ),
    Result(
        "mitchell-7.1-true-error",
        "Mitchell, figure 7.1",
        "true error is the probability that hypothesis and concept differ, even where no example shows it",
        "nonzero, though concept and hypothesis agree on all training examples",
        _true_error,
    ),
)
