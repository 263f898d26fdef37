"""Marks at the end of rules: a trust from 0 to 1, or ``[law]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from induce.core.errors import InputError

RULE = re.compile(r"\s*(?:LAW\b:?\s*)?IF\b", re.I)
COMMENT = ("%", "#")
MARK = re.compile(r"\s*%?\s*\[\s*(?P<mark>law|[-+.\w]*\d[-+.\w]*)\s*\]\s*\.?\s*$", re.I)
LAW = "law"
TRUST = "trusted as"
"""Literal that carries the trust of a Prolog clause to the reader; theories must not use this predicate."""


def is_prolog(text: str) -> bool:
    """Return whether a theory is written in Prolog.

    Examples
    --------
    >>> is_prolog("cup :- light."), is_prolog("# rules\\nIF light THEN cup")
    (True, False)
    """
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(COMMENT))
    return not RULE.match(next(lines, ""))


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Split a theory into rules, each as text without its mark, and the mark; comments are removed.

    Examples
    --------
    >>> list(pieces("IF a THEN b [0.8]\\nIF c\\nTHEN d [law]\\n"))
    [('IF a THEN b', '0.8'), ('IF c\\nTHEN d', 'law')]
    >>> list(pieces("b :- a. % [0.8]\\nd :- c."))
    [('b :- a.', '0.8'), ('d :- c.', '')]
    """
    prolog, gathered = is_prolog(text), list[str]()
    for line in text.splitlines():
        comment = line.lstrip().startswith(COMMENT)
        if gathered and not prolog and (comment or RULE.match(line)):
            yield unmarked("\n".join(gathered))
            gathered = []
        if comment and not gathered:
            yield line, ""
        elif line.strip():
            gathered.append(line)
            if prolog and MARK.sub("", line).split("%")[0].rstrip().endswith("."):
                yield unmarked("\n".join(gathered))
                gathered = []
    if gathered:
        yield unmarked("\n".join(gathered))


def unmarked(rule: str) -> tuple[str, str]:
    """Return a rule without its mark, and the mark in lower case; empty if it has none."""
    found = MARK.search(rule)
    return (rule, "") if found is None else (rule[: found.start()], found["mark"].lower())


def trust_of(mark: object, rule: str) -> float:
    """Return the trust of a mark; 1 if there is none."""
    if mark == "":
        return 1.0
    try:
        trust = float(str(mark))
    except ValueError:
        trust = -1.0
    if not 0.0 <= trust <= 1.0:
        raise InputError(
            f"the rule {' '.join(rule.split())!r} is marked [{mark}]; mark a rule with a trust from 0 to 1, or [law]"
        )
    return trust


def marked(rule: str, trust: float) -> str:
    """Return a rule with its trust as a mark, which is omitted if the trust is 1.

    Examples
    --------
    >>> marked("IF a THEN b", 0.8), marked("b :- a.", 0.8), marked("b.", 1.0)
    ('IF a THEN b [0.8]', 'b :- a. % [0.8]', 'b.')
    """
    if trust == 1.0:
        return rule
    return f"{rule} {'% ' if is_prolog(rule) else ''}[{trust:g}]"


def with_trust_as_literal(text: str) -> str:
    """Return a Prolog theory with marks as literals, which the Prolog reader keeps with the clause."""
    lines = []
    for piece, mark in pieces(text):
        if not mark or mark == LAW:
            lines.append(piece)
            continue
        trust = trust_of(mark, piece)
        clause = re.sub(r"%[^\n]*$", "", piece).rstrip().removesuffix(".")
        last = re.split(r"\.\s", clause)[-1]
        lines.append(f"{clause}{',' if ':-' in last else ' :-'} '{TRUST}'({trust!r}).")
    return "\n".join(lines)
