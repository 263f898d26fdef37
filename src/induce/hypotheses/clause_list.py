"""A first-order decision list: clauses for several classes; the first clause that proves a row decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_numbers, check_shapes
from induce.core.values import Value
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.kinds.classifier import Places
from induce.hypotheses.theory import Derivation, Floats, Theory
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.examples import term_of_cell
from induce.logic.facts import Codes
from induce.logic.terms import Constant, Variable


@dataclass(frozen=True, eq=False)
class ClauseList(Theory):
    """Clauses such as ``risk(A, high) :- …`` in decreasing order of trust, and a default class.

    The class is the last argument of each head. A clause may call the target with a class, which any clause
    of that class may prove.

    Parameters
    ----------
    target, columns, prolog, background
        Parts of a `Theory`; the classes are not a column.
    classes : tuple of values
        Classes, in declared order.
    counts : tuple of tuple of float
        Number of training examples of each class that each clause is the first to cover.
    rest : tuple of float
        Number of training examples of each class that no clause covers.
    default : int
        Index of the default class.

    References
    ----------
    Mooney and Califf (1995), Induction of first-order decision lists, Journal of Artificial Intelligence Research 3.
    """

    default: int = 0

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        check_shapes(self, {"clauses": "clauses", "counts": "clauses"})
        check_numbers("counts", self.counts, at_least=0)
        check_numbers("rest", self.rest, at_least=0)
        widths = {len(self.rest), *map(len, self.counts)}
        if widths != {len(self.classes)} or not 0 <= self.default < len(self.classes):
            raise InputError(
                "the counts of a clause list need one number per class, and its default must be a class"
            )
        for clause in self.clauses:
            self._place(clause)

    @property
    def predicate(self) -> Predicate:
        """Name and arity of the target, including the class argument."""
        return self.target, len(self.columns) + 1

    def errors(self) -> int:
        """Return the number of misclassified training examples."""
        return int(sum(wrong for _, wrong in self.right_and_wrong()))

    def right_and_wrong(self) -> list[tuple[float, float]]:
        """Return the numbers of correct and wrong training examples for each clause and, last, the default."""
        every = zip(self._places(), (*self.counts, self.rest), strict=True)
        return [(counts[place], sum(counts) - counts[place]) for place, counts in every]

    def otherwise(self) -> str:
        """Return the conclusion for rows that no clause proves."""
        return f"{self.target} is {Constant(self.classes[self.default])}"

    def _place(self, clause: Clause) -> int | None:
        """Return the index of the class that a clause concludes; None for an invented predicate."""
        if clause.head is None or not self._concludes(clause):
            return None
        terms = [term_of_cell(value) for value in self.classes]
        if clause.head.arguments[-1] not in terms:
            raise InputError(f"the clause {clause} concludes no class of {self.target}")
        return terms.index(clause.head.arguments[-1])

    def _places(self) -> NDArray[np.intp]:
        """Return the index of the class of each clause and, last, of the default."""
        return np.array([*(self._place(one) or 0 for one in self.clauses), self.default], np.intp)

    def _decided(self, scores: Any) -> Places:
        return np.asarray(self._places()[scores])

    def _shares(self, scores: Any) -> Floats:
        counts = np.array([*self.counts, self.rest]) + 1.0
        return probabilities(counts[scores], self._decided(scores))

    def _asked(self, number: int, rows: Codes) -> Codes:
        """Return rows with the concluded class as their last argument."""
        place = self._places()[number]
        code = self.background.symbols.code(term_of_cell(self.classes[place]))
        return np.concatenate([rows, np.full((len(rows), 1), code)], 1)

    def counted(self, decided: Codes, places: NDArray[Any]) -> ClauseList:
        """Return the list with new counts of examples, given their deciding clauses and classes."""
        counts = np.zeros((len(self.clauses) + 1, len(self.classes)))
        np.add.at(counts, (decided, places), 1)
        each = [tuple(one) for one in counts.tolist()]
        return replace(self, counts=tuple(each[:-1]), rest=each[-1])

    def explain(self, X: Any) -> tuple[Derivation, ...]:
        """Return the proof of the class of each row of `X`, or that none can be proved."""
        rows = self.encoded(X)
        found = []
        for number, row in zip(self.deciding_rows(rows).tolist(), rows, strict=True):
            value = self.classes[self._places()[number]]
            if number < 0:
                goal = self._goal(row)
                open_goal = Literal(self.target, (*goal.arguments, Variable("Class")))
                found.append(Derivation(value, open_goal, None))
                continue
            literal = self._goal(self._asked(number, row[None])[0])
            answer = self._prover.first(literal)
            found.append(Derivation(value, literal, None if answer is None else answer.proof))
        return tuple(found)

    def to_prolog(self) -> str:
        """Return the list as Prolog text without the background.

        Each body ends with a cut, and the default is last.
        """
        if self.recursive:
            raise InputError("a clause calls the target, which the cuts of a decision list would change")
        lines = []
        for clause in self.clauses:
            if self._place(clause) is None or clause.head is None:
                lines.append(str(clause))
                continue
            name = Variable("Class")
            head = Literal(self.target, (*clause.head.arguments[:-1], name))
            body = (*clause.body, Literal("!", ()), Literal("=", (name, clause.head.arguments[-1])))
            lines.append(str(Clause(head, body)))
        rest = tuple(Variable(f"_{name}") for name in range(len(self.columns)))
        default = term_of_cell(self.classes[self.default])
        return "\n".join([*lines, str(Clause(Literal(self.target, (*rest, default))))])

    def to_sql(self, table: str | None = None, key: str | None = None) -> str:
        """Return a query that gives the rows of `table`, or only their `key`, with a column "prediction".

        The tables are described in `Theory.to_sql`.
        """
        from induce.hypotheses.writers.sql_clauses import theory_query

        if self.recursive:
            raise InputError("cannot export to SQL, since a clause calls the target")
        own: list[tuple[Clause, Value]] = []
        for clause in self.clauses:
            place = self._place(clause)
            if place is not None and clause.head is not None:
                head = Literal(self.target, clause.head.arguments[:-1])
                own.append((Clause(head, clause.body), self.classes[place]))
        return theory_query(self, own, self.classes[self.default], table, key)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.recursive:
            lacking["prolog"] = "a clause calls the target, which the cuts of a decision list would change"
        return lacking

    def __str__(self) -> str:
        lines = []
        for clause, counts in zip(self.clauses, self.counts, strict=True):
            place = self._place(clause)
            said = "" if place is None else f"  % {counts[place]:g}/{sum(counts):g}"
            lines.append(f"{clause}{said}")
        said = f"{self.rest[self.default]:g}/{sum(self.rest):g}"
        return "\n".join([*lines, f"% otherwise {self.otherwise()}: {said}"])


def clause_list(
    target: str,
    columns: tuple[str, ...],
    classes: tuple[Value, ...],
    found: Sequence[Sequence[Clause]],
    rows: Codes,
    places: NDArray[np.int64],
    background: Relations,
) -> ClauseList:
    """Merge the clauses of each class into one list, by decreasing accuracy.

    The accuracy is Laplace's estimate over all examples that a clause covers. Then clauses are dropped, from
    the last to the first, if their removal adds no training error.

    Parameters
    ----------
    found : sequence of sequence of Clause
        Clauses of each class that separate it from the others; their heads have no class.
    rows : array of int64
        Training examples as codes.
    places : array of int64
        Class of each example.
    """
    own: list[tuple[int, Clause]] = []
    helpers: dict[Clause, None] = {}
    for place, clauses in enumerate(found):
        value = term_of_cell(classes[place])
        for clause in clauses:
            if clause.head is not None and clause.head.predicate == (target, len(columns)):
                own.append((place, _with_class(clause, (target, len(columns)), value)))
            else:
                helpers[clause] = None
    n_classes = len(classes)
    every = _list(target, columns, classes, [clause for _, clause in own], [*helpers], 0, background)
    covers = [every.covers_rows(number, rows) for number in range(len(own))]
    trust = []
    for (place, _), mask in zip(own, covers, strict=True):
        right = int((mask & (places == place)).sum())
        trust.append((right + 1) / (int(mask.sum()) + n_classes))
    order = sorted(range(len(own)), key=lambda number: -trust[number])
    error, default = _errors(order, own, covers, places, n_classes)
    for number in reversed([*order]):
        shorter = [one for one in order if one != number]
        without, other = _errors(shorter, own, covers, places, n_classes)
        if without <= error:
            order, error, default = shorter, without, other
    kept = _list(target, columns, classes, [own[one][1] for one in order], [*helpers], default, background)
    return kept.counted(kept.deciding_rows(rows), places)


def _list(
    target: str,
    columns: tuple[str, ...],
    classes: tuple[Value, ...],
    clauses: Sequence[Clause],
    helpers: Sequence[Clause],
    default: int,
    background: Relations,
) -> ClauseList:
    none = (0.0,) * len(classes)
    every = [*clauses, *helpers]
    text = "\n".join(map(str, every))
    return ClauseList(target, columns, classes, text, (none,) * len(every), none, background, default)


def _with_class(clause: Clause, target: Predicate, value: Any) -> Clause:
    """Add the class to the head of a clause, and to its calls of the target."""

    def named(literal: Literal) -> Literal:
        mine = literal.predicate == target
        return replace(literal, arguments=(*literal.arguments, value)) if mine else literal

    assert clause.head is not None
    return Clause(named(clause.head), tuple(map(named, clause.body)))


def _errors(
    order: Sequence[int],
    own: Sequence[tuple[int, Clause]],
    covers: Sequence[NDArray[np.bool_]],
    places: NDArray[np.int64],
    n_classes: int,
) -> tuple[int, int]:
    """Return the number of examples that a list misclassifies, and its default: the majority class of the rest."""
    left = np.ones(len(places), np.bool_)
    wrong = 0
    for number in order:
        wrong += int((covers[number] & left & (places != own[number][0])).sum())
        left &= ~covers[number]
    counts = np.bincount(places[left] if left.any() else places, minlength=n_classes)
    default = int(counts.argmax())
    return wrong + int((left & (places != default)).sum()), default
