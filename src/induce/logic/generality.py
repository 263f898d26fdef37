"""Generality orders: more_general_than, θ-subsumption and entailment (Mitchell §10.7.4).

Each order implies the next one, but not conversely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.parsing import parse_clause, parse_program
from induce.logic.refutation import refute
from induce.logic.substitution import Substitution, ordered, variables_of
from induce.logic.subsumption import ClauseLike, Disjunction, disjunction, theta_subsumes
from induce.logic.terms import Constant, Function, Term
from induce.logic.unification import match


def more_general_than(general: Clause | str, special: Clause | str, *, max_steps: int | None = None) -> bool:
    """Return whether one body is at least as general as another, for two clauses with the same head.

    For c(x) :- h(x) and c(x) :- k(x) this asks whether h(x) holds wherever k(x) does, under any
    interpretation of the predicates. Variables that occur only in the body are existential. The bodies are
    conjunctions of positive literals, for which θ-subsumption is an exact decision procedure. Predicates such
    as = or <, and functions, are uninterpreted.

    Parameters
    ----------
    general, special : Clause or str
        Clauses with the same head, up to variable names, and without negation in the body.
    max_steps : int, optional
        Maximum number of search steps, as in `induce.logic.subsumption.theta_subsumes`.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> short, long = parse_clause("c(X) :- p(X, Y)."), parse_clause("c(X) :- p(X, Z), q(Z).")
    >>> more_general_than(short, long), more_general_than(long, short)
    (True, False)
    """
    general = parse_clause(general) if isinstance(general, str) else general
    special = parse_clause(special) if isinstance(special, str) else special
    if general.head is None or special.head is None:
        raise InputError("a clause without a head defines no concept; give two clauses with the same head")
    if match(general.head, special.head) is None or match(special.head, general.head) is None:
        raise InputError(
            f"the heads {general.head} and {special.head} differ, but more_general_than compares "
            "bodies under one head; use theta_subsumes or entails for other clauses"
        )
    for literal in general.body + special.body:
        if literal.negated:
            raise InputError(
                f"{literal} is negated, but more_general_than decides only bodies without negation; "
                "use theta_subsumes, where only a positive answer is certain"
            )
    return theta_subsumes(general, special, max_steps=max_steps) is not None


def entails(
    theory: Program | ClauseLike | Iterable[Disjunction], clause: ClauseLike, *, max_steps: int = 10_000
) -> bool | None:
    """Return whether a clause follows from a theory: True, False, or None if undecided.

    The clause is negated: its variables become new constants, and each of its literals is negated. The clause
    follows if and only if resolution derives a contradiction with the theory
    (`induce.logic.refutation.refute`).

    Parameters
    ----------
    theory : Program, clause or iterable of clauses
        Theory; a single set of literals is read as one clause.
    clause : Clause, str or frozenset of Literal
        Clause that may follow.
    max_steps : int
        Maximum number of resolution steps; entailment between clauses is undecidable in general.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> one = parse_clause("elephant(father_of(X)) :- elephant(X).")
    >>> two = parse_clause("elephant(father_of(father_of(Y))) :- elephant(Y).")
    >>> theta_subsumes(one, two) is None, entails(one, two)
    (True, True)
    """
    clauses = list(map(disjunction, clauses_of(theory)))
    wanted = disjunction(clause)
    names = _unused_names([*clauses, wanted])
    skolem = Substitution({variable: Constant(next(names)) for variable in variables_of(wanted)})
    denied = [frozenset({literal.negation()}) for literal in ordered(skolem.apply(wanted))]
    outcome = refute([*clauses, *denied], max_steps=max_steps)
    return outcome.proof is not None if outcome.decided else None


def clauses_of(theory: Program | ClauseLike | Iterable[Disjunction]) -> list[Disjunction]:
    """Return the clauses of a theory; a single clause or set of literals is a theory of one clause."""
    if isinstance(theory, str):
        return list(parse_program(theory).clauses)
    if isinstance(theory, Clause):
        return [theory]
    clauses: list[Disjunction] = []
    literals: list[Literal] = []
    for part in theory:
        if isinstance(part, Clause | frozenset):
            clauses.append(part)
        elif isinstance(theory, frozenset) and isinstance(part, Literal):
            literals.append(part)
        else:
            raise TypeError(f"a theory consists of clauses, but {part} is not a clause")
    return [*clauses, frozenset(literals)] if literals else clauses


def _unused_names(clauses: Iterable[Iterable[Literal]]) -> Iterator[str]:
    """Yield names that are not constants of the given clauses."""
    used: set[object] = set()
    waiting: list[Term] = [term for clause in clauses for literal in clause for term in literal.arguments]
    seen: set[int] = set()
    while waiting:
        term = waiting.pop()
        if isinstance(term, Constant):
            used.add(term.value)
        elif isinstance(term, Function) and id(term) not in seen:
            seen.add(id(term))
            waiting.extend(term.arguments)
    return (name for number in count(1) if (name := f"some_{number}") not in used)
