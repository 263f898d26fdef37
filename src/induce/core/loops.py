"""Loops that run plain on small problems and compiled on large ones.

A loop is a plain function on arrays in a `_loops.py`, marked with `loop`. `sized` gives the function itself where
there is little to do, so that no compiler is loaded, and otherwise the same source compiled by numba. Which one
follows from the work and from what has been compiled, never from a clock; both give the same result:

- A loop that this process has compiled for the same types of arguments runs compiled, however little there is to do.
- A loop that an earlier process has compiled is loaded from the cache for more than `PLAIN_WORK`.
- A loop that nobody has compiled yet runs plain as long as compiling would take a good deal longer: `COMPILING`.

With `INDUCE_LOOPS=plain` in the environment loops run plain up to `MOST_PLAIN`, for tests and debuggers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast
from zlib import crc32

from induce.core.loop_cache import AtHand, is_cached
from induce.core.time_limit import check_time, uncounted

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

PLAIN_WORK = 200_000
"""The most elementary steps that run plain where the compiled loop is in the cache: some tenths of a second."""

LOADING, COMPILING = 2, 400
"""How many times `PLAIN_WORK` runs plain rather than load the compiler; the instructions to compile for one more.

An instruction takes the compiler about a millisecond, a plain step up to a microsecond: plain steps take about half
as long as loading the compiler and compiling would. Where the cache has the loop, `PLAIN_WORK` runs plain.
"""

always_plain = os.environ.get("INDUCE_LOOPS") == "plain"
"""Whether loops run plain as long as that is feasible."""

MOST_PLAIN = 25 * PLAIN_WORK
"""The most work that runs plain then: some seconds, which are longer than most loops take to compile."""

_runs: ContextVar[float] = ContextVar("runs", default=1.0)
_compiled: dict[str, dict[str, Any]] = {}
_at_hand: dict[Callable[..., Any], AtHand] = {}
_patience: dict[Callable[..., Any], float] = {}
_done: dict[Callable[..., Any], float] = {}


def loop(function: Function) -> Function:
    """Mark a function as a loop; it may call loops of its own file, loops that the file imports, and constants."""
    vars(function)["is_loop"] = True
    return function


def inner(function: Function) -> Function:
    """Mark a loop that only other loops call: it compiles faster, for no call from Python is prepared."""
    vars(function)["is_inner"] = True
    return loop(function)


def sized(function: Function, work: float, share: float = 1.0) -> Function:
    """Return a loop as it is for little work, or compiled for much and where it has been compiled already.

    Parameters
    ----------
    function : callable
        Marked with `loop`.
    work : float
        How many elementary steps there are to do, roughly, in this call and those like it that follow.
    share : float
        The part of them that this call does. What plain loops did adds up, so that each run of many is not too
        small to compile for.

    Examples
    --------
    >>> sized(loop(lambda x: x + 1), work=10)(1)
    2
    """
    expected = work * _runs.get()
    if expected > PLAIN_WORK:
        spend(function, work * share)
        expected = max(expected, _done[function])
    return _chosen(function, expected)


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
    return _chosen(function, max(_done[function], work * _runs.get()))


@contextmanager
def expecting(runs: int) -> Iterator[None]:
    """Tell loops inside that so many runs like this one are to come, as of the members of an ensemble or of folds."""
    token = _runs.set(_runs.get() * max(1, runs))
    try:
        yield
    finally:
        _runs.reset(token)


def _chosen(function: Function, work: float) -> Function:
    """Return the loop that suits so much work; what is not `function` itself runs compiled, as far as one can say."""
    check_time()
    if (always_plain and work <= MOST_PLAIN) or inf == PLAIN_WORK:
        return function
    if work > PLAIN_WORK and work > PLAIN_WORK * _patience_with(function):
        return compiled(function)
    found = _at_hand.get(function)
    return function if found is None or not found.compiled.overloads else cast(Function, found)


def _patience_with(function: Callable[..., Any]) -> float:
    """Return how many times `PLAIN_WORK` a loop runs plain before it is compiled: once if that is in the cache."""
    if function not in _patience:
        _patience[function] = 0.0 if is_cached(function) else _n_instructions(function) / COMPILING
    compiling = _patience[function]
    loading = LOADING if compiling and "numba" not in sys.modules else 0
    return max(1.0, loading + compiling)


def _n_instructions(function: Callable[..., Any]) -> int:
    """Count the instructions of a loop and of all that it calls."""
    found, waiting = {function}, [function]
    total = 0
    while waiting:
        here = cast(FunctionType, waiting.pop())
        total += len(here.__code__.co_code) // 2
        loops = _loops_of(here.__module__)
        called = {loops[name] for name in here.__code__.co_names if name in loops} - found
        found |= called
        waiting += called
    return total


def call_wrapping(function: Callable[..., Result], work: float, *given: Any) -> Result:
    """Call a loop as `repeated` gives it, whose products may exceed 64 bits: plain, numpy would warn of that."""
    import numpy as np

    chosen = repeated(function, work)
    with np.errstate(over="ignore"):
        return chosen(*given)


def spend(function: Function, work: float) -> None:
    """Add to the work of a loop, where that is known only afterwards."""
    _done[function] = _done.get(function, 0.0) + work


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
        with uncounted():
            from induce.core.jit import inner_jit, jit

        scope = dict(vars(sys.modules[module]))
        stamp = _stamp(module)
        for name, value in _loops_of(module).items():
            if value.__module__ == module:
                is_inner = vars(value).get("is_inner")
                scope[name] = (inner_jit if is_inner else jit)(_within(scope, value, stamp))
                if not is_inner:
                    _at_hand[value] = AtHand(value, scope[name])
            else:
                scope[name] = _compiled_file(value.__module__)[value.__name__]
        _compiled[module] = scope
    return _compiled[module]


def is_compiled(function: Function) -> bool:
    """Say whether a loop has been compiled in this process, for whatever types of arguments."""
    return not always_plain and function in _at_hand and bool(_at_hand[function].compiled.overloads)


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
