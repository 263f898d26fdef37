"""Generalisation of repeated proof steps to any number of repetitions (Mitchell §11.5; Shavlik 1990)."""

from __future__ import annotations

from collections.abc import Iterator

from induce.logic.clauses import Clause, Predicate
from induce.logic.proofs import Proof
from induce.logic.regression import Operational, weakest_preimage
from induce.logic.subsumption import variants


def repeated_predicates(proof: Proof, operational: Operational | None = None) -> tuple[Predicate, ...]:
    """Return the predicates whose proofs contain proofs of the same predicate, from the root down.

    Of mutually recursive predicates the first suffices: between two of its calls the others do not repeat.

    Examples
    --------
    >>> from induce.logic import Prover, parse_program
    >>> prover = Prover(parse_program('''
    ...     high(X) :- tower(X).
    ...     tower(X) :- on_floor(X).
    ...     tower(X) :- on(X, Y), tower(Y).
    ...     on(c, b). on(b, a). on_floor(a).
    ... '''))
    >>> repeated_predicates(prover.first("high(c)").proof)
    (('tower', 1),)
    """
    found: dict[Predicate, None] = {}
    for _, node in proof.walk():
        predicate = node.literal.predicate
        if predicate in found or node.kind != "rule" or (operational is not None and operational(predicate)):
            continue
        if any(below.literal.predicate == predicate for below in _before(node, found)):
            found[predicate] = None
    return tuple(found)


def _before(top: Proof, ends: dict[Predicate, None]) -> Iterator[Proof]:
    """Yield the nodes below a node, down to the nodes of given predicates."""
    waiting = list(reversed(top.children))
    while waiting:
        node = waiting.pop()
        yield node
        if node.literal.predicate not in ends:
            waiting.extend(reversed(node.children))


def generalised_repetition(proof: Proof, operational: Operational | None = None) -> tuple[Clause, ...]:
    """Return clauses that conclude the proved literal for any number of repetitions of its proof steps.

    The proof is cut where a predicate is proved recursively. Each piece yields the most general clause under
    which its steps hold; pieces with the same steps yield the same clause. The first clause concludes the
    proved literal; without repetition it is the weakest preimage.

    Parameters
    ----------
    proof : Proof
        Proof with repeated steps.
    operational : function of a predicate, optional
        Predicates at which the explanation ends; facts by default.

    Examples
    --------
    >>> from induce.logic import Prover, parse_program
    >>> prover = Prover(parse_program('''
    ...     tower(X) :- on_floor(X).
    ...     tower(X) :- rests_on(X, Y), tower(Y).
    ...     rests_on(X, Y) :- on(X, Y), lighter(X, Y).
    ...     on(c, b). on(b, a). on_floor(a). lighter(c, b). lighter(b, a).
    ... '''))
    >>> proof = prover.first("tower(c)").proof
    >>> for clause in generalised_repetition(proof):
    ...     print(clause)
    tower(X) :- on_floor(X).
    tower(X) :- on(X, Y), lighter(X, Y), tower(Y).
    """
    repeated = frozenset(repeated_predicates(proof, operational))
    tops = [
        proof,
        *(node for _, node in proof.walk() if node.literal.predicate in repeated and node is not proof),
    ]
    found: list[Clause] = []
    for top in tops:
        clause = weakest_preimage(_piece(top, repeated), None, operational)
        if clause.head in clause.body:  # a fact of the example
            continue
        if not any(variants(clause.literals(), one.literals()) for one in found):
            found.append(clause)
    first = found[0].head
    assert first is not None

    def order(clause: Clause) -> tuple[bool, bool]:
        # clauses of the proved predicate come first; in both groups, non-recursive clauses precede recursive
        # ones
        assert clause.head is not None
        mine = clause.head.predicate
        return mine != first.predicate, any(literal.predicate == mine for literal in clause.body)

    return tuple(sorted(found, key=order))


def _piece(top: Proof, ends: frozenset[Predicate]) -> Proof:
    """Return a proof that ends where one of the given predicates is proved below the root."""
    below = []
    for child in top.children:
        ended = child.literal.predicate in ends
        below.append(Proof(child.literal, "fact") if ended else _piece(child, ends))
    return Proof(top.literal, top.kind, top.clause, top.number, tuple(below), top.tabled)
