"""Nearest neighbours: time and memory beside scikit-learn, Weka, faiss and hnswlib; errors on promoters."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import induce
from benchmarks.measure import TIMES, Row, Section, at_most, in_child, run, seconds, speed

SHAPES = ("Gaussian", "uniform", "clustered")
N, WIDTH, QUERIES, K = 100_000, 10, 10_000, 5
REPEATS = 3
SIZES, WIDTHS, ASKED = (1_000, 10_000, 100_000), (5, 10, 20), 1_000
MIXED_WIDTH, HOLES, WEKA_QUERIES = 20, 0.05, 100
LEFT_OUT = 20_000
HASHED_WIDTH, CLUSTERS, RECALL = 128, 1_000, 0.95
SERVED = Path(__file__).parent / "peers" / "served" / "approximate.py"


def draw(shape: str, n: int, width: int, seed: int = 0) -> Any:
    """Points of a shape: normal, uniform in a cube, or around 100 centres."""
    rng = np.random.default_rng(seed)
    if shape == "uniform":
        return rng.random((n, width))
    points = rng.normal(size=(n, width))
    return (
        points
        if shape == "Gaussian"
        else points + (rng.normal(size=(100, width)) * 10)[rng.integers(0, 100, n)]
    )


def neighbors(
    folder: Path | None, jar: Path | None, approximate: str | None, n: int = N, queries: int = QUERIES
) -> Iterator[Section]:
    """All comparisons of nearest neighbours; those whose peer or data is not there are left out."""
    yield _numbers(n, queries)
    yield predicting([size for size in SIZES if size <= n], min(ASKED, queries))
    yield _mixed(n, queries, jar)
    yield _left_out(min(n, LEFT_OUT))
    yield _hashed(n, queries, approximate)
    if folder is not None:
        yield _promoters(folder)


def _numbers(n: int, queries: int) -> Section:
    rows, ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            points = draw(shape, n + queries, WIDTH)
            np.save(Path(folder, "X.npy"), points[:n])
            np.save(Path(folder, "Q.npy"), points[n:])
            found = _in_turn(("induce", "kd_tree", "brute"), folder, K)
            ours, tree, brute = (found[name] for name in ("induce", "kd_tree", "brute"))
            name, peer = min((("k-d tree", tree), ("brute force", brute)), key=lambda each: each[1]["whole"])
            ratios.append(peer["whole"] / ours["whole"])
            rows += [
                speed(f"{shape}: fit and queries", ours["whole"], f"scikit-learn {name}", peer["whole"], 0.9),
                Row(
                    f"{shape}: queries alone, repeated",
                    seconds(ours["again"]),
                    f"scikit-learn {name} {seconds(peer['again'])}",
                    f"{peer['again'] / ours['again']:.2f}{TIMES}",
                ),
                Row(f"{shape}: selected search method", str(ours["chosen"])),
                Row(
                    f"{shape}: memory increase, peak",
                    _megabytes(ours),
                    f"k-d tree {_megabytes(tree)}; brute force {_megabytes(brute)}",
                ),
            ]
            same = np.array_equal(ours["places"], tree["places"])
            rows.append(Row(f"{shape}: neighbours", "the same" if same else "others", holds=same))
    mean = prod(ratios) ** (1 / len(ratios))
    rows.append(Row("geometric mean", "", "", f"{mean:.2f}{TIMES}", f"≥ 1.5{TIMES}", mean >= 1.5))
    return Section(
        f"Nearest neighbours of numeric rows: {n:,} {TIMES} {WIDTH}, {queries:,} queries, k = {K}",
        '`KNeighborsClassifier(5, metric="euclidean")` with its default search, compared with the '
        "faster of scikit-learn's k-d tree and brute force. Every run is a separate process on one "
        "thread (`OMP_NUM_THREADS=1` and similar variables, `n_jobs=1`), with the compiled loops "
        f"already loaded; the systems take turns, and the best of {REPEATS} counts. Our first query "
        "times include the trial that selects the search method. Memory is the increase in resident "
        "memory during fit and queries, and the peak of the process.",
        tuple(rows),
    )


def predicting(sizes: Sequence[int], queries: int) -> Section:
    """Predictions alone, from small tables to large ones, by processor time on one thread."""
    from sklearn.neighbors import KNeighborsClassifier
    from threadpoolctl import threadpool_limits

    rows = []
    with threadpool_limits(1):
        for shape in ("Gaussian", "clustered"):
            for width in WIDTHS:
                for n in sizes:
                    points = draw(shape, n + queries, width)
                    y = points[:n, 0] + points[:n, 1] > 0
                    ours = induce.KNeighborsClassifier(K, metric="euclidean").fit(points[:n], y)
                    theirs = KNeighborsClassifier(K, n_jobs=1).fit(points[:n], y)
                    taken = [_processor(learner, points[n:]) for learner in (ours, theirs)]
                    name = f"{shape}, {n:,} {TIMES} {width}"
                    rows.append(speed(name, taken[0], "scikit-learn", taken[1], 1.0))
    return Section(
        f"Nearest neighbours: {queries:,} predictions from small tables and large ones",
        '`KNeighborsClassifier(5, metric="euclidean").predict` and scikit-learn\'s, both with their '
        "default search, in one process on one thread, by processor time. The first predictions, "
        f"which try out the search methods, are excluded; the best of the following {REPEATS} counts.",
        tuple(rows),
    )


def _processor(learner: Any, queries: Any) -> float:
    """Seconds of the processor for predictions that are not the first ones."""
    learner.predict(queries)
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        learner.predict(queries)
        taken.append(time.process_time() - start)
    return min(taken)


def _in_turn(peers: tuple[str, ...], folder: str, k: int) -> dict[str, dict[str, Any]]:
    """Run each peer several times; of times the best, of the rest the last."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(REPEATS):
        for peer in peers:
            new = in_child("neighbors", peer, folder, k)
            for name in ("whole", "again"):
                new[name] = min(new[name], found.get(peer, new)[name])
            found[peer] = new
    return found


def mixed(n: int, width: int = MIXED_WIDTH) -> Any:
    """Rows with numeric and nominal columns in turn and holes, and a class that some of them decide."""
    rng = np.random.default_rng(0)
    columns = []
    for i in range(width):
        if i % 2 == 0:
            columns.append(pl.Series(f"x{i}", rng.normal(size=n)))
        else:
            domain = [f"v{k}" for k in range(2 + i // 2 % 5)]
            columns.append(pl.Series(f"x{i}", rng.choice(domain, n), pl.Enum(domain)))
    X = pl.DataFrame(columns)
    said = np.where((X["x0"] > 0) ^ (X["x1"] == "v1"), "yes", "no")
    holed = X.with_columns(
        pl.when(pl.Series(rng.random(n) < HOLES)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    return holed, pl.Series("class", said, pl.Enum(["no", "yes"]))


def _mixed(n: int, queries: int, jar: Path | None) -> Section:
    X, y = mixed(n + queries)
    rows = []
    induce.KNeighborsClassifier(K, algorithm="tiles").fit(X[:100], y[:100]).predict(X[:100])
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        learner = induce.KNeighborsClassifier(K).fit(X[:n], y[:n])
        fitted = time.perf_counter()
        said = learner.predict(X[n:])
        taken.append((fitted - start, time.perf_counter() - fitted))
    fit, predict = (min(each) for each in zip(*taken, strict=True))
    rows.append(Row("fit", seconds(fit)))
    rows.append(Row(f"{queries:,} queries", seconds(predict)))
    if jar is not None:
        each, codes = _weka(jar, X, y, n, min(WEKA_QUERIES, queries))
        rows.append(speed("one query", predict / queries, "Weka IBk", each, 3))
        agree = np.mean(np.array(["no", "yes"])[codes] == said[: len(codes)])
        rows.append(Row("predictions that are the same", f"{agree:.1%}"))
    return Section(
        f"Nearest neighbours of mixed rows: {n:,} {TIMES} {MIXED_WIDTH}, {HOLES:.0%} missing values, k = {K}",
        "Half of the columns are normally distributed, half nominal with 2 to 6 values. "
        "`KNeighborsClassifier(5)` and Weka's `IBk -K 5` with their defaults, which use the same "
        "distance except for missing values; our query times include the trial that selects the "
        f"search method. Weka answers {WEKA_QUERIES} queries after {WEKA_QUERIES} warm-up queries; the "
        "time of a run with two queries is subtracted to exclude reading the file.",
        tuple(rows),
    )


def _weka(jar: Path, X: Any, y: Any, n: int, queries: int) -> tuple[float, Any]:
    """Seconds of a query of Weka's IBk, and the classes it says."""
    from benchmarks.peers.exchange import Given
    from benchmarks.peers.learners import command_of, written
    from benchmarks.peers.process import Process

    data = induce.read(X.with_columns(y), target="class")
    schema = data.input_schema

    def given(frame: Any, classes: Any) -> Given:
        return Given.of(frame, schema, ["no", "yes"], None if classes is None else classes.to_list())

    with tempfile.TemporaryDirectory() as folder, Process(command_of("weka", str(jar))) as process:
        path = written(given(X[:n], y[:n]), process.command, folder)
        process.ask("learn", f"lazy.IBk -K {K}", path)
        taken = []
        for count in (queries, 2, queries, 2, queries):
            path = written(given(X[n : n + count], None), process.command, folder)
            start = time.perf_counter()
            codes = process.ask("predict", path)["codes"]
            taken.append(time.perf_counter() - start)
    return (min(taken[2], taken[4]) - min(taken[1], taken[3])) / (queries - 2), codes


def _left_out(n: int) -> Section:
    X = draw("Gaussian", n, WIDTH)
    y = X[:, 0] + X[:, 1] > 0
    induce.KNeighborsClassifier(K, algorithm="tiles").leave_one_out_predict(X[:200], y[:200])
    learner = induce.KNeighborsClassifier(K)
    start = time.perf_counter()
    said = learner.leave_one_out_predict(X, y)
    taken = time.perf_counter() - start
    return Section(
        f"Leave-one-out predictions of {n:,} {TIMES} {WIDTH} rows",
        "`KNeighborsClassifier(5).leave_one_out_predict` on normally distributed rows, with the "
        "default distance: each row is predicted from all others. The error is "
        f"{np.mean(said != y):.3f}.",
        (at_most("all rows", taken, 5.0),),
    )


def clusters(n: int, width: int = HASHED_WIDTH) -> Any:
    """Points around 1,000 centres, which are about as far apart as the points of each are, times four."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, width)) * 4
    return centres[rng.integers(0, CLUSTERS, n)] + rng.normal(size=(n, width))


def _hashed(n: int, queries: int, approximate: str | None) -> Section:
    from induce.instances import LSH

    points = clusters(n + queries)
    X, Q = points[:n], points[n:]
    y = np.arange(n) % 2 == 0
    exact = induce.KNeighborsClassifier(K, metric="euclidean", algorithm="blocks").fit(X, y)
    exact.kneighbors(Q[:10])
    start = time.perf_counter()
    truth = exact.kneighbors(Q)[1]
    theirs = time.perf_counter() - start
    start = time.perf_counter()
    index = LSH.around(X, k=K, c=4, failure=1 - RECALL).index(X)
    built = time.perf_counter() - start
    index.neighbors(Q[:100], K)
    start = time.perf_counter()
    found = index.neighbors(Q, K)[1]
    ours = time.perf_counter() - start
    share = recall(found, truth)
    rows = [
        speed("queries", ours, "exact, by matrix products", theirs, 5),
        Row("recall", f"{share:.3f}", target=f"≥ {RECALL}", holds=share >= RECALL),
        Row("rows examined per query", f"{index.looked_at(Q[:500]):.2%}"),
        Row("building", seconds(built)),
        Row("tables", str(index)),
    ]
    rows += [] if approximate is None else _approximate(approximate, X, Q, truth, ours)
    return Section(
        f"Hashing: {n:,} {TIMES} {HASHED_WIDTH} in {CLUSTERS:,} clusters, {queries:,} queries, k = {K}",
        "`LSH.around(X, k=5, c=4, failure=0.05)` compared with our exact search by matrix products "
        '(`algorithm="blocks"`), both on one thread. Recall is measured on all queries. faiss and '
        "hnswlib, where given, run on one thread too, with the fastest of their settings that reach "
        "the recall.",
        tuple(rows),
    )


def recall(found: Any, truth: Any) -> float:
    """The share of the true neighbours that was found."""
    pairs = zip(found.tolist(), truth.tolist(), strict=True)
    return float(np.mean([len(set(mine) & set(true)) / len(true) for mine, true in pairs]))


def _approximate(python: str, X: Any, Q: Any, truth: Any, ours: float) -> list[Row]:
    """faiss and hnswlib by a Python that has them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in (("X", X), ("Q", Q), ("truth", truth)):
            np.save(Path(folder, f"{name}.npy"), array)
        lines = run([python, str(SERVED), folder, str(K), str(RECALL)]).stdout.splitlines()
    return [
        Row(
            f"{each['name']}: queries; building, recall",
            seconds(ours),
            f"{seconds(each['query'])}; {seconds(each['build'])}, {each['recall']:.3f}",
            f"{each['query'] / ours:.2f}{TIMES}",
        )
        for each in map(json.loads, lines)
    ]


def _promoters(folder: Path) -> Section:
    X, y = induce.read(folder / "tables" / "promoters.csv", target="promoter", ignore=("name",))
    rows = []
    for metric, what in (("vdm", "value difference metric"), ("hamming", "overlap")):
        said = induce.KNeighborsClassifier(3, metric=metric).leave_one_out_predict(X, y)
        wrong = int((said != y.to_numpy()).sum())
        target = {"target": "≤ 13", "holds": wrong <= 13} if metric == "vdm" else {}
        rows.append(
            Row(f"3-NN, {what}: errors", f"{wrong} of {len(y)}", "13 (Towell and others 1990)", **target)
        )
    return Section(
        "Promoters, leave-one-out",
        "Three nearest neighbours on the 106 sequences of E. coli, 57 positions each. The distance "
        "used by the published 3-NN is not stated. The class frequencies of the value difference "
        "metric are recomputed without the sequence left out.",
        tuple(rows),
    )


def _megabytes(of: Mapping[str, Any]) -> str:
    return f"{of['peak'] - of['before']:,.0f} MB, {of['peak']:,.0f} MB"
