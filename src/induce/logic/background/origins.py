"""Origins of relations: the table and the columns that a relation was made from."""

from __future__ import annotations

from dataclasses import dataclass

KEY, DATE, TRUTH = "key", "date", "truth"


@dataclass(frozen=True)
class Origin:
    """The table of a relation.

    Parameters
    ----------
    table : str
    columns : tuple of tuple of str
        For each argument the columns that make it up, several for a key of several columns.
    kinds : tuple of str
        For each argument ``key`` if it identifies the rows of the table, ``date``, ``truth`` for true and false,
        otherwise empty.
    assumed : bool
        Whether the relation comes from no table, so that one of its name is expected.
    """

    table: str
    columns: tuple[tuple[str, ...], ...]
    kinds: tuple[str, ...]
    assumed: bool = False

    @property
    def keyed(self) -> bool:
        """Whether the first argument identifies the rows of the table."""
        return bool(self.kinds) and self.kinds[0] == KEY
