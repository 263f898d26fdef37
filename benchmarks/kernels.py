"""Support vector machines beside libsvm and Weka's SMO: speed, memory, and accuracy on real tables."""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Listing, Row, Section, at_most, interleaved, run, seconds, speed

REPEATS = 3
PEER = "libsvm"
DIGITS = 3, 8
CACHE = 200
"""Megabytes of kernel values: the default of both."""
ROOM = 1_000
"""Megabytes beyond the kernel values that learning may take."""
TABLES = (
    *("adult-train", "anneal", "autos", "breast-cancer-wisconsin", "car", "colic"),
    *("credit.a", "dermatology", "heart.c", "promoters", "tic-tac-toe", "vote"),
)
"""Tables of the comparison, fixed beforehand: nominal, numeric and mixed, most of them with holes."""
BUILT = re.compile(r"Time taken to build model: ([\d.]+) seconds")
RBF = "weka.classifiers.functions.supportVector.RBFKernel"


def kernels(folder: Path | None, jar: Path | None, n: int = 10_000) -> Iterator[Section | Listing]:
    """Speed and memory first, then accuracy where there are tables."""
    yield Section(
        "Support vector machines: speed",
        f"{n:,} rows of 20 normal columns whose class is a noisy function of three, and as many digits "
        f"{DIGITS[0]} and {DIGITS[1]} of 784 pixels. C = 1 and a Gaussian kernel of the same width "
        "everywhere; `SVM` reads the table, merges duplicate rows and scales the columns itself, "
        "libsvm (scikit-learn's `SVC`) gets scaled columns. Both stop at a tolerance of 0.001 and "
        f"cache {CACHE} MB of kernel values. Best of {REPEATS}, in turn.",
        tuple(_speed(folder, jar, n)),
    )
    yield Section(
        "Support vector machines: memory",
        "Each measurement runs in a fresh process: peak memory during learning minus the memory held "
        "just before, tables included. Even digits are separated from odd ones in 3,000 steps; memory "
        "stays constant afterwards.",
        tuple(_memory(folder)),
    )
    if folder is not None:
        yield accuracy(folder)


def noisy(n: int, seed: int = 0) -> tuple[Any, Any]:
    """Normal columns, and a class that three of them and chance decide."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 20))
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * random.normal(size=n) > 0, "above", "below")


def images(folder: Path) -> tuple[Any, Any]:
    """The training digits, pixels from 0 to 1."""
    with gzip.open(folder / "mnist" / "train-images-idx3-ubyte.gz") as file:
        X = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784) / 255.0
    with gzip.open(folder / "mnist" / "train-labels-idx1-ubyte.gz") as file:
        return X, np.frombuffer(file.read(), np.uint8, offset=8)


def _speed(folder: Path | None, jar: Path | None, n: int) -> Iterator[Row]:
    from sklearn.preprocessing import StandardScaler

    from induce.kernels import SVM, Subsequence

    X, y = noisy(n)
    SVM().fit(*noisy(3_000, 1))  # loads what is compiled
    yield from _beside(f"{n:,} rows of 20 columns", X, StandardScaler().fit_transform(X), y, {}, 1.5)
    if jar is not None:
        Z = StandardScaler().fit_transform(X)
        ours = interleaved(1, {"induce": lambda: SVM().fit(X, y)})["induce"][0]
        yield speed(f"{n:,} rows of 20 columns", ours, "Weka SMO", weka_smo(jar, Z, y, 1 / 20), 50)
    if folder is not None:
        X, digits = images(folder)
        some = np.flatnonzero(np.isin(digits, DIGITS))[:n]
        yield from _beside(
            f"{len(some):,} digits of 784 pixels",
            X[some],
            X[some],
            digits[some].astype(str),
            {"scale": None},
            5,
        )
    letters = np.random.default_rng(0).choice(list("abcdefghijklmnopqrstuvwxyz"), (500, 100))
    texts = ["".join(row) for row in letters]
    kernel = Subsequence(4)
    kernel(texts[:20])
    start = time.process_time()
    kernel(texts)
    took = time.process_time() - start
    yield at_most(
        "subsequences of length 4, all pairs of 500 strings of 100 letters (processor time)", took, 10
    )


def _beside(what: str, X: Any, scaled: Any, y: Any, settings: dict[str, Any], least: float) -> Iterator[Row]:
    """Both in turn, and that both found the same optimum."""
    from sklearn.svm import SVC

    from induce.kernels import SVM

    found = interleaved(
        REPEATS,
        {
            "ours": lambda: SVM(cache_size=CACHE, **settings).fit(X, y),
            PEER: lambda: SVC(cache_size=CACHE).fit(scaled, y),
        },
    )
    yield speed(what, found["ours"][0], PEER, found[PEER][0], least)
    ours, theirs = found["ours"][1], found[PEER][1]
    a = theirs.dual_coef_[0]
    vectors = theirs.support_vectors_
    square = np.einsum("ij,ij->i", vectors, vectors)
    K = np.exp(-theirs._gamma * np.maximum(0, square[:, None] + square - 2 * vectors @ vectors.T))
    objective = float(np.abs(a).sum() - 0.5 * a @ K @ a)
    mine = ours.hypothesis_.separators[0].objective
    apart = abs(mine - objective) / objective
    yield Row(
        f"{what}: dual objective",
        f"{mine:.4f}",
        f"{PEER} {objective:.4f}",
        f"{apart:.1e} apart",
        "≤ 1e-06",
        apart <= 1e-6,
    )
    yield Row(
        f"{what}: support vectors", f"{len(ours.hypothesis_.rows):,}", f"{PEER} {len(theirs.support_):,}"
    )


def weka_smo(jar: Path, X: Any, y: Any, gamma: float) -> float:
    """Seconds that Weka says its SMO took to build."""
    import polars as pl

    from benchmarks.weka import write_arff

    with tempfile.TemporaryDirectory() as work:
        path = Path(work, "train.arff")
        frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(X.shape[1])}).with_columns(
            pl.Series("class", y)
        )
        write_arff(path, frame, {"class": sorted(set(y.tolist()))})
        options = ["-no-cv", "-v", "-t", str(path), "-N", "2", "-K", f"{RBF} -G {gamma} -C 250007"]
        text = run(["java", "-Xmx4g", "-cp", str(jar), "weka.classifiers.functions.SMO", *options]).stdout
    match = BUILT.search(text)
    if match is None:
        raise SystemExit(f"Weka did not say how long it took:\n{text[:500]}")
    return float(match[1])


# --- memory


def _memory(folder: Path | None) -> Iterator[Row]:
    cases = {"60,000 rows of 20 columns": ["noisy"]}
    if folder is not None:
        cases["60,000 digits of 784 pixels"] = ["digits", str(folder)]
    for what, arguments in cases.items():
        done = run([sys.executable, "-m", "benchmarks.kernels", *arguments])
        found = json.loads(done.stdout.splitlines()[-1])
        yield Row(
            f"{what}, {found['steps']:,} steps in {seconds(found['seconds'])}",
            f"{found['megabytes']:,.0f} MB",
            target=f"≤ {CACHE + ROOM:,} MB",
            holds=found["megabytes"] <= CACHE + ROOM,
        )


def measure(kind: str, folder: str = "") -> dict[str, float]:
    """Learn from 60,000 rows in this process: megabytes, seconds, steps."""
    from benchmarks.child import _status
    from induce.kernels import SVM

    SVM().fit(*noisy(3_000, 1))  # loads what is compiled
    if kind == "noisy":
        X, y = noisy(60_000)
        learner = SVM(cache_size=CACHE)
    else:
        X, digits = images(Path(folder))
        y = digits % 2
        learner = SVM(cache_size=CACHE, scale=None, max_iter=3_000)
    before, start = _status("VmRSS"), time.perf_counter()
    with warnings.catch_warnings(action="ignore"):
        learner.fit(X, y)
    return {
        "megabytes": _status("VmHWM") - before,
        "seconds": time.perf_counter() - start,
        "steps": learner.n_iter_,
    }


# --- accuracy


def accuracy(folder: Path) -> Listing:
    """`SVM` and `SVC` behind a pipeline, both with their defaults, on the same folds."""
    from benchmarks.comparison import Outcome, Pair, holm, over_tables, verdict
    from benchmarks.tables import FOLDS, describe, read_problems

    pairs = []
    for problem in read_problems(folder):
        name = problem.name.partition(" (")[0]
        if name not in TABLES:
            continue
        print(f"  SVM and SVC: {problem.name}", file=sys.stderr, flush=True)
        right = _validated(problem, FOLDS)
        pairs.append(Pair(describe(problem), *(Outcome.of(each, 0, 0) for each in right)))
    lines = []
    for pair, p in zip(pairs, holm([pair.p_value() for pair in pairs]), strict=True):
        mine, other = pair.alone
        said = f"{pair.difference:+.2f}", f"{mine} : {other}", f"{p:.3f}", verdict(pair.difference, p)
        lines.append((*pair.table, f"{pair.ours.accuracy:.2%}", f"{pair.theirs.accuracy:.2%}", *said))
    return Listing(
        "SVM and scikit-learn's SVC on real tables",
        "Ten-fold stratified cross-validation, both with their defaults (Gaussian kernel, C = 1) on "
        "the same folds. `SVC` is the last step of a pipeline: missing numeric values are replaced by "
        "the median and numeric columns are standardised; nominal columns are one-hot encoded, with "
        "missing as a category of its own. p is the two-sided p-value of McNemar's exact test with "
        "Holm's correction.",
        (
            "table",
            "rows",
            "columns",
            "classes",
            "missing",
            "SVM",
            "SVC",
            "difference",
            "right alone",
            "p",
            "SVM is",
        ),
        tuple(lines),
        over_tables(pairs, ("SVM", "SVC")),
    )


def _validated(problem: Any, n_folds: int) -> Any:
    """Which rows each of the two gets right when they are held out."""
    from induce.kernels import SVM

    X, y = problem.data
    frame = X.to_pandas()
    nominal = [column.name for column in problem.data.input_schema if column.kind == "nominal"]
    numeric = [name for name in X.columns if name not in nominal]
    frame[nominal] = frame[nominal].astype(object).where(frame[nominal].notna(), "missing").astype(str)
    right = np.zeros((2, len(y)), bool)
    for k in range(n_folds):
        train, test = problem.fold != k, problem.fold == k
        with warnings.catch_warnings(action="ignore"):
            ours = SVM().fit(X.filter(train), y.filter(train)).predict(X.filter(test))
            theirs = (
                _pipeline(nominal, numeric).fit(frame[train], problem.classes[train]).predict(frame[test])
            )
        right[:, test] = (
            np.asarray(ours).astype(str) == problem.classes[test],
            theirs == problem.classes[test],
        )
    return right


def _pipeline(nominal: list[str], numeric: list[str]) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.svm import SVC

    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    values = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(make_column_transformer((numbers, numeric), (values, nominal)), SVC())


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
