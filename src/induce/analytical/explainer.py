"""Explanations of examples by a domain theory, and the clauses they justify (Mitchell §11.2)."""

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
from induce.logic.proofs import Proof
from induce.logic.prover import Prover
from induce.logic.regression import leaf_generalisation, regression_steps, weakest_preimage
from induce.logic.unfolding import definitions, denied, simplified

Generalise = OneOf["preimage", "leaves"]


@dataclass(frozen=True)
class Explained:
    """An explanation of an example and the clause that it justifies.

    Parameters
    ----------
    proof : Proof
    clause : Clause
        The target, if what the proof needs of the example holds.
    rules : tuple of Clause
        The clauses of the theory that were used; for a negation all those of its predicate.
    helpers : tuple of Clause
        Clauses of predicates that the clause denies, or that are operational although the theory defines them.
    """

    proof: Proof
    clause: Clause
    rules: tuple[Clause, ...]
    helpers: tuple[Clause, ...] = ()


@dataclass(frozen=True, eq=False)
class Explainer:
    """Explains examples by a theory over the facts of a background.

    Parameters
    ----------
    theory : DomainTheory
    relations : Relations
    every : bool
        Whether to give all explanations, not only the first.
    generalise : {"preimage", "leaves"}
    limits : Limits, optional
    """

    theory: DomainTheory
    relations: Relations
    every: bool = False
    generalise: Generalise = "preimage"
    limits: Limits | None = None

    @cached_property
    def prover(self) -> Prover:
        """What proves examples from the theory and the background."""
        limits = self.limits or Limits(inferences=MOST_INFERENCES)
        # a tabled goal keeps its first proof only
        tabled = None if self.every and not self.theory.recursive else "auto"
        return self.relations.prover(
            self.theory.program.clauses, limits=limits, tabled=tabled, unknown="fail"
        )

    def explanations(self, goal: Literal, target: Literal | None = None) -> Iterator[Explained]:
        """Go through the explanations of an example: the first only, or all that give different clauses."""
        answers = self.prover.prove(goal)
        seen: set[Clause] = set()
        for answer in answers:
            (proof,) = answer.proofs
            explained = self._explained(proof, target)
            if explained is not None and explained.clause not in seen:
                seen.add(explained.clause)
                yield explained
                if not self.every:
                    return
        if answers.stopped_by is not None and not seen:
            note(
                f"{goal} was given up after {MOST_INFERENCES:,} inferences without a proof; the theory may go on "
                "without end"
            )

    def _explained(self, proof: Proof, target: Literal | None) -> Explained | None:
        operational = self.theory.is_operational
        if self.generalise == "leaves":
            clause = leaf_generalisation(proof, proof.literal.arguments, operational)
        else:
            clause = weakest_preimage(proof, target, operational)
            if trace.active("regress"):
                for step in regression_steps(proof, target, operational):
                    trace.emit(
                        "regress",
                        literal=str(step.literal),
                        rule=str(step.rule),
                        theta_hi=str(step.instance),
                        theta_hl=str(step.general),
                        frontier=[str(one) for one in step.frontier],
                    )
        kept = simplified(clause)
        if kept is None:
            return None
        rules = [
            node.clause
            for _, node in proof.walk()
            if node.clause is not None and not operational(node.literal.predicate)
        ]
        body: list[Literal] = []
        helpers: list[Clause] = []
        for literal in kept.body:
            if operational(literal.predicate) or not literal.negated:
                body.append(literal)
                helpers.extend(clauses_below(self.theory, literal))
                continue
            below, opposite, needed = self._denial(literal)
            rules.extend(below)
            body.extend(opposite)
            helpers.extend(needed)
        flat = Clause(kept.head, tuple(dict.fromkeys(body)))
        return Explained(proof, flat, tuple(dict.fromkeys(rules)), tuple(dict.fromkeys(helpers)))

    def _denial(self, literal: Literal) -> tuple[tuple[Clause, ...], tuple[Literal, ...], tuple[Clause, ...]]:
        """Return the clauses that a negated literal rests on, what it says, and the clauses that it needs then."""
        if literal not in self._denials:
            opposite = denied(literal, self.theory)
            needed = definitions(self.theory, literal) if literal in opposite else ()
            self._denials[literal] = tuple(clauses_below(self.theory, literal)), opposite, needed
        return self._denials[literal]

    @cached_property
    def _denials(self) -> dict[Literal, tuple[tuple[Clause, ...], tuple[Literal, ...], tuple[Clause, ...]]]:
        return {}


def clauses_below(theory: DomainTheory, literal: Literal) -> Iterator[Clause]:
    """Go through the clauses of the predicate of a literal, and of those that they call."""
    waiting, seen = [literal.predicate], {literal.predicate}
    while waiting:
        for clause in theory.program.by_predicate.get(waiting.pop(), ()):
            yield clause
            new = {one.predicate for one in clause.body} - seen
            seen |= new
            waiting.extend(new)
