"""Working memory: facts and the productions that derive them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from induce.analytical.chunking.productions import SELECTED, Production, levels
from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.library import is_built_in
from induce.logic.matching import Match, Matcher
from induce.logic.substitution import Substitution, variables_of
from induce.logic.terms import Function, Term, Variable

MOST_DERIVED = 10_000
"""Maximum number of facts derived from one state."""


@dataclass(frozen=True, eq=False)
class Support:
    """Support of a fact: a production with its variable bindings."""

    production: Production
    values: Substitution


@dataclass(frozen=True, eq=False)
class Situation:
    """State of the working memory.

    Parameters
    ----------
    base : tuple of Literal
        Facts that persist until an operator removes them.
    derived : dict of Literal to Support
        Derived facts, each with the first production that derived it.
    added, removed : dict of Literal to Support
        Changes made by the operator that led to this state.
    """

    base: dict[Literal, None]
    derived: dict[Literal, Support]
    added: dict[Literal, Support] = field(default_factory=dict)
    removed: dict[Literal, Support] = field(default_factory=dict)

    def __contains__(self, fact: Literal) -> bool:
        return fact in self.base or fact in self.derived

    def facts(self) -> Iterator[Literal]:
        """Yield all facts."""
        yield from self.base
        yield from self.derived

    def of(self, predicate: Predicate) -> list[Literal]:
        """Return the facts of a predicate."""
        return [fact for fact in self.facts() if fact.predicate == predicate]


Shape = tuple[str, tuple["Shape | None", ...]]


class Patterns:
    """Flattening of literals: the matcher requires that compound terms contain no variables.

    A pattern such as ``propose(move(X, Y))`` becomes a literal over X and Y with a new name. A fact becomes
    one literal for each pattern that it is an instance of.
    """

    def __init__(self) -> None:
        self._shapes: dict[Predicate, dict[tuple[Shape | None, ...], str]] = {}

    def pattern(self, literal: Literal) -> Literal:
        """Return the pattern of a condition."""
        shapes = tuple(map(_shape, literal.arguments))
        if not any(shapes) or is_built_in(literal.predicate):
            return literal
        name = self._shapes.setdefault(literal.predicate, {}).setdefault(
            shapes, f"{literal.name} {len(self._shapes[literal.predicate])}"
        )
        opened = _opened(literal.arguments, shapes)
        assert opened is not None
        return Literal(name, tuple(opened), literal.negated)

    def facts(self, fact: Literal) -> Iterator[Literal]:
        """Return the flat literals of a fact for the matcher."""
        yield fact
        for shapes, name in self._shapes.get(fact.predicate, {}).items():
            opened = _opened(fact.arguments, shapes)
            if opened is not None:
                yield Literal(name, tuple(opened))


def _shape(term: Term) -> Shape | None:
    if not isinstance(term, Function) or term.ground:
        return None
    return term.name, tuple(map(_shape, term.arguments))


def _opened(terms: Sequence[Term], shapes: Sequence[Shape | None]) -> list[Term] | None:
    found: list[Term] = []
    for term, shape in zip(terms, shapes, strict=True):
        if shape is None:
            found.append(term)
            continue
        if not isinstance(term, Function) or (term.name, len(term.arguments)) != (shape[0], len(shape[1])):
            return None
        below = _opened(term.arguments, shape[1])
        if below is None:
            return None
        found.extend(below)
    return found


class Memory:
    """Working memory of a set of productions, matched incrementally by a Rete network."""

    def __init__(self, productions: Sequence[Production]) -> None:
        self.productions = tuple(productions)
        self._patterns = Patterns()
        self._variables: list[tuple[Variable, ...]] = []
        rules = []
        for one in self.productions:
            body = tuple(map(self._patterns.pattern, one.clause.body))
            bound = _bound(body)
            head = one.clause.head
            assert head is not None
            free = [v for v in variables_of(head) if v not in bound]
            if free:
                raise InputError(f"{free[0]} in the head is a variable that no condition binds: {one.clause}")
            self._variables.append(bound)
            rules.append(Clause(Literal("fires", bound), body))
        self.matcher = Matcher(rules)
        self._levels = levels(self.productions)
        self._now: dict[Literal, None] = {}
        self._derived: dict[Literal, Support] = {}

    def enter(self, base: Iterable[Literal]) -> Situation:
        """Set the facts of the memory and derive their consequences."""
        base = dict.fromkeys(base)
        for fact in self._derived:
            self._remove(fact)
        for fact in [one for one in self._now if one not in base]:
            self._remove(fact)
        for fact in base:
            if fact not in self._now:
                self._add(fact)
        self._now, self._derived = base, {}
        for level in self._levels:
            # negated conditions of this level refer to lower levels only, so its matches are final
            waiting = [one for one in self.matcher.matches() if self._concludes(one) in level]
            while waiting:
                match = waiting.pop(0)
                support = self._support(match)
                fact = support.values.apply(self._head(match))
                if fact in self._derived or fact in base:
                    continue
                self._derived[fact] = support
                if len(self._derived) > MOST_DERIVED:
                    raise InputError(
                        f"productions derive more than {MOST_DERIVED:,} facts from one state, most "
                        f"recently {support.production.clause}; look for one that derives facts "
                        "endlessly"
                    )
                waiting += [one for one in self._add(fact) if self._concludes(one) in level]
        return Situation(base, dict(self._derived))

    def effects(self, operator: Term) -> tuple[dict[Literal, Support], dict[Literal, Support]]:
        """Return the facts that an operator would add to and remove from the current situation."""
        selected = Literal(SELECTED[0], (operator,))
        added: dict[Literal, Support] = {}
        removed: dict[Literal, Support] = {}
        for match in self._add(selected):
            support = self._support(match)
            if support.production.kind == "apply":
                changes = added if self._head(match).name == "add" else removed
                changes.setdefault(support.values.apply(support.production.effect), support)
        self._remove(selected)
        return added, removed

    def after(self, before: Situation, operator: Term) -> Situation:
        """Return the situation after an operator; removals precede additions."""
        self.enter(before.base)
        added, removed = self.effects(operator)
        base = {fact: None for fact in before.base if fact not in removed or fact in added}
        base |= dict.fromkeys(added)
        entered = self.enter(base)
        return Situation(entered.base, entered.derived, added, removed)

    def costs(self) -> tuple[float, ...]:
        """Return the matching cost of each production."""
        return self.matcher.costs()

    def _head(self, match: Match) -> Literal:
        head = self.productions[match.rule].clause.head
        assert head is not None
        return head

    def _concludes(self, match: Match) -> Predicate | None:
        production = self.productions[match.rule]
        return None if production.kind == "apply" else self._head(match).predicate

    def _support(self, match: Match) -> Support:
        values = dict(zip(self._variables[match.rule], match.conclusion.arguments, strict=True))
        return Support(self.productions[match.rule], Substitution(values))

    def _add(self, fact: Literal) -> list[Match]:
        gained: dict[Match, None] = {}
        for each in self._patterns.facts(fact):
            new, lost = self.matcher.add(each)
            gained |= dict.fromkeys(new)
            for one in lost:
                gained.pop(one, None)
        return list(gained)

    def _remove(self, fact: Literal) -> None:
        for each in self._patterns.facts(fact):
            self.matcher.remove(each)


def _bound(body: Sequence[Literal]) -> tuple[Variable, ...]:
    """Return the variables bound by conditions; negated conditions bind none."""
    return tuple(v for v in variables_of([one for one in body if not one.negated]) if v.name != "_")


def matching_cost(clause: Clause, facts: Iterable[Literal]) -> float:
    """Return the cost of matching one production against facts: nodes visited and pairs compared."""
    memory = Memory((Production.of(clause),))
    for fact in facts:
        memory._add(fact)
    return sum(memory.costs())
