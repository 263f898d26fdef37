"""Write the pages of the chapters of the books, with every result and picture: `make book-pages`, some minutes."""

import sys
from pathlib import Path

from induce.core.images import image
from induce.textbook.page import chapter_page, chapters, index
from induce.textbook.pictures import PICTURES

FOLDER = Path(__file__).parent.parent / "docs" / "books"
asked = set(sys.argv[1:])  # names of pages such as mitchell-13; all by default
for name, chosen in chapters().items():
    if not asked or name in asked:
        outcomes = {entry.id: entry.load().run() for entry in chosen}
        (FOLDER / f"{name}.md").write_text(chapter_page(chosen, outcomes), encoding="utf-8")
    for entry in chosen:
        if entry.id in PICTURES:
            drawn = image(PICTURES[entry.id](), "svg", entry.source, entry.claim)
            (FOLDER / f"{entry.id}.svg").write_bytes(drawn)

listing = FOLDER.parent / "textbook.md"
head = listing.read_text(encoding="utf-8").partition("\n## ")[0]
listing.write_text(f"{head}\n{index()}", encoding="utf-8")
