"""Induction as inverted deduction: hypotheses from which the examples follow (Mitchell §10.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.parsing import parse_program


@dataclass(frozen=True)
class Instance:
    """Instance x, given by descriptive literals, and the target value f(x) that must follow for it.

    Parameters
    ----------
    description : tuple of Clause
        Facts that describe x.
    target : Literal
        Target value f(x), as a literal that must follow.

    Examples
    --------
    >>> bob = Instance.of("male(bob). female(sharon). father(sharon, bob).", "child(bob, sharon).")
    >>> len(bob.description), str(bob.target)
    (3, 'child(bob, sharon)')
    """

    description: tuple[Clause, ...]
    target: Literal

    @classmethod
    def of(cls, description: str, target: str) -> Instance:
        """Read an instance from Prolog text: its descriptive facts, and the literal that must follow."""
        found = [clause.head for clause in parse_program(target) if not clause.body]
        if len(found) != 1 or found[0] is None:
            raise InputError(f"the target {target!r} is not a single fact; write it as 'child(bob, sharon).'")
        return cls(parse_program(description).clauses, found[0])


def entailed(
    hypothesis: str | Iterable[Clause], instances: Sequence[Instance], background: str | Iterable[Clause] = ()
) -> NDArray[np.bool_]:
    """Return for each instance whether (B and h and x) proves f(x), as Equation 10.2 requires of h.

    Parameters
    ----------
    hypothesis : clauses or Prolog text
        Hypothesis h.
    instances : sequence of Instance
        Instances x, with the target values that must follow.
    background : clauses or Prolog text
        Background knowledge B; empty by default.

    Examples
    --------
    The book's second hypothesis uses parents, which occur only in the background (§10.6):

    >>> bob = Instance.of("male(bob). female(sharon). father(sharon, bob).", "child(bob, sharon).")
    >>> entailed("child(U, V) :- parent(V, U).", [bob])
    array([False])
    >>> entailed("child(U, V) :- parent(V, U).", [bob], "parent(U, V) :- father(U, V).")
    array([ True])
    """
    from induce.logic.prover import Prover

    known = (*_clauses(background), *_clauses(hypothesis))
    return np.array(
        [Prover(Program(known + one.description), unknown="fail").holds(one.target) for one in instances],
        np.bool_,
    )


def _clauses(given: str | Iterable[Clause]) -> tuple[Clause, ...]:
    return parse_program(given).clauses if isinstance(given, str) else tuple(given)
