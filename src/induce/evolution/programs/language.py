"""Program languages: user-declared primitives."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

from induce.core.errors import InputError
from induce.evolution.programs.flat import NUMBER, PLAIN, number_word, quoted
from induce.evolution.programs.functions import BY_CODE, FUNCTIONS, MathFunction, function_codes
from induce.evolution.programs.grammar import Grammar, Signature, grammar
from induce.evolution.programs.text import Wording, call_wording, input_wording, number_wording

SQL_TEXT = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
INPUT = "input"


@dataclass(frozen=True)
class Primitive:
    """A function or terminal of programs.

    Parameters
    ----------
    name : str
        Name in programs.
    takes : tuple of str
        Types of its arguments; empty for a terminal.
    gives : str
        Type of its value.
    call : callable, optional
        Python function; not needed if the problem runs programs itself.
    effect : bool
        Whether `call` receives the program's state before the arguments.
    lazy : bool
        Whether `call` receives its arguments as functions, to call once, repeatedly or not at all.
    low, high : float, optional
        Range of a random constant.
    means : str
        ``"input"`` for the state's entry of that name, or the name of a formula function, such as ``"div"``;
        neither needs a `call`, so that they can be saved in files.
    sql, latex : str
        Templates for exports, with ``{0}``, ``{1}`` for the arguments.
    """

    name: str
    takes: tuple[str, ...] = ()
    gives: str = "value"
    call: Callable[..., Any] | None = None
    effect: bool = False
    lazy: bool = False
    low: float | None = None
    high: float | None = None
    means: str = ""
    sql: str = ""
    latex: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InputError(f"the primitive name {self.name!r} is not text; give a string")
        if not isinstance(self.takes, tuple) or not all(isinstance(kind, str) for kind in self.takes):
            raise InputError(f"{self.name} takes {self.takes!r}; give a tuple with the type of each argument")
        if self.low is not None and ("=" in self.name or not PLAIN.fullmatch(self.name or "x")):
            raise InputError(f"the constant name {self.name!r} is not valid; use letters and digits")
        if self.low is not None and not (self.high is not None and self.low <= self.high and not self.takes):
            raise InputError(f"{self.name} is a constant from {self.low} to {self.high}; give low and high")
        if (
            self.means
            and self.means != INPUT
            and len(self.takes) != (FUNCTIONS[self.means].arity if self.means in FUNCTIONS else -1)
        ):
            raise InputError(f"{self.name} means {self.means!r}; see `formula_functions` and `variable`")
        if self.sql and not _is_expression(self.sql):
            raise InputError(
                f"{self.name} has the SQL {self.sql!r}; give one expression, without comments and semicolons"
            )
        if self.call is None:
            return
        if not callable(self.call):
            raise InputError(f"{self.name} calls {self.call!r}, which is not a function; see `terminal`")
        n = len(self.takes) + self.effect
        try:
            inspect.signature(self.call).bind(*range(n))
        except TypeError:
            raise InputError(
                f"{self.name} takes {len(self.takes)} "
                f"arguments{' and the state' if self.effect else ''}, but its function cannot be "
                "called with that many"
            ) from None
        except ValueError:  # some built-in functions have no signature
            return

    @property
    def formula(self) -> MathFunction | None:
        """Formula function that it represents, if any."""
        return FUNCTIONS.get(self.means)

    @cached_property
    def runs(self) -> Callable[..., Any] | None:
        """Function to call; None if only a problem can run the primitive."""
        if self.means == INPUT:
            return itemgetter(self.name)
        return self.call if self.formula is None else self.formula.call

    @cached_property
    def wording(self) -> Wording:
        """Notation in formulas."""
        if self.formula is not None:
            return self.formula.wording
        said = call_wording(self.name, len(self.takes)) if self.takes else input_wording(self.name)
        return Wording(said.name, said.sign, self.latex or said.latex)


def function(
    name: str, call: Callable[..., Any], takes: tuple[str, ...] | int, gives: str = "value", **others: Any
) -> Primitive:
    """Declare a function of programs; `takes` may be the number of arguments if there is only one type.

    Further arguments are parameters of `Primitive`: ``effect=True``, ``lazy=True``, ``sql="({0} + {1})"``.

    Parameters
    ----------
    name : str
        Name in programs.
    call : callable
        Python function of the arguments.
    takes : tuple of str, or int
        Types of the arguments, or their number if there is only one type.
    gives : str, default="value"
        Type of the value.
    **others
        Other parameters of `Primitive`.

    Examples
    --------
    >>> import operator
    >>> function("+", operator.add, 2).takes
    ('value', 'value')
    """
    kinds = ("value",) * takes if isinstance(takes, int) else takes
    return Primitive(name, kinds, gives, call, **others)


def formula_functions(
    names: Sequence[str] = ("add", "sub", "mul", "div"), kind: str = "value"
) -> tuple[Primitive, ...]:
    """Declare formula functions as primitives; they are protected, exportable and can be saved in files.

    Parameters
    ----------
    names : sequence of str
        Names of formula functions; by default the four arithmetic operations.
    kind : str, default="value"
        Type of their arguments and values.

    Examples
    --------
    >>> [each.name for each in formula_functions(("add", "div", "sqrt"))]
    ['+', '/', 'sqrt']
    """
    found = [BY_CODE[code] for code in function_codes(tuple(names))]
    return tuple(
        Primitive(
            each.sign if each.sign and each.arity == 2 else each.name,
            (kind,) * each.arity,
            kind,
            means=each.name,
        )
        for each in found
    )


def terminal(name: str, value: Any, gives: str = "value") -> Primitive:
    """Declare a terminal with a constant value, or one that calls a function of the state.

    Parameters
    ----------
    name : str
        Name in programs.
    value : object or callable
        Constant value, or function of the state.
    gives : str, default="value"
        Type of the value.
    """
    if callable(value):
        return Primitive(name, (), gives, value, effect=True)
    from induce.hypotheses.writers.sql_text import sql_literal

    sql = sql_literal(value) if isinstance(value, bool | int | float | str) else ""
    return Primitive(name, (), gives, lambda: value, sql=sql)


def variable(name: str, gives: str = "value") -> Primitive:
    """Declare an input of programs: the state dict's entry of that name.

    Parameters
    ----------
    name : str
        Name in programs and key in the state.
    gives : str, default="value"
        Type of the value.
    """
    return Primitive(name, (), gives, effect=True, means=INPUT)


def constant(low: float, high: float, name: str = "", gives: str = "value") -> Primitive:
    """Declare a random constant drawn from a range.

    Parameters
    ----------
    low, high : float
        Range of the constant.
    name : str, default=""
        Name in programs; empty for a plain number.
    gives : str, default="value"
        Type of the value.
    """
    return Primitive(name, (), gives, low=float(low), high=float(high))


def _is_expression(sql: Any) -> bool:
    """Return whether a template is a single SQL expression: closed quotes, matching brackets, no comment or `;`.

    Examples
    --------
    >>> _is_expression("ABS({0}) = 'a;b'"), _is_expression("1; DROP TABLE t"), _is_expression("1) --")
    (True, False, False)
    """
    if not isinstance(sql, str):
        return False
    code = SQL_TEXT.sub("", sql)
    depth = 0
    for character in code:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and not any(sign in code for sign in (";", "--", "/*", "'", '"', "\0"))


@dataclass(frozen=True)
class Subroutine:
    """An automatically defined function, evolved with each program (Koza 1994).

    Parameters
    ----------
    takes : tuple of str
        Types of its arguments.
    gives : str
    """

    takes: tuple[str, ...]
    gives: str = "value"


@dataclass(frozen=True)
class Language:
    """Language of programs: primitives, subroutines and the type of the result.

    Parameters
    ----------
    primitives : tuple of Primitive
        Functions and terminals of the programs.
    gives : str
        Type of a program's result.
    subroutines : tuple of Subroutine
        Subroutines of each program, named F0, F1, …, with arguments a0, a1, …

    Examples
    --------
    >>> import operator
    >>> words = Language((function("+", operator.add, 2), variable("x"), constant(-1, 1)))
    >>> words.code("+", 2), words.code("x", 0), words.arity(0)
    (0, 1, 2)
    """

    primitives: tuple[Primitive, ...]
    gives: str = "value"
    subroutines: tuple[Subroutine, ...] = ()

    def __post_init__(self) -> None:
        for each in self.primitives:
            if not isinstance(each, Primitive):
                raise InputError(
                    f"the primitives contain {each!r}; create them with `function`, `terminal`, "
                    "`variable` and `constant`"
                )
        seen: set[Any] = set()
        for signature in self.signatures:
            if signature.name in seen:
                raise InputError(f"two primitives are called {signature.name!r}; give them different names")
            seen.add(signature.name)

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """All codes: primitives, subroutines, and the arguments of each subroutine."""
        found = [
            Signature(each.name, each.takes, each.gives, each.low, each.high) for each in self.primitives
        ]
        found += [Signature(f"F{k}", each.takes, each.gives) for k, each in enumerate(self.subroutines)]
        widest: dict[tuple[int, str], int] = {}
        for each in self.subroutines:
            for k, kind in enumerate(each.takes):
                widest.setdefault((k, kind), len(widest))
        found += [Signature(f"a{k}" if self._plain(k) else f"a{k}:{kind}", (), kind) for k, kind in widest]
        return tuple(found)

    def _plain(self, k: int) -> bool:
        """Return whether the k-th arguments of all subroutines have the same type."""
        return len({each.takes[k] for each in self.subroutines if len(each.takes) > k}) == 1

    @cached_property
    def arguments(self) -> tuple[int, ...]:
        """Argument index of each code; -1 for codes that are not arguments."""
        first = len(self.primitives) + len(self.subroutines)
        return tuple(
            -1 if code < first else int(each.name[1:].partition(":")[0])
            for code, each in enumerate(self.signatures)
        )

    @cached_property
    def grammar(self) -> Grammar:
        """Tables for the operators on programs."""
        n, first = len(self.primitives), len(self.primitives) + len(self.subroutines)
        parts = [list(range(first))]
        for each in self.subroutines:
            own = [
                code
                for code in range(first, len(self.signatures))
                if self.arguments[code] < len(each.takes)
                and self.signatures[code].gives == each.takes[self.arguments[code]]
            ]
            parts.append([*range(n), *own])
        return grammar(self.signatures, parts, [self.gives, *(each.gives for each in self.subroutines)])

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""
        return len(self.signatures[code].takes)

    def spelled(self, code: int, constant: float) -> str:
        """Return the S-expression word of a code; a named constant is written ``name=number``."""
        each = self.signatures[code]
        if each.low is None:
            return quoted(each.name)
        return f"{each.name}={number_word(constant)}" if each.name else number_word(constant)

    def wording(self, code: int, constant: float) -> Wording:
        """Return the notation of a code in formulas."""
        each = self.signatures[code]
        if each.low is not None:
            said = number_wording(constant)
            head = call_wording(each.name, 1)
            return (
                Wording(f"{head.name}({said.name})", latex=head.latex.format(said.latex))
                if each.name
                else said
            )
        if code < len(self.primitives):
            return self.primitives[code].wording
        k = self.arguments[code]
        if k >= 0:
            return Wording(f"a{k}", latex=f"a_{{{k}}}")
        given = ", ".join(f"{{{k}}}" for k in range(len(each.takes)))
        return Wording(each.name, latex=f"F_{{{{{each.name[1:]}}}}}({given})")

    def code(self, word: str, arity: int) -> int | None:
        """Return the code of a word, or None."""
        return self._codes.get((word, arity))

    def constant(self, word: str) -> tuple[int, float] | None:
        """Return the code and the value of a constant word."""
        name, _, number = word.rpartition("=")
        if not NUMBER.fullmatch(number):
            return None
        for code, each in enumerate(self.signatures):
            if each.low is not None and each.name == name:
                return code, float(number)
        return None

    @cached_property
    def _codes(self) -> dict[tuple[str, int], int]:
        return {
            (each.name, len(each.takes)): code
            for code, each in enumerate(self.signatures)
            if each.low is None
        }
