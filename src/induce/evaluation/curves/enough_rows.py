"""Sufficient sample size: a learning curve on growing samples of a large table that stops when the gain is small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core.engines import each, silent
from induce.core.errors import InputError
from induce.core.hashing import hashed_rows, row_hashes
from induce.core.progress import report
from induce.core.reports import text_table
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.statistics.intervals import Interval, normal_mean

FEWEST_PARTITIONS = 8
"""Minimum number of partitions in a sample, because neighbouring rows are often similar."""
MOST_TESTED = 100_000


@dataclass(frozen=True)
class SampleStep:
    """One point of the curve.

    Parameters
    ----------
    rows : int
        Number of training rows.
    error : float
        Error rate on the test rows, or mean squared error for regression.
    tested : int
        Number of test rows.
    gain : float
        Reduction of the error compared with the previous sample, on the same test rows; NaN for the first.
    interval : Interval or None
        Confidence interval of the gain.
    """

    rows: int
    error: float
    tested: int
    gain: float
    interval: Interval | None


@dataclass(frozen=True)
class EnoughRows:
    """Result of `enough_rows`.

    Parameters
    ----------
    steps : tuple of SampleStep
        Points of the curve, by increasing sample size.
    enough : int or None
        Sample size beyond which doubling gains less than the width; None if the whole table was too small to tell.
    rows_read, rows : int
        Number of rows read, and number of rows of the table.
    width : float
        Largest negligible gain.
    """

    steps: tuple[SampleStep, ...]
    enough: int | None
    rows_read: int
    rows: int
    width: float

    def __str__(self) -> str:
        lines = [("rows", "error", "gain over half the rows")]
        for step in self.steps:
            told = step.interval
            gain = "" if told is None else f"{step.gain:.4f} [{told.low:.4f}, {told.high:.4f}]"
            lines.append((f"{step.rows:,}", f"{step.error:.4f}", gain))
        last, read = self.steps[-1].interval, f"{self.rows_read:,} of {self.rows:,} rows were read"
        if self.enough is None or last is None:
            said = (
                "no sample was sufficient: twice as many rows may still gain more than "
                f"{self.width:g}; {read}"
            )
        else:
            saved = 1 - self.rows_read / max(1, self.rows)
            said = (
                f"{self.enough:,} rows are sufficient: twice as many gain at most {last.high:.4f} "
                f"({100 * last.confidence:g}% interval); {read}, {saved:.0%} saved"
            )
        return f"{text_table(lines, left=())}\n{said}"

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain dicts, lists and scalars, suitable for JSON."""
        steps = [
            {
                "rows": step.rows,
                "error": step.error,
                "tested": step.tested,
                "gain": None if step.interval is None else step.gain,
                "interval": None if step.interval is None else [step.interval.low, step.interval.high],
            }
            for step in self.steps
        ]
        read = {"rows_read": self.rows_read, "rows": self.rows}
        return {"steps": steps, "enough": self.enough, **read, "width": self.width}


def enough_rows(
    learner: Any, source: Scan, *, width: float = 0.01, first: int = 1000, share: float = 0.2, seed: int = 0
) -> EnoughRows:
    """Train on growing samples of a scanned table until doubling the sample gains less than a width.

    Sample sizes double, and each sample contains the previous one as long as they come from the same
    partitions. The partitions are taken in random order, at least eight at a time; the others are not read.
    Errors are measured on a fifth of the rows, held out by a hash of their row number. The curve ends when
    the 95 % interval of the gain is below the width, with both samples tested on the same rows.

    Parameters
    ----------
    learner : estimator
        A classifier or regressor; copies of it are fitted.
    source : Scan
        Table returned by `induce.scan`.
    width : float
        Largest negligible gain: in error rate, or as a fraction of the squared error of the mean.
    first : int
        Size of the first sample.
    share : float
        Fraction of rows held out for testing.
    seed : int
        Random seed.

    Examples
    --------
    >>> import induce
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=60_000)
    >>> frame = pl.DataFrame({"x": x, "y": np.where(x + rng.normal(size=60_000) > 0, "yes", "no")})
    >>> found = enough_rows(induce.NaiveBayes(), induce.scan(frame, "y", rows=1000), width=0.02)
    >>> found.enough, found.rows_read
    (987, 8000)
    """
    if not width > 0:
        raise InputError(f"width is {width!r}; give the largest negligible gain, such as 0.01")
    if first < 2:
        raise InputError(f"first is {first!r}; give the size of the first sample, at least 2")
    if not source.target:
        raise InputError(f"{source.name!r} was scanned without a target; name it: induce.scan(…, target=…)")
    train, test = source.held_out(share)
    order = np.argsort(row_hashes(0, len(source.parts), seed), kind="stable")
    place = {int(number): at for at, number in enumerate(order)}
    learned = sorted(train.partitions(), key=lambda each: place[each.number])
    tested = sorted(test.partitions(), key=lambda each: place[each.number])
    n_there = np.cumsum(
        [len(each.places) if each.places is not None else each.n_labelled for each in learned]
    )
    steps: list[SampleStep] = []
    enough, wanted, used = None, first, 0
    before: Any = None
    while True:
        used = max(FEWEST_PARTITIONS, int(np.searchsorted(n_there, 2 * wanted)) + 1, used)
        used = min(used, len(learned))
        there = int(n_there[used - 1])
        X, y = _drawn(train, learned[:used], wanted / there, seed)
        known = {partition.number for partition in learned[:used]}
        asked = [each for each in tested if each.number in known]
        n_tested = sum(len(each.places) if each.places is not None else each.n_labelled for each in asked)
        X_test, y_test = _drawn(test, asked, MOST_TESTED / max(1, n_tested), seed)
        now = clone(learner).fit(X, y)
        losses = _losses(now, X_test, y_test)
        gained = None if before is None else _losses(before, X_test, y_test) - losses
        interval = None if gained is None else normal_mean(gained)
        gain = float("nan") if gained is None else float(gained.mean())
        steps.append(SampleStep(len(X), float(losses.mean()), len(losses), gain, interval))
        report(min(1.0, there / max(1, int(n_there[-1]))))
        if interval is not None and interval.high <= width:
            enough = steps[-2].rows
            break
        if wanted >= int(n_there[-1]):
            break
        before, wanted = now, min(2 * wanted, int(n_there[-1]))
    rows_read = sum(partition.n_labelled for partition in learned[:used])
    return EnoughRows(tuple(steps), enough, rows_read, len(source), width)


def _drawn(source: Scan, partitions: Sequence[Partition], share: float, seed: int) -> tuple[Any, Any]:
    """Return rows of some partitions, sampled by a hash of their row number, with their targets."""
    found = each(partial(_sampled, share=share, seed=seed), partitions, silent)
    if not found:
        raise InputError(f"{source.name!r} has too few rows to hold some out; train on all of them")
    frame = pl.concat([rows for rows, _ in found], how="vertical_relaxed")
    table = source.table(frame, np.concatenate([goals for _, goals in found]))
    return table.X, table.y


def _sampled(partition: Partition, share: float, seed: int) -> tuple[pl.DataFrame, NDArray[Any]]:
    rows, goals = partition.rows()
    chosen = hashed_rows(partition.first_row, partition.n_labelled, share, seed)
    if partition.places is not None:
        chosen = np.flatnonzero(np.isin(partition.places, chosen))
    return rows[chosen], goals[chosen]


def _losses(learner: Any, X: Any, y: Any) -> NDArray[np.float64]:
    """Return the 0/1 loss of each row, or for regression its squared error relative to that of the mean."""
    said, known = np.asarray(learner.predict(X)), y.to_numpy()
    if y.dtype.is_float() and said.dtype.kind == "f":
        return np.asarray((said - known) ** 2 / max(float(np.var(known)), 1e-300))
    return np.asarray(said.astype(str) != known.astype(str), np.float64)
