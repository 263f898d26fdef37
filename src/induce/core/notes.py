"""Notes: things the user should know that are not errors."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_speaker: ContextVar[str] = ContextVar("induce_speaker", default="")
_kept: ContextVar[list[str] | None] = ContextVar("induce_kept_notes", default=None)


class Note(UserWarning):
    """A decision made for the user, such as a column that was left out.

    Parameters
    ----------
    message : str
    about : str
        Subject of the message: of several about the same, such as one for each fold, the first is enough.
    """

    def __init__(self, message: str = "", about: str = "") -> None:
        super().__init__(message)
        self.about = about or message


def note(message: str, about: str = "") -> None:
    """Issue a message to the user, as a warning of category `Note`."""
    speaker, kept = _speaker.get(), _kept.get()
    said = f"{speaker}: {message}" if speaker else message
    if kept is None:
        warnings.warn(Note(said, f"{speaker}: {about}" if about else ""), stacklevel=3)
    else:
        kept.append(said)


@contextmanager
def kept_notes() -> Iterator[list[str]]:
    """Collect the notes of the block instead of issuing them, as on a worker, where they would be lost.

    Examples
    --------
    >>> with kept_notes() as kept:
    ...     note("a column is ignored")
    >>> kept
    ['a column is ignored']
    """
    kept: list[str] = []
    token = _kept.set(kept)
    try:
        yield kept
    finally:
        _kept.reset(token)


@contextmanager
def notes_of(name: str) -> Iterator[None]:
    """Prefix each note inside the block with its origin, if several learners are running."""
    token = _speaker.set(name)
    try:
        yield
    finally:
        _speaker.reset(token)
