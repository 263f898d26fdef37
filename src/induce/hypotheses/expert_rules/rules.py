"""Clauses over columns and concepts: conjunctions, and "at least n of m"."""

from __future__ import annotations

from dataclasses import dataclass

from induce.hypotheses.conditions import Condition
from induce.hypotheses.expert_rules.marks import marked


@dataclass(frozen=True)
class Antecedent:
    """A condition on a column, or a concept defined by other clauses; optionally negated.

    A negated condition holds whenever the condition does not, including when the value is missing.

    Examples
    --------
    >>> print(Antecedent("liftable", negated=True))
    NOT liftable
    """

    of: Condition | str
    negated: bool = False

    @property
    def is_concept(self) -> bool:
        """Whether it is a concept defined by clauses."""
        return isinstance(self.of, str)

    def __str__(self) -> str:
        return f"NOT {self.of}" if self.negated else str(self.of)


@dataclass(frozen=True)
class ExpertRule:
    """A concept that holds if enough of its antecedents hold.

    Parameters
    ----------
    head : str
        Concluded concept.
    body : tuple of Antecedent
    at_least : int
        Number of antecedents that must hold; all of them in a conjunction.
    trust : float
        Trust in the rule, from 0 to 1.

    Examples
    --------
    >>> body = (Antecedent("lives_in_dorm"), Antecedent("young"), Antecedent("studies"))
    >>> print(ExpertRule("student", body, 2))
    IF 2 OF (lives_in_dorm, young, studies) THEN student
    """

    head: str
    body: tuple[Antecedent, ...]
    at_least: int
    trust: float = 1.0

    @property
    def is_conjunction(self) -> bool:
        """Whether all antecedents must hold."""
        return self.at_least == len(self.body)

    def __str__(self) -> str:
        return marked(f"IF {self.premise()} THEN {self.head}", self.trust)

    def premise(self) -> str:
        """Return the antecedents as text."""
        if not self.body:
            return "TRUE"
        if self.is_conjunction:
            return " AND ".join(map(str, self.body))
        return f"{self.at_least} OF ({', '.join(map(str, self.body))})"
