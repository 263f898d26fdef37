"""Events as tables, in text and HTML; nested contents of a cell become a list or a table inside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any

WIDEST = 60
"""Maximum length of a line in a cell."""
MOST_LINES = 24
"""Maximum length of a list in a cell."""


class Written(tuple[Any, ...]):
    """Values with their own notation, such as a hypothesis printed as ⟨Sunny, ?⟩; otherwise a plain tuple.

    Examples
    --------
    >>> hypothesis = Written(("Sunny", "?"), "⟨Sunny, ?⟩")
    >>> hypothesis[0], str(hypothesis), hypothesis == ("Sunny", "?")
    ('Sunny', '⟨Sunny, ?⟩', True)
    """

    text: str

    def __new__(cls, values: Iterable[Any], text: str) -> Written:
        """Return the values with their text."""
        made = super().__new__(cls, values)
        made.text = text
        return made

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def text_of(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return events with the same fields as a table of text.

    Examples
    --------
    >>> print(text_of("step", [{"node": 0, "gains": {"Outlook": 0.24675, "Wind": 0.04813}}]))
    step
      node  gains
      0     Outlook  0.2467
            Wind     0.04813
    """
    names = [*rows[0]]
    blocks = [[[name] for name in names], *([_lines(row[name]) for name in names] for row in rows)]
    widths = [max(len(line) for block in blocks for line in block[k]) for k in range(len(names))]
    out = [title]
    for block in blocks:
        for number in range(max(len(lines) for lines in block)):
            cells = [lines[number] if number < len(lines) else "" for lines in block]
            out.append("  " + "  ".join(map(str.ljust, cells, widths)))
    return "\n".join(line.rstrip() for line in out)


def html_of(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return events with the same fields as a table of HTML.

    Examples
    --------
    >>> html_of("step", [{"gain": 0.25}]).startswith("<table><caption>step</caption>")
    True
    """
    names = [*rows[0]]
    body = [[_inner_html(row[name]) for name in names] for row in rows]
    return _html_table(names, body, f"<caption>{escape(title)}</caption>")


def short(value: Any) -> str:
    """Return a value on one line, with few digits.

    Examples
    --------
    >>> short((0.123456, True, None)), short({"gain": 0.25})
    ('[0.1235, True, -]', 'gain 0.25')
    """
    if value is None or (isinstance(value, Mapping | list | tuple) and not value):
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str | Written):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{short(name)} {short(each)}" for name, each in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return "[" + ", ".join(map(short, value)) + "]"
    item = getattr(value, "tolist", None)
    if item is not None:
        return short(item())
    record = _record(value)
    return str(value) if record is value else short(record)


def _record(value: Any) -> Any:
    """Return a value without a notation of its own as its fields."""
    if is_dataclass(value) and not isinstance(value, type) and type(value).__str__ is object.__str__:
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return value


def _table(value: Any) -> tuple[list[str], list[list[Any]]] | None:
    """Return the header and the rows of a cell's contents if they are a table.

    A table without header has an empty one.
    """
    if isinstance(value, Written):
        return None
    value = _record(value)
    if isinstance(value, Mapping) and value:
        if _records(list(value.values())):
            head = [*next(iter(value.values()))]
            return ["", *head], [[name, *each.values()] for name, each in value.items()]
        return [], [[name, each] for name, each in value.items()]
    if isinstance(value, list | tuple) and value and _records(value):
        return [*value[0]], [[*each.values()] for each in value]
    if isinstance(value, list | tuple) and any(isinstance(each, str | list | tuple) for each in value):
        return [], [[each] for each in value]
    return None


def _records(values: Sequence[Any]) -> bool:
    """Return whether values are mappings with the same keys."""
    return all(isinstance(each, Mapping) and [*each] == [*values[0]] for each in values)


def _lines(value: Any) -> list[str]:
    """Return the lines of a cell."""
    table = _table(value)
    if table is None:
        return [_cut(short(value))]
    head, rows = table
    shown = [[_cut(short(cell)) for cell in row] for row in rows[:MOST_LINES]]
    cells = [head, *shown] if head else shown
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    more = [f"… {len(rows) - MOST_LINES} more"] if len(rows) > MOST_LINES else []
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells] + more


def _inner_html(value: Any) -> str:
    table = _table(value)
    if table is None:
        return escape(short(value))
    head, rows = table
    if not head and len(rows[0]) == 1:
        shown = "<br>".join(escape(short(row[0])) for row in rows[:MOST_LINES])
    else:
        shown = _html_table(head, [[escape(short(cell)) for cell in row] for row in rows[:MOST_LINES]])
    return shown + (f"<br>… {len(rows) - MOST_LINES} more" if len(rows) > MOST_LINES else "")


def _html_table(head: Sequence[str], body: Sequence[Sequence[str]], caption: str = "") -> str:
    style = " style='text-align:left;vertical-align:top'"
    top = "".join(f"<th{style}>{escape(name)}</th>" for name in head)
    rows = "".join("<tr>" + "".join(f"<td{style}>{cell}</td>" for cell in row) + "</tr>" for row in body)
    return f"<table>{caption}{f'<thead><tr>{top}</tr></thead>' if head else ''}<tbody>{rows}</tbody></table>"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
