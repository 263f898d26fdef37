"""Locked test rows, whose repeated use is reported (AIMA, section 18.4)."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.files import Path
from induce.core.notes import note
from induce.core.randomness import generator
from induce.core.values import is_missing
from induce.data.frames import raw_frame
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.estimating.splits import plan, rows_of, target
from induce.hypotheses.naming import plural


@dataclass(frozen=True)
class Look:
    """One use of the test rows.

    Parameters
    ----------
    when : str
        UTC time.
    by : str
        Name of the user.
    what : str
        Object tested, or a note that the rows were returned.
    """

    when: str
    by: str
    what: str

    def __str__(self) -> str:
        return f"{self.when} {self.by}: {self.what}"


class LockedTest:
    """Test rows to be used only once, at the very end (AIMA, section 18.4).

    A model selected by its error on the test rows has learned from them, and that error is biased. Therefore
    every use is logged. From the second use on, a note reports the number of uses and the users; if `strict`,
    an error is raised instead. After that, new test rows are needed.

    Parameters
    ----------
    X, y : frame or array, series or array
        Test rows and their targets.
    log : str or path-like, optional
        Log file; each use is logged before any result is shown, so that later sessions know about it. A log
        belongs to its rows: the log of other rows is rejected.
    strict : bool
        Whether a second use raises an error.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> test = LockedTest(X[1::2], y[1::2], strict=True)
    >>> print(test.evaluate(induce.C45().fit(X[::2], y[::2]), by="Ann"))
    error 0.13, 95% interval [0.07, 0.22] (given data, 89 rows)
    >>> test.evaluate(induce.ID3().fit(X[::2], y[::2]))
    Traceback (most recent call last):
    induce.core.errors.InputError: these test rows were used once before, by Ann; get new ones for an unbiased ...
    """

    def __init__(self, X: Any, y: Any, *, log: Path | None = None, strict: bool = False) -> None:
        rows = _num_samples(X)
        if rows != len(y):
            raise InputError(f"X has {rows_of(rows)} and y has {len(y)}; give one target value per row")
        if not rows:
            raise InputError("X has no rows; give at least one to test on")
        self._X, self._y = X, y
        self._log, self.strict = log, strict
        self._fingerprint = fingerprint(X, y)
        self._looks: tuple[Look, ...] = ()
        self._read()  # reject a log of other rows before writing to it

    @property
    def looks(self) -> tuple[Look, ...]:
        """Uses so far, including those of other sessions with the same log."""
        self._read()
        return self._looks

    def __len__(self) -> int:
        return int(_num_samples(self._X))

    def evaluate(
        self, learner: Any, *, by: str | None = None, score: Any = None, confidence: float = 0.95
    ) -> Any:
        """Evaluate a fitted learner on the rows, which counts as a use.

        Parameters
        ----------
        learner : fitted classifier or regressor
        by : str, optional
            Name of the user; None uses the class name of the learner.
        score : str, callable or LossTable, optional
            Score, as in `induce.evaluate`.
        confidence : float
            Confidence level of the interval.

        Returns
        -------
        ClassificationEstimate or RegressionEstimate
        """
        self._refuse()
        kind = type(learner).__name__
        estimate = evaluate(learner, self._X, self._y, cv=None, score=score, confidence=confidence)
        self._look(by or kind, f"tested {kind}")
        return estimate

    def open(self, by: str) -> tuple[Any, Any]:
        """Return the rows and their targets, which counts as a use.

        Parameters
        ----------
        by : str
            Name of the user.
        """
        self._refuse()
        self._look(by, "took the rows")
        return self._X, self._y

    def __repr__(self) -> str:
        return f"LockedTest({rows_of(len(self))}, {self._seen()})"

    def _seen(self) -> str:
        """Return the number of uses and the users as text."""
        n = len(self._looks)
        if not n:
            return "not looked at"
        by = [
            name if times == 1 else f"{name} ({times} times)"
            for name, times in Counter(look.by for look in self._looks).items()
        ]
        return f"used {'once' if n == 1 else plural(n, 'time')}, by {', '.join(by)}"

    def _refuse(self) -> None:
        """Raise an `InputError` if another use is forbidden."""
        self._read()
        if self.strict and self._looks:
            raise InputError(f"these test rows were {self._before()}; get new ones for an unbiased error")

    def _look(self, by: str, what: str) -> None:
        """Log a use before any result is shown, and issue a note unless it is the first."""
        before = self._before() if self._looks else ""
        look = Look(datetime.now(UTC).isoformat(timespec="seconds"), by, what)
        if self._log is not None:
            _append(self._log, {"rows": self._fingerprint, **asdict(look)})
        self._looks = (*self._looks, look)
        if before:
            note(f"these test rows were {before}; selecting by their error makes it biased, so get new rows")

    def _before(self) -> str:
        return self._seen().replace(", by", " before, by", 1)

    def _read(self) -> None:
        """Read the uses recorded in the log."""
        if self._log is not None:
            self._looks = _looks(self._log, self._fingerprint)


class ThreeWay(NamedTuple):
    """Training rows, validation rows and locked test rows."""

    X_train: Any
    y_train: Any
    X_validation: Any
    y_validation: Any
    test: LockedTest


def three_way_split(
    X: Any,
    y: Any,
    *,
    test_size: float = 0.25,
    validation_size: float = 1 / 3,
    groups: Any = None,
    stratify: bool = True,
    log: Path | None = None,
    strict: bool = False,
    random_state: int | None = 0,
) -> ThreeWay:
    """Divide rows into training, validation and locked test rows (AIMA, section 18.4; Mitchell, section 3.7.1).

    Parameters
    ----------
    X, y : frame or array, series or array
        Rows to divide and their targets.
    test_size : float or int
        Fraction or number of rows, or of groups, to lock away.
    validation_size : float or int
        Fraction or number of the remaining rows used for validation; a third by default.
    groups : array, optional
        Group of each row; rows of the same group are kept together.
    stratify : bool
        Whether to preserve the class proportions if each class has enough rows; numeric targets are split at random.
    log : str or path-like, optional
        Log file; each use is logged before any result is shown, so that later sessions know about it. The log
        of other rows is rejected.
    strict : bool
        Whether a second use raises an error.
    random_state : int or None
        Random seed.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> parts = three_way_split(X, y)
    >>> len(parts.X_train), len(parts.X_validation), parts.test
    (88, 45, LockedTest(45 rows, not looked at))
    """
    actual = target(X, y)
    by_class = stratify and actual.dtype.kind != "f"
    random = generator(random_state)
    groups = None if groups is None else np.asarray(groups)
    rest, test = _divided(X, actual, groups, test_size, by_class, random)
    left = None if groups is None else groups[rest]
    train, validation = _divided(rows_at(X, rest), actual[rest], left, validation_size, by_class, random)
    parts = [(rows_at(X, rows), rows_at(y, rows)) for rows in (rest[train], rest[validation], test)]
    return ThreeWay(*parts[0], *parts[1], LockedTest(*parts[2], log=log, strict=strict))


def fingerprint(X: Any, y: Any) -> str:
    """Return a short hash of the rows that does not depend on the type of frame.

    Examples
    --------
    >>> import numpy as np
    >>> fingerprint([[1, 2]], ["a"]) == fingerprint(np.array([[1.0, 2.0]]), np.array(["a"]))
    True
    """
    summary = hashlib.sha256()
    for column in raw_frame(X).columns:
        summary.update(json.dumps(column.name).encode())
        if column.kind == "numeric":
            numbers = (
                np.array(column.values, dtype=np.float64) + 0.0
            )  # one representation each for zero and NaN, which have several
            numbers[np.isnan(numbers)] = np.nan
            summary.update(numbers.tobytes())
        else:
            cells = column.values.to_list() if hasattr(column.values, "to_list") else list(column.values)
            summary.update(json.dumps([None if is_missing(cell) else str(cell) for cell in cells]).encode())
    summary.update(json.dumps([str(value) for value in np.asarray(y).tolist()]).encode())
    return summary.hexdigest()[:16]


def _divided(
    X: Any,
    actual: NDArray[Any],
    groups: Any,
    size: float,
    stratify: bool,
    random: np.random.Generator,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    made = plan(X, actual, groups=groups, test_size=size, stratify=stratify, random_state=random, once=False)
    rest, held = made.splits[0]
    return np.sort(np.asarray(rest)), np.sort(held)


def _append(path: Path, entry: dict[str, str]) -> None:
    line = json.dumps(entry, ensure_ascii=False) + "\n"
    try:
        # one write per line, so that concurrent processes do not interleave
        with open(path, "ab", buffering=0) as file:
            file.write(line.encode())
            os.fsync(file.fileno())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot write the log {os.fspath(path)!r} ({reason}); give another path") from error


def _looks(path: Path, rows: str) -> tuple[Look, ...]:
    shown = repr(os.fspath(path))
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"cannot read the log {shown} ({reason}); give another path") from error
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            owner, look = entry["rows"], Look(str(entry["when"]), str(entry["by"]), str(entry["what"]))
        except (ValueError, TypeError, KeyError):
            raise InputError(
                f"line {number} of {shown} is not from a log of uses; give another path"
            ) from None
        if owner != rows:
            raise InputError(f"{shown} is the log of other test rows; give each set of rows its own log")
        found.append(look)
    return tuple(found)
