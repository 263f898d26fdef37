"""Inverse resolution: from a clause C and one parent C1 to the other parent C2 (Mitchell §10.7.1-10.7.3).

Table 10.6 gives the propositional operator and Eq. 10.4 the first-order one. CIGOL's operators absorption and
identification (Muggleton & Buntine 1988) are the two ways to choose the literal; the book mentions only
CIGOL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.generality import clauses_of, entails
from induce.logic.resolution import horn, write_disjunction
from induce.logic.substitution import Substitution, fresh_variables, ordered, variables_of
from induce.logic.subsumption import ClauseLike, Disjunction, disjunction, variants
from induce.logic.terms import Term, Variable
from induce.logic.unification import matching
from induce.relational.cigol.inverse_substitution import (
    InverseSubstitution,
    constants_of,
    inverse_substitutions,
    subsets,
)


@dataclass(frozen=True)
class InverseResolvent:
    """One result of inverse resolution: resolving `first` and `second` gives `clause`.

    Parameters
    ----------
    clause, first : frozenset of Literal
        C and C1.
    literal : Literal
        Literal L1 of C1, which was resolved upon.
    theta1 : Substitution
        Substitution θ1 for the variables of C1.
    theta2_inverse : InverseSubstitution
        θ2⁻¹.
    second : frozenset of Literal
        C2 = (C - (C1 - {L1})θ1)θ2⁻¹ with ¬L1θ1θ2⁻¹ (and further literals of C, with `keep`).
    """

    clause: frozenset[Literal]
    first: frozenset[Literal]
    literal: Literal
    theta1: Substitution
    theta2_inverse: InverseSubstitution
    second: frozenset[Literal]

    @property
    def rule(self) -> Clause:
        """C2 as a Horn clause."""
        return horn(self.second)

    def __str__(self) -> str:
        return (
            f"C2 = {write_disjunction(self.second)}   from C = {write_disjunction(self.clause)}, "
            f"C1 = {write_disjunction(self.first)}, L1 = {write_disjunction([self.literal])}, "
            f"θ1 = {self.theta1}, θ2⁻¹ = {self.theta2_inverse}"
        )


def inverse_resolvents(
    clause: ClauseLike,
    first: ClauseLike,
    *,
    separately: bool = False,
    existing: bool = False,
    keep: bool = False,
    terms: Iterable[Term] | None = None,
    limit: int = 10_000,
) -> list[InverseResolvent]:
    """Return the clauses C2 that yield a clause C when resolved with a clause C1 (Eq. 10.4).

    The choices are the literal L1 of C1, θ2⁻¹, and θ1, which must map the other literals of C1 to literals of
    C. The shortest results come first, then those that replace the fewest terms by variables; variants are
    returned only once. Every result is verified by resolving it with C1.

    Parameters
    ----------
    clause, first : Clause, str or frozenset of Literal
        C and C1. Variables with the same name in both need not be the same.
    separately : bool
        Whether θ2⁻¹ may replace individual occurrences of a term, not only all of them.
    existing : bool
        Whether θ1 may also map the variables that occur only in L1 to terms of C.
    keep : bool
        Whether C2 may also have literals that C shares with C1; then all subsets of them are tried.
    terms : iterable of Term, optional
        Terms that θ2⁻¹ may replace; all constants by default.
    limit : int
        Maximum number of choices; beyond it an `InputError` is raised.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> found = inverse_resolvents(parse_clause("grandchild(bob, shannon)."), parse_clause("father(shannon, tom)."))
    >>> len(found)
    8
    >>> print(found[0].rule, found[-1].rule, sep="\\n")
    grandchild(bob, shannon) :- father(shannon, tom).
    grandchild(A, B) :- father(B, C).
    """
    found = []
    chosen = None if terms is None else tuple(terms)
    for place, result in enumerate(
        _choices(disjunction(clause), disjunction(first), separately, existing, keep, chosen)
    ):
        if place == limit:
            raise InputError(
                f"there are more than limit={limit} inverse resolvents; restrict the choices or raise limit"
            )
        if result is not None:
            found.append(result)
    found.sort(key=lambda each: (len(each.second), len(each.theta2_inverse.replaced)))
    return _different(found)


def propositional_inverse(clause: ClauseLike, first: ClauseLike) -> list[InverseResolvent]:
    """Return the propositional clauses C2 that resolve with C1 to C (Table 10.6), the preferred one first.

    L is a literal of C1 that is not in C; C must contain the other literals of C1. C2 is (C - (C1 - {L}))
    with ¬L. It may also contain literals shared by C1 and C; the clause without them is preferred.

    Parameters
    ----------
    clause, first : Clause, str or frozenset of Literal
        C and C1, without variables or other terms.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> clause, first = parse_clause("pass_exam :- study."), parse_clause("pass_exam :- know_material.")
    >>> print(propositional_inverse(clause, first)[0].rule)
    know_material :- study.
    """
    for literal in ordered(disjunction(clause) | disjunction(first)):
        if literal.arguments:
            raise InputError(f"{literal} has arguments, so it is not a proposition; use inverse_resolvents")
    return inverse_resolvents(clause, first, keep=True)


def absorption(
    clause: Clause,
    known: Clause,
    *,
    separately: bool = False,
    terms: Iterable[Term] | None = None,
    limit: int = 10_000,
) -> list[InverseResolvent]:
    """Return rules in which the head of a known rule replaces its body (absorption in CIGOL).

    ``q :- a, b.`` and ``p :- a.`` yield ``q :- p, b.``: inverse resolution where L1 is the head.

    Parameters
    ----------
    clause : Clause
        Clause to generalise.
    known : Clause
        Known rule or fact.
    separately : bool
        Whether θ2⁻¹ may replace individual occurrences of a term, not only all of them.
    terms : iterable of Term, optional
        Terms that θ2⁻¹ may replace; all constants by default.
    limit : int
        Maximum number of choices; beyond it an `InputError` is raised.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(absorption(parse_clause("q :- a, b."), parse_clause("p :- a."))[0].rule)
    q :- b, p.
    """
    found = inverse_resolvents(clause, known, separately=separately, terms=terms, limit=limit)
    return [each for each in found if not each.literal.negated]


def identification(
    clause: Clause,
    known: Clause,
    *,
    separately: bool = False,
    terms: Iterable[Term] | None = None,
    limit: int = 10_000,
) -> list[InverseResolvent]:
    """Return rules that prove a body literal of a known rule, which then explains a clause (identification in CIGOL).

    ``p :- a, b.`` and ``p :- a, q.`` yield ``q :- b.``: inverse resolution where L1 is in the body.

    Parameters
    ----------
    clause : Clause
        Clause to explain.
    known : Clause
        Known rule.
    separately : bool
        Whether θ2⁻¹ may replace individual occurrences of a term, not only all of them.
    terms : iterable of Term, optional
        Terms that θ2⁻¹ may replace; all constants by default.
    limit : int
        Maximum number of choices; beyond it an `InputError` is raised.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(identification(parse_clause("p :- a, b."), parse_clause("p :- a, q."))[0].rule)
    q :- b.
    """
    found = inverse_resolvents(clause, known, separately=separately, terms=terms, limit=limit)
    return [each for each in found if each.literal.negated]


def explains(
    background: Program | Iterable[Disjunction],
    hypothesis: Program | Disjunction | Iterable[Disjunction],
    facts: Iterable[Literal],
    conclusion: Literal,
    *,
    max_steps: int = 10_000,
) -> bool | None:
    """Return whether background, hypothesis and the facts of an example entail a conclusion (Eq. 10.2).

    Parameters
    ----------
    background, hypothesis : Program, clause or iterable of clauses
        Background knowledge B and hypothesis h.
    facts : iterable of Literal
        Facts known about the example x.
    conclusion : Literal
        f(x).
    max_steps : int
        Limits of the proof, as in `induce.logic.generality.entails`; None if they do not decide it.

    Examples
    --------
    >>> from induce.logic import parse_clause, parse_literal
    >>> facts = [parse_literal("father(sharon, bob)")]
    >>> rule, child = parse_clause("child(U, V) :- parent(V, U)."), parse_literal("child(bob, sharon)")
    >>> parents = parse_clause("parent(U, V) :- father(U, V).")
    >>> explains([], rule, facts, child), explains([parents], rule, facts, child)
    (False, True)
    """
    example: list[Disjunction] = [Clause(fact) for fact in facts]
    theory = [*clauses_of(background), *clauses_of(hypothesis), *example]
    return entails(theory, Clause(conclusion), max_steps=max_steps)


def _choices(
    clause: frozenset[Literal],
    first: frozenset[Literal],
    separately: bool,
    existing: bool,
    keep: bool,
    terms: tuple[Term, ...] | None,
) -> Iterator[InverseResolvent | None]:
    """Yield the result of each choice; None if it does not resolve to the clause."""
    for literal in ordered(first):
        for theta1 in _places(literal, first - {literal}, clause, existing):
            pivot, covered = theta1.apply(literal), theta1.apply(first - {literal})
            if pivot in clause:
                continue
            for kept in subsets(ordered(covered)) if keep else [()]:
                literals = [*ordered((clause - covered) | set(kept)), pivot.negation()]
                replaceable = constants_of(literals) if terms is None else terms
                for inverse in inverse_substitutions(
                    literals, replaceable, separately, variables_of(clause | first)
                ):
                    new = inverse.apply(literals)
                    back = inverse.inverse()
                    again = covered | {back.apply(each) for each in new if each != new[-1]}
                    good = again == clause and back.apply(new[-1]) == pivot.negation()
                    second = frozenset(new)
                    result = InverseResolvent(clause, first, literal, theta1, inverse, second)
                    yield result if good else None


def _places(
    literal: Literal, others: frozenset[Literal], clause: frozenset[Literal], existing: bool
) -> Iterator[Substitution]:
    """Yield every θ1 that maps the other literals of C1 to literals of C."""
    wanted, targets = ordered(others), ordered(clause)
    taken = variables_of(clause | others | {literal})
    waiting: list[tuple[int, dict[Variable, Term]]] = [(0, {})]
    while waiting:
        place, bindings = waiting.pop()
        if place < len(wanted):
            for target in reversed(targets):
                more = matching(wanted[place], target)
                if more is not None and all(bindings.get(name, term) == term for name, term in more.items()):
                    waiting.append((place + 1, bindings | more))
            continue
        free = [name for name in variables_of(literal) if name not in bindings]
        supply = fresh_variables(taken)
        # Variables of C1 and C are distinct even if they have the same name.
        own: list[Term] = [next(supply) if name in variables_of(clause) else name for name in free]
        known = constants_of(targets) + variables_of(clause) if existing else ()
        for choice in product(*([mine, *known] for mine in own)):
            yield Substitution(bindings | dict(zip(free, choice, strict=True)))


def _different(found: Iterable[InverseResolvent]) -> list[InverseResolvent]:
    """Drop results that are variants of others."""
    alike: dict[frozenset[tuple[Literal, int]], list[InverseResolvent]] = {}
    kept = []
    for each in found:
        # Variants are equal once their variables are anonymised, so only such clauses are compared.
        blank = Substitution(dict.fromkeys(variables_of(each.second), Variable("_")))
        others = alike.setdefault(frozenset(Counter(map(blank.apply, each.second)).items()), [])
        if not any(variants(each.second, other.second) for other in others):
            others.append(each)
            kept.append(each)
    return kept
