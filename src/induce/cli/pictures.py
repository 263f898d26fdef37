"""Figures as bytes of an image."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any


def picture(drawn: Any, kind: str) -> bytes:
    """Draw a hypothesis or a result and return the image, described by what it prints."""
    from induce.core.images import image

    return image(drawn.draw(), kind, type(drawn).__name__, str(drawn))


def check_extension(path: str, known: Sequence[str]) -> str:
    """Return the extension of a path, without its point, if it is a known one.

    Examples
    --------
    >>> check_extension("tree.SVG", ("svg", "png"))
    'svg'
    """
    from induce.core.errors import InputError

    extension = os.path.splitext(path)[1].lower().removeprefix(".")
    if extension not in known:
        wanted = " or ".join(f".{each}" for each in known)
        raise InputError(f"the name {path!r} does not say the format; end it in {wanted}")
    return extension
