"""The syntax of rules IF … THEN … that theories of rows and rules over columns share."""

from __future__ import annotations

import re

from induce.core.errors import InputError

QUOTED = r'"(?:[^"\\]|\\.)*"|\'[^\']*\''
BETWEEN = re.compile(
    rf"{QUOTED}|\s+(?P<no>NOT\s+)?BETWEEN\s+(?P<low>[^\s()]+)\s+AND\s+(?P<high>[^\s()]+)", re.I
)
RANGE = re.compile(r"^(?P<name>.+?)\s+BETWEEN\s+(?P<low>[^\s]+?)\.\.(?P<high>[^\s]+)$", re.I)
NOT_RANGE = re.compile(r"^(?P<name>.+?)\s+NOT\s+(?P<rest>BETWEEN\s+.+)$", re.I)


def split(text: str, separator: str) -> list[str]:
    """Split a text at a separator, a pattern, outside quotes and brackets.

    Examples
    --------
    >>> split("a, b IN {c, d}; e", "[,;]"), split('a AND "b AND c"', r"\\bAND\\b")
    (['a', 'b IN {c, d}', 'e'], ['a', '"b AND c"'])
    """
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"{QUOTED}|[({{]|[)}}]|(?P<separator>{separator})", text, re.I):
        if match[0] in "({":
            depth += 1
        elif match[0] in ")}":
            depth -= 1
        elif match["separator"] is not None and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def alternatives(premise: str) -> list[list[str]]:
    """Split a premise at OR, and each alternative at AND, which binds more tightly.

    Examples
    --------
    >>> alternatives("a AND age BETWEEN 3 AND 5 OR NOT b")
    [['a', 'age BETWEEN 3..5'], ['NOT b']]
    """
    text = BETWEEN.sub(
        lambda found: (
            found[0]
            if found["low"] is None
            else f" {found['no'] or ''}BETWEEN {found['low']}..{found['high']}"
        ),
        premise,
    )
    ways = [split(way, r"\bAND\b") for way in split(text, r"\bOR\b")]
    for part in (part for way in ways for part in way):
        if re.match(r"(?:NOT\s*)?\(", part, re.I):
            raise InputError(
                f"{part!r} groups conditions by brackets; define a concept for them by a rule of its own"
            )
    return [[_negation_first(part) for part in way] for way in ways]


def _negation_first(part: str) -> str:
    match = NOT_RANGE.match(part)
    return part if match is None else f"NOT {match['name']} {match['rest']}"
