"""Compiled versions of a loop: in this process, or cached on disk by an earlier one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from glob import escape
from hashlib import sha1, sha256
from pathlib import Path
from struct import pack
from typing import Any


class AtHand:
    """A loop for small calls: compiled if available for the types of its arguments, otherwise plain.

    Parameters
    ----------
    plain : callable
        The loop as a plain Python function.
    compiled : numba dispatcher
        The same loop, compiled for each combination of types at its first call.
    """

    __slots__ = ("_fingerprint", "_known", "_n_compiled", "compiled", "plain")

    def __init__(self, plain: Callable[..., Any], compiled: Any) -> None:
        from induce.core.jit import fingerprint

        self.plain, self.compiled = plain, compiled
        self._fingerprint = fingerprint
        self._known: dict[Any, bool] = {}
        self._n_compiled = 0

    def __call__(self, *given: Any) -> Any:
        """Run the loop."""
        # type names rather than types: determining the types often takes numba longer than running the loop
        try:
            types = self._fingerprint(given)
        except (NotImplementedError, ValueError):
            return self.plain(*given)
        if len(self.compiled.overloads) != self._n_compiled:
            self._known.clear()
            self._n_compiled = len(self.compiled.overloads)
        is_compiled = self._known.get(types)
        if is_compiled is None:
            is_compiled = tuple(map(self.compiled.typeof_pyval, given)) in self.compiled.overloads
            self._known[types] = is_compiled
        return (self.compiled if is_compiled else self.plain)(*given)


def is_cached(function: Callable[..., Any]) -> bool:
    """Return whether the disk cache holds the compiled loop for the current file, without loading the compiler.

    The compiler keeps an index per loop that identifies the source file; directories, names, and the hash or
    time follow its conventions. If a compiler version has other conventions, the loop merely runs plain for
    longer.
    """
    code = function.__code__
    source = Path(code.co_filename)
    try:
        text = sha256(source.read_bytes()).digest()
        time = pack(">d", source.stat().st_mtime)  # format of older versions of the compiler
    except OSError:  # typed in interactively, not from a file
        return False
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    name = f"{escape(f'{source.stem}.{function.__name__}')}*-{code.co_firstlineno}.{version}*.nbi"
    indexes = (index.read_bytes() for index in _cache_directory(source).glob(name))
    return any(text in index or time in index for index in indexes)


def _cache_directory(source: Path) -> Path:
    """Return the compiler's cache directory for a file, if it is writable or configured."""
    told = os.environ.get("NUMBA_CACHE_DIR")
    if not told:
        return source.parent / "__pycache__"
    folder = os.path.dirname(os.path.abspath(source))
    return Path(told) / f"{os.path.basename(folder)}_{sha1(folder.encode()).hexdigest()}"
