"""Explanation of failed proofs: the literal at which each clause failed, down to the missing facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.parsing import parse_literal
from induce.logic.proofs import Proof
from induce.logic.prover import Prover
from induce.logic.substitution import renamed_apart
from induce.logic.unification import unify

DEEPEST = 20
"""Maximum depth in clauses to which a failed proof is followed."""


@dataclass(frozen=True)
class FailedProof:
    """Explanation of a failed proof.

    Parameters
    ----------
    literal : Literal
        Literal that could not be proved.
    ways : tuple of FailedWay
        Clauses that might have proved the literal; none if a fact is missing, or a comparison or negation
        does not hold.
    """

    literal: Literal
    ways: tuple[FailedWay, ...] = ()

    def stops(self, passed: int = 0) -> Iterator[tuple[int, Literal]]:
        """Yield the literals at which proofs failed, with the number of literals proved before."""
        if not self.ways:
            yield passed, self.literal
        for way in self.ways:
            yield from way.failed.stops(passed + way.held)

    def farthest(self) -> tuple[Literal, ...]:
        """Return the literals at which the proofs with most proved literals failed."""
        stops = list(self.stops())
        most = max(passed for passed, _ in stops)
        return tuple(dict.fromkeys(literal for passed, literal in stops if passed == most))

    def __str__(self) -> str:
        return "\n".join([f"no proof of {self.literal}", *self._lines("")])

    def _lines(self, indent: str) -> Iterator[str]:
        for place, way in enumerate(self.ways):
            last = place == len(self.ways) - 1
            branch, onward = ("└─ ", "   ") if last else ("├─ ", "│  ")
            yield f"{indent}{branch}{way.clause} stopped at {way.failed.literal}"
            yield from way.failed._lines(indent + onward)


@dataclass(frozen=True)
class FailedWay:
    """Clause that did not prove a literal.

    Parameters
    ----------
    clause : Clause
    held : int
        Number of leading body literals that hold together.
    failed : FailedProof
        Explanation for the next literal of the body.
    """

    clause: Clause
    held: int
    failed: FailedProof


def why_not(
    prover: Prover, goal: Literal | str, operational: Callable[[Predicate], bool] | None = None
) -> FailedProof:
    """Explain why a literal cannot be proved: for each clause, the literal at which it failed.

    Parameters
    ----------
    prover : Prover
        Prover over the program.
    goal : Literal or str
        Literal that cannot be proved.
    operational : function of a predicate, optional
        Predicates whose failure is not explained further.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> prover = Prover(parse_program('''
    ...     approve(X) :- adult(X), solvent(X).
    ...     adult(X) :- age(X, A), A >= 18.
    ...     solvent(X) :- income(X, I), I > 1000.
    ...     solvent(X) :- guarantor(X, Y), solvent(Y).
    ...     age(bob, 40). income(bob, 500). guarantor(cal, bob).
    ... '''))
    >>> print(why_not(prover, "approve(bob)"))
    no proof of approve(bob)
    └─ approve(X) :- adult(X), solvent(X). stopped at solvent(bob)
       ├─ solvent(X) :- income(X, I), I > 1000. stopped at 500 > 1000
       └─ solvent(X) :- guarantor(X, Y), solvent(Y). stopped at guarantor(bob, Y)
    """
    literal = parse_literal(goal) if isinstance(goal, str) else goal
    if prover.holds(literal):
        raise InputError(f"{literal} can be proved; ask about a literal that cannot")
    return _failed(prover, literal, operational, frozenset(), 0)


def _failed(
    prover: Prover,
    literal: Literal,
    operational: Callable[[Predicate], bool] | None,
    above: frozenset[Literal],
    depth: int,
) -> FailedProof:
    ended = literal.negated or literal in above or depth == DEEPEST
    if ended or (operational is not None and operational(literal.predicate)):
        return FailedProof(literal)
    ways = []
    for clause in prover.program.by_predicate.get(literal.predicate, ()):
        apart = renamed_apart(clause, literal)
        theta = None if apart.head is None else unify(literal, apart.head)
        if theta is None:
            continue
        held, stopped = _prefix(prover, tuple(map(theta.apply, apart.body)))
        if stopped is not None:
            below = _failed(prover, stopped, operational, above | {literal}, depth + 1)
            ways.append(FailedWay(clause, held, below))
    return FailedProof(literal, tuple(ways))


def _prefix(prover: Prover, body: tuple[Literal, ...]) -> tuple[int, Literal | None]:
    """Return the number of leading body literals that hold together, and the next literal under their bindings."""
    for place, literal in enumerate(body):
        if not prover.holds(body[: place + 1]):
            answer = prover.prove(body[:place], proofs=False).first() if place else None
            return place, literal if answer is None else answer.substitution.apply(literal)
    return len(body), None


def unfolded_negations(proof: Proof, prover: Prover) -> Proof:
    """Return a proof in which each negation explains why the clauses of the negated literal failed.

    Parameters
    ----------
    proof : Proof
        Proof with negations.
    prover : Prover
        Prover that found the proof.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> prover = Prover(parse_program('''
    ...     safe(X) :- part(X), \\\\+ risky(X).
    ...     risky(X) :- old(X), rusty(X).
    ...     risky(X) :- cracked(X).
    ...     part(a). old(a).
    ... '''), unknown="fail")
    >>> print(unfolded_negations(prover.first("safe(a)").proof, prover))
    safe(a)
    ├─ part(a)
    └─ \\+ risky(a) [not provable]
       ├─ \\+ rusty(a) [not provable]
       └─ \\+ cracked(a) [not provable]
    """
    if proof.kind == "negation" and proof.literal.negated:
        failed = why_not(prover, proof.literal.negation())
        return Proof(proof.literal, "negation", proof.clause, proof.number, tuple(_denials(failed)))
    below = tuple(unfolded_negations(child, prover) for child in proof.children)
    return Proof(proof.literal, proof.kind, proof.clause, proof.number, below, proof.tabled)


def _denials(failed: FailedProof) -> Iterator[Proof]:
    for way in failed.ways:
        stopped = way.failed.literal
        yield Proof(stopped.negation(), "negation", None, None, tuple(_denials(way.failed)))
