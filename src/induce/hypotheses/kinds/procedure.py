"""Hypotheses that are executed."""

from __future__ import annotations

from typing import ClassVar

from induce.core.hypothesis import Hypothesis


class Procedure(Hypothesis):
    """A program or a machine: its inputs are not rows of a table."""

    speaks_of: ClassVar[str] = "inputs"
    takes_tables: ClassVar[bool] = False
