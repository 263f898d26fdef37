"""Tokeniser of Prolog text: names, variables, numbers, quoted text and brackets."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.core.reports import shortened

Token = tuple[str, str | int | float, int]
"""Token: its kind, its value, and its start position.

The kinds are name, quoted (a name in quotes), variable, number, text, the brackets, the comma and the bar
themselves, call (an opening bracket without preceding space), end (the full stop), eof, and fault (whose
value is the error description).
"""

SYMBOLS = r"[-+*/\\^<>=~:.?@#&$]"
LAYOUT = r"(?:\s++|%[^\n]*+|/\*(?s:.*?)\*/)"
HEX = "[0-9a-fA-F]"
ESCAPE = rf"\\(?:x{HEX}++\\?|[0-7]++\\?|u{HEX}{{4}}|U{HEX}{{8}}|\r\n|(?s:.))"
DIGITS = "[0-9]++(?:_[0-9]++)*+"
NUMBER = rf"{DIGITS}(?:\.[0-9]++(?:[eE][-+]?[0-9]++)?|[eE][-+]?[0-9]++)?"
BASED = f"0(?:x{HEX}++|o[0-7]++|b[01]++)"
TEXT = rf'"(?:[^"\\\n]++|""|{ESCAPE})*+"'

# quantifiers are possessive wherever backtracking between two readings could make matching slow
TOKEN = re.compile(
    rf"""{LAYOUT}*+(?:
    (?P<end>\.(?=[\s%]|\Z))
    |(?P<unclosed>/\*)
    |(?P<name>[a-z]\w*+|{SYMBOLS}++|[!;])
    |(?P<variable>[A-Z_]\w*+)
    |(?P<empty>\[{LAYOUT}*+\]|\{{{LAYOUT}*+\}})
    |(?P<mark>[][(){{}},|])
    |(?P<code>0'(?:{ESCAPE}|''|[^'\\\n]))
    |(?P<based>{BASED})
    |(?P<number>{NUMBER})
    |(?P<quoted>'(?:[^'\\\n]++|''|{ESCAPE})*+')
    |(?P<text>{TEXT})
    |(?P<word>[^\W\d]\w*+)
    |(?P<eof>\Z)
    |(?P<stray>(?s:.)))""",
    re.VERBOSE,
)
ESCAPES = {quote: re.compile(f"{quote}{quote}|{ESCAPE}") for quote in ("'", '"')}
CODE = re.compile(rf"\\[xuU]({HEX}+)\\?|\\([0-7]+)\\?")
ESCAPED = {
    **{"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "s": " ", "t": "\t", "v": "\v"},
    **{sign: sign for sign in "\\'\"`"},
    **{"\n": "", "\r\n": ""},
}
STRAY = {
    "'": "this quoted name is not closed on its line; close it with ', or write \\n for a line break",
    '"': 'this string is not closed on its line; close it with ", or write \\n for a line break',
    "`": "text in back quotes is not supported; write it in single or double quotes",
    "\0": "there is a NUL character; the source is not a text, or it is damaged",
}


@dataclass(frozen=True)
class Source:
    """Text with the name of its source."""

    text: str
    name: str = ""

    def place(self, offset: int) -> str:
        """Return the line and column of a character, counted from 1."""
        line = self.text.count("\n", 0, offset) + 1
        return f"line {line}, column {offset - self.text.rfind(chr(10), 0, offset)}"

    def error(self, offset: int, message: str) -> InputError:
        """Return the error for a fault at a given position."""
        return InputError(f"{self.name + ', ' if self.name else ''}{self.place(offset)}: {message}")


def shown(written: str) -> str:
    """Return a piece of text for quotation in a message, on one line and of limited length.

    Examples
    --------
    >>> print(shown("father"), shown("a" * 50), shown("a\\nb"))
    father aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… 'a\\nb'
    """
    short = shortened(written, 41)
    return short if short.isprintable() else repr(short)


def tokens_of_clause(text: str, position: int) -> tuple[list[Token], int]:
    """Return the tokens up to a full stop, the end of the text or the first fault, and the start of the next clause.

    Examples
    --------
    >>> tokens, rest = tokens_of_clause("p(X). q.", 0)
    >>> [kind for kind, *_ in tokens], rest
    (['name', 'call', 'variable', ')', 'end'], 5)
    """
    tokens: list[Token] = []
    add = tokens.append
    for match in TOKEN.finditer(text, position):
        kind = match.lastgroup or ""
        value, start = match[kind], match.start(kind)
        if kind == "name" or kind == "variable":
            add((kind, value, start))
        elif kind == "mark":
            add(("call" if value == "(" and start == match.start() else value, value, start))
        elif kind == "end" or kind == "eof":
            add((kind, value, start))
            break
        else:
            try:
                add((*_valued(kind, value), start))
            except ValueError as problem:
                add(("fault", str(problem), start))
                break
    return tokens, match.end()


def _valued(kind: str, written: str) -> tuple[str, str | int | float]:
    if kind == "number":
        return kind, _number(written.replace("_", ""))
    if kind == "based":
        return "number", int(written, 0)
    if kind == "quoted" or kind == "text":
        return kind, unquoted(written)
    if kind == "empty":
        return "name", written[0] + written[-1]
    if kind == "word":
        return "variable" if is_capital(written[0]) else "name", written
    if kind == "code":
        character = _plain(written[2:], "'")
        if not character:
            raise ValueError("0' stands before a line break; write a character after it")
        return "number", ord(character)
    if kind == "unclosed":
        raise ValueError("this comment is never closed; close it with */")
    raise ValueError(
        STRAY.get(written)
        or (f"the character {written!r} is not allowed here; put a name that contains it in single quotes")
    )


def is_capital(letter: str) -> bool:
    """Return whether a word that begins with this letter is a variable."""
    return letter == "_" or letter.isupper() or letter.istitle()


def unquoted(written: str) -> str:
    """Return the text between quotes with its escapes resolved; a `ValueError` names an unknown escape."""
    return _plain(written[1:-1], written[0])


def _plain(inside: str, quote: str) -> str:
    return ESCAPES[quote].sub(_unescaped, inside) if "\\" in inside or quote in inside else inside


def _unescaped(match: re.Match[str]) -> str:
    escape = match.group()
    if escape[0] != "\\":
        return escape[0]
    if escape[1:] in ESCAPED:
        return ESCAPED[escape[1:]]
    digits = CODE.fullmatch(escape)
    if digits is None:
        raise ValueError(f"the escape {shown(escape)} is not known; write \\\\ for a backslash")
    code = int(digits[1], 16) if digits[1] else int(digits[2], 8)
    if code > sys.maxunicode:
        raise ValueError(f"the escape {shown(escape)} is not a character; the last one is \\x10FFFF\\")
    return chr(code)


def _number(written: str) -> int | float:
    if written.isdigit():
        return _whole(written)
    fraction = float(written)
    if math.isinf(fraction):
        raise ValueError("this number is too large; fractions reach up to about 1.8e308")
    return fraction


def _whole(digits: str) -> int:
    """Parse digits by combining adjacent pieces, since Python limits the number of digits it converts at a time."""
    size = 512
    if len(digits) <= size:
        return int(digits)
    first = len(digits) % size
    pieces = [int(digits[:first] or "0")]
    pieces += [int(digits[start : start + size]) for start in range(first, len(digits), size)]
    shift = 10**size
    while len(pieces) > 1:
        if len(pieces) % 2:
            pieces.insert(0, 0)
        pieces = [high * shift + low for high, low in zip(pieces[::2], pieces[1::2], strict=True)]
        shift *= shift
    return pieces[0]
