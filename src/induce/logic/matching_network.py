"""Rete network of a matcher: memories of facts, join nodes, and the tokens passed between them (Forgy 1982)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from induce.logic.clauses import Literal
from induce.logic.terms import Term

Values = tuple[Term, ...]
Places = tuple[int, ...]


class Network(Protocol):
    """Interface that receives the results of the network."""

    tokens: dict[Literal, dict[Token, None]]
    """Tokens whose last fact is a given one."""

    def change(self, rule: int, conclusion: Literal, by: int) -> None:
        """Change the number of derivations of a conclusion by a rule."""


@dataclass(eq=False)
class Alpha:
    """Alpha memory: the facts that satisfy a pattern, and the nodes to notify of changes."""

    facts: dict[Literal, None] = field(default_factory=dict)
    indices: dict[Places, dict[Values, dict[Literal, None]]] = field(default_factory=dict)
    successors: dict[Join, None] = field(default_factory=dict)
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
        """Unlink the nodes of an empty pattern until a fact is added."""
        if not self.facts:
            for join in self.successors:
                if not join.negated and join.parent.tokens:
                    join.parent.linked.pop(join, None)


class Token:
    """Token: facts that satisfy the first literals of some rules, and the values of their variables."""

    __slots__ = ("children", "fact", "node", "parent", "values")

    def __init__(self, parent: Token | None, fact: Literal | None, values: Values, node: Node) -> None:
        self.parent, self.fact, self.values, self.node = parent, fact, values, node
        self.children: dict[Token, None] = {}

    def delete(self) -> None:
        """Remove the token and its descendants from the network."""
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


class Node:
    """Node of the network with its tokens; the root has a single token without facts."""

    def __init__(self, network: Network, depth: int, parent: Node | None = None) -> None:
        self.network, self.depth, self.above, self.cost = network, depth, parent, 0
        self.tokens: dict[Token, None] = {}
        self.indices: dict[Places, dict[Values, dict[Token, None]]] = {}
        self.children: dict[object, Node] = {}
        self.linked: dict[Node, None] = {}
        self.rules: list[int] = []
        self.conclusions: list[Callable[[Values], Literal]] = []

    def up(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None and node.above is not None:
            yield node
            node = node.above

    def index(self, places: Places) -> None:
        if places not in self.indices:
            index = self.indices[places] = {}
            for token in self.tokens:
                index.setdefault(tuple(token.values[n] for n in places), {})[token] = None

    def take(self, parent: Token, fact: Literal | None, values: Values) -> Token:
        """Add a token and notify the nodes below."""
        token = Token(parent, fact, values, self)
        parent.children[token] = None
        if fact is not None:
            self.network.tokens.setdefault(fact, {})[token] = None
        self.tokens[token] = None
        for places, index in self.indices.items():
            index.setdefault(tuple(values[n] for n in places), {})[token] = None
        for number, conclude in zip(self.rules, self.conclusions, strict=True):
            self.network.change(number, conclude(values), 1)
        for child in tuple(self.linked):
            child.left(token)
        return token

    def drop(self, token: Token) -> None:
        del self.tokens[token]
        for places, index in self.indices.items():
            key = tuple(token.values[n] for n in places)
            index[key].pop(token)
            if not index[key]:
                del index[key]
        for number, conclude in zip(self.rules, self.conclusions, strict=True):
            self.network.change(number, conclude(token.values), -1)
        for child in self.linked:
            child.left_gone(token)
        if token.fact is not None and token.fact in self.network.tokens:
            self.network.tokens[token.fact].pop(token, None)

    def left(self, token: Token) -> None:
        """Process a token from the node above."""

    def left_gone(self, token: Token) -> None:
        """Process the removal of a token from the node above."""


class Filter(Node):
    """Test node, which passes on the tokens that satisfy a comparison, possibly with one additional value."""

    def __init__(self, network: Network, parent: Node, test: Callable[[Values], Values | None]) -> None:
        super().__init__(network, parent.depth + 1, parent)
        self.test = test
        parent.linked[self] = None
        for token in tuple(parent.tokens):
            self.left(token)

    def left(self, token: Token) -> None:
        self.cost += 1
        more = self.test(token.values)
        if more is not None:
            self.take(token, None, (*token.values, *more))


class Join(Node):
    """Join node of incoming tokens with the facts of a pattern; if negated, it passes on tokens without matches."""

    def __init__(
        self,
        network: Network,
        parent: Node,
        alpha: Alpha,
        negated: bool,
        bound: Sequence[tuple[int, int]],
        new: Sequence[int],
        equal: Sequence[tuple[int, int]],
    ) -> None:
        super().__init__(network, parent.depth + 1, parent)
        self.parent, self.alpha, self.negated, self.equal = parent, alpha, negated, tuple(equal)
        self.of_fact, self.of_token = tuple(one for one, _ in bound), tuple(other for _, other in bound)
        self.new = tuple(new)
        self.counts: dict[Token, int] = {}
        alpha.index(self.of_fact)
        parent.index(self.of_token)
        # a node unlinked on both sides would never be linked again
        if parent.tokens:
            alpha.successors[self] = None
        if alpha.facts or negated or not parent.tokens:
            parent.linked[self] = None
        for token in tuple(parent.tokens):
            self.left(token)

    def _fits(self, fact: Literal) -> bool:
        return all(fact.arguments[one] == fact.arguments[other] for one, other in self.equal)

    def _facts(self, token: Token) -> list[Literal]:
        key = tuple(token.values[n] for n in self.of_token)
        found = self.alpha.indices[self.of_fact].get(key, ())
        self.cost += 1 + len(found)
        return [fact for fact in found if self._fits(fact)]

    def _joined(self, token: Token, fact: Literal) -> None:
        self.take(token, fact, (*token.values, *(fact.arguments[n] for n in self.new)))

    def left(self, token: Token) -> None:
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

    def left_gone(self, token: Token) -> None:
        self.counts.pop(token, None)
        if not self.parent.tokens and (self.alpha.facts or self.negated):
            self.alpha.successors.pop(self, None)

    def right(self, fact: Literal) -> None:
        """Process a new fact."""
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
        """Process the removal of a fact that a negated pattern excludes."""
        self.cost += 1
        if not self._fits(fact):
            return
        key = tuple(fact.arguments[n] for n in self.of_fact)
        for token in tuple(self.parent.indices[self.of_token].get(key, ())):
            self.cost += 1
            self.counts[token] -= 1
            if not self.counts[token]:
                self.take(token, None, token.values)
