"""Proofs by resolution: step-by-step derivations of a contradiction from clauses (Robinson 1965; Mitchell §10.7)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from induce.core.errors import InputError
from induce.logic.clauses import Literal, Predicate
from induce.logic.resolution import factors, resolved, write_disjunction
from induce.logic.substitution import Substitution, ordered, renaming_apart, variables_of
from induce.logic.subsumption import Disjunction, disjunction, theta_subsumes
from induce.logic.terms import Function, Term, Variable

SYMBOLS = 500
"""Maximum number of symbols in a clause, or four times that of the largest given clause if that is more."""


@dataclass(frozen=True)
class Step:
    """Clause of a proof, and its origin.

    Parameters
    ----------
    clause : frozenset of Literal
    parents : tuple of int
        Indices of the parent steps: none for a given clause, one for a factor, two for a resolvent.
    literals : tuple of Literal
        Two unified literals, as they occur in the parents (the second renamed apart).
    theta : Substitution
        The unifier.
    """

    clause: frozenset[Literal]
    parents: tuple[int, ...] = ()
    literals: tuple[Literal, ...] = ()
    theta: Substitution = field(default_factory=Substitution)


@dataclass(frozen=True)
class ResolutionProof:
    """Steps of a proof; the last step is the proved clause, the empty clause in a refutation.

    Prints one step per line; `tree` shows the same from the last step down to the given clauses.

    Parameters
    ----------
    steps : tuple of Step
        Steps, given clauses included.
    """

    steps: tuple[Step, ...]

    @property
    def conclusion(self) -> frozenset[Literal]:
        """Proved clause."""
        return self.steps[-1].clause

    def __str__(self) -> str:
        lines = []
        for place, step in enumerate(self.steps, start=1):
            how = "given"
            if step.parents:
                from_ = " and ".join(str(parent + 1) for parent in step.parents)
                how = f"from {from_} by {step.theta}"
            lines.append(f"{place}. {write_disjunction(step.clause)}   [{how}]")
        return "\n".join(lines)

    def tree(self) -> str:
        """Return the proof as a tree in lines, each clause above its parents.

        A clause that is used repeatedly is expanded only the first time.
        """
        lines: list[str] = []
        shown: set[int] = set()
        waiting = [(len(self.steps) - 1, "", "")]
        while waiting:
            place, mark, margin = waiting.pop()
            step = self.steps[place]
            again = " (see above)" if place in shown and step.parents else ""
            by = f"   {step.theta}" if step.parents and not again else ""
            lines.append(f"{mark}{write_disjunction(step.clause)}{by}{again}")
            if place in shown:
                continue
            shown.add(place)
            for number, parent in reversed(list(enumerate(step.parents))):
                last = number == len(step.parents) - 1
                waiting.append(
                    (parent, margin + ("└─ " if last else "├─ "), margin + ("   " if last else "│  "))
                )
        return "\n".join(lines)


@dataclass(frozen=True)
class Refutation:
    """Result of a consistency check of clauses.

    Parameters
    ----------
    proof : ResolutionProof or None
        Proof of the contradiction.
    decided : bool
        Whether the question is decided. Without a proof, True means that the clauses are consistent, and
        False that the step limit was reached.
    steps : int
        Number of generated resolvents and factors.
    """

    proof: ResolutionProof | None
    decided: bool
    steps: int


def refute(clauses: Iterable[Disjunction], *, max_steps: int = 10_000) -> Refutation:
    """Search for a proof that clauses are contradictory.

    The search is complete: with enough steps it finds a proof if there is one. Half of the steps are spent on
    forward reasoning: one of the two clauses has only positive literals, and the other is resolved on one
    negative literal. If that is inconclusive, the rest is spent on backward reasoning, with the signs
    exchanged. Consistency is undecidable in general. Without functions, and with at most one positive literal
    per clause, the first half always terminates, given enough steps.

    Parameters
    ----------
    clauses : iterable of Clause or frozenset of Literal
        Clauses, read as in classical logic: ``\\+`` is classical negation.
    max_steps : int
        Maximum number of resolvents and factors.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(refute([parse_clause("swan(X)."), parse_clause(":- swan(fred).")]).proof)
    1. swan(X)   [given]
    2. ¬swan(fred)   [given]
    3. ⊥   [from 2 and 1 by {X/fred}]
    """
    if max_steps < 1:
        raise InputError(f"max_steps is {max_steps}; give a whole number of 1 or more")
    given = list(dict.fromkeys(disjunction(clause) for clause in clauses))
    forwards = _Saturation(given, backwards=False, max_steps=(max_steps + 1) // 2)
    outcome = forwards.run()
    if outcome.decided or max_steps == 1:
        return outcome
    return _Saturation(given, backwards=True, max_steps=max_steps // 2, before=outcome.steps).run()


class _Saturation:
    """Clauses already combined with all others, and clauses waiting to be."""

    def __init__(
        self, given: Iterable[frozenset[Literal]], *, backwards: bool, max_steps: int, before: int = 0
    ) -> None:
        # backward reasoning is forward reasoning with the names "negative" and "positive" exchanged
        self._backwards = backwards
        self._left = max_steps
        self._made = before
        self._complete = True
        self._steps: list[Step] = []
        self._light: list[tuple[int, int]] = []
        self._old: deque[int] = deque()
        self._done: set[int] = set()
        self._known: set[frozenset[Literal]] = set()
        self._general: dict[tuple[Predicate, bool], list[frozenset[Literal]]] = {}
        self._one_sided: dict[Predicate, list[tuple[int, Literal]]] = {}
        self._chosen: dict[Predicate, list[tuple[int, Literal]]] = {}
        given = list(given)
        self._symbols = max([SYMBOLS, *(4 * _size(clause) for clause in given)])
        for clause in given:
            self._keep(Step(clause))

    def run(self) -> Refutation:
        """Run until the empty clause is derived, no clauses are left, or the step limit is reached."""
        while frozenset() not in self._known:
            place = self._next(by_age=len(self._done) % 5 == 4)
            if place is None:
                return Refutation(None, self._complete, self._made)
            for step in self._made_with(place):
                if self._left == 0:
                    return Refutation(None, False, self._made)
                self._left -= 1
                self._made += 1
                self._keep(step)
                if not step.clause:
                    break
        return Refutation(self._proof(), True, self._made)

    def _keep(self, step: Step) -> None:
        """Queue a clause unless it is redundant."""
        clause = step.clause
        if clause in self._known or any(literal.negation() in clause for literal in clause):
            return
        size = _size(clause, self._symbols)
        if size > self._symbols:
            self._complete = False
            return
        if self._subsumed(clause):
            return
        place = len(self._steps)
        self._steps.append(step)
        self._known.add(clause)
        if clause and not all(literal.ground for literal in clause):
            first = ordered(clause)[0]
            self._general.setdefault((first.predicate, first.negated), []).append(clause)
        heappush(self._light, (size, place))
        self._old.append(place)

    def _subsumed(self, clause: frozenset[Literal]) -> bool:
        """Return whether a known, strictly simpler clause subsumes a clause (a clause subsumes its factors)."""
        for kind in {(literal.predicate, literal.negated) for literal in clause}:
            for other in self._general.get(kind, ()):
                if len(other) <= len(clause) and theta_subsumes(other, clause) is not None:
                    return True
        return False

    def _next(self, by_age: bool) -> int | None:
        """Return the waiting clause with the fewest symbols, at times the oldest, so that none waits forever."""
        while self._old if by_age else self._light:
            place = self._old.popleft() if by_age else heappop(self._light)[1]
            if place not in self._done:
                self._done.add(place)
                return place
        return None

    def _made_with(self, place: int) -> Iterator[Step]:
        """Derive all consequences of one clause and one of the processed clauses."""
        clause = self._steps[place].clause
        against = [literal for literal in ordered(clause) if literal.negated != self._backwards]
        if against:
            # a single occurrence suffices; with few variables it matches few clauses
            literal = min(against, key=lambda each: len(set(each.variables())))
            self._chosen.setdefault(literal.predicate, []).append((place, literal))
            partners = self._one_sided.get(literal.predicate, [])
            yield from self._resolvents(place, literal, partners)
        else:
            for literal in ordered(clause):
                self._one_sided.setdefault(literal.predicate, []).append((place, literal))
                yield from self._resolvents(place, literal, self._chosen.get(literal.predicate, []))
            for factor, literals, theta in factors(clause):
                yield Step(factor, (place,), literals, theta)

    def _resolvents(
        self, place: int, literal: Literal, partners: list[tuple[int, Literal]]
    ) -> Iterator[Step]:
        clause = self._steps[place].clause
        names = variables_of(clause)
        for partner, other in partners:
            if not _clash(literal, other):
                second = self._steps[partner].clause
                apart = renaming_apart(variables_of(second), names) if names else Substitution()
                step = resolved(clause, apart.apply(second), literal, apart.apply(other))
                if step is not None:
                    yield Step(step.clause, (place, partner), (step.literal, step.other), step.theta)

    def _proof(self) -> ResolutionProof:
        last = next(place for place, step in enumerate(self._steps) if not step.clause)
        waiting, used = [last], {last}
        while waiting:
            for parent in self._steps[waiting.pop()].parents:
                if parent not in used:
                    used.add(parent)
                    waiting.append(parent)
        numbers = {place: number for number, place in enumerate(sorted(used))}
        steps = []
        for place in sorted(used):
            step = self._steps[place]
            parents = tuple(numbers[parent] for parent in step.parents)
            steps.append(Step(step.clause, parents, step.literals, step.theta))
        return ResolutionProof(tuple(steps))


def _clash(one: Literal, other: Literal) -> bool:
    """Return whether two literals of the same predicate clash at a position: their constants or functions differ."""
    for mine, theirs in zip(one.arguments, other.arguments, strict=True):
        if not isinstance(mine, Variable) and not isinstance(theirs, Variable):
            if isinstance(mine, Function) and isinstance(theirs, Function):
                if mine.name != theirs.name:
                    return True
            elif mine != theirs:
                return True
    return False


def _size(clause: Iterable[Literal], most: int | None = None) -> int:
    """Return the number of symbols in a clause, or `most` + 1 if there are more."""
    size = 0
    for literal in clause:
        size += 1
        waiting: list[Term] = list(literal.arguments)
        while waiting:
            part = waiting.pop()
            size += 1
            if most is not None and size > most:
                return size
            if isinstance(part, Function):
                waiting.extend(part.arguments)
    return size
