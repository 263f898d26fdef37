"""Predicate invention in CIGOL: new predicates that shorten a theory (Muggleton & Buntine 1988; Mitchell §10.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from induce.core import trace
from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.substitution import canonical
from induce.logic.subsumption import theta_subsumes
from induce.relational.cigol.construction import Construction, inter_construction, intra_construction
from induce.relational.cigol.inverse_resolution import absorption
from induce.relational.cigol.oracles import NameQuestion

Sound = Callable[[Sequence[Clause]], bool]
"""Test whether clauses as a program prove all required examples and no others."""

Namer = Callable[[NameQuestion], str | bool | None]


@dataclass(frozen=True)
class _Proposal:
    how: str
    construction: Construction
    theory: tuple[Clause, ...]


def with_inventions(
    clauses: Sequence[Clause], sound: Sound, name: Namer, stop: Callable[[], bool]
) -> list[Clause]:
    """Invent predicates in a theory as long as that makes it shorter.

    Two clauses are rewritten by intra- or inter-construction; then the new predicate replaces its definition in the
    other clauses, where that preserves soundness (absorption). A predicate that the oracle names is kept even if it
    does not shorten the theory.

    Parameters
    ----------
    clauses : sequence of Clause
    sound : callable
    name : callable
        Function that names a new predicate. It returns a name, None to accept any name, or False to reject
        the predicate.
    stop : callable
        Function that returns whether the time limit is exceeded.
    """
    theory = [*clauses]
    refused: set[tuple[Clause, ...]] = set()
    number = 1
    while not stop():
        proposals = [
            one for one in _proposals(theory, f"invented_{number}", sound) if one.theory not in refused
        ]
        if not proposals:
            break
        best = min(proposals, key=lambda one: size(one.theory))
        new = best.construction.literal
        definitions = tuple(
            one for one in best.theory if one.head is not None and one.head.predicate == new.predicate
        )
        answer = name(NameQuestion(new, definitions))
        shorter = size(best.theory) < size(theory)
        taken = {literal.name for clause in best.theory for literal in _literals(clause)} - {new.name}
        if answer in taken:
            raise InputError(
                f"{answer} is already the name of a predicate; give the invented predicate a new name"
            )
        if answer is False or (not isinstance(answer, str) and not shorter):
            refused.add(best.theory)
            continue
        called = answer if isinstance(answer, str) else new.name
        if trace.active("invention"):
            trace.emit(
                "invention",
                name=called,
                how=best.how,
                construction=best.construction,
                definitions=definitions,
            )
        theory = [_renamed(clause, new.name, called) for clause in best.theory]
        number += called == new.name
    return theory


def size(clauses: Sequence[Clause]) -> int:
    """Return the number of literals of clauses, heads included.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> size(parse_program("p(a). p(X) :- q(X, Y), r(Y).").clauses)
    4
    """
    return sum(1 + len(clause.body) for clause in clauses)


def _proposals(theory: Sequence[Clause], name: str, sound: Sound) -> Iterator[_Proposal]:
    for one, other in combinations(theory, 2):
        rest = [clause for clause in theory if clause is not one and clause is not other]
        for how, construct in (
            ("intra-construction", intra_construction),
            ("inter-construction", inter_construction),
        ):
            try:
                made = construct([one, other], name)
            except InputError:  # the two have too little in common
                continue
            # a predicate that only renames a clause explains nothing
            if not all(clause.body for clause in made.others) or len(made.shared.body) < 2:
                continue
            definitions = made.others if how == "intra-construction" else (made.shared,)
            users = (made.shared,) if how == "intra-construction" else made.others
            after = _absorbed([*users, *rest], definitions, sound)
            if sound([*after, *definitions]):
                yield _Proposal(how, made, tuple(map(canonical, (*after, *definitions))))


def _absorbed(users: Sequence[Clause], definitions: Sequence[Clause], sound: Sound) -> list[Clause]:
    """Replace the definitions of a new predicate by it, where that preserves soundness."""
    theory = [*users]
    place = 0
    while place < len(theory):
        for definition in definitions:
            found = [step.rule for step in absorption(theory[place], definition, terms=())]
            better = next(
                (
                    rule
                    for rule in found
                    if sound([*theory[:place], rule, *theory[place + 1 :], *definitions])
                ),
                None,
            )
            if better is not None:
                theory[place] = better
                break
        else:
            place += 1
    return [
        clause
        for place, clause in enumerate(theory)
        if not any(
            theta_subsumes(other, clause) is not None
            and (at < place or theta_subsumes(clause, other) is None)
            for at, other in enumerate(theory)
            if at != place
        )
    ]


def _literals(clause: Clause) -> tuple[Literal, ...]:
    return clause.body if clause.head is None else (clause.head, *clause.body)


def _renamed(clause: Clause, old: str, new: str) -> Clause:
    head, *body = (
        Literal(new if one.name == old else one.name, one.arguments, one.negated) for one in _literals(clause)
    )
    return Clause(head, tuple(body))
