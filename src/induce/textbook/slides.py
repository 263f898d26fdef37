"""Lecture slides on concept learning and decision trees: their examples with coloured shapes."""

from __future__ import annotations

import induce
from induce.concepts import CandidateElimination, FindS, ListThenEliminate
from induce.textbook.measuring import all_as_printed, listed, outline, root_gains
from induce.textbook.result import Outcome, Result

SLIDES = "Lecture slides on concept learning and decision trees"


def _find_s() -> Outcome:
    X, y = induce.dataset("shapes-1")
    with induce.trace(only="generalised") as events:
        FindS().fit(X, y)
    steps = [str(event["h"]) for event in events]
    return Outcome(
        " → ".join(dict.fromkeys(steps)),
        list(dict.fromkeys(steps)) == ["⟨small, red, circle⟩", "⟨?, red, circle⟩"],
        "two positive and two negative figures; the last hypothesis covers neither negative one",
    )


def _boundaries() -> Outcome:
    X, y = induce.dataset("shapes-1")
    sizes = [CandidateElimination().fit(X[:n], y[:n]).hypothesis_.count() for n in range(1, 5)]
    whole = CandidateElimination().fit(X, y).hypothesis_
    return Outcome(
        f"{', '.join(map(str, sizes))} hypotheses after each figure; {whole}",
        sizes == [8, 4, 2, 1] and whole.status == "converged",
        "28 before the first, each attribute with two values",
    )


def _enumeration() -> Outcome:
    space = ListThenEliminate().fit(*induce.dataset("shapes-1")).hypothesis_
    members = [str(each) for each in space.members()]
    return Outcome(
        ", ".join(members), members == ["⟨?, red, circle⟩"], "all 28 hypotheses are tried in order"
    )


def _inconsistent() -> Outcome:
    X, y = induce.dataset("shapes-inconsistent")
    found, space = FindS().fit(X, y), CandidateElimination().fit(X, y).hypothesis_
    wrong = int((found.predict(X) != y.to_numpy()).sum())
    return Outcome(
        f"Find-S covers {wrong} negative figure; the version space is {space.status}",
        wrong == 1 and space.status == "collapsed",
        "no conjunction is consistent, which Find-S alone does not notice",
    )


def _tree() -> Outcome:
    tree = induce.ID3().fit(*induce.dataset("shapes-2")).hypothesis_
    return Outcome(
        outline(tree),
        outline(tree) == "color = red\n|   shape = circle: +\n|   shape = square: -\ncolor = blue: -",
        "color and shape have equal gain; ties are broken by order",
    )


def _noise() -> Outcome:
    X, y = induce.dataset("shapes-noisy")
    gains = root_gains(X, y)
    tree = induce.ID3().fit(X, y).hypothesis_
    return Outcome(
        f"{listed(gains)}\n{outline(tree)}",
        all_as_printed(list(gains.values()), ("0.1710", "0.4200", "0.3219"))
        and tree.tested(0).name == "color",
        "a fifth figure, medium green circle, with the wrong class: a branch of its own memorises it",
    )


def _conflict() -> Outcome:
    X, y = induce.dataset("shapes-conflict")
    tree = induce.ID3().fit(X, y).hypothesis_
    chances = tree.predict_proba(X[-1:]).tolist()[0]
    return Outcome(
        f"the shared leaf predicts + with probability {chances[0]:g}",
        chances == [0.5, 0.5],
        "big red circle, twice",
    )


RESULTS = (
    Result(
        "slides-shapes-find-s",
        f"{SLIDES}, Find-S example",
        "Find-S on four figures",
        "⟨small, red, circle⟩, then ⟨?, red, circle⟩",
        _find_s,
    ),
    Result(
        "slides-shapes-boundaries",
        f"{SLIDES}, version spaces",
        "the version space of the same four figures converges",
        "[28, 8, 4, 2, 1 hypotheses]",
        _boundaries,
    ),
    Result(
        "slides-shapes-enumeration",
        f"{SLIDES}, learning by enumeration",
        "enumerating all hypotheses finds the consistent one",
        "[⟨?, red, circle⟩]",
        _enumeration,
    ),
    Result(
        "slides-shapes-inconsistent",
        f"{SLIDES}, inconsistent examples",
        "a negative figure covered by the most specific hypothesis: no conjunction fits",
        "no consistent conjunctive hypothesis",
        _inconsistent,
    ),
    Result(
        "slides-shapes-tree",
        f"{SLIDES}, decision tree example",
        "the tree of four figures",
        "red circles +, red squares -, blue -",
        _tree,
    ),
    Result(
        "slides-shapes-noise",
        f"{SLIDES}, noise in the classes",
        "a wrong class makes the tree larger",
        "[gains 0.1710, 0.4200, 0.3219]",
        _noise,
    ),
    Result(
        "slides-shapes-conflict",
        f"{SLIDES}, conflicting examples",
        "two identical figures of different classes",
        "[a leaf with one of each]",
        _conflict,
    ),
)
