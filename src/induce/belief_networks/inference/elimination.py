"""Variable elimination: sum out one variable at a time (AIMA 14.4.2, ELIMINATION-ASK)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from induce.belief_networks.factors import Factors, Floats
from induce.belief_networks.inference.junction_tree import MOST_ENTRIES, Codes, TooLargeError


class Factor(NamedTuple):
    """A table over a set of variables, with one axis each."""

    scope: tuple[int, ...]
    table: Floats


def elimination_ask(factors: Factors, codes: Codes, targets: Sequence[int]) -> tuple[Floats, float]:
    """Return the joint probabilities of the states of the given variables and the evidence.

    Parameters
    ----------
    factors : Factors
    codes : array of int32
        Code of each observed variable; -1 for the others.
    targets : sequence of int
        Unobserved variables to query.

    Returns
    -------
    array of float64
        Joint probabilities, divided by a scale factor.
    float
        Logarithm of the scale factor, which prevents underflow.

    Examples
    --------
    >>> factors = Factors.of([2, 2], [(0,), (0, 1)], [np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])])
    >>> table, log = elimination_ask(factors, np.array([-1, 1]), [0])
    >>> (table * math.exp(log)).round(4).tolist()
    [0.08, 0.14]
    """
    waiting = [restricted(factors, factor, codes) for factor in range(len(factors))]
    hidden = {k for k, code in enumerate(codes) if code < 0} - set(targets)
    log = 0.0
    for variable in elimination_order(factors, [factor.scope for factor in waiting], hidden):
        bucket = [factor for factor in waiting if variable in factor.scope]
        waiting = [factor for factor in waiting if variable not in factor.scope]
        if bucket:
            made = sum_out(variable, product(bucket))
            most = float(made.table.max())
            if most <= 0.0:
                return np.zeros(tuple(int(factors.sizes[k]) for k in targets)), 0.0
            log += math.log(most)
            waiting.append(Factor(made.scope, made.table / most))
    whole = product([*waiting, Factor(tuple(targets), np.ones([int(factors.sizes[k]) for k in targets]))])
    return np.asarray(whole.table.transpose([whole.scope.index(k) for k in targets])), log


def product(factors: Sequence[Factor]) -> Factor:
    """Return the pointwise product of factors.

    Examples
    --------
    >>> product([Factor((0,), np.array([1.0, 2.0])), Factor((0, 1), np.array([[1.0, 3.0], [5.0, 7.0]]))]).table
    array([[ 1.,  3.],
           [10., 14.]])
    """
    scope = tuple(dict.fromkeys(variable for factor in factors for variable in factor.scope))
    table: Floats = np.ones((1,) * len(scope))
    for factor in factors:
        order = sorted(range(len(factor.scope)), key=lambda k: scope.index(factor.scope[k]))
        sizes = dict(zip(factor.scope, factor.table.shape, strict=True))
        table = table * factor.table.transpose(order).reshape([sizes.get(variable, 1) for variable in scope])
    return Factor(scope, table)


def sum_out(variable: int, factor: Factor) -> Factor:
    """Return a factor with one of its variables summed out.

    Examples
    --------
    >>> sum_out(0, Factor((0, 1), np.array([[1.0, 3.0], [5.0, 7.0]])))
    Factor(scope=(1,), table=array([ 6., 10.]))
    """
    axis = factor.scope.index(variable)
    return Factor((*factor.scope[:axis], *factor.scope[axis + 1 :]), factor.table.sum(axis=axis))


def restricted(factors: Factors, factor: int, codes: Codes) -> Factor:
    """Return the slice of a factor that matches the evidence."""
    scope = factors.scope(factor)
    part = factors.table(factor)[tuple(slice(None) if codes[k] < 0 else int(codes[k]) for k in scope)]
    return Factor(tuple(k for k in scope if codes[k] < 0), np.asarray(part))


def elimination_order(
    factors: Factors, scopes: Sequence[tuple[int, ...]], hidden: Collection[int]
) -> list[int]:
    """Return the elimination order that greedily minimises the size of the next product.

    Raises an `InputError` in advance if a product would be too large; it tells the size of the largest one.
    """
    around: dict[int, set[int]] = {}
    for scope in scopes:
        for variable in scope:
            around.setdefault(variable, set()).update(scope)
    sizes = {variable: _entries(factors, near) for variable, near in around.items() if variable in hidden}
    order, largest = [], 0
    while sizes:
        variable = min(sizes, key=lambda v: (sizes[v], v))
        largest = max(largest, sizes[variable])
        order.append(variable)
        del sizes[variable]
        near = around.pop(variable) - {variable}
        for other in near:
            around[other] = (around[other] | near) - {variable}
            if other in sizes:
                sizes[other] = _entries(factors, around[other])
    if largest > MOST_ENTRIES:
        raise TooLargeError(largest)
    return order


def _entries(factors: Factors, scope: Collection[int]) -> int:
    """Return the number of entries of a table over the variables in `scope`."""
    return math.prod(int(factors.sizes[k]) for k in scope)
