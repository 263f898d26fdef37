"""Explanation of an ensemble's prediction: the vote of each member."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.hypothesis import Hypothesis
from induce.core.values import Value
from induce.data.table import Table
from induce.ensembles.attribution import Attribution, along_paths, by_revealing
from induce.ensembles.stumps import is_stump
from induce.hypotheses.naming import plural, value_text
from induce.trees.explanation import step_of
from induce.trees.forest import complete
from induce.trees.hypothesis import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.ensembles.hypothesis import Ensemble

Floats = NDArray[np.float64]

MOST_SHOWN = 10


@dataclass(frozen=True)
class Vote(Explained):
    """Vote of one member: its name, weight and class, and the test if it is a stump."""

    name: str
    weight: float
    prediction: Value
    because: str = ""


@dataclass(frozen=True)
class Ballot(Explained):
    """A prediction with its votes, largest weight first.

    Parameters
    ----------
    prediction : str, int, float or bool
        The predicted class.
    classes : tuple
        The classes, in the order in which ties are broken.
    shares : tuple of float
        Fraction of the weight for each class.
    votes : tuple of Vote
        Votes of the members.
    chances : bool
        Whether the fractions are probabilities: sums of the members' probabilities, or those of a meta-learner.
    attribution : Attribution, optional
        Fraction of the predicted class as a sum: the base for all rows, and the contribution of each column
        of this row. None for stumps, whose votes are the explanation.

    Examples
    --------
    >>> print(Ballot("yes", ("no", "yes"), (0.4, 0.6), (Vote("tree", 1.5, "yes"), Vote("bayes", 1.0, "no"))))
    yes by 0.6 of the weight
       1.5  yes  tree
         1  no   bayes
    """

    prediction: Value
    classes: tuple[Value, ...]
    shares: tuple[float, ...]
    votes: tuple[Vote, ...]
    chances: bool = False
    attribution: Attribution | None = None

    def __str__(self) -> str:
        share = self.shares[self.classes.index(self.prediction)]
        how = f"with probability {share:.3g}" if self.chances else f"by {share:.3g} of the weight"
        return "\n".join([f"{value_text(self.prediction)} {how}", *self._columns(), *self._members()])

    def _columns(self) -> list[str]:
        """Write the contributions of the columns for and against the prediction."""
        if self.attribution is None:
            return []
        parts = [f"  {line}" for line in self.attribution.lines(MOST_SHOWN)]
        return [f"  {self.attribution.base:.3g} for any row", *parts]

    def _members(self) -> list[str]:
        """Write the vote of each member; members without a name or an explanation are only counted."""
        if self.attribution is not None and not self.named:
            agree = sum(vote.prediction == self.prediction for vote in self.votes)
            return [f"{agree} of {plural(len(self.votes), 'member')} say {value_text(self.prediction)}"]
        shown = self.votes[:MOST_SHOWN]
        weights = [f"{vote.weight:.3g}" for vote in shown]
        says = [value_text(vote.prediction) for vote in shown]
        wide, long = max(6, *map(len, weights)), max(map(len, says))
        lines = [
            f"{weight:>{wide}}  {said:<{long}}  {vote.name}{': ' if vote.because else ''}{vote.because}"
            for weight, said, vote in zip(weights, says, shown, strict=True)
        ]
        rest = len(self.votes) - len(shown)
        return [*lines, *([f"  and {plural(rest, 'vote')} more"] if rest else [])]

    @property
    def named(self) -> bool:
        """Whether the members have names, not only numbers."""
        return not all(vote.name.isdigit() for vote in self.votes)

    def draw(self) -> Figure:
        """Return a figure of the contribution of each column to the fraction of the prediction."""
        from induce.ensembles.pictures import draw_attribution

        if self.attribution is None:
            raise InputError(
                "this prediction has only votes and no contributions of columns; print it instead"
            )
        share = self.shares[self.classes.index(self.prediction)]
        return draw_attribution(self.attribution, f"{value_text(self.prediction)}: {share:.3g}")


def ballots(ensemble: Ensemble, X: Any) -> tuple[Ballot, ...]:
    """Return the votes of the members on each row."""
    given = ensemble.encoded(X)
    table = given.table
    scores = np.zeros((len(table), len(ensemble.classes)))
    said = []
    for votes in ensemble.votes(given):
        scores += votes
        said.append(votes.argmax(axis=1))
    shares = scores / np.maximum(scores.sum(axis=1, keepdims=True), 1e-300)
    order = ensemble.telling()
    return tuple(
        Ballot(
            ensemble.classes[int(scores[row].argmax())],
            ensemble.classes,
            tuple(shares[row].tolist()),
            tuple(
                Vote(
                    ensemble.name(k),
                    float(ensemble.weights[k]),
                    ensemble.classes[int(said[k][row])],
                    _reason(ensemble.members[k], table, row),
                )
                for k in order
            ),
            ensemble.combine == "sum",
            _attribution(ensemble, table, row, int(scores[row].argmax())),
        )
        for row in range(len(table))
    )


def _attribution(ensemble: Ensemble, table: Table, row: int, code: int) -> Attribution | None:
    """Return the contribution of each column to the fraction of a class; None for stumps and foreign members."""
    members = ensemble.members
    if all(is_stump(member) for member in members):
        return None
    of_trees = all(type(member) is Tree and member.schema == ensemble.schema for member in members)
    # a voting tree has one vote, however many branches a row with a missing value goes down
    parted = ensemble.combine == "vote" and not complete(table.rows(np.array([row])))[0]
    if of_trees and not ensemble.logistic and not parted:
        shares = (ensemble.weights / ensemble.weights.sum()).tolist()
        says = [share * _said(member, ensemble, code) for share, member in zip(shares, members, strict=True)]
        return along_paths(members, says, table, row)
    if all(isinstance(member, Hypothesis) for member in members):
        return by_revealing(lambda rows: ensemble.predict_proba(rows)[:, code], table, row)
    return None


def _said(tree: Tree, ensemble: Ensemble, code: int) -> Floats:
    """Return the contribution of each node of a tree to a class."""
    value = ensemble.classes[code]
    if value not in tree.classes:
        return np.zeros(tree.n_nodes)
    own = tree.classes.index(value)
    if ensemble.combine == "sum":
        return np.asarray(tree.distribution[:, own])
    return np.asarray(tree.majority == own, np.float64)


def _reason(member: Any, table: Table, row: int) -> str:
    if not is_stump(member) or member.n_nodes == 1:
        return ""
    return step_of(member, 0, table, row)[0]
