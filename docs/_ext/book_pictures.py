"""Figures of the books: drawn when the site is built, beside the pages of the chapters that show them."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def draw_pictures(app: Any) -> None:
    from induce.core.images import image
    from induce.textbook.contents import entries
    from induce.textbook.pictures import PICTURES

    for entry in entries():
        if entry.id in PICTURES:
            drawn = image(PICTURES[entry.id](), "svg", entry.source, entry.claim)
            file = Path(app.srcdir) / "books" / f"{entry.id}.svg"
            if not file.exists() or file.read_bytes() != drawn:
                file.write_bytes(drawn)


def setup(app: Any) -> dict[str, Any]:
    app.connect("builder-inited", draw_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
