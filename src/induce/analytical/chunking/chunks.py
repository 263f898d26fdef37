"""Chunks: productions learned from the results of subgoals, with the results that were rejected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from induce.analytical.chunking.dependencies import (
    ABSENT,
    REMOVED,
    Episode,
    NoChunk,
    Result,
    conditions,
    leaves,
)
from induce.analytical.chunking.memory import matching_cost
from induce.analytical.chunking.productions import Production
from induce.analytical.justification import Justification
from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.library import is_built_in
from induce.logic.parsing import literal_of, parse_clause
from induce.logic.proofs import Proof
from induce.logic.substitution import canonical, variables_of
from induce.logic.subsumption import reduced, variants
from induce.logic.terms import Variable

MOST_STEPS = 10_000
"""Step limit of the search for redundant conditions."""
RESULTS = "results"
"""Name of a result that consists of several changes."""


@dataclass(frozen=True)
class Chunk:
    """Production that summarises the result of a subgoal.

    Parameters
    ----------
    prolog : str
        Production as Prolog text.
    impasse : str
        Impasse that the chunk was learned from, with the candidate operators.
    cost : float
        Cost of matching the chunk against the facts it was learned from: nodes visited and pairs compared.
    justification : Justification
        Result, its dependence on the facts before the impasse, and the productions that fired.
    """

    prolog: str
    impasse: str
    cost: float
    justification: Justification

    @property
    def clause(self) -> Clause:
        """Production as a clause."""
        return parse_clause(self.prolog)

    def justify(self) -> str:
        """Return a text that describes the origin of the chunk."""
        lines = [self.prolog, f"   {self.impasse}"]
        lines.extend(f"   {line}" for line in self.justification.lines())
        lines.append(f"   cost of matching: {self.cost:g}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.prolog


@dataclass(frozen=True)
class Refused:
    """Result from which no chunk was learned.

    Parameters
    ----------
    result : str
    reason : str
    """

    result: str
    reason: str

    def __str__(self) -> str:
        return f"no chunk of {self.result}: {self.reason}"


@dataclass(frozen=True)
class Chunking:
    """Builder of chunks from the results of one subgoal.

    Parameters
    ----------
    episode : Episode
    impasse : str
    max_cost : float, optional
        Maximum matching cost of a chunk.
    """

    episode: Episode
    impasse: str
    max_cost: float | None = None

    def chunks(self, result: Result) -> list[Chunk]:
        """Return the chunks of a result; raise `NoChunk` with the reason if there are none."""
        whole = result.proof()
        general = conditions(whole)
        assert general.head is not None
        heads = [general.head]
        if general.head.name == RESULTS:
            heads = [literal_of(term) for term in general.head.arguments]
        justification = self._justification(whole)
        facts = [*self.episode.before.facts()]
        if self.episode.task is not None:
            facts.append(Literal("selected", (self.episode.task,)))
        found = []
        for each in heads:
            try:
                clause, cost = self._cheapest(Clause(each, general.body), facts)
            except InputError as error:
                raise NoChunk(f"its conditions cannot be matched: {error}") from None
            if self.max_cost is not None and cost > self.max_cost:
                raise NoChunk(
                    f"matching it costs {cost:,.0f} on the facts it was learned from, more than the "
                    f"{self.max_cost:,.0f} allowed: {clause}"
                )
            found.append(Chunk(str(clause), self.impasse, cost, justification))
        return found

    def _cheapest(self, clause: Clause, facts: Sequence[Literal]) -> tuple[Clause, float]:
        """Return a chunk whose conditions are in the cheapest order for matching against the facts."""
        short = reduced(clause, max_steps=MOST_STEPS)
        orders = [
            canonical(Clause(short.head, ordered_conditions(short.body, proposal_first=first)))
            for first in (True, False)
        ]
        costs = [matching_cost(one, facts) for one in orders]
        cheaper = 0 if costs[0] <= costs[1] else 1
        return orders[cheaper], costs[cheaper]

    def _justification(self, proof: Proof) -> Justification:
        relevant = leaves(proof)
        productions = self.episode.productions
        numbers = dict.fromkeys(node.number for _, node in proof.walk() if node.number is not None)
        others = [one for one in self.episode.before.base if one not in relevant]
        return Justification(
            str(proof.literal),
            str(shown_proof(proof)),
            tuple(str(productions[number].clause) for number in numbers),
            tuple(map(str, relevant)),
            tuple(map(str, others)),
        )


def shown_proof(proof: Proof) -> Proof:
    """Return a proof for printing, with negations in normal form and without frame steps."""
    literal = proof.literal
    if literal.name.startswith(ABSENT):
        literal = Literal(literal.name.removeprefix(ABSENT), literal.arguments, True)
    children: list[Proof] = []
    for child in proof.children:
        while child.number is None and len(child.children) == 1:
            child = child.children[0]
        removal = child.literal.name.startswith(REMOVED)
        children.extend(map(shown_proof, child.children if removal else (child,)))
    return Proof(literal, proof.kind, proof.clause, proof.number, tuple(children))


def ordered_conditions(body: Sequence[Literal], *, proposal_first: bool) -> tuple[Literal, ...]:
    """Order conditions so that each shares as many variables as possible with the preceding ones.

    Unconnected conditions come last, since they multiply the number of matches. If few operators are proposed, the
    proposal comes first; otherwise the condition with the fewest variables.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> clause = parse_clause("best(f(X)) :- q(Y, Z), r(Z), p(X, Y), propose(f(X)).")
    >>> print(*ordered_conditions(clause.body, proposal_first=True), sep=", ")
    propose(f(X)), p(X, Y), q(Y, Z), r(Z)
    >>> print(*ordered_conditions(clause.body, proposal_first=False), sep=", ")
    r(Z), q(Y, Z), p(X, Y), propose(f(X))
    """
    left = [one for one in body if not one.negated and not is_built_in(one.predicate)]
    tests = [one for one in body if one not in left]
    found = [one for one in left if one.name in ("propose", "selected")][:1] if proposal_first else []
    bound: set[Variable] = set(variables_of(found))
    left = [one for one in left if one not in found]

    def free(literal: Literal) -> tuple[int, int]:
        mine = set(variables_of(literal))
        return (len(mine - bound) if mine & bound or not mine else len(mine) + 100), -len(mine & bound)

    while left:
        best = min(left, key=free)
        left.remove(best)
        found.append(best)
        bound.update(variables_of(best))
    return (*found, *tests)


def is_known(chunk: Chunk, productions: Iterable[Production]) -> bool:
    """Return whether an equal chunk, up to variable names, is already known."""
    mine = chunk.clause.literals()
    return any(variants(mine, one.clause.literals()) for one in productions)
