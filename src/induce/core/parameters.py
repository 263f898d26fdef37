"""Parameters of learners: one declaration for each, next to the constructor.

A declaration gives the allowed values and, in one line, the purpose of a parameter. Checks, the command line,
tables of parameters and tests are derived from it. The class that reads declarations is in
`induce.core.parameterised`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from induce.core.errors import InputError
from induce.core.parameter_kinds import (
    Dict,
    Either,
    Function,
    Instance,
    Items,
    Kind,
    Learned,
    Number,
    OneOf,
    Several,
    Such,
    Text,
    Truth,
    Whole,
)

NONE = ("none", "null")


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter.

    Parameters
    ----------
    help : str
        Purpose, in one line.
    kind : Kind
        Type of the value.
    none : bool
        Whether None is allowed.
    also : dict
        Aliases of values, such as scikit-learn's; they work without a note.
    otherwise : str
        Remedy in error messages, replacing the general "it must be …".
    but : dict
        Specific error messages for individual values.
    """

    help: str
    kind: Kind
    none: bool = False
    also: Mapping[str, Any] = field(default_factory=dict)
    otherwise: str = ""
    but: Mapping[Any, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        """Return whether the parameter accepts this value."""
        return (self.none and value is None) or (self.kind.accepts(value) and not self._refusal(value))

    def check(self, name: str, value: Any) -> None:
        """Raise an `InputError` that names the parameter unless it accepts this value.

        Examples
        --------
        >>> whole("Maximum depth.", at_least=1, none=True).check("max_depth", 0)
        Traceback (most recent call last):
        induce.core.errors.InputError: max_depth is 0; it must be a whole number of at least 1, or None
        """
        if not self.accepts(value):
            shown = repr(value) if len(repr(value)) <= 200 else f"a {type(value).__name__}"
            said = self._refusal(value) or self.kind.complaint(name, value)
            raise InputError(said or f"{name} is {shown}; {self.otherwise or self.requirement()}")

    def requirement(self) -> str:
        """Return the requirement on a value.

        Examples
        --------
        >>> choice("Pruning.", "mdl", "pessimistic", none=True).requirement()
        "it can be None, 'mdl', 'pessimistic'"
        """
        return f"it {self.kind.verb} {self.values()}"

    def values(self) -> str:
        """Return the allowed values as text."""
        said = self.kind.says()
        if not self.none:
            return said
        return f"None, {said}" if isinstance(self.kind, OneOf) else f"{said}, or None"

    def settled(self, value: Any) -> Any:
        """Return the canonical spelling of a value with aliases.

        Examples
        --------
        >>> choice("Measure.", "gain", also={"entropy": "gain"}).settled("entropy")
        'gain'
        """
        return self.also.get(value, value) if isinstance(value, str) else value

    def read(self, name: str, text: str) -> Any:
        """Return the validated value of a command-line text.

        Examples
        --------
        >>> truth("Whether subtrees are raised.").read("subtree_raising", "no")
        Traceback (most recent call last):
        induce.core.errors.InputError: subtree_raising is 'no'; it must be true or false
        """
        if self.none and text.lower() in NONE:
            return None
        if text in self.also:
            return self.also[text]
        try:
            value = self.kind.read(text)
        except ValueError:
            value = text
        self.check(name, value)
        return value

    def words(self) -> tuple[str, ...]:
        """Return the words offered by shell completion."""
        return (*self.kind.words(), *self.also, *(NONE[:1] if self.none else ()))

    def _refusal(self, value: Any) -> str:
        try:
            return self.but.get(value, "")
        except TypeError:  # a list cannot be hashed
            return ""


Declared = Mapping[str, Parameter]
"""The parameters that a class declares, by name; a subclass lists those it adds or narrows."""


class Extras(TypedDict, total=False):
    """Options that every kind of parameter accepts; see `Parameter`."""

    none: bool
    also: Mapping[str, Any]
    otherwise: str
    but: Mapping[Any, str]


def whole(
    help: str, *, at_least: int | None = None, at_most: int | None = None, **extras: Unpack[Extras]
) -> Parameter:
    """Declare an integer."""
    return Parameter(help, Whole(at_least=at_least, at_most=at_most), **extras)


def number(
    help: str,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    finite: bool = False,
    **extras: Unpack[Extras],
) -> Parameter:
    """Declare a number."""
    return Parameter(help, Number(at_least, above, at_most, below, finite), **extras)


def truth(help: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare a Boolean."""
    return Parameter(help, Truth(), **extras)


def choice(help: str, *values: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare one of several words."""
    return Parameter(help, OneOf(values), **extras)


def text(help: str, noun: str = "a string", **extras: Unpack[Extras]) -> Parameter:
    """Declare any text."""
    return Parameter(help, Text(noun), **extras)


def several(help: str, of: Kind, noun: str, *, n: int | None = None, **extras: Unpack[Extras]) -> Parameter:
    """Declare a list whose items are of one kind."""
    return Parameter(help, Several(of, noun, n), **extras)


def items(help: str, noun: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare a list whose items are checked by the learner."""
    return Parameter(help, Items(noun), **extras)


def columns(help: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare a list of column names."""
    return Parameter(help, Several(Text(), "names of columns"), **extras)


def mapping(help: str, noun: str = "a dict", of: Kind | None = None, **extras: Unpack[Extras]) -> Parameter:
    """Declare a dict."""
    return Parameter(help, Dict(noun, of), **extras)


def function(help: str, noun: str = "a function", **extras: Unpack[Extras]) -> Parameter:
    """Declare a function."""
    return Parameter(help, Function(noun), **extras)


def learner(
    help: str, noun: str = "a learner, such as C45()", of: str = "", **extras: Unpack[Extras]
) -> Parameter:
    """Declare a learner, optionally of the class named `of`."""
    return Parameter(help, Learned(noun, of), **extras)


def instance(help: str, of: str, noun: str = "", **extras: Unpack[Extras]) -> Parameter:
    """Declare an object of the class named `of`."""
    return Parameter(help, Instance(of, noun or f"a {of}"), **extras)


def such(help: str, noun: str, test: Callable[[Any], Any], **extras: Unpack[Extras]) -> Parameter:
    """Declare a value that passes a test."""
    return Parameter(help, Such(noun, test), **extras)


def anything(help: str, noun: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare a value checked by the learner itself, because it depends on the data or other parameters."""
    return Parameter(help, Such(noun, lambda value: True), **extras)


def either(help: str, *kinds: Kind, **extras: Unpack[Extras]) -> Parameter:
    """Declare a value of any of several kinds.

    Examples
    --------
    >>> smoothing = either("Smoothing of the shares.", OneOf(("laplace",)), Number(at_least=0), none=True)
    >>> smoothing.check("smoothing", -1)
    Traceback (most recent call last):
    induce.core.errors.InputError: smoothing is -1; it can be 'laplace' or a number of at least 0, or None
    """
    return Parameter(help, Either(kinds), **extras)


def validation(help: str) -> Parameter:
    """Declare validation rows: a fraction, a splitter, or a user-supplied table."""
    return either(
        help,
        Number(above=0, below=1),
        Such(
            "a splitter",
            lambda value: not isinstance(value, str | tuple | list) and hasattr(value, "split"),
        ),
        Such("a pair (X, y)", lambda value: isinstance(value, tuple | list) and len(value) == 2),
        none=True,
    )


def folds(help: str, **extras: Unpack[Extras]) -> Parameter:
    """Declare a partition of the rows: a number of folds, a splitter, or explicit splits."""
    splitter = Such("a splitter", lambda value: not isinstance(value, str) and hasattr(value, "split"))
    pairs = Such("pairs of (train, test)", lambda value: not isinstance(value, str | dict) and iter(value))
    return either(help, Whole(at_least=2), splitter, pairs, **extras)


SEED = either(
    "Random seed; None draws a new one at each fit.",
    Whole(at_least=0),
    Instance("Generator", "a Generator"),
    Instance("RandomState", "a RandomState"),
    none=True,
    otherwise="give a whole number of at least 0, a Generator or None",
)
SCHEMA = either(
    "Schema of the columns, beyond their types.",
    Instance("Schema", "a Schema"),
    Dict("a dict from columns to their declarations"),
    none=True,
    otherwise="give a Schema, or a dict from columns to their declarations",
)
CLASS_WEIGHT = either(
    "Weights of the classes; 'balanced' gives all classes the same total weight.",
    OneOf(("balanced",)),
    Dict("a dict from classes to weights"),
    none=True,
    otherwise="it can be None, 'balanced' or a dict from classes to weights",
)
JOBS = whole(
    "Number of parallel jobs; -1 uses all processors.",
    none=True,
    but={0: "n_jobs is 0; give a number of jobs, or -1 for all processors"},
)
