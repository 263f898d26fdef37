"""Truncated texts, and small tables as text or for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape


def shortened(text: str, letters: int) -> str:
    """Return a text truncated to a number of characters, with a final mark if it was shortened.

    Examples
    --------
    >>> shortened("petal length", 12), shortened("petal length", 6)
    ('petal length', 'petal…')
    """
    return text if len(text) <= letters else text[: letters - 1] + "…"


def text_table(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return rows of cells as lines of text: numbers right-aligned, the named columns left-aligned.

    Examples
    --------
    >>> print(text_table([("rows", "error"), ("10", "0.25"), ("1000", "0.1")]))
    rows  error
    10     0.25
    1000    0.1
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells for a notebook.

    Examples
    --------
    >>> html_table([("a", "<b")])
    '<table><tr><td>a</td><td>&lt;b</td></tr></table>'
    """
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{body}</table>"
