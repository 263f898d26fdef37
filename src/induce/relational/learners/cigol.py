"""CIGOL: clauses by inverse resolution, with an oracle (Mitchell §10.7.3)."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, function, truth, whole
from induce.covering import sequential_covering
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations
from induce.relational.cigol.cover import Covering
from induce.relational.cigol.invention import with_inventions
from induce.relational.cigol.inverse_resolution import InverseResolvent
from induce.relational.cigol.oracles import Oracle
from induce.relational.cigol.questions import Dialogue
from induce.relational.cigol.search import Candidate
from induce.relational.clauses.cover_tester import note_unproved
from induce.relational.clauses.limits import Deadline


class Cigol(RelationalClassifier):
    """Learn clauses by inverse resolution, one for each uncovered example, with optional questions to an oracle.

    An uncovered positive example is a clause C. A fact or rule of the background, or a clause learned before,
    is C1. Inverse resolution yields C2, from which C follows with C1, and so on. By construction the result,
    together with the background, entails the example. The selected clause covers most of the other positive
    examples and not too many negative ones. The book gives this loop (Mitchell §10.7.3, after Muggleton and
    Buntine 1988) and states that CIGOL asks its user for examples and for guidance. The search is our own: a
    beam that starts with variables for all terms of the example. Each step uses one more C1 or keeps one more
    term, and clauses that cover fewer negative examples are preferred.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge. Its modes, if any, determine the usable facts and the arguments that remain constants.
    target : str, default="target"
        Name of the relation to be learned.
    oracle : callable, optional
        Function that answers questions (`induce.relational.cigol.oracles`): whether a clause is true, before
        it is accepted; whether a literal is true, which makes it an example; and the name of an invented
        predicate. The answer None means unknown. Without an oracle, no questions are asked.
    max_literals : int, default=4
        Maximum number of literals in a body.
    width : int, default=20
        Beam width: number of distinct clauses kept at each step.
    recursion : bool, default=False
        Whether positive examples and learned clauses of the target can also be C1, which makes clauses
        recursive; call arguments must decrease.
    invention : bool, default=False
        Whether to invent predicates that shorten the theory (or that an oracle names).
    noise : float, default=0.0
        Maximum fraction of negative examples among those a clause covers.
    max_questions : int, default=20
        Maximum number of questions.
    time_limit : float, optional
        Limit on processor time in seconds; a note reports when it ends the search.

    Attributes
    ----------
    hypothesis_ : Theory
        Learned theory, whose clauses may define invented predicates.
    classes_ : array
    derivations_ : tuple of tuple of InverseResolvent
        Inverse resolution steps from an example to each learned clause
        (`induce.relational.pictures.draw_inverse_resolution` draws them).
    questions_ : tuple of (question, answer)
        Questions and answers.
    stopped_ : str or None
        Limit that ended the search, if any.

    See Also
    --------
    Golem : Relative least general generalisation.
    Progol : Inverse entailment from one example.

    Notes
    -----
    Examples are processed in order, which may affect the result. A missing argument matches nothing, and an
    object unknown to the background is in no relation. All occurrences of a term become the same variable.
    Without modes, only values such as colours remain constants, never objects such as people.

    References
    ----------
    S. Muggleton and W. Buntine (1988). Machine invention of first-order predicates by inverting resolution.
    Fifth International Conference on Machine Learning, 339-352.

    Examples
    --------
    The book's example (Fig. 10.3):

    >>> from induce.relational import Relations
    >>> family = Relations(program="father(shannon, tom). father(tom, bob).")
    >>> pairs = [("bob", "shannon"), ("tom", "shannon"), ("bob", "tom"), ("shannon", "bob")]
    >>> cigol = Cigol(family, "grandchild").fit(pairs, [1, 0, 0, 0])
    >>> print(cigol.hypothesis_)
    grandchild(A, B) :- father(B, C), father(C, A).  % 1/1
    >>> for step in cigol.derivations_[0]:
    ...     print(step.rule, step.theta2_inverse)
    grandchild(bob, B) :- father(B, tom). {shannon/B}
    grandchild(A, B) :- father(B, C), father(C, A). {bob/A, tom/C}
    """

    parameters: ClassVar[Declared] = {
        "oracle": function(
            "Function that answers questions; None asks no questions.",
            none=True,
            otherwise="give a function that answers questions, or None",
        ),
        "max_literals": whole("Maximum number of literals of a body.", at_least=0),
        "width": whole("Beam width: number of distinct clauses kept at each step.", at_least=1),
        "invention": truth("Whether to invent predicates that shorten the theory."),
        "max_questions": whole("Maximum number of questions.", at_least=0),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        oracle: Oracle | None = None,
        max_literals: int = 4,
        width: int = 20,
        recursion: bool = False,
        invention: bool = False,
        noise: float = 0.0,
        max_questions: int = 20,
        time_limit: float | None = None,
    ) -> None:
        self.background = background
        self.target = target
        self.oracle = oracle
        self.max_literals = max_literals
        self.width = width
        self.recursion = recursion
        self.invention = invention
        self.noise = noise
        self.max_questions = max_questions
        self.time_limit = time_limit

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # numbers are treated as names, so a table of measurements is uninformative
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any) -> Cigol:
        """Learn clauses for the positive rows of `X`."""
        examples = self._examples(X, y)
        deadline = Deadline(self.time_limit)
        dialogue = Dialogue(self.oracle, int(self.max_questions))
        cover = Covering(self, examples, dialogue, deadline)
        found: list[Candidate] = []
        with interruptible(found, "clauses"):
            for candidate in sequential_covering(cover, cover.learn, lambda _: True):
                found.append(candidate)
        self.stopped_ = deadline.told(found)
        clauses = [candidate.clause for candidate in found]
        if self.invention and len(clauses) > 1:
            clauses = with_inventions(clauses, cover.sound, dialogue.name, deadline.passed)
        self.derivations_: tuple[tuple[InverseResolvent, ...], ...] = tuple(
            candidate.derivation.steps() for candidate in found
        )
        self.questions_ = tuple(dialogue.asked)
        self.hypothesis_ = self._theory(cover.examples, clauses)
        note_unproved(self.hypothesis_, cover.tester)
        return self
