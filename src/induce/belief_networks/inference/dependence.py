"""Numerical conditional dependence in a joint table or a network (Mitchell 6.11.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from induce.belief_networks.factors import Floats


def dependence(
    joint: Floats, first: Sequence[int], second: Sequence[int], given: Sequence[int] = ()
) -> float:
    """Return the maximum difference between P(x | y, z) and P(x | z); 0 if x is independent of y given z.

    States of y and z with probability 0 are skipped.

    Parameters
    ----------
    joint : array
        Joint probabilities, with one axis per variable.
    first, second, given : sequences of int
        Axes of the variables x, y and z; others are summed out.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> fire = textbook_network("forest-fire")
    >>> joint = fire.query(["Thunder", "Campfire", "Storm"]).probabilities
    >>> round(dependence(joint, [0], [1], [2]), 12), round(dependence(joint, [0], [1]), 4)
    (0.0, 0.0642)
    """
    kept = [*first, *second, *given]
    shape = [int(np.prod([joint.shape[axis] for axis in axes])) for axes in (first, second, given)]
    others = tuple(axis for axis in range(joint.ndim) if axis not in kept)
    summed = joint.sum(axis=others, keepdims=True)
    table = summed.transpose([*kept, *others]).reshape(shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        given_both = table / table.sum(axis=0)
        given_one = table.sum(axis=1) / table.sum(axis=(0, 1))
    gaps = np.abs(given_both - given_one[:, None, :])
    return float(np.nanmax(gaps, initial=0.0))
