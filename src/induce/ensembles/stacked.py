"""Stacked ensemble: a meta-hypothesis on the outputs of other hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.ties import first_largest
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.ensembles.arrays import OfArrays, is_floats
from induce.ensembles.attribution import Attribution, by_revealing
from induce.ensembles.ballot import Ballot, Vote
from induce.ensembles.members import (
    Given,
    check_members,
    given_rows,
    member_shares,
    member_text,
    members_parts,
)
from induce.hypotheses.kinds.classifier import Classifier
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogisticTop(OfArrays):
    """Log odds as a linear function of the members' probabilities.

    Parameters
    ----------
    intercept : array of float64
        Intercept of each class.
    coefficients : array of float64, shape (classes, members, classes)
        Effect of a member's probability of one class on the log odds of each class.
    """

    intercept: Floats
    coefficients: Floats

    def scores(self, said: Floats) -> Floats:
        """Return the probability of each class given the members' probabilities (rows, members, classes)."""
        logits = self.intercept + np.einsum("nmc,kmc->nk", said, self.coefficients)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False, repr=False)
class Stacked(Classifier):
    """Hypotheses combined by a meta-hypothesis that has learned how much to trust each.

    Missing values and categories not seen in training are handled by the members.

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
    names : tuple of str
        Names of the members, in order.
    top : LogisticTop or hypothesis
        Meta-hypothesis on the members' probabilities, or on a table of their classes.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.Stacking().fit(X, y).hypothesis_)
    3 members, and a logistic function of their predictions
      tree: Tree, 9 nodes, 5 leaves, depth 4
      rules: RuleList, 2 rules, 3 conditions
      bayes: NaiveBayesModel, 24 conditional probabilities of 4 columns
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    members: tuple[Any, ...]
    names: tuple[str, ...]
    top: Any

    def encoded(self, X: Any) -> Given:
        """Return rows both as given and encoded, because members differ in the form they take."""
        return given_rows(X, self.schema)

    def _scores(self, given: Given) -> Floats:
        return self._chances(self.said(given))

    def said(self, X: Any) -> Floats:
        """Return the class probabilities of each member, of shape (rows, members, classes)."""
        given = self.encoded(X)
        each = [member_shares(member, given, self.schema, self.classes) for member in self.members]
        return np.stack(each, axis=1)

    def explain(self, X: Any) -> tuple[Ballot, ...]:
        """Return the contributions of the columns to each row, and the members' predictions."""
        given = self.encoded(X)
        said = self.said(given)
        chances = self._chances(said)
        ours = all(isinstance(member, Hypothesis) for member in self.members)
        told = []
        for row in range(len(said)):
            places = said[row].argmax(axis=1).tolist()
            votes = [
                Vote(name, float(said[row, k, place]), self.classes[place])
                for k, (name, place) in enumerate(zip(self.names, places, strict=True))
            ]
            code = first_largest(chances[row])
            parts = self._attribution(given.table, row, code) if ours else None
            shares = tuple(chances[row].tolist())
            told.append(Ballot(self.classes[code], self.classes, shares, tuple(votes), True, parts))
        return tuple(told)

    def _attribution(self, table: Table, row: int, code: int) -> Attribution:
        return by_revealing(lambda rows: self.predict_proba(rows)[:, code], table, row)

    def size(self) -> str:
        """Return the number of members."""
        return plural(len(self.members), "member")

    def parts(self) -> Parts:
        """Return the number of readable items in all members and in the meta-hypothesis."""
        if isinstance(self.top, LogisticTop):
            own = Parts(int(self.top.intercept.size + self.top.coefficients.size), "weights")
        else:
            own = self.top.parts()
        return members_parts(self.members, own)

    def __str__(self) -> str:
        top = "a logistic function" if isinstance(self.top, LogisticTop) else member_text(self.top)
        lines = [
            f"  {name}: {member_text(member)}" for name, member in zip(self.names, self.members, strict=True)
        ]
        return "\n".join([f"{self.size()}, and {top} of their predictions", *lines])

    def __repr__(self) -> str:
        return f"<Stacked for {self.target}: {self.size()}>"

    def draw(self) -> Figure:
        """Return a figure of the effect of each member's class probability on the log odds of that class."""
        from induce.ensembles.pictures import draw_stacked

        return draw_stacked(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n, k = len(self.members), len(self.classes)
        fits = n > 0 and len(self.names) == n and all(hasattr(member, "predict") for member in self.members)
        if isinstance(self.top, LogisticTop):
            fits = fits and is_floats(self.top.intercept, k) and is_floats(self.top.coefficients, k, n, k)
        else:
            fits = fits and hasattr(self.top, "predict_proba") and {*self.top.classes} <= {*self.classes}
        if not fits:
            raise InputError("the parts of the stacked ensemble do not fit together; learn it again")
        check_members(self.members, self.classes)

    def _chances(self, said: Floats) -> Floats:
        if isinstance(self.top, LogisticTop):
            return self.top.scores(said)
        chances = np.zeros((len(said), len(self.classes)))
        places = [self.classes.index(value) for value in self.top.classes]
        chances[:, places] = self.top.predict_proba(votes_frame(said, self.names, self.classes))
        return chances


def votes_frame(said: Floats, names: tuple[str, ...], classes: tuple[Value, ...]) -> Any:
    """Return a frame of the members' predicted classes, with one nominal column per member."""
    import polars as pl

    domain = [value_text(value) for value in classes]
    codes = said.argmax(axis=2)
    return pl.DataFrame(
        [
            pl.Series(name, [domain[code] for code in codes[:, k].tolist()], dtype=pl.Enum(domain))
            for k, name in enumerate(names)
        ]
    )


def votes_schema(names: tuple[str, ...], classes: tuple[Value, ...]) -> Schema:
    """Return the schema of such a frame, for any member names."""
    domain = tuple(value_text(value) for value in classes)
    return Schema(tuple(Column(name, "nominal", domain) for name in names))
