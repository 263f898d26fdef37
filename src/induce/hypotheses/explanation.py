"""Why a row got its prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from induce.core.values import Value
from induce.hypotheses.naming import count_text, right_of_all, value_text

if TYPE_CHECKING:
    from induce.hypotheses.rules import Rule


@dataclass(frozen=True)
class Explanation:
    """A prediction with the rules that decided it.

    Parameters
    ----------
    prediction : str, int, float or bool
    classes : tuple
    counts : tuple of float
        Per class, the training rows that speak: those of the deciding rule, of all voting rules together, or
        of the default.
    rules : tuple of Rule
        The rule that fired, the rules that voted, or none when the default decided.

    Examples
    --------
    >>> print(Explanation("no", ("no", "yes"), (5.0, 9.0)))
    no by default (5/14), because no rule applies
    """

    prediction: Value
    classes: tuple[Value, ...]
    counts: tuple[float, ...]
    rules: tuple[Rule, ...] = ()

    @property
    def rule(self) -> Rule | None:
        """The rule that fired (the first of those that voted), or None for the default."""
        return self.rules[0] if self.rules else None

    def __str__(self) -> str:
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
