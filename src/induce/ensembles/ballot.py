"""Why an ensemble predicts what it predicts for a row: who votes for what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.values import Value
from induce.data.table import Table
from induce.ensembles.stumps import is_stump
from induce.hypotheses.naming import plural, value_text
from induce.trees.explanation import step_of

if TYPE_CHECKING:
    from induce.ensembles.hypothesis import Ensemble

MOST_SHOWN = 10


@dataclass(frozen=True)
class Vote:
    """What one member says of a row: its name, its weight, its class, and by what test a stump came to it."""

    name: str
    weight: float
    prediction: Value
    because: str = ""


@dataclass(frozen=True)
class Ballot:
    """A prediction with the votes behind it, the heaviest first.

    Parameters
    ----------
    prediction : str, int, float or bool
    classes : tuple
    shares : tuple of float
        The share of the weight for each class.
    votes : tuple of Vote
    chances : bool
        Whether the shares are the probabilities of another hypothesis, which has heard the votes.

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

    def __str__(self) -> str:
        share = self.shares[self.classes.index(self.prediction)]
        shown = self.votes[:MOST_SHOWN]
        weights = [f"{vote.weight:.3g}" for vote in shown]
        says = [value_text(vote.prediction) for vote in shown]
        wide, long = max(6, *map(len, weights)), max(map(len, says))
        lines = [
            f"{weight:>{wide}}  {said:<{long}}  {vote.name}{': ' if vote.because else ''}{vote.because}"
            for weight, said, vote in zip(weights, says, shown, strict=True)
        ]
        rest = len(self.votes) - len(shown)
        more = [f"  and {plural(rest, 'vote')} more"] if rest else []
        how = f"with probability {share:.3g}" if self.chances else f"by {share:.3g} of the weight"
        return "\n".join([f"{value_text(self.prediction)} {how}", *lines, *more])


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
        )
        for row in range(len(table))
    )


def _reason(member: Any, table: Table, row: int) -> str:
    if not is_stump(member) or member.n_nodes == 1:
        return ""
    return step_of(member, 0, table, row)[0]
