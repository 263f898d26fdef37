"""`induce learn` on files too large for memory: learners with additive statistics read them in chunks."""

from __future__ import annotations

import os
import time
from collections import Counter
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.cli.learned import Learned
    from induce.data.dataset import Dataset
    from induce.data.dialect import Dialect
    from induce.data.scanning import Scan

MOST_CELLS = 100_000_000
"""Maximum number of cells of a Parquet file that is learned as a whole."""
MOST_BYTES = 1_000_000_000
"""Maximum number of bytes of other files that are learned as a whole."""
COLUMNS = ("nominal", "numeric", "ignore", "schema")
SAMPLE = 50_000
"""Number of rows for estimating the error."""
SCANNING = 0.2
"""Fraction of the work that is reported as done once a table is scanned."""


def wants_chunks(data: str, learner: Any, told: bool | None, on: str | None = None) -> bool:
    """Return whether to learn in chunks: on request, or if the table is large and the learner has additive
    statistics.
    """
    from induce.core.errors import InputError
    from induce.core.notes import note

    there = is_file(data)
    counts = getattr(learner, "_learn_scan", None) is not None
    if on is not None and (told is False or not counts):
        why = "--no-stream reads all rows here" if counts else f"{learner.__name__} needs all rows at once"
        instead = "" if counts else f", or learn from a sample: --sample {SAMPLE}"
        raise InputError(f"--on is for learners that sum over partitions, and {why}; leave it out{instead}")
    told = True if on is not None else told
    if told is False or (told is None and not (there and is_large(data))):
        return False
    if told is None:
        if counts:
            note(f"{data!r} is large, so it is learned in chunks; --no-stream reads it as a whole")
        else:
            note(
                f"{data!r} is large and read as a whole, because {learner.__name__} needs all rows at once; "
                f"--sample {SAMPLE} learns from a sample"
            )
        return counts
    if not counts:
        raise InputError(
            f"--stream is for learners with additive statistics, such as NaiveBayes and C45, and {learner.__name__} "
            f"needs all rows at once; leave it out, or learn from a sample: --sample {SAMPLE}"
        )
    if not there:
        given = "--stream" if on is None else "--on"
        raise InputError(f"{given} is for files, and {data!r} is not a file; leave it out")
    return True


def is_file(data: str) -> bool:
    """Return whether a source is an address, a file, a folder, or a pattern that matches a file."""
    from induce.data.object_stores import is_address

    if is_address(data):
        return True
    return os.path.isfile(data) or os.path.isdir(data) or (bool(set(data) & set("*?[")) and bool(glob(data)))


def is_large(path: str) -> bool:
    """Return whether the files of a table are too large to be read as a whole."""
    import polars as pl

    from induce.data.streams import opened, parts_of

    cells = size = 0
    for part in parts_of(path):
        if not isinstance(part, str | Path):
            return False
        with opened(part) as source:
            if source.format != "parquet":
                size += os.path.getsize(part)
                continue
        try:
            scan = pl.scan_parquet(part, glob=False)
            cells += int(scan.select(pl.len()).collect().item()) * len(scan.collect_schema())
        except (pl.exceptions.PolarsError, OSError):  # reading it reports the problem
            return False
    return cells > MOST_CELLS or size > MOST_BYTES


def sampled_table(data: str, target: str | None, columns: dict[str, Any], rows: int, seed: int) -> Dataset:
    """Return a sample of about `rows` rows of a file, chosen by a hash of their number, as a table in memory."""
    from induce.cli.progress import bar
    from induce.cli.reading import dialect_of
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.scanning import scan

    if not is_file(data):
        raise InputError(f"--sample is for files, and {data!r} is not a file; leave it out")
    reading = {name: value for name, value in columns.items() if name not in COLUMNS}
    if reading.pop("date_parts", None) or reading.pop("labels", None):
        raise InputError("--sample reads neither date parts nor images; leave it out")
    dialect = dialect_of(reading)
    with bar("reading", lines=True):
        declared = {name: columns[name] for name in COLUMNS}
        source = scan(data, target, **declared, missing=dialect.missing, dialect=dialect)
        found = source.sample(rows, seed)
    if len(found) < len(source):
        note(f"{len(found):,} of the {len(source):,} rows are learned from, chosen by a hash of their number")
    return found


def learned_in_chunks(
    learner: Any,
    parameters: dict[str, Any],
    path: str,
    target: str | None,
    columns: dict[str, Any],
    cv: int | None,
    seed: int,
    theory: bool,
    on: str | None = None,
    resume: str | None = None,
    hold_out: float | None = None,
) -> Learned:
    """Learn from a table chunk by chunk, here or on workers, and estimate the error on a sample of its rows."""
    from induce.bayes import NaiveBayes, learn_stream
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
        raise InputError("--date-parts is not for files learned in chunks; leave it out, or give --no-stream")
    columns, dialect = {name: columns[name] for name in COLUMNS}, dialect_of(reading)
    names = next(pieces(path, dialect=dialect)).columns
    if target is None:
        raise InputError(f"name the column to predict with --target; the columns are {listed(names)}")
    if theory:
        raise InputError("--theory needs all rows at once; leave it out, or give --no-stream")
    model, rows = built(learner, parameters, seed=seed), rows_at_once(len(names))
    partitions = on is not None or resume is not None or hold_out is not None
    if partitions or not issubclass(learner, NaiveBayes):
        how = (cv, seed, on, resume, hold_out)
        return _learned_in_partitions(model, path, target, columns, dialect, *how)
    started = time.perf_counter()
    with bar("learning", lines=True):
        learn_stream(model, path, target, **columns, missing=dialect.missing, rows=rows, dialect=dialect)
    seconds = time.perf_counter() - started
    hypothesis = model.hypothesis_
    model.set_params(schema=hypothesis.schema)
    counts, estimate = hypothesis.class_counts, None
    if cv is not None or model.class_weight is not None:  # the weights do not count rows
        X, y, counts = _sampled(hypothesis, path, dialect, seed, rows)
    if cv is not None:
        if len(X) < counts.sum():
            note(f"the error is estimated from {len(X):,} of the {counts.sum():,} rows, drawn at random")
        estimate = estimated(model, X, y, cv, seed)
    return Learned(model, _summary(hypothesis, path, counts, rows), seconds, estimate)


def _learned_in_partitions(
    model: Any,
    path: str,
    target: str,
    columns: dict[str, Any],
    dialect: Dialect,
    cv: int | None,
    seed: int,
    on: str | None,
    resume: str | None,
    hold_out: float | None,
) -> Learned:
    """Learn by sums over partitions, optionally from a fraction of the rows, and test on the others."""
    from induce.cli.learned import Learned, estimated
    from induce.cli.progress import bar
    from induce.core.engines import using
    from induce.core.notes import note
    from induce.core.progress import phase
    from induce.data.scanning import scan

    started, test = time.perf_counter(), None
    with using(on or "serial", resume=resume), bar("learning", lines=True):
        with phase("scanning", 0, SCANNING):
            source = scan(path, target, **columns, missing=dialect.missing, dialect=dialect)
        learned_from, held = (source, None) if hold_out is None else source.held_out(hold_out)
        with phase("learning", SCANNING, 1):
            model.fit(learned_from)
        seconds = time.perf_counter() - started
        note(f"{len(source) / max(seconds, 1e-9):,.0f} rows per second")
    with using(on or "serial"):
        estimate = None
        if held is not None:
            test = held_out_test(model.hypothesis_, held, seed)
        elif cv is not None:
            X, y = source.sample(SAMPLE, seed)
            if len(X) < len(source):
                note(f"the error is estimated from {len(X):,} of the {len(source):,} rows, drawn at random")
            estimate = estimated(model, X, y, cv, seed)
    chunk = max(part.n_rows for part in source.parts)
    told = _summary(model.hypothesis_, path, source.layout.class_counts, chunk)
    if not source.classes:
        told |= _numbers(source)
    return Learned(
        model, told, seconds, estimate, test=test, tested="rows held out by a hash of their number"
    )


def held_out_test(hypothesis: Any, held: Scan, seed: int = 0, confidence: float = 0.95) -> Any:
    """Test a hypothesis on all held-out rows, or on a sample if there are very many."""
    from induce.core.notes import note
    from induce.evaluation.assessment import assess

    n_columns = max(1, len(held.schema.inputs()))
    X, y = held.sample(MOST_CELLS // n_columns, seed)
    note(f"tested on {len(X):,} rows held out by a hash of their number")
    inputs = X.select(hypothesis.schema.inputs().names())
    return assess(hypothesis, inputs, y.to_numpy(), confidence=confidence)


def _numbers(source: Scan) -> dict[str, Any]:
    """Return the range, mean and standard deviation of a numeric target, as a sample has them."""
    y = source.with_numbers().sample(SAMPLE).y.cast(float)
    told = {"range": [y.min(), y.max()], "mean": y.mean(), "standard_deviation": y.std()}
    return told | {"rows": len(source)}


def _sampled(hypothesis: Any, path: str, dialect: Dialect, seed: int, rows: int) -> tuple[Any, Any, Any]:
    """Draw rows of a file at random; return them, their classes, and the number of rows of each class.

    Every row gets a random number; the rows with the lowest numbers are kept.
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
    """Return the summary of a file that was learned in chunks."""
    from induce.data.streams import title_of

    inputs = hypothesis.schema.inputs()
    classes = getattr(hypothesis, "classes", ())
    rows = dict(zip(map(str, classes), counts.astype(int).tolist(), strict=True)) if classes else {}
    return {
        "name": title_of(Path(path)),
        "rows": sum(rows.values()),
        "chunks": chunk,
        "target": hypothesis.target,
        "kinds": dict(Counter(column.kind for column in inputs)),
        "left_out": [column.name for column in hypothesis.schema if column.name not in inputs.names()],
        "classes": dict(sorted(rows.items(), key=lambda pair: -pair[1])),
    }
