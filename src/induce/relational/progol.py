"""PROGOL: clauses by inverse entailment, each between the empty body and an example's most specific clause (§10.7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.jit import announce_compilation
from induce.core.notes import note
from induce.core.parameters import at_least
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.covering import sequential_covering
from induce.logic.clauses import Clause, Literal
from induce.logic.facts import Codes, Facts
from induce.relational.bottom_clause import Saturation
from induce.relational.encoding import bits_of_choice
from induce.relational.examples import Examples
from induce.relational.learner import RelationalClassifier
from induce.relational.limits import Deadline
from induce.relational.progol_cover import Evaluation, Words, recursive, unpacked
from induce.relational.progol_modes import modes_of
from induce.relational.progol_recursion import proved
from induce.relational.progol_search import (
    Compression,
    Found,
    Generality,
    Limits,
    Score,
    Search,
    bits_of_subset,
)
from induce.relational.relations import Relations

PRICE = 2.0
"""How much dearer it is to call an example wrong than to say which one it is: examples are taken to be right."""

FEW = 8
"""After so many examples the length of a theory's description is estimated."""


class Progol(RelationalClassifier):
    """Clauses by inverse entailment (Mitchell §10.7.5; Muggleton 1995).

    An example that no clause covers yet is taken with everything that the background knows of it: its most specific
    clause, within the modes. Every subset of that clause's body is a candidate; a best-first search finds the one of
    greatest compression, positive examples less negative ones less literals, and never misses it within the limits.
    What the clause covers is settled, and the next example is taken.

    Without declared modes they are derived: relations are followed from thing to thing, properties are constants, and
    numbers are compared with thresholds. The example of a seed whose arguments are missing is left out. A missing
    argument, and a thing that the background does not know, is in no relation: only clauses that do not speak of it
    cover it.

    Parameters
    ----------
    background : Relations, optional
        What is known, and the modes of the literals if they are declared.
    target : str, default="target"
        The name of the relation to be learned.
    depth : int, default=2
        How many literals lead from the head to a literal at most, itself included.
    max_literals : int, default=4
        How many literals a body has at most.
    noise : int, optional
        How many negative examples a clause may cover. By default two theories are learned, one whose clauses cover
        none and one whose clauses cover them where that compresses, and the one is taken that has the shorter
        description together with the examples that it gets wrong.
    min_accuracy : float, default=0
        What share of the examples that a clause covers must be positive.
    min_positives : int, default=1
        How many positive examples a clause must cover.
    recursion : bool, default=False
        Whether clauses may call the target where no mode says so. A recursive clause counts for what it proves
        together with the clauses before it, never for what only the examples say.
    positive_only : bool, default=False
        Judge clauses by positive examples and by how general they are, which random examples tell (Muggleton 1996);
        negative examples are not looked at.
    n_random : int, default=500
        How many random examples tell how general clauses are.
    keep_examples : bool, default=False
        Whether a positive example that no clause covers is added as a fact.
    max_bottom : int, default=1000
        How many literals a most specific clause has at most.
    max_nodes : int, default=50000
        How many clauses are looked at for one example at most.
    max_clauses : int, optional
    time_limit : float, optional
        Seconds after which the clauses found so far are the theory.
    random_state : int, Generator or None, default=0
        For the random examples.

    Attributes
    ----------
    hypothesis_ : Theory
    classes_ : array
    stopped_ : str or None
        Which limit ended the search before it was complete.
    n_nodes_ : int
        How many clauses were looked at.

    Examples
    --------
    >>> from induce.relational.relations import Relations
    >>> family = Relations(program='''
    ...     parent(ann, bea). parent(ann, cal). parent(bea, dan). parent(bea, eve). parent(cal, fay).
    ...     parent(dan, gus). parent(fay, hal).''')
    >>> pairs = [("ann", "dan"), ("ann", "eve"), ("ann", "fay"), ("bea", "gus"), ("cal", "hal"),
    ...          ("ann", "bea"), ("bea", "dan"), ("dan", "ann"), ("ann", "gus"), ("cal", "cal"), ("eve", "hal")]
    >>> inside = [True] * 5 + [False] * 6
    >>> progol = Progol(family, "grandparent").fit(pairs, inside)
    >>> print(progol.hypothesis_)
    grandparent(A, B) :- parent(A, C), parent(C, B).  % 5/5
    >>> progol.predict([("bea", "gus"), ("gus", "bea")])
    array([ True, False])
    """

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        depth: int = 2,
        max_literals: int = 4,
        noise: int | None = None,
        min_accuracy: float = 0.0,
        min_positives: int = 1,
        recursion: bool = False,
        positive_only: bool = False,
        n_random: int = 500,
        keep_examples: bool = False,
        max_bottom: int = 1000,
        max_nodes: int = 50_000,
        max_clauses: int | None = None,
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.background = background
        self.target = target
        self.depth = depth
        self.max_literals = max_literals
        self.noise = noise
        self.min_accuracy = min_accuracy
        self.min_positives = min_positives
        self.recursion = recursion
        self.positive_only = positive_only
        self.n_random = n_random
        self.keep_examples = keep_examples
        self.max_bottom = max_bottom
        self.max_nodes = max_nodes
        self.max_clauses = max_clauses
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the rows of `X` that `y` says are in the relation.

        Parameters
        ----------
        X : frame or array
            The arguments of each example.
        y : sequence of two classes
        """
        self._check()
        examples = self._examples(X, y)
        task = self._task(examples)
        clauses = task.reduced(self._learned(task))
        self.stopped_ = task.deadline.told(clauses) or task.unfinished()
        self.n_nodes_ = task.nodes
        if self.keep_examples:
            clauses = [*clauses, *task.facts(clauses)]
        self.hypothesis_ = self._theory(examples, clauses)
        return self

    def _check(self) -> None:
        for name in ("depth", "max_literals", "min_positives", "max_bottom", "max_nodes", "n_random"):
            at_least(name, getattr(self, name), 1, whole=True)
        at_least("min_accuracy", self.min_accuracy, 0)
        if self.noise is not None:
            at_least("noise", self.noise, 0)
        if self.max_clauses is not None:
            at_least("max_clauses", self.max_clauses, 1, whole=True)

    def _task(self, examples: Examples) -> Task:
        inside, outside = examples.rows[examples.positive], examples.rows[~examples.positive]
        score: Score = Compression()
        if self.positive_only:
            score = Generality(len(inside))
            outside = random_rows(examples, self.n_random, generator(self.random_state))
        elif not len(outside):
            note(
                f"there is no negative example, so {self.target} holds of everything; give some, or positive_only=True"
            )
        from induce.relational import _progol_loops

        announce_compilation(_progol_loops.count)
        return Task(
            examples,
            inside,
            outside,
            score,
            Limits(
                self.max_literals,
                self.max_nodes,
                np.inf if self.noise is None else self.noise,
                self.min_accuracy,
                self.min_positives,
            ),
            Deadline(self.time_limit),
            self.depth,
            self.max_bottom,
            np.inf if self.max_clauses is None else self.max_clauses,
            bool(self.recursion),
        )

    def _learned(self, task: Task) -> list[Clause]:
        """Return the clauses of the better of two theories, or of the only one."""
        if self.noise is not None or self.positive_only:
            return Covering(task, task.limits, -np.inf).learn_all().clauses
        tolerant = Covering(task, task.limits, 0.0).learn_all()
        if not tolerant.wrong() or task.deadline.passed():
            return tolerant.clauses
        # a consistent clause is worth at least what it costs to say that its examples are wrong
        n_inside = len(task.inside)
        worth = PRICE * float(bits_of_choice(n_inside, n_inside + len(task.outside))) / max(n_inside, 1)
        strict = Covering(
            task, replace(task.limits, noise=0, worth=worth), -np.inf, tolerant.bits()
        ).learn_all()
        return strict.clauses if strict.bits() < tolerant.bits() else tolerant.clauses


@dataclass(eq=False)
class Task:
    """What is to be learned, and within which limits."""

    examples: Examples
    inside: Codes
    outside: Codes
    score: Score
    limits: Limits
    deadline: Deadline
    depth: int
    max_bottom: int
    max_clauses: float
    recursion: bool
    nodes: int = 0
    cut_searches: int = 0

    def __post_init__(self) -> None:
        head, modes = modes_of(self.examples, self.recursion)
        coverage = self.examples.coverage()
        self.evaluation = Evaluation(coverage, self.examples.head, self.inside, self.outside)
        self._covered: dict[Clause, Words] = {}
        denied = None if isinstance(self.score, Generality) else Facts.of(self.outside)
        self.saturation = Saturation(
            coverage, head, modes, self.depth, self.max_bottom, self.evaluation.cuts, denied
        )

    def facts(self, clauses: Sequence[Clause]) -> list[Clause]:
        """Return the positive examples that no clause covers as facts."""
        left = self.evaluation.everything & ~self.covered(clauses)
        places = np.flatnonzero(unpacked(left)[: len(self.inside)])
        known = self.inside[places][(self.inside[places] >= 0).all(1)]
        return [Clause(self.examples.literal(row)) for row in Facts.of(known).rows]

    def covered(self, clauses: Sequence[Clause]) -> Words:
        """Return the examples that a theory covers."""
        if recursive(clauses):
            rows = proved(clauses, self.examples.relations, self.evaluation.rows)
            return self.evaluation.words(np.flatnonzero(rows))
        covers = np.zeros(self.evaluation.n_words, np.uint64)
        for clause in clauses:
            if clause not in self._covered:
                self._covered[clause] = self.evaluation.words_of_clause(clause)
            covers |= self._covered[clause]
        return covers

    def reduced(self, clauses: list[Clause]) -> list[Clause]:
        """Leave out clauses whose positive examples the others cover, those learned first before the others."""
        n_inside = self.evaluation.n_inside
        kept = [*clauses]
        wanted = self.covered(kept)[:n_inside]
        for clause in clauses if len(clauses) > 1 else ():
            rest = [other for other in kept if other is not clause]
            if rest and not (wanted & ~self.covered(rest)[:n_inside]).any():
                kept = rest
        return kept

    def unfinished(self) -> str | None:
        """Say that some searches were cut, and tell the user."""
        if not self.cut_searches:
            return None
        limit = f"max_nodes ({self.limits.max_nodes:,})"
        note(f"{limit} ended {self.cut_searches} searches for a clause; a better one may have been missed")
        return limit


class Learned(NamedTuple):
    """A clause, what it and those before it cover, how it was found, and the length of its description."""

    clause: Clause
    covers: Words
    found: Found
    bits: float


@dataclass(eq=False)
class Covering:
    """The covering loop of one theory, and the examples that it leaves."""

    task: Task
    limits: Limits
    floor: float
    """The score that a clause must exceed."""
    most_bits: float = np.inf
    clauses: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        evaluation = self.task.evaluation
        unknown = np.flatnonzero((self.task.inside < 0).any(1))
        self._left = evaluation.everything & ~evaluation.words(unknown)
        self._covers = np.zeros_like(self._left)
        self._hopeless: set[frozenset[Literal]] = set()
        self._bits = 0.0
        self._n_failed = 0
        self._proofs: dict[Clause, Words] = {}

    def learn_all(self) -> Covering:
        """Learn clause after clause; Ctrl-C keeps those found."""
        with interruptible(self.clauses, "clauses"):
            for _ in sequential_covering(self, self.learn, lambda _: True):
                left = self._seeds()
                report(1 - len(left) / max(len(self.task.inside), 1))
                if len(self.clauses) >= self.task.max_clauses:
                    if len(left):
                        self.task.deadline.stop(f"max_clauses ({len(self.clauses)})")
                    break
        return self

    def left(self) -> bool:
        """Say whether there is a positive example that needs a clause."""
        return len(self._seeds()) > 0 and not self._too_long()

    def _too_long(self) -> bool:
        """Say whether the description will be too long, if it goes on as with the examples looked at so far."""
        covered = unpacked(self._covers)[: len(self.task.inside)]
        n_seen = len(self.task.inside) - len(self._seeds())
        price = self.limits.worth * (n_seen - int(covered.sum())) if self._n_failed else 0.0
        share = n_seen / len(self.task.inside) if self._n_failed + len(self.clauses) >= FEW else 1.0
        return self._bits + price > self.most_bits * share

    def _seeds(self) -> Codes:
        return np.flatnonzero(unpacked(self._left)[: len(self.task.inside)])

    def learn(self) -> Learned | None:
        """Return the best clause for the first example that has one.

        An example without one is an exception from then on: it counts for no other clause.
        """
        task = self.task
        while len(seeds := self._seeds()) and not task.deadline.passed() and not self._too_long():
            seed = int(seeds[0])
            bottom = task.saturation.of(task.examples.literal(task.inside[seed]))
            key = frozenset(bottom.literals)
            if key not in self._hopeless:
                if trace.active("bottom clause"):
                    trace.emit("bottom clause", example=str(bottom.seed), clause=str(bottom.clause()))
                search = Search(
                    bottom, task.evaluation, task.score, self.limits, self._prove, task.deadline.passed
                )
                found = search.best(self._left, self.floor)
                trace.emit("search", example=str(bottom.seed), nodes=found.nodes, tests=found.tests)
                task.nodes += found.nodes
                task.cut_searches += not found.whole and not task.deadline.passed()
                if found.places is not None:
                    clause = bottom.clause(found.places)
                    covers = search.covers(found.places) | self._covers
                    return Learned(clause, covers, found, bits_of_subset(len(found.places), len(bottom)))
            self._hopeless.add(key)
            self._n_failed += 1
            self._left = self._left & ~task.evaluation.words(np.array([seed]))
        return None

    def _prove(self, clause: Clause) -> Words:
        found = self._proofs.get(clause)
        if found is None:
            found = self._proofs[clause] = self.task.covered([*self.clauses, clause])
        return found

    def remove(self, rule: Learned) -> bool:
        """Add a clause, and settle the positive examples that it covers."""
        self.clauses.append(rule.clause)
        self._proofs.clear()
        self._covers = self.task.covered(self.clauses) if recursive(self.clauses) else rule.covers
        settled = self._covers.copy()
        settled[self.task.evaluation.n_inside :] = 0
        before, self._left = self._left, self._left & ~settled
        self._bits += rule.bits
        if trace.active("clause"):
            found = rule.found
            trace.emit(
                "clause",
                clause=str(rule.clause),
                positives=found.inside,
                negatives=found.outside,
                score=found.score,
                nodes=found.nodes,
            )
        return bool((before != self._left).any())

    # -- how good the theory is --

    def _counts(self) -> tuple[int, int, int, int]:
        covered = unpacked(self._covers)
        n_inside, n_outside = len(self.task.inside), len(self.task.outside)
        inside = int(covered[:n_inside].sum())
        outside = int(covered[64 * self.task.evaluation.n_inside :][:n_outside].sum())
        return inside, outside, n_inside - inside, n_outside - outside

    def wrong(self) -> int:
        """Return how many examples the theory gets wrong."""
        _, outside, missed, _ = self._counts()
        return outside + missed

    def bits(self) -> float:
        """Return the length of a description of the theory and of the examples that it gets wrong."""
        inside, outside, missed, rest = self._counts()
        wrong = 0.0
        if outside:
            wrong += float(bits_of_choice(outside, inside + outside))
        if missed:
            wrong += float(bits_of_choice(missed, missed + rest))
        return self._bits + PRICE * wrong


def random_rows(examples: Examples, n_rows: int, random: np.random.Generator) -> Codes:
    """Return random examples of the head's types; all there are, if they are no more than asked for."""
    kinds = examples.relations.kinds
    domains = []
    for kind, column in zip(examples.types, examples.rows.T, strict=True):
        known = kinds.values.get(kind, column[:0])
        domains.append(np.unique(np.concatenate([known, column[column >= 0]])))
    sizes = [len(domain) for domain in domains]
    if np.prod(np.array(sizes, float)) <= n_rows:
        rows = np.stack([axis.ravel() for axis in np.meshgrid(*domains, indexing="ij")], 1)
    else:
        rows = np.stack([domain[random.integers(0, len(domain), n_rows)] for domain in domains], 1)
    known = examples.facts().matches(tuple(range(rows.shape[1])), rows).count > 0
    return rows[~known]
