"""Matching of many rules against changing facts (Forgy 1982; Doorenbos 1995, with left and right unlinking).

Rules are compiled to a Rete network. The constants of a fact select the patterns it satisfies, independently
of the number of rules. Rules that begin with the same literals share their nodes, and a node is not visited
while one of its two inputs is empty. A rule joins the network once each of its patterns has facts; until then
it watches a pattern without facts. So the cost of a change depends on the possible matches, and rules that
cannot match cost almost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.library import is_built_in
from induce.logic.matching_comparisons import compiled_test, gives_value, is_comparison
from induce.logic.matching_network import Alpha, Filter, Join, Node, Places, Token, Values
from induce.logic.substitution import Substitution, variables_of
from induce.logic.terms import Function, Variable


@dataclass(frozen=True)
class Match:
    """Match of a rule: its conditions hold.

    Parameters
    ----------
    rule : int
        Index of the rule.
    conclusion : Literal
        Head of the rule under the bindings for which the conditions hold.
    """

    rule: int
    conclusion: Literal

    def __str__(self) -> str:
        return f"{self.conclusion} by rule {self.rule + 1}"


class Matcher:
    """Rete matcher, which maintains the matches of rules with a changing set of facts.

    Conditions are literals, negated literals whose variables other literals bind, and comparisons.

    Parameters
    ----------
    rules : iterable of Clause
        Rules to match.

    Examples
    --------
    >>> from induce.logic import parse_literal, parse_program
    >>> matcher = Matcher(parse_program('''
    ...     grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
    ...     childless(X) :- person(X), \\\\+ parent(X, _).
    ... '''))
    >>> for fact in ("person(ann)", "parent(ann, bea)", "parent(bea, cal)"):
    ...     gained, lost = matcher.add(parse_literal(fact))
    ...     print(fact, "gains", *map(str, gained), "loses", *map(str, lost))
    person(ann) gains childless(ann) by rule 2 loses
    parent(ann, bea) gains loses childless(ann) by rule 2
    parent(bea, cal) gains grandparent(ann, cal) by rule 1 loses
    """

    def __init__(self, rules: Iterable[Clause]) -> None:
        self.rules = tuple(rules)
        self._patterns: dict[tuple[str, int], dict[Places, dict[Values, Alpha]]] = {}
        self.tokens: dict[Literal, dict[Token, None]] = {}
        self._known: dict[Literal, list[Alpha]] = {}
        self._gained: dict[tuple[int, Literal], int] = {}
        self._holding: dict[tuple[int, Literal], int] = {}
        self._root = Node(self, 0)
        self._root.tokens[Token(None, None, (), self._root)] = None
        self._ends: dict[int, Node] = {}
        self._moves = [0] * len(self.rules)
        self._needs: list[tuple[Alpha, ...]] = []
        for number, rule in enumerate(self.rules):
            _check(rule)
            needs = [
                self._pattern(one) for one in rule.body if not one.negated and not is_built_in(one.predicate)
            ]
            self._needs.append(tuple(dict.fromkeys(needs)))
            if not self._watch(number):
                self._place(number)
        self._gained.clear()

    # building

    def _watch(self, rule: int) -> bool:
        """Make a rule wait for a pattern without facts; return whether there is one."""
        for alpha in self._needs[rule]:
            if not alpha.facts:
                alpha.watchers.append(rule)
                return True
        return False

    def _place(self, number: int) -> None:
        """Add a rule to the network."""
        rule = self.rules[number]
        assert rule.head is not None
        places: dict[Variable, int] = {}
        node = self._root
        tests = [one for one in rule.body if is_built_in(one.predicate)]
        node = self._filtered(node, tests, places)
        # a negated literal waits until its shared variables are bound; an unshared variable matches anything
        later = [one for one in rule.body if one.negated and not is_built_in(one.predicate)]
        positive = [one for one in rule.body if not one.negated and not is_built_in(one.predicate)]
        shared = set(variables_of(positive))
        for literal in positive:
            node = self._child(node, literal, places)
            for denied in [one for one in later if not (set(variables_of(one)) & shared) - places.keys()]:
                later.remove(denied)
                node = self._child(node, denied, places)
            node = self._filtered(node, tests, places)
        for denied in later:
            node = self._child(node, denied, places)
        node.rules.append(number)
        head = rule.head
        node.conclusions.append(
            lambda values: Substitution({one: values[place] for one, place in places.items()}).apply(head)
        )
        for token in node.tokens:
            self.change(number, node.conclusions[-1](token.values), 1)
        self._ends[number] = node

    def _child(self, parent: Node, literal: Literal, places: dict[Variable, int]) -> Node:
        """Return the node that joins a literal, reusing an existing one if possible."""
        bound: list[tuple[int, int]] = []
        new: list[int] = []
        equal: list[tuple[int, int]] = []
        fresh: dict[Variable, int] = {}
        for place, term in enumerate(literal.arguments):
            if isinstance(term, Variable):
                if term in places:
                    bound.append((place, places[term]))
                elif term in fresh and term.name != "_":
                    equal.append((fresh[term], place))
                else:
                    fresh[term] = place
                    new.append(place)
        alpha = self._pattern(literal)
        key = (literal.negated, id(alpha), tuple(bound), tuple(new), tuple(equal))
        if key not in parent.children:
            parent.children[key] = Join(self, parent, alpha, literal.negated, bound, new, equal)
        if not literal.negated:
            start = len(places)
            places |= {variable: start + n for n, variable in enumerate(fresh)}
        return parent.children[key]

    def _pattern(self, literal: Literal) -> Alpha:
        """Return the memory of facts that match a literal's constants."""
        constants = tuple(n for n, term in enumerate(literal.arguments) if not isinstance(term, Variable))
        by_constants = self._patterns.setdefault(literal.predicate, {}).setdefault(constants, {})
        values = tuple(literal.arguments[place] for place in constants)
        if values not in by_constants:
            by_constants[values] = Alpha()
            for fact, alphas in self._known.items():
                if (
                    fact.predicate == literal.predicate
                    and tuple(fact.arguments[n] for n in constants) == values
                ):
                    by_constants[values].add(fact)
                    alphas.append(by_constants[values])
        return by_constants[values]

    def _filtered(self, node: Node, tests: list[Literal], places: dict[Variable, int]) -> Node:
        """Return a node that filters by the comparisons whose variables are bound now."""
        while True:
            for test in tests:
                free = [one for one in variables_of(test) if one not in places]
                if not free or gives_value(test, places):
                    break
            else:
                return node
            tests.remove(test)
            key = (
                "test",
                str(Substitution({one: Variable(f"V{n}") for one, n in places.items()}).apply(test)),
            )
            if key not in node.children:
                node.children[key] = Filter(self, node, compiled_test(test, dict(places), bool(free)))
            node = node.children[key]
            if free:
                places[free[0]] = len(places)

    # changes

    def add(self, fact: Literal) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
        """Add a fact; return the matches that appear and those that disappear."""
        if not fact.ground or fact.negated:
            raise InputError(
                f"{fact} is negated or has variables, so it is not a fact; give a ground positive literal"
            )
        self._gained.clear()
        if fact not in self._known:
            alphas = list(self._alphas(fact))
            self._known[fact] = alphas
            waking: list[int] = []
            for alpha in alphas:
                alpha.add(fact)
                waking += alpha.watchers
                alpha.watchers = []
            joins = [join for alpha in alphas for join in alpha.successors]
            for join in sorted(joins, key=lambda one: -one.depth):
                join.right(fact)
            for rule in waking:
                self._moves[rule] += 1
                if not self._watch(rule):
                    self._place(rule)
        return self._changes()

    def remove(self, fact: Literal) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
        """Remove a fact; return the matches that appear and those that disappear."""
        self._gained.clear()
        alphas = self._known.pop(fact, None)
        if alphas is None:
            raise InputError(f"{fact} is not among the facts; remove only facts that were added")
        for alpha in alphas:
            alpha.remove(fact)
        for token in self.tokens.pop(fact, {}):
            token.delete()
        joins = [join for alpha in alphas for join in alpha.successors if join.negated]
        for join in sorted(joins, key=lambda one: -one.depth):
            join.right_gone(fact)
        for alpha in alphas:
            alpha.unlink()
        return self._changes()

    def matches(self) -> tuple[Match, ...]:
        """Return all matches, in order of appearance."""
        return tuple(Match(rule, conclusion) for rule, conclusion in self._holding)

    def facts(self) -> tuple[Literal, ...]:
        """Return the current facts."""
        return tuple(self._known)

    def costs(self) -> tuple[float, ...]:
        """Return the matching cost per rule: nodes visited and pairs compared.

        The cost of a shared node is divided among the rules that share it.
        """
        users: dict[int, int] = {}
        for end in self._ends.values():
            for node in end.up():
                users[id(node)] = users.get(id(node), 0) + 1
        work = list(map(float, self._moves))
        for rule, end in self._ends.items():
            work[rule] += sum(node.cost / users[id(node)] for node in end.up())
        return tuple(work)

    def _alphas(self, fact: Literal) -> Iterator[Alpha]:
        for places, memories in self._patterns.get(fact.predicate, {}).items():
            found = memories.get(tuple(fact.arguments[place] for place in places))
            if found is not None:
                yield found

    def change(self, rule: int, conclusion: Literal, by: int) -> None:
        """Change the number of derivations of a conclusion by a rule."""
        key = rule, conclusion
        before = self._holding.get(key, 0)
        if before + by:
            self._holding[key] = before + by
        else:
            del self._holding[key]
        if not before or not before + by:
            total = self._gained.get(key, 0) + (1 if by > 0 else -1)
            if total:
                self._gained[key] = total
            else:
                del self._gained[key]

    def _changes(self) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
        gained = tuple(Match(*key) for key, by in self._gained.items() if by > 0)
        return gained, tuple(Match(*key) for key, by in self._gained.items() if by < 0)


def _check(rule: Clause) -> None:
    """Raise an `InputError` unless the rule can be matched."""
    if rule.head is None:
        raise InputError(f"the rule {rule} has no head, so it cannot be matched; give it a head")
    conditions = [one for one in rule.body if not is_built_in(one.predicate)]
    tests = [one for one in rule.body if is_built_in(one.predicate)]
    for literal in conditions:
        if any(isinstance(term, Function) and not term.ground for term in literal.arguments):
            raise InputError(f"{literal} has a function of variables, so the rule cannot be matched: {rule}")
    bound = set(variables_of([one for one in conditions if not one.negated]))
    while tests:
        known = [one for one in tests if set(variables_of(one)) <= bound or gives_value(one, bound)]
        if not known:
            raise InputError(f"{tests[0]} has a variable that no condition binds: {rule}")
        for test in known:
            if len(test.arguments) != 2 or not is_comparison(test.name):
                raise InputError(f"{test} is not a comparison, so the rule cannot be matched: {rule}")
            bound.update(variables_of(test))
            tests.remove(test)
    free = [one for one in variables_of(rule.head) if one not in bound]
    if free:
        raise InputError(f"{free[0]} in the head is a variable that no condition binds: {rule}")
