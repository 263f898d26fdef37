"""Tables of any number of rows, drawn from distributions that are known: what coverage is simulated on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.random import Generator
from numpy.typing import NDArray

Classes = NDArray[np.int64]
Draw = Callable[[int, Generator], tuple[pl.DataFrame, Classes]]

FLIPPED = 0.1
"""Share of rows whose class is drawn anew, in the kinds that have a rule behind them."""


def normals(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """Two classes, normal in four columns, beside two columns that say nothing."""
    classes = random.integers(0, 2, n)
    columns = random.normal(size=(n, 6))
    columns[:, :4] += np.where(classes == 1, 0.45, -0.45)[:, None]
    return _numeric(columns), classes


def conjunctions(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """Seven nominal columns; the class is a disjunction of two conjunctions, with noise."""
    codes = random.integers(0, 3, (n, 7))
    rule = ((codes[:, 0] == 1) & (codes[:, 1] != 2)) | ((codes[:, 2] == 0) & (codes[:, 3] != 1))
    return _nominal(codes), _flipped(rule.astype(np.int64), 2, random)


def three_classes(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """Three classes of unequal size, with two numeric and three nominal columns."""
    classes = random.choice(3, n, p=(0.5, 0.3, 0.2))
    numbers = random.normal(size=(n, 2)) + np.array([(0, 0), (1.5, 0), (0.5, 1.5)])[classes]
    noisy = np.where(random.random((n, 3)) < 0.5, classes[:, None], random.integers(0, 3, (n, 3)))
    return pl.concat([_numeric(numbers), _nominal(noisy)], how="horizontal"), classes


def parity(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """The class is whether two of five numeric columns have the same sign, with noise."""
    columns = random.uniform(-1, 1, (n, 5))
    return _numeric(columns), _flipped((columns[:, 0] * columns[:, 1] > 0).astype(np.int64), 2, random)


def rare(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """About one row in eight is of the second class, which grows more likely along three columns."""
    columns = random.normal(size=(n, 5))
    odds = 1.5 * columns[:, 0] + columns[:, 1] - columns[:, 2] - 3
    return _numeric(columns), (random.random(n) < 1 / (1 + np.exp(-odds))).astype(np.int64)


def correlated(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """Six columns that vary together, and a slanting line between two classes, with little noise."""
    columns = random.normal(size=(n, 6)) + 1.5 * random.normal(size=(n, 1))
    line = columns[:, 0] + columns[:, 1] - columns[:, 2] - columns[:, 3]
    return _numeric(columns), (line + 0.3 * random.normal(size=n) > 0).astype(np.int64)


def boxes(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """A class inside either of two boxes of three numeric columns, beside two that say nothing, with noise."""
    columns = random.random((n, 5))
    one = (columns[:, :3] < 0.6).all(axis=1)
    other = (columns[:, 1] > 0.7) & (columns[:, 2] > 0.4)
    return _numeric(columns), _flipped((one | other).astype(np.int64), 2, random)


def four_classes(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """Four classes, each with habits of its own in six nominal columns."""
    classes = random.choice(4, n, p=(0.4, 0.3, 0.2, 0.1))
    habits = np.array([(0, 0, 1, 1, 2, 2), (1, 0, 2, 0, 1, 2), (2, 1, 1, 0, 0, 2), (0, 2, 0, 2, 1, 1)])
    chosen = np.where(random.random((n, 6)) < 0.45, habits[classes], random.integers(0, 3, (n, 6)))
    return _nominal(chosen), classes


def rings(n: int, random: Generator) -> tuple[pl.DataFrame, Classes]:
    """One class around the other in two numeric columns, beside a nominal column that goes with neither."""
    classes = random.integers(0, 2, n)
    angle, radius = random.uniform(0, 2 * np.pi, n), 1 + classes + 0.4 * random.normal(size=n)
    columns = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), random.normal(size=n)])
    return pl.concat([_numeric(columns), _nominal(random.integers(0, 3, (n, 1)))], how="horizontal"), classes


CHOSEN_ON: Mapping[str, Draw] = MappingProxyType(
    {
        "normals": normals,
        "conjunctions": conjunctions,
        "three classes": three_classes,
        "parity": parity,
        "rare": rare,
        "correlated": correlated,
    }
)
"""What the default interval and test were chosen on."""

JUDGED_ON: Mapping[str, Draw] = MappingProxyType(
    {"boxes": boxes, "four classes": four_classes, "rings": rings}
)
"""What they were judged on afterwards."""

KINDS: Mapping[str, Draw] = MappingProxyType({**CHOSEN_ON, **JUDGED_ON})


def twins(kind: str, n: int, random: Generator) -> tuple[pl.DataFrame, pl.DataFrame, Classes]:
    """Draw two tables with the same classes, independent of each other otherwise.

    A learner expects the same error on both, so every difference that a test finds is a mistake.
    """
    first, classes = KINDS[kind](n, random)
    pool, drawn = KINDS[kind](n, random)
    rows = np.empty(n, dtype=np.intp)
    for label in np.unique(classes):
        needed = np.flatnonzero(classes == label)
        while (found := np.flatnonzero(drawn == label)).size < needed.size:
            more, more_drawn = KINDS[kind](n, random)
            pool, drawn = pl.concat([pool, more]), np.concatenate([drawn, more_drawn])
        rows[needed] = found[: needed.size]
    return first, pool[rows], classes


def _numeric(columns: NDArray[np.float64]) -> pl.DataFrame:
    return pl.DataFrame({f"x{k}": column for k, column in enumerate(columns.T)})


def _nominal(codes: NDArray[np.int64]) -> pl.DataFrame:
    values = ("a", "b", "c")
    domain = pl.Enum(values)
    return pl.DataFrame(
        {f"n{k}": pl.Series(np.take(values, column), dtype=domain) for k, column in enumerate(codes.T)}
    )


def _flipped(classes: Classes, n_classes: int, random: Generator) -> Classes:
    anew = random.random(classes.size) < FLIPPED
    return np.where(anew, random.integers(0, n_classes, classes.size), classes)
