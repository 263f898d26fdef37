"""Schemas (Mitchell §9.4.1): the bound of the schema theorem, exact expectations, and observed counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.reports import html_table, text_table
from induce.evolution.selection import as_selection

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Bits = NDArray[np.uint8]
Strings = Sequence[str] | NDArray[Any]


def selection_probabilities(fitness: Sequence[float], selection: Any = "roulette") -> Floats:
    """Return the selection probability of each individual (equation 9.1, or another method).

    Parameters
    ----------
    fitness : sequence of float
        Fitness of each individual.
    selection : str or Selection
        Selection method: ``"roulette"``, ``"rank"``, ``"tournament"``, or a value such as
        ``induce.evolution.Tournament(0.75)``.

    Examples
    --------
    >>> selection_probabilities([5, 3, 2]).tolist()
    [0.5, 0.3, 0.2]
    """
    scores = np.asarray(fitness, dtype=np.float64)
    if scores.ndim != 1 or len(scores) == 0 or not np.isfinite(scores).all():
        raise InputError("fitness must be a list of finite numbers, one per individual")
    return as_selection(selection).probabilities(scores)


@dataclass(frozen=True)
class Schema:
    """A set of bit strings: 0 and 1 are fixed, * matches either.

    Parameters
    ----------
    pattern : str
        String of the characters 0, 1 and ``*``.

    Examples
    --------
    >>> schema = Schema("0*10")
    >>> schema.order, schema.defining_length, schema.strings()
    (3, 3, ('0010', '0110'))
    """

    pattern: str

    def __post_init__(self) -> None:
        if not self.pattern or set(self.pattern) - set("01*"):
            raise InputError(f"{self.pattern!r} is not a schema; write it with 0, 1 and *")

    def __len__(self) -> int:
        return len(self.pattern)

    @cached_property
    def defined(self) -> NDArray[np.int64]:
        """Positions of the defined bits."""
        return np.array([k for k, sign in enumerate(self.pattern) if sign != "*"], dtype=np.int64)

    @property
    def order(self) -> int:
        """Number of defined bits, o(s)."""
        return len(self.defined)

    @property
    def defining_length(self) -> int:
        """Distance between the first and the last defined bit, d(s)."""
        return int(self.defined[-1] - self.defined[0]) if self.order else 0

    def strings(self) -> tuple[str, ...]:
        """Return all strings that are instances of the schema."""
        if len(self) - self.order > 20:
            raise InputError(f"{self.pattern!r} has more than a million instances")
        choices = ["01" if sign == "*" else sign for sign in self.pattern]
        return tuple("".join(bits) for bits in product(*choices))

    def matches(self, population: Strings) -> NDArray[np.bool_]:
        """Return whether each string is an instance of the schema."""
        rows = bit_rows(population, len(self))
        wanted = np.array([self.pattern[k] == "1" for k in self.defined], dtype=np.uint8)
        found: NDArray[np.bool_] = (rows[:, self.defined] == wanted).all(axis=1)
        return found


def bit_rows(population: Strings, length: int | None = None) -> Bits:
    """Return bit strings as rows of an array.

    Examples
    --------
    >>> bit_rows(["01", "11"]).tolist()
    [[0, 1], [1, 1]]
    """
    rows = population
    if not isinstance(population, np.ndarray):
        if len({len(each) for each in population}) != 1 or any(set(each) - {"0", "1"} for each in population):
            raise InputError("the population must be strings of 0 and 1, all of the same length")
        rows = np.array([[int(sign) for sign in each] for each in population])
    found = np.asarray(rows)
    if found.ndim != 2 or found.dtype.kind not in "iub" or not np.isin(found, (0, 1)).all():
        raise InputError("the population must be rows of bits")
    if length is not None and found.shape[1] != length:
        raise InputError(
            f"the schema has {length} bits, but the strings have {found.shape[1]}; give "
            "strings of that length"
        )
    return found.astype(np.uint8)


def n_schemas(length: int) -> tuple[int, int]:
    """Return the number of schemas that a string is an instance of, and the total number of schemas.

    Parameters
    ----------
    length : int
        Length of the strings, in bits.

    Examples
    --------
    >>> n_schemas(4)
    (16, 81)
    """
    return 2**length, 3**length


@dataclass(frozen=True)
class SchemaCount:
    """A schema in one generation of a population.

    Parameters
    ----------
    count : int
        Number of instances, m(s, t).
    fitness : float
        Mean fitness of the instances, û(s, t); NaN if there are none.
    mean : float
        Mean fitness of the population.
    selected : float
        Expected number of instances after selection alone (9.3).
    bound : float
        Lower bound of the schema theorem on the expected number of instances (9.4).
    expected : float
        Exact expected number of instances under selection, single-point crossover and bitwise mutation.
    """

    count: int
    fitness: float
    mean: float
    selected: float
    bound: float
    expected: float


def schema_count(
    schema: Schema | str, population: Strings, fitness: Sequence[float] | Floats, p_c: float, p_m: float
) -> SchemaCount:
    """Return the counts of a schema, and its expected counts in the next generation (§9.4.1).

    Parameters
    ----------
    schema : Schema or str
        The schema, or its pattern.
    population : list of str or array of bits
        Strings of the generation.
    fitness : sequence of float
        Fitness of each string, at least 0; selection is proportional to it.
    p_c : float
        Probability of single-point crossover of an individual.
    p_m : float
        Probability of mutation of a bit.

    Notes
    -----
    In the notation of table 9.1, p_c is r, and p_m is m divided by the length of the strings.

    Examples
    --------
    >>> found = schema_count("11**", ["0110", "1100", "0011", "1001"], [6, 12, 3, 9], 0.6, 0.001)
    >>> round(found.selected, 6), round(found.bound, 6), round(found.expected, 6)
    (1.6, 1.277441, 1.614736)
    """
    schema = schema if isinstance(schema, Schema) else Schema(schema)
    for name, value in (("p_c", p_c), ("p_m", p_m)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is {value!r}; give a probability from 0 to 1")
    rows, scores = bit_rows(population, len(schema)), np.asarray(fitness, dtype=np.float64)
    if scores.shape != (len(rows),):
        raise InputError(
            f"there are {len(rows)} strings and {scores.size} fitness values; give one value per string"
        )
    shares, inside, n, length = (
        selection_probabilities(scores.tolist()),
        schema.matches(rows),
        len(rows),
        len(schema),
    )
    count = int(inside.sum())
    selected = float(n * shares[inside].sum())
    torn = p_c * schema.defining_length / (length - 1) if length > 1 else 0.0
    return SchemaCount(
        count,
        float(scores[inside].mean()) if count else np.nan,
        float(scores.mean()),
        selected,
        selected * (1.0 - torn) * (1.0 - p_m) ** schema.order,
        float(n * _chance(schema, rows, shares, p_c, p_m)),
    )


def _chance(schema: Schema, rows: Bits, shares: Floats, p_c: float, p_m: float) -> float:
    """Return the probability that a new individual is an instance of the schema.

    The probabilities that each bit, the first part and the second part match after mutation are known; the
    parents of the two parts are drawn independently.
    """
    length = len(schema)
    fits = np.ones((len(rows), length))
    for k in schema.defined:
        fits[:, k] = np.where(rows[:, k] == int(schema.pattern[k]), 1.0 - p_m, p_m)
    alone = float(shares @ fits.prod(axis=1))
    if length < 2:
        return alone
    first = shares @ np.cumprod(fits, axis=1)[:, :-1]
    second = shares @ np.cumprod(fits[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return (1.0 - p_c) * alone + p_c * float((first * second).mean())


@dataclass(frozen=True)
class SchemaTable:
    """Bound and observed count of a schema in each generation of a run.

    Parameters
    ----------
    schema : Schema
        The schema that was counted.
    rows : tuple of SchemaCount
        Counts, one per generation.
    observed : tuple of int
        Number of instances in the generation that follows each; one fewer than `rows`.
    """

    schema: Schema
    rows: tuple[SchemaCount, ...]
    observed: tuple[int, ...]

    def kept(self) -> float:
        """Return the fraction of generations whose next count reached the bound on its expectation."""
        if not self.observed:
            return np.nan
        return float(
            np.mean([seen >= row.bound for seen, row in zip(self.observed, self.rows, strict=False)])
        )

    def _cells(self) -> list[tuple[str, ...]]:
        head = ("generation", "count", "fitness", "mean", "selection", "bound", "expected", "next")
        seen: list[str] = [*map(str, self.observed), ""]
        return [
            head,
            *(
                (
                    str(k),
                    str(row.count),
                    f"{row.fitness:.4g}",
                    f"{row.mean:.4g}",
                    f"{row.selected:.2f}",
                    f"{row.bound:.2f}",
                    f"{row.expected:.2f}",
                    after,
                )
                for k, (row, after) in enumerate(zip(self.rows, seen, strict=True))
            ),
        ]

    def __str__(self) -> str:
        return f"schema {self.schema.pattern}\n{text_table(self._cells(), left=())}"

    def _repr_html_(self) -> str:
        return html_table(self._cells())

    def draw(self) -> Figure:
        """Return a figure of the counts in each generation, with the bounds from the previous generation."""
        from induce.pictures.style import PALETTE, axes_for, tidy

        figure, axes = axes_for(None)
        x = range(len(self.rows))
        axes.plot(x, [row.count for row in self.rows], color=PALETTE[0], marker="o", ms=3, label="instances")
        after = range(1, len(self.rows) + 1)
        axes.plot(
            after, [row.expected for row in self.rows], color=PALETTE[2], ls="--", lw=1.2, label="expected"
        )
        axes.plot(
            after, [row.bound for row in self.rows], color=PALETTE[5], ls=":", lw=1.5, label="bound (9.4)"
        )
        axes.set_xlabel("generation")
        axes.set_ylabel(f"instances of {self.schema.pattern if len(self.schema) <= 24 else 'the schema'}")
        axes.legend(frameon=False, fontsize=9)
        tidy(axes)
        return figure


def schema_table(events: Iterable[Any], schema: Schema | str, r: float, m: float) -> SchemaTable:
    """Return the bound of the schema theorem and the observed count for each generation of a run.

    Parameters
    ----------
    events : trace
        Trace of `GeneticAlgorithm` on bit strings, with roulette selection and single-point crossover, as the
        theorem requires.
    schema : Schema or str
        The schema, or its pattern.
    r, m : float
        Parameters of the run: p_c is r, and p_m is m divided by the length of the strings.
    """
    schema = schema if isinstance(schema, Schema) else Schema(schema)
    found = [event for event in events if event.kind == "generation"]
    if not found:
        raise InputError("the events contain no generation; learn inside `with induce.trace() as events`")
    rows = tuple(
        schema_count(schema, np.asarray(event["population"]), event["scores"], r, m / len(schema))
        for event in found
    )
    return SchemaTable(schema, rows, tuple(after.count for _, after in pairwise(rows)))
