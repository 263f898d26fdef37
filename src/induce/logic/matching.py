"""Matching many rules against facts that change (Forgy 1982; Doorenbos 1995, with left and right unlinking).

Rules become a network. A fact finds the patterns that it satisfies by its constants, whatever the number of rules;
rules that begin with the same literals share the nodes for these; and a node is not even visited while one of its two
sides is empty. A rule joins the network when there are facts for each of its patterns for the first time: until then
it watches one that has none. So a change costs what can match, and rules that cannot match cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from induce.core.errors import InputError
from induce.logic.builtins import evaluated
from induce.logic.clauses import Clause, Literal
from induce.logic.comparisons import COMPARISONS
from induce.logic.library import is_built_in
from induce.logic.substitution import Substitution, variables_of
from induce.logic.terms import Constant, Function, Term, Variable

Values = tuple[Term, ...]
Places = tuple[int, ...]
NAMED = {"less_than": "<", "greater_than": ">"}
IDENTICAL = {"==": True, "=": True, "\\==": False, "\\=": False}


@dataclass(frozen=True)
class Match:
    """A rule whose conditions hold.

    Parameters
    ----------
    rule : int
        Its place among the rules.
    conclusion : Literal
        Its head, with the values for which the conditions hold.
    """

    rule: int
    conclusion: Literal

    def __str__(self) -> str:
        return f"{self.conclusion} by rule {self.rule + 1}"


class Matcher:
    """Knows at any time which rules hold of a changing set of facts.

    Conditions are literals, negated literals whose variables other literals bind, and comparisons.

    Parameters
    ----------
    rules : iterable of Clause

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
        self._patterns: dict[tuple[str, int], dict[Places, dict[Values, _Alpha]]] = {}
        self._tokens: dict[Literal, dict[_Token, None]] = {}
        self._known: dict[Literal, list[_Alpha]] = {}
        self._gained: dict[tuple[int, Literal], int] = {}
        self._holding: dict[tuple[int, Literal], int] = {}
        self._root = _Node(self, 0)
        self._root.tokens[_Token(None, None, (), self._root)] = None
        self._ends: dict[int, _Node] = {}
        self._moves = [0] * len(self.rules)
        self._needs: list[tuple[_Alpha, ...]] = []
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
        """Let a rule wait for a pattern without facts; say whether it has one."""
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
        # a negated literal waits until its variables are bound; one that no literal binds stands for anything
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
            self._change(number, node.conclusions[-1](token.values), 1)
        self._ends[number] = node

    def _child(self, parent: _Node, literal: Literal, places: dict[Variable, int]) -> _Node:
        """Return the node that joins a literal, one that is there if there is one."""
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
            parent.children[key] = _Join(self, parent, alpha, literal.negated, bound, new, equal)
        if not literal.negated:
            start = len(places)
            places |= {variable: start + n for n, variable in enumerate(fresh)}
        return parent.children[key]

    def _pattern(self, literal: Literal) -> _Alpha:
        """Return the facts that satisfy a literal as far as its constants go."""
        constants = tuple(n for n, term in enumerate(literal.arguments) if not isinstance(term, Variable))
        by_constants = self._patterns.setdefault(literal.predicate, {}).setdefault(constants, {})
        values = tuple(literal.arguments[place] for place in constants)
        if values not in by_constants:
            by_constants[values] = _Alpha()
            for fact, alphas in self._known.items():
                if (
                    fact.predicate == literal.predicate
                    and tuple(fact.arguments[n] for n in constants) == values
                ):
                    by_constants[values].add(fact)
                    alphas.append(by_constants[values])
        return by_constants[values]

    def _filtered(self, node: _Node, tests: list[Literal], places: dict[Variable, int]) -> _Node:
        """Return a node behind the comparisons whose variables are bound by now."""
        while True:
            for test in tests:
                free = [one for one in variables_of(test) if one not in places]
                if not free or _gives(test, places):
                    break
            else:
                return node
            tests.remove(test)
            key = (
                "test",
                str(Substitution({one: Variable(f"V{n}") for one, n in places.items()}).apply(test)),
            )
            if key not in node.children:
                node.children[key] = _Filter(self, node, _tested(test, dict(places), bool(free)))
            node = node.children[key]
            if free:
                places[free[0]] = len(places)

    # changes

    def add(self, fact: Literal) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
        """Add a fact; return the matches that come with it and those that go."""
        if not fact.ground or fact.negated:
            raise InputError(f"{fact} is not a fact: it is negated or has variables")
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
        """Take a fact away; return the matches that come with that and those that go."""
        self._gained.clear()
        alphas = self._known.pop(fact, None)
        if alphas is None:
            raise InputError(f"{fact} is not among the facts")
        for alpha in alphas:
            alpha.remove(fact)
        for token in self._tokens.pop(fact, {}):
            token.delete()
        joins = [join for alpha in alphas for join in alpha.successors if join.negated]
        for join in sorted(joins, key=lambda one: -one.depth):
            join.right_gone(fact)
        for alpha in alphas:
            alpha.unlink()
        return self._changes()

    def matches(self) -> tuple[Match, ...]:
        """Return all matches, in the order in which they came."""
        return tuple(Match(rule, conclusion) for rule, conclusion in self._holding)

    def facts(self) -> tuple[Literal, ...]:
        """Return the facts that are there."""
        return tuple(self._known)

    def costs(self) -> tuple[float, ...]:
        """Return for each rule the work that its conditions took: visits of nodes and pairs that were compared.

        The work of a node that rules share is divided among them.
        """
        users: dict[int, int] = {}
        for end in self._ends.values():
            for node in end.up():
                users[id(node)] = users.get(id(node), 0) + 1
        work = list(map(float, self._moves))
        for rule, end in self._ends.items():
            work[rule] += sum(node.cost / users[id(node)] for node in end.up())
        return tuple(work)

    def _alphas(self, fact: Literal) -> Iterator[_Alpha]:
        for places, memories in self._patterns.get(fact.predicate, {}).items():
            found = memories.get(tuple(fact.arguments[place] for place in places))
            if found is not None:
                yield found

    def _change(self, rule: int, conclusion: Literal, by: int) -> None:
        """Count the ways in which a rule draws a conclusion."""
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


@dataclass(eq=False)
class _Alpha:
    """The facts that satisfy a pattern, and the nodes that are to be told of changes."""

    facts: dict[Literal, None] = field(default_factory=dict)
    indices: dict[Places, dict[Values, dict[Literal, None]]] = field(default_factory=dict)
    successors: dict[_Join, None] = field(default_factory=dict)
    watchers: list[int] = field(default_factory=list)

    def index(self, places: Places) -> None:
        if places not in self.indices:
            index = self.indices[places] = {}
            for fact in self.facts:
                index.setdefault(tuple(fact.arguments[n] for n in places), {})[fact] = None

    def add(self, fact: Literal) -> None:
        self.facts[fact] = None
        for places, index in self.indices.items():
            index.setdefault(tuple(fact.arguments[n] for n in places), {})[fact] = None

    def remove(self, fact: Literal) -> None:
        del self.facts[fact]
        for places, index in self.indices.items():
            key = tuple(fact.arguments[n] for n in places)
            del index[key][fact]
            if not index[key]:
                del index[key]

    def unlink(self) -> None:
        """Let the nodes forget an empty pattern until a fact comes."""
        if not self.facts:
            for join in self.successors:
                if not join.negated and join.parent.tokens:
                    join.parent.linked.pop(join, None)


class _Token:
    """Facts that satisfy the first literals of some rules, and the values of their variables."""

    __slots__ = ("children", "fact", "node", "parent", "values")

    def __init__(self, parent: _Token | None, fact: Literal | None, values: Values, node: _Node) -> None:
        self.parent, self.fact, self.values, self.node = parent, fact, values, node
        self.children: dict[_Token, None] = {}

    def delete(self) -> None:
        """Take the token and what was built on it out of the network."""
        waiting, found = [self], []
        while waiting:
            token = waiting.pop()
            if token in token.node.tokens:
                found.append(token)
                waiting.extend(token.children)
        if self.parent is not None:
            self.parent.children.pop(self, None)
        for token in found:
            token.node.drop(token)


class _Node:
    """A place in the network, with the tokens that got there; the root has one, of no facts."""

    def __init__(self, matcher: Matcher, depth: int, parent: _Node | None = None) -> None:
        self.matcher, self.depth, self.above, self.cost = matcher, depth, parent, 0
        self.tokens: dict[_Token, None] = {}
        self.indices: dict[Places, dict[Values, dict[_Token, None]]] = {}
        self.children: dict[object, _Node] = {}
        self.linked: dict[_Node, None] = {}
        self.rules: list[int] = []
        self.conclusions: list[Callable[[Values], Literal]] = []

    def up(self) -> Iterator[_Node]:
        node: _Node | None = self
        while node is not None and node.above is not None:
            yield node
            node = node.above

    def index(self, places: Places) -> None:
        if places not in self.indices:
            index = self.indices[places] = {}
            for token in self.tokens:
                index.setdefault(tuple(token.values[n] for n in places), {})[token] = None

    def take(self, parent: _Token, fact: Literal | None, values: Values) -> _Token:
        """Add a token and tell the nodes below."""
        token = _Token(parent, fact, values, self)
        parent.children[token] = None
        if fact is not None:
            self.matcher._tokens.setdefault(fact, {})[token] = None
        self.tokens[token] = None
        for places, index in self.indices.items():
            index.setdefault(tuple(values[n] for n in places), {})[token] = None
        for number, conclude in zip(self.rules, self.conclusions, strict=True):
            self.matcher._change(number, conclude(values), 1)
        for child in tuple(self.linked):
            child.left(token)
        return token

    def drop(self, token: _Token) -> None:
        del self.tokens[token]
        for places, index in self.indices.items():
            key = tuple(token.values[n] for n in places)
            index[key].pop(token)
            if not index[key]:
                del index[key]
        for number, conclude in zip(self.rules, self.conclusions, strict=True):
            self.matcher._change(number, conclude(token.values), -1)
        for child in self.linked:
            child.left_gone(token)
        if token.fact is not None and token.fact in self.matcher._tokens:
            self.matcher._tokens[token.fact].pop(token, None)

    def left(self, token: _Token) -> None:
        """Take notice of a token of the node above."""

    def left_gone(self, token: _Token) -> None:
        """Take notice that a token of the node above is gone."""


class _Filter(_Node):
    """Lets tokens through that pass a comparison, perhaps with one value more."""

    def __init__(self, matcher: Matcher, parent: _Node, test: Callable[[Values], Values | None]) -> None:
        super().__init__(matcher, parent.depth + 1, parent)
        self.test = test
        parent.linked[self] = None
        for token in tuple(parent.tokens):
            self.left(token)

    def left(self, token: _Token) -> None:
        self.cost += 1
        more = self.test(token.values)
        if more is not None:
            self.take(token, None, (*token.values, *more))


class _Join(_Node):
    """Joins the tokens of the node above with the facts of a pattern; negated, it lets those through without any."""

    def __init__(
        self,
        matcher: Matcher,
        parent: _Node,
        alpha: _Alpha,
        negated: bool,
        bound: Sequence[tuple[int, int]],
        new: Sequence[int],
        equal: Sequence[tuple[int, int]],
    ) -> None:
        super().__init__(matcher, parent.depth + 1, parent)
        self.parent, self.alpha, self.negated, self.equal = parent, alpha, negated, tuple(equal)
        self.of_fact, self.of_token = tuple(one for one, _ in bound), tuple(other for _, other in bound)
        self.new = tuple(new)
        self.counts: dict[_Token, int] = {}
        alpha.index(self.of_fact)
        parent.index(self.of_token)
        # what is linked on neither side would never be linked again
        if parent.tokens:
            alpha.successors[self] = None
        if alpha.facts or negated or not parent.tokens:
            parent.linked[self] = None
        for token in tuple(parent.tokens):
            self.left(token)

    def _fits(self, fact: Literal) -> bool:
        return all(fact.arguments[one] == fact.arguments[other] for one, other in self.equal)

    def _facts(self, token: _Token) -> list[Literal]:
        key = tuple(token.values[n] for n in self.of_token)
        found = self.alpha.indices[self.of_fact].get(key, ())
        self.cost += 1 + len(found)
        return [fact for fact in found if self._fits(fact)]

    def _joined(self, token: _Token, fact: Literal) -> None:
        self.take(token, fact, (*token.values, *(fact.arguments[n] for n in self.new)))

    def left(self, token: _Token) -> None:
        self.alpha.successors[self] = None
        if self.negated:
            count = self.counts[token] = len(self._facts(token))
            if not count:
                self.take(token, None, token.values)
            return
        if not self.alpha.facts:
            self.cost += 1
            self.parent.linked.pop(self, None)
            return
        for fact in self._facts(token):
            self._joined(token, fact)

    def left_gone(self, token: _Token) -> None:
        self.counts.pop(token, None)
        if not self.parent.tokens and (self.alpha.facts or self.negated):
            self.alpha.successors.pop(self, None)

    def right(self, fact: Literal) -> None:
        """Take notice of a new fact."""
        self.cost += 1
        self.parent.linked[self] = None
        if not self.parent.tokens:
            self.alpha.successors.pop(self, None)
            return
        if not self._fits(fact):
            return
        key = tuple(fact.arguments[n] for n in self.of_fact)
        tokens = tuple(self.parent.indices[self.of_token].get(key, ()))
        self.cost += len(tokens)
        for token in tokens:
            if not self.negated:
                self._joined(token, fact)
                continue
            self.counts[token] += 1
            if self.counts[token] == 1:
                for child in [one for one in token.children if one.node is self]:
                    child.delete()

    def right_gone(self, fact: Literal) -> None:
        """Take notice that a fact is gone whose absence was asked for."""
        self.cost += 1
        if not self._fits(fact):
            return
        key = tuple(fact.arguments[n] for n in self.of_fact)
        for token in tuple(self.parent.indices[self.of_token].get(key, ())):
            self.cost += 1
            self.counts[token] -= 1
            if not self.counts[token]:
                self.take(token, None, token.values)


def _check(rule: Clause) -> None:
    """Raise an `InputError` unless a rule can be matched."""
    if rule.head is None:
        raise InputError(f"a rule without a head cannot be matched: {rule}")
    conditions = [one for one in rule.body if not is_built_in(one.predicate)]
    tests = [one for one in rule.body if is_built_in(one.predicate)]
    for literal in conditions:
        if any(isinstance(term, Function) and not term.ground for term in literal.arguments):
            raise InputError(f"{literal} has a function with variables, which cannot be matched: {rule}")
    bound = set(variables_of([one for one in conditions if not one.negated]))
    while tests:
        known = [one for one in tests if set(variables_of(one)) <= bound or _gives(one, bound)]
        if not known:
            raise InputError(f"{tests[0]} has a variable that no condition binds: {rule}")
        for test in known:
            if len(test.arguments) != 2 or not _is_comparison(test.name):
                raise InputError(f"{test} is not a comparison, so that it cannot be matched: {rule}")
            bound.update(variables_of(test))
            tests.remove(test)
    free = [one for one in variables_of(rule.head) if one not in bound]
    if free:
        raise InputError(f"{free[0]} in the head is a variable that no condition binds: {rule}")


def _is_comparison(name: str) -> bool:
    return NAMED.get(name, name) in COMPARISONS or name in IDENTICAL or name in ("is", "equal")


def _gives(test: Literal, bound: Iterable[Variable]) -> bool:
    """Say whether a test gives its first variable a value."""
    first = test.arguments[0] if len(test.arguments) == 2 else None
    return (
        test.name in ("is", "equal", "=")
        and not test.negated
        and isinstance(first, Variable)
        and first not in bound
        and set(variables_of(_goal(test))) <= set(bound)
    )


def _goal(test: Literal) -> Literal:
    return Literal(test.name, test.arguments[1:])


def _tested(test: Literal, places: dict[Variable, int], gives: bool) -> Callable[[Values], Values | None]:
    """Return what says whether a comparison holds of some values: those it adds, or None."""
    name = NAMED.get(test.name, test.name)
    left, right = test.arguments

    def value(term: Term, values: Values) -> Term:
        found = Substitution({one: values[place] for one, place in places.items()}).apply(term)
        if name in IDENTICAL and not gives:
            return found
        if isinstance(found, Function) or name not in ("equal", "="):
            return Constant(evaluated(found))
        return found

    def holds(values: Values) -> Values | None:
        try:
            second = value(right, values)
            if gives:
                return (second,)
            first = value(left, values)
        except InputError:  # a name is compared with a number
            return None
        if name in IDENTICAL:
            truth = (first == second) == IDENTICAL[name]
        elif name in ("is", "equal"):
            truth = first == second
        else:
            truth = bool(COMPARISONS[name](first.value, second.value))  # type: ignore[union-attr]
        return () if truth != test.negated else None

    return holds
