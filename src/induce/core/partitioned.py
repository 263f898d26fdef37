"""Protocol for partitioned tables, which are never loaded whole."""

from __future__ import annotations


class Partitioned:
    """A table in partitions, which `fit` accepts instead of `X` and `y`; see `induce.scan`."""
