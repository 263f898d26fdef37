"""The gallery: every picture of the pages with the code that draws it.

The code is that of the pages, where the tests run it; the pictures are those that the pages show. So nothing runs
when the site is built, and there is no second copy of an example that could grow old.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PART = re.compile(
    r"^(?P<level>#{1,4}) (?P<heading>[^\n]+)$"
    r"|^```(?P<language>\w*)\n(?P<code>.*?)^```$"
    r"|^!\[(?P<caption>[^\]]*)\]\((?P<image>[^)]+)\)",
    re.MULTILINE | re.DOTALL,
)
DRAWS = re.compile(r"savefig|\.draw|draw_|--draw|--out \S+\.(svg|png)|plot")


@dataclass(frozen=True)
class Picture:
    """A picture of a page: its file beside the page, what it shows, and the code that draws it."""

    page: str
    heading: str
    image: str
    caption: str
    language: str
    code: str


def title_of(text: str) -> str:
    return next(line[2:] for line in text.splitlines() if line.startswith("# "))


def pictures(page: str, text: str) -> Iterator[Picture]:
    """Yield the pictures of a page, each with the last code before it that draws in the same part of the page.

    Examples
    --------
    >>> text = '# Trees\\n```python\\ntree.draw().savefig("t.svg")\\n```\\n![A tree](images/t.svg)\\n'
    >>> [(each.caption, each.code) for each in pictures("trees", text)]
    [('A tree', 'tree.draw().savefig("t.svg")\\n')]
    """
    heading, drawn = "", ("", "")
    for part in PART.finditer(text):
        if part["heading"]:
            heading = part["heading"]
            if len(part["level"]) <= 2:
                drawn = "", ""
        elif part["code"] is not None:
            if part["language"] in ("python", "console") and DRAWS.search(part["code"]):
                drawn = part["language"], part["code"]
        else:
            yield Picture(page, heading, part["image"], part["caption"], *drawn)


def card(picture: Picture) -> str:
    lines = [
        "::::{grid-item-card}",
        f":img-top: ../{picture.image}",
        f":img-alt: {picture.caption}",
        "",
        f"{picture.caption}. [{picture.heading}](../{picture.page}.md)",
        "",
    ]
    if picture.code:
        lines += [":::{dropdown} Code", f"```{picture.language}", picture.code.rstrip("\n"), "```", ":::"]
    return "\n".join([*lines, "::::", ""])


def gallery(folder: Path) -> str:
    """Return the page of all pictures, by the pages that show them."""
    lines = [
        "# Gallery",
        "",
        "Every picture of these pages, with the code that draws it. The page says what came before that code.",
        "",
    ]
    for file in sorted(folder.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        shown = list(pictures(file.stem, text))
        if shown:
            lines += [f"## {title_of(text)}", "", ":::::{grid} 1 2 2 3", ":gutter: 3", ""]
            lines += [*map(card, shown), ":::::", ""]
    return "\n".join(lines)


def write_gallery(app: Any) -> None:
    file = Path(app.srcdir) / "gallery" / "index.md"
    file.parent.mkdir(exist_ok=True)
    text = gallery(Path(app.srcdir))
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    app.connect("builder-inited", write_gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
