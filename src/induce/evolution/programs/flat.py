"""Flat trees: codes in prefix order, processed without recursion, so that depth is unlimited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from induce.core.errors import InputError
from induce.core.reports import shortened

TOKEN = re.compile(r"\s*(?:(\()|(\))|\|((?:[^|\\]|\\.)*)\||([^\s()|]+))")
PLAIN = re.compile(r"[^\s()|\\]+")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|nan)")


class Vocabulary(Protocol):
    """Meaning of the codes of programs."""

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""

    def spelled(self, code: int, constant: float) -> str:
        """Return the S-expression word of a code."""

    def code(self, word: str, arity: int) -> int | None:
        """Return the code of a word with the given number of arguments, or None."""

    def constant(self, word: str) -> tuple[int, float] | None:
        """Return the code and the value of a constant word, or None if it is not a constant."""


def number_word(number: float) -> str:
    """Format a constant so that it round-trips.

    Examples
    --------
    >>> number_word(2.0), number_word(0.1)
    ('2', '0.1')
    """
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def quoted(word: str) -> str:
    """Quote a word so that it is read as one word and not as a number.

    Examples
    --------
    >>> print(quoted("x"), quoted("colour = red"), quoted("7"))
    x |colour = red| |7|
    """
    if PLAIN.fullmatch(word) and not NUMBER.fullmatch(word):
        return word
    return "|" + word.replace("\\", "\\\\").replace("|", "\\|") + "|"


def subtree_ends(codes: Sequence[int], arity: Callable[[int], int]) -> list[int]:
    """Return the end of each node's subtree."""
    ends = [0] * len(codes)
    for i in range(len(codes) - 1, -1, -1):
        after = i + 1
        for _ in range(arity(int(codes[i]))):
            after = ends[after]
        ends[i] = after
    return ends


def depth_of(codes: Sequence[int], arity: Callable[[int], int]) -> int:
    """Return the depth of a tree: 0 for a single node."""
    heights: list[int] = []
    for code in reversed(list(codes)):
        n = arity(int(code))
        height = max((heights.pop() for _ in range(n)), default=-1) + 1
        heights.append(height)
    return heights[-1]


def folded(codes: Sequence[int], arity: Callable[[int], int], part: Callable[[int, list[Any]], Any]) -> Any:
    """Evaluate a tree bottom-up: `part` computes a node's value from its index and its arguments' values."""
    held: list[Any] = []
    for i in range(len(codes) - 1, -1, -1):
        arguments = [held.pop() for _ in range(arity(int(codes[i])))]
        held.append(part(i, arguments))
    return held.pop()


def written(codes: Sequence[int], constants: Sequence[float], vocabulary: Vocabulary) -> str:
    """Format a tree as an S-expression."""
    pieces: list[str] = []
    open_: list[int] = []
    for code, constant in zip(codes, constants, strict=True):
        text, arity = vocabulary.spelled(int(code), float(constant)), vocabulary.arity(int(code))
        if pieces:
            pieces.append(" ")
        pieces.append(f"({text}" if arity else text)
        if arity:
            open_.append(arity)
            continue
        while open_:
            open_[-1] -= 1
            if open_[-1]:
                break
            open_.pop()
            pieces.append(")")
    return "".join(pieces)


def parsed(text: str, vocabulary: Vocabulary) -> tuple[list[int], list[float]]:
    """Parse an S-expression into codes and constants.

    Raises an `InputError` with the position of the first syntax error.
    """
    words: list[tuple[str, bool, int]] = []  # word, whether it was quoted, its number of arguments
    open_: list[int] = []
    at, wants_function, done = 0, False, False
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or done:
            raise _unreadable(text, at, "nothing more is expected" if done else "a word is expected")
        at = match.end()
        opens, closes, bars, plain = match.groups()
        if opens:
            if wants_function:
                raise _unreadable(text, at, "the name of a function is expected after '('")
            wants_function = True
        elif closes:
            if not open_ or wants_function:
                raise _unreadable(text, at, "')' has no matching '('")
            open_.pop()
            done = not open_
        else:
            word = plain if bars is None else re.sub(r"\\(.)", r"\1", bars)
            if open_:
                name, was_quoted, n = words[open_[-1]]
                if not wants_function:
                    words[open_[-1]] = name, was_quoted, n + 1
            if wants_function:
                if open_:
                    name, was_quoted, n = words[open_[-1]]
                    words[open_[-1]] = name, was_quoted, n + 1
                open_.append(len(words))
                wants_function = False
            else:
                done = not open_
            words.append((word, bars is not None, 0))
    if not done:
        raise _unreadable(text, at, "it ends unexpectedly")
    codes, constants = [], []
    for word, was_quoted, arity in words:
        code = vocabulary.code(word, arity)
        number = 0.0
        if code is None and arity == 0 and not was_quoted:
            code, number = vocabulary.constant(word) or (None, 0.0)
        if code is None:
            what = f"takes {arity} arguments" if arity else "is a terminal"
            raise InputError(f"no {word!r} {what}; see the functions and terminals of the language")
        codes.append(code)
        constants.append(number)
    return codes, constants


def swapped(
    a: tuple[Sequence[int], Sequence[float]],
    i: int,
    b: tuple[Sequence[int], Sequence[float]],
    j: int,
    arity: Callable[[int], int],
) -> tuple[tuple[list[int], list[float]], tuple[list[int], list[float]]]:
    """Exchange the subtrees at node i of one tree and node j of another: crossover (Mitchell §9.5.1)."""
    stop, end = subtree_ends(a[0], arity)[i], subtree_ends(b[0], arity)[j]

    def child(first: Sequence[Any], other: Sequence[Any], cut: tuple[int, int, int, int]) -> list[Any]:
        start, after, begun, ended = cut
        return [*first[:start], *other[begun:ended], *first[after:]]

    mine, its = (i, stop, j, end), (j, end, i, stop)
    return (
        (child(a[0], b[0], mine), child(a[1], b[1], mine)),
        (child(b[0], a[0], its), child(b[1], a[1], its)),
    )


def _unreadable(text: str, at: int, why: str) -> InputError:
    shown = shortened(text, 60)
    return InputError(f"{shown!r} is not an S-expression: {why} at character {min(at, len(text))}")
