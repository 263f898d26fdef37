"""Near ties of a tree: nodes at which a different test was nearly as good (AIMA 18.3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import ranked
from induce.core.trace import Event, trace
from induce.hypotheses.conditions import Condition
from induce.hypotheses.naming import count_text, plural, value_text
from induce.trees.understanding.arguments import growth_of, path_to


@dataclass(frozen=True)
class Tie:
    """A test of a tree and its rivals: tests whose measure was nearly the same.

    Parameters
    ----------
    path : tuple of Condition
        Conditions that lead to the node; empty for the root.
    examples : float
        Weight of the training examples at the node.
    chosen : str
        The tested attribute.
    merit : float
        Information gain, or the learner's own measure.
    rivals : mapping
        The attributes that were nearly as good, with their merits, best first.
    """

    path: tuple[Condition, ...]
    examples: float
    chosen: str
    merit: float
    rivals: Mapping[str, float]

    @property
    def runner_up(self) -> str:
        """The best rival."""
        return next(iter(self.rivals))

    def __str__(self) -> str:
        where = " AND ".join(map(str, self.path)) or "the root"
        rivals = ", ".join(f"{value_text(name)} {merit:.3f}" for name, merit in self.rivals.items())
        return (
            f"{where} ({count_text(self.examples)} examples): {value_text(self.chosen)} {self.merit:.3f}, "
            f"also {rivals}"
        )


@dataclass(frozen=True)
class NearTies:
    """The tests of a tree that were close choices.

    Parameters
    ----------
    ties : tuple of Tie
        The close choices, from the root down.
    n_tests : int
        Number of all tests.
    within : float
        Tolerance for rivals, relative to the merit of the chosen test.
    measure : str
        Name of the measure by which tests were compared.
    """

    ties: tuple[Tie, ...]
    n_tests: int
    within: float
    measure: str

    def __str__(self) -> str:
        near = f"a rival within {self.within:.0%} of the {self.measure}"
        if not self.ties:
            return f"none of {plural(self.n_tests, 'test')} has {near}"
        title = f"{len(self.ties)} of {plural(self.n_tests, 'test')} were close choices, with {near}"
        return "\n".join([title, *(f"  {tie}" for tie in self.ties)])


def near_ties(learner: Any, X: Any, y: Any, within: float = 0.05) -> NearTies:
    """Report the nodes at which a different attribute was nearly as good as the tested one.

    At such nodes, a few different examples would change the tree. The report is about the tree grown on all
    rows, before any pruning.

    Parameters
    ----------
    learner : tree learner or GrowthRule
        Learner or growth rule; it is not changed.
    X, y : frame or array, series or array
        Rows and their classes.
    within : float
        Tolerance for rivals, as a fraction of the merit (such as the gain) of the chosen test; 0 reports
        exact ties only.

    Examples
    --------
    >>> import induce
    >>> print(near_ties(induce.ID3(), *induce.dataset("restaurant")))
    2 of 4 tests were close choices, with a rival within 5% of the gain
      Pat = Full (6 examples): Hun 0.252, also Price 0.252, Res 0.252, Type 0.252, Est 0.252
      Pat = Full AND Hun = Yes AND Type = Thai (2 examples): Fri 1.000, also Rain 1.000, Est 1.000
    """
    from induce.trees.growth import grow

    if not 0 <= within < 1:
        raise InputError(f"within is {within}; give a fraction of at least 0 and below 1")
    reader, rule = growth_of(learner)
    examples, schema, target, classes = reader._examples(X, y, None)
    with trace(only="split") as events:
        tree = grow(examples, schema, target, classes, rule)
    ties = []
    for event in sorted(events, key=lambda event: (event["depth"], event["node"])):
        merits = _competing(event, rule.measure == "gain_ratio")
        merit = merits.pop(event["chosen"])
        least = merit * (1 - within) - 1e-9  # tolerance for the rounding of an exact tie
        rivals = {name: merits[name] for name in ranked(merits, merits.__getitem__) if merits[name] >= least}
        if rivals:
            path = path_to(tree, event["node"])
            ties.append(Tie(path, sum(event["counts"]), event["chosen"], merit, rivals))
    n_tests = int((tree.attribute >= 0).sum())
    return NearTies(tuple(ties), n_tests, within, rule.measure.replace("_", " "))


def _competing(event: Event, ratio: bool) -> dict[str, float]:
    """Return the merits of the allowed tests; for the gain ratio, these have at least average gain."""
    allowed = {name: scores for name, scores in event["candidates"].items() if not np.isnan(scores["merit"])}
    gains = [scores["gain"] for scores in allowed.values()]
    least = float(np.mean(gains)) - 1e-3 if ratio else -np.inf
    return {name: scores["merit"] for name, scores in allowed.items() if scores["gain"] >= least}
