"""Hypotheses that are solutions of a search problem."""

from __future__ import annotations

from typing import ClassVar

from induce.core.hypothesis import Hypothesis


class Solution(Hypothesis):
    """A design: the best individual that a search has found, with its fitness."""

    speaks_of: ClassVar[str] = "designs"
    takes_tables: ClassVar[bool] = False

    fitness: float
