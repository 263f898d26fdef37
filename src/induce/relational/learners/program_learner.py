"""ProgramLearner: whole theories, including recursive ones, smallest first (learning from failures)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from induce.core.notes import note
from induce.core.parameters import Declared, truth, whole
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.relational.clauses.limits import Deadline
from induce.relational.programs.search import ProgramSearch


class ProgramLearner(RelationalClassifier):
    """Small programs: clauses that are evaluated together, as a theory (Cropper and Morel 2021).

    Clauses are enumerated by size within the types and modes: inputs are bound before they are used, no
    variable occurs only once, and only the shortest of the clauses with the same answers is kept. Base
    clauses that cover no negative example are combined with one recursive clause, then with two, and tested
    on the smallest positive examples first. The selected theory is the one with the shortest description
    among those that explain all examples; ambiguous answers lengthen the description. If there is none, the
    best theory that covers no negative example is returned, with a note.

    Examples are assumed to be noise-free. A row with a missing argument is ignored in training and classified
    as negative. The program also applies to terms not seen in training.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge; its types and modes restrict the literals.
    target : str, default="target"
        Name of the relation to be learned.
    max_literals : int, default=5
        Maximum number of literals of a body.
    max_clauses : int, default=3
        Maximum number of clauses.
    max_variables : int, optional
        Maximum number of variables of a clause.
    recursion : bool, default=True
        Whether clauses may call the target. If modes are declared, one of them must also allow it.
    singletons : bool, default=False
        Whether a variable may occur only once in a clause.
    invention : bool, default=False
        Whether a predicate may be invented, with one or two clauses of its own, if no theory without it explains all
        examples.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files, or ``prune/1``, a background predicate that
        holds of forbidden clauses.
    time_limit : float, default=60.0
        Limit on processor time in seconds; the best theory found so far is returned.

    Attributes
    ----------
    hypothesis_ : Theory
    classes_ : array
    n_theories_ : int
        Number of theories tried.
    stopped_ : str or None
        Limit that ended the search.

    See Also
    --------
    Progol : Inverse entailment from one example.
    RelationalLearner : Several strategies, with a time limit.

    References
    ----------
    A. Cropper and R. Morel (2021). Learning programs by learning from failures. Machine Learning 110, 801-856.

    Examples
    --------
    >>> from induce.logic.background.modes import Mode
    >>> lists = Relations(program="head([X|_], X). tail([_|T], T). empty([]).", modes=[
    ...     Mode("last", ("+list", "-item"), head=True), Mode("last", ("+list", "-item")),
    ...     Mode("head", ("+list", "-item")), Mode("tail", ("+list", "-list")), Mode("empty", ("+list",))])
    >>> rows = [([1, 2, 3], 3), ([4], 4), ([5, 6], 6), ([1, 2], 1), ([3, 4, 5], 4), ([7, 8, 9], 7)]
    >>> learner = ProgramLearner(lists, "last").fit(rows, [True] * 3 + [False] * 3)
    >>> print(learner.hypothesis_)
    last(A, B) :- head(A, B), tail(A, C), empty(C).  % 1/1
    last(A, B) :- tail(A, C), last(C, B).  % 2/2
    """

    stopped_: str | None

    parameters: ClassVar[Declared] = {
        "max_clauses": whole("Maximum number of clauses.", at_least=1),
        "max_variables": whole(
            "Maximum number of variables of a clause; None sets no limit.", at_least=1, none=True
        ),
        "singletons": truth("Whether a variable may occur only once in a clause."),
        "invention": truth(
            "Whether a predicate may be invented if no theory without it explains all examples."
        ),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        max_literals: int = 5,
        max_clauses: int = 3,
        max_variables: int | None = None,
        recursion: bool = True,
        singletons: bool = False,
        invention: bool = False,
        constraints: Sequence[str] = (),
        time_limit: float | None = 60.0,
    ) -> None:
        self.background = background
        self.target = target
        self.max_literals = max_literals
        self.max_clauses = max_clauses
        self.max_variables = max_variables
        self.recursion = recursion
        self.singletons = singletons
        self.invention = invention
        self.constraints = constraints
        self.time_limit = time_limit

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = (
            True  # programs are unsuitable for numeric columns without relations
        )
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the positive rows of `X`.

        Parameters
        ----------
        X : frame or array
            Arguments of each example.
        y : sequence of two classes
        """
        examples = self._examples(X, y)
        deadline = Deadline(self.time_limit)
        clauses: list[Clause] = []
        self.n_theories_ = 0
        if examples.positive.any() and not examples.positive.all():
            search = self._search(examples, deadline)
            clauses = search.search()
            self.n_theories_ = search.n_theories
        self.stopped_ = deadline.told(clauses)
        self.hypothesis_ = self._theory(examples, clauses)
        missed = int(self.hypothesis_.rest[1])
        if examples.positive.any() and missed and self.stopped_ is None:
            note(
                f"no theory within the limits explains all examples; {missed} positive ones are left "
                "out; try a greater max_literals or max_clauses, invention=True, singletons=True, or "
                "more informative relations"
            )
        return self

    def _search(self, examples: Examples, deadline: Deadline) -> ProgramSearch:
        return ProgramSearch(
            examples,
            bool(self.recursion),
            self.max_literals,
            self.max_clauses,
            self.max_variables,
            bool(self.singletons),
            deadline,
            bool(self.invention),
            self.constraints,
        )
