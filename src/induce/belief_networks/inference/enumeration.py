"""Inference by enumeration: summing the joint probabilities of all states (AIMA 14.4.1, ENUMERATION-ASK)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from induce.belief_networks.factors import Factors, Floats
from induce.belief_networks.inference.junction_tree import Codes
from induce.core.errors import InputError

MOST_STATES = 2**22
"""Maximum number of states enumerated."""


def enumeration_ask(factors: Factors, codes: Codes, targets: Sequence[int]) -> Floats:
    """Return the joint probabilities of the states of the given variables and the evidence.

    Parameters
    ----------
    factors : Factors
    codes : array of int32
        Code of each observed variable; -1 for the others.
    targets : sequence of int

    Examples
    --------
    >>> factors = Factors.of([2, 2], [(0,), (0, 1)], [np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])])
    >>> enumeration_ask(factors, np.array([-1, 1]), [0]).round(4).tolist()
    [0.08, 0.14]
    """
    domains = [
        range(int(size)) if code < 0 else range(int(code), int(code) + 1)
        for size, code in zip(factors.sizes, codes, strict=True)
    ]
    states = math.prod(map(len, domains))
    if states > MOST_STATES:
        raise InputError(
            f"there are {states:,} states to enumerate, more than {MOST_STATES:,}; use method='junction-tree'"
        )
    # a factor is multiplied in as soon as all of its variables have values
    due: list[list[int]] = [[] for _ in domains]
    for factor in range(len(factors)):
        due[max(factors.scope(factor), default=0)].append(factor)
    tables = [factors.table(factor) for factor in range(len(factors))]
    scopes = [factors.scope(factor) for factor in range(len(factors))]
    found = np.zeros(tuple(int(factors.sizes[k]) for k in targets))
    state = [0] * len(domains)

    def enumerate_all(variable: int, chance: float) -> None:
        if chance == 0.0:
            return
        if variable == len(domains):
            found[tuple(state[k] for k in targets)] += chance
            return
        for value in domains[variable]:
            state[variable] = value
            own = 1.0
            for factor in due[variable]:
                own *= float(tables[factor][tuple(state[k] for k in scopes[factor])])
            enumerate_all(variable + 1, chance * own)

    enumerate_all(0, 1.0)
    return found
