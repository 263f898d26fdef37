"""Naive Bayes: time and memory beside scikit-learn on mixed tables, on numbers and on texts; a file as a stream."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import induce
from benchmarks.measure import TIMES, Row, Section, in_child, seconds, speed

N, WIDTH, N_VALUES = 1_000_000, 20, 12
REPEATS = 3
WARM = 2_000
STREAM_ROWS, STREAM_WIDTH, STREAM_CHUNK = 50_000_000, 10, 1_000_000
MOST_MEMORY, LEAST_RATE = 1000.0, 1e6
NEWSGROUPS = "20-newsgroups.parquet"
MIXED_PEER = "OrdinalEncoder + CategoricalNB + GaussianNB"


def bayes(folder: Path | None, n: int = N, stream_rows: int = STREAM_ROWS) -> Iterator[Section]:
    """All comparisons of naive Bayes; texts only if the data are there."""
    with tempfile.TemporaryDirectory() as made:
        mixed(n).write_parquet(Path(made, "mixed.parquet"))
        yield _mixed(made, n)
        yield _numbers(made, n)
        yield _stream(made, stream_rows)
    if folder is not None:
        yield _texts(folder)


def mixed(n: int, width: int = WIDTH, seed: int = 0) -> pl.DataFrame:
    """Rows with strings in one half of their columns and numbers in the other, and a class that both depend on."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    values = pl.Series([f"value {k}" for k in range(N_VALUES)])
    columns = []
    for j in range(width // 2):
        edges = rng.dirichlet(np.ones(N_VALUES), 2).cumsum(axis=1)[labels]
        codes = np.minimum((edges < rng.random(n)[:, np.newaxis]).sum(axis=1), N_VALUES - 1)
        columns.append(values[codes].alias(f"s{j}"))
    columns += [pl.Series(f"n{j}", rng.normal(size=n) + 0.3 * labels) for j in range(width // 2)]
    return pl.DataFrame([*columns, pl.Series(["no", "yes"])[labels].alias("class")])


def _mixed(folder: str, n: int) -> Section:
    ours, theirs = _in_turn("mixed", folder)
    return Section(
        f"Naive Bayes on a mixed table: {n:,} {TIMES} {WIDTH}, half of the columns are strings",
        f"`NaiveBayes` on a polars frame, compared with scikit-learn's {MIXED_PEER} on arrays prepared "
        "in advance (objects and floats); the scores of the two models are added. Every run is a "
        "separate process on one thread (`POLARS_MAX_THREADS=1`, `OMP_NUM_THREADS=1` and similar "
        f"variables); the systems take turns, and the best of {REPEATS} counts. Memory is the increase "
        "in resident memory during fit and predict.",
        (
            speed("fit", ours["fit"], MIXED_PEER, theirs["fit"], 4.0),
            speed("predict", ours["predict"], MIXED_PEER, theirs["predict"], 3.0),
            _memory(ours, theirs),
            _same(ours, theirs),
        ),
    )


def _numbers(folder: str, n: int) -> Section:
    ours, theirs = _in_turn("numbers", folder)
    return Section(
        f"Naive Bayes on numeric columns only: {n:,} {TIMES} {WIDTH}",
        "`NaiveBayes` and scikit-learn's `GaussianNB` on the same array and the classes 0 and 1, measured as above.",
        (
            speed("fit", ours["fit"], "GaussianNB", theirs["fit"], 1.5),
            speed("predict", ours["predict"], "GaussianNB", theirs["predict"]),
            _memory(ours, theirs),
            _same(ours, theirs),
        ),
    )


def _texts(folder: Path) -> Section:
    ours, theirs = _in_turn("texts", folder)
    peer = "CountVectorizer + MultinomialNB"
    whole = [each["fit"] + each["predict"] for each in (ours, theirs)]
    return Section(
        "Naive Bayes on texts: 20 Newsgroups, 11,314 training posts and 7,532 predicted",
        f"`TextNaiveBayes` compared with scikit-learn's {peer}, both on lists of strings, measured as above.",
        (
            speed("fit and predict", whole[0], peer, whole[1], 1.5),
            speed("fit", ours["fit"], peer, theirs["fit"]),
            speed("predict", ours["predict"], peer, theirs["predict"]),
            Row("accuracy", f"{ours['accuracy']:.4f}", f"{peer} {theirs['accuracy']:.4f}"),
            _memory(ours, theirs),
            _same(ours, theirs),
        ),
    )


def _stream(folder: str, n: int) -> Section:
    path = Path(folder, "stream.parquet")
    write_stream(path, n)
    found = in_child("naive_bayes", "induce", "stream", path)
    rate = n / found["fit"]
    return Section(
        f"Naive Bayes from a stream: {n:,} {TIMES} {STREAM_WIDTH} in Parquet, half of the columns are strings",
        "`learn_stream` in a separate process, on one thread plus one that reads ahead: the first "
        "pass determines the domains, the second counts. There is no peer. Memory is the peak of the "
        "whole process.",
        (
            Row(
                "rows a second",
                f"{rate:,.0f}",
                target=f"≥ {LEAST_RATE:,.0f}",
                holds=rate >= LEAST_RATE,
            ),
            Row("time", seconds(found["fit"])),
            Row("CPU time of both threads", seconds(found["cpu"])),
            Row(
                "peak memory",
                f"{found['peak']:.0f} MB",
                target=f"< {MOST_MEMORY:.0f} MB",
                holds=found["peak"] < MOST_MEMORY,
            ),
        ),
    )


def write_stream(path: Path, n: int) -> None:
    """Write a large table chunk by chunk: the same rows over and over, as they are not what takes time."""
    parts = mixed(min(n, STREAM_CHUNK), STREAM_WIDTH)
    pl.concat([parts.lazy()] * max(1, n // STREAM_CHUNK)).sink_parquet(path, row_group_size=STREAM_CHUNK)


def _in_turn(kind: str, folder: str | Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Run both systems several times; of times the best, of the rest the last."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(REPEATS):
        for peer in ("induce", "scikit-learn"):
            new = in_child("naive_bayes", peer, kind, folder)
            for name in ("fit", "predict"):
                new[name] = min(new[name], found.get(peer, new)[name])
            found[peer] = new
    return found["induce"], found["scikit-learn"]


def _memory(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Row:
    added = [each["peak"] - each["before"] for each in (ours, theirs)]
    return Row(
        "memory added",
        f"{added[0]:.0f} MB",
        f"scikit-learn {added[1]:.0f} MB",
        f"{added[0] / max(added[1], 1.0):.2f}{TIMES}",
    )


def _same(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Row:
    share = float(np.mean([mine == other for mine, other in zip(ours["said"], theirs["said"], strict=True)]))
    return Row("predictions that agree", f"{100 * share:.4g} %", target="≥ 99.99 %", holds=share >= 0.9999)


# --- what runs in a process of its own -----------------------------------------------------------------------


def measured(peer: str, kind: str, data: str, status: Callable[[str], float]) -> dict[str, Any]:
    """Seconds of fit and predict, memory in MB before and at the peak, and some predictions."""
    if kind == "stream":
        from induce.bayes import learn_stream

        start, used = time.perf_counter(), time.process_time()
        learn_stream(induce.NaiveBayes(numeric="normal"), data, "class")
        taken, used = time.perf_counter() - start, time.process_time() - used
        return {"fit": taken, "cpu": used, "peak": status("VmHWM")}
    make = {"mixed": _mixed_task, "numbers": _numbers_task, "texts": _texts_task}[kind]
    train, test, fit, predict = make(peer, Path(data))
    predict(fit(*(each[:WARM] for each in train)), *(each[:WARM] for each in test))
    before = status("VmRSS")
    start = time.perf_counter()
    fitted = fit(*train)
    learned = time.perf_counter()
    said = predict(fitted, *test)
    done = time.perf_counter()
    found = {"fit": learned - start, "predict": done - learned, "before": before, "peak": status("VmHWM")}
    if kind == "texts":
        truth = pl.read_parquet(Path(data, NEWSGROUPS)).filter(split="test")["group"].to_numpy()
        found["accuracy"] = float((said == truth).mean())
    return {**found, "said": np.asarray(said)[:20_000].tolist()}


def _mixed_task(peer: str, folder: Path) -> Any:
    frame = pl.read_parquet(folder / "mixed.parquet")
    X, y = frame.drop("class"), frame["class"]
    if peer == "induce":
        return (
            (X, y),
            (X,),
            lambda X, y: induce.NaiveBayes(numeric="normal").fit(X, y),
            lambda bayes, X: bayes.predict(X),
        )
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.preprocessing import OrdinalEncoder

    half = X.width // 2
    strings, numbers = X[:, :half].to_numpy(), np.ascontiguousarray(X[:, half:].to_numpy())
    del X, frame

    def fit(strings: Any, numbers: Any, y: Any) -> Any:
        coder = OrdinalEncoder(dtype=np.int64)
        return coder, CategoricalNB().fit(coder.fit_transform(strings), y), GaussianNB().fit(numbers, y)

    def predict(fitted: Any, strings: Any, numbers: Any) -> Any:
        coder, nominal, numeric = fitted
        scores = nominal.predict_joint_log_proba(coder.transform(strings))
        scores += numeric.predict_joint_log_proba(numbers) - nominal.class_log_prior_
        return nominal.classes_[scores.argmax(axis=1)]

    return (strings, numbers, y.to_numpy()), (strings, numbers), fit, predict


def _numbers_task(peer: str, folder: Path) -> Any:
    frame = pl.read_parquet(folder / "mixed.parquet")
    half = frame[:, WIDTH // 2 : WIDTH].to_numpy()
    X, y = np.hstack([half, half[::-1]]), (frame["class"] == "yes").to_numpy().astype(np.int64)
    if peer == "induce":
        made: Callable[[], Any] = partial(induce.NaiveBayes, numeric="normal")
    else:
        from sklearn.naive_bayes import GaussianNB

        made = GaussianNB
    return (X, y), (X,), lambda X, y: made().fit(X, y), lambda bayes, X: bayes.predict(X)


def _texts_task(peer: str, folder: Path) -> Any:
    posts = pl.read_parquet(folder / NEWSGROUPS)
    train, test = (posts.filter(split=part) for part in ("train", "test"))
    texts, groups = train["text"].to_list(), train["group"].to_numpy()
    if peer == "induce":
        made: Callable[[], Any] = induce.TextNaiveBayes
    else:
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.naive_bayes import MultinomialNB
        from sklearn.pipeline import make_pipeline

        def made() -> Any:
            return make_pipeline(CountVectorizer(), MultinomialNB())

    return (
        (texts, groups),
        (test["text"].to_list(),),
        lambda X, y: made().fit(X, y),
        lambda bayes, X: bayes.predict(X),
    )
