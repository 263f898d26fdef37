"""JSON and TOML from users: each defect is one sentence, and no document takes long."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

from induce.core.errors import InputError

MOST_DIGITS = 4_000
MOST_LEVELS = 200
MOST_TOML = 1_000_000
MOST_PARTS = 100
"""Maximum number of dots in a key of TOML, whose parser takes time quadratic in them."""
PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
DOTTED = re.compile(rf"(?:^|[{{,\[])\s*{PART}(?:\s*\.\s*{PART}){{{MOST_PARTS},}}")
SURROGATE = re.compile("[\ud800-\udfff]")


class DocumentError(InputError):
    """The document is not JSON or TOML; the message completes "it is wrong: …"."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"{reason} in line {line:,}")
        self.reason, self.line = reason, line


def json_of(
    text: str | bytes,
    whole: Callable[[str], Any] | None = None,
    fraction: Callable[[str], Any] | None = None,
) -> Any:
    """Parse JSON; keys that occur twice, lone surrogates and endless numbers raise a `DocumentError`.

    `whole` and `fraction` read the digits of numbers; by default they become integers and floats.

    Examples
    --------
    >>> json_of('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> json_of('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    induce.core.documents.DocumentError: the key 'a' occurs twice; keep one
    """
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_int=whole or _integer, parse_float=fraction)
    except json.JSONDecodeError as problem:
        raise DocumentError(problem.msg, problem.lineno) from None
    except UnicodeDecodeError as problem:
        raise DocumentError(f"byte {problem.start + 1:,} is not UTF-8") from None
    except RecursionError:
        raise _too_deep() from None
    _check(found)
    return found


def toml_of(text: str) -> dict[str, Any]:
    """Parse TOML; a document that would take long raises a `DocumentError`.

    Examples
    --------
    >>> toml_of("a.b = 1")
    {'a': {'b': 1}}
    >>> toml_of(".".join("a" * 50_000) + " = 1")
    Traceback (most recent call last):
    induce.core.documents.DocumentError: a key has more than 100 parts; write a shorter one in line 1
    """
    if len(text) > MOST_TOML:
        raise DocumentError(f"it has more than {MOST_TOML:,} characters; shorten it")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") >= MOST_PARTS and DOTTED.search(line):
            raise DocumentError(f"a key has more than {MOST_PARTS} parts; write a shorter one", number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        said = str(problem)
        raise DocumentError(said[:1].lower() + said[1:]) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # of Python's limit for the digits of a number
        raise _too_long() from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise DocumentError(f"the key {name!r} occurs twice; keep one")
            seen.add(name)
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _too_long()
    return int(digits)


def _check(found: Any) -> None:
    """Raise a `DocumentError` for half a character or too many levels."""
    level = [found]
    for _ in range(MOST_LEVELS):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below += each.keys()
                below += each.values()
            elif isinstance(each, list):
                below += each
            elif isinstance(each, str) and not each.isascii() and SURROGATE.search(each):
                raise DocumentError(
                    f"{ascii(each)[:40]} holds half a character (a lone surrogate); correct it"
                )
        if not below:
            return
        level = below
    raise _too_deep()


def _too_deep() -> DocumentError:
    return DocumentError(f"it is nested too deeply, in more than {MOST_LEVELS} levels")


def _too_long() -> DocumentError:
    return DocumentError(f"a number has more than {MOST_DIGITS:,} digits; write it as text")
