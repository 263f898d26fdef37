"""Control rules: what to choose in a means-ends search, matched by masks of bits (Mitchell §11.4; PRODIGY)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product

from induce.core.hypothesis import Hypothesis, Parts
from induce.logic.clauses import Literal
from induce.logic.terms import Constant, Term, Variable
from induce.planning.domains import EQUALS, PlanningProblem
from induce.planning.grounding import Task
from induce.planning.pddl import parsed_literal, parsed_terms, written_literal, written_terms

REJECT, PREFER, BEFORE = "reject", "prefer", "before"
MOST_MATCHES = 1_000
"""Ways of matching the facts of a rule in one choice; a rule that has more is not asked there."""


@dataclass(frozen=True)
class Absence:
    """Facts none of which may hold: all instances of a literal that satisfy some conditions that never change.

    Parameters
    ----------
    literal : Literal
    where : tuple of Literal
        Literals of predicates that no operator changes; ``:truck(V)`` says that V is of the type truck.
    """

    literal: Literal
    where: tuple[Literal, ...] = ()

    def __str__(self) -> str:
        return f"no {_shown(self.literal)}" + (f" with {', '.join(map(_shown, self.where))}" if self.where else "")


@dataclass(frozen=True)
class ControlRule:
    """Advice for a choice of the planner: IF goals and facts THEN reject or prefer an action, or a goal before another.

    Different variables stand for different things. The texts are PDDL.

    Parameters
    ----------
    kind : {"reject", "prefer", "before"}
    goal : str
        The goal that an action is chosen for; of two goals, the one to leave for later.
    choice : str
        The action with its arguments; of two goals, the one to work for first.
    facts : tuple of str
        Facts that must hold.
    absent : tuple of str
        Facts of which no instance may hold, each with its conditions, separated by ``|``.
    functions : tuple of str
        Predicates that never change with the number of an argument that the others must determine, as ``in-city/1``.
    conflict : str
        Account of the conflict that taught the rule.
    n_used : int
        Number of times the rule applied in training.
    saved : float
        Decisions saved per training problem, on average; matching not subtracted.
    cost : float
        Cost of matching per training problem, in decisions.
    utility, margin : float
        Decisions saved less the cost of matching per problem, and half the width of its 95 % interval.
    """

    kind: str
    goal: str
    choice: str
    facts: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    conflict: str = ""
    n_used: int = 0
    saved: float = 0.0
    cost: float = 0.0
    utility: float = 0.0
    margin: float = 0.0

    @property
    def key(self) -> tuple[object, ...]:
        """What the rule says, without its record."""
        return self.kind, self.goal, self.choice, self.facts, self.absent

    @cached_property
    def goal_literal(self) -> Literal:
        """The goal."""
        return parsed_literal(self.goal)

    @cached_property
    def chosen(self) -> tuple[str, tuple[Term, ...]]:
        """The name of the action and its arguments."""
        return parsed_terms(self.choice)

    @cached_property
    def first(self) -> Literal:
        """The goal to work for first."""
        return parsed_literal(self.choice)

    @cached_property
    def held(self) -> tuple[Literal, ...]:
        """The facts that must hold."""
        return tuple(map(parsed_literal, self.facts))

    @cached_property
    def absences(self) -> tuple[Absence, ...]:
        """The facts that must not hold."""
        found = []
        for text in self.absent:
            first, *rest = text.split("|")
            found.append(Absence(parsed_literal(first), tuple(map(parsed_literal, rest))))
        return tuple(found)

    @cached_property
    def determined(self) -> frozenset[tuple[str, int]]:
        """The functions, taken apart."""
        return frozenset((name, int(place)) for name, place in (one.rsplit("/", 1) for one in self.functions))

    def __str__(self) -> str:
        conditions = [f"goal {_shown(self.goal_literal)}"]
        if self.kind == BEFORE:
            conditions.append(f"goal {_shown(self.first)}")
            advice = f"{_shown(self.first)} before {_shown(self.goal_literal)}"
        else:
            name, arguments = self.chosen
            advice = f"{self.kind} {name}({', '.join(map(str, arguments))})"
        conditions += [*map(_shown, self.held), *map(str, self.absences)]
        return f"IF {' AND '.join(conditions)} THEN {advice}"

    def report(self) -> str:
        """Return the record of the rule in two lines: use and utility, and the conflict that taught it."""
        return (
            f"used {self.n_used:,} times; per problem {self.saved:.1f} decisions saved, matching costs {self.cost:.1f}, "
            f"utility {self.utility:.1f} ± {self.margin:.1f}\nfrom {self.conflict}"
        )


def _shown(literal: Literal) -> str:
    """Return a condition as a reader would say it."""
    terms = ", ".join(map(str, literal.arguments))
    if literal.name.startswith(":"):
        return f"{terms} is {'not ' if literal.negated else ''}of type {literal.name[1:]}"
    if literal.name == EQUALS:
        return f"{literal.arguments[0]} {'!=' if literal.negated else '='} {literal.arguments[1]}"
    text = f"{literal.name}({terms})" if terms else literal.name
    return f"not {text}" if literal.negated else text


def absence_text(absence: Absence) -> str:
    """Return an absence as PDDL."""
    return "|".join(map(written_literal, (absence.literal, *absence.where)))


def rule_texts(
    kind: str,
    goal: Literal,
    choice: Literal | tuple[str, Sequence[Term]],
    facts: Iterable[Literal] = (),
    absent: Iterable[Absence] = (),
    functions: Iterable[tuple[str, int]] = (),
    conflict: str = "",
) -> ControlRule:
    """Return the rule of some literals."""
    return ControlRule(
        kind,
        written_literal(goal),
        written_literal(choice) if isinstance(choice, Literal) else written_terms(*choice),
        tuple(map(written_literal, facts)),
        tuple(map(absence_text, absent)),
        tuple(f"{name}/{place}" for name, place in functions),
        conflict,
    )


@dataclass(frozen=True, eq=False)
class ControlRules(Hypothesis):
    """Control rules that a planner asks at each choice.

    Parameters
    ----------
    domain : str
        The name of the domain that they are for.
    rules : tuple of ControlRule
    n_chances : int
        Number of conflicts met in training.
    n_taken : int
        Number of rules learned from them.
    n_problems : int
        Number of training problems.

    Examples
    --------
    >>> rule = ControlRule("before", "(on ?x ?y)", "(on ?y ?z)")
    >>> print(ControlRules("blocks", (rule,)))
    IF goal on(X, Y) AND goal on(Y, Z) THEN on(Y, Z) before on(X, Y)
    """

    domain: str
    rules: tuple[ControlRule, ...] = ()
    n_chances: int = 0
    n_taken: int = 0
    n_problems: int = 0

    def control(self, problem: PlanningProblem, task: Task) -> Matcher:
        """Return the rules ready to be asked in the search for a plan of a problem."""
        return Matcher(self.rules, problem, task)

    def without(self, number: int) -> ControlRules:
        """Return the rules without one of them."""
        return self.with_rules(self.rules[:number] + self.rules[number + 1 :])

    def with_rules(self, rules: Sequence[ControlRule]) -> ControlRules:
        """Return other rules with the same record."""
        return ControlRules(self.domain, tuple(rules), self.n_chances, self.n_taken, self.n_problems)

    def size(self) -> str:
        """Return the number of rules."""
        return f"{len(self.rules)} control rule{'' if len(self.rules) == 1 else 's'}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions."""
        n = sum(2 + (rule.kind == BEFORE) + len(rule.facts) + len(rule.absent) for rule in self.rules)
        return Parts(n, "conditions and conclusions")

    def report(self) -> str:
        """Return the rules with their records."""
        lines = [
            f"{self.n_problems:,} problems, {self.n_chances:,} conflicts, {self.n_taken:,} rules learned, "
            f"{len(self.rules):,} kept"
        ]
        for number, rule in enumerate(self.rules, 1):
            lines.append(f"{number}. {rule}")
            lines += [f"   {line}" for line in rule.report().splitlines()]
        return "\n".join(lines)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules)) or "no control rules"


Test = tuple[int, int, int]
"""A rule's number, the bits that must hold and those that must not."""


class Matcher:
    """Rules ready for one task: what a rule asks of a state is known for each choice after it was met once.

    Parameters
    ----------
    rules : sequence of ControlRule
    problem : PlanningProblem
    task : Task

    Attributes
    ----------
    n_tests : list of int
        Number of states looked at for each rule.
    n_used : list of int
        Number of choices that each rule decided.
    """

    def __init__(self, rules: Sequence[ControlRule], problem: PlanningProblem, task: Task) -> None:
        self.rules, self.task = tuple(rules), task
        self.world = World(problem, task)
        self.n_tests, self.n_used = [0] * len(rules), [0] * len(rules)
        self.orders = [number for number, rule in enumerate(rules) if rule.kind == BEFORE]
        self.by_operator: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            if rule.kind != BEFORE:
                self.by_operator.setdefault(rule.chosen[0], []).append(number)
        self.pairs: dict[tuple[int, int], tuple[Test, ...]] = {}
        self.choices: dict[tuple[int, int], tuple[tuple[Test, ...], tuple[Test, ...]]] = {}
        self.sorted: dict[tuple[int, ...], list[int]] = {}

    def goals(self, state: int, pending: list[int]) -> list[int]:
        """Return goals so that none stands before one that a rule puts first."""
        if not self.orders:
            return pending
        key = tuple(pending)
        known = self.sorted.get(key)
        if known is not None:
            return known
        after: dict[int, set[int]] = {goal: set() for goal in pending}
        fixed = True
        for later, first in product(pending, pending):
            if later != first:
                tests = self._pair(later, first)
                if tests:
                    fixed &= not any(holds or not_holds for _, holds, not_holds in tests)
                    if self._any(state, tests):
                        after[later].add(first)
        found, left = [], list(pending)
        while left:
            # where rules contradict each other, the planner's own order decides
            chosen = next((goal for goal in left if not after[goal].intersection(left)), left[0])
            left.remove(chosen)
            found.append(chosen)
        if fixed:
            self.sorted[key] = found
        return found

    def actions(self, state: int, goal: int, candidates: Sequence[int]) -> list[int]:
        """Return actions without those that a rule rejects, preferred ones first."""
        preferred, others = [], []
        for action in candidates:
            known = self.choices.get((goal, action))
            if known is None:
                known = self.choices[goal, action] = self._choice(goal, action)
            rejects, prefers = known
            if rejects and self._any(state, rejects):
                continue
            (preferred if prefers and self._any(state, prefers) else others).append(action)
        return preferred + others

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
            found: list[Test] = []
            for number in self.orders:
                rule = self.rules[number]
                theta = self.world.matched(rule.goal_literal, self.world.goal(later), {})
                if theta is not None:
                    theta = self.world.matched(rule.first, self.world.goal(first), theta)
                if theta is not None:
                    found.extend(self.world.tests(rule, number, theta))
            known = self.pairs[later, first] = tuple(found)
        return known

    def _choice(self, goal: int, action: int) -> tuple[tuple[Test, ...], tuple[Test, ...]]:
        one = self.task.actions[action]
        rejects: list[Test] = []
        prefers: list[Test] = []
        for number in self.by_operator.get(one.operator, ()):
            rule = self.rules[number]
            theta = self.world.matched(rule.goal_literal, self.world.goal(goal), {})
            if theta is None:
                continue
            arguments = Literal("", tuple(map(Constant, one.arguments)))
            theta = self.world.matched(Literal("", rule.chosen[1]), arguments, theta)
            if theta is not None:
                (rejects if rule.kind == REJECT else prefers).extend(self.world.tests(rule, number, theta))
        return tuple(rejects), tuple(prefers)


Bindings = Mapping[Variable, Term]


class World:
    """The facts of a task by predicate, and how literals with variables match them."""

    def __init__(self, problem: PlanningProblem, task: Task) -> None:
        self.problem, self.task = problem, task
        self.bits = {fact: 1 << place for place, fact in enumerate(task.facts)}
        operators = problem.domain.operators
        self.changing = {one.name for each in operators for one in (*each.adds, *each.deletes)}
        self.tables: dict[object, dict[tuple[Term, ...], list[tuple[Literal, Bindings]]]] = {}
        self.bound: dict[object, tuple[Variable, ...]] = {}
        self.known: dict[object, list[Literal]] = {}
        static = sorted((one for one in problem.initial if one.name not in self.changing), key=str)
        for fact in (*task.facts, *static):
            self.known.setdefault(fact.name, []).append(fact)
            for place, value in enumerate(fact.arguments):
                self.known.setdefault((fact.name, place, value), []).append(fact)

    @cached_property
    def functions(self) -> frozenset[tuple[str, int]]:
        """Predicates that never change with the place of an argument that the others determine."""
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
        """Return the facts that a literal may match: the fewest that one of its arguments allows."""
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
        """The things that every problem of the domain has."""
        return frozenset(self.problem.domain.constants)

    def goal(self, goal: int) -> Literal:
        """Return a goal by its number."""
        fact = self.task.facts[goal // 2]
        return fact.negation() if goal % 2 else fact

    def matched(
        self, general: Literal, fact: Literal, theta: Bindings, distinct: bool = True
    ) -> dict[Variable, Term] | None:
        """Return what variables stand for so that a literal becomes a fact, different ones for different things."""
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

    def tests(self, rule: ControlRule, number: int, theta: Bindings) -> Iterator[Test]:
        """Go through the ways in which the facts of a rule can hold."""
        if not self.functions.issuperset(rule.determined):
            return
        ways = list(islice(self._ways(rule.held, theta, 0, True), MOST_MATCHES + 1))
        if len(ways) > MOST_MATCHES:
            return
        goal = self.bits.get(_instance(rule.goal_literal, theta), 0)
        for way, holds in ways:
            not_holds = 0
            for absence in rule.absences:
                mask = self._absent(absence, way)
                if mask is None:
                    break  # one of them always holds
                not_holds |= mask
            else:
                yield number, holds, not_holds & ~goal

    def _absent(self, absence: Absence, theta: Bindings) -> int | None:
        """Return the bits that must not hold; None if something that always holds is among them."""
        mask = 0
        if not absence.where:
            whole = _instance(absence.literal, theta)
            facts = [whole] if whole.ground and whole in self.bits else self.instances(absence, theta)
        else:
            facts = self._listed(absence, theta)
        for fact in facts:
            bit = self.bits.get(fact)
            if bit is None:
                return None
            mask |= bit
        return mask

    def _listed(self, absence: Absence, theta: Bindings) -> Iterator[Literal]:
        """Go through the facts of an absence with conditions, which are joined once for all choices of a task."""
        key = absence, frozenset(theta)
        table = self.tables.get(key)
        equal = [one for one in absence.where if one.name == EQUALS]
        if table is None:
            table = self.tables[key] = {}
            others = [one for one in absence.where if one.name != EQUALS]
            told = dict.fromkeys(each for one in (absence.literal, *others) for each in one.variables())
            bound = tuple(each for each in told if each in theta)
            self.bound[key] = bound
            for fact in self.known.get(absence.literal.name, ()):
                first = self.matched(absence.literal, fact, {}, distinct=False)
                if first is not None:
                    for way, _ in self._ways(others, first, 0, False):
                        table.setdefault(tuple(way[each] for each in bound), []).append((fact, way))
        for fact, way in table.get(tuple(theta[each] for each in self.bound[key]), ()):
            if all(_differ(one, {**way, **theta}) for one in equal):
                yield fact

    def _ways(
        self, literals: Sequence[Literal], theta: Bindings, holds: int, distinct: bool
    ) -> Iterator[tuple[Bindings, int]]:
        if not literals:
            yield theta, holds
            return
        # the literal with the fewest candidates first
        first = min(literals, key=lambda one: self._breadth(one, theta))
        rest = [one for one in literals if one is not first]
        if first.name.startswith(":") or first.name == EQUALS:
            for one in self._of_type_or_equal(first, theta):
                yield from self._ways(rest, one, holds, distinct)
            return
        for fact in self.candidates(first, theta):
            found = self.matched(first, fact, theta, distinct)
            if found is not None:
                yield from self._ways(rest, found, holds | self.bits.get(fact, 0), distinct)

    def _breadth(self, literal: Literal, theta: Bindings) -> int:
        if literal.name.startswith(":") or literal.name == EQUALS:
            bound = all(not isinstance(one, Variable) or one in theta for one in literal.arguments)
            return 0 if bound else MOST_MATCHES
        return len(self.candidates(literal, theta))

    def _of_type_or_equal(self, literal: Literal, theta: Bindings) -> Iterator[Bindings]:
        if literal.name == EQUALS:
            if _differ(literal, theta):
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
        """Go through the facts that an absence speaks of: those that can hold, and those that always do."""
        for fact in self.candidates(absence.literal, theta):
            found = self.matched(absence.literal, fact, theta, distinct=False)
            if found is not None and next(self._ways(absence.where, found, 0, False), None) is not None:
                yield fact


def _instance(literal: Literal, theta: Bindings) -> Literal:
    arguments = tuple(theta.get(one, one) if isinstance(one, Variable) else one for one in literal.arguments)
    return Literal(literal.name, arguments, literal.negated)


def _differ(literal: Literal, theta: Bindings) -> bool:
    left, right = _instance(literal, theta).arguments
    return (left == right) != literal.negated
