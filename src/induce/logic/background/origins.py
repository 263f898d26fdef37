"""Origins of relations: the table and columns that each relation was derived from."""

from __future__ import annotations

from dataclasses import dataclass

KEY, DATE, TRUTH = "key", "date", "truth"


@dataclass(frozen=True)
class Origin:
    """Table of the relation.

    Parameters
    ----------
    table : str
    columns : tuple of tuple of str
        Columns that form each argument; several for a composite key.
    kinds : tuple of str
        Kind of each argument: ``key`` if it identifies the rows of the table, ``date``, ``truth`` for booleans,
        otherwise empty.
    assumed : bool
        Whether the relation does not come from a table, and a table with its name is assumed.
    """

    table: str
    columns: tuple[tuple[str, ...], ...]
    kinds: tuple[str, ...]
    assumed: bool = False

    @property
    def keyed(self) -> bool:
        """Whether the first argument identifies the rows of the table."""
        return bool(self.kinds) and self.kinds[0] == KEY
