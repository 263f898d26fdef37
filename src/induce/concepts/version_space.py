"""The version space: all hypotheses of a language that agree with the examples (Mitchell 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, further, merged
from induce.concepts.concept import Concept
from induce.concepts.facets import Cells
from induce.concepts.language import Bounds, Code, Language
from induce.concepts.votes import MOST_MEMBERS, UNDECIDED, VotingHypothesis, amount
from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from induce.concepts.queries import Query

MOST_SHOWN = 12


@dataclass(frozen=True, eq=False, repr=False)
class VersionSpace(VotingHypothesis):
    """The hypotheses that agree with all examples, represented by their boundaries.

    Parameters
    ----------
    language : Language
        Hypothesis language.
    target : str
        Name of the target column.
    classes : tuple
        The two classes in declared order.
    positive : str, int, float or bool
        Positive class.
    specific : tuple
        S as codes of the language; see `most_specific`.
    general : tuple or None
        G as codes; None if it is too large to be kept, and `negatives` represent it.
    negatives : array or None
        The negative examples in cells; None if only G itself is known.
    counts : tuple of float
        Number of examples of each class.
    reason : str
        Conflicting examples of an empty version space.
    undecided : {"majority", "abstain", "refuse"}
        Prediction if the hypotheses disagree.
    unknown : str, int, float or bool
        Label predicted in that case with "abstain".
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

    @cached_property
    def bounds(self) -> Bounds:
        """S, and G or the negatives."""
        return Bounds(self.specific, self.general, self.negatives)

    @property
    def most_specific(self) -> tuple[Concept, ...]:
        """S: the most specific members."""
        return tuple(Concept(self.language, code) for code in self.language.narrowest(self.specific))

    @property
    def most_general(self) -> tuple[Concept, ...]:
        """G: the most general members."""
        return tuple(Concept(self.language, code) for code in self.language.widest(self.general_codes()))

    def __contains__(self, concept: Concept) -> bool:
        return self.language.within(concept.code, self.bounds)

    @property
    def status(self) -> str:
        """``"converged"`` (one hypothesis is left), ``"partly learned"`` or ``"collapsed"`` (none is left)."""
        if self.empty:
            return "collapsed"
        return "converged" if self._is_one() else "partly learned"

    def _is_one(self) -> bool:
        if len(self.language.narrowest(self.specific)) > 1:
            return False
        if self.general is not None:
            return all(self.language.more_general(self.specific[0], code) for code in self.general)
        steps = getattr(self.language, "steps_up", None)
        if steps is None or self.specific[0] == self.language.bottom():
            return self.count() == 1
        return all(self.language.covers(code, self.bounds.excluded).any() for code in steps(self.specific[0]))

    def count(self) -> int:
        """Return the number of remaining hypotheses; conjunctions are counted without enumeration.

        Examples
        --------
        >>> import induce
        >>> from induce.concepts import CandidateElimination
        >>> CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_.count()
        6
        """
        return 0 if self.empty else self.language.count(self.bounds)

    def members(self, most: int = MOST_MEMBERS) -> tuple[Concept, ...]:
        """Return all remaining hypotheses if there are at most `most`."""
        found = tuple(Concept(self.language, code) for code in islice(self._codes(), most + 1))
        if len(found) > most:
            raise InputError(f"more than {most:,} hypotheses are left; use `count()`, or raise most")
        return found

    def _codes(self) -> Iterator[Code]:
        return iter(()) if self.empty else self.language.members(self.bounds)

    def count_covering(self, cells: list[int]) -> int:
        """Return the number of remaining hypotheses that cover an instance given in cells."""
        return 0 if self.empty else self.language.count(self.bounds, cells)

    def learn(self, X: Any, y: Iterable[Value], most: int = MOST_GENERAL) -> VersionSpace:
        """Return the version space after more examples."""
        cells = self.language.attributes.encode(X, training=True)
        labels = np.array([label == self.positive for label in y], dtype=np.bool_)
        if len(labels) != len(cells):
            raise InputError(f"X has {len(cells)} rows, but y has {len(labels)}; give one class per row")
        return self.with_bounds(further(self.language, self.bounds, cells, labels, most))

    def with_bounds(self, bounds: Bounds) -> VersionSpace:
        """Return the version space with other boundaries."""
        return replace(
            self, specific=bounds.specific, general=bounds.general, negatives=bounds.negatives, reason=""
        )

    def merge(self, other: VersionSpace) -> VersionSpace:
        """Return the intersection with another version space of the same language (Hirsh's merging)."""
        if other.language != self.language:
            raise InputError("the two version spaces have different languages, so they cannot be merged")
        return self.with_bounds(merged(self.language, self.bounds, other.bounds))

    def factors(self) -> tuple[tuple[str, ...], ...]:
        """Return groups of attributes that can be learned independently.

        The version space is the product of the choices for each group, so each can be queried separately
        (Subramanian and Feigenbaum). Attributes with a single choice are omitted.

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
        """Return the most informative instance among all instances or the rows of `pool`."""
        from induce.concepts.queries import best_query

        return best_query(self, pool)

    def size(self) -> str:
        """Return the size of the version space."""
        try:
            number = self.count()
            count = f"{amount(number)} {'hypothesis' if number == 1 else 'hypotheses'}"
        except InputError:
            count = "too many hypotheses to count"
        general = "kept as negatives" if self.general is None else plural(len(self.most_general), "member")
        return f"{count}; S {plural(len(self.most_specific), 'member')}, G {general}"

    def __str__(self) -> str:
        if self.status == "collapsed":
            return f"collapsed: no hypothesis agrees with all examples{f'; {self.reason}' if self.reason else ''}"
        lines = [f"{self.status}: {self.size()}"]
        general = None if self.general is None else self.most_general
        for name, concepts in (("S", self.most_specific), ("G", general)):
            if concepts is None:
                lines.append(
                    f"G: too large to keep; all that cover none of {plural(len(self.bounds.excluded), 'negative')}"
                )
                continue
            shown = [str(concept) for concept in concepts[:MOST_SHOWN]]
            more = [f"… ({len(concepts)} in all)"] if len(concepts) > MOST_SHOWN else []
            lines.append(f"{name}: " + ", ".join(shown + more))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"VersionSpace({self.status}, {self.size()})"

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        if not isinstance(self.language, Language) or not isinstance(self.classes, tuple):
            raise InputError("the version space has no language or no classes")
        if len(self.classes) > 1 and self.positive not in self.classes:
            raise InputError("the positive class of the version space is not one of its classes")
        if not all(self.language.fits(code) for code in (*self.specific, *(self.general or ()))):
            raise InputError("the boundaries of the version space are not in its language")
        widths = self.language.attributes.widths
        if self.general is None or self.negatives is not None:
            rows = self.bounds.excluded
            if rows.ndim != 2 or rows.shape[1] != len(widths) or rows.dtype != np.int64:
                raise InputError("the negative examples do not match the attributes")
            if ((rows < 0) | (rows >= widths)).any():
                raise InputError("the negative examples contain values that the attributes do not have")
        if self.undecided not in UNDECIDED or len(self.counts) < len(self.classes):
            raise InputError("the version space does not say how to treat undecided instances")
