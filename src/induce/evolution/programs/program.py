"""What is learned by genetic programming: a program that runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.evolution.programs.flat import depth_of, number_word, parsed, subtree_ends, written
from induce.evolution.programs.grammar import Floats, Ints
from induce.evolution.programs.language import Language
from induce.evolution.programs.population import Codes
from induce.hypotheses.naming import plural
from induce.search.history import History

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class OutOfStepsError(Exception):
    """A program took all its steps and had not ended: it may never end."""


@dataclass(frozen=True, eq=False)
class Program(Hypothesis):
    """A program of a language (Mitchell §9.5).

    Parameters
    ----------
    language : Language
    codes : array of int32
        In prefix order, flat, so that depth is no limit; the main part first, then the subroutines.
    constants : array of float64
    starts : array of int64
        Where each part begins, and where the last one ends.
    fitness : float
        NaN if it is not known.
    history : History, optional
        How the search for it went.

    Examples
    --------
    >>> import operator
    >>> from induce.evolution import Language, function, variable
    >>> language = Language((function("+", operator.add, 2), function("*", operator.mul, 2), variable("x")))
    >>> program = Program.parse("(+ x (* x x))", language)
    >>> print(program, program.run({"x": 3}))
    (+ x (* x x)) 12
    """

    takes_tables = False
    language: Language
    codes: Codes
    constants: Floats
    starts: Ints
    fitness: float = float("nan")
    history: History | None = None

    @classmethod
    def parse(cls, text: str, language: Language) -> Program:
        """Return the program that S-expressions stand for: the main part, and after ``;`` each subroutine."""
        codes: list[int] = []
        constants: list[float] = []
        starts = [0]
        for part in text.split(";"):
            more, held = parsed(part.strip(), language)
            codes, constants = codes + more, constants + held
            starts.append(len(codes))
        found = cls(language, np.array(codes, np.int32), np.array(constants), np.array(starts, np.int64))
        found.check()
        return found

    @property
    def n_nodes(self) -> int:
        """How many nodes the program has, subroutines included."""
        return len(self.codes)

    def depth(self) -> int:
        """Return the depth of the deepest part."""
        return max(depth_of(self._part(k)[0], self.language.arity) for k in range(len(self.starts) - 1))

    def run(self, state: Any = None, steps: int = 10_000) -> Any:
        """Run the program on a state and return its value.

        Parameters
        ----------
        state : object
            What primitives with an effect look at and change; a dict of inputs for variables.
        steps : int
            Nodes that may be worked out. A program that needs more is ended by an `OutOfStepsError`; the state stays
            as the program left it.
        """
        return _Run(self, state, steps).value(0, ())

    def to_sexpr(self) -> str:
        """Return the program as S-expressions, the main part and then each subroutine, with ``;`` between."""
        return "; ".join(written(*self._part(k), self.language) for k in range(len(self.starts) - 1))

    def to_python(self, name: str = "program") -> str:
        """Return the source of functions that call the primitives by their names, as far as these are Python's.

        Arguments of lazy primitives become functions; primitives with an effect are given the state first.
        """
        lines: list[str] = []
        for k in reversed(range(len(self.starts) - 1)):
            takes = ["state"] if k == 0 else ["state", *self._argument_names(k - 1)]
            own = name if k == 0 else f"F{k - 1}"
            lines += [f"def {own}({', '.join(takes)}):", f"    return {self._python(k)}", ""]
        return "\n".join(lines)

    def size(self) -> str:
        """Return the number of nodes."""
        return plural(self.n_nodes, "node")

    def __str__(self) -> str:
        if self.history is None:
            return self.to_sexpr()
        generations = max(0, len(self.history.rows) - 1)
        return (
            f"{self.to_sexpr()}\n{self.size()}; fitness {self.fitness:.6g} after {generations} generations, "
            f"{self.history.evaluations:,} evaluations"
        )

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the tree of the main part."""
        from induce.evolution.programs.drawing import draw_tree

        codes, constants = self._part(0)
        labels = [
            self.language.signatures[code].name
            if self.language.signatures[code].low is None
            else f"{self.language.signatures[code].name} {constant:.4g}".strip()
            for code, constant in zip(codes, constants, strict=True)
        ]
        return draw_tree(labels, subtree_ends(codes, self.language.arity), ax)

    def check(self) -> None:
        """Raise an `InputError` unless the codes are a program of the language, types included."""
        signatures, n_parts = self.language.signatures, 1 + len(self.language.subroutines)
        kinds = [self.language.gives, *(each.gives for each in self.language.subroutines)]
        well = len(self.starts) == n_parts + 1 and int(self.starts[-1]) == len(self.codes)
        for k in range(n_parts if well else 0):
            wanted, codes = [kinds[k]], self._part(k)[0]
            for code in codes:
                if not wanted or not 0 <= code < len(signatures) or signatures[code].gives != wanted.pop():
                    well = False
                    break
                wanted += reversed(signatures[code].takes)
            well = well and not wanted and bool(codes)
        if not well:
            raise InputError("the codes are no program of the language; look at the types of the primitives")

    @cached_property
    def ends(self) -> list[int]:
        """Where the subtree of each node ends."""
        return [
            int(self.starts[k]) + end
            for k in range(len(self.starts) - 1)
            for end in subtree_ends(self._part(k)[0], self.language.arity)
        ]

    def _part(self, k: int) -> tuple[list[int], list[float]]:
        start, end = int(self.starts[k]), int(self.starts[k + 1])
        return self.codes[start:end].tolist(), self.constants[start:end].tolist()

    def _argument_names(self, k: int) -> list[str]:
        return [f"a{j}" for j in range(len(self.language.subroutines[k].takes))]

    def _python(self, k: int) -> str:
        from induce.evolution.programs.flat import folded

        codes, constants = self._part(k)
        language, n = self.language, len(self.language.primitives)

        def part(i: int, arguments: list[str]) -> str:
            code = codes[i]
            if language.signatures[code].low is not None:
                return number_word(constants[i])
            if language.arguments[code] >= 0:
                return f"a{language.arguments[code]}"
            given = ["state"] if code >= n or language.primitives[code].effect else []
            lazy = code < n and language.primitives[code].lazy
            given += [f"lambda: {each}" if lazy else each for each in arguments]
            return f"{language.signatures[code].name}({', '.join(given)})"

        return str(folded(codes, language.arity, part))


class _Run:
    """One run of a program: it counts the steps."""

    def __init__(self, program: Program, state: Any, steps: int) -> None:
        self._codes = program.codes.tolist()
        self._constants = program.constants
        self._starts = program.starts.tolist()
        self._ends = program.ends
        self._language = program.language
        self._state = state
        self._left = steps
        for each in program.language.primitives:
            if each.call is None and each.low is None:
                raise InputError(f"{each.name} has no function: this program runs in its problem only")

    def value(self, part: int, arguments: Sequence[Any]) -> Any:
        """Return the value of a part, given its arguments."""
        return self._at(self._starts[part], arguments)

    def _at(self, i: int, arguments: Sequence[Any]) -> Any:
        """Work a subtree out from left to right, without recursion but where arguments are lazy."""
        open_: list[tuple[int, list[Any]]] = []
        language = self._language
        while True:
            self._left -= 1
            if self._left < 0:
                raise OutOfStepsError("the program took all its steps and had not ended")
            code = self._codes[i]
            arity = language.arity(code)
            if arity and not (code < len(language.primitives) and language.primitives[code].lazy):
                open_.append((code, []))
                i += 1
                continue
            if arity:
                value = self._called(code, self._thunks(i, arity, arguments))
            elif language.arguments[code] >= 0:
                value = arguments[language.arguments[code]]
            elif language.signatures[code].low is not None:
                value = float(self._constants[i])
            else:
                value = self._called(code, [])
            i = self._ends[i]
            while open_:
                function, given = open_[-1]
                given.append(value)
                if len(given) < language.arity(function):
                    break
                open_.pop()
                value = self._called(function, given)
            else:
                return value

    def _thunks(self, i: int, arity: int, arguments: Sequence[Any]) -> list[Callable[[], Any]]:
        found: list[Callable[[], Any]] = []
        child = i + 1
        for _ in range(arity):
            found.append(partial(self._at, child, arguments))
            child = self._ends[child]
        return found

    def _called(self, code: int, given: Sequence[Any]) -> Any:
        n = len(self._language.primitives)
        if code >= n:
            return self.value(1 + code - n, given)
        primitive = self._language.primitives[code]
        call: Any = primitive.call
        return call(self._state, *given) if primitive.effect else call(*given)
