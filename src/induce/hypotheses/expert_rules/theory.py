"""A domain theory whose literals are conditions on the columns of a table (Mitchell §12.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.data.table import Table, as_table
from induce.hypotheses.expert_rules.reading import read_clauses
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.logic.domain_theory import DomainTheory

Mask = NDArray[np.bool_]
MOST_UNFOLDED = 10_000
"""Maximum number of flat rules of a theory."""


@dataclass(frozen=True)
class ExpertRules:
    """Rules over the columns of a table, whose conclusions may be concepts used by other rules.

    A missing value satisfies no condition; a negated condition holds if the condition does not.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    text : str
        Rules ``IF … AND NOT … OR … THEN concept`` and ``IF 2 OF (…, …, …) THEN concept``, one per line; or Prolog,
        with ``at_least(2, [a, b, c])`` for the latter. A trust may follow a rule: ``[0.8]``, in Prolog ``%
        [0.8]``. A literal names a concept or a column: ``light`` for a Boolean column, ``outlook(sunny)``,
        ``humidity > 75``.
    target : str, default=""
        Main concept of the theory; by default the only one that no other rule uses.
    columns : tuple of (str, str), default=()
        Patterns for literals of several arguments, such as ``("base(P, B)", "p{P} = {B}")``.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> schema = Schema(tuple(Column(name, "nominal", (False, True)) for name in ("flat", "handle", "light")))
    >>> theory = ExpertRules(schema, '''
    ...     cup :- stable, liftable.
    ...     stable :- flat.
    ...     liftable :- handle, light.
    ... ''')
    >>> theory.target, theory.concepts
    ('cup', ('stable', 'liftable', 'cup'))
    >>> theory.holds([[True, True, True], [True, False, True]]).tolist()
    [True, False]
    """

    schema: Schema
    text: str
    target: str = ""
    columns: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        pairs = self.columns.items() if isinstance(self.columns, Mapping) else self.columns
        object.__setattr__(self, "columns", tuple((str(one), str(other)) for one, other in pairs))
        self.check()
        if not self.target and len(self.tops()) == 1:
            object.__setattr__(self, "target", self.tops()[0])

    @classmethod
    def of(cls, given: Any, schema: Schema, target: str = "", columns: Any = ()) -> ExpertRules:
        """Return the given theory, `DomainTheory` or `ExpertRules` as a `DomainTheory`."""
        if isinstance(given, ExpertRules):
            return cls(schema, given.text, target or given.target, given.columns)
        if isinstance(given, DomainTheory):
            return cls(schema, given.prolog, target or given.target.partition("/")[0], columns)
        if isinstance(given, str):
            return cls(schema, given, target, columns)
        raise InputError(
            f"knowledge is a {type(given).__name__}; give rules as text, a DomainTheory or ExpertRules"
        )

    def check(self) -> None:
        """Raise an `InputError` unless every literal maps to a column or concept and no concept depends on itself."""
        if self.target and self.target not in self.by_head:
            raise InputError(
                f"the theory has no rule for {self.target!r}; it concludes {', '.join(self.by_head)}"
            )
        _ = self.concepts

    @cached_property
    def clauses(self) -> tuple[ExpertRule, ...]:
        """Clauses in the order of the text."""
        return read_clauses(self.text, self.schema, self.columns)

    @cached_property
    def by_head(self) -> dict[str, tuple[ExpertRule, ...]]:
        """Clauses of each concept."""
        found: dict[str, list[ExpertRule]] = {}
        for clause in self.clauses:
            found.setdefault(clause.head, []).append(clause)
        return {head: tuple(clauses) for head, clauses in found.items()}

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """Concepts, each after the concepts that its rules use."""
        done: dict[str, None] = {}
        open_: list[str] = []

        def visit(head: str) -> None:
            if head in done:
                return
            if head in open_:
                circle = " → ".join([*open_[open_.index(head) :], head])
                raise InputError(
                    f"the theory defines a concept by itself: {circle}; remove one of these rules"
                )
            open_.append(head)
            for clause in self.by_head[head]:
                for antecedent in clause.body:
                    if isinstance(antecedent.of, str):
                        visit(antecedent.of)
            done[open_.pop()] = None

        for head in self.by_head:
            visit(head)
        return tuple(done)

    def tops(self) -> tuple[str, ...]:
        """Return the concepts that no rule uses."""
        used = {one.of for clause in self.clauses for one in clause.body}
        return tuple(head for head in self.by_head if head not in used)

    def about(self) -> str:
        """Return the main concept of the theory."""
        if self.target:
            return self.target
        raise InputError(
            f"the theory concludes {', '.join(self.tops())}, none of which is used by a rule; name the "
            "main one"
        )

    def depth(self) -> int:
        """Return the number of layers of rules below the target."""
        layers: dict[str, int] = {}
        for head in self.concepts:
            below = [
                layers[one.of]
                for clause in self.by_head[head]
                for one in clause.body
                if isinstance(one.of, str)
            ]
            layers[head] = 1 + max(below, default=0)
        return layers[self.about()]

    def truths(self, X: Any) -> dict[str, Mask]:
        """Return the rows in which each concept holds."""
        table = as_table(X, self.schema)
        found: dict[str, Mask] = {}
        for head in self.concepts:
            found[head] = np.logical_or.reduce(
                [self.fires(clause, table, found) for clause in self.by_head[head]], axis=0
            )
        return found

    def holds(self, X: Any) -> Mask:
        """Return the rows in which the target holds."""
        return self.truths(X)[self.about()]

    @staticmethod
    def fires(clause: ExpertRule, table: Table, truths: Mapping[str, Mask]) -> Mask:
        """Return the rows in which a clause fires, given the rows in which concepts hold."""
        met = np.zeros(len(table), np.int64)
        for one in clause.body:
            held = truths[one.of] if isinstance(one.of, str) else one.of.covers(table)
            met += held != one.negated
        return met >= clause.at_least

    def unfolded(self, concept: str | None = None) -> tuple[tuple[Antecedent, ...], ...]:
        """Return the conjunctions of conditions on columns that imply a concept.

        Negated concepts are unchanged, and so is a negated "at least n of m".
        """
        found = []
        for way in self._ways(self.about() if concept is None else concept):
            found.append(tuple(dict.fromkeys(way)))
            if len(found) > MOST_UNFOLDED:
                raise InputError(f"the theory has more than {MOST_UNFOLDED} proofs; unfold a smaller concept")
        return tuple(dict.fromkeys(found))

    def _ways(self, concept: str) -> Iterator[tuple[Antecedent, ...]]:
        for clause in self.by_head[concept]:
            yield from self.ways_of(clause)

    def ways_of(self, clause: ExpertRule) -> Iterator[tuple[Antecedent, ...]]:
        """Yield the conjunctions of conditions on columns that make a clause fire."""
        for chosen in combinations(clause.body, clause.at_least):
            parts = [
                list(self._ways(one.of)) if isinstance(one.of, str) and not one.negated else [(one,)]
                for one in chosen
            ]
            for picked in product(*parts):
                yield tuple(one for part in picked for one in part)

    def __len__(self) -> int:
        return len(self.clauses)

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))
