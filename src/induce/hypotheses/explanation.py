"""Explanations of predictions by rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from induce.core.explained import Explained
from induce.core.values import Value
from induce.hypotheses.naming import count_text, right_of_all, value_text

if TYPE_CHECKING:
    from induce.hypotheses.conditions import Condition
    from induce.hypotheses.rules import Rule


@dataclass(frozen=True)
class Unsatisfied:
    """A condition that a row does not satisfy, with the reason.

    Parameters
    ----------
    condition : Condition
    value : str, int, float, bool or None
        Value in the row; None if missing or not seen in training.
    unseen : bool
        Whether the value was not seen in training.

    Examples
    --------
    >>> from induce.hypotheses.conditions import Above
    >>> print(Unsatisfied(Above("age", 30), 2.5), "or", Unsatisfied(Above("age", 30), None))
    age is 2.5 or age is missing
    """

    condition: Condition
    value: Value | None
    unseen: bool = False

    def __str__(self) -> str:
        name = value_text(self.condition.attribute)
        if self.unseen:
            return f"{name} has a value not seen in training"
        return f"{name} is {'missing' if self.value is None else value_text(self.value)}"


@dataclass(frozen=True)
class NearMiss:
    """A rule that almost decided a row.

    Parameters
    ----------
    rule : Rule
    unsatisfied : tuple of Unsatisfied
        Conditions that the row does not satisfy.
    later : bool
        Whether the rule comes after the deciding rule, which would decide even if the row satisfied both.
    """

    rule: Rule
    unsatisfied: tuple[Unsatisfied, ...]
    later: bool = False

    def __str__(self) -> str:
        reasons = list(dict.fromkeys(map(str, self.unsatisfied)))
        if self.later:
            reasons.append("an earlier rule decides")
        return (
            f"nearly: {self.rule}, but {', '.join(reasons[:-1])}{' and ' if reasons[1:] else ''}{reasons[-1]}"
        )


@dataclass(frozen=True)
class Explanation(Explained):
    """A prediction with the rules that decided it.

    Parameters
    ----------
    prediction : str, int, float or bool
    classes : tuple
    counts : tuple of float
        Number of training rows per class behind the prediction: those of the deciding rule, the sum over all
        voting rules, or those of the default.
    rules : tuple of Rule
        Rule that fired, rules that voted, or none if the default decided.
    nearest : NearMiss or None
        Rule that almost changed the prediction, if requested.

    Examples
    --------
    >>> print(Explanation("no", ("no", "yes"), (5.0, 9.0)))
    no by default (5/14), because no rule applies
    """

    prediction: Value
    classes: tuple[Value, ...]
    counts: tuple[float, ...]
    rules: tuple[Rule, ...] = ()
    nearest: NearMiss | None = None

    @property
    def rule(self) -> Rule | None:
        """Rule that fired (the first of those that voted), or None for the default."""
        return self.rules[0] if self.rules else None

    def _because(self) -> list[str]:
        if len(self.rules) == 1:
            return [str(condition) for condition in self.rules[0].conditions] or [str(self.rules[0])]
        return [str(rule) for rule in self.rules] or [self._decision()]

    def _almost(self) -> list[str]:
        return [] if self.nearest is None else [str(self.nearest)]

    def __str__(self) -> str:
        return self._decision() + (f"\n  {self.nearest}" if self.nearest else "")

    def _decision(self) -> str:
        prediction = value_text(self.prediction)
        if not self.rules:
            right = right_of_all(self.prediction, self.classes, self.counts)
            return f"{prediction} by default ({right}), because no rule applies"
        if len(self.rules) == 1:
            return f"{prediction} because {self.rules[0]}"
        votes = ", ".join(
            f"{value_text(value)} {count_text(count)}"
            for value, count in zip(self.classes, self.counts, strict=True)
        )
        return "\n  ".join([f"{prediction} by vote ({votes}) of", *map(str, self.rules)])
