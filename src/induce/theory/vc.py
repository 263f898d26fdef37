"""Shattering, the exact VC dimension and the growth function of finite sets of hypotheses (Mitchell §7.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.reports import html_table, text_table
from induce.pictures.style import EMPTY, GREY, PALETTE, axes_for, tidy
from induce.theory import checks
from induce.theory.checks import Bits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_POINTS = 20
"""Maximum number of instances for the growth function, which enumerates all their subsets: a million sets."""
MOST_COLUMNS = 64
"""Maximum number of dichotomies in a figure."""
MOST_SPLITS = 10_000_000
"""Maximum number of attempts to split a set of hypotheses: about ten to twenty seconds."""


def concepts(hypotheses: ArrayLike) -> Bits:
    """Return the distinct hypotheses of a 0/1 table with hypotheses as rows and instances as columns.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.

    Examples
    --------
    >>> concepts([[0, 1], [0, 1], [1, 1]]).astype(int).tolist()
    [[0, 1], [1, 1]]
    """
    table = checks.array_of(hypotheses)
    if table.ndim != 2 or not table.size:
        raise InputError("hypotheses must be a table with one row per hypothesis and one column per instance")
    if table.dtype != np.bool_ and not np.isin(table, (0, 1)).all():
        raise InputError(
            "hypotheses must contain only 0 and 1: the label of each instance by each hypothesis"
        )
    return np.asarray(np.unique(table.astype(np.bool_), axis=0))


@dataclass(frozen=True)
class Shattering:
    """Dichotomies of a set of instances that are realised by a set of hypotheses.

    Parameters
    ----------
    points : tuple of int
        Instances, by their columns.
    witness : dict of tuple to int
        First row of the table that realises each dichotomy.
    missing : tuple of tuple of int
        Dichotomies that no hypothesis realises.
    """

    points: tuple[int, ...]
    witness: dict[tuple[int, ...], int]
    missing: tuple[tuple[int, ...], ...]

    @property
    def shattered(self) -> bool:
        """Whether every dichotomy is realised."""
        return not self.missing

    def __str__(self) -> str:
        made, every = len(self.witness), len(self.witness) + len(self.missing)
        verdict = "shattered" if self.shattered else "not shattered"
        said = f"{len(self.points)} instances {verdict}: {made} of {every} dichotomies"
        if self.missing:
            shown = ", ".join("".join(map(str, each)) for each in self.missing[:8])
            said += f"; missing {shown}{', …' if len(self.missing) > 8 else ''}"
        return said

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure with one column per dichotomy and below it a hypothesis that realises it, if any.

        Examples
        --------
        >>> len(shattering([[1, 1], [0, 1], [0, 0]]).draw().axes[0].get_xticks())
        4
        """
        every = sorted([*self.witness, *self.missing])
        if len(every) > MOST_COLUMNS:
            raise InputError(
                f"{len(self.points)} instances have {len(every):,} dichotomies; at most {MOST_COLUMNS} can be drawn"
            )
        figure, axes = axes_for(
            ax, width=max(5.0, 1.6 + 0.3 * len(every)), height=1.6 + 0.36 * len(self.points)
        )
        for place, labels in enumerate(every):
            made = labels in self.witness
            for height, label in enumerate(labels):
                colour = PALETTE[0] if made else GREY
                axes.plot(place, height, "o", ms=9, mec=colour, mfc=colour if label else "white", zorder=3)
            if not made:
                axes.axvspan(place - 0.45, place + 0.45, color=EMPTY, lw=0)
        axes.set_xticks(range(len(every)), [str(self.witness.get(labels, "none")) for labels in every])
        axes.tick_params(axis="x", rotation=90 if len(every) > 16 or self.missing else 0)
        axes.set_yticks(range(len(self.points)), [f"instance {point}" for point in self.points])
        axes.set(xlim=(-0.6, len(every) - 0.4), ylim=(len(self.points) - 0.4, -0.6))
        axes.set_xlabel("hypothesis with label 1 for the filled instances")
        axes.set_title(str(self).partition(";")[0], fontsize=10, loc="left")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        return figure


def shattering(hypotheses: ArrayLike, points: Sequence[int] | None = None) -> Shattering:
    """Return the dichotomies of the given instances that hypotheses realise, and the missing ones (§7.4.1).

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.
    points : sequence of int, optional
        Columns of the instances; None uses all.

    Examples
    --------
    Thresholds cannot label the smaller of two numbers 1 and the larger 0:

    >>> print(shattering([[1, 1], [0, 1], [0, 0]]))
    2 instances not shattered: 3 of 4 dichotomies; missing 10
    """
    concepts(hypotheses)
    table = np.asarray(hypotheses).astype(int)
    chosen = tuple(
        range(table.shape[1]) if points is None else checks.columns("points", points, table.shape[1])
    )
    if len(chosen) > MOST_POINTS:
        raise InputError(
            f"{len(chosen)} instances have 2^{len(chosen)} dichotomies; give at most {MOST_POINTS} instances"
        )
    made: dict[tuple[int, ...], int] = {}
    for row, labels in enumerate(map(tuple, table[:, list(chosen)].tolist())):
        made.setdefault(labels, row)
    missing = tuple(each for each in product((0, 1), repeat=len(chosen)) if each not in made)
    return Shattering(chosen, dict(sorted(made.items())), missing)


@dataclass(frozen=True)
class VCDimension:
    """The exact VC dimension of a finite set of hypotheses.

    Parameters
    ----------
    value : int
        Size of the largest shattered set.
    witness : tuple of int
        Largest shattered set found, by its columns.
    n_hypotheses : int
        Number of distinct hypotheses.
    n_points : int
        Number of instances.
    """

    value: int
    witness: tuple[int, ...]
    n_hypotheses: int
    n_points: int

    def __str__(self) -> str:
        most = f"log2 of {self.n_hypotheses} different hypotheses is {math.log2(self.n_hypotheses):.2f}"
        shown = (
            f"instances {', '.join(map(str, self.witness))} are shattered"
            if self.witness
            else "none is shattered"
        )
        return f"VC dimension {self.value} over {self.n_points} instances: {shown}, no larger set is; {most}"


def vc_dimension(hypotheses: ArrayLike) -> VCDimension:
    """Return the exact VC dimension of a finite set of hypotheses (§7.4.2).

    Sets of instances are extended one instance at a time; no superset of a set that is not shattered is
    shattered.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.

    Examples
    --------
    Intervals of the numbers 0 to 3, and the empty set:

    >>> rows = [[int(a <= x <= b) for x in range(4)] for a in range(4) for b in range(4)]
    >>> print(vc_dimension(rows))
    VC dimension 2 over 4 instances: instances 0, 1 are shattered, no larger set is; log2 of 11 different hypotheses \
is 3.46
    """
    table = concepts(hypotheses)
    saying = masks(table)
    everything = (1 << len(table)) - 1
    best: tuple[int, ...] = ()
    tried = 0

    def extend(chosen: tuple[int, ...], cells: list[int], candidates: list[int]) -> None:
        """Extend the chosen instances; each cell, a set of hypotheses that agree on them, must be split."""
        nonlocal best, tried
        if len(chosen) > len(best):
            best = chosen
        deepest = len(chosen) + min(cell.bit_count() for cell in cells).bit_length() - 1
        if deepest <= len(best):
            return
        tried += len(cells) * len(candidates)
        if tried > MOST_SPLITS:
            raise InputError(
                f"the VC dimension is at least {len(best)}, but finding it exactly takes too long; give fewer "
                "hypotheses or instances"
            )
        useful = [p for p in candidates if all(cell & saying[p] and cell & ~saying[p] for cell in cells)]
        for place, point in enumerate(useful):
            if len(chosen) + len(useful) - place <= len(best):
                return
            extend((*chosen, point), _split(cells, saying[point]), useful[place + 1 :])

    extend((), [everything], list(range(table.shape[1])))
    return VCDimension(len(best), best, len(table), table.shape[1])


@dataclass(frozen=True)
class Growth:
    """The growth function: maximum number of dichotomies of m instances realised by the hypotheses.

    Parameters
    ----------
    dichotomies : tuple of int
        Values for m = 0, 1, … instances.
    vc : int
        VC dimension of the hypotheses.
    """

    dichotomies: tuple[int, ...]
    vc: int

    @property
    def sauer(self) -> tuple[int, ...]:
        """Sauer's bound for each m."""
        return tuple(sauer(m, self.vc) for m in range(len(self.dichotomies)))

    def _table(self) -> list[tuple[str, ...]]:
        rows = zip(self.dichotomies, self.sauer, strict=True)
        return [
            ("m", "dichotomies", "Sauer's bound", "2^m"),
            *((str(m), f"{made:,}", f"{most:,}", f"{2**m:,}") for m, (made, most) in enumerate(rows)),
        ]

    def __str__(self) -> str:
        return text_table(self._table(), left=())

    def _repr_html_(self) -> str:
        return html_table(self._table())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the growth function with Sauer's bound and the number of hypotheses."""
        from matplotlib.ticker import MaxNLocator

        figure, axes = axes_for(ax)
        sizes = np.arange(len(self.dichotomies))
        lines: tuple[tuple[Any, str, dict[str, Any]], ...] = (
            (2.0**sizes, "all dichotomies, 2^m", {"color": GREY, "ls": ":"}),
            (self.sauer, f"Sauer's bound for VC dimension {self.vc}", {"color": PALETTE[1], "lw": 4}),
            (self.dichotomies, "realised by the hypotheses", {"color": PALETTE[0], "marker": "o", "ms": 4}),
        )
        for heights, label, style in lines:
            axes.plot(sizes, heights, label=label, **{"lw": 1.5, **style})
        axes.axvline(self.vc, color=GREY, lw=0.6, ls=":")
        axes.set_yscale("log", base=2)
        axes.set(xlabel="instances", ylabel="dichotomies")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(frameon=False, fontsize=9)
        tidy(axes)
        return figure


def growth_function(hypotheses: ArrayLike) -> Growth:
    """Return the growth function of a finite set of hypotheses by enumerating all sets of instances.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Table of labels with at most 20 instances.

    Examples
    --------
    >>> rows = [[int(a <= x <= b) for x in range(4)] for a in range(4) for b in range(4)]
    >>> print(growth_function(rows))
    m  dichotomies  Sauer's bound  2^m
    0            1              1    1
    1            2              2    2
    2            4              4    4
    3            7              7    8
    4           11             11   16
    """
    table = concepts(hypotheses)
    n_points = table.shape[1]
    if n_points > MOST_POINTS:
        raise InputError(
            f"{n_points} instances have 2^{n_points} subsets; give at most {MOST_POINTS} instances"
        )
    saying = masks(table)
    most = [0] * (n_points + 1)
    most[0] = 1

    def extend(size: int, cells: list[int], first: int) -> None:
        for point in range(first, n_points):
            smaller = _split(cells, saying[point])
            most[size + 1] = max(most[size + 1], len(smaller))
            extend(size + 1, smaller, point + 1)

    extend(0, [(1 << len(table)) - 1], 0)
    shattered = [m for m, made in enumerate(most) if made == 2**m]
    return Growth(tuple(most), max(shattered))


def sauer(m: int, vc: int) -> int:
    """Return Sauer's bound on the number of dichotomies of m instances: the sum of C(m, i) for i <= vc.

    Parameters
    ----------
    m : int
        Number of instances.
    vc : int
        VC dimension.

    Examples
    --------
    >>> [sauer(m, 2) for m in range(6)]
    [1, 2, 4, 7, 11, 16]
    """
    at_least("m", m, 0, whole=True)
    at_least("vc", vc, 0, whole=True)
    return sum(math.comb(m, i) for i in range(min(vc, m) + 1))


def masks(table: Bits) -> list[int]:
    """Return, for each instance, the hypotheses with label 1, as bits of an integer."""
    packed = np.packbits(table, axis=0, bitorder="little")
    return [int.from_bytes(column.tobytes(), "little") for column in packed.T]


def _split(cells: list[int], yes: int) -> list[int]:
    return list(_parts(cells, yes))


def _parts(cells: list[int], yes: int) -> Iterator[int]:
    for cell in cells:
        for part in (cell & yes, cell & ~yes):
            if part:
                yield part
