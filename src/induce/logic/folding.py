"""Folding of variables into other terms: the inexpensive part of clause reduction."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from induce.logic.clauses import Literal
from induce.logic.terms import Term, Variable, is_ground

Part: TypeAlias = tuple[str, Literal]
"""Literal with its role, since literals match only in the same role."""

_Row: TypeAlias = tuple[str, str, tuple[int, ...]]


def folded(parts: Sequence[Part]) -> list[Part]:
    """Return literals without those that become equal to others when a single variable is replaced by another term.

    Later variables are replaced by earlier ones. Only variables that are arguments themselves are tried, not
    those inside function terms. The result is equivalent to the input, and often minimal.

    Parameters
    ----------
    parts : sequence of (str, Literal)
        Distinct literals, with their roles.
    """
    folds = _Folds(parts)
    waiting = deque(reversed(folds.uses))
    queued = set(waiting)
    while waiting:
        variable = waiting.popleft()
        queued.discard(variable)
        if folds.target(variable) is not None:
            for other in folds.remove(variable):
                if other not in queued:
                    queued.add(other)
                    waiting.append(other)
    return [part for part, row in zip(parts, folds.rows, strict=True) if row in folds.left]


class _Folds:
    """Remaining literals, with their arguments as numbers."""

    def __init__(self, parts: Sequence[Part]) -> None:
        numbers: dict[Term, int] = {}
        within: set[Term] = set()
        self.rows: list[_Row] = []
        for place, literal in parts:
            arguments = tuple(numbers.setdefault(term, len(numbers)) for term in literal.arguments)
            self.rows.append((place, literal.name, arguments))
            for term in literal.arguments:
                if not isinstance(term, Variable) and not is_ground(term):
                    within.update(Literal("", (term,)).variables())
        self.left = set(self.rows)
        self.uses: dict[int, list[_Row]] = {
            number: []
            for term, number in numbers.items()
            if isinstance(term, Variable) and term not in within
        }
        self._alternatives: dict[tuple[_Row, int], list[int]] = {}
        for row in self.rows:
            for column, number in enumerate(row[2]):
                self._alternatives.setdefault((_with(row, column, -1), column), []).append(number)
            for number in dict.fromkeys(row[2]):
                if number in self.uses:
                    self.uses[number].append(row)

    def target(self, variable: int) -> int | None:
        """Return a term whose substitution for the variable turns its literals into other remaining ones, or None."""
        rows = [row for row in self.uses[variable] if row in self.left]
        choices: list[list[int]] = []
        for row in rows:
            if row[2].count(variable) == 1:
                column = row[2].index(variable)
                choices.append(self._alternatives[_with(row, column, -1), column])
        for other in min(choices, key=len) if choices else ():
            if other != variable and all(_swapped(row, variable, other) in self.left for row in rows):
                return other
        return None

    def remove(self, variable: int) -> list[int]:
        """Remove the literals with a variable; return their other variables, which are now less constrained."""
        gone = [row for row in self.uses[variable] if row in self.left]
        self.left.difference_update(gone)
        others = dict.fromkeys(number for row in gone for number in row[2] if number in self.uses)
        return [number for number in others if number != variable]


def _with(row: _Row, column: int, number: int) -> _Row:
    place, name, arguments = row
    return place, name, (*arguments[:column], number, *arguments[column + 1 :])


def _swapped(row: _Row, old: int, new: int) -> _Row:
    place, name, arguments = row
    return place, name, tuple(new if number == old else number for number in arguments)
