"""Hypothesis of analytical learners for a table: clauses over its columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from induce.analytical.column_tests import ColumnTests
from induce.analytical.derived_theory import DerivedTheory
from induce.analytical.justification import Justification, still_following
from induce.analytical.table_cases import cases, flat_over_columns, naming
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.exporting import PythonForm, SqlForm
from induce.hypotheses.expressions.evaluate import evaluated
from induce.hypotheses.expressions.nodes import Case, Constant, Expression, Or
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.theory import Derivation, laplace
from induce.logic.clauses import Clause
from induce.logic.domain_theory import DomainTheory
from induce.logic.parsing import parse_program
from induce.logic.unfolding import features

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ColumnTheory(SqlForm, PythonForm, Classifier):
    """Flat clauses about the rows of a table, each with its justification by a domain theory.

    A row belongs to the target if at least one clause covers it. A missing cell satisfies only negated
    conditions (closed-world assumption), as in the whole theory.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Name of the target concept.
    classes : tuple of two values
        Negative class and positive class.
    prolog : str
        Clauses over facts such as ``age(Row, 30)``.
    counts : tuple of (float, float)
        Numbers of negative and positive training rows first covered by each clause.
    rest : tuple of two floats
        Numbers of negative and positive training rows not covered by any clause.
    theory : DomainTheory
        Domain theory that entails the clauses.
    justifications : tuple of Justification
        Justification of each clause.
    falls_back : bool, default=False
        Whether the domain theory classifies rows not covered by a clause.
    proved : (float, float), default=(0.0, 0.0)
        Numbers of negative and positive training rows that the domain theory proves.
    """

    ties_by_rounding = False

    schema: Schema
    target: str
    classes: tuple[Value, Value]
    prolog: str
    counts: tuple[tuple[float, float], ...]
    rest: tuple[float, float]
    theory: DomainTheory
    justifications: tuple[Justification, ...] = field(repr=False)
    falls_back: bool = False
    proved: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, learned: DerivedTheory, schema: Schema) -> ColumnTheory:
        """Convert the clauses learned from the cases of a table to clauses over its columns."""
        flat = flat_over_columns(learned.theory, schema) if learned.falls_back else ()
        return cls(
            naming(schema, (*learned.theory.program, *learned.clauses, *flat)),
            learned.target,
            cast(tuple[Value, Value], learned.classes),
            learned.prolog,
            cast(tuple[tuple[float, float], ...], learned.counts),
            cast(tuple[float, float], learned.rest),
            learned.theory,
            learned.justifications,
            learned.falls_back,
            learned.proved,
        )

    def check(self) -> None:
        """Raise an `InputError` if the fields are inconsistent, as in a damaged file."""
        check_shapes(self, {"clauses": "clauses", "counts": "clauses", "justifications": "clauses"})
        check_numbers("counts", self.counts, at_least=0)
        check_numbers("rest", self.rest, at_least=0)
        check_numbers("proved", self.proved, at_least=0)
        assert self._tests is not None
        assert self._by_theory is not None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Clauses as values."""
        return parse_program(self.prolog).clauses

    @property
    def features(self) -> tuple[str, ...]:
        """Distinct constraints over values found in the clauses (Mitchell §11.3.1)."""
        return tuple(dict.fromkeys(one for clause in self.clauses for one in features(clause)))

    def under(self, theory: DomainTheory) -> ColumnTheory:
        """Return the hypothesis without the clauses that a changed domain theory no longer entails.

        Parameters
        ----------
        theory : DomainTheory
        """
        kept = still_following(self.clauses, self.justifications, self.theory, theory)
        clauses = tuple(self.clauses[number] for number in kept)
        flat = flat_over_columns(theory, self.schema) if self.falls_back else ()
        return replace(
            self,
            schema=naming(self.schema, (*theory.program, *clauses, *flat)),
            prolog="\n".join(map(str, clauses)),
            counts=tuple(self.counts[number] for number in kept),
            justifications=tuple(self.justifications[number] for number in kept),
            theory=theory,
        )

    @cached_property
    def _tests(self) -> dict[int, Expression]:
        """Condition that each clause of the target imposes on a row."""
        tests = ColumnTests(self.schema, self.clauses)
        return {
            number: tests.of(clause)
            for number, clause in enumerate(self.clauses)
            if clause.head is not None and clause.head.predicate == (self.target, 1)
        }

    @cached_property
    def _by_theory(self) -> tuple[Expression, ...]:
        """Condition of the domain theory on a row if the theory is the fallback: a disjunction."""
        if not self.falls_back:
            return ()
        flat = flat_over_columns(self.theory, self.schema)
        tests = ColumnTests(self.schema, flat)
        return tuple(tests.of(one) for one in flat if one.head and one.head.predicate == (self.target, 1))

    def expression(self) -> Expression:
        """Return `predict` as an expression over a row."""
        outside, inside = map(Constant, self.classes)
        tests = (*self._tests.values(), *self._by_theory)
        if not tests:
            return outside
        return Case(((tests[0] if len(tests) == 1 else Or(tests), inside),), outside)

    def deciding(self, X: Any) -> NDArray[np.int64]:
        """Return the index of the first clause that covers each row, or -1.

        If the theory is the fallback, its index is one after the last clause.
        """
        decided: NDArray[np.int64] = self._scores(self.encoded(X))
        return decided

    def _scores(self, table: Table) -> Any:
        decided = np.full(len(table), -1, np.int64)
        theory = len(self.clauses)
        for number, test in (*self._tests.items(), *((theory, test) for test in self._by_theory)):
            left = np.flatnonzero(decided < 0)
            if len(left):
                decided[left[np.asarray(evaluated(test, table.rows(left)), np.bool_)]] = number
        return decided

    def _decided(self, scores: Any) -> Places:
        return np.asarray(scores >= 0, np.intp)

    def _shares(self, scores: Any) -> Floats:
        inside = [max(laplace(outside, within), 0.5) for outside, within in self.counts]
        inside.append(max(laplace(*self.proved), 0.5))
        share = np.array([*inside, min(laplace(*self.rest), np.nextafter(0.5, 0))])[scores]
        return np.stack([1 - share, share], 1)

    def explain(self, X: Any, full: bool = False) -> tuple[Derivation, ...]:
        """Return the proof of each row, by one learned clause or by the whole theory."""
        facts, rows = cases(X)
        return self._about(facts).explain(rows, full)

    def inferences(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return, for each row of `X`, the number of inferences by the domain theory and by the learned clauses."""
        facts, rows = cases(X)
        return self._about(facts).inferences(rows)

    def same_answers(self, X: Any) -> NDArray[np.bool_]:
        """Return, for each row of `X`, whether the learned clauses and the domain theory agree."""
        facts, rows = cases(X)
        return self._about(facts).same_answers(rows)

    def justify(self, number: int | None = None) -> str:
        """Return a text that justifies each clause, or a given one."""
        from induce.logic.background.relations import Relations

        return self._about(Relations()).justify(number)

    def _about(self, facts: Any) -> DerivedTheory:
        called = {one.predicate for each in (*self.clauses, *self.theory.program) for one in each.body}
        known = [one for one in called if self.theory.is_operational(one) and one[0] in self.schema.names()]
        return DerivedTheory(
            self.target,
            ("row",),
            self.classes,
            self.prolog,
            self.counts,
            self.rest,
            facts.with_predicates(known),
            theory=self.theory,
            justifications=self.justifications,
            falls_back=self.falls_back,
            proved=self.proved,
        )

    def to_prolog(self) -> str:
        """Return the clauses as Prolog text, over facts such as ``age(row1, 30)``."""
        return "\n".join(map(str, self.clauses)) or "% nothing was learned"

    def size(self) -> str:
        """Return the number of clauses and literals."""
        n_clauses, n_literals = len(self.clauses), sum(len(clause.body) for clause in self.clauses)
        return f"{n_clauses} clause{'s' * (n_clauses != 1)}, {n_literals} literal{'s' * (n_literals != 1)}"

    def parts(self) -> Parts:
        """Return the number of literals, including the heads."""
        return Parts(sum(len(clause.body) + 1 for clause in self.clauses), "literals")

    def draw(self) -> Any:
        """Return a figure of the correctly and wrongly covered training rows of each clause."""
        from induce.hypotheses.theory_pictures import draw_theory
        from induce.logic.background.relations import Relations

        return draw_theory(self._about(Relations()))

    def __str__(self) -> str:
        lines = [
            f"{clause}  % {within:g}/{outside + within:g}" if number in self._tests else str(clause)
            for number, (clause, (outside, within)) in enumerate(zip(self.clauses, self.counts, strict=True))
        ]
        return "\n".join(lines) if lines else f"% nothing is known to be {self.target}"
