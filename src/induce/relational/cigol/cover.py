"""CIGOL's covering loop: candidate clauses, questions about them, and the remaining examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from induce.core import trace
from induce.core.progress import report
from induce.logic.background.modes import Mode
from induce.logic.background.reach import Reach, facts_of
from induce.logic.clauses import Clause, Program
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.logic.resolution import write_disjunction
from induce.logic.subsumption import variants
from induce.logic.terms import Function, Term
from induce.relational.cigol.oracles import ClauseQuestion, LiteralQuestion
from induce.relational.cigol.questions import LITERALS, RIVALS, Dialogue, cases
from induce.relational.cigol.search import Candidate, Derivation, Inversion
from induce.relational.clauses.cover_tester import CoverTester, Mask
from induce.relational.clauses.descent import Descent
from induce.relational.clauses.limits import Deadline
from induce.relational.clauses.literals import Vocabulary

if TYPE_CHECKING:
    from induce.relational.learners.cigol import Cigol


class Covering:
    """Covering loop of CIGOL: the remaining examples, and the search for the next clause."""

    def __init__(self, learner: Cigol, examples: Examples, dialogue: Dialogue, deadline: Deadline) -> None:
        self.learner, self.dialogue, self.deadline = learner, dialogue, deadline
        self.learned: list[Clause] = []
        self._false: list[Clause] = []
        self._checked: set[Clause] = set()
        self._hopeless: set[bytes] = set()
        relations = examples.relations
        self._facts = facts_of(relations, "Cigol", given=True)
        self._modes = [mode for mode in relations.modes if not mode.head]
        self._rules = [rule for rule in relations.rules if _is_usable(rule)]
        self.descent = Descent(examples) if learner.recursion else None
        self._vocabulary = Vocabulary(examples, undeclared=True, recursive=False)
        self._know(examples)

    def _know(self, examples: Examples) -> None:
        """Set the examples, and mark those that the learned clauses leave uncovered."""
        self.examples, self.tester = examples, CoverTester(examples)
        whole = (examples.rows >= 0).all(1)
        self.positive = _different(examples.rows[examples.positive & whole])
        self.negative = _different(examples.rows[~examples.positive])
        self.uncovered = np.ones(len(self.positive), np.bool_)
        for clause in self.learned:
            self.uncovered &= ~self.tester.covered(clause, self.positive)
        known = list(map(examples.literal, self.positive)) if self.learner.recursion else []
        self.reach = Reach([*self._facts, *known], [] if not self._modes else [*self._modes, *self._calls()])

    def _calls(self) -> list[Mode]:
        """Return the modes of the target, where modes are declared."""
        target = self.examples.target
        if not self.learner.recursion or any(mode.predicate == target for mode in self._modes):
            return []
        return [Mode(target[0], tuple(f"+{kind}" for kind in self.examples.types))]

    def left(self) -> bool:
        """Return whether an example still needs a clause."""
        report(1 - float(self.uncovered.mean()) if len(self.positive) else 1.0)
        return bool(self.uncovered.any()) and not self.deadline.passed()

    def remove(self, candidate: Candidate) -> bool:
        """Remove the examples that a clause covers, and add it to the known clauses."""
        covered = self.tester.covered(candidate.clause, self.positive) & self.uncovered
        self.uncovered &= ~covered
        self.learned.append(candidate.clause)
        if self.descent is not None:
            self.descent.remember(candidate.clause)
        if trace.active("inverse resolution"):
            for step in candidate.derivation.steps():
                trace.emit(
                    "inverse resolution",
                    step=step,
                    C=write_disjunction(step.clause),
                    C1=write_disjunction(step.first),
                    L1=write_disjunction([step.literal]),
                    theta1=str(step.theta1),
                    theta2_inverse=str(step.theta2_inverse),
                    C2=write_disjunction(step.second),
                )
        if trace.active("clause"):
            trace.emit(
                "clause",
                clause=str(candidate.clause),
                positives=int(covered.sum()),
                negatives=candidate.negatives,
            )
        return bool(covered.any())

    def learn(self) -> Candidate | None:
        """Return the best clause for the first example that has one."""
        place = 0
        while place < len(self.positive) and not self.deadline.passed():
            row = self.positive[place]
            if not self.uncovered[place] or row.tobytes() in self._hopeless:
                place += 1
                continue
            candidates = self._candidates(row)
            if not candidates:
                self._hopeless.add(row.tobytes())
            elif self._examined(candidates):
                place = 0  # the answers added examples
            elif self._approved(candidates[0].clause):
                return candidates[0]
        return None

    def _candidates(self, row: Codes) -> list[Candidate]:
        """Return the clauses that explain an example, best first."""

        def counts(clause: Clause) -> tuple[int, int] | None:
            if clause in known:
                return known[clause]
            usable = self.descent is None or self.descent.admits(clause)
            if usable and self.tester.covered(clause, row[None]).all():
                left = self.positive[self.uncovered]
                within, outside = (
                    int(self.tester.covered(clause, rows).sum()) for rows in (left, self.negative)
                )
                known[clause] = within, outside
            else:
                known[clause] = None
            return known[clause]

        def good(candidate: Candidate) -> bool:
            covered = candidate.positives + candidate.negatives
            if candidate.negatives > self.learner.noise * covered:
                return False
            return not any(variants(candidate.clause, denied) for denied in self._false)

        known: dict[Clause, tuple[int, int] | None] = {}
        rules = self._rules
        if self.learner.recursion:
            rules = rules + [clause for clause in self.learned if _is_usable(clause)]
        inversion = Inversion(
            self.reach,
            rules,
            int(self.learner.max_literals),
            int(self.learner.width),
            counts,
            good,
            self._may_stay,
            self.deadline.passed,
        )
        found = inversion.candidates(self.examples.literal(row))
        if trace.active("candidates"):
            trace.emit(
                "candidates",
                example=str(self.examples.literal(row)),
                clauses=tuple((str(one.clause), one.positives, one.negatives) for one in found),
            )
        return found

    def _may_stay(self, derivation: Derivation, term: Term) -> bool:
        """Return whether a term may be kept in a clause: functions, and constants that are not objects."""
        if isinstance(term, Function):
            return True
        kinds = {
            kind
            for literal in (derivation.example, *derivation.body)
            for argument, kind in zip(
                literal.arguments, self._vocabulary.kinds(literal.predicate), strict=True
            )
            if argument == term
        }
        return not self._modes and all(map(self._is_value, kinds))

    def _is_value(self, kind: str) -> bool:
        words = self._vocabulary
        if kind in self.examples.types:
            return False
        return words.is_value(kind) or (words.is_measure(kind) and words.is_numeric(words.constants(kind)))

    def _approved(self, clause: Clause) -> bool:
        """Ask the oracle whether a clause is true; a clause without an answer is accepted."""
        if self.dialogue.ask(ClauseQuestion(clause)) is False:
            self._false.append(clause)
            return False
        return True

    def _examined(self, candidates: Sequence[Candidate]) -> bool:
        """Ask about instances of the best clause that are not examples; return whether new examples were obtained."""
        answers: list[tuple[Codes, bool]] = []
        for row in self._cases([one.clause for one in candidates[:RIVALS]]):
            answer = self.dialogue.ask(LiteralQuestion(self.examples.literal(row)))
            if isinstance(answer, bool):
                answers.append((row, answer))
        if answers:
            old = self.examples
            rows, positive = zip(*answers, strict=True)
            self._know(
                replace(
                    old,
                    rows=np.concatenate([old.rows, np.stack(rows)]),
                    positive=np.concatenate([old.positive, np.array(positive)]),
                )
            )
            self._hopeless.clear()
        return bool(answers)

    def _cases(self, clauses: Sequence[Clause]) -> list[Codes]:
        """Return instances of the given clauses that are not examples, most disputed first."""
        if not self.dialogue.open:
            return []
        words, symbols = self._vocabulary, self.examples.relations.symbols
        domains = [
            [
                symbols.terms[code]
                for code in np.unique(np.concatenate([column[column >= 0], words.constants(kind)]))
            ]
            for kind, column in zip(self.examples.types, self.examples.rows.T, strict=True)
        ]
        asked = {question for question, _ in self.dialogue.asked}
        known = {row.tobytes() for row in self.examples.rows}
        found: dict[bytes, Codes] = {}
        for clause in clauses:
            for literal in cases(clause, self.tester.prover, domains):
                row = symbols.codes(literal.arguments)
                if row.tobytes() not in known and LiteralQuestion(literal) not in asked:
                    found[row.tobytes()] = row
        if not found:
            return []
        rows = np.stack([*found.values()])
        votes = np.mean([self.tester.covered(clause, rows) for clause in clauses], 0)
        if (votes == 1).all():  # a few of these suffice
            if clauses[0] in self._checked:
                return []
            self._checked.add(clauses[0])
        order = np.argsort(np.abs(votes - 0.5), kind="stable")
        return [rows[place] for place in order[:LITERALS]]

    def sound(self, clauses: Sequence[Clause]) -> bool:
        """Return whether clauses prove the examples that the learned ones cover, and no further negative example."""
        prover = self.examples.relations.prover().extended(Program(tuple(clauses)))

        def proved(rows: Codes) -> Mask:
            return prover.holds_each([self.examples.literal(row) for row in rows])

        wanted = self.positive[~self.uncovered]
        return bool(proved(wanted).all()) and int(proved(self.negative).sum()) <= self._mistakes

    @property
    def _mistakes(self) -> int:
        covered = np.zeros(len(self.negative), np.bool_)
        for clause in self.learned:
            covered |= self.tester.covered(clause, self.negative)
        return int(covered.sum())


def _is_usable(rule: Clause) -> bool:
    """Return whether the head of a rule can replace its body: every head variable occurs in the body."""
    if rule.head is None or not rule.body:
        return False
    told = {name for literal in rule.body for name in literal.variables()}
    return told.issuperset(rule.head.variables())


def _different(rows: Codes) -> Codes:
    """Return distinct rows in the order of their first occurrence."""
    _, first = np.unique(rows, axis=0, return_index=True)
    return rows[np.sort(first)]
