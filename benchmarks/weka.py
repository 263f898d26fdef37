"""Weka's J48 in a process of its own."""

from __future__ import annotations

import csv
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import run

DRIVER = Path(__file__).with_name("FoldsOfJ48.java")
J48 = "weka.classifiers.trees.J48"
BUILT = re.compile(r"Time taken to build model: ([\d.]+) seconds")
SIZE = re.compile(r"Size of the tree :\s+(\d+)")


@dataclass(frozen=True)
class J48Run:
    """What one run of Weka said: seconds of building and of the whole process, nodes of the tree."""

    build: float
    process: float
    n_nodes: int


def find_jar(given: str | None) -> Path:
    """The archive given, or the one inside an installed python-weka-wrapper3."""
    if given is not None:
        jar = Path(given)
    else:
        spec = find_spec("weka")
        folders = list(spec.submodule_search_locations or []) if spec is not None else []
        jar = Path(folders[0], "lib", "weka.jar") if folders else Path("weka.jar")
    if not jar.is_file():
        raise SystemExit(f"{jar} is no file: install python-weka-wrapper3 or give weka.jar with --weka")
    return jar


def j48(jar: Path, train: Path, test: Path) -> J48Run:
    """Learn, print the tree, and test it."""
    start = time.perf_counter()
    text = _java(jar, [J48, "-v", "-t", str(train), "-T", str(test)])
    process = time.perf_counter() - start
    return J48Run(_found(BUILT, text), process, int(_found(SIZE, text)))


def j48_predictions(jar: Path, train: Path, test: Path) -> tuple[str, ...]:
    """The class J48 gives each test row; a run that prints predictions does not print its time."""
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "said.csv")
        output = f"weka.classifiers.evaluation.output.prediction.CSV -suppress -file {said}"
        _java(jar, [J48, "-t", str(train), "-T", str(test), "-classifications", output])
        with said.open(encoding="utf-8", newline="") as file:
            return tuple(row["predicted"].partition(":")[2] for row in csv.DictReader(file))


@dataclass(frozen=True, eq=False)
class Validation:
    """J48 on the folds of a table: the code of the class it gives each row, nodes and leaves of each tree."""

    codes: Any
    nodes: tuple[int, ...]
    leaves: tuple[int, ...]


def cross_validated_j48(jar: Path, tables: Sequence[Path], folds: Sequence[Any]) -> list[Validation]:
    """Cross-validate J48 on ARFF tables, the class last, in one process; `folds` say where each row is tested."""
    for table, fold in zip(tables, folds, strict=True):
        Path(f"{table}.folds").write_text("".join(f"{k}\n" for k in fold), encoding="utf-8")
    said = [
        list(map(int, line.split())) for line in _java(jar, [str(DRIVER), *map(str, tables)]).splitlines()
    ]
    found = []
    for number, fold in enumerate(folds):
        lines = [rest for table, *rest in said if table == number]
        codes = np.full(len(fold), -1)
        for k, _, _, *given in lines:
            codes[np.asarray(fold) == k] = given
        _, nodes, leaves = zip(*(line[:3] for line in lines), strict=True)
        found.append(Validation(codes, nodes, leaves))
    return found


def build_several(jar: Path, train: Path, times: int) -> float:
    """Seconds of building the same tree several times in one virtual machine.

    Weka's `Vote` builds its members on the same rows one after the other; taking a short run off a long one
    leaves builds by a virtual machine that is warm.
    """
    members = [part for _ in range(times) for part in ("-B", J48)]
    options = ["-no-cv", "-v", "-t", str(train)]
    return _found(BUILT, _java(jar, ["weka.classifiers.meta.Vote", *options, *members]))


def write_arff(path: Path, frame: Any, domains: dict[str, Sequence[str]]) -> None:
    """Write a polars frame; columns with a domain are nominal, the others numeric, nulls become ``?``."""
    lines = ["@relation benchmark"]
    for name in frame.columns:
        kind = "{" + ",".join(map(_quoted, domains[name])) + "}" if name in domains else "numeric"
        lines.append(f"@attribute {_quoted(name)} {kind}")
    lines.append("@data")
    for row in frame.iter_rows():
        lines.append(",".join("?" if cell is None else _quoted(str(cell)) for cell in row))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w.<>=-]+", text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _java(jar: Path, arguments: list[str]) -> str:
    return run(["java", "-cp", str(jar), *arguments]).stdout


def _found(pattern: re.Pattern[str], text: str) -> float:
    match = pattern.search(text)
    if match is None:
        raise SystemExit(f"Weka did not say {pattern.pattern!r}:\n{text[:500]}")
    return float(match[1])
