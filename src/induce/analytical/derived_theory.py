"""Hypothesis of analytical learners: clauses entailed by a domain theory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.analytical.justification import Justification, still_following
from induce.core.shapes import check_numbers, check_shapes
from induce.hypotheses.theory import Derivation, Theory
from induce.logic.domain_theory import DomainTheory
from induce.logic.facts import Codes
from induce.logic.unfolding import features

if TYPE_CHECKING:
    from induce.logic.prover import Prover

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DerivedTheory(Theory):
    """Flat clauses for a target, each with its justification by a domain theory.

    Parameters
    ----------
    target, columns, classes, prolog, counts, rest, background
        See `Theory`.
    theory : DomainTheory
        Domain theory that entails the clauses.
    justifications : tuple of Justification
        Justification of each clause.
    falls_back : bool, default=False
        Whether the domain theory classifies examples not covered by a clause.
    proved : (float, float), default=(0.0, 0.0)
        Numbers of negative and positive training examples that the domain theory proves.
    """

    theory: DomainTheory = field(kw_only=True)
    justifications: tuple[Justification, ...] = field(kw_only=True)
    falls_back: bool = field(default=False, kw_only=True)
    proved: tuple[float, float] = field(default=(0.0, 0.0), kw_only=True)

    def check(self) -> None:
        """Raise an `InputError` if the fields are inconsistent, as in a damaged file."""
        super().check()
        check_shapes(self, {"clauses": "clauses", "justifications": "clauses"})
        check_numbers("proved", self.proved, at_least=0)

    @property
    def features(self) -> tuple[str, ...]:
        """Distinct constraints over values found in the clauses (Mitchell §11.3.1)."""
        return tuple(dict.fromkeys(one for clause in self.clauses for one in features(clause)))

    def justify(self, number: int | None = None) -> str:
        """Return a text that justifies each clause, or a given one."""
        chosen = range(len(self.clauses)) if number is None else [number]
        lines: list[str] = []
        for place in chosen:
            lines.append(str(self.clauses[place]))
            lines.extend(f"   {line}" for line in self.justifications[place].lines())
        return "\n".join(lines)

    def under(self, theory: DomainTheory) -> DerivedTheory:
        """Return the hypothesis without the clauses that a changed domain theory no longer entails.

        A clause is kept if every clause of its proof still exists. A conclusion by negation as failure
        depends on all clauses of the negated predicate, so none may have been added to these.

        Parameters
        ----------
        theory : DomainTheory
        """
        kept = still_following(self.clauses, self.justifications, self.theory, theory)
        return replace(
            self,
            prolog="\n".join(str(self.clauses[number]) for number in kept),
            counts=tuple(self.counts[number] for number in kept),
            justifications=tuple(self.justifications[number] for number in kept),
            theory=theory,
        )

    def explain(self, X: Any, full: bool = False) -> tuple[Derivation, ...]:
        """Return the proof of each row of `X`, or a note that there is none.

        Parameters
        ----------
        X : table
        full : bool, default=False
            Whether to return the proof by the domain theory instead of the proof by one learned clause.
        """
        rows = self.encoded(X)
        scores = self._scores(rows)
        found = []
        for number, row in zip(scores.tolist(), rows, strict=True):
            literal = self._goal(row)
            by_theory = full or number == len(self.clauses)
            prover = self._theory_prover if by_theory else self._prover
            answer = prover.first(literal) if number >= 0 else None
            found.append(
                Derivation(self.classes[int(number >= 0)], literal, answer.proof if answer else None)
            )
        return tuple(found)

    def inferences(self, X: Any) -> tuple[Codes, Codes]:
        """Return, for each row of `X`, the number of inferences by the domain theory and by the learned clauses."""
        goals = [self._goal(row) for row in self.encoded(X)]
        # new provers, since tables filled by earlier queries would hide the cost
        provers = (self.background.prover(one) for one in (self.theory.program.clauses, self.clauses))
        before, after = (prover.inferences_each(goals) for prover in provers)
        return before, after

    def same_answers(self, X: Any) -> NDArray[np.bool_]:
        """Return, for each row of `X`, whether the learned clauses and the domain theory agree."""
        rows = self.encoded(X)
        same: NDArray[np.bool_] = (self.deciding_rows(rows) >= 0) == self._by_theory(rows)
        return same

    def _scores(self, rows: Codes) -> Any:
        decided = self.deciding_rows(rows)
        if self.falls_back:
            left = np.flatnonzero(decided < 0)
            decided[left[self._by_theory(rows[left])]] = len(self.clauses)
        return decided

    def _shares(self, scores: Any) -> Floats:
        by_clauses = super()._shares(np.where(scores == len(self.clauses), -1, scores))
        outside, within = self.proved
        share = max((within + 1) / (outside + within + 2), 0.5)
        by_clauses[scores == len(self.clauses)] = 1 - share, share
        return by_clauses

    def _by_theory(self, rows: Codes) -> NDArray[np.bool_]:
        return self._theory_prover.holds_each([self._goal(row) for row in rows])

    @cached_property
    def _theory_prover(self) -> Prover:
        return self.background.prover(self.theory.program.clauses)
