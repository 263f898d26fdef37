"""Checkpoints of finished passes in a folder; an interrupted run resumes after the last finished pass.

Every pass over the partitions depends only on its arguments. Its result is stored under a hash of the function, its
bound arguments and the partitions, so that a later run does not repeat the pass. The files hold JSON and arrays, as
model files do; pickles serve only to compute the hash, and are never read.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

import numpy as np

from induce.core.errors import InputError, ModelFileError
from induce.core.files import write_whole
from induce.core.notes import note

Result = TypeVar("Result")

MARK = "induce-passes.txt"


class _Described(pickle.Pickler):
    """Pickler of everything that determines a result: an object's identity if it has one, otherwise its fields.

    Cached values are left out, because they depend on earlier calls.
    """

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, type):
            return NotImplemented
        if isinstance(value, np.ufunc):  # its `identity` is a number
            return tuple, (("ufunc", value.__name__),)
        if hasattr(value, "identity"):
            return tuple, (value.identity(),)
        if is_dataclass(value):
            return tuple, ((type(value), *(getattr(value, each.name) for each in fields(value))),)
        return NotImplemented


class Journal:
    """Folder with the results of the finished passes of one run."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        mark = self.folder / MARK
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not mark.exists():
                if any(self.folder.iterdir()):
                    raise InputError(
                        f"the folder {str(folder)!r} holds other files; name a new one for the passes of this run"
                    )
                mark.write_text(
                    "Finished passes of an induce run; delete the folder when it is not needed any more.\n",
                    encoding="utf-8",
                )
        except OSError as error:
            raise InputError(
                f"finished passes cannot be stored in {str(folder)!r} ({error.strerror}); name a folder where files "
                "may be written"
            ) from None
        self.n_taken = 0
        self._has_told = False

    def key(self, described: Any) -> str | None:
        """Return the hash of everything that determines a result; None if it cannot be serialised."""
        stream = io.BytesIO()
        pickler = _Described(stream, protocol=5)
        pickler.fast = True  # equal values get equal bytes, regardless of shared references
        try:
            pickler.dump((version("induce"), described))
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError, ValueError):
            return None
        return sha256(stream.getvalue()).hexdigest()[:32]

    def result(self, described: Any, work: Callable[[], Result]) -> Result:
        """Return the stored result of a pass, or compute and store it."""
        key = self.key(described)
        if key is None:
            self._tell("its arguments are not data")
            return work()
        path = self.folder / f"{key}.pass"
        if not path.exists():
            found = work()
            self._store(path, found)
            return found
        stored: Result = self._stored(path)
        if not self.n_taken:
            note(f"finished passes of an earlier run are read from {str(self.folder)!r}")
        self.n_taken += 1
        return stored

    def _stored(self, path: Path) -> Any:
        from induce.core.pass_files import unpacked

        try:
            return unpacked(path.read_bytes())
        except OSError as error:
            reason = f"it cannot be read: {error.strerror}"
        except ModelFileError as error:
            reason = str(error)
        raise ModelFileError(
            f"{str(path)!r} does not hold a finished pass ({reason}); delete the folder {str(self.folder)!r} and "
            "start again"
        )

    def _store(self, path: Path, found: Any) -> None:
        from induce.core.pass_files import packed

        try:
            data = packed(found)
        except InputError as error:
            self._tell(str(error))
            return
        write_whole(path, data)

    def _tell(self, reason: str) -> None:
        if not self._has_told:
            note(f"a finished pass cannot be stored, so it would be repeated after a stop ({reason})")
        self._has_told = True

    def close(self) -> None:
        """Delete the stored results at the end of the run."""
        rmtree(self.folder, ignore_errors=True)
