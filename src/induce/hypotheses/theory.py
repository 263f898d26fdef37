"""A theory: first-order clauses that define the rows of a relation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.bindings import Coverage
from induce.logic.coverage.examples import UNKNOWN, coded_rows, default_names
from induce.logic.facts import Codes
from induce.logic.parsing import parse_program

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.logic.proofs import Proof
    from induce.logic.prover import Prover

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Derivation(Explained):
    """Proof that a row belongs to the target relation, or a statement that there is none.

    Parameters
    ----------
    prediction : Value
        Predicted class of the row.
    literal : Literal
        Literal to prove, printed as text.
    proof : Proof | None
        Proof of the literal; None if there is none.
    """

    prediction: Value
    literal: Literal
    proof: Proof | None

    def __str__(self) -> str:
        if self.proof is None:
            return f"{self.literal} cannot be proved: {self.prediction}"
        return f"{self.proof}\n=> {self.prediction}"


@dataclass(frozen=True, eq=False)
class Theory(Classifier):
    """Clauses for a target relation, with their background.

    A row belongs to the relation if a clause proves it from the background; otherwise, by the closed-world
    assumption, it does not. Recursive clauses run as a program: the training examples are not looked up.
    Clauses may define other, invented predicates that the target's clauses use.

    Parameters
    ----------
    target : str
        Name of the target relation.
    columns : tuple of str
        Names of its arguments.
    classes : tuple of two values
        Class of rows outside and of rows inside the relation.
    prolog : str
        Clauses as Prolog text.
    counts : tuple of (float, float)
        Number of negative and positive training examples that each clause is the first to cover.
    rest : tuple of two floats
        Number of negative and positive training examples that no clause covers.
    background : Relations
    """

    takes_tables = False

    target: str
    columns: tuple[str, ...]
    classes: tuple[Value, ...]
    prolog: str
    counts: tuple[tuple[float, ...], ...]
    rest: tuple[float, ...]
    background: Relations = field(repr=False)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        check_shapes(self, {"clauses": "clauses", "counts": "clauses"})
        check_numbers("counts", self.counts, at_least=0)
        check_numbers("rest", self.rest, at_least=0)
        if {len(self.classes), len(self.rest), *map(len, self.counts)} != {2}:
            raise InputError("a theory needs two classes, and two counts per clause")

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The parsed clauses."""
        return parse_program(self.prolog).clauses

    @property
    def predicate(self) -> Predicate:
        """Name and arity of the target."""
        return self.target, len(self.columns)

    @property
    def schema(self) -> Schema:
        """Schema of the columns: numeric if all known values of an argument are numbers, otherwise names."""
        known, numbers = self.background.kinds.values, self.background.symbols.numbers
        own = self.target, len(self.columns)
        kinds = self.background.types_of(own, np.empty((0, len(self.columns)), np.int64))
        numeric = [kind in known and not np.isnan(numbers[known[kind]]).any() for kind in kinds]
        return Schema(
            tuple(
                Column(name, "numeric" if number else "text")
                for name, number in zip(self.columns, numeric, strict=True)
            )
        )

    @property
    def recursive(self) -> bool:
        """Whether a clause calls the target itself."""
        return any(literal.predicate == self.predicate for clause in self.clauses for literal in clause.body)

    def size(self) -> str:
        """Return the number of clauses and literals."""
        n_clauses, n_literals = len(self.clauses), sum(len(clause.body) for clause in self.clauses)
        return f"{n_clauses} clause{'s' * (n_clauses != 1)}, {n_literals} literal{'s' * (n_literals != 1)}"

    def parts(self) -> Parts:
        """Return the number of literals, including the heads."""
        return Parts(sum(len(clause.body) + 1 for clause in self.clauses), "literals")

    def errors(self) -> int:
        """Return the number of misclassified training examples."""
        return int(sum(outside for outside, _ in self.counts) + self.rest[1])

    def right_and_wrong(self) -> list[tuple[float, float]]:
        """Return the numbers of correct and wrong training examples for each clause and, last, the uncovered
        examples.
        """
        return [(within, outside) for outside, within in self.counts] + [(self.rest[0], self.rest[1])]

    def otherwise(self) -> str:
        """Return the conclusion for rows that no clause proves."""
        return f"not {self.target}"

    def _scores(self, rows: Codes) -> Any:
        """Return the index of the first clause that proves each row, which determines the prediction."""
        return self.deciding_rows(rows)

    def _decided(self, scores: Any) -> Places:
        return np.asarray(scores >= 0, np.intp)

    def _shares(self, scores: Any) -> Floats:
        """Return Laplace's estimate for the first clause that covers each row, or for uncovered rows."""
        inside = [max(laplace(outside, within), 0.5) for outside, within in self.counts]
        # a row that no clause covers is negative, whatever the uncovered training examples are
        share = np.array([*inside, min(laplace(*self.rest), np.nextafter(0.5, 0))])[scores]
        return np.stack([1 - share, share], 1)

    def deciding(self, X: Any) -> Codes:
        """Return the index of the first clause that proves each row, or -1."""
        return self.deciding_rows(self.encoded(X))

    def deciding_rows(self, rows: Codes) -> Codes:
        """Return the index of the first clause that proves each row of codes, or -1."""
        decided = np.full(len(rows), -1, np.int64)
        for number, clause in enumerate(self.clauses):
            if self._concludes(clause):
                left = np.flatnonzero(decided < 0)
                decided[left[self.covers_rows(number, rows[left])]] = number
        return decided

    def covers_rows(self, number: int, rows: Codes) -> NDArray[np.bool_]:
        """Return the rows of codes that a clause proves, regardless of other clauses."""
        rows = self._asked(number, rows)
        if self._by_join:
            return Coverage(self.background).covered(self.clauses[number], rows)
        return self._proved(number, rows)

    def _asked(self, number: int, rows: Codes) -> Codes:
        """Return rows in the form of a clause head."""
        return rows

    @cached_property
    def _by_join(self) -> bool:
        """Whether all clauses can be evaluated for many rows at once."""
        return not self.recursive and all(map(Coverage(self.background).decides, self.clauses))

    def counted(self, decided: Codes, positive: NDArray[np.bool_]) -> Theory:
        """Return the theory with new counts of examples, given their deciding clauses."""
        counts = np.zeros((len(self.clauses) + 1, 2))
        np.add.at(counts, (decided, positive.astype(np.int64)), 1)
        each = [(outside, within) for outside, within in counts.tolist()]
        return replace(self, counts=tuple(each[:-1]), rest=each[-1])

    def explain(self, X: Any) -> tuple[Derivation, ...]:
        """Return the proof of each row of `X`, or that there is none."""
        rows = self.encoded(X)
        found = []
        for number, row in zip(self.deciding_rows(rows).tolist(), rows, strict=True):
            literal = self._goal(row)
            answer = self._prover.first(literal) if number >= 0 else None
            proof = None if answer is None else answer.proof
            found.append(Derivation(self.classes[int(number >= 0)], literal, proof))
        return tuple(found)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        clauses = [
            {"head": str(clause.head), "body": [str(literal) for literal in clause.body], "counts": counts}
            for clause, counts in zip(self.clauses, self.counts, strict=True)
        ]
        rest = {"text": self.otherwise(), "counts": self.rest}
        return "clauses", {"clauses": clauses, "rest": rest, "columns": self.columns}

    def deciders(self, X: Any) -> Codes:
        """Return the index of the first clause that proves each row; -1 if none does."""
        return self.deciding(X)

    def with_background(self, background: Relations) -> Theory:
        """Return the same clauses over a different background."""
        return replace(self, background=background)

    def draw(self) -> Figure:
        """Return a figure: the training examples that each clause covers, correct and wrong."""
        from induce.hypotheses.theory_pictures import draw_theory

        return draw_theory(self)

    def to_prolog(self) -> str:
        """Return the clauses as Prolog text, without the background."""
        # parsed and printed again, because a model file may contain more than clauses
        return "\n".join(map(str, self.clauses)) or "% nothing was learned"

    def to_sql(self, table: str | None = None, key: str | None = None) -> str:
        """Return a query for the rows of `table`, or only their `key`, with a column "prediction".

        Relations that come from tables are read from those tables. Any other relation is expected as a table
        of the same name with the columns a1, a2, …, as a comment in the query states. The query runs in
        SQLite, DuckDB and PostgreSQL.

        Parameters
        ----------
        table : str, optional
            Table of the rows. By default the table whose key is the argument of the target; else ``data``, with one
            column per argument.
        key : str, optional
            Only column to return with the prediction.
        """
        from induce.hypotheses.writers.sql_clauses import theory_query

        own = [(clause, self.classes[1]) for clause in self.clauses if self._concludes(clause)]
        return theory_query(self, own, self.classes[0], table, key)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        try:
            self.to_sql()
        except InputError as problem:
            lacking["sql"] = str(problem)
        return lacking

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        lines = [
            f"{clause}  % {within:g}/{outside + within:g}" if self._concludes(clause) else str(clause)
            for clause, (outside, within) in zip(self.clauses, self.counts, strict=True)
        ]
        return (
            "\n".join(lines)
            if lines
            else (f"% no row is known to belong to {self.target}/{len(self.columns)}")
        )

    def _concludes(self, clause: Clause) -> bool:
        """Return whether a clause is about the target, not about an invented predicate."""
        return clause.head is not None and clause.head.predicate == self.predicate

    def encoded(self, X: Any) -> Codes:
        """Return rows as codes of the objects in the background."""
        rows, names = coded_rows(X, self.background.symbols)
        if rows.shape[1] != len(self.columns):
            absent = [name for name in self.columns if name not in names]
            if absent and names != default_names(len(names)):
                raise InputError(
                    f"column {absent[0]!r} is absent; give all columns that the theory was learned from"
                )
            raise InputError(
                f"X has {rows.shape[1]} columns, but {len(self.columns)} were learned from: "
                f"{', '.join(self.columns)}"
            )
        return rows

    def _goal(self, row: Codes) -> Literal:
        terms = self.background.symbols.terms
        return Literal(self.target, tuple(terms[code] if code >= 0 else UNKNOWN for code in row))

    @cached_property
    def _prover(self) -> Prover:
        """Return the background, the clauses, and each clause's body under its own name."""
        alone = []
        for number, clause in enumerate(self.clauses):
            if clause.head is None or not self._concludes(clause):
                continue
            alone.append(Clause(Literal(self._alone(number), clause.head.arguments), clause.body))
        return self.background.prover((*self.clauses, *alone))

    def _alone(self, number: int) -> str:
        return f"{self.target} by clause {number}"

    def _proved(self, number: int, rows: Codes) -> NDArray[np.bool_]:
        """Return the rows that a clause proves, with the help of the others if it is recursive."""
        goals = [Literal(self._alone(number), self._goal(row).arguments) for row in rows]
        known = (rows >= 0).all(1)
        proved = np.zeros(len(rows), np.bool_)
        proved[known] = self._prover.holds_each([goals[place] for place in np.flatnonzero(known)])
        for place in np.flatnonzero(~known):
            # comparing a missing number raises an error in the prover
            with suppress(InputError):
                proved[place] = self._prover.holds(goals[place])
        return proved


def laplace(outside: float, within: float) -> float:
    """Return Laplace's estimate of the proportion of positive examples."""
    return (within + 1) / (outside + within + 2)
