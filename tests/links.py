"""Check the links between committed pages, with their anchors: `make lint`. Links to other sites are not followed."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import unquote

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^(`{3,}|:{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(
    r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s+(\S+)|(?:src|href)=\"([^\"]+)\"",
    re.MULTILINE,
)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
TARGET = re.compile(r"^\(([\w.-]+)\)=$|<a (?:id|name)=\"([^\"]+)\"", re.MULTILINE)


def tracked() -> set[str]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout
    return set(names.split("\0")) - {""}


@cache
def anchors(page: str) -> set[str]:
    """Return the anchors of a page as GitHub and MyST make them; a repeated heading gets a number."""
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    found = {name for match in TARGET.finditer(text) for name in match.groups() if name}
    for heading in HEADING.findall(text):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        while slug in found:
            stem, _, number = slug.rpartition("-")
            slug = f"{stem}-{int(number) + 1}" if number.isdecimal() and stem else f"{slug}-1"
        found.add(slug)
    return found


def broken(page: str, files: set[str]) -> list[str]:
    """Return the links of a page that lead to no committed file, or to no heading of it."""
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    folders = {str(parent) for file in files for parent in PurePosixPath(file).parents}
    wrong = []
    for link in (next(filter(None, match.groups())) for match in LINK.finditer(text)):
        path, _, anchor = unquote(link).partition("#")
        if re.match(r"[a-z][a-z+.-]*:", path):
            continue
        target = normpath(str(PurePosixPath(page).parent / path)) if path else page
        if target not in files | folders:
            wrong.append(f"{page}: {link} leads to no committed file")
        elif anchor and target.endswith(".md") and anchor not in anchors(target):
            wrong.append(f"{page}: {link} leads to no heading of {target}")
    return wrong


if __name__ == "__main__":
    files = tracked()
    wrong = [line for page in sorted(files) if page.endswith(".md") for line in broken(page, files)]
    sys.exit("\n".join(wrong) or 0)
