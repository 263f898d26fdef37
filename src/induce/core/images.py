"""Figures as bytes of an image."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def image(figure: Figure, kind: str) -> bytes:
    """Return a figure as an image, such as ``"svg"``; the same figure gives the same bytes."""
    import matplotlib

    buffer = io.BytesIO()
    dateless: dict[str, None] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib.rc_context({"svg.hashsalt": "induce"}):
        figure.savefig(buffer, format=kind, bbox_inches="tight", metadata=dateless)
    return buffer.getvalue()
