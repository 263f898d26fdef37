"""Figures as image bytes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any


def picture(drawn: Any, kind: str, name: str | None = None) -> bytes:
    """Draw a hypothesis or a result and return the image, described by its text.

    Parameters
    ----------
    drawn : hypothesis or result
    kind : {"svg", "png", "pdf"}
    name : str, optional
        One of several pictures of a hypothesis, such as ``"errors"`` of a neural network.
    """
    from induce.core.images import image

    if name is not None:
        written = drawn.written(kind, picture=name)
        return written if isinstance(written, bytes) else bytes(written, "utf-8")
    return image(drawn.draw(), kind, type(drawn).__name__, str(drawn))


def check_picture(name: str | None, draw: str | None) -> None:
    """Raise an `InputError` if a picture is named but not requested."""
    from induce.core.errors import InputError

    if name is not None and draw is None:
        raise InputError(f"--picture is {name!r}, but there is no file to draw it in; give one with --draw")


def check_extension(path: str, known: Sequence[str]) -> str:
    """Return the extension of a path without its point; raise an error if it is unknown.

    Examples
    --------
    >>> check_extension("tree.SVG", ("svg", "png"))
    'svg'
    """
    from induce.core.errors import InputError

    extension = os.path.splitext(path)[1].lower().removeprefix(".")
    if extension not in known:
        wanted = " or ".join(f".{each}" for each in known)
        raise InputError(f"the name {path!r} does not determine the format; end it in {wanted}")
    return extension
