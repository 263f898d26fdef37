"""Enumeration of all proofs of a literal, where the tabled prover keeps only the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from induce.logic.clauses import Clause, Literal, Program
from induce.logic.parsing import parse_literal
from induce.logic.proofs import Proof
from induce.logic.prover import Prover
from induce.logic.substitution import Substitution, renamed_apart
from induce.logic.unification import unify


def all_proofs(prover: Prover, goal: Literal | str, *, max_proofs: int | None = None) -> Iterator[Proof]:
    """Yield the acyclic proofs of a literal.

    For a tabled predicate the prover keeps the first proof of each answer, so that recursion terminates. Here
    the answers are taken from the tables and combined in every way in which no literal is used to prove
    itself. There may be very many proofs.

    Parameters
    ----------
    prover : Prover
        Prover over the program.
    goal : Literal or str
        Literal to prove.
    max_proofs : int, optional
        Maximum number of proofs; all by default.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> prover = Prover(parse_program('''
    ...     path(X, Y) :- edge(X, Y).
    ...     path(X, Y) :- path(X, Z), edge(Z, Y).
    ...     edge(a, b). edge(b, a). edge(b, c). edge(a, c).
    ... '''))
    >>> len(prover.prove("path(a, c)").all())
    1
    >>> for proof in all_proofs(prover, "path(a, c)"):
    ...     print(*proof.facts())
    edge(a, c)
    edge(a, b) edge(b, c)
    edge(a, b) edge(b, a) edge(a, c)
    """
    literal = parse_literal(goal) if isinstance(goal, str) else goal
    found = _Search(prover).proofs_of(literal)
    return islice(found, max_proofs)


class _Search:
    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self.numbers = {id(clause): number for number, clause in enumerate(prover.program)}
        # facts given in arrays have no clauses
        self.arrays = Prover(Program(), facts=prover.facts, unknown="fail") if prover.facts else None

    def proofs_of(self, literal: Literal) -> Iterator[Proof]:
        """Yield the proofs of each answer to a literal."""
        if literal.ground or literal.negated:
            yield from self._proofs(literal, frozenset())
            return
        seen: set[Literal] = set()
        for answer in self.prover.prove(literal, proofs=False):
            instance = answer.substitution.apply(literal)
            if instance not in seen:
                seen.add(instance)
                yield from self._proofs(instance, frozenset())

    def _proofs(self, literal: Literal, above: frozenset[Literal]) -> Iterator[Proof]:
        clauses = self.prover.program.by_predicate.get(literal.predicate, ())
        if literal.negated or not clauses:
            answer = self.prover.first(literal)
            if answer is not None:
                yield answer.proof
            return
        if literal in above:
            return
        if self.arrays is not None and literal.predicate in self.prover.facts and self.arrays.holds(literal):
            yield Proof(literal, "fact", Clause(literal))
        further = above | {literal}
        for clause in clauses:
            apart = renamed_apart(clause, literal)
            theta = None if apart.head is None else unify(literal, apart.head)
            if theta is None:
                continue
            if not clause.body:
                yield Proof(literal, "fact", clause, self.numbers[id(clause)])
                continue
            body = tuple(map(theta.apply, apart.body))
            for instance in self._instances(body):
                for children in self._together(instance, further):
                    yield Proof(literal, "rule", clause, self.numbers[id(clause)], children)

    def _instances(self, body: tuple[Literal, ...]) -> Iterator[tuple[Literal, ...]]:
        """Yield the distinct instances of a body that hold."""
        seen: set[Substitution] = set()
        for answer in self.prover.prove(body, proofs=False):
            if answer.substitution not in seen:
                seen.add(answer.substitution)
                yield tuple(map(answer.substitution.apply, body))

    def _together(self, body: Sequence[Literal], above: frozenset[Literal]) -> Iterator[tuple[Proof, ...]]:
        """Yield the combinations of proofs for all literals of a body."""
        if not body:
            yield ()
            return
        for first in self._proofs(body[0], above):
            for rest in self._together(body[1:], above):
                yield first, *rest
