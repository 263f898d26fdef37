"""Tables in partitions: naive Bayes beside group-by, a tree beside LightGBM's, memory, threads and Dask workers."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import ROOT, TIMES, Row, Section, run, seconds

PER_FILE = 500_000
VALUES = (2, 3, 4, 5, 8, 12, 20, 40)
REPEATS = 2
TWO = {"threads:2": "two threads", "dask": "two Dask workers"}
"""Engines of two workers on this machine."""


def scale(n_rows: int, boosters: str | None) -> list[Section]:
    """Processor seconds on a generated folder of mixed rows with holes, each in a fresh process of one thread."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_rows(folder / "rows", n_rows)
        write_rows(folder / "few", min(n_rows, 300_000), seed=1)
        _rows(100_000, [9, 9]).write_parquet(folder / "test.parquet")
        found: dict[str, Any] = {}
        tasks = ["naive_bayes", "polars_group_by", "duckdb_group_by", "tree"]
        tasks += [f"{task} {engine}" for task in ("naive_bayes", "tree") for engine in TWO]
        for _ in range(REPEATS):
            for task in [*tasks, *(["lightgbm"] if boosters else [])]:
                python = boosters if task == "lightgbm" and boosters else sys.executable
                script = str(ROOT / "benchmarks" / "scale_child.py")
                name, *engine = task.split()
                done = run([python, "-P", script, name, str(folder / "rows"), *engine])
                here = json.loads(done.stdout.splitlines()[-1])
                if task not in found or here["cpu"] < found[task]["cpu"]:
                    found[task] = here
    rows = [
        _beside(
            "naive Bayes, schema and counts",
            found["naive_bayes"],
            "polars group-by",
            found["polars_group_by"],
            2.0,
        ),
        _beside("the same", found["naive_bayes"], "DuckDB group-by", found["duckdb_group_by"], None),
    ]
    tree = found["tree"]
    if "lightgbm" in found:
        peer = found["lightgbm"]
        rows.append(_beside("tree of depth 10: read, bin, grow", tree, "LightGBM: bin, grow", peer, 1.2))
        less = 100 * (peer["accuracy"] - tree["accuracy"])
        rows.append(
            Row(
                "its accuracy",
                f"{tree['accuracy']:.4f}",
                f"LightGBM {peer['accuracy']:.4f}",
                target="≥ -0.5 points",
                holds=less <= 0.5,
            )
        )
    for what, name in (("naive Bayes", "naive_bayes"), ("the tree", "tree")):
        rows.append(_memory(what, [found[name]["memory"]]))
        for engine, said in TWO.items():
            one, two = found[name], found[f"{name} {engine}"]
            rows += [
                _memory(f"{what}, {said}", [two["memory"], *two.get("workers", [])]),
                Row(
                    f"processor time of {what}, {said}",
                    seconds(two["cpu"]),
                    f"one {seconds(one['cpu'])}",
                    f"{two['cpu'] / one['cpu']:.2f}{TIMES}",
                    f"≤ 1.2{TIMES}",
                    two["cpu"] <= 1.2 * one["cpu"],
                ),
                Row(
                    f"wall time of {what}, {said}",
                    seconds(two["wall"]),
                    f"one {seconds(one['wall'])}",
                    f"{one['wall'] / two['wall']:.2f}{TIMES} faster",
                ),
            ]
    remark = (
        f"{n_rows:,} rows of 12 numeric and 8 categorical columns with missing values, in Parquet "
        f"files of {PER_FILE:,} rows; processor seconds in fresh single-threaded processes, the best "
        f"of {REPEATS}. The group-bys do less work: they infer no schema and no numeric resolution."
    )
    return [Section("Tables in partitions", remark, tuple(rows))]


def write_rows(folder: Path, n_rows: int, seed: int = 0) -> None:
    """Write a folder of Parquet files."""
    folder.mkdir()
    for number, start in enumerate(range(0, n_rows, PER_FILE)):
        here = min(PER_FILE, n_rows - start)
        _rows(here, [seed, number]).write_parquet(folder / f"part-{number:04d}.parquet")


def _rows(n: int, seed: list[int]) -> Any:
    """Return rows whose class depends on sums, on a product, and on numbers that matter only in some categories."""
    import polars as pl

    fixed, rng = np.random.default_rng(7), np.random.default_rng([7, *seed])
    effects = [fixed.normal(size=size) for size in VALUES]
    x = rng.normal(size=(n, 12))
    x[:, 3] = np.round(x[:, 3], 1)
    x[:, 4] = rng.integers(0, 30, n)
    x[:, 5] = np.exp(x[:, 5])
    x[:, 6] += 1e6
    codes = [rng.integers(0, size, n) for size in VALUES]
    score = 1.2 * x[:, 0] - x[:, 1] + 0.8 * (x[:, 2] > 0.3) * x[:, 7] + 0.05 * (x[:, 4] - 15)
    score += sum(0.5 * effect[code] for effect, code in zip(effects, codes, strict=True))
    score += 0.7 * np.where(codes[2] == 1, x[:, 8], -x[:, 9])
    label = rng.random(n) < 1 / (1 + np.exp(-0.8 * score))
    columns: dict[str, Any] = {}
    for j in range(12):
        gone = rng.random(n) < (0.03 if j % 3 == 0 else 0.0)
        columns[f"n{j}"] = pl.Series(np.where(gone, np.nan, x[:, j])).fill_nan(None)
    for j, (code, size) in enumerate(zip(codes, VALUES, strict=True)):
        names = np.array([f"v{k}" for k in range(size)], dtype=object)[code]
        names[rng.random(n) < (0.02 if j % 2 == 0 else 0.0)] = None
        columns[f"c{j}"] = pl.Series(names.tolist(), dtype=pl.String)
    columns["y"] = pl.Series(np.where(label, "yes", "no"))
    return pl.DataFrame(columns)


def _memory(what: str, megabytes: list[int]) -> Row:
    """A row on the largest memory of each process."""
    said = ", ".join(f"{each} MB" for each in megabytes)
    return Row(f"memory of {what}", said, target="≤ 1 GB", holds=max(megabytes) <= 1024)


def _beside(what: str, ours: dict[str, Any], peer: str, theirs: dict[str, Any], most: float | None) -> Row:
    """A row on processor time: how many times that of the peer."""
    ratio = ours["cpu"] / theirs["cpu"]
    return Row(
        what,
        seconds(ours["cpu"]),
        f"{peer} {seconds(theirs['cpu'])}",
        f"{ratio:.2f}{TIMES} its time",
        "" if most is None else f"≤ {most:g}{TIMES}",
        None if most is None else ratio <= most,
    )
