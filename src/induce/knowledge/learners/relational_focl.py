"""FOCL: FOIL with a theory that suggests conjunctions (Mitchell §12.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.estimator import declared_classes
from induce.core.notes import note
from induce.core.parameter_kinds import OneOf
from induce.core.parameters import Declared, anything, choice, several
from induce.core.randomness import RandomState
from induce.hypotheses.theory import Theory
from induce.knowledge.literal_theory import first_order
from induce.knowledge.operationalising import OPERATORS, PRUNINGS, Operationaliser
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import Examples, coded_rows
from induce.logic.domain_theory import DomainTheory
from induce.relational.foil.covering import Cover
from induce.relational.learners.foil import FOIL, Search

GUIDANCE: Declared = {
    "knowledge": anything(
        "Clauses or rules that may be partly wrong; None learns from examples alone.",
        "give rules as text, or a theory",
        none=True,
    ),
    "operators": several(
        "Parts of the theory that suggest conjunctions: the target's best clause, all its clauses, or "
        "all concepts.",
        OneOf(OPERATORS),
        "operators",
    ),
    "theory_pruning": choice(
        "Literals of a suggestion to drop: those without which accuracy rises, or does not fall.",
        *PRUNINGS,
        none=True,
    ),
}


class RelationalFOCL(FOIL):
    """FOIL guided by a theory that may be wrong, which suggests whole conjunctions (Pazzani and Kibler's FOCL).

    A theory of the target states when it holds, in terms of concepts that further clauses define. At each
    step a clause of the target is unfolded until only background relations remain; if a concept has
    several clauses, the one with the highest gain is used. Literals without which the clause is more accurate are
    dropped. The remaining conjunction competes with FOIL's literals by its gain, and its description length
    is that of one literal. So a wrong theory is used only where the examples support it. Without knowledge
    the result is identical to that of `FOIL`. Without examples the theory is the hypothesis, with a note.

    Missing arguments and unseen constants are treated as in `FOIL`.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge: relations that learned clauses may use.
    target : str, default="target"
        Name of the relation to be learned.
    knowledge : str or DomainTheory, optional
        Clauses for the target, in Prolog; predicates of the background are operational.
    operators : sequence of {"target", "clauses", "concepts"}, default=('clauses', 'concepts')
        Parts of the theory that suggest conjunctions: the clause of the target with the highest gain, as in
        the book; all its clauses; or all concepts below it that use only the target's arguments.
    theory_pruning : {"improve", "not_worse", None}, default="improve"
        Literals of a suggestion to drop: those without which the clause is more accurate on the training
        examples (the book's example), or at least as accurate (the book's text). None drops no literal.
    negatives : {"given", "closed-world"}, default="given"
        Negative examples: only the given ones, or all other tuples.
    new_variables : int, optional
        Maximum number of new variables of a literal.
    max_variables : int or None, default=30
        Maximum number of variables of a clause.
    max_literals : int or None, default=10
        Maximum number of literals of a clause.
    negation : {"safe", "failure", "binding", None}, default="safe"
        Kinds of negated literals.
    equality : bool, default=True
        Whether literals may require two variables to be equal or different.
    thresholds : bool, default=True
        Whether to compare numbers with thresholds and with each other.
    constants : {"values", "declared"}, default="values"
        Constants allowed in literals.
    distinct_arguments : bool, default=True
        Whether the arguments of a literal must be distinct.
    recursion : {"guarded", "unguarded", None}, default="guarded"
        Whether clauses may call the target, and whether a guard ensures termination.
    determinate : bool, default=True
        Whether to add determinate literals if no literal has enough gain.
    encoding_length : bool, default=True
        Whether to limit the length of a clause to that of a list of its examples.
    min_accuracy : float, default=0.8
        Minimum fraction of positive examples among those a clause covers.
    prune : bool, default=True
        Whether to drop redundant literals and clauses. Literals that the theory suggested are kept.
    measure : {"foil-gain", "m-estimate"}, default="foil-gain"
        Criterion for literals.
    m : float, default=2.0
        Parameter m of the m-estimate.
    beam_width : int, default=1
        Beam width: number of clauses kept at each step.
    constraints : sequence of str, default=()
        Constraints on clauses, as denials of answer set programs or the name of a predicate such as prune/1.
    time_limit : float, optional
        Time limit of the search in seconds, after which the best theory so far is returned; None sets no
        limit.
    max_candidates : int, optional
        Maximum number of candidate literals, after which the best theory so far is returned; None sets no
        limit.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : Theory

    See Also
    --------
    FOCL : Rules from data and a domain theory.
    FOIL : First-order clauses.
    PrologEBG : Clauses from explanations.

    References
    ----------
    M. Pazzani and D. Kibler (1992). The utility of knowledge in inductive learning. Machine Learning 9, 57-94.

    Examples
    --------
    >>> from induce.logic.background.relations import Relations
    >>> things = Relations(program='''
    ...     flat(a). flat(b). flat(c). light(a). light(b). light(d). open(a). open(b). open(c). open(d).
    ...     handle(a). handle(d). thing(e).
    ... ''')
    >>> rules = "cup(X) :- stable(X), liftable(X). stable(X) :- flat(X). liftable(X) :- light(X), handle(X)."
    >>> learner = RelationalFOCL(things, "cup", knowledge=rules)
    >>> learner = learner.fit([["a"], ["b"], ["c"], ["d"], ["e"]], [True, True, False, False, False])
    >>> print(learner.hypothesis_)
    cup(A) :- flat(A), light(A).  % 2/2
    """

    parameters: ClassVar[Declared] = GUIDANCE

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        knowledge: Any = None,
        operators: Sequence[str] = ("clauses", "concepts"),
        theory_pruning: str | None = "improve",
        negatives: str = "given",
        new_variables: int | None = None,
        max_variables: int | None = 30,
        max_literals: int | None = 10,
        negation: str | None = "safe",
        equality: bool = True,
        thresholds: bool = True,
        constants: str = "values",
        distinct_arguments: bool = True,
        recursion: str | None = "guarded",
        determinate: bool = True,
        encoding_length: bool = True,
        min_accuracy: float = 0.8,
        prune: bool = True,
        measure: str = "foil-gain",
        m: float = 2.0,
        beam_width: int = 1,
        constraints: Sequence[str] = (),
        time_limit: float | None = None,
        max_candidates: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            background,
            target,
            negatives=negatives,
            new_variables=new_variables,
            max_variables=max_variables,
            max_literals=max_literals,
            negation=negation,
            equality=equality,
            thresholds=thresholds,
            constants=constants,
            distinct_arguments=distinct_arguments,
            recursion=recursion,
            determinate=determinate,
            encoding_length=encoding_length,
            min_accuracy=min_accuracy,
            prune=prune,
            measure=measure,
            m=m,
            beam_width=beam_width,
            constraints=constraints,
            time_limit=time_limit,
            max_candidates=max_candidates,
            random_state=random_state,
        )
        self.knowledge = knowledge
        self.operators = operators
        self.theory_pruning = theory_pruning

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the target relation; without rows the theory itself is the hypothesis.

        Parameters
        ----------
        X : dataframe, array or list of rows
            Argument tuples of the target.
        y : sequence of two classes
            Labels: whether each row is in the relation.
        """
        if self.knowledge is None or len(X) or len(y):
            return super().fit(X, y)
        self._begin_fit()
        relations = Relations() if self.background is None else self.background
        given = theory_of(self.knowledge, self.target)
        name, arity = given.predicate
        rows = X if hasattr(X, "shape") else np.empty((0, arity))
        columns = coded_rows(rows, relations.symbols)[1]
        if (name, arity) != (self.target, len(columns)):
            raise InputError(
                f"the theory is about {name}/{arity}, but {self.target}/{len(columns)} is to be learned; give "
                "clauses for it"
            )
        self.classes_ = np.unique(np.asarray(declared_classes(y) or [False, True]))
        if len(self.classes_) != 2:
            raise InputError(
                f"y declares {len(self.classes_)} classes, but a row is either in the "
                "relation or not; give two classes"
            )
        note("there are no examples, so the theory itself becomes the hypothesis")
        self._seen(rows, columns)
        self.stopped_ = None
        clauses = given.program.clauses
        relations = relations.without((name, arity)) if (name, arity) in relations.predicates() else relations
        self.hypothesis_ = Theory(
            name,
            columns,
            tuple(self.classes_.tolist()),
            "\n".join(map(str, clauses)),
            ((0.0, 0.0),) * len(clauses),
            (0.0, 0.0),
            relations,
        )
        return self

    def _cover(self, examples: Examples, search: Search) -> Cover:
        cover = super()._cover(examples, search)
        if self.knowledge is not None and not search.plain:
            theory = theory_of(self.knowledge, "{}/{}".format(*examples.target))
            known = {*examples.relations.predicates()} - {examples.target}
            literals = first_order(theory, examples.head, known)
            cover.suggester = Operationaliser(literals, self.operators, self.theory_pruning)
        return cover


def theory_of(knowledge: Any, target: str) -> DomainTheory:
    """Return the theory that the user gave for a relation."""
    if isinstance(knowledge, DomainTheory):
        return knowledge
    if isinstance(knowledge, str):
        if not any(
            line.strip() and not line.lstrip().startswith(("%", "#")) for line in knowledge.splitlines()
        ):
            raise InputError("the theory is empty; give clauses for the relation, in Prolog")
        return DomainTheory(knowledge, target)
    raise InputError(f"knowledge is a {type(knowledge).__name__}; give clauses as text, or a DomainTheory")
