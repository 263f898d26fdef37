"""Elements of a self-contained HTML page: escaped text, embedded style and inline SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from induce.core.images import described

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = """
:root { color-scheme: light dark; --ink: #1d2125; --paper: #fff; --soft: #5a636b; --line: #d8dde2; --tint: #f3f5f7;
  --best: #e3f1e6; --link: #0b5c94; --worse: #a3330a }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6e9; --paper: #16191c; --soft: #a2abb3; --line: #3a4147;
  --tint: #20252a; --best: #1d3a26; --link: #7cc0f4; --worse: #ff9d70 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 1.25rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere }
h1 { font-size: 1.65rem; line-height: 1.25; margin: .25rem 0 .5rem }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
p { margin: .5rem 0; max-width: 46rem }
a { color: var(--link) }
nav { margin: 1rem 0 } nav a { display: inline-block; padding: .2rem 0; margin-right: 1.1rem }
small, .soft, .caption { color: var(--soft) }
.scroll { overflow-x: auto; margin: .75rem 0; border: 1px solid var(--line); border-radius: .4rem }
.scroll:focus-visible { outline: 2px solid var(--link) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; overflow-wrap: normal }
.caption { font-size: .875rem; margin: 1rem 0 -.5rem } figcaption { font-weight: 600 }
th, td { padding: .4rem .75rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line);
  white-space: nowrap }
tr:first-child > * { border-top: 0 } tbody tr:first-child > * { border-top: 1px solid var(--line) }
th { font-weight: 600 } thead th { background: var(--tint) }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper); min-width: 7rem;
  max-width: 14rem; white-space: normal; overflow-wrap: break-word; border-right: 1px solid var(--line) }
thead th:first-child { background: var(--tint) }
td.text { text-align: left; white-space: normal; min-width: 11rem }
td small, th small { display: block; font-size: .8rem; font-weight: 400 }
td.best { background: var(--best); font-weight: 700 } td.best small { font-weight: 400 }
.worse { color: var(--worse) }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)) }
.grid > * { min-width: 0 }
figure { margin: .75rem 0 } figure svg { display: block; width: 100%; height: auto }
figure:not([style]) svg text { fill: currentColor }
.scroll figure { max-width: 42rem; min-width: 30rem; padding: 0 .75rem }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; align-self: start }
summary { cursor: pointer; padding: .5rem .75rem; font-weight: 600 } summary small { font-weight: 400 }
.inside { padding: 0 .75rem }
pre { margin: 0; padding: .5rem .75rem; overflow: auto; max-height: 28rem; background: var(--tint); font-size: .8rem;
  line-height: 1.45; overflow-wrap: normal }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .2rem 1rem; margin: .75rem 0 }
dt { color: var(--soft) } dd { margin: 0; min-width: 0 }
@media print { body { max-width: none } details > pre { max-height: none } }
"""


class Html(str):
    """Text that is already HTML; all other text is escaped."""


def html(text: str) -> Html:
    """Return text as escaped HTML.

    Examples
    --------
    >>> html("a < b"), html(Html("<b>a</b>"))
    ('a &lt; b', '<b>a</b>')
    """
    return text if isinstance(text, Html) else Html(escape(text))


def element(tag: str, *inside: str, **attributes: str) -> Html:
    """Return an element; an attribute's name may end in an underscore.

    Examples
    --------
    >>> element("p", "a & b", class_="soft")
    '<p class="soft">a &amp; b</p>'
    """
    said = "".join(
        f' {name.strip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items()
    )
    return Html(f"<{tag}{said}>{''.join(map(html, inside))}</{tag}>")


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Return a table in a scrollable box; the first cell of each row is its heading.

    A cell that is already an element, such as a ``<td>``, is kept unchanged.
    """
    head = element("tr", *(element("th", cell, scope="col") for cell in header))
    body = [
        element(
            "tr",
            element("th", first, scope="row"),
            *(
                cell if cell.startswith("<td") and isinstance(cell, Html) else element("td", cell)
                for cell in rest
            ),
        )
        for first, *rest in rows
    ]
    return boxed(element("table", element("thead", head), element("tbody", *body)), caption)


def boxed(inside: Html, caption: str) -> Html:
    """Return wide content in a scrollable box; the caption does not scroll."""
    box = element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)
    return Html(element("p", caption, class_="caption") + box)


def picture(figure: Figure, says: str, caption: str) -> Html:
    """Return a figure as inline SVG, with `says` as its text alternative.

    Text remains selectable, and black becomes the text colour of the page.
    """
    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": says, "font.family": "sans-serif"}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, transparent=True, bbox_inches="tight")
    drawn = stream.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font: \1 system-ui, sans-serif", drawn)
    drawn = re.sub(r"#(?:000000|222222)\b", "currentColor", drawn)
    drawn = described(drawn, says)
    drawn = re.sub(r"\n\s*", "\n", drawn)
    return element("figure", *([element("figcaption", caption)] if caption else []), Html(drawn))


def page(title: str, sections: Sequence[tuple[str, str, Html]], lead: Html) -> str:
    """Return a complete page: a heading, an introduction, and sections by id, heading and content."""
    links = element(
        "nav", *(element("a", name, href=f"#{id}") for id, name, _ in sections), aria_label="Sections"
    )
    parts = (element("section", element("h2", name), inside, id=id) for id, name, inside in sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n{element('h1', title)}{lead}{links}\n{''.join(parts)}\n</main>\n</body>\n</html>\n"
    )
