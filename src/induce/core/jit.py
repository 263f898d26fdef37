"""Compiled loops: a single way to compile, with a cache whose failures are harmless."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numba
from numba import _dispatcher
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags

from induce.core.notes import note
from induce.core.progress import announce
from induce.core.time_limit import uncounted

Function = TypeVar("Function", bound=Callable[..., Any])

fingerprint: Callable[[tuple[Any, ...]], Any] = getattr(_dispatcher, "compute_fingerprint", numba.typeof)
"""Value type for arguments of the same types; the compiler uses it to distinguish its specialisations."""

KNOWN = {(0, 68)}
"""Versions of numba in which the code of a loop can be passed on unchanged; other versions optimise it each time."""

_announced = False
_warned = False


class _Flags(Flags):
    """Compiler settings that compare only explicitly set options, because numba compares them thousands of times.

    Numba's own comparison includes all default settings, which takes a seventh of the compile time.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(_Flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self._values == other._values)


class _Undisturbed(Compiler):
    """Numba's compiler without garbage collection, which would take a tenth of the compile time and free
    almost nothing.
    """

    def compile_extra(self, func: Any) -> Any:
        """Compile a function and its callees."""
        self.state.flags = cast(Any, _Flags)(self.state.flags)
        collecting = gc.isenabled()
        gc.disable()
        try:
            with uncounted():
                return cast(Any, super()).compile_extra(func)
        except Exception as problem:
            if _interrupted(problem):
                raise KeyboardInterrupt from None
            raise
        finally:
            if collecting:
                gc.enable()


def _interrupted(problem: BaseException | None) -> bool:
    """Return whether an error was caused by Ctrl-C; the compiler fails when it tries to report its location."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


class _Mended:
    """A disk cache that is cleared if it is damaged, for example by a full disk or by two versions of the
    compiler.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load_overload(self, *given: Any) -> Any:
        """Return the cached result; None if it is absent or unreadable."""
        try:
            return self._cache.load_overload(*given)
        except Exception:  # unpickling damaged bytes can raise any exception, including MemoryError
            with suppress(Exception):
                self._cache.flush()
            return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


class _Part(JITCodeLibrary):
    """Code of a loop that only other loops call: it is passed on unchanged.

    Numba's own library would optimise it and generate machine code, and repeat that for each calling loop.
    The outermost loop, called from Python, contains the code of all of them and is the only one that runs.
    """

    def finalize(self) -> None:
        """Include the code of the called loops."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        cast(Any, self)._finalize_dynamic_globals()
        self._finalized = True


class _Inner(_Undisturbed):
    """Compiler of loops that only other loops call."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function as a part of others, together with its callees."""
        state = self.state
        state.library = cast(Any, _Part)(state.targetctx.codegen(), func.__qualname__)
        state.flags.no_compile = True
        found = super().compile_extra(func)
        # Callers look up the code by its Python entry point, which does not exist here. This object replaces
        # it: it is unique, takes its arguments as numba passes them and raises a TypeError.
        nothing: dict[str, Any] = {}
        entry = nothing.update
        state.targetctx.insert_user_function(entry, found.fndesc, [found.library])
        return found._replace(entry_point=entry)


def jit(function: Function, allocates: bool = True) -> Function:
    """Compile a loop with numba, without the GIL and with a disk cache if a directory is writable.

    A division by zero gives infinity or NaN, as in numpy. Loops that allocate nothing need no reference counts,
    which numba otherwise keeps in each call of a helper that takes arrays.
    """
    options = {"pipeline_class": _Undisturbed, "no_cfunc_wrapper": True, "_nrt": allocates}
    return _compiled(function, cache=True, **options)


def inner_jit(function: Function, allocates: bool = True) -> Function:
    """Compile a function that only loops of the same file call: faster to compile, but not callable from Python.

    The cached loops that call it contain it, so it is not cached itself.
    """
    pipeline = _Inner if numba.version_info.short in KNOWN else _Undisturbed
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": allocates}
    return _compiled(function, cache=False, pipeline_class=pipeline, **options)


def _compiled(function: Function, *, cache: bool, **options: Any) -> Function:
    njit: Any = numba.njit
    options |= {"nogil": True, "error_model": "numpy"}
    try:
        compiled = njit(cache=cache, **options)(function)
        if cache:
            compiled._cache = _Mended(compiled._cache)
    except RuntimeError:  # numba found no writable cache directory
        _warn_once()
        compiled = njit(**options)(function)
    return cast(Function, compiled)


def _warn_once() -> None:
    """Issue one note that every process will compile its loops again."""
    global _warned
    if not _warned:
        _warned = True
        note(
            "neither the installation nor the home directory is writable, so every process compiles its loops "
            "again, for some seconds; set NUMBA_CACHE_DIR to a writable directory"
        )


def announce_compilation(loop: Any) -> None:
    """Announce the compilation of `loop` if it is in neither memory nor cache; on a terminal only once."""
    global _announced
    if _warned or loop.overloads or _cached(loop):
        return
    announce("compiling once, later runs start at once")
    if _announced:
        return
    _announced = True
    if sys.stderr.isatty():
        print("induce: compiling once, later runs start at once", file=sys.stderr)


def _cached(loop: Any) -> bool:
    index = getattr(getattr(getattr(loop, "_cache", None), "_cache_file", None), "_index_path", None)
    if index is None:
        return False
    return os.path.exists(index)
