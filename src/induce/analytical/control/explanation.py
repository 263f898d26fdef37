"""Explanations of planner failures: facts that cannot become true unless something else happens first.

An explanation is a set of false facts that is closed under the operators. Each operator that would add one of
them either requires another one of them, or requires the goal itself, or undoes a goal to be kept. By
induction over the steps of any plan, none of them becomes true. The proof uses operators with variables, so
it holds in every problem of the domain; the conflict found in the search only selects the proof to try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, count

from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Term, Variable
from induce.logic.unification import unify
from induce.planning.control import Absence
from induce.planning.domains import EQUALS, OBJECT, Operator
from induce.planning.grounding import Task
from induce.planning.matching import World

MOST_FACTS = 8
"""Maximum number of fact patterns in an explanation; longer explanations are abandoned."""


@dataclass(frozen=True)
class Explanation:
    """Proof that a fact can never become true.

    Parameters
    ----------
    absent : tuple of Absence
        Facts that must be false initially; the first is the fact explained.
    types : tuple of Literal
        Object types that the proof relies on.
    functions : tuple of (str, int)
        Static predicates in which one argument is a function of the others, as the proof assumes.
    """

    absent: tuple[Absence, ...]
    types: tuple[Literal, ...]
    functions: tuple[tuple[str, int], ...] = ()


def reachable(task: Task, state: int, goal: int = 0, kept: int = 0, kept_away: int = 0) -> int:
    """Return the facts reachable from a state if nothing is ever deleted (delete relaxation).

    Parameters
    ----------
    task : Task
    state : int
    goal : int
        Facts that no action may require, because they are the purpose of the plan.
    kept, kept_away : int
        Facts that no action may delete, and facts that no action may add.
    """
    allowed = [
        one for one in task.actions if not (one.needs & goal or one.deletes & kept or one.adds & kept_away)
    ]
    known = state
    while True:
        left = []
        before = known
        for action in allowed:
            if action.needs & known == action.needs:
                known |= action.adds
            else:
                left.append(action)
        if known == before:
            return known
        allowed = left


class Explainer:
    """Explainer, for one problem, of why facts can never become true.

    Parameters
    ----------
    world : World
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.numbers = count(1)
        self.used: set[tuple[str, int]] = set()

    def explain(
        self, start: Literal, can_hold: int, goal: Literal | None = None, kept: Literal | None = None
    ) -> Explanation | None:
        """Return a proof that a fact can never become true; None if no proof is found.

        Parameters
        ----------
        start : Literal
        can_hold : int
            Facts that `reachable` returned for the state.
        goal : Literal, optional
            Facts that no step may require.
        kept : Literal, optional
            Facts that no step may undo.
        """
        self.start, self.goal, self.kept, self.can_hold = start, goal, kept, can_hold
        self.used = set()
        waiting = [Absence(start)]
        found: list[Absence] = []
        types: dict[Literal, None] = {}
        while waiting:
            absence = waiting.pop(0)
            if any(covers(one, absence) for one in found):
                continue
            found.append(absence)
            if len(found) > MOST_FACTS:
                return None
            for operator, where in self._adding(absence, types):
                blocked = self._blocked(operator, where, [*found, *waiting])
                if blocked is None:
                    return None
                waiting.extend(blocked)
        return Explanation(tuple(found), tuple(types), tuple(sorted(self.used)))

    def _adding(
        self, absence: Absence, types: dict[Literal, None]
    ) -> Iterator[tuple[Operator, tuple[Literal, ...]]]:
        """Yield the operators that add an instance of an absence, with their static conditions."""
        things = self.world.problem.things
        for operator in self.world.problem.domain.operators:
            for effect in operator.adds:
                if effect.predicate != absence.literal.predicate:
                    continue
                number = next(self.numbers)
                names = {one: Variable(f"{one.name}_{number}") for one in operator.parameters}
                fresh = operator.applied(Substitution(names))
                theta = unify(Substitution(names).apply(effect), absence.literal)
                if theta is None:
                    continue
                where = [*map(theta.apply, absence.where)]
                fits = True
                for variable, kind in zip(fresh.parameters, fresh.types, strict=True):
                    term = theta.apply(variable)
                    if isinstance(term, Variable):
                        if kind != OBJECT:
                            where.append(Literal(f":{kind}", (term,)))
                    elif isinstance(term, Constant) and term.value not in things.get(kind, ()):
                        fits = False
                        types[Literal(f":{kind}", (term,), True)] = None
                if not fits:
                    continue
                instance = fresh.applied(theta)
                where += [one for one in instance.preconditions if one.name not in self.world.changing]
                same = self._determined(where)
                instance, where = instance.applied(same), list(dict.fromkeys(map(same.apply, where)))
                equal = [one for one in where if one.name == EQUALS and (one.ground or _trivial(one))]
                typed = self._typed([one for one in where if not one.ground], instance.preconditions)
                if typed is not None and all(_trivial(one) != one.negated for one in equal):
                    yield instance, typed

    def _typed(self, where: list[Literal], needed: tuple[Literal, ...]) -> tuple[Literal, ...] | None:
        """Return conditions with the most specific type of each variable; None if two types are disjoint."""
        domain = self.world.problem.domain
        lowest: dict[Term, str] = {}
        for one in (*where, *needed):
            kinds = (one.name[1:],) if one.name.startswith(":") else domain.predicates.get(one.name, ())
            for term, kind in zip(one.arguments, kinds, strict=False):
                if not isinstance(term, Variable) or kind == OBJECT:
                    continue
                other = lowest.setdefault(term, kind)
                if kind not in domain.above(other):
                    if other not in domain.above(kind):
                        return None
                    lowest[term] = kind
        typed = [Literal(f":{kind}", (term,)) for term, kind in lowest.items()]
        return (*(one for one in where if not one.name.startswith(":")), *typed)

    def _determined(self, where: list[Literal]) -> Substitution:
        """Return the equalities implied by functional static predicates: for example, a place is in only one city."""
        theta = Substitution()
        grown = True
        while grown:
            grown = False
            for one, other in combinations([theta.apply(each) for each in where], 2):
                if one.predicate != other.predicate:
                    continue
                differing = [
                    place
                    for place, (mine, its) in enumerate(zip(one.arguments, other.arguments, strict=True))
                    if mine != its
                ]
                if len(differing) == 1 and (one.name, *differing) in self.world.functions:
                    (place,) = differing
                    more = unify(one.arguments[place], other.arguments[place])
                    if more is not None:
                        theta = theta.compose(more)
                        self.used.add((one.name, place))
                        grown = True
                        break
        return theta

    def _blocked(
        self, operator: Operator, where: tuple[Literal, ...], known: list[Absence]
    ) -> list[Absence] | None:
        """Return required facts that cannot hold; empty if the operator is impossible, None if it is possible."""
        if self.goal in operator.preconditions or self.start in operator.preconditions:
            return []
        if self.kept is not None and _undoes(operator, self.kept):
            return []
        needed = [one for one in operator.preconditions if one.name != EQUALS and not one.negated]
        needed.sort(key=lambda one: one.name not in self.world.changing)
        # an operator that requires the goal, or the fact to be proved impossible, is blocked in that case,
        # which is split off
        split: Substitution | None = None
        for one in needed:
            for literal in (self.goal, self.start, self.kept):
                theta = None if literal is None else unify(one, literal)
                if theta is None or len(theta) != 1 or not self._fits(theta, where):
                    continue
                if (
                    literal is not None
                    and literal is self.kept
                    and not _undoes(operator.applied(theta), literal)
                ):
                    split = theta
                    continue
                ((variable, value),) = theta.items()
                where = (*where, Literal(EQUALS, (variable, value), True))
        plain = self._one_of(operator, needed, where, known)
        if plain is not None or split is None:
            return plain
        # two cases: the operator requires the kept goal, or another fact
        ((variable, value),) = split.items()
        other = self._one_of(
            operator, needed, (*where, Literal(EQUALS, (variable, value), True)), known, True
        )
        if other is None:
            return None
        special = tuple(one for one in map(split.apply, where) if not one.ground)
        same = self._blocked(operator.applied(split), special, known + other)
        return None if same is None else other + same

    def _fits(self, theta: Substitution, where: tuple[Literal, ...]) -> bool:
        """Return whether objects have the types of the variables that they replace."""
        for one in where:
            if one.name.startswith(":") and one.arguments[0] in theta:
                value = theta.apply(one.arguments[0])
                things = self.world.problem.things.get(one.name[1:], ())
                if isinstance(value, Constant) and value.value not in things:
                    return False
        return True

    def _one_of(
        self,
        operator: Operator,
        needed: list[Literal],
        where: tuple[Literal, ...],
        known: list[Absence],
        apart: bool = False,
    ) -> list[Absence] | None:
        """Return a condition that cannot hold; an empty tuple if it is already known, None if there is none."""
        choices = [self._absence(one, where) for one in needed]
        for absence in choices:
            if any(covers(one, absence) for one in known):
                return []
        for absence in choices:
            if (apart or self._kept_apart(operator, absence)) and not self._possible(absence):
                return [absence]
        return None

    def _absence(self, literal: Literal, where: tuple[Literal, ...]) -> Absence:
        """Return the absence of a literal, without types implied by its predicates."""
        connected = _connected(literal, where)
        implied: set[Literal] = set()
        domain = self.world.problem.domain
        for one in (literal, *connected):
            kinds = domain.predicates.get(one.name, ())
            for term, kind in zip(one.arguments, kinds, strict=False):
                implied |= {Literal(f":{above}", (term,)) for above in domain.above(kind)}
        return Absence(literal, tuple(one for one in connected if one not in implied))

    def _kept_apart(self, operator: Operator, absence: Absence) -> bool:
        """Return whether the operator undoes the goal to be kept whenever it requires that goal."""
        if self.kept is None:
            return True
        theta = unify(absence.literal, self.kept)
        if theta is None or _undoes(operator.applied(theta), self.kept):
            return True
        return any(one.name == EQUALS and one.negated and _trivial(theta.apply(one)) for one in absence.where)

    def _possible(self, absence: Absence) -> bool:
        for fact in self.world.instances(absence, {}):
            bit = self.world.bits.get(fact)
            if fact in (self.goal, self.kept):
                continue
            if bit is None or bit & self.can_hold:
                return True
        return False


def _trivial(literal: Literal) -> bool:
    return literal.arguments[0] == literal.arguments[1]


def _undoes(operator: Operator, goal: Literal) -> bool:
    if goal.negated:
        return goal.negation() in operator.adds
    return goal in operator.deletes and goal not in operator.adds


def _connected(literal: Literal, where: tuple[Literal, ...]) -> tuple[Literal, ...]:
    """Return the conditions connected, directly or indirectly, to the variables of a literal."""
    variables = set(literal.variables())
    found: dict[Literal, None] = {}
    grown = True
    while grown:
        grown = False
        for one in where:
            if one not in found and variables.intersection(one.variables()):
                found[one] = None
                variables.update(one.variables())
                grown = True
    return tuple(one for one in where if one in found)


def covers(general: Absence, special: Absence) -> bool:
    """Return whether all facts of one absence are among those of another."""

    def extended(
        pairs: list[tuple[Literal, tuple[Literal, ...]]], theta: Mapping[Variable, Term]
    ) -> Iterator[bool]:
        if not pairs:
            yield True
            return
        (one, options), rest = pairs[0], pairs[1:]
        for option in options:
            if one.predicate != option.predicate or one.negated != option.negated:
                continue
            found = dict(theta)
            if all(
                (found.setdefault(mine, other) == other) if isinstance(mine, Variable) else mine == other
                for mine, other in zip(one.arguments, option.arguments, strict=True)
            ):
                yield from extended(rest, found)

    pairs = [(general.literal, (special.literal,)), *((one, special.where) for one in general.where)]
    return next(extended(pairs, {}), False)
