"""Notes: things the user should know that are not errors."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_speaker: ContextVar[str] = ContextVar("induce_speaker", default="")


class Note(UserWarning):
    """Something was decided for the user, such as a column that was left out."""


def note(message: str) -> None:
    """Tell the user one thing, as a warning of category `Note`."""
    speaker = _speaker.get()
    warnings.warn(f"{speaker}: {message}" if speaker else message, Note, stacklevel=3)


@contextmanager
def notes_of(name: str) -> Iterator[None]:
    """Say in each note inside the block whom it is from, where several learners are at work."""
    token = _speaker.set(name)
    try:
        yield
    finally:
        _speaker.reset(token)
