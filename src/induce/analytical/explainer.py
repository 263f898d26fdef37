"""Explanations of examples by a domain theory, and the clauses that they justify (Mitchell §11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal as OneOf

from induce.core import trace
from induce.core.notes import note
from induce.logic.background.relations import MOST_INFERENCES, Relations
from induce.logic.clauses import Clause, Literal
from induce.logic.domain_theory import DomainTheory
from induce.logic.limits import Limits
from induce.logic.proof_enumeration import all_proofs
from induce.logic.proofs import Proof
from induce.logic.prover import Prover
from induce.logic.regression import leaf_generalisation, regression_steps, weakest_preimage
from induce.logic.repetition import generalised_repetition
from induce.logic.unfolding import definitions, denied, recursive_below, simplified

Generalise = OneOf["preimage", "leaves"]
MOST_PROOFS = 100
"""Maximum number of proofs per example for a recursive theory, which may have infinitely many."""
FEWER_INFERENCES = 10_000
"""Maximum number of inferences for a possibly contradictory theory, in which a cyclic proof never ends."""


def proof_limits(theory: DomainTheory) -> Limits:
    """Return the search limits for a proof of an example."""
    return Limits(inferences=FEWER_INFERENCES if theory.contradiction else MOST_INFERENCES)


@dataclass(frozen=True)
class Explained:
    """Explanation of an example, and the clause that it justifies.

    Parameters
    ----------
    proof : Proof
    clause : Clause
        Clause that concludes the target from the properties of the example that the proof requires.
    rules : tuple of Clause
        Clauses of the theory used by the proof; for a negation, all clauses of its predicate.
    helpers : tuple of Clause
        Clauses of predicates that the clause negates, or that are operational although the theory defines them.
    """

    proof: Proof
    clause: Clause
    rules: tuple[Clause, ...]
    helpers: tuple[Clause, ...] = ()


@dataclass(frozen=True, eq=False)
class Explainer:
    """Explainer of examples by a theory and background facts.

    Parameters
    ----------
    theory : DomainTheory
    relations : Relations
    every : bool
        Whether to return all explanations instead of only the first.
    generalise : {"preimage", "leaves"}
    limits : Limits, optional
    repetition : bool, default=False
        Whether to generalise repeated proof steps to any number of repetitions.
    """

    theory: DomainTheory
    relations: Relations
    every: bool = False
    generalise: Generalise = "preimage"
    limits: Limits | None = None
    repetition: bool = False

    @cached_property
    def prover(self) -> Prover:
        """Prover of examples from the theory and the background."""
        limits = self.limits or proof_limits(self.theory)
        tabled = None if self.every and not self.theory.recursive else "auto"
        return self.relations.prover(
            self.theory.program.clauses, limits=limits, tabled=tabled, unknown="fail"
        )

    def explanations(self, goal: Literal, target: Literal | None = None) -> Iterator[Explained]:
        """Yield the explanations of an example: only the first, or all that yield different clauses."""
        seen: set[Clause] = set()
        for proof in self._proofs(goal):
            explained = self._explained(proof, target)
            if explained is not None and explained.clause not in seen:
                seen.add(explained.clause)
                yield explained
                if not self.every:
                    return

    def _proofs(self, goal: Literal) -> Iterator[Proof]:
        answers = self.prover.prove(goal)
        if self.every and self.theory.recursive and answers.first() is not None:
            # a tabled goal keeps only its first proof
            found = 0
            for proof in all_proofs(self.prover, goal, max_proofs=MOST_PROOFS):
                found += 1
                yield proof
            if found == MOST_PROOFS:
                note(f"{goal} has more than {MOST_PROOFS:,} proofs; the rest were not enumerated")
            return
        found = 0
        for answer in answers:
            found += 1
            yield answer.proof
        if answers.stopped_by is not None and not found:
            note(
                f"{goal} was abandoned after {self.prover.limits.inferences:,} inferences without a "
                "proof; the theory may not terminate"
            )

    def _explained(self, proof: Proof, target: Literal | None) -> Explained | None:
        operational = self.theory.is_operational
        clauses: tuple[Clause, ...]
        if self.generalise == "leaves":
            clauses = (leaf_generalisation(proof, proof.literal.arguments, operational),)
        elif self.repetition and target is None:
            clauses = generalised_repetition(proof, operational)
        else:
            clauses = (weakest_preimage(proof, target, operational),)
        if self.generalise != "leaves" and trace.active("regress"):
            for step in regression_steps(proof, target, operational):
                trace.emit(
                    "regress",
                    literal=str(step.literal),
                    rule=str(step.rule),
                    theta_hi=str(step.instance),
                    theta_hl=str(step.general),
                    frontier=[str(one) for one in step.frontier],
                )
        rules = [
            node.clause
            for _, node in proof.walk()
            if node.clause is not None and not operational(node.literal.predicate)
        ]
        helpers: list[Clause] = []
        flat: list[Clause] = []
        for clause in clauses:
            kept = simplified(clause)
            if kept is None:
                return None
            flat.append(self._without_denials(kept, rules, helpers))
        first, *further = flat
        helpers = [*further, *helpers]
        return Explained(proof, first, tuple(dict.fromkeys(rules)), tuple(dict.fromkeys(helpers)))

    def _without_denials(self, clause: Clause, rules: list[Clause], helpers: list[Clause]) -> Clause:
        """Return a clause whose negated literals are operational or have helper clauses, and add its dependencies."""
        body: list[Literal] = []
        operational = self.theory.is_operational
        for literal in clause.body:
            if operational(literal.predicate) or not literal.negated:
                body.append(literal)
                if operational(literal.predicate):
                    helpers.extend(clauses_below(self.theory, literal))
                continue
            below, opposite, needed = self._denial(literal)
            rules.extend(below)
            body.extend(opposite)
            helpers.extend(needed)
        return Clause(clause.head, tuple(dict.fromkeys(body)))

    def _denial(self, literal: Literal) -> tuple[tuple[Clause, ...], tuple[Literal, ...], tuple[Clause, ...]]:
        """Return the clauses that a negated literal depends on, its replacement, and the helper clauses it needs."""
        if literal not in self._denials and recursive_below(self.theory, literal.predicate) is not None:
            # a recursive predicate has no flat clauses, so its own clauses are needed
            below = tuple(clauses_below(self.theory, literal))
            self._denials[literal] = below, (literal,), below
        if literal not in self._denials:
            opposite = denied(literal, self.theory)
            needed = definitions(self.theory, literal) if literal in opposite else ()
            self._denials[literal] = tuple(clauses_below(self.theory, literal)), opposite, needed
        return self._denials[literal]

    @cached_property
    def _denials(self) -> dict[Literal, tuple[tuple[Clause, ...], tuple[Literal, ...], tuple[Clause, ...]]]:
        return {}


def clauses_below(theory: DomainTheory, literal: Literal) -> Iterator[Clause]:
    """Yield the clauses of a literal's predicate and of the predicates they call."""
    waiting, seen = [literal.predicate], {literal.predicate}
    while waiting:
        for clause in theory.program.by_predicate.get(waiting.pop(), ()):
            yield clause
            new = {one.predicate for one in clause.body} - seen
            seen |= new
            waiting.extend(new)
