"""Checkpoints of finished passes in a folder; an interrupted run resumes after the last finished pass.

Every pass over the partitions depends only on its arguments. Its result is stored under a hash of the function, its
bound arguments and the partitions, so that a later run does not repeat the pass. The files are pickles, which only
their owner may write: use a folder of your own.
"""

from __future__ import annotations

import io
import os
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

from induce.core.errors import InputError
from induce.core.notes import note

Result = TypeVar("Result")

MARK = "induce-passes.txt"


class _Described(pickle.Pickler):
    """Serialises everything that determines a result: an object's identity if it has one, otherwise its fields.

    Values cached by an object depend on earlier calls, so they are left out.
    """

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, type):
            return NotImplemented
        if hasattr(value, "identity"):
            return tuple, (value.identity(),)
        if is_dataclass(value):
            return tuple, ((type(value), *(getattr(value, each.name) for each in fields(value))),)
        return NotImplemented


class Journal:
    """A folder with the results of the finished passes of one run."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = self.folder / MARK
        if not mark.exists():
            if any(self.folder.iterdir()):
                raise InputError(
                    f"the folder {str(folder)!r} holds other files; name a new one for the passes of this run"
                )
            mark.write_text(
                "Finished passes of an induce run; delete the folder when it is not needed any more.\n",
                encoding="utf-8",
            )
        self.n_taken = 0

    def key(self, described: Any) -> str | None:
        """Return the hash of everything that determines a result; None if it cannot be serialised."""
        stream = io.BytesIO()
        pickler = _Described(stream, protocol=5)
        pickler.fast = True  # equal values are written alike, whichever objects they share
        try:
            pickler.dump((version("induce"), described))
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError, ValueError):
            return None
        return sha256(stream.getvalue()).hexdigest()[:32]

    def result(self, described: Any, work: Callable[[], Result]) -> Result:
        """Return the stored result of a pass, or compute and store it."""
        key = self.key(described)
        if key is None:
            return work()
        path = self.folder / f"{key}.pass"
        try:
            found: Result = pickle.loads(path.read_bytes())
        except (OSError, pickle.UnpicklingError, EOFError):
            found = work()
            self._keep(path, found)
            return found
        if not self.n_taken:
            note(f"finished passes of an earlier run are taken from {str(self.folder)!r}")
        self.n_taken += 1
        return found

    def _keep(self, path: Path, found: Any) -> None:
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            pickle.dump(found, file, protocol=5)
        os.replace(file.name, path)  # whole or not at all

    def close(self) -> None:
        """Delete the stored results at the end of the run."""
        rmtree(self.folder, ignore_errors=True)
