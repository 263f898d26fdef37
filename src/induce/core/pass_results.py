"""Classes of the intermediate results that a resumable run may store: a closed list, like that of model files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Stored:
    """Conversion of a class to plain values and arrays, and back.

    Parameters
    ----------
    cls : type
    parts : callable
        Function that returns the parts of an instance by name.
    made : callable
        Function that returns an instance for its parts.
    is_by_field : bool
        Whether the parts are the fields, whose declared types can be checked.
    """

    cls: type
    parts: Callable[[Any], dict[str, Any]]
    made: Callable[[dict[str, Any]], Any]
    is_by_field: bool = False


STORED: dict[str, Stored] = {}
"""Listed classes by name. Importing a module lists its classes, so they are known before a pass can return them."""


def name_of(cls: type) -> str:
    """Return the name of a class in the file of a pass."""
    return f"{cls.__module__}:{cls.__qualname__}"


def stored_by(
    cls: type, parts: Callable[[Any], dict[str, Any]], made: Callable[[dict[str, Any]], Any]
) -> None:
    """Allow instances of a class in the results of passes, by functions that convert them.

    Parameters
    ----------
    cls : type
    parts : callable
        Function that returns the parts of an instance by name: plain values, arrays, and instances of listed classes.
    made : callable
        Function that returns an instance for its parts. A part it cannot use raises a `KeyError`, `TypeError` or
        `ValueError`.
    """
    STORED[name_of(cls)] = Stored(cls, parts, made)


def pass_result(cls: Class) -> Class:
    """Allow instances of a dataclass or named tuple in the results of passes, field by field.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @pass_result
    ... @dataclass
    ... class Counts:
    ...     rows: int
    >>> name_of(Counts) in STORED
    True
    """
    any_class: Any = cls
    names = getattr(any_class, "_fields", None) or [field.name for field in fields(any_class) if field.init]
    STORED[name_of(cls)] = Stored(
        cls,
        lambda value: {name: getattr(value, name) for name in names},
        lambda parts: any_class(**parts),
        is_by_field=True,
    )
    return cls
