"""Step functions of one attribute: a result for each value or interval, for missing and for unseen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Column
from induce.trees.hypothesis import Tree

ROUNDING = 1e-9


@dataclass(frozen=True)
class Steps:
    """Step function of one column.

    Parameters
    ----------
    column : Column
        The column of the schema.
    ends : tuple of float
        Upper end of each interval of a numeric column, except the last.
    says : tuple
        Result for each interval, or for each value of a nominal column.
    missing, unseen : object
        Result for a missing value, and for a category not seen in training.
    """

    column: Column
    ends: tuple[float, ...]
    says: tuple[Any, ...]
    missing: Any
    unseen: Any

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the result for each encoded value of the column."""
        # codes -2 (unseen) and -1 (missing) index the last two positions
        said: NDArray[Any] = np.array([*self.says, self.unseen, self.missing])
        return np.asarray(said[values if self.column.kind == "nominal" else self._intervals(values)])

    def _intervals(self, values: NDArray[Any]) -> NDArray[np.intp]:
        if len(self.ends) == 1:
            places = (values > self.ends[0]).astype(np.intp)
        else:
            places = np.searchsorted(self.ends, values)
        places[np.isnan(values)] = -1
        return places


def steps_of(stump: Tree) -> Steps:
    """Return the class codes of a stump with a test as a step function of the tested column.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> steps = steps_of(induce.DecisionStump().fit(X, y).hypothesis_)
    >>> steps.column.name, steps.says, steps.missing, steps.unseen
    ('Outlook', (1, 0, 0), 0, 0)
    """
    column, leaves = stump.tested(0), stump.majority[1:]
    shares = np.zeros(len(stump.classes))
    for leaf in stump.children(0):
        shares = shares + stump.share[leaf] * stump.distribution[leaf]
    ends: tuple[float, ...] = ()
    start = int(stump.map_start[0])
    if column.kind != "nominal":
        ends = (float(stump.threshold[0]),)
    elif start >= 0:
        leaves = leaves[stump.branch_map[start : start + len(column.domain)]]
    return Steps(column, ends, tuple(leaves.tolist()), int(shares.argmax()), int(stump.majority[0]))


def votes_of_stump(stump: Tree, shares: bool = False, divides: bool = False) -> Steps:
    """Return the votes of a stump with a test as a step function of the tested column.

    A stump votes for one class, or distributes its vote by its probabilities with `shares`. With `divides`,
    its vote on a missing value is split in proportion to the votes of all its branches, unless a training row
    had a missing value.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> steps = votes_of_stump(induce.DecisionStump().fit(X, y).hypothesis_, divides=True)
    >>> steps.says, tuple(round(part, 2) for part in steps.missing)
    (((0.0, 1.0), (1.0, 0.0), (1.0, 0.0)), (0.64, 0.36))
    """
    codes, leaves = steps_of(stump), range(1, stump.n_nodes)
    one_vote = np.eye(len(stump.classes))
    given = stump.distribution if shares else one_vote[stump.majority]
    known = float(stump.counts[1:].sum())
    has_holes = float(stump.counts[0].sum()) > known * (1.0 + ROUNDING)
    missing = sum((stump.share[leaf] * given[leaf] for leaf in leaves), np.zeros(len(stump.classes)))
    if not shares and (has_holes or not divides):
        missing = one_vote[codes.missing]
    start = int(stump.map_start[0])
    branches = np.arange(1, stump.n_nodes)
    if codes.column.kind == "nominal" and start >= 0:
        branches = branches[stump.branch_map[start : start + len(codes.column.domain)]]
    says = tuple(map(tuple, given[branches].tolist()))
    return Steps(codes.column, codes.ends, says, tuple(missing.tolist()), tuple(given[0].tolist()))
