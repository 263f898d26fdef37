"""One hypothesis of a language in readable form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from induce.concepts.language import Code, Language, Mask


@dataclass(frozen=True)
class Concept:
    """One hypothesis of a language in readable form.

    Parameters
    ----------
    language : Language
        Hypothesis language.
    code : tuple or frozenset
        Code of the hypothesis in its language.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import Conjunctions
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> cold = Concept(language, language.read(["?", "Cold", "High", "?", "?", "?"]))
    >>> print(cold, "|", cold.condition())
    ⟨?, Cold, High, ?, ?, ?⟩ | AirTemp = Cold AND Humidity = High
    """

    language: Language = field(repr=False)
    code: Code

    def __str__(self) -> str:
        return self.language.text(self.code)

    def covers(self, X: Any) -> Mask:
        """Return whether each row is an instance of the concept."""
        return self.language.covers(self.code, self.language.attributes.encode(X))

    def __ge__(self, other: Concept) -> bool:
        return self.language.more_general(self.code, other.code)

    def __gt__(self, other: Concept) -> bool:
        return self >= other and not other >= self

    def condition(self) -> str:
        """Write the concept as conditions."""
        terms = [" AND ".join(map(str, term)) or "TRUE" for term in self.language.terms(self.code)]
        return " OR ".join(terms) or "FALSE"
