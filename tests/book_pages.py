"""Write the pages of the chapters of the books, with what every result gets: `make book-pages`, some minutes."""

from pathlib import Path

from induce.core.images import image
from induce.textbook.page import chapter_page, chapters
from induce.textbook.pictures import PICTURES

FOLDER = Path(__file__).parent.parent / "docs" / "books"
FOLDER.mkdir(exist_ok=True)
for name, chosen in chapters().items():
    outcomes = {entry.id: entry.load().run() for entry in chosen}
    (FOLDER / f"{name}.md").write_text(chapter_page(chosen, outcomes), encoding="utf-8")
    for entry in chosen:
        if entry.id in PICTURES:
            drawn = image(PICTURES[entry.id](), "svg", entry.source, entry.claim)
            (FOLDER / f"{entry.id}.svg").write_bytes(drawn)
