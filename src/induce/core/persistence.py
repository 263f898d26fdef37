"""Model files: hypotheses and estimators saved as data, never as pickles."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, BinaryIO

import numpy as np

from induce.core import registry
from induce.core.archive import Archive, pack
from induce.core.codec import Array, Decoder, Encoder, describe
from induce.core.errors import InputError, ModelFileError
from induce.core.files import Path, write_whole
from induce.core.hypothesis import Hypothesis
from induce.core.reports import shortened

FORMAT = 1
"""Format version that `save` writes."""

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Functions that convert the document of a format version to the next version."""

_HYPOTHESIS_KEYS = {"format", "kind", "versions", "hypothesis"}
_ESTIMATOR_KEYS = _HYPOTHESIS_KEYS | {"class", "parameters", "state"}
_OPTIONAL_KEYS = {"provenance", "conformal"}


@dataclass(frozen=True, eq=False)
class ModelFile:
    """Contents of a model file.

    Parameters
    ----------
    hypothesis : Hypothesis
    learner : str or None
        Name of the learner; None if only a hypothesis was saved.
    provenance : dict
        Origin of the model: data and time, as `induce learn` records it; empty in older files.
    conformal : Conformal or None
        Basis of its prediction sets and intervals.
    versions : dict
        Versions of induce, numpy and Python that wrote the file.
    """

    hypothesis: Any
    learner: str | None
    provenance: dict[str, Any]
    conformal: Any
    versions: dict[str, Any]


def save(
    thing: Any, path: Path, *, provenance: Mapping[str, Any] | None = None, conformal: Any = None
) -> None:
    """Save a hypothesis or a fitted estimator as a model file.

    Parameters
    ----------
    thing : Hypothesis or estimator
        Hypothesis or estimator; for an estimator the parameters, the hypothesis and, if it can continue learning,
        its state are saved.
    path : str or path-like
        Path, usually ending in ``.induce``. The file is written completely or not at all.
    provenance : dict, optional
        Origin of the model: any JSON-serialisable value; by default that of the estimator.
    conformal : Conformal, optional
        Basis of prediction sets and intervals; by default that of the estimator.

    Raises
    ------
    InputError
        When the estimator is not fitted, when some part of it is not data (the message names it), or when the
        path cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tennis.induce")
    ...     save(tree, file)
    ...     again = load(file)
    >>> str(again.hypothesis_) == str(tree.hypothesis_)
    True
    """
    arrays: list[Array] = []
    document: dict[str, Any] = {"format": FORMAT, "kind": "hypothesis", "versions": _versions()}
    if isinstance(thing, Hypothesis):
        document["hypothesis"] = _encoded_hypothesis(thing, arrays)
    else:
        document |= _encoded_estimator(thing, arrays)
    conformal = getattr(thing, "conformal_", None) if conformal is None else conformal
    provenance = getattr(thing, "provenance_", None) if provenance is None else provenance
    if conformal is not None:
        document["conformal"] = Encoder("field", "leave it out", arrays).encode(conformal, "conformal")
    if provenance:
        document["provenance"] = _checked_json(dict(provenance))
    write_whole(path, pack(document, arrays))


def load(path: Path) -> Any:
    """Load an estimator or a hypothesis saved by `save`.

    Parameters
    ----------
    path : str or path-like
        Path of the model file.

    Raises
    ------
    ModelFileError
        When the file cannot be read, is damaged, or needs a newer version of induce.

    Examples
    --------
    >>> import os, tempfile
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tennis.induce")
    ...     save(induce.ID3().fit(X, y), file)
    ...     type(load(file)).__name__
    'ID3'
    """
    with _opened(path) as archive:
        document = _document(archive)
        decoder = Decoder(archive.array)
        hypothesis = _hypothesis(decoder, document)
        if document["kind"] == "hypothesis":
            loaded: Any = hypothesis
        else:
            loaded = _estimator(decoder, document, hypothesis)
        conformal = _conformal(decoder, document)
        archive.check_all_read()
        if document["kind"] == "estimator":
            if conformal is not None:
                loaded.conformal_ = conformal
            if document.get("provenance"):
                loaded.provenance_ = document["provenance"]
        return loaded


def load_model(path: Path, conformal: bool = True) -> ModelFile:
    """Load the full contents of a model file, without the estimator.

    Parameters
    ----------
    path : str or path-like
    conformal : bool
        Whether to load the basis of prediction sets and intervals, which needs scikit-learn.

    Raises
    ------
    ModelFileError
        When the file cannot be read, is damaged, or needs a newer version of induce.

    Examples
    --------
    >>> import os, tempfile
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tennis.induce")
    ...     save(induce.ID3().fit(X, y), file, provenance={"data": "play-tennis"})
    ...     found = load_model(file)
    >>> found.learner, found.provenance
    ('ID3', {'data': 'play-tennis'})
    """
    with _opened(path) as archive:
        document = _document(archive)
        decoder = Decoder(archive.array)
        hypothesis = _hypothesis(decoder, document)
        return ModelFile(
            hypothesis,
            document.get("class"),
            document.get("provenance") or {},
            _conformal(decoder, document) if conformal else None,
            document["versions"],
        )


def load_hypothesis(path: Path) -> Hypothesis:
    """Load only the hypothesis of a model file, without the estimator that learned it.

    It is faster than `load`, because learners import scikit-learn and hypotheses do not.

    Parameters
    ----------
    path : str or path-like
        Path of the model file.

    Raises
    ------
    ModelFileError
        When the file cannot be read, is damaged, or needs a newer version of induce.

    Examples
    --------
    >>> import os, tempfile
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tennis.induce")
    ...     save(induce.ID3().fit(X, y), file)
    ...     type(load_hypothesis(file)).__name__
    'Tree'
    """
    with _opened(path) as archive:
        return _hypothesis(Decoder(archive.array), _document(archive))


def _versions() -> dict[str, str]:
    return {"induce": _own_version(), "numpy": np.__version__, "python": platform.python_version()}


def _own_version() -> str:
    try:
        return version("induce")
    except PackageNotFoundError:  # run from the sources without being installed
        return "unknown"


def _encoded_hypothesis(hypothesis: Hypothesis, arrays: list[Array]) -> Any:
    advice = (
        "a hypothesis can hold numbers, strings, tuples, lists, dicts with string keys, "
        "arrays of numbers and registered dataclasses"
    )
    return Encoder("field", advice, arrays).encode(hypothesis, type(hypothesis).__name__)


def _encoded_estimator(estimator: Any, arrays: list[Array]) -> dict[str, Any]:
    name = registry.names_by_class(registry.ESTIMATORS).get(registry.target_of(type(estimator)))
    if name is None:
        raise InputError(
            f"a model file stores a hypothesis or a learner of induce, not {describe(estimator)}; save "
            "the learner itself or its `hypothesis_`"
        )
    hypothesis = getattr(estimator, "hypothesis_", None)
    if hypothesis is None:
        verb = "learn" if hasattr(estimator, "learn") else "fit"
        raise InputError(f"this {name} has learned nothing yet; call its `{verb}` before saving it")
    advice = "set it to a value that is plain data, or save only the `hypothesis_`"
    encoder = Encoder("parameter", advice, arrays)
    own = getattr(estimator, "_saved_parameters", None)
    given = estimator.get_params(deep=False) if own is None else own()
    parameters = {key: encoder.encode(value, key) for key, value in sorted(given.items())}
    state = estimator._resumable_state() if hasattr(estimator, "_resumable_state") else None
    return {
        "kind": "estimator",
        "class": name,
        "parameters": parameters,
        "hypothesis": _encoded_hypothesis(hypothesis, arrays),
        "state": Encoder("state", "save only the `hypothesis_`", arrays).encode(state, name),
    }


@contextmanager
def _opened(path: Path) -> Iterator[Archive]:
    """Open a model file; any problem is reported in one sentence that names the file."""
    shown = repr(os.fspath(path))
    try:
        with _file(path) as file, Archive(file) as archive:
            yield archive
    except ModelFileError as error:
        raise ModelFileError(f"cannot load {shown}: {error}") from error
    except ImportError as error:
        raise ModelFileError(f"cannot load {shown}: it needs a module that is missing ({error})") from error
    except MemoryError as error:
        raise ModelFileError(f"cannot load {shown}: there is not enough memory for it") from error
    except Exception as error:
        # a damaged file causes unrelated types of errors in zipfile, zlib, json, numpy and constructors
        raise ModelFileError(f"cannot load {shown}: it is damaged ({_summary(error)})") from error


def _file(path: Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelFileError(f"it cannot be read ({reason}); give the path of a model file") from error


def _summary(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return shortened(text, 201)


def _document(archive: Archive) -> dict[str, Any]:
    """Return the document of the file in the current format."""
    content = archive.document()
    document: dict[str, Any] = content if isinstance(content, dict) else {}
    found = document.get("format")
    if type(found) is not int or found < 1:
        raise ModelFileError("it does not declare its format version")
    if found > FORMAT:
        versions = document.get("versions")
        writer = versions.get("induce") if isinstance(versions, dict) else None
        needed = f"induce {writer[:30]!r}" if isinstance(writer, str) else "a newer induce"
        raise ModelFileError(
            f"it has format version {found} and this induce ({_own_version()}) reads up to version {FORMAT}; "
            f"install {needed}, which wrote it, or later"
        )
    for step in range(found, FORMAT):
        document = MIGRATIONS[step](document) | {"format": step + 1}
    expected = {"hypothesis": _HYPOTHESIS_KEYS, "estimator": _ESTIMATOR_KEYS}
    if document.keys() - _OPTIONAL_KEYS != expected.get(document["kind"]):
        raise ModelFileError("its description has missing or additional parts")
    if not isinstance(document.get("provenance", {}), dict):
        raise ModelFileError("its origin is not a table of names and values")
    return document


def _conformal(decoder: Decoder, document: dict[str, Any]) -> Any:
    """Return the basis of prediction sets and intervals; None if the file has none."""
    found = decoder.decode(document.get("conformal"))
    if found is not None and not hasattr(found, "coverage"):
        raise ModelFileError(f"its scores should be here, but it has {describe(found)}")
    return found


def _checked_json(provenance: dict[str, Any]) -> dict[str, Any]:
    try:
        json.dumps(provenance, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"the provenance cannot be written as JSON ({error}); give plain values") from None
    return provenance


def _hypothesis(decoder: Decoder, document: dict[str, Any]) -> Hypothesis:
    hypothesis = decoder.decode(document["hypothesis"])
    if not isinstance(hypothesis, Hypothesis):
        raise ModelFileError(f"its hypothesis should be here, but it has {describe(hypothesis)}")
    return hypothesis


def _estimator(decoder: Decoder, document: dict[str, Any], hypothesis: Hypothesis) -> Any:
    cls = registry.resolve(document["class"], registry.ESTIMATORS)
    parameters = {key: decoder.decode(node) for key, node in document["parameters"].items()}
    state = decoder.decode(document["state"])
    if not (state is None or isinstance(state, dict)):
        raise ModelFileError(f"its learner's state should be here, but it has {describe(state)}")
    estimator = cls(**parameters)
    check = getattr(estimator, "_check_parameters", None)
    if callable(check):
        check()
    estimator._restore(hypothesis, state)
    return estimator
