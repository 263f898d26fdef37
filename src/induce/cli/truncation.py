"""Long hypotheses in text: the first lines, and long lists of values shortened."""

from __future__ import annotations

import re

LINES_SHOWN = 60
VALUES_SHOWN = 8
LIST = re.compile(r"(?<=\{)[^{}\n]*(?=\})")
"""Values between braces, as in `colour in {red, green, blue}`."""


def shortened(lines: list[str], full: bool, more: str = "--full prints all") -> list[str]:
    """Return the first lines, with long sets of values truncated, and the number of further lines.

    Everything if `full`.

    Examples
    --------
    >>> shortened(["k in {a, b, c, d, e, f, g, h, i, j}: yes"], full=False)
    ['k in {a, b, c, d, e, f, g, h, … 2 more}: yes']
    >>> len(shortened(["line"] * 100, full=False)), shortened(["line"] * 100, full=False)[-1]
    (61, '… 40 more lines; --full prints all')
    """
    if full:
        return lines
    kept = [LIST.sub(_fewer, line) for line in lines[:LINES_SHOWN]]
    left = len(lines) - len(kept)
    return kept if not left else [*kept, f"… {left:,} more line{'' if left == 1 else 's'}; {more}"]


def _fewer(found: re.Match[str]) -> str:
    values = found.group().split(", ")
    if len(values) <= VALUES_SHOWN + 1:
        return found.group()
    return ", ".join([*values[:VALUES_SHOWN], f"… {len(values) - VALUES_SHOWN} more"])
