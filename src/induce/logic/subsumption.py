"""θ-subsumption, equivalence and reduction of clauses (Mitchell §10.7.4; Plotkin 1970)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, overload

from induce.logic.clauses import Clause, Literal
from induce.logic.constraints import ConstraintTable, Network
from induce.logic.folding import Part, folded
from induce.logic.parsing import parse_clause
from induce.logic.substitution import Substitution, ordered, rebuilt
from induce.logic.terms import Term, Variable, is_ground
from induce.logic.unification import matching

Disjunction: TypeAlias = Clause | frozenset[Literal]
"""Horn clause, or any clause as the set of literals of its disjunction."""
ClauseLike: TypeAlias = Disjunction | str
"""The same, or the text of a Horn clause."""

_Key: TypeAlias = tuple[str, Literal]


def theta_subsumes(
    general: ClauseLike, special: ClauseLike, *, max_steps: int | None = None
) -> Substitution | None:
    """Return a θ that maps the literals of one clause to literals of another, or None.

    The problem is NP-complete. Determinate literals are handled first: a literal with a single match fixes
    its variables, and so on. The rest is solved by search, starting with the variable with the fewest
    candidate terms. Groups of literals that share no open variable are searched separately.

    Parameters
    ----------
    general, special : Clause, str or frozenset of Literal
        Clauses. Between two Horn clauses, heads are mapped to heads, body literals to body literals, and
        negated body literals to negated body literals. A set of literals is read as a disjunction of
        classical logic, and so is a Horn clause compared with one. The two may use the same variable names.
    max_steps : int, optional
        Maximum number of terms tried for variables; if that does not decide the question, an `InputError` is
        raised.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> mother = parse_clause("mother(X, Y) :- father(X, Z), spouse(Z, Y).")
    >>> other = parse_clause("mother(X, louise) :- father(X, bob), spouse(bob, louise), female(X).")
    >>> print(theta_subsumes(mother, other))
    {Y/louise, Z/bob}
    >>> theta_subsumes(other, mother) is None
    True
    """
    general, special = parsed(general), parsed(special)
    if not isinstance(general, Clause) or not isinstance(special, Clause):
        general, special = disjunction(general), disjunction(special)
    problem = _Problem(_parts(general), _parts(special), max_steps=max_steps)
    return problem.theta()


def equivalent(one: ClauseLike, other: ClauseLike, *, max_steps: int | None = None) -> bool:
    """Return whether two clauses θ-subsume each other.

    Parameters
    ----------
    one, other : Clause, str or frozenset of Literal
        Clauses to compare.
    max_steps : int, optional
        Maximum number of search steps, as for `theta_subsumes`.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> equivalent(parse_clause("p(X) :- q(X, Y), q(X, Z)."), parse_clause("p(A) :- q(A, B)."))
    True
    """
    return (
        theta_subsumes(one, other, max_steps=max_steps) is not None
        and theta_subsumes(other, one, max_steps=max_steps) is not None
    )


def variants(one: ClauseLike, other: ClauseLike, *, max_steps: int | None = None) -> bool:
    """Return whether two clauses differ only in variable names (and in the order of literals).

    Parameters
    ----------
    one, other : Clause, str or frozenset of Literal
        Clauses to compare.
    max_steps : int, optional
        Maximum number of search steps, as for `theta_subsumes`.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> variants(parse_clause("p(X) :- q(X, Y), r(Y)."), parse_clause("p(A) :- r(B), q(A, B)."))
    True
    >>> variants(parse_clause("p(X) :- q(X, Y)."), parse_clause("p(X) :- q(X, X)."))
    False
    """
    one, other = parsed(one), parsed(other)
    if not isinstance(one, Clause) or not isinstance(other, Clause):
        one, other = disjunction(one), disjunction(other)
    mine, others = _parts(one), _parts(other)
    if len(mine) != len(others):
        return False
    return _Problem(mine, others, renaming=True, max_steps=max_steps).theta() is not None


@overload
def reduced(clause: Clause | str, *, max_steps: int | None = None) -> Clause: ...
@overload
def reduced(clause: frozenset[Literal], *, max_steps: int | None = None) -> frozenset[Literal]: ...
def reduced(clause: ClauseLike, *, max_steps: int | None = None) -> Disjunction:
    """Return the smallest clause equivalent to a given one, without redundant literals.

    The remaining literals are unchanged and in the same order. First, variables that can be replaced by
    another term are folded into it, which is inexpensive. Then the removal of each remaining literal is
    tried.

    Parameters
    ----------
    clause : Clause, str or frozenset of Literal
        Clause to reduce.
    max_steps : int, optional
        Maximum number of search steps per subsumption query, as for `theta_subsumes`.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(reduced(parse_clause("p(X) :- q(X, Y), q(X, a), r(Z), r(a).")))
    p(X) :- q(X, a), r(a).
    """
    clause = parsed(clause)
    parts = folded(_parts(clause))
    # a literal that is necessary in a clause is necessary in every equivalent subset of it
    needed: set[Part] = set()
    while (fewer := _retracted(parts, needed, max_steps)) is not None:
        parts = folded(fewer)
    left = set(parts)
    if isinstance(clause, Clause):
        body = dict.fromkeys(literal for literal in clause.body if (_place(literal), literal) in left)
        return Clause(clause.head, tuple(body))
    return frozenset(literal for _, literal in parts)


def parsed(clause: ClauseLike) -> Disjunction:
    """Return a clause that may be given as text."""
    return parse_clause(clause) if isinstance(clause, str) else clause


def disjunction(clause: ClauseLike) -> frozenset[Literal]:
    """Return a clause as the set of literals of its disjunction.

    A literal under negation as failure is read as a negative literal.
    """
    clause = parsed(clause)
    return clause.literals() if isinstance(clause, Clause) else clause


def _place(literal: Literal) -> str:
    return "unproved" if literal.negated else "body"


def _parts(clause: Disjunction) -> list[Part]:
    if isinstance(clause, Clause):
        head = [] if clause.head is None else [("head", clause.head)]
        return head + list(dict.fromkeys((_place(literal), literal) for literal in clause.body))
    return [("negative" if literal.negated else "positive", literal) for literal in ordered(clause)]


def _retracted(parts: list[Part], needed: set[Part], max_steps: int | None) -> list[Part] | None:
    """Return a proper subset of literals to which some θ maps all of them, or None if all are needed."""
    problem = _Problem(parts, parts, max_steps=max_steps)
    gone: set[Part] = set()
    for places in problem.network.groups():
        group = {problem.asked[place] for place in places}
        # a whole group may be redundant, so it is tried before its individual literals
        for out in [group, *({problem.asked[place]} for place in places)]:
            if out.isdisjoint(needed):
                image = problem.image(places, out)
                if image is not None:
                    problem.leave(group - image)
                    gone |= group - image
                    break
                if len(out) == 1:
                    needed |= out
    return [part for part in parts if part not in gone] if gone else None


class _Problem:
    """Constraint network for the existence of a θ that maps some literals to others.

    All literals of the same shape share one table, which holds the terms at their places.
    """

    def __init__(
        self,
        general: Sequence[Part],
        special: Sequence[Part],
        *,
        renaming: bool = False,
        max_steps: int | None = None,
    ) -> None:
        self._special: dict[tuple[str, str, int], list[Literal]] = {}
        for part in special:
            self._special.setdefault(_kind(part), []).append(part[1])
        self._numbers: dict[Term, int] = {}
        self._terms: list[Term] = []
        self._tables: dict[_Key, tuple[ConstraintTable, dict[Literal, int]]] = {}
        self._keys: list[_Key] = []
        self._left_out: dict[_Key, int] = {}
        names = dict.fromkeys(variable for _, literal in general for variable in literal.variables())
        self.variables = {variable: number for number, variable in enumerate(names)}
        self.asked = [part for part in general if not part[1].ground]
        self.network = Network(len(self.variables), different=renaming, max_steps=max_steps)
        known = set(special)
        self.possible = all(part in known for part in general if part[1].ground)
        for part in self.asked:
            self._add(part, renaming)
        self.possible = self.possible and self.network.settle()

    def _number(self, term: Term) -> int:
        number = self._numbers.setdefault(term, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
        return number

    def _add(self, part: Part, renaming: bool) -> None:
        shape, filling = _shape(part[1])
        self._keys.append((part[0], shape))
        table = self._table(part, shape, len(filling))
        rows = table.all
        columns: dict[Variable, int] = {}
        for column, term in enumerate(filling):
            if not isinstance(term, Variable):
                number = self._numbers.get(term)
                rows &= 0 if number is None else table.holding[column].get(number, 0)
            elif term in columns:
                rows &= table.same(columns[term], column)
            else:
                columns[term] = column
                if renaming:
                    rows &= sum(
                        holding
                        for number, holding in table.holding[column].items()
                        if isinstance(self._terms[number], Variable)
                    )
        self.network.add(table, rows, [(self.variables[name], column) for name, column in columns.items()])

    def _table(self, part: Part, shape: Literal, width: int) -> ConstraintTable:
        key = (part[0], shape)
        if key not in self._tables:
            names = [Variable(f"_{place}") for place in range(width)]
            rows = {}
            for literal in self._special.get(_kind(part), ()):
                bindings = matching(shape, literal)
                if bindings is not None:
                    rows[literal] = tuple(self._number(bindings[name]) for name in names)
            places = {literal: place for place, literal in enumerate(rows)}
            self._tables[key] = ConstraintTable(list(rows.values()), width), places
        return self._tables[key][0]

    def theta(self) -> Substitution | None:
        """Return a θ, or None."""
        solution = self.network.solution() if self.possible else None
        return None if solution is None else self._theta(solution)

    def _theta(self, solution: Sequence[int | None]) -> Substitution:
        return Substitution(
            {
                variable: self._terms[number]
                for variable, place in self.variables.items()
                if (number := solution[place]) is not None
            }
        )

    def image(self, places: Sequence[int], out: set[Part]) -> set[Part] | None:
        """Return images of the literals at `places` that avoid the literals in `out`; None if there are none."""
        barred = {
            key: self._left_out.get(key, 0) | self._rows(key, out)
            for key in {self._keys[at] for at in places}
        }
        solution = self.network.solution(places, {place: barred[self._keys[place]] for place in places})
        if solution is None:
            return None
        theta = self._theta(solution)
        return {(self.asked[place][0], theta.apply(self.asked[place][1])) for place in places}

    def leave(self, out: set[Part]) -> None:
        """Permanently exclude the given literals as images."""
        for key in self._tables:
            self._left_out[key] = self._left_out.get(key, 0) | self._rows(key, out)

    def _rows(self, key: _Key, parts: set[Part]) -> int:
        _, rows = self._tables[key]
        return sum(1 << rows[literal] for where, literal in parts if where == key[0] and literal in rows)


def _kind(part: Part) -> tuple[str, str, int]:
    place, literal = part
    return place, literal.name, len(literal.arguments)


def _shape(literal: Literal) -> tuple[Literal, list[Term]]:
    """Return the shape of a literal, with a distinct variable at every place, and the terms at these places.

    A place is a variable or ground argument, or a variable or ground part within another argument.
    """
    filling: list[Term] = []

    def place(term: Term) -> Variable:
        filling.append(term)
        return Variable(f"_{len(filling) - 1}")

    arguments: list[Term] = []
    for argument in literal.arguments:
        if isinstance(argument, Variable) or is_ground(argument):
            arguments.append(place(argument))
        else:
            arguments.append(rebuilt(argument, place, {}))
    return Literal(literal.name, tuple(arguments), literal.negated), filling
