"""Loops that run plain on small problems and compiled on large ones.

A loop is a plain function on arrays in a `_loops.py`, marked with `loop`. `sized` returns the function itself if
there is little work, so that no compiler is loaded, and otherwise the same source compiled by numba. The choice
depends on the work that the loop has done in this process, all calls together, never on a clock; both give the
same result:

- A loop that this process has compiled for the same argument types runs compiled, however little work there is.
- A loop that an earlier process has compiled is loaded once its plain work costs about as much as loading.
- A loop that is not compiled yet is compiled once its plain work costs about as much as compiling.

With `INDUCE_LOOPS=plain` in the environment, loops run plain up to `MOST_PLAIN`, for tests and debuggers.
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
"""Elementary steps of all loops together that run plain before the compiler is loaded: tenths of a second."""

LOADING = 0.2
"""Fraction of `PLAIN_WORK` that takes about as long as loading a loop from the cache."""

COMPILING = 400
"""Number of instructions to compile per further `PLAIN_WORK` steps.

The compiler takes about a millisecond per instruction, and a plain step up to a microsecond. Plain steps
therefore take about half as long as compiling would.
"""

always_plain = os.environ.get("INDUCE_LOOPS") == "plain"
"""Whether loops run plain as long as that is feasible."""

MOST_PLAIN = 25 * PLAIN_WORK
"""Maximum work that runs plain in that mode; it takes some seconds, longer than most loops take to compile."""

_runs: ContextVar[float] = ContextVar("runs", default=1.0)
_compiled: dict[str, dict[str, Any]] = {}
_at_hand: dict[Callable[..., Any], AtHand] = {}
_prices: dict[Callable[..., Any], float] = {}
_done: dict[Callable[..., Any], float] = {}


def loop(function: Function) -> Function:
    """Mark a function as a loop; it may call loops of its own file, loops that the file imports, and constants."""
    vars(function)["is_loop"] = True
    return function


def inner(function: Function) -> Function:
    """Mark a loop that only other loops call: it compiles faster, because it needs no Python entry point."""
    vars(function)["is_inner"] = True
    return loop(function)


def sized(function: Function, work: float, share: float = 1.0) -> Function:
    """Return the plain loop for little work, or the compiled one for much work or if it is compiled already.

    Parameters
    ----------
    function : callable
        Function marked with `loop`.
    work : float
        Approximate number of elementary steps in this call and similar ones that follow.
    share : float
        Fraction of the work done in this call. The work of all calls adds up.

    Examples
    --------
    >>> sized(loop(lambda x: x + 1), work=10)(1)
    2
    """
    expected = work * _runs.get()
    spend(function, work * share)
    return _chosen(function, expected if always_plain else max(expected, _done[function]))


def repeated(function: Function, work: float) -> Function:
    """Return a loop for one of many small calls, whose work adds up even where loops stay plain.

    Parameters
    ----------
    function : callable
        Function marked with `loop`.
    work : float
        Approximate number of elementary steps in this call.

    Examples
    --------
    >>> repeated(loop(lambda x: x + 1), work=10)(1)
    2
    """
    spend(function, work)
    return _chosen(function, max(_done[function], work * _runs.get()))


@contextmanager
def expecting(runs: int) -> Iterator[None]:
    """Announce a number of similar runs, such as for members of an ensemble or folds."""
    token = _runs.set(_runs.get() * max(1, runs))
    try:
        yield
    finally:
        _runs.reset(token)


def _chosen(function: Function, work: float) -> Function:
    """Return the loop for this much work; if the result is not `function`, it is expected to run compiled."""
    check_time()
    if (always_plain and work <= MOST_PLAIN) or inf == PLAIN_WORK:
        return function
    starts = "numba" in sys.modules or max(work, sum(_done.values())) > PLAIN_WORK
    if starts and work > _price(function):
        return compiled(function)
    found = _at_hand.get(function)
    return function if found is None or not found.compiled.overloads else cast(Function, found)


def _price(function: Callable[..., Any]) -> float:
    """Return the plain steps that cost about as much as loading a loop, and compiling it if it is not cached."""
    if function not in _prices:
        _prices[function] = LOADING + (0.0 if is_cached(function) else _n_instructions(function) / COMPILING)
    return PLAIN_WORK * _prices[function]


def _n_instructions(function: Callable[..., Any]) -> int:
    """Count the instructions of a loop and of all its callees."""
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
    """Call a loop from `repeated` whose products may exceed 64 bits, which would cause warnings in plain numpy."""
    import numpy as np

    chosen = repeated(function, work)
    with np.errstate(over="ignore"):
        return chosen(*given)


def spend(function: Function, work: float) -> None:
    """Add to the recorded work of a loop that is known only after the call."""
    _done[function] = _done.get(function, 0.0) + work


def compiled(function: Function) -> Function:
    """Return a loop compiled by numba, with the other loops of its file."""
    if vars(function).get("is_inner"):
        raise TypeError(f"{function.__name__} is only called by other loops")
    found = _compiled_file(function.__module__)[function.__name__]
    if not found.overloads:
        from induce.core.jit import announce_compilation

        announce_compilation(found)
    return cast(Function, found)


def _compiled_file(module: str) -> dict[str, Any]:
    """Return the names of a file, with its own and imported loops compiled."""
    if module not in _compiled:
        with uncounted():
            from induce.core.jit import inner_jit, jit

        scope = dict(vars(sys.modules[module]))
        stamp = _stamp(module)
        allocates = vars(sys.modules[module]).get("ALLOCATES", True)
        for name, value in _loops_of(module).items():
            if value.__module__ == module:
                is_inner = vars(value).get("is_inner")
                scope[name] = (inner_jit if is_inner else jit)(_within(scope, value, stamp), allocates)
                if not is_inner:
                    _at_hand[value] = AtHand(value, scope[name])
            else:
                scope[name] = _compiled_file(value.__module__)[value.__name__]
        _compiled[module] = scope
    return _compiled[module]


def is_compiled(function: Function) -> bool:
    """Return whether a loop has been compiled in this process, for any argument types."""
    return not always_plain and function in _at_hand and bool(_at_hand[function].compiled.overloads)


def _within(scope: dict[str, Any], function: FunctionType, stamp: str) -> FunctionType:
    """Return a copy of a function that uses the compiled loops of its file instead of the plain ones."""
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
    """Return a stamp of the files from which a file imports loops, so that a change invalidates its compiled loops.

    The compiler's cache looks only at the file of a loop. `core._random_loops` never changes.
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
