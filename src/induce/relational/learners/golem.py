"""GOLEM: clauses as least general generalisations of examples (Muggleton & Feng 1990; Mitchell §10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, truth, whole
from induce.core.randomness import RandomState, generator
from induce.covering import sequential_covering
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.relational.clauses.cover_tester import note_unproved
from induce.relational.clauses.limits import Deadline
from induce.relational.golem.generalisation import Generalising


class Golem(RelationalClassifier):
    """Learn clauses from specific to general: each is the least general generalisation of some positive examples.

    Pairs of positive examples are drawn. For each pair the least general clause that covers both, relative to
    their background facts, is constructed. The best one is generalised further, example by example, as long
    as it covers more positive examples and not too many negative ones. Finally, literals that exclude no
    negative example are dropped. This search is data-driven, whereas FOIL generates and tests. The book
    mentions GOLEM as a specific-to-general search (Mitchell §10.3); the procedure is Muggleton and Feng's.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge. Relations that cannot be listed as facts are omitted, with a note. Modes, if
        any, state which arguments are inputs from which the others are reached.
    target : str, default="target"
        Name of the relation to be learned.
    depth : int, default=2
        Maximum depth of terms: number of literals between them and the example (*i*).
    max_arity : int, default=6
        Maximum number of arguments of a literal (*j*).
    determinate : bool, default=True
        Whether to use only determinate literals (*ij*-determinacy), which keeps clauses small: the father of
        a child, but not the children of a father. Otherwise all literals that the modes allow are used;
        without modes, all that are connected to the example.
    recursion : bool, default=False
        Whether clauses may call the target, defined by the positive examples; call arguments must decrease.
    n_pairs : int, default=10
        Number of pairs of examples tried per clause, and of examples tried per generalisation step.
    min_positives : int, default=2
        Minimum number of positive examples covered only by this clause.
    noise : float, default=0.0
        Maximum fraction of negative examples among those a clause covers.
    max_literals : int, default=1000
        Maximum number of literals in a saturated example and in each generalisation; the nearest are kept.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files: ``:- clause(C), #count{V : var_type(C, V,
        state)} != 1.``; or ``prune/1``, a background predicate that holds of forbidden clauses.
    time_limit : float, optional
        Limit on processor time in seconds; a note reports when it ends the search.
    random_state : int, Generator or None, default=0
        Random seed of the drawn pairs. The order of the examples does not matter.

    Attributes
    ----------
    hypothesis_ : Theory
    classes_ : array
    stopped_ : str or None
        Limit that ended the search, if any.

    See Also
    --------
    FOIL : Clauses literal by literal, by information gain.
    Progol : Inverse entailment from one example.

    Notes
    -----
    A missing argument matches nothing, and an object unknown to the background is in no relation. Numbers are
    treated as names, without thresholds.

    References
    ----------
    S. Muggleton and C. Feng (1990). Efficient induction of logic programs. First Conference on Algorithmic
    Learning Theory, 368-381.

    Examples
    --------
    >>> from induce.relational import Relations
    >>> family = Relations(program='''
    ...     father(sharon, bob). father(tom, bob). father(bob, victor). father(ann, tom).
    ...     female(sharon). female(ann).''')
    >>> pairs = [("victor", "sharon"), ("bob", "ann"), ("victor", "tom"), ("bob", "victor"), ("tom", "ann")]
    >>> golem = Golem(background=family, target="granddaughter").fit(pairs, [1, 1, 0, 0, 0])
    >>> print(golem.hypothesis_)
    granddaughter(A, B) :- father(B, C), female(B), father(C, A).  % 2/2
    """

    parameters: ClassVar[Declared] = {
        "depth": whole("Maximum depth of terms from the example (i).", at_least=0),
        "max_arity": whole("Maximum number of arguments of a literal (j).", at_least=1),
        "determinate": truth("Whether to use only determinate literals."),
        "n_pairs": whole("Number of pairs of examples tried per clause.", at_least=1),
        "max_literals": whole("Maximum number of literals in a saturated example.", at_least=1),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        depth: int = 2,
        max_arity: int = 6,
        determinate: bool = True,
        recursion: bool = False,
        n_pairs: int = 10,
        min_positives: int = 2,
        noise: float = 0.0,
        max_literals: int = 1000,
        constraints: Sequence[str] = (),
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.background = background
        self.target = target
        self.depth = depth
        self.max_arity = max_arity
        self.determinate = determinate
        self.recursion = recursion
        self.n_pairs = n_pairs
        self.min_positives = min_positives
        self.noise = noise
        self.max_literals = max_literals
        self.constraints = constraints
        self.time_limit = time_limit
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # numbers are treated as names, so a table of measurements is uninformative
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any) -> Golem:
        """Learn clauses for the positive rows of `X`."""
        examples = self._examples(X, y)
        deadline = Deadline(self.time_limit)
        search = Generalising(self, examples, generator(self.random_state), deadline)
        clauses: list[Clause] = []
        with interruptible(clauses, "clauses"):
            for clause in sequential_covering(search, search.learn, search.accept):
                clauses.append(clause)
        self.stopped_ = deadline.told(clauses)
        self.hypothesis_ = self._theory(examples, clauses)
        note_unproved(self.hypothesis_, search.tester)
        return self
