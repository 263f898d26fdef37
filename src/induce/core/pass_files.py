"""Files of finished passes: results as JSON and arrays in the container of model files, never as pickles."""

from __future__ import annotations

import io
import platform
from importlib.metadata import version
from typing import Any

from induce.core.archive import Archive, pack
from induce.core.codec import Array, Decoder, Encoder, Json, describe
from induce.core.errors import ModelFileError
from induce.core.field_types import field_tests
from induce.core.pass_results import STORED, name_of

FORMAT = 1
"""Format version of the files."""


class _PassEncoder(Encoder):
    """Encoder that also accepts intermediate results."""

    def _container(self, value: Any, path: str, depth: int) -> Json:
        stored = STORED.get(name_of(type(value)))
        if stored is None or stored.cls is not type(value):
            return super()._container(value, path, depth)
        parts = {
            name: self.encode(part, f"{path}.{name}", depth) for name, part in stored.parts(value).items()
        }
        return {"value": name_of(stored.cls), "fields": parts}


class _PassDecoder(Decoder):
    """Decoder that also accepts intermediate results; learners are refused."""

    def decode(self, node: Json, depth: int = 0) -> Any:
        """Return the value of a `node`."""
        if isinstance(node, dict) and "learner" in node:
            raise ModelFileError("it holds a learner, which no pass returns")
        return super().decode(node, depth)

    def _dataclass(self, name: str, parts: dict[str, Json], depth: int) -> Any:
        stored = STORED.get(name)
        if stored is None:
            return super()._dataclass(name, parts, depth)
        values = {part: self.decode(node, depth) for part, node in parts.items()}
        tests = field_tests(stored.cls) if stored.is_by_field else {}
        for part, found in values.items():
            if part in tests and not tests[part](found):
                raise ModelFileError(f"the field {part[:60]!r} of its {name} is {describe(found)}")
        try:
            return stored.made(values)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(f"its {name} has wrong fields ({type(error).__name__})") from None


def packed(result: Any) -> bytes:
    """Return the result of a pass as the bytes of a file.

    Raises
    ------
    InputError
        If it contains a value that is not plain data, an array or an instance of a listed class.

    Examples
    --------
    >>> import numpy as np
    >>> unpacked(packed((np.arange(3), {"rows": 7})))
    (array([0, 1, 2]), {'rows': 7})
    """
    arrays: list[Array] = []
    found = _PassEncoder("result", "return plain values and arrays", arrays).encode(result, "pass")
    versions = {"induce": version("induce"), "python": platform.python_version()}
    return pack({"pass": FORMAT, "versions": versions, "result": found}, arrays, compressed=False)


def unpacked(data: bytes) -> Any:
    """Return the result stored in the bytes of a file, which are treated as untrusted input.

    Raises
    ------
    ModelFileError
        If they are not the complete file of a pass.

    Examples
    --------
    >>> import pickle
    >>> unpacked(pickle.dumps(7))
    Traceback (most recent call last):
    induce.core.errors.ModelFileError: it is not a file of this kind, or only part of one
    """
    try:
        with Archive(io.BytesIO(data)) as archive:
            document = archive.document()
            if not isinstance(document, dict) or document.keys() != {"pass", "versions", "result"}:
                raise ModelFileError("its description has parts missing or too many")
            if document["pass"] != FORMAT:
                raise ModelFileError(f"it has format version {str(document['pass'])[:20]}, not {FORMAT}")
            result = _PassDecoder(archive.array).decode(document["result"])
            archive.check_all_read()
            return result
    except ModelFileError as error:
        if "not a model file" in str(error):
            raise ModelFileError("it is not a file of this kind, or only part of one") from None
        raise
    except Exception as error:
        # the errors that a damaged file causes in zipfile, json, numpy and constructors have no common type
        raise ModelFileError(f"it is damaged ({type(error).__name__})") from error
