"""Values as JSON and arrays, and back: the closed set of types a model file can hold.

=====================  ==============================================================
value                  JSON
=====================  ==============================================================
None, bool, str        themselves
int                    itself, or ``{"int": "-0x…"}`` when it needs more than 64 bits
float                  itself, or ``{"float": "nan" | "inf" | "-inf"}``
tuple                  an array
list                   ``{"list": […]}``
dict with str keys     ``{"dict": {…}}``
dict with other keys   ``{"items": [[key, value], …]}``, the keys plain values
numpy array            ``{"array": i}``, the i-th array of the file
registered dataclass   ``{"value": name, "fields": {…}}``
learner of induce      ``{"learner": name, "parameters": {…}}``; what it has learned is not kept
=====================  ==============================================================
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from induce.core import registry
from induce.core.errors import InputError, ModelFileError
from induce.core.field_types import as_floats, field_tests, float_fields
from induce.core.reports import shortened

Json = Any
Array = NDArray[Any]

MAX_DEPTH = 100
"""Maximum nesting of values: far deeper than any hypothesis, far below the interpreter's stack limit."""

ARRAY_KINDS = "biuf"

_SMALL = 2**63
_HEXADECIMAL = re.compile(r"-?0x[0-9a-f]+")
_SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_PLAIN = (type(None), bool, str)
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, partial, np.ufunc)


class Encoder:
    """Encoder of values as JSON; it collects their arrays.

    Parameters
    ----------
    noun : str
        User's word for the values, such as ``"parameter"``.
    advice : str
        Advice for the user if a value cannot be stored.
    arrays : list
        List that receives the arrays.

    Examples
    --------
    >>> import numpy as np
    >>> arrays = []
    >>> Encoder("field", "leave it out", arrays).encode(("yes", [1.5], np.arange(3)), "counts")
    ['yes', {'list': [1.5]}, {'array': 0}]
    >>> arrays
    [array([0, 1, 2])]
    """

    def __init__(self, noun: str, advice: str, arrays: list[Array]) -> None:
        self._noun = noun
        self._advice = advice
        self._arrays = arrays
        self._names = registry.names_by_class(registry.VALUES)
        self._learners = registry.names_by_class(registry.ESTIMATORS)

    def encode(self, value: Any, path: str, depth: int = 0) -> Json:
        """Return `value` as JSON; `path` names it in the error if it cannot be stored."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if kind is int:
            return value if -_SMALL <= value < _SMALL else {"int": hex(value)}
        if isinstance(value, np.generic):
            return self._scalar(value, path)
        if kind in (np.ndarray, np.memmap):
            return self._array(value, path)
        if depth >= MAX_DEPTH:
            self._refuse(path, f"nests more than {MAX_DEPTH} values deep")
        return self._container(value, path, depth + 1)

    def _container(self, value: Any, path: str, depth: int) -> Json:
        kind = type(value)
        if kind in (tuple, list):
            items = [self.encode(item, f"{path}[{i}]", depth) for i, item in enumerate(value)]
            return items if kind is tuple else {"list": items}
        if kind is dict:
            items = [(key, self.encode(item, f"{path}[{key}]", depth)) for key, item in value.items()]
            if all(type(key) is str for key in value):
                return {"dict": dict(items)}
            return {"items": [[self._key(key, path), item] for key, item in items]}
        learner = self._learners.get(registry.target_of(kind))
        if learner is not None and self._noun == "parameter":
            given = sorted(value.get_params(deep=False).items())
            return {
                "learner": learner,
                "parameters": {key: self.encode(item, f"{path}__{key}", depth) for key, item in given},
            }
        name = self._names.get(registry.target_of(kind))
        if name is None or not is_dataclass(value):
            self._refuse(path, f"is {describe(value)}")
        parts = {
            field.name: self.encode(getattr(value, field.name), f"{path}.{field.name}", depth)
            for field in fields(value)
            if field.init
        }
        return {"value": name, "fields": parts}

    def _key(self, key: Any, path: str) -> Json:
        if not isinstance(key, (str, int, float, np.generic)):
            self._refuse(path, f"has {describe(key)} as a key")
        return self.encode(key, path)

    def _scalar(self, value: Any, path: str) -> Json:
        plain = value.item()
        if type(plain) not in (bool, int, float, str):
            self._refuse(path, f"is {describe(value)}")
        return self.encode(plain, path)

    def _array(self, value: Array, path: str) -> Json:
        # long doubles differ between machines, so their bytes are not portable
        if value.dtype.kind not in ARRAY_KINDS or value.dtype.itemsize > 8:
            self._refuse(path, f"is an array of {value.dtype}")
        self._arrays.append(value)
        return {"array": len(self._arrays) - 1}

    def _refuse(self, path: str, trouble: str) -> NoReturn:
        path = shortened(path, 101)
        raise InputError(f"{self._noun} '{path}' {trouble}, which a model file cannot hold; {self._advice}")


class Decoder:
    """Decoder of JSON to values.

    Parameters
    ----------
    array : callable
        Function that returns the i-th array of the file.

    Examples
    --------
    >>> Decoder([].__getitem__).decode(["yes", {"list": [1.5]}, {"float": "-inf"}])
    ('yes', [1.5], -inf)
    """

    def __init__(self, array: Callable[[int], Array]) -> None:
        self._array = array

    def decode(self, node: Json, depth: int = 0) -> Any:
        """Return the value of a `node`."""
        if not isinstance(node, (list, dict)):
            return node
        if depth > MAX_DEPTH:
            raise ModelFileError(f"it nests values more than {MAX_DEPTH} deep")
        depth += 1
        if isinstance(node, list):
            return tuple([self.decode(item, depth) for item in node])
        match node:
            case {"list": list(items), **rest} if not rest:
                return [self.decode(item, depth) for item in items]
            case {"dict": dict(items), **rest} if not rest:
                return {key: self.decode(item, depth) for key, item in items.items()}
            case {"items": list(pairs), **rest} if not rest:
                return {self._key(key): self.decode(item, depth) for key, item in pairs}
            case {"array": int(index), **rest} if not rest:
                return self._array(index)
            case {"value": str(name), "fields": dict(parts), **rest} if not rest:
                return self._dataclass(name, parts, depth)
            case {"learner": str(name), "parameters": dict(parts), **rest} if not rest:
                learner = registry.resolve(name, registry.ESTIMATORS)
                given = {key: self.decode(part, depth) for key, part in parts.items()}
                return learner(**given)
            case {"float": str(text), **rest} if not rest and text in _SPECIAL_FLOATS:
                return _SPECIAL_FLOATS[text]
            case {"int": str(text), **rest} if not rest and _HEXADECIMAL.fullmatch(text):
                return int(text, 16)
        raise ModelFileError("it holds a value of an unknown kind")

    def _key(self, node: Json) -> Any:
        key = self.decode(node)
        if not isinstance(key, (str, int, float)):
            raise ModelFileError("a key in it is neither a string nor a number")
        return key

    def _dataclass(self, name: str, parts: dict[str, Json], depth: int) -> Any:
        cls = registry.resolve(name, registry.VALUES)
        known = {field.name: field for field in fields(cls) if field.init}
        for part in parts:
            if part not in known:
                raise ModelFileError(
                    f"its {name} has a field {part[:60]!r}, which this version does not know"
                )
        for part, field in known.items():
            if part not in parts and field.default is MISSING and field.default_factory is MISSING:
                raise ModelFileError(f"its {name} lacks the field {part!r}")
        values = {part: self.decode(node, depth) for part, node in parts.items()}
        tests = field_tests(cls)
        for part, found in values.items():
            if part in tests and not tests[part](found):
                wrong = "None" if found is None else describe(found)
                raise ModelFileError(f"the field {part!r} of its {name} is {wrong}, or has an invalid value")
        for part in values.keys() & float_fields(cls):
            values[part] = as_floats(values[part])
        value = cls(**values)
        check = getattr(value, "check", None)
        if callable(check):
            check()
        return value


def describe(value: Any) -> str:
    """Return a description of a value for an error message.

    Examples
    --------
    >>> describe(len), describe({1, 2}), describe(int)
    ('a function', 'a set', 'a class')
    """
    if isinstance(value, _FUNCTIONS):
        return "a function"
    if isinstance(value, type):
        return "a class"
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"
