"""Libraries of cases and specifications as JSON files."""

from __future__ import annotations

import json
import os
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from induce.core.documents import DocumentError, json_of
from induce.core.errors import InputError
from induce.core.files import Path, write_whole
from induce.data.names import listed
from induce.instances.cases.case import Case
from induce.instances.cases.graphs import FunctionGraph, function_graph
from induce.instances.cases.library import CaseLibrary, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = 1
SHIPPED = FilePath(__file__).parent / "shipped"


def read_cases(source: Path) -> CaseLibrary:
    """Read a library of cases.

    Parameters
    ----------
    source : str or path-like
        Path of a JSON file, or ``"devices"``, an included library of mechanical and hydraulic parts.

    Raises
    ------
    InputError
        If the file cannot be read, is incomplete, or has an unknown sign or type or a duplicate name.

    Examples
    --------
    >>> print(read_cases("devices")["T-junction"].function)
    Q1 -> + Q3, Q2 -> + Q3, T1 -> + T3, T2 -> + T3
    """
    path = _found(source, "library")
    document = _document(path)
    _check_keys(document, path, ("types", "cases"), ("format", "name", "remark", "feedback"))
    if document.get("format", FORMAT) != FORMAT:
        raise InputError(f"{path!r} has format {document['format']!r}; give a file in format {FORMAT}")
    name = str(document.get("name", FilePath(path).stem))
    types = tuple((str(symbol), str(meaning)) for symbol, meaning in _table(document, "types", path).items())
    cases = tuple(
        _case(each, f"case {n} of {path!r}") for n, each in enumerate(_rows(document, "cases", path), 1)
    )
    verdicts = tuple(
        _verdict(each, f"feedback {n} of {path!r}")
        for n, each in enumerate(_rows(document, "feedback", path), 1)
    )
    return CaseLibrary(name, types, cases, verdicts)


def write_cases(library: CaseLibrary, path: Path) -> None:
    """Write a library of cases with its feedback."""
    document = {
        "format": FORMAT,
        "name": library.name,
        "types": dict(library.types),
        "cases": [
            {
                "name": case.name,
                "structure": case.structure,
                **({"properties": dict(case.properties)} if case.properties else {}),
                **_graph_document(case.function),
            }
            for case in library.cases
        ],
        "feedback": [
            {"case": verdict.case, "useful": verdict.useful, **_graph_document(verdict.specification)}
            for verdict in library.verdicts
        ],
    }
    write_whole(path, (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode())


def read_specification(source: Path) -> FunctionGraph:
    """Read a specification.

    Parameters
    ----------
    source : str or path-like
        Edges such as ``"C_f -> + Q_m"``, a JSON file, or ``"faucet"``, which is included: Mitchell's figure
        8.3, reconstructed from the text, which does not give the signs of all edges.

    Examples
    --------
    >>> len(read_specification("faucet").edges)
    10
    """
    if isinstance(source, str) and ("->" in source or "→" in source):
        return function_graph(source)
    path = _found(source, "specification")
    document = _document(path)
    _check_keys(document, path, ("function",), ("format", "name", "remark", "variables"))
    return _graph(document, path)


def _found(source: Path, what: str) -> str:
    """Return the path of a file, or of an included one by name."""
    name = os.fspath(source)
    if os.path.exists(name):
        return name
    folder = SHIPPED / what
    path = folder / f"{name}.json"
    if FilePath(name).name == name and path.exists():
        return str(path)
    known = listed(sorted(each.stem for each in folder.glob("*.json")))
    also = " or edges such as 'C_f -> + Q_m'" if what == "specification" else ""
    raise InputError(f"there is no file {name!r}; give a JSON file{also}, or the included {what}: {known}")


def _document(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            document = json_of(file.read())
    except OSError as error:
        raise InputError(f"cannot read {path!r} ({error.strerror}); give a JSON file") from error
    except UnicodeDecodeError:
        raise InputError(f"{path!r} is not UTF-8 text; give a JSON file") from None
    except DocumentError as error:
        raise InputError(f"{path!r} is not a complete JSON document ({error}); it may be truncated") from None
    if not isinstance(document, dict):
        raise InputError(
            f"{path!r} does not contain a JSON object; see the documentation of cases for the format"
        )
    return document


def _case(document: Any, where: str) -> Case:
    if isinstance(document, dict) and "name" in document:
        where = f"case {document['name']!r}"
    _check_keys(document, where, ("name", "structure", "function"), ("variables", "properties"))
    properties = _table(document, "properties", where)
    return Case(
        str(document["name"]),
        str(document["structure"]),
        _graph(document, where),
        tuple((str(name), str(value)) for name, value in properties.items()),
    )


def _verdict(document: Any, where: str) -> Verdict:
    _check_keys(document, where, ("case", "useful", "function"), ("variables",))
    if not isinstance(document["useful"], bool):
        raise InputError(f"'useful' in {where} is {document['useful']!r}; give true or false")
    return Verdict(_graph(document, where), str(document["case"]), document["useful"])


def _graph(document: dict[str, Any], where: str) -> FunctionGraph:
    function = document["function"]
    if not (isinstance(function, list) and all(isinstance(each, str) for each in function)):
        raise InputError(f"'function' in {where} is not a list of edges; give one such as ['C_f -> + Q_m']")
    types = {str(name): str(kind) for name, kind in _table(document, "variables", where).items()}
    try:
        return function_graph(function, types)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _graph_document(graph: FunctionGraph) -> dict[str, Any]:
    function: list[str] = [str(edge) for edge in graph.edges]
    usual = function_graph(function).type_of
    unusual = {name: kind for name, kind in graph.types if usual[name] != kind}
    return {"function": function, **({"variables": unusual} if unusual else {})}


def _check_keys(document: Any, where: str, needed: Iterable[str], others: Iterable[str]) -> None:
    if not isinstance(document, dict):
        raise InputError(f"{where} is not a JSON object; see the documentation of cases for the format")
    for key in needed:
        if key not in document:
            raise InputError(f"{where} has no {key!r}; add it")
    known = (*needed, *others)
    for key in document:
        if key not in known:
            raise InputError(f"{where} has the unknown key {key!r}; use {listed(known)}")


def _table(document: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    found = document.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{key!r} in {where} is not a JSON object; give names with their values")
    return found


def _rows(document: dict[str, Any], key: str, where: str) -> list[Any]:
    found = document.get(key, [])
    if not isinstance(found, list):
        raise InputError(f"{key!r} in {where} is not a list; put the {key} in brackets")
    return found
