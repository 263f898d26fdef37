"""Loops that run plain on small problems and compiled on large ones.

A loop is a plain function on arrays in a `_loops.py`, marked with `loop`. `sized` gives the function itself where
there is little to do, so that no compiler is loaded, and otherwise the same source compiled by numba. Which one,
follows from the work alone, never from a clock; both give the same result. With `INDUCE_LOOPS=plain` in the
environment every loop runs plain, for tests and debuggers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast
from zlib import crc32

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

PLAIN_WORK = 200_000
"""The most elementary steps that run plain: some tenths of a second."""

always_plain = os.environ.get("INDUCE_LOOPS") == "plain"
"""Whether loops run plain however much there is to do."""

_compiled: dict[str, dict[str, Any]] = {}
_done: dict[str, float] = {}


def loop(function: Function) -> Function:
    """Mark a function as a loop; it may call loops of its own file, loops that the file imports, and constants."""
    vars(function)["is_loop"] = True
    return function


def inner(function: Function) -> Function:
    """Mark a loop that only other loops call: it compiles faster, for no call from Python is prepared."""
    vars(function)["is_inner"] = True
    return loop(function)


def sized(function: Function, work: float) -> Function:
    """Return a loop as it is for little work, or compiled for much.

    Parameters
    ----------
    function : callable
        Marked with `loop`.
    work : float
        How many elementary steps there are to do, roughly.

    Examples
    --------
    >>> sized(loop(lambda x: x + 1), work=10)(1)
    2
    """
    return function if always_plain or work <= PLAIN_WORK else compiled(function)


def repeated(function: Function, work: float) -> Function:
    """Return a loop for one of many small calls: as it is until their work adds up to much, then compiled.

    Parameters
    ----------
    function : callable
        Marked with `loop`.
    work : float
        How many elementary steps there are to do in this call, roughly.

    Examples
    --------
    >>> repeated(loop(lambda x: x + 1), work=10)(1)
    2
    """
    spend(function, work)
    return sized(function, _done[function.__module__])


def call_wrapping(function: Callable[..., Result], work: float, *given: Any) -> Result:
    """Call a loop as `repeated` gives it, whose products may exceed 64 bits: plain, numpy would warn of that."""
    chosen = repeated(function, work)
    if chosen is not function:
        return chosen(*given)
    import numpy as np

    with np.errstate(over="ignore"):
        return chosen(*given)


def spend(function: Function, work: float) -> None:
    """Add what a loop did to the work of its file, where that is known only afterwards."""
    _done[function.__module__] = _done.get(function.__module__, 0.0) + work


def compiled(function: Function) -> Function:
    """Return a loop compiled by numba, with the other loops of its file."""
    if vars(function).get("is_inner"):
        raise TypeError(f"{function.__name__} is called by other loops only")
    found = _compiled_file(function.__module__)[function.__name__]
    if not found.overloads:
        from induce.core.jit import announce_compilation

        announce_compilation(found)
    return cast(Function, found)


def _compiled_file(module: str) -> dict[str, Any]:
    """Return the names of a file, its loops and those that it imports compiled."""
    if module not in _compiled:
        from induce.core.jit import inner_jit, jit

        scope = dict(vars(sys.modules[module]))
        stamp = _stamp(module)
        for name, value in _loops_of(module).items():
            if value.__module__ == module:
                compile_it = inner_jit if vars(value).get("is_inner") else jit
                scope[name] = compile_it(_within(scope, value, stamp))
            else:
                scope[name] = _compiled_file(value.__module__)[value.__name__]
        _compiled[module] = scope
    return _compiled[module]


def is_compiled(function: Function) -> bool:
    """Say whether a loop, or another of its file, has been compiled in this process."""
    return not always_plain and function.__module__ in _compiled


def _within(scope: dict[str, Any], function: FunctionType, stamp: str) -> FunctionType:
    """Return a copy of a function that sees the compiled loops of its file instead of the plain ones."""
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__ + stamp
    return copy


def _loops_of(module: str) -> dict[str, FunctionType]:
    """Return the loops that a file has or imports."""
    return {
        name: value
        for name, value in vars(sys.modules[module]).items()
        if isinstance(value, FunctionType) and vars(value).get("is_loop")
    }


def _stamp(module: str) -> str:
    """Return what tells compiled loops of a file apart when a file changes from which it imports loops.

    The compiler's cache looks at the file of a loop alone. `core._random_loops` never changes.
    """
    found = {module, "induce.core._random_loops"}
    waiting = [module]
    text = b""
    while waiting:
        for name in sorted({value.__module__ for value in _loops_of(waiting.pop()).values()} - found):
            found.add(name)
            waiting.append(name)
            text += Path(str(sys.modules[name].__file__)).read_bytes()
    return f"_{crc32(text):08x}" if text else ""
