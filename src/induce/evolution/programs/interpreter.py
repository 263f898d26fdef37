"""Interpreter of programs built from declared primitives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.evolution.programs.program import Program


class OutOfStepsError(Exception):
    """A program exceeded its step limit; it may never terminate."""


class Run:
    """One run of a program, with a step counter.

    Parameters
    ----------
    program : Program
    state : object
    steps : int
    began : callable, optional
        Callback with the node and its depth when evaluation of a node begins; it returns a callback for its
        value.
    """

    def __init__(
        self,
        program: Program,
        state: Any,
        steps: int,
        began: Callable[[int, int], Callable[[Any], None]] | None = None,
    ) -> None:
        self._codes = program.codes.tolist()
        self._constants = program.constants
        self._starts = program.starts.tolist()
        self._ends = program.ends
        self._language = program.language
        self._calls = [each.runs for each in program.language.primitives]
        self._state = state
        self._left = steps
        self._began = began
        for each in program.language.primitives:
            if each.runs is None and each.low is None:
                raise InputError(f"{each.name} has no function, so this program runs only in its problem")

    def value(self, part: int, arguments: Sequence[Any], depth: int = 0) -> Any:
        """Return the value of a part, given its arguments."""
        return self._at(self._starts[part], arguments, depth)

    def _at(self, i: int, arguments: Sequence[Any], depth: int) -> Any:
        """Evaluate a subtree from left to right, recursing only for lazy arguments."""
        open_: list[tuple[int, list[Any], Any]] = []
        language = self._language
        while True:
            self._left -= 1
            if self._left < 0:
                raise OutOfStepsError("the program did not end within its maximum number of steps")
            here = depth + len(open_)
            done = None if self._began is None else self._began(i, here)
            code = self._codes[i]
            arity = language.arity(code)
            if arity and not (code < len(language.primitives) and language.primitives[code].lazy):
                open_.append((code, [], done))
                i += 1
                continue
            if arity:
                value = self._called(code, self._thunks(i, arity, arguments, here + 1), here)
            elif language.arguments[code] >= 0:
                value = arguments[language.arguments[code]]
            elif language.signatures[code].low is not None:
                value = float(self._constants[i])
            else:
                value = self._called(code, [], here)
            if done is not None:
                done(value)
            i = self._ends[i]
            while open_:
                function, given, done = open_[-1]
                given.append(value)
                if len(given) < language.arity(function):
                    break
                open_.pop()
                value = self._called(function, given, depth + len(open_))
                if done is not None:
                    done(value)
            else:
                return value

    def _thunks(self, i: int, arity: int, arguments: Sequence[Any], depth: int) -> list[Callable[[], Any]]:
        found: list[Callable[[], Any]] = []
        child = i + 1
        for _ in range(arity):
            found.append(partial(self._at, child, arguments, depth))
            child = self._ends[child]
        return found

    def _called(self, code: int, given: Sequence[Any], depth: int) -> Any:
        n = len(self._language.primitives)
        if code >= n:
            return self.value(1 + code - n, given, depth + 1)
        call: Any = self._calls[code]
        return call(self._state, *given) if self._language.primitives[code].effect else call(*given)
