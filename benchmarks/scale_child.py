"""One measurement on a folder of Parquet files, in a process of its own: its processor time and its memory.

It runs under any Python that has the peer: ``python scale_child.py TASK FOLDER [ENGINE]``. With the engine ``dask``
the work is done by two processes, whose times are added to that of this one.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

NUMBERS = [f"n{j}" for j in range(12)]
CATEGORIES = [f"c{j}" for j in range(8)]
DEPTH, LEAF = 10, 20


def naive_bayes(folder: str, where: Any = "serial") -> dict[str, Any]:
    """Count by naive Bayes, from the schema on."""
    import induce

    with induce.using(where):
        model = induce.NaiveBayes(numeric="normal").fit(induce.scan(folder, "y"))
    return {"rows": float(model.hypothesis_.class_counts.sum())}


def polars_group_by(folder: str) -> dict[str, Any]:
    """Group the same columns by class; domains and steps of numbers are not looked for."""
    import polars as pl

    lazy = pl.scan_parquet(f"{folder}/*.parquet")
    numbers = [
        each
        for name in NUMBERS
        for each in (
            pl.col(name).mean().alias(f"{name} mean"),
            pl.col(name).var().alias(f"{name} var"),
            pl.col(name).count().alias(f"{name} n"),
        )
    ]
    tables = [
        lazy.group_by("y").agg(numbers),
        *(lazy.group_by(name, "y").agg(pl.len()) for name in CATEGORIES),
    ]
    return {"tables": len(pl.collect_all(tables, engine="streaming"))}


def duckdb_group_by(folder: str) -> dict[str, Any]:
    """Do the same in DuckDB."""
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    rows = f"read_parquet('{folder}/*.parquet')"
    wanted = ", ".join(f"avg({name}), var_pop({name}), count({name})" for name in NUMBERS)
    connection.sql(f"select y, {wanted} from {rows} group by y").fetchall()
    for name in CATEGORIES:
        connection.sql(f"select {name}, y, count(*) from {rows} group by {name}, y").fetchall()
    return {"tables": 1 + len(CATEGORIES)}


def tree(folder: str, where: Any = "serial") -> dict[str, Any]:
    """Grow a tree of depth 10 on partitions."""
    import polars as pl

    import induce

    learner = induce.DecisionTreeClassifier(
        max_depth=DEPTH, min_samples_leaf=LEAF, nominal="subset", bins=255
    )
    with induce.using(where):
        learner.fit(induce.scan(folder, "y"))
    used, clock = _processor_time(where), time.perf_counter()
    test = pl.read_parquet(Path(folder).parent / "test.parquet")
    right = (learner.predict(test.drop("y")) == test["y"].to_numpy()).mean()
    return {
        "accuracy": float(right),
        "leaves": int((learner.hypothesis_.attribute < 0).sum()),
        "until": used,
        "clock": clock,
    }


def lightgbm(folder: str) -> dict[str, Any]:
    """Bin and grow a single tree of as many leaves by LightGBM; reading and coding are not counted."""
    import lightgbm as peer
    import numpy as np
    import polars as pl

    def coded(frame: Any) -> Any:
        numbers = frame.select(pl.col(NUMBERS).cast(pl.Float64)).to_numpy()
        codes = frame.select(
            pl.col(name).str.strip_prefix("v").cast(pl.Float64) for name in CATEGORIES
        ).to_numpy()
        return np.hstack([numbers, codes])

    frame = pl.read_parquet(f"{folder}/*.parquet")
    x, y = coded(frame), (frame["y"] == "yes").to_numpy()
    began = time.process_time()
    data = peer.Dataset(x, y, categorical_feature=list(range(len(NUMBERS), len(NUMBERS) + len(CATEGORIES))))
    settings = {
        "objective": "binary",
        "num_leaves": 2**DEPTH,
        "max_depth": DEPTH,
        "min_data_in_leaf": LEAF,
        "learning_rate": 1.0,
        "num_threads": 1,
        "verbose": -1,
    }
    booster = peer.train(settings, data, num_boost_round=1)
    used = time.process_time()
    test = pl.read_parquet(Path(folder).parent / "test.parquet")
    right = ((booster.predict(coded(test)) > 0.5) == (test["y"] == "yes").to_numpy()).mean()
    return {"accuracy": float(right), "until": used, "from": began}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    each.__name__: each for each in (naive_bayes, polars_group_by, duckdb_group_by, tree, lightgbm)
}


def main() -> None:
    """Run a task; compiled loops are loaded by a first run on few rows."""
    task, folder, where = TASKS[sys.argv[1]], sys.argv[2], sys.argv[3:]
    warnings.simplefilter("ignore")
    if where != ["dask"]:
        _measure(task, folder, *where)
        return
    from induce.core.dask_engine import local_cluster

    cluster = local_cluster(2)
    try:
        _measure(task, folder, cluster.client)
    finally:
        cluster.close()


def _measure(task: Callable[..., dict[str, Any]], folder: str, *where: Any) -> None:
    few = str(Path(folder).parent / "few")
    if task is not lightgbm:
        task(few, *where)
    if where and not isinstance(where[0], str):  # few rows do not reach every worker
        client = where[0]
        for worker in client.scheduler_info()["workers"]:
            client.submit(task, few, workers=[worker], pure=False).result()
    began, clock = _processor_time(*where), time.perf_counter()
    found = task(folder, *where)
    cpu = found.pop("until", _processor_time(*where)) - found.pop("from", began)
    wall = found.pop("clock", time.perf_counter()) - clock
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if where and not isinstance(where[0], str):
        found["workers"] = sorted(where[0].run(_most_memory).values())
    print(json.dumps({"cpu": cpu, "wall": wall, "memory": memory, **found}))


def _processor_time(where: Any = "serial") -> float:
    """Seconds of this process, and of the workers if there are any."""
    others = 0.0 if isinstance(where, str) else sum(where.run(time.process_time).values())
    return time.process_time() + others


def _most_memory() -> int:
    """The largest memory of a worker so far, in MB."""
    status = Path(f"/proc/{os.getpid()}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) // 1024 if found else 0


if __name__ == "__main__":
    main()
