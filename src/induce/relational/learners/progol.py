"""PROGOL: clauses by inverse entailment, generalised from an example's most specific clause (Mitchell §10.7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, number, text, truth, whole
from induce.core.randomness import RandomState, generator
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.relational.clauses.description_length import bits_of_choice
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Deadline
from induce.relational.clauses.reduction import without_idle
from induce.relational.progol.covering import PRICE, Covering, Task
from induce.relational.progol.scores import Compression, Generality, Limits, Score, UserCost

FEW = 50
"""Maximum number of positive examples for which a theory in a declared language may exceed its description length."""


class Progol(RelationalClassifier):
    """Clauses by inverse entailment (Mitchell §10.7.5; Muggleton 1995).

    An uncovered example is saturated: its most specific clause contains everything that the background
    entails about it, within the modes. Every subset of that clause's body is a candidate. Best-first search
    finds the one of maximum compression (positive examples minus negative ones minus literals), which is
    optimal unless a limit ends the search. The examples covered by the clause are removed, and the next
    example is processed.

    Without declared modes, modes are derived: relations are followed from object to object, properties are
    constants, and numbers are compared with thresholds. Seed examples with missing arguments are skipped. A
    missing argument, or an object unknown to the background, is in no relation: only clauses that do not use
    it cover the example.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge, including declared modes of the literals.
    target : str, default="target"
        Name of the relation to be learned.
    depth : int, default=3
        Maximum number of literals from the head to a literal, itself included (depth).
    max_literals : int, default=6
        Maximum number of literals in a body.
    noise : int, optional
        Maximum number of negative examples a clause may cover. By default two theories are learned: one whose
        clauses cover none, and one whose clauses may cover some if that improves compression. The theory with
        the shorter description, including its errors, is returned.
    min_accuracy : float, default=0.0
        Minimum fraction of positive examples among those a clause covers.
    min_positives : int, default=1
        Minimum number of positive examples a clause covers.
    recursion : bool, default=False
        Whether clauses may call the target without a mode that allows it. A recursive clause is scored by the
        examples it proves together with the earlier clauses, never by lookup among the examples alone.
    positive_only : bool, default=False
        Whether clauses are scored by positive examples and their generality, estimated from random examples
        (Muggleton 1996). Negative examples are then ignored.
    n_random : int, default=500
        Number of random examples used to estimate the generality of clauses.
    cost : str, optional
        Background predicate such as ``cost/3`` that computes the cost of a clause; lower is better. Its list
        argument holds the numbers of covered positive examples, covered negative examples and literals:
        ``cost(_, [P, N, L], C)``.
    keep_examples : bool, default=False
        Whether to add uncovered positive examples as facts.
    max_bottom : int, default=1000
        Maximum number of literals in a most specific clause.
    max_nodes : int, default=20000
        Maximum number of clauses examined per example.
    max_clauses : int, optional
        Maximum number of clauses; None sets no limit.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files: ``:- clause(C), #count{V : var_type(C, V,
        state)} != 1.``; or ``prune/1``, a background predicate that holds of forbidden clauses.
    time_limit : float, optional
        Limit on processor time in seconds; the clauses found so far form the theory.
    random_state : int, Generator or None, default=0
        Random seed of the random examples.

    Attributes
    ----------
    hypothesis_ : Theory
    classes_ : array
    stopped_ : str or None
        Limit that ended the search early.
    n_nodes_ : int
        Number of clauses examined.

    See Also
    --------
    FOIL : Clauses literal by literal, by information gain.
    Golem : Relative least general generalisation.
    RelationalLearner : Several strategies, with a time limit.

    References
    ----------
    S. Muggleton (1995). Inverse entailment and Progol. New Generation Computing 13, 245-286.

    Examples
    --------
    >>> from induce.logic.background.relations import Relations
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

    parameters: ClassVar[Declared] = {
        "depth": whole("Maximum number of literals from the head to a literal.", at_least=1),
        "noise": number(
            "Maximum number of negative examples a clause may cover; None compares theories with and "
            "without such clauses.",
            at_least=0,
            none=True,
        ),
        "positive_only": truth("Whether clauses are scored by positive examples and their generality."),
        "n_random": whole(
            "Number of random examples used to estimate the generality of clauses.", at_least=1
        ),
        "cost": text("Predicate that computes the cost of a clause, such as cost/3.", none=True),
        "keep_examples": truth("Whether uncovered positive examples are added as facts."),
        "max_bottom": whole("Maximum number of literals of a most specific clause.", at_least=1),
        "max_nodes": whole("Maximum number of clauses examined per example.", at_least=1),
        "max_clauses": whole("Maximum number of clauses; None sets no limit.", at_least=1, none=True),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        depth: int = 3,
        max_literals: int = 6,
        noise: int | None = None,
        min_accuracy: float = 0.0,
        min_positives: int = 1,
        recursion: bool = False,
        positive_only: bool = False,
        n_random: int = 500,
        cost: str | None = None,
        keep_examples: bool = False,
        max_bottom: int = 1000,
        max_nodes: int = 20_000,
        max_clauses: int | None = None,
        constraints: Sequence[str] = (),
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
        self.cost = cost
        self.keep_examples = keep_examples
        self.max_bottom = max_bottom
        self.max_nodes = max_nodes
        self.max_clauses = max_clauses
        self.constraints = constraints
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the positive rows of `X`.

        Parameters
        ----------
        X : frame or array
            Arguments of each example.
        y : sequence of two classes
        """
        return self.fit_within(X, y, Deadline(self.time_limit))

    def fit_within(self, X: Any, y: Any, deadline: Deadline) -> Self:
        """Learn clauses within a limit that other searches may share."""
        examples = self._examples(X, y)
        best: tuple[int, list[Clause], Task] | None = None
        ways = Language(examples, self.constraints, bool(self.recursion)).ways()
        for language in ways:
            last = language is ways[-1]
            task = self._task(examples, language, deadline if last else deadline.part(0.5))
            found = self._learned(task)
            clauses = task.reduced(found.clauses)
            rows = np.concatenate([task.inside, task.outside])
            clauses = without_idle(clauses, examples.coverage(), rows, language)
            if best is None or found.wrong() < best[0]:
                best = found.wrong(), clauses, task
            if not found.wrong() or deadline.passed():
                break
        assert best is not None
        _, clauses, task = best
        self.stopped_ = task.deadline.told(clauses) or task.unfinished()
        self.n_nodes_ = task.nodes
        if self.keep_examples:
            clauses = [*clauses, *task.facts(clauses)]
        self.hypothesis_ = self._theory(examples, clauses, bool(self.positive_only))
        return self

    def _task(self, examples: Examples, language: Language, deadline: Deadline) -> Task:
        inside, outside = examples.rows[examples.positive], examples.rows[~examples.positive]
        score: Score = Compression()
        if self.positive_only:
            score = Generality(len(inside))
            outside = random_rows(examples, self.n_random, generator(self.random_state))
        elif self.cost is not None:
            name, arity = self.cost.rpartition("/")[0], 3
            if self.cost != f"{name}/3" or (name, arity) not in examples.relations.predicates():
                raise InputError(
                    f"cost is {self.cost!r}; give a background predicate with three arguments, such as cost/3"
                )
            score = UserCost(name, examples.relations)
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
            deadline,
            self.depth,
            self.max_bottom,
            np.inf if self.max_clauses is None else self.max_clauses,
            bool(self.recursion),
            language,
        )

    def _learned(self, task: Task) -> Covering:
        """Return the better of two theories, or the only one."""
        if self.noise is not None or self.positive_only or self.cost is not None:
            return Covering(task, task.limits, -np.inf).learn_all()
        tolerant = Covering(task, task.limits, 0.0).learn_all()
        if not tolerant.wrong() or task.deadline.passed():
            return tolerant
        # a clause without exceptions is worth at least the cost of marking its examples as errors
        n_inside = len(task.inside)
        worth = PRICE * float(bits_of_choice(n_inside, n_inside + len(task.outside))) / max(n_inside, 1)
        strict = Covering(
            task, replace(task.limits, noise=0, worth=worth), -np.inf, tolerant.bits()
        ).learn_all()
        best = strict if strict.bits() < tolerant.bits() else tolerant
        if best.wrong() and task.examples.declared and n_inside <= FEW and not task.deadline.passed():
            # with few examples no clause is worth its description length, but a declared language may explain
            # them all
            whole = Covering(task, replace(task.limits, noise=0), -np.inf).learn_all()
            if not whole.wrong() and len(whole.clauses) < n_inside:
                return whole
        return best


def random_rows(examples: Examples, n_rows: int, random: np.random.Generator) -> Codes:
    """Return random examples over the head's types; all of them if there are no more than requested."""
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
