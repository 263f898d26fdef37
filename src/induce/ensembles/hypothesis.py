"""Ensemble hypothesis: hypotheses with weighted votes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.shapes import check_numbers
from induce.core.ties import levelled
from induce.core.values import Value
from induce.data.schema import Schema
from induce.ensembles.arrays import is_floats
from induce.ensembles.ballot import Ballot, ballots
from induce.ensembles.members import (
    Given,
    check_members,
    given_rows,
    member_shares,
    member_text,
    member_votes,
    members_parts,
)
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.exporting import Expressed, OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier
from induce.hypotheses.naming import plural
from induce.trees.forest import Forest, complete
from induce.trees.hypothesis import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.ensembles.curves import VoteCurve
    from induce.ensembles.scorecard.card import Scorecard
    from induce.hypotheses.contrast import Contrast, Question
    from induce.hypotheses.expressions.nodes import Expression

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

COMBINE = ("vote", "sum")
MOST_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble(SqlForm, PythonForm, OnnxForm, Classifier):
    """Hypotheses that vote: the class with the largest sum of weights wins; ties go to the first class.

    Missing values and categories not seen in training are handled by the members, each of which votes.

    Parameters
    ----------
    schema : Schema
        Columns of the training table.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    members : tuple
        Hypotheses, or fitted estimators of another library, which cannot be stored in a model file.
    weights : array of float64
        Weight of the vote of each member.
    agreement : array of float64
        Fraction of the training rows on which each member agrees with the ensemble.
    names : tuple of str
        Names of the members; unnamed members are numbered.
    combine : {"vote", "sum"}
        Voting scheme. "vote": a member gives its weight to one class. "sum": it distributes its weight by its
        class probabilities.
    logistic : bool
        Whether votes are log odds, as with the logistic loss. Probabilities are then derived from them;
        otherwise they are fractions of the weight.
    divides : bool
        Whether a boosted stump splits its vote on a missing value in proportion to the votes of its branches.
        This applies if no training row had a missing value there, so that the stump knows nothing about such
        rows.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(induce.AdaBoost(n_estimators=3).fit(X, y).hypothesis_)
    3 members vote; each agrees with the vote on 75% of the training rows
      weight  agrees
        1.73     83%  2: Hun = Yes: Yes | Hun = No: No
        1.61     75%  1: Pat = None: No | Pat = Some: Yes | Pat = Full: No
       0.923     67%  3: Price = $: Yes | Price = $$: Yes | Price = $$$: No
    """

    ties_by_rounding: ClassVar[bool] = False

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    members: tuple[Any, ...]
    weights: Floats
    agreement: Floats
    names: tuple[str, ...] = ()
    combine: str = "vote"
    logistic: bool = False
    divides: bool = False

    def encoded(self, X: Any) -> Given:
        """Return rows both as given and encoded, because members differ in the form they take."""
        return given_rows(X, self.schema)

    def scores(self, X: Any) -> Floats:
        """Return the sum of the weights for each class per row."""
        return self._scores(self.encoded(X))

    def _scores(self, given: Given) -> Floats:
        forest, table = self._forest, given.table
        if forest is None:
            return sum(self.votes(given), np.zeros((len(table), len(self.classes))))
        known = complete(table)
        if known.all():
            return forest.total(table)
        # A row that meets a missing or unseen value goes down several branches, or ends early.
        total = np.zeros((len(table), len(self.classes)))
        total[known] = forest.total(table.rows(known))
        rest = table.rows(~known)
        total[~known] = sum(self.votes(Given(rest, rest)), np.zeros((len(rest), len(self.classes))))
        return total

    @cached_property
    def _forest(self) -> Forest | None:
        """The members as one forest, if all are trees trained with the same columns."""
        if not all(type(member) is Tree and member.schema == self.schema for member in self.members):
            return None
        says = []
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            own = (
                member.distribution if self.combine == "sum" else np.eye(len(member.classes))[member.majority]
            )
            places = [self.classes.index(value) for value in member.classes]
            said = np.zeros((member.n_nodes, len(self.classes)))
            said[:, places] = own
            says.append(weight * said)
        return Forest.of(self.members, says)

    def _shares(self, scores: Floats) -> Floats:
        decided = self._decided(scores)
        if self.logistic:
            scores = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        return probabilities(scores, decided)

    def voters(self) -> tuple[Any, ...]:
        """Yield the members in order of their index."""
        return self.members

    def votes(self, X: Any) -> Iterator[Floats]:
        """Yield the vote of each member for each class, per row."""
        given = self.encoded(X)
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            if self.combine == "sum":
                yield weight * member_shares(member, given, self.schema, self.classes)
            else:
                yield weight * member_votes(member, given, self.schema, self.classes, self.divides)

    def explain(self, X: Any) -> tuple[Ballot, ...]:
        """Return, for each row, the columns for and against its class, and the vote of each member."""
        return ballots(self, X)

    def agreeing(self, X: Any, weights: Floats) -> Ensemble:
        """Return the ensemble with agreement rates computed on weighted rows."""
        votes = [each.argmax(axis=1) for each in self.votes(X)]
        said = self.scores(X).argmax(axis=1)
        shares = weights / max(float(weights.sum()), np.finfo(np.float64).tiny)
        return replace(self, agreement=np.array([float(shares @ (codes == said)) for codes in votes]))

    def first(self, n: int) -> Ensemble:
        """Return the ensemble of the first `n` members."""
        return self._of(range(min(n, len(self.members))))

    def simplify(self, X: Any) -> Ensemble:
        """Return the ensemble without members whose removal changes no prediction on the given rows.

        Members are tried in ascending order of weight. Predictions for other rows may change.

        Parameters
        ----------
        X : frame or array
            Rows whose predictions must not change.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("restaurant")
        >>> ensemble = induce.AdaBoost(n_estimators=20).fit(X, y).hypothesis_
        >>> small = ensemble.simplify(X)
        >>> len(ensemble.members), len(small.members), (small.predict(X) == ensemble.predict(X)).all()
        (20, 4, np.True_)
        """
        votes = dict(enumerate(self.votes(X)))
        total = self.scores(X)
        said = total.argmax(axis=1)
        left = np.argsort(self.weights, kind="stable").tolist()
        while tried := [k for k in left if k in votes]:
            for k in tried:
                rest = [each for i, each in votes.items() if i != k]
                # the updated sum is fast, but only the full sum is exactly the prediction of the remaining
                # members
                if rest and np.array_equal((total - votes[k]).argmax(axis=1), said):
                    without = sum(rest, np.zeros_like(total))
                    if np.array_equal(without.argmax(axis=1), said):
                        total = without
                        del votes[k]
            left = [k for k in tried if k in votes] if len(votes) < len(tried) else []
        return self._of(list(votes))

    def curve(self, rows: Mapping[str, tuple[Any, Any]]) -> VoteCurve:
        """Compute errors and margins by the number of voting members (AIMA figure 18.35).

        Parameters
        ----------
        rows : mapping
            Dict from names such as "training" and "test" to rows and their classes.
        """
        from induce.ensembles.curves import vote_curve

        return vote_curve(self, rows)

    def scorecard(self, X: Any = None) -> Scorecard:
        """Return an ensemble of stumps as a scorecard: points for each attribute, which sum to its vote.

        Parameters
        ----------
        X : frame or array, optional
            Rows, such as the training rows, for the frequency of each line of the card.
        """
        from induce.ensembles.scorecard.construction import scorecard

        return scorecard(self, X)

    def _card(self) -> Scorecard | None:
        """Return the scorecard; None if members are not stumps, or if they give fractional votes."""
        try:
            return self.scorecard()
        except (InputError, TypeError):
            return None

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the nomogram of the scorecard if members are stumps, and otherwise a figure of the members."""
        card = self._card()
        return self._votes() if card is None else card._picture()

    def _votes(self) -> tuple[str, dict[str, Any]]:
        told = [
            {"text": member_text(member), "vote": float(weight)}
            for member, weight in zip(self.members, self.weights, strict=True)
        ]
        return "votes", {"members": told, "text": str(self)}

    def _contrast(self, question: Question) -> Contrast:
        from induce.hypotheses.contrast import by_cells

        card = self._card()
        if card is None:
            return super()._contrast(question)
        return by_cells(question, {each.column.name: each.ends.tolist() for each in card.attributes})

    def size(self) -> str:
        """Return the number of members."""
        return plural(len(self.members), "member")

    def parts(self) -> Parts:
        """Return the number of readable items in all members, including their weights."""
        return members_parts(self.members)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        for form in ("sql", "python", "onnx"):
            mute = next((each for each in self.members if not _can_vote(each, form, self.combine)), None)
            if mute is not None:
                lacking[form] = f"a member is a {type(mute).__name__}, whose votes cannot be"
        return lacking

    def __str__(self) -> str:
        agree = float(np.mean(self.agreement)) if len(self.agreement) else 1.0
        head = f"{self.size()} vote; each agrees with the vote on {agree:.0%} of the training rows"
        if len(self.members) == 1:
            head = "1 member decides"
        order = self.telling()
        shown = [f"{self.weights[k]:.3g}" for k in order[:MOST_SHOWN]]
        width = max(6, *map(len, shown))
        lines = [
            f"  {text:>{width}}  {self.agreement[k]:>6.0%}  {self.name(k)}: {member_text(self.members[k])}"
            for text, k in zip(shown, order, strict=False)
        ]
        rest = len(order) - len(lines)
        more = [f"  and {plural(rest, 'member')} more"] if rest else []
        return "\n".join([head, f"  {'weight':>{width}}  agrees", *lines, *more])

    def __repr__(self) -> str:
        return f"<Ensemble for {self.target}: {self.size()}>"

    def telling(self) -> list[int]:
        """Return the members in order of importance: by weight, then by agreement."""
        return [int(k) for k in np.lexsort((-levelled(self.agreement), -levelled(self.weights)))]

    def name(self, k: int) -> str:
        """Return the name of a member."""
        return self.names[k] if self.names else str(k + 1)

    def draw(self) -> Figure:
        """Return a figure of the most important members: their weights and agreement."""
        from induce.ensembles.pictures import draw_members

        return draw_members(self)

    def expression(self) -> Expression:
        """Return the ensemble as an expression: the class with the largest sum over its members.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("restaurant")
        >>> query = induce.AdaBoost(n_estimators=1).fit(X, y).hypothesis_.to_sql("evenings")
        >>> print("\\n".join(query.splitlines()[-5:]))
          SELECT CASE
            WHEN score_0 >= score_1 THEN 'Yes'
            ELSE 'No'
          END FROM step_0) AS "prediction"
        FROM "evenings"
        """
        from induce.ensembles.expression import votes_of

        return votes_of(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n = len(self.members)
        fits = (
            n > 0
            and is_floats(self.weights, n)
            and is_floats(self.agreement, n)
            and len(self.names) in (0, n)
            and self.combine in COMBINE
            and len(self.classes) > 0
            and all(hasattr(member, "predict") for member in self.members)
        )
        if not fits:
            raise InputError("the parts of the ensemble do not fit together; learn it again")
        check_numbers("weights", self.weights, at_least=0)
        check_members(self.members, self.classes)

    def _of(self, kept: Sequence[int]) -> Ensemble:
        chosen = list(kept)
        return replace(
            self,
            members=tuple(self.members[k] for k in chosen),
            weights=self.weights[chosen],
            agreement=self.agreement[chosen],
            names=tuple(self.name(k) for k in chosen),
        )


def _can_vote(member: Any, form: str, combine: str) -> bool:
    """Return whether a member can vote or add probabilities; only trees give probabilities."""
    told = combine == "vote" or isinstance(member, Tree)
    return told and isinstance(member, Hypothesis) and isinstance(member, Expressed) and member.can(form)
