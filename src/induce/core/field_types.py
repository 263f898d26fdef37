"""Type checks of dataclass fields, so that a file cannot fill a field with a value of the wrong type."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import get_annotations
from typing import Any, Literal

import numpy as np

Test = Callable[[Any], bool]

KINDS = {"f": "fiu", "i": "iu", "u": "iu", "b": "b", "c": "cfiu"}
"""Array kinds that may replace a declared kind; others have to be the same."""


@cache
def field_tests(cls: type) -> dict[str, Test]:
    """Return a test for each annotated field of a class; fields of unsupported types have none.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> tests = field_tests(Column)
    >>> tests["name"]("wind"), tests["name"](3), tests["domain"](("weak", "strong")), tests["domain"](7)
    (True, False, True, False)
    """
    found = {}
    for name, hint in _hints(cls).items():
        test = _test(hint)
        if test is not None:
            found[name] = test
    return found


@cache
def float_fields(cls: type) -> frozenset[str]:
    """Return the fields of a class all of whose declared arrays contain floats.

    Examples
    --------
    >>> from induce.bayes import NoisyOr
    >>> sorted(float_fields(NoisyOr))
    ['absent', 'present']
    """
    return frozenset(name for name, hint in _hints(cls).items() if _array_kinds(hint) == {"f"})


def as_floats(value: Any) -> Any:
    """Return a value with its arrays of integers, also those in tuples, as arrays of floats.

    Examples
    --------
    >>> as_floats((np.array([1, 2]), None))
    (array([1., 2.]), None)
    """
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        return value.astype(np.float64)
    return tuple(map(as_floats, value)) if type(value) is tuple else value


def _array_kinds(hint: Any) -> set[str]:
    """Return the kinds of number of all arrays of a type."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is np.ndarray:
        return {_kind(arguments)}
    return {kind for argument in arguments for kind in _array_kinds(argument)}


def _hints(cls: type) -> dict[str, Any]:
    """Return the types of all annotated fields, except those imported for type checks only."""
    try:
        return typing.get_type_hints(cls)
    except NameError:
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, text in get_annotations(base).items():
                alone = type(
                    base.__name__, (), {"__annotations__": {name: text}, "__module__": base.__module__}
                )
                try:
                    found |= typing.get_type_hints(alone)
                except NameError:
                    found.pop(name, None)
        return found


def _test(hint: Any) -> Test | None:
    """Return a function that tests whether a value is of a type.

    None if every value is, or if the type is unsupported.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is float:
        return lambda value: isinstance(value, (int, float))
    if hint is None or hint is types.NoneType:
        return lambda value: value is None
    if origin in (typing.Union, types.UnionType):
        tests = [_test(each) for each in arguments]
        if any(test is None for test in tests):
            return None
        return lambda value: any(test(value) for test in tests if test is not None)
    if origin is Literal:
        return lambda value: value in arguments
    if origin is np.ndarray:
        return _array(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin in (list, Sequence):
        of = _test(arguments[0]) if arguments else None
        kinds = list if origin is list else (list, tuple)
        return lambda value: isinstance(value, kinds) and (of is None or all(map(of, value)))
    if origin in (dict, Mapping):
        return _dict(arguments)
    cls = origin or hint
    # Any is also a class, and protocols cannot be checked
    if not isinstance(cls, type) or cls in (Any, object) or getattr(cls, "_is_protocol", False):
        return None
    return lambda value: isinstance(value, cls)


def _array(arguments: tuple[Any, ...]) -> Test:
    kind = _kind(arguments)
    if not kind:
        return lambda value: isinstance(value, np.ndarray)
    return lambda value: isinstance(value, np.ndarray) and value.dtype.kind in KINDS.get(kind, kind)


def _kind(arguments: tuple[Any, ...]) -> str:
    """Return the kind of number of a type of arrays, given its arguments; empty if it may be any."""
    scalar = typing.get_args(arguments[1])[0] if len(arguments) > 1 and typing.get_args(arguments[1]) else Any
    if not isinstance(scalar, type) or not issubclass(scalar, np.generic):
        return ""
    try:
        return np.dtype(scalar).kind
    except TypeError:  # an abstract kind, such as np.integer
        return ""


def _tuple(arguments: tuple[Any, ...]) -> Test:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        of = _test(arguments[0])
        return lambda value: isinstance(value, tuple) and (of is None or all(map(of, value)))
    tests = [_test(each) for each in arguments]
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(tests)
        and all(test is None or test(item) for test, item in zip(tests, value, strict=True))
    )


def _dict(arguments: tuple[Any, ...]) -> Test:
    key, item = (_test(each) for each in arguments) if len(arguments) == 2 else (None, None)
    return lambda value: (
        isinstance(value, dict)
        and (key is None or all(map(key, value)))
        and (item is None or all(map(item, value.values())))
    )
