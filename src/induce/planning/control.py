"""Control rules for means-ends search, matched by bit masks (Mitchell §11.4; PRODIGY)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.logic.clauses import Literal
from induce.logic.terms import Term
from induce.planning.domains import PlanningProblem, shown
from induce.planning.grounding import Task
from induce.planning.pddl import parsed_literal, parsed_terms, written_literal, written_terms
from induce.planning.pictures import utility_bars

if TYPE_CHECKING:
    from induce.planning.matching import Matcher

REJECT, PREFER, BEFORE = "reject", "prefer", "before"


@dataclass(frozen=True)
class Absence:
    """Facts that must all be false: the instances of a literal that satisfy some static conditions.

    Parameters
    ----------
    literal : Literal
    where : tuple of Literal
        Literals of static predicates; ``:truck(V)`` means that V has the type truck.
    """

    literal: Literal
    where: tuple[Literal, ...] = ()

    def __str__(self) -> str:
        return f"no {shown(self.literal)}" + (
            f" with {', '.join(map(shown, self.where))}" if self.where else ""
        )


@dataclass(frozen=True)
class ControlRule:
    """Advice for a planner's choice: reject or prefer an action, or work on one goal before another.

    Different variables denote different objects. The texts are PDDL.

    Parameters
    ----------
    kind : {"reject", "prefer", "before"}
        Kind of advice.
    goal : str
        Goal that an action is chosen for; if there are two goals, the one to postpone.
    choice : str
        Action with its arguments; if there are two goals, the one to work on first.
    facts : tuple of str
        Facts that must be true.
    absent : tuple of str
        Facts none of whose instances may be true, each with its conditions, separated by ``|``.
    functions : tuple of str
        Static predicates with the index of an argument determined by the others, such as ``in-city/1``.
    conflict : str
        Description of the conflict from which the rule was learned.
    n_used : int
        Number of times the rule applied in training.
    saved : float
        Mean number of decisions saved per training problem, including what these decisions would cost in
        matching other rules. The cost of matching this rule is not subtracted.
    cost : float
        Matching cost per training problem, in decisions.
    utility, margin : float
        Decisions saved minus matching cost per problem, and half-width of its 95 % confidence interval.
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
        """Rule without its training record."""
        return self.kind, self.goal, self.choice, self.facts, self.absent

    @cached_property
    def goal_literal(self) -> Literal:
        """Goal literal."""
        return parsed_literal(self.goal)

    @cached_property
    def chosen(self) -> tuple[str, tuple[Term, ...]]:
        """Name of the action and its arguments."""
        return parsed_terms(self.choice)

    @cached_property
    def first(self) -> Literal:
        """Goal to work on first."""
        return parsed_literal(self.choice)

    @cached_property
    def held(self) -> tuple[Literal, ...]:
        """Facts that must be true."""
        return tuple(map(parsed_literal, self.facts))

    @cached_property
    def absences(self) -> tuple[Absence, ...]:
        """Facts that must be false."""
        found = []
        for text in self.absent:
            first, *rest = text.split("|")
            found.append(Absence(parsed_literal(first), tuple(map(parsed_literal, rest))))
        return tuple(found)

    @cached_property
    def determined(self) -> frozenset[tuple[str, int]]:
        """Static predicates with a functionally determined argument, parsed."""
        return frozenset((name, int(place)) for name, place in (one.rsplit("/", 1) for one in self.functions))

    def __str__(self) -> str:
        conditions = [f"goal {shown(self.goal_literal)}"]
        if self.kind == BEFORE:
            conditions.append(f"goal {shown(self.first)}")
            advice = f"{shown(self.first)} before {shown(self.goal_literal)}"
        else:
            name, arguments = self.chosen
            advice = f"{self.kind} {name}({', '.join(map(str, arguments))})"
        conditions += [*map(shown, self.held), *map(str, self.absences)]
        return f"IF {' AND '.join(conditions)} THEN {advice}"

    def report(self) -> str:
        """Return the record of the rule in two lines: use and utility, and the conflict it was learned from."""
        return (
            f"used {self.n_used:,} times; per problem {self.saved:.1f} decisions saved, "
            f"matching costs {self.cost:.1f}, utility {self.utility:.1f} ± {self.margin:.1f}\nfrom {self.conflict}"
        )


def absence_text(absence: Absence) -> str:
    """Return an absence condition as PDDL."""
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
    """Build a rule from its literals."""
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
    """Control rules consulted by a planner at each choice.

    Parameters
    ----------
    domain : str
        Name of the domain of the rules.
    rules : tuple of ControlRule
        Rules in the order in which they are consulted.
    n_chances : int
        Number of conflicts found in training.
    n_taken : int
        Number of rules learned from the conflicts.
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
        """Prepare the rules for the search on one problem."""
        from induce.planning.matching import Matcher

        return Matcher(self.rules, problem, task)

    def without(self, number: int) -> ControlRules:
        """Return the rules without a given one."""
        return self.with_rules(self.rules[:number] + self.rules[number + 1 :])

    def with_rules(self, rules: Sequence[ControlRule]) -> ControlRules:
        """Return other rules with the same training record."""
        return ControlRules(self.domain, tuple(rules), self.n_chances, self.n_taken, self.n_problems)

    def size(self) -> str:
        """Return the number of rules."""
        return f"{len(self.rules)} control rule{'' if len(self.rules) == 1 else 's'}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions."""
        n = sum(2 + (rule.kind == BEFORE) + len(rule.facts) + len(rule.absent) for rule in self.rules)
        return Parts(n, "conditions and conclusions")

    def draw(self) -> Any:
        """Return a matplotlib figure of each rule's savings and matching cost per problem."""
        return utility_bars(self.rules, f"{self.domain}: {self.size()}", "decisions per problem", "matching")

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


def control_rules(found: Any, where: Any) -> ControlRules:
    """Return an object read from a file if it is a set of control rules; otherwise raise an `InputError`."""
    if not isinstance(found, ControlRules):
        raise InputError(f"{where} does not contain control rules; learn them with induce plan --learn")
    return found
