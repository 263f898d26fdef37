"""Questions of CIGOL: whether clauses and literals are true, and names of invented predicates (§10.7.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from induce.core import trace
from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.prover import Prover
from induce.logic.substitution import Substitution
from induce.logic.terms import Term, Variable
from induce.relational.cigol.oracles import Answer, NameQuestion, Oracle, Question, is_name

LITERALS = 3
"""Number of literals asked about before a clause is accepted."""

CASES = 200
"""Number of instances of a clause searched for literals to ask about."""

RIVALS = 5
"""Number of best clauses that the questions should distinguish."""


@dataclass
class Dialogue:
    """Questions to an oracle, limited in number."""

    oracle: Oracle | None
    most: int
    asked: list[tuple[Question, Answer]] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether there is an oracle and questions remain."""
        return self.oracle is not None and len(self.asked) < self.most

    def ask(self, question: Question) -> Answer:
        """Return the oracle's answer; None if there is none."""
        if self.oracle is None or not self.open:
            return None
        answer = self.oracle(question)
        if not isinstance(answer, bool | str | None) or (
            isinstance(answer, str) and not isinstance(question, NameQuestion)
        ):
            raise InputError(
                f"the oracle answers {answer!r} to {question}; it must answer True, False or None"
            )
        if isinstance(answer, str) and not is_name(answer):
            raise InputError(
                f"the oracle gives the name {answer!r}; give a name that begins with a small letter"
            )
        self.asked.append((question, answer))
        if trace.active("question"):
            trace.emit("question", question=question, answer=answer)
        return answer

    def name(self, question: NameQuestion) -> Answer:
        """Ask for a name; True is not a valid name."""
        answer = self.ask(question)
        return None if answer is True else answer


def cases(clause: Clause, prover: Prover, domains: Sequence[Sequence[Term]]) -> Iterator[Literal]:
    """Yield a limited number of ground heads of a clause for which its body holds.

    Parameters
    ----------
    clause : Clause
    prover : Prover
        Prover of bodies.
    domains : sequence of sequence of Term
        Values of each head argument that the body does not bind.

    Examples
    --------
    >>> from induce.logic import parse_clause, parse_program, parse_term
    >>> prover = Prover(parse_program("parent(ann, bea). parent(bea, cal)."))
    >>> print(*cases(parse_clause("old(X) :- parent(X, Y)."), prover, [[]]))
    old(ann) old(bea)
    >>> print(*cases(parse_clause("likes(X, Y) :- parent(Y, cal)."), prover, [[parse_term("dan")], []]))
    likes(dan, bea)
    """
    head = clause.head
    assert head is not None
    found = [Substitution()]
    if clause.body:
        found = [answer.substitution for answer in islice(prover.prove(clause.body, proofs=False), CASES)]
    for theta in found:
        case = theta.apply(head)
        free = {term: place for place, term in enumerate(case.arguments) if isinstance(term, Variable)}
        for values in islice(product(*(domains[place] for place in free.values())), CASES):
            literal = Substitution(dict(zip(free, values, strict=True))).apply(case)
            if literal.ground:
                yield literal
