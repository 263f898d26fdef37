"""RDT: clauses restricted by rule schemata (Kietz & Wrobel 1992; Mitchell §10.8).

The book states that RDT restricts the form of clauses by rule schemata. The procedure here is our own: all
instances of the schemata are tested, and a minimal set is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, such
from induce.core.progress import report
from induce.covering import sequential_covering
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.relational.clauses.cover_tester import CoverTester, Mask, note_unproved
from induce.relational.clauses.descent import Descent
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Deadline
from induce.relational.templates import CHAIN, instances, parse_template


class RDT(RelationalClassifier):
    """Learn clauses that are instances of rule schemata.

    A schema such as ``P(X, Y) :- Q(X, Z), R(Z, Y)`` defines the form of clauses. All instances are tested,
    schemata in the given order. Instances must cover enough positive and not too many negative examples. The
    instance that covers most of the remaining examples is selected, and so on. The book states that RDT
    restricts the form of its clauses by rule schemata (Mitchell §10.8; Kietz and Wrobel 1992); this procedure
    is our minimal realisation.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge; its types and modes restrict the literals.
    target : str, default="target"
        Name of the relation to be learned.
    templates : sequence of str, default=('P(X, Y) :- Q(X, Z), R(Z, Y).',)
        Rule schemata: clauses in which capitalised predicates are variables over relations. The head
        predicate stands for the target. If it also occurs in the body, clauses are recursive, and only
        terminating ones are tried. Schemata whose head arity differs from that of the target are skipped.
    min_positives : int, default=1
        Minimum number of positive examples covered only by this clause.
    noise : float, default=0.0
        Maximum fraction of negative examples among those a clause covers.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files: ``:- clause(C), #count{V : var_type(C, V,
        state)} != 1.``; or ``prune/1``, a background predicate that holds of forbidden clauses.
    time_limit : float, optional
        Limit on processor time in seconds; a note reports when it ends the search.

    Attributes
    ----------
    hypothesis_ : Theory
    classes_ : array
    n_tested_ : int
        Number of instances tested.
    stopped_ : str or None
        Limit that ended the search, if any.

    See Also
    --------
    FOIL : Clauses literal by literal, by information gain.
    Progol : Inverse entailment from one example.

    Notes
    -----
    A missing argument matches nothing; an object unknown to the background is in no relation.

    References
    ----------
    J.-U. Kietz and S. Wrobel (1992). Controlling the complexity of learning in logic through syntactic and
    task-oriented models. In Inductive Logic Programming, edited by S. Muggleton. Academic Press.

    Examples
    --------
    >>> family = Relations(program="mother(ann, bea). father(bob, bea). mother(bea, cal). mother(bea, dan).")
    >>> pairs = [("ann", "cal"), ("ann", "dan"), ("bob", "cal"), ("ann", "bea"), ("bea", "cal")]
    >>> print(RDT(family, "grandmother", templates=[CHAIN]).fit(pairs, [1, 1, 0, 0, 0]).hypothesis_)
    grandmother(A, B) :- mother(A, C), mother(C, B).  % 2/2
    """

    parameters: ClassVar[Declared] = {
        "templates": such(
            "Rule schemata: clauses in which capitalised predicates are variables.",
            "a list of clauses",
            lambda value: not isinstance(value, str | dict) and len(value),
            otherwise=f"give a list of clauses such as {CHAIN!r}",
        ),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        templates: Sequence[str] = (CHAIN,),
        min_positives: int = 1,
        noise: float = 0.0,
        constraints: Sequence[str] = (),
        time_limit: float | None = None,
    ) -> None:
        self.background = background
        self.target = target
        self.templates = templates
        self.min_positives = min_positives
        self.noise = noise
        self.constraints = constraints
        self.time_limit = time_limit

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # numbers are treated as names, so a table of measurements is uninformative
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any) -> RDT:
        """Learn clauses for the positive rows of `X`."""
        self._check_parameters()
        templates = [parse_template(text) for text in self.templates]
        examples = self._examples(X, y)
        deadline = Deadline(self.time_limit)
        tests = _Tests(self, examples, deadline)
        tests.run(templates)
        clauses: list[Clause] = []
        with interruptible(clauses, "clauses"):
            for number in sequential_covering(tests, tests.learn, lambda _: True):
                clauses.append(tests.clauses[number])
        self.n_tested_ = tests.n_tested
        self.stopped_ = deadline.told(clauses)
        self.hypothesis_ = self._theory(examples, clauses)
        note_unproved(self.hypothesis_, tests.tester)
        return self


class _Tests:
    """Covering loop of RDT: the accepted instances and the remaining positive examples."""

    def __init__(self, learner: RDT, examples: Examples, deadline: Deadline) -> None:
        self.learner, self.examples, self.deadline = learner, examples, deadline
        self.tester = CoverTester(examples)
        self.positive = np.unique(examples.rows[examples.positive], axis=0)
        self.negative = np.unique(examples.rows[~examples.positive], axis=0)
        self.uncovered = np.ones(len(self.positive), np.bool_)
        self.clauses: list[Clause] = []
        self.covers: list[Mask] = []
        self.n_tested = 0
        self._descent = Descent(examples)
        # a schema that calls the target declares the recursion itself
        self._language = Language(examples, learner.constraints, recursion=True)

    def run(self, templates: Sequence[Clause]) -> None:
        """Test all instances."""
        relations, target, types = self.examples.relations, self.examples.target, self.examples.types
        fitting = [one for one in templates if one.head is not None and len(one.head.arguments) == target[1]]
        if not fitting:
            note(
                f"no template has a head with {target[1]} arguments, the arity of {target[0]}; "
                "nothing is learned"
            )
        for number, template in enumerate(fitting):
            report(number / len(fitting))
            for clause in instances(template, relations, target, types):
                if self.deadline.passed():
                    return
                if self._descent.admits(clause) and (self._language.free or self._language.allows(clause)):
                    self._test(clause)

    def _test(self, clause: Clause) -> None:
        self.n_tested += 1
        within = self.tester.covered(clause, self.positive)
        outside = int(self.tester.covered(clause, self.negative).sum())
        good = self._good(int(within.sum()), outside)
        if trace.active("instance"):
            trace.emit(
                "instance", clause=str(clause), positives=int(within.sum()), negatives=outside, accepted=good
            )
        if good:
            self.clauses.append(clause)
            self.covers.append(within)

    def _good(self, within: int, outside: int) -> bool:
        return within >= self.learner.min_positives and outside <= self.learner.noise * (within + outside)

    def left(self) -> bool:
        """Return whether a positive example remains."""
        return bool(self.uncovered.any())

    def learn(self) -> int | None:
        """Return the clause that covers most of the remaining examples; ties go to the shortest, then the first."""
        new = [int((covers & self.uncovered).sum()) for covers in self.covers]
        best = max(
            range(len(new)),
            key=lambda place: (new[place], -len(self.clauses[place].body), -place),
            default=None,
        )
        return None if best is None or new[best] < self.learner.min_positives else best

    def remove(self, place: int) -> bool:
        """Remove the examples that a clause covers."""
        self.uncovered &= ~self.covers[place]
        return True
