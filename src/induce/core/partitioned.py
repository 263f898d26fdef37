"""Protocol of tables that are not read as a whole."""

from __future__ import annotations


class Partitioned:
    """A table in partitions, which `fit` accepts instead of rows and classes; see `induce.scan`."""
