"""LEMMA-ENUMERATOR: all clauses that a domain theory justifies, independent of examples (Mitchell §11.3.4)."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.analytical.explainer import clauses_below
from induce.analytical.justification import Justification
from induce.analytical.learners.base import Learned, TheoryGuidedClassifier
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, whole
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.domain_theory import DomainTheory
from induce.logic.unfolding import Derivation, definitions, unfold


class LemmaEnumerator(TheoryGuidedClassifier):
    """Derive every clause with an operational body from a domain theory alone.

    Each way in which the theory can prove the target yields one clause. The examples affect only the counts.
    This shows their role: PROLOG-EBG learns only those of these clauses that occur in practice (Mitchell
    §11.3.4).

    Parameters
    ----------
    theory : DomainTheory, optional
        Domain theory; without one, nothing is derived.
    background : Relations, optional
        Facts about the examples.
    depth : int, optional
        Maximum number of clauses on the path from the target to a leaf; required for a recursive theory.
    max_clauses : int, default=10000
        Maximum number of clauses; a note reports if there are more.
    fallback : bool, default=False
        Whether the theory classifies examples not covered by a derived clause.

    Attributes
    ----------
    hypothesis_ : DerivedTheory
    classes_ : array

    See Also
    --------
    PrologEBG : Clauses from explanations.

    Notes
    -----
    A missing argument matches nothing; an object unknown to the background has no properties.

    References
    ----------
    T. M. Mitchell, R. M. Keller and S. T. Kedar-Cabelli (1986). Explanation-based generalization: a unifying
    view. Machine Learning 1, 47-80.

    Examples
    --------
    >>> theory = DomainTheory('''
    ...     housemates(X, Y) :- family(X, Y).
    ...     housemates(X, Y) :- fraternity_brothers(X, Y).
    ...     family(X, Y) :- married(X, Y).
    ... ''', "housemates")
    >>> learner = LemmaEnumerator(theory, Relations(program="married(ann, bob)."))
    >>> print(learner.fit([["ann", "bob"], ["bob", "cal"]], [True, False]).hypothesis_)
    housemates(X, Y) :- married(X, Y).  % 1/1
    housemates(X, Y) :- fraternity_brothers(X, Y).  % 0/0
    """

    parameters: ClassVar[Declared] = {
        "depth": whole(
            "Maximum number of clauses from the target to a leaf; None for no limit.", at_least=1, none=True
        ),
        "max_clauses": whole("Maximum number of clauses.", at_least=1),
    }

    def __init__(
        self,
        theory: DomainTheory | None = None,
        background: Relations | None = None,
        *,
        depth: int | None = None,
        max_clauses: int = 10_000,
        fallback: bool = False,
    ) -> None:
        self.theory = theory
        self.background = background
        self.depth = depth
        self.max_clauses = max_clauses
        self.fallback = fallback

    def fit(self, X: Any, y: Any) -> LemmaEnumerator:
        """Derive the clauses and count the rows of `X` that each is the first to cover."""
        self._check_parameters()
        if self._learned_cases(X, y):
            return self
        examples = self._examples(X, y)
        learned: list[Learned] = []
        if self.theory is not None:
            with interruptible(learned, "clauses"):
                self._enumerate(self.theory, learned)
        self.hypothesis_ = self._derived(examples, learned)
        return self

    def _enumerate(self, theory: DomainTheory, learned: list[Learned]) -> None:
        seen: set[Clause] = set()
        for derivation in unfold(theory, depth=self.depth):
            for clause, rules in _with_helpers(theory, derivation, self.depth):
                if clause not in seen:
                    seen.add(clause)
                    learned.append(Learned(clause, Justification("", "", rules)))
            if len(learned) >= self.max_clauses:
                note(f"there are more than {self.max_clauses:,} clauses; the rest were left out")
                return


def _with_helpers(
    theory: DomainTheory, derivation: Derivation, depth: int | None
) -> list[tuple[Clause, tuple[str, ...]]]:
    """Return a derived clause and its helper clauses, with their justifications."""
    rules = tuple(str(theory.program.clauses[number]) for number in dict.fromkeys(derivation.rules))
    found = [(derivation.clause, rules)]
    for literal in derivation.clause.body:
        if theory.is_operational(literal.predicate):
            found.extend((one, rules) for one in clauses_below(theory, literal))
        elif literal.negated:
            found.extend((one, rules) for one in definitions(theory, literal, depth))
    return found
