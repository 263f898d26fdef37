"""The Adult census, mixed and with holes, against Weka's J48."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import induce
from benchmarks.measure import Row, Section, in_child, interleaved, speed
from benchmarks.weka import J48Run, build_several, j48, j48_predictions, write_arff

PEER = "Weka J48"
TARGET = "income"
REPEATS = 3
FEW, MANY = 2, 5


def adult(folder: Path, jar: Path) -> Section:
    """Time, accuracy by a paired test, and size of the tree on the same rows."""
    files = [folder / "tables" / f"adult-{part}.csv" for part in ("train", "test")]
    train, test = (induce.read(file, target=TARGET) for file in files)
    with tempfile.TemporaryDirectory() as work:
        arff = [Path(work, f"{part}.arff") for part in ("train", "test")]
        domains = shared_domains(train, test)
        for path, data in zip(arff, (train, test), strict=True):
            write_arff(path, data.frame, domains)
        induce.C45().fit(train.X, train.y)  # loads what is compiled
        runs: list[J48Run] = []
        several: dict[int, list[float]] = {FEW: [], MANY: []}
        tasks = {
            "induce": lambda: induce.C45().fit(train.X, train.y),
            PEER: lambda: runs.append(j48(jar, *arff)),
            "process": lambda: in_child("adult", *files, TARGET),
            "few": lambda: several[FEW].append(build_several(jar, arff[0], FEW)),
            "many": lambda: several[MANY].append(build_several(jar, arff[0], MANY)),
        }
        found = interleaved(REPEATS, tasks)
        predictions = j48_predictions(jar, *arff)
    ours, tree = found["induce"]
    warm = (min(several[MANY]) - min(several[FEW])) / (MANY - FEW)
    truth = np.asarray(test.y.cast(str))
    right = np.asarray(tree.predict(test.X)) == truth
    other_right = np.asarray(predictions) == truth
    rows = (
        speed(f"{len(train):,} rows: build", ours, PEER, min(run.build for run in runs), 5),
        speed("build, with a warm JVM too", ours, PEER, warm),
        speed(
            "whole process: start, read, build, predict",
            found["process"][0],
            PEER,
            min(run.process for run in runs),
        ),
        paired(right, other_right),
        Row("nodes", f"{tree.hypothesis_.n_nodes:,}", f"{PEER} {runs[-1].n_nodes:,}"),
    )
    remark = (
        "`C45` and `J48` with their defaults on the same rows, from the CSV file (ours) and from an ARFF "
        f"file with the same values (J48's); {len(test):,} test rows. Best of {REPEATS} processes; the build "
        "time is the one Weka prints. Java keeps its own threads for compilation and garbage collection."
    )
    return Section("Adult census: mixed columns, missing values, pruning", remark, rows)


def shared_domains(*parts: Any) -> dict[str, Sequence[str]]:
    """The values of each nominal column in any of the data sets, in declared order."""
    domains: dict[str, dict[str, None]] = {}
    for data in parts:
        for column in data.schema:
            if column.kind == "nominal":
                domains.setdefault(column.name, {}).update(dict.fromkeys(map(str, column.domain)))
    return {name: tuple(values) for name, values in domains.items()}


def paired(right: Any, other_right: Any) -> Row:
    """McNemar's exact test on the rows that only one of the two got right: is ours lower?"""
    from scipy.stats import binomtest

    ours, theirs = int((right & ~other_right).sum()), int((~right & other_right).sum())
    p = float(binomtest(ours, ours + theirs, alternative="less").pvalue) if ours + theirs else 1.0
    return Row(
        f"test accuracy; right alone on {ours} and {theirs} rows",
        f"{right.mean():.2%}",
        f"{PEER} {other_right.mean():.2%}",
        f"p = {p:.3f} that ours is lower",
        "not lower at 5 %",
        p >= 0.05,
    )
