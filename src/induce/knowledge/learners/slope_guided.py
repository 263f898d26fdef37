"""Shared parts of learners that train a network on values and slopes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.parameter_kinds import Such
from induce.core.parameters import Declared, number, several
from induce.data.numeric_view import Floats, NumericView
from induce.data.table import Table
from induce.knowledge.invariances import Invariance
from induce.knowledge.tangents import given_slopes, joined, tangent_slopes
from induce.neural.learners.base import Examples, Task
from induce.neural.network import Network

MU = number("Weight of the slopes relative to the values; 0 ignores the slopes.", at_least=0, finite=True)


class SlopeGuided:
    """Mixin that adds slopes to a network's task: those given to `fit`, and 0 along the tangents of invariances."""

    parameters: ClassVar[Declared] = {
        "invariances": several(
            "Changes of a row that leave the target unchanged.",
            Such("an Invariance", lambda value: isinstance(value, Invariance)),
            "invariances",
        ),
        "mu": MU,
    }
    invariances: Sequence[Invariance]
    mu: float
    _given: Any = None

    def _task(
        self,
        network: Network,
        view: NumericView,
        table: Table,
        rows: NDArray[np.intp],
        examples: Examples,
        scale: Floats | float = 1.0,
    ) -> Task:
        task: Task = super()._task(network, view, table, rows, examples, scale)  # type: ignore[misc]
        slopes, mu = None, float(self.mu)
        if mu and self._given is not None:
            width = np.broadcast_to(np.asarray(scale, np.float64), (task.T.shape[1],))
            slopes = given_slopes(self._given, view, len(table), rows, width, mu)
        if mu and len(self.invariances):
            tangents = tangent_slopes(view, task.X, self.invariances, task.T.shape[1], mu)
            slopes = joined(slopes, tangents)
        return task if slopes is None else replace(task, slopes=slopes)
