"""Matching of control rules: conditions become bit masks, cached per choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any

from induce.logic.clauses import Literal
from induce.logic.terms import Constant, Term, Variable
from induce.planning.control import BEFORE, PREFER, REJECT, Absence, ControlRule
from induce.planning.domains import EQUALS, PlanningProblem
from induce.planning.grounding import Action, Task

MOST_MATCHES = 1_000
"""Maximum number of matches of a rule at one choice; a rule with more matches is not consulted."""
Bindings = Mapping[Variable, Term]
Test = tuple[int, int, int]
"""Index of a rule, the bits that must be set, and the bits that must be clear."""


class Matcher:
    """Rules prepared for one task, with the conditions of each rule cached per choice.

    Parameters
    ----------
    rules : sequence of ControlRule
    problem : PlanningProblem
    task : Task

    Attributes
    ----------
    n_tests : list of int
        Number of states tested for each rule.
    n_used : list of int
        Number of choices decided by each rule.
    n_matched : list of int
        Number of choices that each rule fits, plus the number of matches of its facts at these choices.
    n_looked : list of int
        Number of facts examined to find these matches and the matches of absence conditions. It grows with
        the problem and varies strongly between rules.
    """

    def __init__(self, rules: Sequence[ControlRule], problem: PlanningProblem, task: Task) -> None:
        self.rules, self.task = tuple(rules), task
        self.world = World(problem, task)
        self.n_tests, self.n_used, self.n_matched, self.n_looked = ([0] * len(rules) for _ in range(4))
        self.orders: dict[tuple[str, bool, str, bool], list[_Ready]] = {}
        self.by_operator: dict[tuple[str, bool, str], list[_Ready]] = {}
        for number, rule in enumerate(rules):
            ready, goal = _Ready(rule, number, self), rule.goal_literal
            if rule.kind == BEFORE:
                names = (goal.name, goal.negated, rule.first.name, rule.first.negated)
                self.orders.setdefault(names, []).append(ready)
            else:
                self.by_operator.setdefault((goal.name, goal.negated, rule.chosen[0]), []).append(ready)
        self.speaks_of = {(name, negated) for name, negated, _ in self.by_operator}
        self.concerned: dict[int, bool] = {}
        self.pairs: dict[tuple[int, int], tuple[Test, ...]] = {}
        self.choices: dict[tuple[int, int], _Choice] = {}
        self.sorted: dict[tuple[int, ...], list[int]] = {}
        self.ordering: dict[tuple[int, ...], list[tuple[int, int, tuple[Test, ...]]]] = {}

    def __len__(self) -> int:
        return len(self.rules)

    def goals(self, state: int, pending: list[int]) -> list[int]:
        """Sort goals so that none precedes one that a rule puts first."""
        if not self.orders:
            return pending
        key = tuple(pending)
        known = self.sorted.get(key)
        if known is not None:
            return known
        ordering = self.ordering.get(key)
        if ordering is None:
            # most pairs of goals have no rule; only pairs with a rule are tested again in other states
            ordering = self.ordering[key] = [
                (later, first, tests)
                for later, first in product(pending, pending)
                if later != first and (tests := self._pair(later, first))
            ]
        after: dict[int, set[int]] = {goal: set() for goal in pending}
        fixed = True
        for later, first, tests in ordering:
            fixed &= not any(holds or not_holds for _, holds, not_holds in tests)
            if self._any(state, tests):
                after[later].add(first)
        found, left = [], list(pending)
        while left:
            # if rules contradict each other, the planner's own order decides
            chosen = next((goal for goal in left if not after[goal].intersection(left)), left[0])
            left.remove(chosen)
            found.append(chosen)
        if fixed:
            self.sorted[key] = found
        return found

    def actions(self, state: int, goal: int, candidates: Sequence[int]) -> Iterable[int]:
        """Yield the actions that no rule rejects, preferred ones first.

        Rejections are tested only when an action is reached, because the first one usually succeeds.
        """
        concerned = self.concerned.get(goal)
        if concerned is None:
            name = self.task.facts[goal // 2].name
            concerned = self.concerned[goal] = (name, goal % 2 == 1) in self.speaks_of
        return self._advised(state, goal, candidates) if concerned else candidates

    def _advised(self, state: int, goal: int, candidates: Sequence[int]) -> Iterator[int]:
        known = [self.choices.get((goal, action)) or self._choice(goal, action) for action in candidates]
        preferred = [bool(one.prefers) and self._any(state, one.prefers) for one in known]
        for wanted in (True, False) if any(preferred) else (False,):
            for action, choice, first in zip(candidates, known, preferred, strict=True):
                if first is wanted and not (choice.rules and self._any(state, choice.rejects)):
                    yield action

    def _any(self, state: int, tests: tuple[Test, ...]) -> bool:
        for rule, holds, not_holds in tests:
            self.n_tests[rule] += 1
            if state & holds == holds and not state & not_holds:
                self.n_used[rule] += 1
                return True
        return False

    def _pair(self, later: int, first: int) -> tuple[Test, ...]:
        known = self.pairs.get((later, first))
        if known is None:
            one, other = self.world.goal(later), self.world.goal(first)
            names = (one.name, one.negated, other.name, other.negated)
            known = self.pairs[later, first] = tuple(
                test
                for ready in self.orders.get(names, ())
                for test in ready.tests(one.arguments, other.arguments)
            )
        return known

    def _choice(self, goal: int, action: int) -> _Choice:
        fact, one = self.task.facts[goal // 2], self.task.actions[action]
        rules = self.by_operator.get((fact.name, goal % 2 == 1, one.operator), ())
        found = self.choices[goal, action] = _Choice(rules, fact, one)
        return found


class _Choice:
    """Rules applicable to an action for a goal, matched on first use."""

    def __init__(self, rules: Sequence[_Ready], goal: Literal, action: Action) -> None:
        self.rules, self.goal, self.action = rules, goal, action

    def _tests(self, kind: str) -> tuple[Test, ...]:
        asked = [one for one in self.rules if one.rule.kind == kind]
        if not asked:
            return ()
        arguments = tuple(map(Constant, self.action.arguments))
        return tuple(test for one in asked for test in one.tests(self.goal.arguments, arguments))

    @cached_property
    def rejects(self) -> tuple[Test, ...]:
        """Matches under which a rule rejects the action."""
        return self._tests(REJECT)

    @cached_property
    def prefers(self) -> tuple[Test, ...]:
        """Matches under which a rule prefers the action."""
        return self._tests(PREFER)


class _Ready:
    """Rule prepared for a task: the slots of its variables, and the cached masks."""

    def __init__(self, rule: ControlRule, number: int, matcher: Matcher) -> None:
        self.rule, self.number, self.world = rule, number, matcher.world
        self.n_tests, self.n_matched, self.n_looked = matcher.n_tests, matcher.n_matched, matcher.n_looked
        world = self.world
        choice = rule.first.arguments if rule.kind == BEFORE else rule.chosen[1]
        pattern = (*rule.goal_literal.arguments, *choice)
        told = dict.fromkeys(one for one in pattern if isinstance(one, Variable))
        self.variables = tuple(told)
        slots = {variable: slot for slot, variable in enumerate(told)}
        # content of each argument position of goal and choice: the slot of a variable, or an object
        self.pattern = [slots.get(one, one) if isinstance(one, Variable) else one for one in pattern]
        self.usable = world.functions.issuperset(rule.determined)
        self.absences = [_ReadyAbsence(one, slots, world) for one in rule.absences]
        self.types: list[tuple[int, frozenset[str], bool]] = []
        self.held: list[Literal] = []
        for one in rule.held:
            variable = one.arguments[0] if one.name.startswith(":") else None
            if isinstance(variable, Variable) and variable in slots:
                things = frozenset(world.problem.things.get(one.name[1:], ()))
                self.types.append((slots[variable], things, one.negated))
            else:
                self.held.append(one)

    def tests(self, goal: Sequence[Term], choice: Sequence[Term]) -> list[Test]:
        """Return the matches of the rule's conditions for a goal and a choice."""
        if not self.usable:
            return []
        self.n_tests[self.number] += 3  # costs about as much as three tests
        values: list[Any] = [None] * len(self.variables)
        for place, term in zip(self.pattern, (*goal, *choice), strict=True):
            assert isinstance(term, Constant)
            value = term.value
            if isinstance(place, int):
                if values[place] is None:
                    values[place] = value
                elif values[place] != value:
                    return []
            elif not isinstance(place, Constant) or place.value != value:
                return []
        if len(set(values)) < len(values):
            return []  # different variables denote different objects
        if any((values[slot] in things) == negated for slot, things, negated in self.types):
            return []
        self.n_matched[self.number] += 1
        before = self.world.n_looked
        found = self._ways(values)
        self.n_looked[self.number] += self.world.n_looked - before
        return found

    def _ways(self, values: Sequence[Any]) -> list[Test]:
        """Return the facts that must be true, and those that must be false, per binding of the rule's variables."""
        not_holds = 0
        for absence in self.absences:
            mask = absence.mask(values)
            if mask is None:
                return []  # one of the facts that must be false always holds
            not_holds |= mask
        if not self.held:
            return [(self.number, 0, not_holds)]
        theta = dict(zip(self.variables, map(Constant, values), strict=True))
        ways = list(islice(self.world.ways(self.held, theta, 0, True), MOST_MATCHES + 1))
        self.n_matched[self.number] += len(ways)
        if len(ways) > MOST_MATCHES:
            return []
        return [(self.number, holds, not_holds) for _, holds in ways]


class _ReadyAbsence:
    """Facts that must be false, given a binding of the rule's variables.

    The facts of a predicate with an object at a given position form a mask. The facts of an absence are those
    with the rule's objects at their positions whose other arguments satisfy the conditions; both masks are
    cached.
    """

    def __init__(self, absence: Absence, slots: Mapping[Variable, int], world: World) -> None:
        self.world, self.absence = world, absence
        literal = absence.literal
        used = {each for one in (literal, *absence.where) for each in one.variables()}
        self.variables = [variable for variable in slots if variable in used]
        self.slots = [slots[variable] for variable in self.variables]
        own = [term for term in literal.arguments if isinstance(term, Variable) and term not in slots]
        self.own: dict[Variable, int] = {
            term: place
            for place, term in enumerate(literal.arguments)
            if isinstance(term, Variable) and term in own
        }
        self.simple = literal.name in world.changing and len(set(own)) == len(own)
        # a condition that only excludes one object at an argument position is a mask of its own
        self.unlike: list[tuple[int, Term]] = []
        self.where: list[Literal] = []
        for one in absence.where:
            if one.name == EQUALS and one.negated:
                left, right = one.arguments
                if (
                    isinstance(left, Variable)
                    and left in self.own
                    and (right in slots or not isinstance(right, Variable))
                ):
                    self.unlike.append((self.own[left], right))
                    continue
            self.where.append(one)
        inside = {each for one in self.where for each in one.variables()}
        self.asked = [variable for variable in self.variables if variable in inside]
        self.masks: dict[tuple[Any, ...], int | None] = {}
        self.allowed: dict[tuple[Term, ...], int] = {}

    def mask(self, values: Sequence[Any]) -> int | None:
        """Return the bits that must be clear; None if they include a fact that is always true."""
        key = tuple([values[slot] for slot in self.slots])
        if key in self.masks:
            return self.masks[key]
        theta: dict[Variable, Term] = dict(zip(self.variables, map(Constant, key), strict=True))
        found = self.masks[key] = self._mask(theta) if self.simple else self._listed(theta)
        return found

    def _mask(self, theta: Bindings) -> int:
        name = self.absence.literal.name
        found = self.world.masks.get(name, 0)
        for place, term in enumerate(self.absence.literal.arguments):
            if term not in self.own:
                value = theta[term] if isinstance(term, Variable) else term
                found &= self.world.masks.get((name, place, value), 0)
        for place, term in self.unlike:
            value = theta[term] if isinstance(term, Variable) else term
            found &= ~self.world.masks.get((name, place, value), 0)
        return found & self._allowed(theta) if self.where and found else found

    def _allowed(self, theta: Bindings) -> int:
        """Return the facts whose arguments satisfy the conditions."""
        key = tuple([theta[each] for each in self.asked])
        known = self.allowed.get(key)
        if known is None:
            name, known = self.absence.literal.name, 0
            bound = dict(zip(self.asked, key, strict=True))
            seen = set()
            for way, _ in self.world.ways(self.where, bound, 0, False):
                pairs = tuple([(place, way[term]) for term, place in self.own.items() if term in way])
                if pairs not in seen:
                    seen.add(pairs)
                    mask = self.world.masks.get(name, 0)
                    for place, value in pairs:
                        mask &= self.world.masks.get((name, place, value), 0)
                    known |= mask
            self.allowed[key] = known
        return known

    def _listed(self, theta: Bindings) -> int | None:
        found = 0
        for fact in self.world.instances(self.absence, theta):
            bit = self.world.bits.get(fact)
            if bit is None:
                return None
            found |= bit
        return found


class World:
    """Facts of a task by predicate, and matching of literals with variables."""

    def __init__(self, problem: PlanningProblem, task: Task) -> None:
        self.problem, self.task = problem, task
        self.bits = {fact: 1 << place for place, fact in enumerate(task.facts)}
        operators = problem.domain.operators
        self.changing = {one.name for each in operators for one in (*each.adds, *each.deletes)}
        self.masks: dict[object, int] = {}
        for fact, bit in self.bits.items():
            self.masks[fact.name] = self.masks.get(fact.name, 0) | bit
            for place, value in enumerate(fact.arguments):
                key = fact.name, place, value
                self.masks[key] = self.masks.get(key, 0) | bit
        self.n_looked = 0
        self.known: dict[object, list[Literal]] = {}
        static = sorted((one for one in problem.initial if one.name not in self.changing), key=str)
        for fact in (*task.facts, *static):
            self.known.setdefault(fact.name, []).append(fact)
            for place, value in enumerate(fact.arguments):
                self.known.setdefault((fact.name, place, value), []).append(fact)

    @cached_property
    def functions(self) -> frozenset[tuple[str, int]]:
        """Static predicates with the position of an argument determined by the others."""
        found = set()
        names = {name for name in self.known if isinstance(name, str) and name not in self.changing}
        for name in names:
            facts = self.known[name]
            for place in range(len(facts[0].arguments)):
                others = {one.arguments[:place] + one.arguments[place + 1 :] for one in facts}
                if len(facts[0].arguments) > 1 and len(others) == len(facts):
                    found.add((name, place))
        return frozenset(found)

    def candidates(self, literal: Literal, theta: Bindings) -> Sequence[Literal]:
        """Return candidate facts for a literal: the smallest of the sets selected by one of its arguments."""
        best: Sequence[Literal] = self.known.get(literal.name, ())
        for place, term in enumerate(literal.arguments):
            value = theta.get(term) if isinstance(term, Variable) else term
            if value is not None:
                found = self.known.get((literal.name, place, value), ())
                if len(found) < len(best):
                    best = found
        return best

    @cached_property
    def constants(self) -> frozenset[str]:
        """Objects common to all problems of the domain."""
        return frozenset(self.problem.domain.constants)

    def goal(self, goal: int) -> Literal:
        """Return the goal with a given number."""
        fact = self.task.facts[goal // 2]
        return fact.negation() if goal % 2 else fact

    def matched(
        self, general: Literal, fact: Literal, theta: Bindings, distinct: bool = True
    ) -> dict[Variable, Term] | None:
        """Return the injective variable binding that maps a literal to a fact, or None."""
        if (general.name, general.negated) != (fact.name, fact.negated):
            return None
        if len(general.arguments) != len(fact.arguments):
            return None
        found = dict(theta)
        for term, value in zip(general.arguments, fact.arguments, strict=True):
            if isinstance(term, Variable):
                if found.setdefault(term, value) != value:
                    return None
            elif term != value:
                return None
        if distinct and len(set(found.values())) < len(found):
            return None
        return found

    def ways(
        self, literals: Sequence[Literal], theta: Bindings, holds: int, distinct: bool
    ) -> Iterator[tuple[Bindings, int]]:
        if not literals:
            yield theta, holds
            return
        first, rest = literals[0], literals[1:]
        if rest:
            # the literal with the fewest candidates comes first
            first = min(literals, key=lambda one: self._breadth(one, theta))
            rest = [one for one in literals if one is not first]
        if first.name.startswith(":") or first.name == EQUALS:
            for one in self._of_type_or_equal(first, theta):
                yield from self.ways(rest, one, holds, distinct)
            return
        for fact in self.candidates(first, theta):
            self.n_looked += 1
            found = self.matched(first, fact, theta, distinct)
            if found is not None:
                yield from self.ways(rest, found, holds | self.bits.get(fact, 0), distinct)

    def _breadth(self, literal: Literal, theta: Bindings) -> int:
        if literal.name.startswith(":") or literal.name == EQUALS:
            bound = all(not isinstance(one, Variable) or one in theta for one in literal.arguments)
            return 0 if bound else MOST_MATCHES
        return len(self.candidates(literal, theta))

    def _of_type_or_equal(self, literal: Literal, theta: Bindings) -> Iterator[Bindings]:
        if literal.name == EQUALS:
            if _differ(literal, theta, {}):
                yield theta
            return
        values = _instance(literal, theta).arguments
        things = self.problem.things.get(literal.name[1:], ())
        (value,) = values
        if literal.negated:
            if not (isinstance(value, Constant) and value.value in things):
                yield theta
            return
        if isinstance(value, Variable):
            for thing in things:
                yield {**theta, value: Constant(thing)}
        elif isinstance(value, Constant) and value.value in things:
            yield theta

    def instances(self, absence: Absence, theta: Bindings) -> Iterator[Literal]:
        """Yield the facts of an absence: those that can become true, and those that are always true."""
        for fact in self.candidates(absence.literal, theta):
            self.n_looked += 1
            found = self.matched(absence.literal, fact, theta, distinct=False)
            if found is not None and next(self.ways(absence.where, found, 0, False), None) is not None:
                yield fact


def _instance(literal: Literal, theta: Bindings) -> Literal:
    arguments = tuple(theta.get(one, one) if isinstance(one, Variable) else one for one in literal.arguments)
    return Literal(literal.name, arguments, literal.negated)


def _differ(literal: Literal, theta: Bindings, more: Bindings) -> bool:
    """Return whether two terms are equal, or different if the literal is negated."""
    left, right = (
        theta.get(one, more.get(one, one)) if isinstance(one, Variable) else one for one in literal.arguments
    )
    return (left == right) != literal.negated
