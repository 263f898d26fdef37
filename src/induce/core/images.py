"""Figures as image bytes; every SVG has a text alternative."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING

from induce.core.reports import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LETTERS = 4_000
"""Maximum length of a description: screen-reader users need the message of a picture, not all of a large
hypothesis.
"""
UNPRINTABLE = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def image(figure: Figure, kind: str, title: str, description: str = "") -> bytes:
    """Return a figure as svg, png or pdf; the same figure gives the same bytes.

    Parameters
    ----------
    figure : Figure
    kind : {"svg", "png", "pdf"}
    title : str
        Title of the picture, for users of screen readers.
    description : str
        Description of its contents.
    """
    import matplotlib

    buffer = io.BytesIO()
    dateless: dict[str, None] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib.rc_context({"svg.hashsalt": "induce"}):
        figure.savefig(buffer, format=kind, bbox_inches="tight", metadata=dateless)
    if kind != "svg":
        return buffer.getvalue()
    return described(buffer.getvalue().decode(), title, description).encode()


def described(svg: str, title: str, description: str = "") -> str:
    """Return an SVG with a text alternative: a title and a description.

    Examples
    --------
    >>> described("<svg><path/></svg>", "A tree", "Outlook = Sunny & Wind = Weak: Yes")
    '<svg role="img"><title>A tree</title><desc>Outlook = Sunny &amp; Wind = Weak: Yes</desc><path/></svg>'
    """
    title, description = (
        escape(UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)
        for text in (title, shortened(description, MOST_LETTERS))
    )
    words = f"<title>{title}</title>" + (f"<desc>{description}</desc>" if description else "")
    return re.sub(r"<svg\b([^>]*)>", lambda found: f'<svg role="img"{found[1]}>{words}', svg, count=1)
