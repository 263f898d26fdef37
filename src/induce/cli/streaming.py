"""`induce learn` on files too large for memory: learners that count take them in chunks."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.cli.learned import Learned
    from induce.data.dialect import Dialect

MOST_CELLS = 100_000_000
"""A Parquet file with more rows times columns is learned in chunks."""
MOST_BYTES = 1_000_000_000
"""So are other files with more bytes."""
COLUMNS = ("nominal", "numeric", "ignore", "schema")
SAMPLE = 50_000
"""Rows that the error is estimated from."""


def wants_chunks(data: str, learner: Any, told: bool | None) -> bool:
    """Say whether to learn in chunks: if told so, or if the file is large and the learner counts."""
    from induce.core.errors import InputError
    from induce.core.notes import note

    is_file = os.path.isfile(data)
    if told is False or (told is None and not (is_file and _is_large(data))):
        return False
    from induce.bayes import NaiveBayes

    counts = issubclass(learner, NaiveBayes)
    if told is None:
        if counts:
            note(f"{data!r} is large, so it is learned in chunks; --no-stream reads it as a whole")
        return counts
    if not counts:
        raise InputError(
            f"--stream is for learners that count, such as NaiveBayes, and {learner.__name__} needs all rows at "
            "once; leave it out"
        )
    if not is_file:
        raise InputError(f"--stream is for files, and {data!r} is none; leave it out")
    return True


def _is_large(path: str) -> bool:
    import polars as pl

    from induce.data.streams import opened, parts_of

    with opened(parts_of(path)[0]) as source:
        if source.format != "parquet":
            return os.path.getsize(path) > MOST_BYTES
    try:
        scan = pl.scan_parquet(path, glob=False)
        return int(scan.select(pl.len()).collect().item()) * len(scan.collect_schema()) > MOST_CELLS
    except pl.exceptions.PolarsError:  # reading it says what is wrong
        return False


def learned_in_chunks(
    learner: Any,
    parameters: dict[str, Any],
    path: str,
    target: str | None,
    columns: dict[str, Any],
    cv: int | None,
    seed: int,
    theory: bool,
) -> Learned:
    """Learn from a file chunk by chunk, and estimate the error on a sample of its rows."""
    from induce.bayes import learn_stream
    from induce.cli.learned import Learned, estimated
    from induce.cli.parameters import built
    from induce.cli.progress import bar
    from induce.cli.reading import dialect_of
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.chunks import rows_at_once
    from induce.data.names import listed
    from induce.data.reading import pieces

    reading = {name: value for name, value in columns.items() if name not in COLUMNS}
    if reading.pop("date_parts", None):
        raise InputError("--date-parts is not for files learned in chunks; leave it out, or say --no-stream")
    columns, dialect = {name: columns[name] for name in COLUMNS}, dialect_of(reading)
    names = next(pieces(path, dialect=dialect)).columns
    if target is None:
        raise InputError(f"say what to predict with --target; the columns are {listed(names)}")
    if theory:
        raise InputError("--theory looks at all rows at once; leave it out, or say --no-stream")
    model, rows = built(learner, parameters, seed=seed), rows_at_once(len(names))
    started = time.perf_counter()
    with bar("learning in chunks"):
        learn_stream(model, path, target, **columns, missing=dialect.missing, rows=rows, dialect=dialect)
    seconds = time.perf_counter() - started
    hypothesis = model.hypothesis_
    model.set_params(schema=hypothesis.schema)
    counts, estimate = hypothesis.class_counts, None
    if cv is not None or model.class_weight is not None:  # weights are no counts of rows
        X, y, counts = _sampled(hypothesis, path, dialect, seed, rows)
    if cv is not None:
        if len(X) < counts.sum():
            note(f"the error is estimated from {len(X):,} of the {counts.sum():,} rows, drawn at random")
        estimate = estimated(model, X, y, cv, seed)
    return Learned(model, _summary(hypothesis, path, counts, rows), seconds, estimate)


def _sampled(hypothesis: Any, path: str, dialect: Dialect, seed: int, rows: int) -> tuple[Any, Any, Any]:
    """Draw rows of a file at random; return them, their classes, and how many rows of each class there are.

    Every row gets a lot, and the lowest lots are kept.
    """
    import numpy as np
    import polars as pl

    from induce.data.chunks import ChunkedTable

    classes = hypothesis.classes
    counts = np.zeros(len(classes), np.int64)
    table = ChunkedTable(
        path, hypothesis.schema, hypothesis.target, classes, counts, dialect.missing, rows, dialect
    )
    random = np.random.default_rng(seed)
    X, y, lots = pl.DataFrame(), np.zeros(0, np.int64), np.zeros(0)
    for frame, labels in table:
        counts += np.bincount(labels, minlength=len(classes))
        drawn = random.random(len(labels))
        low = np.flatnonzero(drawn < (lots.max() if len(lots) == SAMPLE else 1.0))
        X = pl.concat([X, frame[low]]) if X.width else frame[low]
        y, lots = np.concatenate([y, labels[low]]), np.concatenate([lots, drawn[low]])
        kept = np.argsort(lots)[:SAMPLE]
        X, y, lots = X[kept], y[kept], lots[kept]
    return X, pl.Series(hypothesis.target, np.asarray(classes)[y]), counts


def _summary(hypothesis: Any, path: str, counts: Any, chunk: int) -> dict[str, Any]:
    """What is known of a file that was learned in chunks."""
    from induce.data.streams import title_of

    inputs = hypothesis.schema.inputs()
    rows = dict(zip(map(str, hypothesis.classes), counts.astype(int).tolist(), strict=True))
    return {
        "name": title_of(Path(path)),
        "rows": sum(rows.values()),
        "chunks": chunk,
        "target": hypothesis.target,
        "kinds": dict(Counter(column.kind for column in inputs)),
        "left_out": [column.name for column in hypothesis.schema if column.name not in inputs.names()],
        "classes": dict(sorted(rows.items(), key=lambda pair: -pair[1])),
    }
