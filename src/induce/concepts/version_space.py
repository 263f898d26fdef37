"""The version space: all hypotheses of a language that agree with the examples (Mitchell 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.boundaries import MOST_GENERAL, expanded, learn_example, merged
from induce.concepts.counting import TangledError
from induce.concepts.facets import Cells
from induce.concepts.language import Bounds, Code, Language, Mask
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.naming import plural, value_text
from induce.hypotheses.rules import Rule, RuleList, class_array

if TYPE_CHECKING:
    from induce.concepts.queries import Query

MOST_SHOWN = 12
MOST_MEMBERS = 10_000

Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Concept:
    """One hypothesis of a language, with its names.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import Conjunctions
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> cold = Concept(language, language.read(["?", "Cold", "High", "?", "?", "?"]))
    >>> print(cold, "|", cold.condition())
    ⟨?, Cold, High, ?, ?, ?⟩ | AirTemp = Cold AND Humidity = High
    """

    language: Language = field(repr=False)
    code: Code

    def __str__(self) -> str:
        return self.language.text(self.code)

    def covers(self, X: Any) -> Mask:
        """Say of each row whether it is an instance of the concept."""
        return self.language.covers(self.code, self.language.attributes.encode(X))

    def __ge__(self, other: Concept) -> bool:
        return self.language.more_general(self.code, other.code)

    def __gt__(self, other: Concept) -> bool:
        return self >= other and not other >= self

    def condition(self) -> str:
        """Write the concept as conditions in words."""
        terms = [" AND ".join(map(str, term)) or "TRUE" for term in self.language.terms(self.code)]
        return " OR ".join(terms) or "FALSE"


@dataclass(frozen=True)
class Votes:
    """How the hypotheses of a version space vote on some instances.

    Parameters
    ----------
    positive : tuple of int or None
        For each instance, how many hypotheses call it positive; None where that cannot be counted.
    total : int or None
        How many hypotheses there are.
    label, other : str, int, float or bool
        The positive and the negative class.
    """

    positive: tuple[int | None, ...]
    total: int | None
    label: Value
    other: Value

    @property
    def shares(self) -> tuple[Fraction | None, ...]:
        """The exact share of the hypotheses that call each instance positive."""
        return tuple(
            None if yes is None or not self.total else Fraction(yes, self.total) for yes in self.positive
        )

    @property
    def decisions(self) -> tuple[Value | None, ...]:
        """The class of each instance where the vote is unanimous, otherwise None."""
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
                f"{number}: {said} ({_amount(yes)} for {value_text(self.label)}, {_amount(self.total - yes)} against)"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, eq=False, repr=False)
class VersionSpace(Hypothesis):
    """The hypotheses that agree with all examples, known by their boundaries.

    Parameters
    ----------
    language : Language
    target : str
    classes : tuple
        The two classes in declared order.
    positive : str, int, float or bool
        The class that is the concept.
    specific : tuple
        S, as the language codes it; see `most_specific`.
    general : tuple or None
        G; None when it is too large to be kept, and `negatives` stand for it.
    negatives : array or None
        The negative examples, in cells; None when G stands for something else.
    counts : tuple of float
        How many examples of each class there were.
    reason : str
        Of an empty version space: which examples clash.
    undecided : {"majority", "abstain", "refuse"}
        What to predict where the hypotheses disagree.
    unknown : str, int, float or bool
        What is predicted then with "abstain".
    """

    language: Language
    target: str
    classes: tuple[Value, ...]
    positive: Value
    specific: tuple[Code, ...]
    general: tuple[Code, ...] | None
    negatives: Cells | None
    counts: tuple[float, ...] = (0.0, 0.0)
    reason: str = ""
    undecided: str = "majority"
    unknown: Value = "?"

    @property
    def schema(self) -> Schema:
        """The columns it was learned from."""
        return self.language.attributes.schema

    @cached_property
    def bounds(self) -> Bounds:
        """S, and G or the negatives."""
        return Bounds(self.specific, self.general, self.negatives)

    @property
    def negative(self) -> Value:
        """The class that is not the concept."""
        others = [value for value in self.classes if value != self.positive]
        return others[0] if others else f"not {value_text(self.positive)}"

    @property
    def most_specific(self) -> tuple[Concept, ...]:
        """S: the most specific members."""
        return tuple(Concept(self.language, code) for code in self.specific)

    @property
    def most_general(self) -> tuple[Concept, ...]:
        """G: the most general members."""
        general = self.general
        if general is None:
            general = expanded(self.language, self.specific, self.bounds.excluded, MOST_GENERAL)
        if general is None:
            raise InputError(
                f"G has more than {MOST_GENERAL:,} members and is not kept; the negatives stand for it"
            )
        return tuple(Concept(self.language, code) for code in general)

    def __contains__(self, concept: Concept) -> bool:
        return self.language.within(concept.code, self.bounds)

    @property
    def status(self) -> str:
        """``"converged"`` (one hypothesis is left), ``"partly learned"`` or ``"collapsed"`` (none is left)."""
        if self.bounds.empty:
            return "collapsed"
        return "converged" if self._is_one() else "partly learned"

    def _is_one(self) -> bool:
        if len(self.specific) > 1:
            return False
        if self.general is not None:
            return self.general == self.specific
        steps = getattr(self.language, "steps_up", None)
        if steps is None or self.specific[0] == self.language.bottom():
            return self.count() == 1
        return all(self.language.covers(code, self.bounds.excluded).any() for code in steps(self.specific[0]))

    def count(self) -> int:
        """Return how many hypotheses are left; conjunctions are counted, not listed.

        Examples
        --------
        >>> import induce
        >>> from induce.concepts import CandidateElimination
        >>> CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_.count()
        6
        """
        return 0 if self.bounds.empty else self.language.count(self.bounds)

    def members(self, most: int = MOST_MEMBERS) -> tuple[Concept, ...]:
        """Return all hypotheses that are left, if there are not more than `most`."""
        found = tuple(Concept(self.language, code) for code in islice(self._codes(), most + 1))
        if len(found) > most:
            raise InputError(f"more than {most:,} hypotheses are left; ask for `count()`, or raise most")
        return found

    def _codes(self) -> Iterator[Code]:
        return iter(()) if self.bounds.empty else self.language.members(self.bounds)

    def vote(self, X: Any) -> Votes:
        """Let all hypotheses vote on each row, without listing them.

        Examples
        --------
        >>> import induce
        >>> from induce.concepts import CandidateElimination
        >>> space = CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
        >>> print(space.vote([["Sunny", "Cold", "Normal", "Strong", "Warm", "Same"]]))
        1: don't know (2 for Yes, 4 against)
        """
        return self.vote_cells(self.language.attributes.encode(X))

    def vote_cells(self, cells: Cells) -> Votes:
        """Let all hypotheses vote on instances given in cells."""
        try:
            total: int | None = self.count()
        except TangledError:
            total = None
        verdicts = self.verdicts(cells)
        rows, inverse = np.unique(cells, axis=0, return_inverse=True)
        first = np.full(len(rows), -1)
        first[inverse.reshape(-1)] = np.arange(len(cells))
        counts: list[int | None] = []
        for place in first.tolist():
            if verdicts[place] or total == 0:
                counts.append(total if verdicts[place] > 0 else 0)
                continue
            try:
                counts.append(self.language.count(self.bounds, cells[place].tolist()))
            except TangledError:
                counts.append(None)
        positive = tuple(counts[place] for place in inverse.reshape(-1).tolist())
        return Votes(positive, total, self.positive, self.negative)

    def verdicts(self, cells: Cells) -> NDArray[np.int64]:
        """Say what all hypotheses agree on: 1 positive, -1 negative, 0 undecided (all of them when none is left)."""
        if self.bounds.empty:
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
        """Say, without G, whether some hypothesis covers an instance: the least one that does must be consistent."""
        known = [max(cell, 0) for cell in cells]
        candidates = [code for low in self.specific for code in self.language.generalise(low, known)]
        if known != cells:  # only ? accepts a value that was never declared
            candidates = [code for code in candidates if self.language.covers_one(code, cells)]
        return any(not self.language.covers(code, self.bounds.excluded).any() for code in candidates)

    def decide(self, X: Any) -> tuple[Value | None, ...]:
        """Return the class of each row where all hypotheses agree, otherwise None ("don't know")."""
        verdicts = self.verdicts(self.language.attributes.encode(X)).tolist()
        return tuple({1: self.positive, -1: self.negative, 0: None}[verdict] for verdict in verdicts)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row; `undecided` says what happens where the hypotheses disagree."""
        cells = self.language.attributes.encode(X)
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

    def predict_proba(self, X: Any) -> Shares:
        """Return the share of the hypotheses that vote for each class: its probability if all are equally likely."""
        cells = self.language.attributes.encode(X)
        yes = self._positive_share(cells, self.verdicts(cells))
        tied = yes == 0.5
        shares = np.empty((len(cells), len(self.classes)))
        for place, value in enumerate(self.classes):
            # a tie goes to the negative class, which then gets the last bit more
            shares[:, place] = yes if value == self.positive else 1 - yes
            if value != self.positive:
                shares[tied, place] = np.nextafter(0.5, 1.0)
        return shares

    def _positive_share(self, cells: Cells, verdicts: NDArray[np.int64]) -> Shares:
        share = (verdicts + 1) / 2
        open_ = verdicts == 0
        if self.bounds.empty:
            total = sum(self.counts)
            mine = self.counts[self.classes.index(self.positive)] if self.positive in self.classes else 0.0
            share[:] = mine / total if total else 0.5
        elif open_.any():
            found = self.vote_cells(cells[open_]).shares
            share[open_] = [0.5 if each is None else float(each) for each in found]
        return share

    def explain(self, X: Any) -> tuple[str, ...]:
        """Return, for each row, what the hypotheses say of it."""
        return tuple(line.partition(": ")[2] for line in str(self.vote(X)).splitlines())

    def learn(self, X: Any, y: Iterable[Value], most: int = MOST_GENERAL) -> VersionSpace:
        """Return the version space after further examples."""
        cells = self.language.attributes.encode(X, training=True)
        bounds = self.bounds
        for row, label in zip(cells.tolist(), y, strict=True):
            bounds = learn_example(self.language, bounds, row, label == self.positive, most)
        return self.with_bounds(bounds)

    def with_bounds(self, bounds: Bounds) -> VersionSpace:
        """Return the version space with other boundaries."""
        return replace(
            self, specific=bounds.specific, general=bounds.general, negatives=bounds.negatives, reason=""
        )

    def merge(self, other: VersionSpace) -> VersionSpace:
        """Return what is in this version space and in another of the same language (Hirsh's merging)."""
        if other.language != self.language:
            raise InputError("the two version spaces have different languages, so they cannot be merged")
        return self.with_bounds(merged(self.language, self.bounds, other.bounds))

    def factors(self) -> tuple[tuple[str, ...], ...]:
        """Return groups of attributes that can be settled independently of each other.

        The version space is the product of what is left for each group, so each can be asked about on its own
        (Subramanian and Feigenbaum). Attributes that are settled are left out.

        Examples
        --------
        >>> import induce
        >>> from induce.concepts import CandidateElimination
        >>> CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_.factors()
        (('Sky', 'AirTemp'), ('Wind',))
        """
        from induce.concepts.factors import factors

        return factors(self)

    def query(self, pool: Any = None) -> Query:
        """Return the instance whose class settles most, from all instances or from the rows of `pool`."""
        from induce.concepts.queries import best_query

        return best_query(self, pool)

    def to_rules(self, boundary: str = "S") -> RuleList:
        """Return a boundary as rules: what is certainly positive (``"S"``) or possibly (``"G"``)."""
        if boundary not in ("S", "G"):
            raise InputError(f"boundary is {boundary!r}; it can be 'S' or 'G'")
        chosen: Sequence[Concept] = self.most_specific if boundary == "S" else self.most_general
        classes = self.classes if self.positive in self.classes else (*self.classes, self.positive)
        classes = classes if self.negative in classes else (*classes, self.negative)
        none = (0.0,) * len(classes)
        terms = dict.fromkeys(term for concept in chosen for term in self.language.terms(concept.code))
        rules = tuple(Rule(term, self.positive, none) for term in terms)
        return RuleList(self.schema, self.target, classes, rules, self.negative, none)

    def size(self) -> str:
        """Return how large the version space is."""
        try:
            number = self.count()
            count = f"{_amount(number)} {'hypothesis' if number == 1 else 'hypotheses'}"
        except InputError:
            count = "too many hypotheses to count"
        general = "kept as negatives" if self.general is None else plural(len(self.general), "member")
        return f"{count}; S {plural(len(self.specific), 'member')}, G {general}"

    def __str__(self) -> str:
        if self.status == "collapsed":
            return f"collapsed: no hypothesis agrees with all examples{f'; {self.reason}' if self.reason else ''}"
        lines = [f"{self.status}: {self.size()}"]
        general = None if self.general is None else self.most_general
        for name, concepts in (("S", self.most_specific), ("G", general)):
            if concepts is None:
                lines.append(
                    f"G: too large to keep; what covers none of {plural(len(self.bounds.excluded), 'negative')}"
                )
                continue
            shown = [str(concept) for concept in concepts[:MOST_SHOWN]]
            more = [f"… ({len(concepts)} in all)"] if len(concepts) > MOST_SHOWN else []
            lines.append(f"{name}: " + ", ".join(shown + more))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"VersionSpace({self.status}, {self.size()})"

    def check(self) -> None:
        """Raise an `InputError` unless the parts fit together, as they must when read from a file."""
        if not isinstance(self.language, Language) or not isinstance(self.classes, tuple):
            raise InputError("the version space has no language or no classes")
        if not all(self.language.fits(code) for code in (*self.specific, *(self.general or ()))):
            raise InputError("the boundaries of the version space are not in its language")
        widths = self.language.attributes.widths
        if self.general is None or self.negatives is not None:
            rows = self.bounds.excluded
            if rows.ndim != 2 or rows.shape[1] != len(widths) or rows.dtype != np.int64:
                raise InputError("the negative examples do not fit the attributes")
            if ((rows < 0) | (rows >= widths)).any():
                raise InputError("the negative examples hold values that the attributes do not have")
        if self.undecided not in ("majority", "abstain", "refuse") or len(self.counts) < len(self.classes):
            raise InputError("the version space does not say what to do where it is undecided")

    def draw(self, most: int = 40) -> Any:
        """Return a matplotlib figure of the lattice between S and G (Mitchell fig. 2.3).

        With more than `most` members only the boundaries are drawn, and the picture says so.
        """
        from induce.concepts.lattice import draw_lattice

        return draw_lattice(self, most)


def _amount(number: int) -> str:
    return (
        f"{number:,}"
        if number < 10**9
        else f"{float(number):.4g}"
        if number < 10**300
        else f"2^{number.bit_length() - 1}"
    )
