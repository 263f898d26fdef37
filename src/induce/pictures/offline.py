"""Elements as pages: one file with data, script and style, which works offline and in notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

ELEMENTS = Path(__file__).parent / "elements"
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark;background:light-dark(#fff,#16191c);color:light-dark(#1c1f22,#e8eaec)}"
)
REFERENCE = "§"
SHORT = 48
"""Number of characters below which a repeated part is written each time."""
EXPAND = (
    "function expand({ data, parts }) { const full = (v) => Array.isArray(v) ? v.map(full) : "
    "v && typeof v === 'object' "
    f"? ('{REFERENCE}' in v ? full(parts[v['{REFERENCE}']]) "
    ": Object.fromEntries(Object.entries(v).map(([k, e]) => [k, full(e)]))) : v; return full(data); }"
)


@lru_cache(1)
def _modules() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return, for each element, the file that defines it and the elements that this file creates."""
    found = {}
    for path in sorted(ELEMENTS.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        made = tuple(re.findall(r'createElement\("induce-([a-z]+)"\)', text))
        for name in re.findall(r'customElements\.define\("induce-([a-z]+)"', text):
            found[name] = path.name, made
    return found


def script(names: Iterable[str]) -> str:
    """Return the elements of these names, and those that they use, as one script without imports.

    Examples
    --------
    >>> "induce-bars" in script(["policy"]), "induce-tree" in script(["policy"])
    (True, False)
    """
    known = _modules()
    waiting = [*names]
    files: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name in known and known[name][0] not in files:
            files[known[name][0]] = None
            waiting += known[name][1]
    lines = _lines("base.js")
    for name in sorted(files):  # one block each, since their constants have the same names
        lines += ["{", *_lines(name), "}"]
    return "\n".join(lines)


def _lines(name: str) -> list[str]:
    text = (ELEMENTS / name).read_text(encoding="utf-8")
    return [line.removeprefix("export ") for line in text.splitlines() if not line.startswith("import ")]


def page(title: str, element: str, data: dict[str, Any], uses: Iterable[str] = ()) -> str:
    """Return a page that shows one element.

    Parameters
    ----------
    title : str
    element : str
        Name without ``induce-``, such as ``"tree"``: the ``view`` of `to_view`.
    data : dict
        Data of the element.
    uses : iterable of str
        Additional elements that the data refer to.

    Examples
    --------
    >>> import induce
    >>> view = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_.to_view()
    >>> "https://" in page("A tree", view["view"], view)
    False
    """
    told = json.dumps(compact(data), ensure_ascii=False).replace("<", "\\u003c")
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f"<main><h1>{escape(title)}</h1><induce-{element}></induce-{element}></main>\n"
        f"<script type=application/json id=data>{told}</script>\n"
        f"<script type=module>\n{script([element, *uses])}\n{EXPAND}\n"
        f"document.querySelector('induce-{element}').data = "
        "expand(JSON.parse(document.getElementById('data').textContent));\n</script></html>\n"
    )


def compact(data: Any) -> dict[str, Any]:
    """Return plain data with repeated parts written once, and numbers rounded to six digits.

    The frames of a lesson repeat most of their content; a page that a teacher sends should be small.

    Examples
    --------
    >>> points = [[1.0, 2.0]] * 12
    >>> found = compact([{"at": 0, "points": points}, {"at": 1, "points": points}])
    >>> found["data"]
    [{'at': 0, 'points': {'§': 0}}, {'at': 1, 'points': {'§': 0}}]
    """
    counts: dict[str, int] = {}

    def count(value: Any) -> None:
        if not isinstance(value, dict | list):
            return
        text = json.dumps(value)
        if len(text) >= SHORT:
            counts[text] = counts.get(text, 0) + 1
            if counts[text] > 1:
                return  # a repeated part is written once, so its nested parts are counted only once
        for each in value.values() if isinstance(value, dict) else value:
            count(each)

    parts: list[Any] = []
    places: dict[str, int] = {}

    def written(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.6g}") if isfinite(value) else None
        if not isinstance(value, dict | list):
            return value
        text = json.dumps(value)
        if counts.get(text, 0) > 1:
            if text not in places:
                places[text] = len(parts)
                parts.append(None)
                parts[places[text]] = inside(value)
            return {REFERENCE: places[text]}
        return inside(value)

    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: written(each) for name, each in value.items()}
        return [written(each) for each in value]

    count(data)
    return {"data": written(data), "parts": parts}


def framed(page: str, height: int = 600) -> str:
    """Return a page inside a frame, for a notebook or another page."""
    return (
        f'<iframe title="picture" srcdoc="{escape(page)}" width="100%" height="{height}" '
        'style="border: 0"></iframe>'
    )
