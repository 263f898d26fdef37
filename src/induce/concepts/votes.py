"""Votes of hypotheses: predictions of a version space for new instances, counted without enumeration."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.boundaries import MOST_GENERAL, expanded
from induce.concepts.concept import Concept
from induce.concepts.facets import Cells, distinct
from induce.concepts.hypothesis_counter import TangledError
from induce.concepts.language import Bounds, Box, Code, Language
from induce.core.errors import InputError
from induce.core.explained import Saying
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier
from induce.hypotheses.naming import value_text
from induce.hypotheses.rules import Rule, RuleList, class_array

Shares = NDArray[np.float64]

MOST_MEMBERS = 10_000
"""Maximum number of hypotheses that are enumerated."""
UNDECIDED = ("majority", "abstain", "refuse")
"""Treatments of instances on which the hypotheses disagree."""


@dataclass(frozen=True)
class Votes:
    """Votes of the hypotheses of a version space on a set of instances.

    Parameters
    ----------
    positive : tuple of int or None
        Number of hypotheses that predict positive for each instance; None if they cannot be counted.
    total : int or None
        Number of hypotheses.
    label, other : str, int, float or bool
        The positive and the negative class.
    """

    positive: tuple[int | None, ...]
    total: int | None
    label: Value
    other: Value

    @property
    def shares(self) -> tuple[Fraction | None, ...]:
        """Exact fraction of the hypotheses that predict positive for each instance."""
        return tuple(
            None if yes is None or not self.total else Fraction(yes, self.total) for yes in self.positive
        )

    @property
    def decisions(self) -> tuple[Value | None, ...]:
        """Class of each instance if the vote is unanimous, otherwise None."""
        return tuple(
            self.label if share == 1 else self.other if share == 0 else None for share in self.shares
        )

    def __str__(self) -> str:
        lines = []
        for number, (yes, verdict) in enumerate(zip(self.positive, self.decisions, strict=True), start=1):
            if yes is None or self.total is None:
                lines.append(f"{number}: don't know (too many hypotheses to be counted)")
                continue
            said = "don't know" if verdict is None else value_text(verdict)
            lines.append(
                f"{number}: {said} ({amount(yes)} for {value_text(self.label)}, {amount(self.total - yes)} against)"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class VotingHypothesis(ProbabilisticClassifier):
    """A set of hypotheses of one language, each with one vote."""

    if TYPE_CHECKING:
        classes: tuple[Value, ...]
        target: str

    language: Language
    positive: Value
    counts: tuple[float, ...]
    undecided: str
    unknown: Value

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The most specific and the most general of the hypotheses."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of hypotheses."""

    @abstractmethod
    def count_covering(self, cells: list[int]) -> int:
        """Return the number of hypotheses that cover an instance given in cells."""

    @property
    def empty(self) -> bool:
        """Whether no hypothesis is left."""
        return self.bounds.empty

    @property
    def schema(self) -> Schema:
        """The training columns."""
        return self.language.attributes.schema

    @property
    def negative(self) -> Value:
        """The class other than the concept."""
        others = [value for value in self.classes if value != self.positive]
        if not others:
            raise InputError(f"only the class {value_text(self.positive)} is known; name the other class too")
        return others[0]

    def encoded(self, X: Any) -> Cells:
        """Return rows encoded as cell indices of the attributes."""
        return self.language.attributes.encode(X)

    def vote(self, X: Any) -> Votes:
        """Let all hypotheses vote on each row, without enumerating them.

        Examples
        --------
        >>> import induce
        >>> from induce.concepts import CandidateElimination
        >>> space = CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
        >>> print(space.vote([["Sunny", "Cold", "Normal", "Strong", "Warm", "Same"]]))
        1: don't know (2 for Yes, 4 against)
        """
        return self.vote_cells(self.encoded(X))

    def vote_cells(self, cells: Cells) -> Votes:
        """Let all hypotheses vote on instances given in cells."""
        try:
            total: int | None = self.count()
        except TangledError:
            total = None
        verdicts = self.verdicts(cells)
        rows, inverse, _ = distinct(cells)
        first = np.full(len(rows), -1)
        first[inverse] = np.arange(len(cells))
        counts: list[int | None] = []
        for place in first.tolist():
            if verdicts[place] or total == 0:
                counts.append(total if verdicts[place] > 0 else 0)
                continue
            try:
                counts.append(self.count_covering(cells[place].tolist()))
            except TangledError:
                counts.append(None)
        positive = tuple(counts[place] for place in inverse.tolist())
        return Votes(positive, total, self.positive, self.negative)

    def verdicts(self, cells: Cells) -> NDArray[np.int64]:
        """Return the unanimous decisions: 1 positive, -1 negative, 0 undecided (or no hypothesis left)."""
        if self.empty:
            return np.zeros(len(cells), dtype=np.int64)
        language, bounds = self.language, self.bounds
        certain = np.logical_and.reduce([language.covers(code, cells) for code in bounds.specific])
        if bounds.general is not None:
            possible = np.logical_or.reduce([language.covers(code, cells) for code in bounds.general])
        else:
            possible = certain.copy()
            for place in np.flatnonzero(~certain).tolist():
                possible[place] = self._possible(cells[place].tolist())
        return np.asarray(certain.astype(np.int64) - ~possible)

    def _possible(self, cells: list[int]) -> bool:
        """Return, without G, whether some hypothesis covers an instance: the least one must be consistent."""
        least = (code for low in self.bounds.specific for code in self.language.generalise(low, cells))
        return any(not self.language.covers(code, self.bounds.excluded).any() for code in least)

    def decide(self, X: Any) -> tuple[Value | None, ...]:
        """Return the class of each row if all hypotheses agree, otherwise None ("don't know")."""
        verdicts = self.verdicts(self.encoded(X)).tolist()
        return tuple({1: self.positive, -1: self.negative, 0: None}[verdict] for verdict in verdicts)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row; `undecided` is the treatment of rows on which the hypotheses disagree."""
        cells = self.encoded(X)
        verdicts = self.verdicts(cells)
        if self.undecided != "majority" and (verdicts == 0).any():
            if self.undecided == "refuse":
                row = int(np.flatnonzero(verdicts == 0)[0])
                raise InputError(
                    f"row {row + 1} is undecided: the hypotheses that agree with the examples disagree on it; label "
                    "it, or set undecided to 'majority' or 'abstain'"
                )
            labels = class_array((self.negative, self.unknown, self.positive))
            return np.asarray(labels[verdicts + 1])
        chosen = self._positive_share(cells, verdicts) > 0.5
        return np.asarray(class_array((self.negative, self.positive))[chosen.astype(np.int64)])

    def _scores(self, cells: Cells) -> Shares:
        """Return the fraction of hypotheses that vote for each class."""
        yes = self._positive_share(cells, self.verdicts(cells))
        tied = yes == 0.5
        shares = np.empty((len(cells), len(self.classes)))
        for place, value in enumerate(self.classes):
            # ties go to the negative class, which therefore gets the additional last bit
            shares[:, place] = yes if value == self.positive else 1 - yes
            if value != self.positive:
                shares[tied, place] = np.nextafter(0.5, 1.0)
        return shares

    def _positive_share(self, cells: Cells, verdicts: NDArray[np.int64]) -> Shares:
        share = (verdicts + 1) / 2
        open_ = verdicts == 0
        if self.empty:
            total = sum(self.counts)
            share[:] = self.counts[self.classes.index(self.positive)] / total if total else 0.5
        elif open_.any():
            found = self.vote_cells(cells[open_]).shares
            share[open_] = [0.5 if each is None else float(each) for each in found]
        return share

    def explain(self, X: Any) -> tuple[Saying, ...]:
        """Return the votes of the hypotheses on each row."""
        return tuple(Saying(line.partition(": ")[2]) for line in str(self.vote(X)).splitlines())

    def _picture(self) -> tuple[str, dict[str, Any]]:
        from induce.concepts.lattice import lattice_view

        found = lattice_view(self)
        return super()._picture() if found is None else ("lattice", found)

    def general_codes(self) -> tuple[Code, ...]:
        """Return G as codes of the language, computed from the negatives if it is not kept."""
        general = self.bounds.general
        if general is None:
            general = expanded(self.language, self.bounds.specific, self.bounds.excluded, MOST_GENERAL)
        if general is None:
            raise InputError(
                f"G has more than {MOST_GENERAL:,} members and is not kept; the negatives represent it"
            )
        return general

    def parts(self) -> Parts:
        """Return the number of conditions in the members of S and G, and these members."""
        if self.bounds.general is None:
            return Parts(None, "G has too many members to be listed; its negatives represent it")
        codes = (*self.language.narrowest(self.bounds.specific), *self.language.widest(self.bounds.general))
        boxes = [box for code in codes for box in self.language.boxes(code)]
        conditions = sum(len(self.language.term(box)) for box in boxes)
        return Parts(conditions + len(codes), "conditions in the members of S and G")

    @abstractmethod
    def members(self, most: int = MOST_MEMBERS) -> tuple[Concept, ...]:
        """Return all remaining hypotheses if there are at most `most`."""

    def draw(self, most: int = 40) -> Any:
        """Return a matplotlib figure of the lattice between S and G (Mitchell fig. 2.3).

        With more than `most` members, only the boundaries are drawn, as the title states.
        """
        from induce.concepts.lattice import draw_lattice

        return draw_lattice(self, most)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.empty:
            lacking |= dict.fromkeys(("svg", "png", "pdf"), "no hypothesis is left that could be drawn")
        return lacking

    def to_rules(self, boundary: str = "S") -> RuleList:
        """Return a boundary as rules: certainly positive instances (``"S"``) or possibly positive ones (``"G"``)."""
        if boundary not in ("S", "G"):
            raise InputError(f"boundary is {boundary!r}; it can be 'S' or 'G'")
        language = self.language
        codes = self.bounds.specific if boundary == "S" else self.general_codes()
        parts = [language.boxes(code) for code in codes]
        if boundary == "S":  # every member covers certain instances, some member covers possible ones
            boxes = list(reduce(partial(_common, language), parts)) if parts else []
        else:
            boxes = [box for part in parts for box in part]
        none = (0.0,) * len(self.classes)
        rules = tuple(Rule(term, self.positive, none) for term in dict.fromkeys(map(language.term, boxes)))
        return RuleList(self.schema, self.target, self.classes, rules, self.negative, none)


def _common(language: Language, some: tuple[Box, ...], others: tuple[Box, ...]) -> tuple[Box, ...]:
    """Return the pairwise intersections of two sets of conjunctions."""
    found = []
    for one in some:
        for other in others:
            shared = [
                facet.meet(a, b) for facet, a, b in zip(language.attributes.facets, one, other, strict=True)
            ]
            runs = tuple(run for run in shared if run is not None)
            if len(runs) == len(shared):
                found.append(runs)
    return tuple(dict.fromkeys(found))


def amount(number: int) -> str:
    return (
        f"{number:,}"
        if number < 10**9
        else f"{float(number):.4g}"
        if number < 10**300
        else f"2^{number.bit_length() - 1}"
    )
