"""Training cases of a network: node values per row, and family counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks import _counting_loops
from induce.belief_networks.conditionals.base import Values
from induce.belief_networks.factors import Floats, Ints, ends
from induce.core.errors import InputError
from induce.core.loops import PLAIN_WORK, compiled
from induce.counts.joint import MOST_CELLS, JointCounts
from induce.data.schema import Schema

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cases:
    """Rows of observations of the nodes of a network.

    Parameters
    ----------
    schema : Schema
        One column per node, nominal with its domain or numeric.
    codes : array of int32, shape (rows, nodes)
        Index of the value in the domain; -1 if missing, and for numeric nodes.
    numbers : array of float64, shape (rows, nodes)
        Numeric values; NaN if missing, and for nominal nodes.
    weights : array of float64
        Weight of each row.
    target : str, optional
        Node to be predicted from the others.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> nodes = Schema((Column("rain", "nominal", ("no", "yes")), Column("wet", "nominal", ("no", "yes"))))
    >>> cases = Cases.of(nodes, np.array([[0, 0], [1, 1], [1, -1]], np.int32))
    >>> [table.tolist() for table in cases.counts([(0,), (0, 1)])]
    [[1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]]]
    """

    schema: Schema
    codes: Codes
    numbers: Floats
    weights: Floats
    target: str | None = None

    @classmethod
    def of(
        cls,
        schema: Schema,
        codes: Codes,
        numbers: Floats | None = None,
        weights: Floats | None = None,
        target: str | None = None,
    ) -> Cases:
        """Return cases with defaults filled in: no numeric values, and unit weights."""
        numbers = np.full(codes.shape, np.nan) if numbers is None else numbers
        weights = np.ones(len(codes)) if weights is None else np.asarray(weights, np.float64)
        return cls(schema, np.ascontiguousarray(codes, np.int32), numbers, weights, target)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def sizes(self) -> Ints:
        """Number of values of each node; 0 for a numeric one."""
        return np.array([len(column.domain) for column in self.schema], np.int64)

    @cached_property
    def columns(self) -> Codes:
        """Codes with one row per node, the layout of the counting loop."""
        return np.ascontiguousarray(self.codes.T)

    @property
    def is_nominal(self) -> bool:
        """Whether all nodes are nominal."""
        return all(column.kind == "nominal" for column in self.schema)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Mask of the cells with a value."""
        return (self.codes >= 0) | ~np.isnan(self.numbers)

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return bool(self.known.all())

    def values(self, node: int) -> Values:
        """Return the codes or numbers of a node in all rows."""
        return self.numbers[:, node] if self.schema.columns[node].kind == "numeric" else self.codes[:, node]

    def rows(self, index: NDArray[Any]) -> Cases:
        """Return a subset of the rows."""
        return replace(
            self, codes=self.codes[index], numbers=self.numbers[index], weights=self.weights[index]
        )

    def counts(self, scopes: Sequence[Sequence[int]]) -> list[Floats]:
        """Return the total row weight of each joint state of the given families of nominal nodes.

        All family counting happens here: by numpy for small inputs, otherwise by a compiled loop. Request
        many families at once, since the choice depends on their total size.

        Parameters
        ----------
        scopes : sequence of sequences of int
            Nodes of each family. Rows in which one of them is missing are not counted for that family.

        Returns
        -------
        list of arrays of float64
            One table per family, with one axis per node.
        """
        shapes = [tuple(self.sizes[list(scope)].tolist()) for scope in scopes]
        for scope, shape in zip(scopes, shapes, strict=True):
            if math.prod(shape) > MOST_CELLS:
                names = ", ".join(self.schema.columns[k].name for k in scope)
                raise InputError(
                    f"the nodes {names} have {math.prod(shape):,} joint states, too many to be "
                    "counted; give fewer parents"
                )
        if len(self) * sum(map(len, scopes)) <= 10 * PLAIN_WORK:
            return [
                JointCounts.of([self.columns[k] for k in scope], shape, self.weights).table
                for scope, shape in zip(scopes, shapes, strict=True)
            ]
        offsets = ends(map(math.prod, shapes))
        counts = np.zeros(int(offsets[-1]))
        flat = np.array([k for scope in scopes for k in scope], np.int64)
        loop = compiled(_counting_loops.count)
        loop(self.columns, self.sizes, self.weights, ends(map(len, scopes)), flat, offsets, counts)
        return [counts[offsets[f] : offsets[f + 1]].reshape(shape) for f, shape in enumerate(shapes)]
