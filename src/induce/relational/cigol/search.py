"""CIGOL's search from an example to a clause, one inverse resolution step at a time (Mitchell §10.7.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from induce.core.explained import Explained
from induce.logic.background.reach import Reach, parts
from induce.logic.clauses import Clause, Literal
from induce.logic.substitution import Substitution, canonical, ordered, variables_of
from induce.logic.subsumption import variants
from induce.logic.terms import Function, Term, Variable
from induce.relational.cigol.inverse_resolution import InverseResolvent, absorption
from induce.relational.cigol.inverse_substitution import InverseSubstitution

GROUNDINGS = 4
"""Maximum number of derivations of the same clause to extend; different derivations lead to different facts."""


@dataclass(frozen=True)
class Move:
    """Clause C1 used in a step, and its substitution θ1."""

    first: Clause
    theta1: Substitution

    @cached_property
    def terms(self) -> frozenset[Term]:
        """All terms of C1 under θ1."""
        clause = self.theta1.apply(self.first)
        assert clause.head is not None
        return frozenset(parts(term for literal in (clause.head, *clause.body) for term in literal.arguments))


@dataclass(frozen=True)
class Derivation(Explained):
    """Clause being derived from an example, still over the example's own terms, with the clauses used so far.

    Variables replace all terms except the kept ones. The order does not affect the result, so they are
    introduced last; `steps` introduces them as early as possible.

    Parameters
    ----------
    example : Literal
    body : tuple of Literal
    moves : tuple of Move
    kept : frozenset of Term
        Constants that are kept, and functions that stay functions (of variables).
    """

    example: Literal
    body: tuple[Literal, ...] = ()
    moves: tuple[Move, ...] = ()
    kept: frozenset[Term] = frozenset()

    @cached_property
    def names(self) -> dict[Term, Variable]:
        """Variables that replace terms, in order of first occurrence."""
        found: dict[Term, None] = {}
        waiting = [term for literal in (self.example, *self.body) for term in literal.arguments][::-1]
        while waiting:
            term = waiting.pop()
            if term in self.kept:
                waiting.extend(reversed(term.arguments if isinstance(term, Function) else ()))
            else:
                found[term] = None
        supply = (Variable(f"_{number}") for number in range(len(found)))
        return dict(zip(found, supply, strict=True))

    def _generalised(self) -> Clause:
        inverse = InverseSubstitution(tuple((term, None, name) for term, name in self.names.items()))
        head, *body = inverse.apply((self.example, *self.body))
        return Clause(head, tuple(body))

    @cached_property
    def clause(self) -> Clause:
        """Clause with variables in place of terms."""
        return canonical(self._generalised())

    def steps(self) -> tuple[InverseResolvent, ...]:
        """Return the steps of inverse resolution that lead from the example to the clause.

        A variable replaces a term in the first step after which no C1 uses that term.
        """
        final = dict(zip(variables_of(self._generalised()), variables_of(self.clause), strict=True))
        waiting = {term: final[name] for term, name in self.names.items()}
        clause = frozenset({self.example})
        found = []
        for number, move in enumerate(self.moves):
            later = {term for other in self.moves[number + 1 :] for term in other.terms}
            # a subterm is replaced no earlier than the term that contains it
            later |= {part for term in waiting if term in later for part in parts([term])}
            now = [(term, None, name) for term, name in waiting.items() if term not in later]
            inverse = InverseSubstitution(tuple(now))
            waiting = {term: name for term, name in waiting.items() if term in later}
            head = move.first.head
            assert head is not None
            covered = move.theta1.apply(move.first.literals() - {head})
            rest = [*ordered(clause - covered), move.theta1.apply(head).negation()]
            second = frozenset(inverse.apply(rest))
            found.append(InverseResolvent(clause, move.first.literals(), head, move.theta1, inverse, second))
            clause = second
        return tuple(found)


@dataclass(frozen=True)
class Candidate:
    """Clause for an example, with the numbers of remaining and of negative examples that it covers."""

    derivation: Derivation
    positives: int
    negatives: int

    @property
    def clause(self) -> Clause:
        """The clause."""
        return self.derivation.clause

    @property
    def promise(self) -> tuple[float, int, int]:
        """Priority for extending this state: Laplace accuracy, then coverage, then brevity."""
        accuracy = (self.positives + 1) / (self.positives + self.negatives + 2)
        return accuracy, self.positives, -len(self.clause.body)

    @property
    def worth(self) -> tuple[int, int, int]:
        """Rank among sufficiently accurate clauses."""
        n_literals, n_kept = len(self.clause.body), len(self.derivation.kept)
        return self.positives, -n_literals - n_kept, -n_kept


@dataclass(frozen=True, eq=False)
class Inversion:
    """Search for clauses that explain an example, by inverse resolution with known clauses.

    Parameters
    ----------
    reach : Reach
        Facts usable as C1.
    rules : sequence of Clause
        Rules usable as C1.
    max_literals : int
    width : int
        Beam width: number of different clauses followed at a time.
    counts : callable
        Function that returns the numbers of positive and negative examples that a clause covers; None if it is
        unusable.
    good : callable
        Function that returns whether a clause may be a result; if not, it is specialised.
    may_stay : callable
        Function that returns whether a term of a derivation may be kept.
    stop : callable
        Function that returns whether the time limit is exceeded.
    """

    reach: Reach
    rules: Sequence[Clause]
    max_literals: int
    width: int
    counts: Callable[[Clause], tuple[int, int] | None]
    good: Callable[[Candidate], bool]
    may_stay: Callable[[Derivation, Term], bool]
    stop: Callable[[], bool]

    def candidates(self, example: Literal) -> list[Candidate]:
        """Return the admissible clauses for an example, best first."""
        found: dict[Clause, Candidate] = {}
        level = [Derivation(example)]
        seen: set[tuple[Clause, frozenset[Literal]]] = set()
        most = 0
        # Beam search with one step of inverse resolution per level: good clauses are kept, and the most
        # promising of the others are extended.
        while level and not self.stop():
            open_ones: list[Candidate] = []
            for derivation in level:
                counted = self.counts(derivation.clause)
                if counted is None:
                    continue
                candidate = Candidate(derivation, *counted)
                if self.good(candidate):
                    before = found.setdefault(derivation.clause, candidate)
                    most = max(most, before.positives)
                else:
                    open_ones.append(candidate)
            # additional literals can only lose positive examples
            open_ones = [one for one in open_ones if one.positives > most or not found]
            level = []
            waiting = [longer for one in self._best(open_ones) for longer in self._longer(one.derivation)]
            for longer in waiting:
                key = longer.clause, frozenset((longer.example, *longer.body))
                if key not in seen:
                    seen.add(key)
                    level.append(longer)
                    # absorption may increase the coverage, so it is tried at once
                    waiting += self._with_rules(longer)
        different: list[Candidate] = []
        for candidate in sorted(found.values(), key=lambda one: one.worth, reverse=True):
            if not any(variants(candidate.clause, other.clause) for other in different):
                different.append(candidate)
        return different

    def _best(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield the most promising states: those of at most `width` clauses, and a few derivations of each."""
        ways: dict[Clause, int] = {}
        for candidate in sorted(candidates, key=lambda one: one.promise, reverse=True):
            clause = candidate.clause
            if clause not in ways and len(ways) == self.width:
                continue
            ways[clause] = ways.get(clause, 0) + 1
            if ways[clause] <= GROUNDINGS:
                yield candidate

    def _longer(self, derivation: Derivation) -> Iterator[Derivation]:
        """Yield the extensions by one more fact, or by one more kept term."""
        if len(derivation.body) < self.max_literals:
            yield from self._with_facts(derivation)
        for term in derivation.names:
            if self.may_stay(derivation, term):
                yield replace(derivation, kept=derivation.kept | {term})

    def _with_facts(self, derivation: Derivation) -> Iterator[Derivation]:
        """Yield the derivations that use one more fact, which shares a term with the clause."""
        there = {derivation.example, *derivation.body}
        known = derivation.names.keys()
        for place in self.reach.near(known):
            fact = self.reach.index.facts[place]
            if fact in there:
                continue
            constants = self._constants(fact, known)
            if constants is not None:
                yield replace(
                    derivation,
                    body=(*derivation.body, fact),
                    moves=(*derivation.moves, Move(Clause(fact), Substitution())),
                    kept=derivation.kept | constants,
                )

    def _constants(self, fact: Literal, known: Iterable[Term]) -> frozenset[Term] | None:
        """Return the terms of a fact that modes keep as constants, or None if no mode leads to it."""
        terms = set(known)
        for given, new in self.reach.ways(fact, terms):
            told = {fact.arguments[place] for place in new}
            return frozenset(fact.arguments[place] for place in given) - terms - told
        return None

    def _with_rules(self, derivation: Derivation) -> Iterator[Derivation]:
        """Replace the body of a rule by its head (absorption)."""
        clause = Clause(derivation.example, derivation.body)
        for rule in self.rules:
            for step in absorption(clause, rule, terms=()):
                yield replace(
                    derivation,
                    body=step.rule.body,
                    moves=(*derivation.moves, Move(rule, step.theta1)),
                )
