"""Notes of the library as lines on standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from induce.core.notes import Note


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print every note once, as ``note: …``; warnings of other libraries are not shown to the user.

    Examples
    --------
    >>> from induce.core.notes import note
    >>> with notes_on_stderr():
    ...     note("3 rows are left out")
    """
    told: set[str] = set()

    def tell(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        text = " ".join(str(message).split())
        about = message.about if isinstance(message, Note) else text
        if about not in told:
            told.add(about)
            print(f"note: {text}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", Note)
        warnings.showwarning = tell
        yield
