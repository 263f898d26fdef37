"""Why a learned clause holds: the example, its proof and what of the example mattered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal
from induce.logic.domain_theory import DomainTheory
from induce.logic.proofs import Proof
from induce.logic.regression import leaves_of

MOST_FACTS = 100
"""Facts about an example that are kept because they did not matter."""


@dataclass(frozen=True)
class Justification:
    """Where a learned clause comes from; all parts are Prolog text, so that a model file can hold them.

    Parameters
    ----------
    example : str
        The example that was explained; empty for a clause that was derived from the theory alone.
    proof : str
        The proof of the example, as a tree.
    rules : tuple of str
        The clauses of the theory that the learned clause follows from.
    relevant : tuple of str
        The facts of the example that the proof rests on.
    irrelevant : tuple of str
        Other facts about the things in the example, at most 100.
    """

    example: str
    proof: str
    rules: tuple[str, ...]
    relevant: tuple[str, ...] = ()
    irrelevant: tuple[str, ...] = field(default=(), repr=False)

    def lines(self) -> Iterator[str]:
        """Go through the lines of a text that tells it."""
        if self.example:
            yield f"from {self.example}"
            yield from (f"   {line}" for line in self.proof.splitlines())
            yield f"what mattered: {', '.join(self.relevant) or 'nothing'}"
            if self.irrelevant:
                yield f"what did not: {', '.join(self.irrelevant)}"
        yield "by the clauses"
        yield from (f"   {rule}" for rule in self.rules)


class Justifying:
    """Makes the justifications of clauses from proofs of examples.

    Parameters
    ----------
    theory : DomainTheory
    relations : Relations
        The facts about the examples.
    """

    def __init__(self, theory: DomainTheory, relations: Relations) -> None:
        self.theory, self.relations = theory, relations
        # an example may have several explanations, one after the other
        self._last: tuple[Literal, dict[Literal, str]] | None = None

    def of(self, proof: Proof, rules: tuple[Clause, ...]) -> Justification:
        """Return what the proof of an example says."""
        leaves = [leaf for leaf in leaves_of(proof, self.theory.is_operational) if leaf.kind == "fact"]
        relevant = tuple(dict.fromkeys(leaf.literal for leaf in leaves))
        used = set(relevant)
        others = [text for fact, text in self._about(proof.literal).items() if fact not in used]
        return Justification(
            str(proof.literal),
            str(proof),
            tuple(map(str, rules)),
            tuple(map(str, relevant)),
            tuple(others[:MOST_FACTS]),
        )

    def _about(self, example: Literal) -> dict[Literal, str]:
        """Return the facts that mention an argument of an example, each with its text."""
        if self._last is None or self._last[0] != example:
            self._last = example, {fact: str(fact) for fact in self._mentioning(example)}
        return self._last[1]

    def _mentioning(self, example: Literal) -> Iterator[Literal]:
        symbols = self.relations.symbols
        found = {symbols.find(term) for term in example.arguments} - {-1}
        codes = np.array(sorted(found), np.int64).reshape(-1, 1)
        for (name, _), facts in self.relations.listed.items():
            places = [facts.matches((place,), codes).pairs()[1] for place in range(facts.arity)]
            for row in facts.rows[np.unique(np.concatenate(places))[:MOST_FACTS]] if places else ():
                yield Literal(name, tuple(symbols.terms[code] for code in row))
