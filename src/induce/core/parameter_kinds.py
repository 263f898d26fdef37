"""Kinds of parameters: accepted values, their description, and parsing from the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.documents import json_of

TRUTH = {"true": True, "false": False}
INFINITE = {"inf": float("inf"), "-inf": float("-inf")}


class Kind:
    """The type of a parameter's value."""

    verb: ClassVar[str] = "must be"
    holds: ClassVar[str] = ""
    """Whether it is a ``"learner"`` or several ``"learners"``, which are named on the command line."""

    def accepts(self, value: Any) -> bool:
        """Whether the value is of this kind."""
        raise TypeError(f"{type(self).__name__} does not declare its accepted values")

    def says(self) -> str:
        """Return the description of allowed values, completing the sentence "it must be …"."""
        raise TypeError(f"{type(self).__name__} does not declare its accepted values")

    def complaint(self, name: str, value: Any) -> str:
        """Return a specific error sentence for a value, or nothing."""
        return ""

    def read(self, text: str) -> Any:
        """Return the value of a command-line text; raise a `ValueError` if it cannot be parsed.

        Lists and mappings are written as JSON.
        """
        return json_of(text)

    def words(self) -> tuple[str, ...]:
        """Return the words offered by shell completion."""
        return ()

    def form(self) -> dict[str, Any]:
        """Return the specification of an input form: ``kind``, and choices or bounds.

        The kind ``"other"`` cannot be typed in.
        """
        return {"kind": "other"}


@dataclass(frozen=True)
class Number(Kind):
    """A number within bounds, each inclusive or exclusive.

    Examples
    --------
    >>> Number(above=0, at_most=0.5).says()
    'a number above 0 and at most 0.5'
    >>> Number(at_least=0, at_most=1).says(), Number(above=0, below=1).says()
    ('a number from 0 to 1', 'a number between 0 and 1')
    >>> Number(at_least=0).accepts(float("nan")), Number(at_least=0).read("inf")
    (False, inf)
    """

    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    finite: bool = False

    types: ClassVar[tuple[type, ...]] = (int, float, np.integer, np.floating)
    noun: ClassVar[str] = "number"

    def accepts(self, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, self.types):
            return False
        return self._within(value)

    def _within(self, value: Any) -> bool:
        if value != value or (self.finite and abs(value) == np.inf):
            return False
        return bool(
            (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
            and (self.below is None or value < self.below)
        )

    def says(self) -> str:
        noun = f"a finite {self.noun}" if self.finite else f"a {self.noun}"
        if self.at_least is not None and self.at_most is not None:
            return f"{noun} from {self.at_least} to {self.at_most}"
        if self.above is not None and self.below is not None:
            return f"{noun} between {self.above} and {self.below}"
        bounds = {
            "of at least": self.at_least,
            "above": self.above,
            "at most": self.at_most,
            "below": self.below,
        }
        said = [f"{word} {bound}" for word, bound in bounds.items() if bound is not None]
        return f"{noun} {' and '.join(said)}" if said else noun

    def form(self) -> dict[str, Any]:
        bounds = {
            "at_least": self.at_least,
            "above": self.above,
            "at_most": self.at_most,
            "below": self.below,
        }
        said = {name: bound for name, bound in bounds.items() if bound is not None}
        return {"kind": self.noun.split()[0], "range": said}

    def read(self, text: str) -> Any:
        if text.lower() in INFINITE:
            return INFINITE[text.lower()]
        try:
            return json_of(text)
        except ValueError:
            return float(text)  # .5 is not valid JSON


@dataclass(frozen=True)
class Whole(Number):
    """A whole number within bounds.

    Examples
    --------
    >>> Whole(at_least=1).says(), Whole(at_least=1).accepts(2.0)
    ('a whole number of at least 1', False)
    """

    types: ClassVar[tuple[type, ...]] = (int, np.integer)
    noun: ClassVar[str] = "whole number"


@dataclass(frozen=True)
class Truth(Kind):
    """True or False; 1 and 0 are accepted too.

    Examples
    --------
    >>> Truth().accepts(np.True_), Truth().accepts("yes"), Truth().read("False")
    (True, False, False)
    """

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool | np.bool_ | int | np.integer) and value in (0, 1)

    def says(self) -> str:
        return "true or false"

    def read(self, text: str) -> Any:
        return TRUTH[text.lower()] if text.lower() in TRUTH else json_of(text)

    def words(self) -> tuple[str, ...]:
        return tuple(TRUTH)

    def form(self) -> dict[str, Any]:
        return {"kind": "truth"}


@dataclass(frozen=True)
class OneOf(Kind):
    """One of several words.

    Examples
    --------
    >>> OneOf(("gain", "gini")).says()
    "'gain', 'gini'"
    """

    values: tuple[str, ...]

    verb: ClassVar[str] = "can be"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.values

    def says(self) -> str:
        return ", ".join(map(repr, self.values))

    def read(self, text: str) -> Any:
        if text not in self.values:
            raise ValueError
        return text

    def words(self) -> tuple[str, ...]:
        return self.values

    def form(self) -> dict[str, Any]:
        return {"kind": "choice", "choices": list(self.values)}


@dataclass(frozen=True)
class Text(Kind):
    """Any text.

    Examples
    --------
    >>> Text().read("3"), Text("the name of a relation").says()
    ('3', 'the name of a relation')
    """

    noun: str = "a string"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        return text

    def form(self) -> dict[str, Any]:
        return {"kind": "text"}


@dataclass(frozen=True)
class Several(Kind):
    """A list, tuple or array whose items are all of one kind.

    Examples
    --------
    >>> Several(Whole(at_least=1), "whole numbers").accepts([1, 2]), Several(Text(), "columns").read("a,b")
    (True, ['a', 'b'])
    """

    of: Kind
    noun: str
    n: int | None = None

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray | set | frozenset):
            return False
        return (self.n is None or len(value) == self.n) and all(map(self.of.accepts, value))

    def says(self) -> str:
        return f"a list of {self.noun}"

    def read(self, text: str) -> Any:
        if text.startswith("["):
            return json_of(text)
        return [self.of.read(part.strip()) for part in text.split(",")]

    def form(self) -> dict[str, Any]:
        return {"kind": "list"}


@dataclass(frozen=True)
class OneOrSeveral(Kind):
    """A value of some kind, or several to choose from.

    Examples
    --------
    >>> OneOrSeveral(Whole(at_least=1)).complaint("n_neighbors", (3, 0))
    'n_neighbors is 0; it must be a whole number of at least 1'
    """

    of: Kind

    verb: ClassVar[str] = "can be"

    def accepts(self, value: Any) -> bool:
        return not self._bad(value) and not _is_empty(value)

    def says(self) -> str:
        return f"{self.of.says()} (or several to choose from)"

    def complaint(self, name: str, value: Any) -> str:
        if _is_empty(value):
            return f"{name} is empty; give at least one value to choose from"
        bad = self._bad(value)
        if len(bad) == 1 and isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
            return f"{name} is {bad[0]!r}; it {self.of.verb} {self.of.says()}"
        return ""

    def read(self, text: str) -> Any:
        return self.of.read(text) if "," not in text else [self.of.read(each) for each in text.split(",")]

    def form(self) -> dict[str, Any]:
        return {"kind": "list"}

    def words(self) -> tuple[str, ...]:
        return self.of.words()

    def _bad(self, value: Any) -> list[Any]:
        several = (
            value if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) else [value]
        )
        return [each for each in several if not self.of.accepts(each)]


def _is_empty(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) and len(value) == 0


@dataclass(frozen=True)
class Items(Kind):
    """Any iterable except a string.

    Examples
    --------
    >>> Items("conditions").complaint("require", "age > 18")
    "require is a string; give a list, such as ['age > 18']"
    """

    noun: str

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Iterable) and not isinstance(value, str | Mapping)

    def says(self) -> str:
        return f"a list of {self.noun}"

    def complaint(self, name: str, value: Any) -> str:
        return f"{name} is a string; give a list, such as [{value!r}]" if isinstance(value, str) else ""

    def read(self, text: str) -> Any:
        return json_of(text) if text.startswith("[") else [text]

    def form(self) -> dict[str, Any]:
        return {"kind": "list"}


@dataclass(frozen=True)
class Dict(Kind):
    """A mapping, optionally with values of one kind.

    Examples
    --------
    >>> Dict("a dict from columns to numbers", Number()).accepts({"age": "old"})
    False
    >>> Dict("a dict from columns to numbers", Number()).read("age:2, income:.5")
    {'age': 2, 'income': 0.5}
    """

    noun: str = "a dict"
    of: Kind | None = None

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping) and (self.of is None or all(map(self.of.accepts, value.values())))

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        """Return a dict from JSON, or from comma-separated pairs ``key:value``."""
        if text.lstrip().startswith("{"):
            return json_of(text)
        pairs = [pair.rpartition(":") for pair in text.split(",")]
        if not all(key.strip() and value.strip() for key, _, value in pairs):
            raise ValueError
        return {key.strip(): self._value(value.strip()) for key, _, value in pairs}

    def _value(self, text: str) -> Any:
        if self.of is not None:
            return self.of.read(text)
        try:
            return Number().read(text)
        except ValueError:
            return text


@dataclass(frozen=True)
class Function(Kind):
    """Any callable; it cannot be given on the command line."""

    noun: str = "a function"

    def accepts(self, value: Any) -> bool:
        return callable(value) and not isinstance(value, type)

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        raise ValueError


@dataclass(frozen=True)
class Learned(Kind):
    """A learner: an object with `fit`, optionally of the class named `of`.

    Examples
    --------
    >>> Learned().accepts(Learned)
    False
    """

    noun: str = "a learner, such as C45()"
    of: str = ""

    holds: ClassVar[str] = "learner"

    def complaint(self, name: str, value: Any) -> str:
        if not isinstance(value, type):
            return ""
        return f"{name} is the class {value.__name__}; give a learner: {value.__name__}()"

    def accepts(self, value: Any) -> bool:
        if not hasattr(value, "fit") or isinstance(value, type):
            return False
        return not self.of or Instance(self.of, self.noun).accepts(value)

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        return text


@dataclass(frozen=True)
class Instance(Kind):
    """An object of a class given by name, so that nothing is imported.

    Examples
    --------
    >>> Instance("Number", "a Number").accepts(Whole())
    True
    """

    of: str
    noun: str

    def accepts(self, value: Any) -> bool:
        return any(each.__name__ == self.of for each in type(value).__mro__)

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        raise ValueError


@dataclass(frozen=True)
class Such(Kind):
    """Any value that passes a test.

    Examples
    --------
    >>> Such("an even number", lambda value: value % 2 == 0).accepts(3)
    False
    """

    noun: str
    test: Callable[[Any], Any]

    def accepts(self, value: Any) -> bool:
        try:
            return bool(self.test(value))
        except Exception:  # a test need not expect every type
            return False

    def says(self) -> str:
        return self.noun

    def read(self, text: str) -> Any:
        try:
            return json_of(text)
        except ValueError:
            return text


@dataclass(frozen=True)
class Either(Kind):
    """A value of any of several kinds.

    Examples
    --------
    >>> Either((OneOf(("laplace",)), Number(at_least=0))).says()
    "'laplace' or a number of at least 0"
    """

    kinds: tuple[Kind, ...]

    verb: ClassVar[str] = "can be"

    def accepts(self, value: Any) -> bool:
        return any(kind.accepts(value) for kind in self.kinds)

    def says(self) -> str:
        *others, last = [kind.says() for kind in self.kinds]
        return f"{', '.join(others)} or {last}" if others else last

    def complaint(self, name: str, value: Any) -> str:
        return next(filter(None, (kind.complaint(name, value) for kind in self.kinds)), "")

    def read(self, text: str) -> Any:
        """Return the first parsed value that is accepted, or else the first value."""
        read = list(_readings(self.kinds, text))
        if not read:
            raise ValueError
        return next((value for value in read if self.accepts(value)), read[0])

    def words(self) -> tuple[str, ...]:
        return tuple(word for kind in self.kinds for word in kind.words())

    def form(self) -> dict[str, Any]:
        """Return the form of the only kind that can be typed in, or a text field with the words as suggestions."""
        typed = [form for form in (kind.form() for kind in self.kinds) if form["kind"] != "other"]
        if len(typed) < 2:
            return typed[0] if typed else {"kind": "other"}
        return {"kind": "text", "choices": list(self.words())}


def _readings(kinds: Iterable[Kind], text: str) -> Iterable[Any]:
    for kind in kinds:
        try:
            yield kind.read(text)
        except ValueError:
            continue
