"""Unfolding: all derivations of a literal from a theory, without any example (Mitchell §11.3.4).

LEMMA-ENUMERATOR, partial evaluation and learners initialised from a theory build on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.domain_theory import DomainTheory
from induce.logic.library import is_built_in
from induce.logic.substitution import Substitution, fresh_variables, renaming_apart, variables_of
from induce.logic.terms import Function, Term, Variable
from induce.logic.unification import unify

Choice = Callable[[Literal, Sequence[Clause]], Sequence[Clause]]
"""Function that selects the clauses to unfold for a literal, among those whose heads unify with it."""

CLOSED = -1
"""Level of a literal that is not unfolded although its predicate is not operational."""


@dataclass(frozen=True)
class Derivation(Explained):
    """Clause that follows from a theory, and the clauses that it was derived from.

    Parameters
    ----------
    clause : Clause
        Derived clause, whose body is operational.
    rules : tuple of int
        Indices in the theory of the clauses used, in order of use.
    """

    clause: Clause
    rules: tuple[int, ...]


def unfold(
    theory: DomainTheory,
    goal: Literal | None = None,
    *,
    depth: int | None = None,
    choose: Choice | None = None,
    simplify: bool = True,
) -> Iterator[Derivation]:
    """Yield all derivations of a goal from a theory alone, each as a clause with an operational body.

    A negated literal is unfolded if its definition is a disjunction of single literals. Otherwise it is kept,
    and depends on the clauses of its predicate (`definitions`).

    Parameters
    ----------
    theory : DomainTheory
        Theory to unfold.
    goal : Literal, optional
        Goal; by default the target with distinct variables.
    depth : int, optional
        Maximum number of clauses on the path from the goal to a leaf; required for recursive theories.
    choose : function of a literal and its clauses, optional
        Function that returns the clauses to unfold.
    simplify : bool, default=True
        Whether to evaluate ground built-in literals: true ones are dropped, and so are clauses with a false
        one.

    Examples
    --------
    >>> theory = DomainTheory('''
    ...     housemates(X, Y) :- family(X, Y).
    ...     housemates(X, Y) :- fraternity_brothers(X, Y).
    ...     family(X, Y) :- married(X, Y).
    ...     family(X, Y) :- mother(X, Z), mother(Y, Z).
    ... ''', "housemates")
    >>> for derivation in unfold(theory):
    ...     print(derivation.clause)
    housemates(X, Y) :- married(X, Y).
    housemates(X, Y) :- mother(X, Z), mother(Y, Z).
    housemates(X, Y) :- fraternity_brothers(X, Y).
    """
    goal = goal if goal is not None else general_goal(theory)
    endless = recursive_below(theory, goal.predicate) if depth is None else None
    if endless is not None:
        from induce.logic.stratification import written

        name = written(endless)
        raise InputError(f"{name} is recursive, so it has infinitely many derivations; give a depth")
    numbers = {id(clause): number for number, clause in enumerate(theory.program)}
    first = _State(goal, ((goal, 0),), ())
    waiting = [first]
    while waiting:
        state = waiting.pop()
        place = next(
            (
                n
                for n, (one, level) in enumerate(state.frontier)
                if level != CLOSED and not theory.is_operational(one.predicate)
            ),
            None,
        )
        if place is None:
            clause = Clause(state.head, tuple(dict.fromkeys(one for one, _ in state.frontier)))
            kept = simplified(clause) if simplify else clause
            if kept is not None:
                yield Derivation(kept, state.rules)
            continue
        literal, level = state.frontier[place]
        if literal.negated:
            waiting.append(state.replaced(place, denied(literal, theory, depth), level + 1))
            continue
        if depth is not None and level >= depth:
            continue
        clauses = theory.program.by_predicate[literal.predicate]
        fitting = [one for one in clauses if one.head is not None and _unifies(one.head, literal)]
        taken = fitting if choose is None else choose(literal, fitting)
        for clause in reversed(list(taken)):
            further = state.resolved(place, clause, numbers[id(clause)])
            if further is not None:
                waiting.append(further)


def partially_evaluated(
    theory: DomainTheory, *, depth: int | None = None, max_clauses: int = 10_000
) -> DomainTheory:
    """Return a theory with the same consequences, whose target is defined by flat clauses (AL-7).

    Every derivation of the target becomes one clause, and negations that cannot be unfolded keep the clauses
    they depend on. There may be many more clauses than in the theory, but each proves the target in a single
    inference.

    Parameters
    ----------
    theory : DomainTheory
        Theory to evaluate.
    depth : int, optional
        Maximum number of clauses from the target to a leaf; required for a recursive theory, whose deeper
        derivations are lost.
    max_clauses : int, default=10_000
        Maximum number of clauses; beyond it an error is raised.

    Examples
    --------
    >>> theory = DomainTheory("p(X) :- q(X), \\\\+ r(X). q(X) :- s(X). q(X) :- t(X). r(X) :- u(X), v(X).", "p")
    >>> print(partially_evaluated(theory))
    p(X) :- s(X), \\+ r(X).
    p(X) :- t(X), \\+ r(X).
    r(A) :- u(A), v(A).
    """
    clauses: dict[Clause, None] = {}
    helpers: dict[Clause, None] = {}
    for derivation in unfold(theory, depth=depth):
        clauses[derivation.clause] = None
        for literal in derivation.clause.body:
            if literal.negated and not theory.is_operational(literal.predicate):
                helpers |= dict.fromkeys(definitions(theory, literal, depth))
        if len(clauses) > max_clauses:
            raise InputError(
                f"the theory has more than {max_clauses:,} derivations; learn those that occur with PrologEBG instead"
            )
    if not clauses:
        raise InputError(
            "no derivation of the target can hold, so there is nothing to evaluate; check its clauses"
        )
    text = "\n".join(map(str, (*clauses, *helpers)))
    name, arity = theory.predicate
    return DomainTheory(text, f"{name}/{arity}", theory.operational)


@dataclass(frozen=True)
class _State:
    """Unfinished derivation: its remaining literals, with the number of clauses above each."""

    head: Literal
    frontier: tuple[tuple[Literal, int], ...]
    rules: tuple[int, ...]

    def resolved(self, place: int, clause: Clause, number: int) -> _State | None:
        literal, level = self.frontier[place]
        taken = [*variables_of(self.head), *variables_of([one for one, _ in self.frontier])]
        apart = renaming_apart(clause.variables(), taken).apply(clause)
        assert apart.head is not None
        theta = unify(literal, apart.head)
        if theta is None:
            return None
        body = tuple((one, level + 1) for one in apart.body)
        frontier = (*self.frontier[:place], *body, *self.frontier[place + 1 :])
        return _State(
            theta.apply(self.head),
            tuple((theta.apply(one), at) for one, at in frontier),
            (*self.rules, number),
        )

    def replaced(self, place: int, literals: Sequence[Literal], level: int) -> _State:
        """Return the state with a literal replaced by others; the literal is final if it is among them."""
        new = tuple((one, CLOSED if one == self.frontier[place][0] else level) for one in literals)
        return _State(self.head, (*self.frontier[:place], *new, *self.frontier[place + 1 :]), self.rules)


def recursive_below(theory: DomainTheory, predicate: Predicate) -> Predicate | None:
    """Return a recursive predicate reachable from the clauses of a predicate; None if there is none."""
    waiting, seen = [predicate], {predicate}
    found = set()
    while waiting:
        here = waiting.pop()
        if here in theory.recursive:
            found.add(here)
        for clause in theory.program.by_predicate.get(here, ()):
            new = {one.predicate for one in clause.body if not theory.is_operational(one.predicate)} - seen
            seen |= new
            waiting.extend(new)
    return min(found, default=None)


def general_goal(theory: DomainTheory) -> Literal:
    """Return the target literal with distinct variables: those of its first clause if they are distinct."""
    name, arity = theory.predicate
    head = theory.program.by_predicate[theory.predicate][0].head
    if (
        head is not None
        and len({*head.arguments}) == arity
        and all(isinstance(one, Variable) for one in head.arguments)
    ):
        return head
    supply = fresh_variables()
    return Literal(name, tuple(next(supply) for _ in range(arity)))


def definitions(theory: DomainTheory, literal: Literal, depth: int | None = None) -> tuple[Clause, ...]:
    """Return flat clauses for the predicate of a literal, which its negation may need."""
    supply = fresh_variables()
    goal = Literal(literal.name, tuple(next(supply) for _ in literal.arguments))
    return tuple(derivation.clause for derivation in unfold(theory, goal, depth=depth))


def simplified(clause: Clause) -> Clause | None:
    """Return a clause without its true ground built-in literals; None if one of them is false.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(simplified(parse_clause("p(X) :- less_than(3, 5), q(X).")))
    p(X) :- q(X).
    >>> simplified(parse_clause("p(X) :- q(X), less_than(5, 5).")) is None
    True
    """
    from induce.logic.clauses import Program
    from induce.logic.prover import Prover

    kept = []
    for literal in dict.fromkeys(clause.body):
        if literal.ground and is_built_in(literal.predicate):
            if Prover(Program()).holds(literal):
                continue
            return None
        kept.append(literal)
    return Clause(clause.head, tuple(kept))


def features(clause: Clause) -> tuple[str, ...]:
    """Return the constraints on derived values in a clause, such as ``times(V, D) < 5`` (AL-6).

    A value that is defined by an equation is replaced by its definition.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> features(parse_clause("safe(X) :- volume(X, V), density(X, D), equal(W, times(V, D)), less_than(W, 5)."))
    ('V * D < 5',)
    """
    signs = {"less_than": "<", "greater_than": ">", "equal": "=", "plus": "+", "minus": "-", "times": "*"}

    def plain(term: Term) -> Term:
        if isinstance(term, Function):
            return Function(signs.get(term.name, term.name), tuple(map(plain, term.arguments)))
        return term

    values: dict[Variable, Term] = {}
    tests: list[Literal] = []
    for literal in clause.body:
        if not is_built_in(literal.predicate):
            continue
        defined = literal.arguments[0] if literal.arguments else None
        if literal.name in ("equal", "is") and isinstance(defined, Variable) and not literal.negated:
            values[defined] = literal.arguments[1]
        else:
            tests.append(literal)
    theta = Substitution(values)
    for _ in values:  # a value may be defined in terms of other values
        theta = theta.compose(theta)
    found = []
    for test in map(theta.apply, tests):
        arguments = tuple(map(plain, test.arguments))
        found.append(str(Literal(signs.get(test.name, test.name), arguments, test.negated)))
    return tuple(found)


def _unifies(head: Literal, literal: Literal) -> bool:
    apart = renaming_apart(variables_of(head), variables_of(literal)).apply(head)
    return unify(literal, apart) is not None


def denied(literal: Literal, theory: DomainTheory, depth: int | None = None) -> tuple[Literal, ...]:
    """Return literals that all hold when a negated literal is true."""
    positive = literal.negation()
    mine = set(variables_of(positive))
    denials: list[Literal] = []
    for derivation in unfold(theory, positive, depth=depth):
        clause = derivation.clause
        bound = clause.head != positive
        if bound or len(clause.body) != 1 or not set(variables_of(clause.body[0])) <= mine:
            return (literal,)
        denials.append(clause.body[0].negation())
    return tuple(dict.fromkeys(denials))
