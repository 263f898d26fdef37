"""Justification of a learned clause: the example, its proof and the relevant facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.domain_theory import DomainTheory
from induce.logic.facts import Codes
from induce.logic.parsing import parse_program
from induce.logic.proofs import Proof
from induce.logic.regression import leaves_of
from induce.logic.stratification import written
from induce.logic.substitution import canonical
from induce.logic.terms import Constant

MOST_FACTS = 100
"""Maximum number of irrelevant facts kept per example."""


@dataclass(frozen=True)
class Justification:
    """Origin of a learned clause; all fields are Prolog text, so that model files can store them.

    Parameters
    ----------
    example : str
        Explained example; empty for a clause derived from the theory alone.
    proof : str
        Proof tree of the example.
    rules : tuple of str
        Clauses of the theory that the learned clause follows from.
    relevant : tuple of str
        Facts of the example that the proof depends on.
    irrelevant : tuple of str
        Other facts about the example's objects, at most 100.
    assumed : tuple of str
        Assumed conditions, without which the clause does not follow.
    """

    example: str
    proof: str
    rules: tuple[str, ...]
    relevant: tuple[str, ...] = ()
    irrelevant: tuple[str, ...] = field(default=(), repr=False)
    assumed: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the lines of the printed justification."""
        if self.example:
            yield f"from {self.example}"
            yield from (f"   {line}" for line in self.proof.splitlines())
            yield f"relevant: {', '.join(self.relevant) or 'nothing'}"
            if self.irrelevant:
                yield f"irrelevant: {', '.join(self.irrelevant)}"
        if self.assumed:
            yield f"assumed: {', '.join(self.assumed)}"
        yield "by the clauses"
        yield from (f"   {rule}" for rule in self.rules)


class Justifying:
    """Builder of justifications of clauses from proofs of examples.

    Parameters
    ----------
    theory : DomainTheory
    relations : Relations
        Facts about the examples.
    rows : array of int64
        Arguments of each example, as codes.
    """

    def __init__(self, theory: DomainTheory, relations: Relations, rows: Codes) -> None:
        self.theory, self.relations, self.rows = theory, relations, rows
        self._rules: dict[Clause, str] = {}
        self._terms: dict[int, str] = {}

    def of(self, proof: Proof, rules: tuple[Clause, ...]) -> Justification:
        """Return the justification given by the proof of an example."""
        leaves = [leaf for leaf in leaves_of(proof, self.theory.is_operational) if leaf.kind == "fact"]
        relevant = tuple(dict.fromkeys(map(str, (leaf.literal for leaf in leaves))))
        used = set(relevant)
        others = [text for text in self._about(proof.literal) if text not in used]
        for rule in rules:
            if rule not in self._rules:
                self._rules[rule] = str(rule)
        return Justification(
            str(proof.literal),
            str(proof),
            tuple(self._rules[rule] for rule in rules),
            relevant,
            tuple(others[:MOST_FACTS]),
        )

    def _about(self, example: Literal) -> list[str]:
        """Return the facts that mention an argument of an example."""
        codes = {self.relations.symbols.find(term) for term in example.arguments}
        found = dict.fromkeys(sorted({one for code in codes for one in self._mentioning.get(code, ())}))
        listed = list(self.relations.listed.items())
        texts = []
        for place, row in found:
            (name, _), facts = listed[place]
            texts.append(self._written(name, facts.rows[row].tolist()))
            if len(texts) > 2 * MOST_FACTS:
                break
        return texts

    @cached_property
    def _mentioning(self) -> dict[int, list[tuple[int, int]]]:
        """Facts that mention each object of an example, as indices of relations and of their rows."""
        codes = np.unique(self.rows[self.rows >= 0])
        found: dict[int, list[tuple[int, int]]] = {}
        for place, facts in enumerate(self.relations.listed.values()):
            for argument in range(facts.arity):
                which, rows = facts.matches((argument,), codes.reshape(-1, 1)).pairs()
                for code, row in zip(codes[which].tolist(), rows.tolist(), strict=True):
                    found.setdefault(code, []).append((place, row))
        return found

    def _written(self, name: str, codes: list[int]) -> str:
        terms = self.relations.symbols.terms
        if not codes or not all(isinstance(terms[code], Constant) for code in codes):
            return str(Literal(name, tuple(terms[code] for code in codes)))
        for code in codes:
            if code not in self._terms:
                self._terms[code] = str(Literal("f", (terms[code],)))[2:-1]
        return f"{Constant(name)}({', '.join(self._terms[code] for code in codes)})"


def still_following(
    clauses: Sequence[Clause],
    justifications: Sequence[Justification],
    before: DomainTheory,
    now: DomainTheory,
) -> list[int]:
    """Return the indices of learned clauses that follow from a changed theory; a note names the others.

    A clause is kept if every clause of its proof still exists. A conclusion by negation as failure depends on
    all clauses of the negated predicate, so none may have been added to these.
    """
    if now.predicate != before.predicate:
        raise InputError(
            f"the theory is about {written(now.predicate)}, but {written(before.predicate)} was "
            "learned; give a theory of the latter"
        )
    there = {str(canonical(clause)) for clause in now.program}
    kept: list[int] = []
    dropped: list[int] = []
    for number, justification in enumerate(justifications):
        rules = parse_program("\n".join(justification.rules)).clauses
        denied = {one.predicate for rule in rules for one in rule.body if one.negated}
        same = all(str(canonical(rule)) in there for rule in rules) and all(
            _definition(before, predicate) == _definition(now, predicate) for predicate in denied
        )
        (kept if same else dropped).append(number)
    if dropped:
        names = "; ".join(str(clauses[number]) for number in dropped)
        note(f"{len(dropped)} of {len(clauses)} learned clauses no longer follow: {names}")
    return kept


def _definition(theory: DomainTheory, predicate: Predicate) -> frozenset[str]:
    """Return the clauses that a predicate depends on, directly and indirectly."""
    found: set[str] = set()
    waiting, seen = [predicate], {predicate}
    while waiting:
        for clause in theory.program.by_predicate.get(waiting.pop(), ()):
            found.add(str(canonical(clause)))
            new = {literal.predicate for literal in clause.body} - seen
            seen |= new
            waiting.extend(new)
    return frozenset(found)
