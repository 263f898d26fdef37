"""Learning from a file in chunks, with bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from induce.bayes.learners.naive_bayes import NaiveBayes
from induce.bayes.learners.text_naive_bayes import TextNaiveBayes
from induce.core.errors import InputError
from induce.core.passes import RowCount
from induce.core.progress import report
from induce.data.chunks import chunked
from induce.data.dialect import MISSING_TOKENS, Dialect
from induce.data.frames import raw_frame
from induce.data.schema_overrides import SchemaLike
from induce.estimators import ClassReading
from induce.estimators.scale import class_weights

Learner = TypeVar("Learner", bound=NaiveBayes)


def learn_stream(
    learner: Learner,
    source: str | Path | Sequence[str | Path],
    target: str,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: SchemaLike = None,
    missing: Sequence[str] = MISSING_TOKENS,
    rows: int | None = None,
    dialect: Dialect | None = None,
) -> Learner:
    """Learn from a file chunk by chunk, in two passes: one determines domains and classes, one counts.

    The hypothesis equals that of `fit` on the whole table, up to rounding; intervals of numeric columns are
    those of the first chunk. With kernels, all numbers are stored, and with texts all words, so memory grows
    with them.

    Parameters
    ----------
    learner : NaiveBayes or TextNaiveBayes
        Learner; its previous hypothesis is replaced.
    source : path or list of paths
        File that `induce.read` can read; only the necessary columns of Parquet files are read.
    target : str
        Target column. Rows without a target are left out, with a note.
    nominal : sequence of str
        Names of columns to treat as nominal.
    numeric : sequence of str
        Names of columns to treat as numeric.
    ignore : sequence of str
        Names of columns to leave out.
    schema : Schema, dict or path, optional
        Declarations of columns: kind, domain, ordered, role, cost, taxonomy; a path names a TOML or JSON
        file.
    missing : sequence of str
        Markers of missing values, besides null and NaN.
    rows : int, optional
        Maximum number of rows in memory; by default half a million, or fewer for a table with many columns.
    dialect : Dialect, optional
        File format, if it cannot be inferred; see `induce.data.dialect.Dialect`.

    Returns
    -------
    The learner.

    Examples
    --------
    >>> import os, tempfile
    >>> import induce
    >>> from induce.bayes import learn_stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tennis.csv")
    ...     induce.dataset("play-tennis").frame.write_csv(file)
    ...     bayes = learn_stream(induce.NaiveBayes(), file, "PlayTennis", rows=5)
    >>> bayes.hypothesis_.class_counts.tolist()
    [5.0, 9.0]
    """
    if not isinstance(learner, NaiveBayes):
        raise InputError(f"{type(learner).__name__} cannot learn in chunks; fit it to the whole table")
    learner._begin_fit()
    table = chunked(
        source,
        target,
        nominal=nominal,
        numeric=numeric,
        ignore=ignore,
        schema=schema,
        missing=missing,
        text=True,
        only_text=isinstance(learner, TextNaiveBayes),
        rows=rows,
        dialect=dialect,
    )
    if not len(table.schema.inputs()):
        raise InputError("no column is left to learn from: all are identifiers, text or ignored")
    weights = class_weights(learner.class_weight, table.classes, table.class_counts)
    done, count = 0, RowCount("counted")
    for frame, labels in table:
        if done == 0:
            learner._seen(frame, table.schema.names())
        weight = None if weights is None else weights[labels]
        reading = ClassReading(raw_frame(frame), table.schema, weight, target, table.classes, labels)
        learner._take(reading)
        done += len(labels)
        report(done / int(table.class_counts.sum()))
        count.add(len(labels))
    learner._tell()
    return learner
