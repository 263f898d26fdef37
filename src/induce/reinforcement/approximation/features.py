"""Features of observations for function approximation: state indicators, numbers and tiles (Mitchell 13.6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.shapes import check_places
from induce.reinforcement.approximation import _loops

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_FEATURES = 10_000_000
"""Maximum number of tiles over all tilings."""
USUAL_FEATURES = 200_000
"""Maximum number of tiles over all tilings when the number per side is chosen automatically."""
UNBOUNDED = 1e6
"""Absolute value beyond which a range counts as unbounded."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Observation space of an environment: named numbers with ranges, or listed states.

    Parameters
    ----------
    names : tuple of str
        Names of the observed numbers, or of the numeric features of listed states.
    low, high : array of float64
        Lower and upper bounds of the numbers.
    states : tuple
        Names of the listed states; empty if observations are numbers.
    table : array of float64
        Numeric features of each listed state.
    function : function, optional
        User-supplied function from an observation to numbers.
    state_names : tuple of str
        Display names of listed states.
    """

    names: tuple[str, ...]
    low: Floats
    high: Floats
    states: tuple[Any, ...] = ()
    table: Floats = field(default_factory=lambda: np.empty((0, 0)))
    function: Callable[[Any], Any] | None = None
    state_names: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise an `InputError` unless every listed state, or none, has a display name."""
        shape = (0 if self.states and not len(self.low) else len(self.names),)
        if self.low.shape != shape or self.high.shape != shape or np.isnan([self.low, self.high]).any():
            raise InputError("low and high need one number for each name")
        if self.state_names and len(self.state_names) != len(self.states):
            raise InputError(
                f"there are {len(self.state_names)} names for {len(self.states)} states; "
                "give one name per state"
            )

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {state: k for k, state in enumerate(self.states)}

    @property
    def bounded(self) -> bool:
        """Whether all numbers have a finite range."""
        return bool((np.abs(self.low) < UNBOUNDED).all() and (np.abs(self.high) < UNBOUNDED).all())

    def vector(self, observation: Any) -> Floats:
        """Encode an observation for the loops: its numbers, or the index of a listed state."""
        if self.states:
            try:
                return np.array([self._places[observation]], dtype=np.float64)
            except (KeyError, TypeError):
                raise InputError(
                    f"state {observation!r} did not occur in training; give a state such as "
                    f"{self.states[0]!r}"
                ) from None
        return checked(observation if self.function is None else self.function(observation), self.names)


def checked(observation: Any, names: Sequence[str]) -> Floats:
    """Return an observation as an array of finite numbers, one per name, or raise an `InputError`."""
    if isinstance(observation, Mapping | tuple):
        parts = observation.values() if isinstance(observation, Mapping) else observation
        observation = [number for part in parts for number in np.ravel(part)]
    try:
        vector = np.asarray(observation, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InputError(
            f"the observation {observation!r} contains a non-number; give numbers only"
        ) from None
    if len(vector) != len(names):
        raise InputError(
            f"the observation has {len(vector)} numbers, but the policy was learned with {len(names)} "
            f"({', '.join(names)}); use the environment it was learned in"
        )
    # a sum of squares detects non-finite values faster, if it does not overflow
    if not math.isfinite(vector.dot(vector)) and not np.isfinite(vector).all():
        name = names[int(np.flatnonzero(~np.isfinite(vector))[0])]
        raise InputError(f"{name} is not finite in the observation {vector.tolist()}; give finite numbers")
    return vector


@dataclass(frozen=True, eq=False)
class Coding:
    """Features prepared for the loops: kind, number and parameters.

    Parameters
    ----------
    kind, tiles, intercept : int
        Codes used by the loops.
    low, scale : array of float64
        Lower bound and scale factor of each number.
    rows, amounts : array
        Features of each listed state, or the shifts of the tilings.
    features : int
        Number of features.
    width : int
        Maximum number of nonzero features.
    share : float
        Scale factor of steps and initial weights: 1 over the number of tilings.
    text : str
        Description of the features.
    """

    kind: int
    tiles: int
    intercept: int
    low: Floats
    scale: Floats
    rows: Ints
    amounts: Floats
    features: int
    width: int
    share: float
    text: str

    def ranges(self, seen: Observations) -> tuple[Floats, Floats]:
        """Return the ranges of the numbers, taken from the tiles or from the observations."""
        if self.kind != _loops.TILES:
            return seen.low, seen.high
        return self.low, self.low + self.tiles / self.scale

    def check_fits(self, seen: Observations) -> None:
        """Raise an `InputError` unless the features can be computed from observations, within their number."""
        n = len(seen.names)
        numbers = self.kind in (_loops.NUMBERS, _loops.TILES)
        listed = {_loops.PLACE: self.features, _loops.LISTED: len(self.rows)}.get(self.kind)
        if not numbers and listed != len(seen.states):
            raise InputError(f"the features are of the kind {self.kind} for {len(seen.states)} listed states")
        if self.low.shape != self.scale.shape or self.low.shape != ((n,) if numbers else (0,)):
            raise InputError(
                f"low and scale have the shape {self.low.shape}; give one number for each of {n}"
            )
        if any(np.isnan(part).any() for part in (self.low, self.scale, self.amounts)):
            raise InputError("the features contain NaN; they need numbers")
        if self.rows.ndim != 2 or self.amounts.ndim != 2 or not 0 < self.width <= self.features:
            raise InputError("the features of states need one row each, and at least one feature")
        if self.kind == _loops.LISTED:
            if self.rows.shape != (listed, self.width) or self.amounts.shape != self.rows.shape:
                raise InputError(f"rows has the shape {self.rows.shape}; it must be {(listed, self.width)}")
            check_places("rows", self.rows, self.features)
        tiled = self.kind == _loops.TILES
        if tiled and (self.tiles < 1 or self.features != self.width * (self.tiles + 1.0) ** n):
            raise InputError(f"{self.tiles} tiles a side do not make {self.features} features")
        if tiled and self.amounts.shape != (self.width, n):
            raise InputError(f"amounts has the shape {self.amounts.shape}; it must be {(self.width, n)}")
        if self.kind == _loops.NUMBERS and self.width < n + bool(self.intercept):
            raise InputError(f"{n} numbers do not make {self.features} features")

    @property
    def n_seen(self) -> int:
        """Number of values read per observation: 1 for a state index."""
        return len(self.low) if self.kind in (_loops.NUMBERS, _loops.TILES) else 1

    def listed(self, table: Floats) -> Coding:
        """Return the coding with precomputed features of listed states."""
        rows, amounts = np.empty((len(table), self.width), np.int64), np.empty((len(table), self.width))
        plan = np.array([self.kind, self.tiles, self.intercept], dtype=np.int64)
        encode: Any = sized(_loops.encode, len(table) * self.width * max(1, table.shape[1]))
        for numbers, row, amount in zip(np.ascontiguousarray(table), rows, amounts, strict=True):
            encode(plan, np.array([self.low, self.scale]), self.rows, self.amounts, numbers, row, amount)
        return Coding(
            _loops.LISTED,
            0,
            0,
            np.empty(0),
            np.empty(0),
            rows,
            amounts,
            self.features,
            self.width,
            self.share,
            self.text,
        )


@dataclass(frozen=True)
class Places:
    """One feature per state, which makes the value function a table (Mitchell, table 13.1)."""

    ranged = False

    def coding(self, seen: Observations) -> Coding:
        """Return the coding for an environment's observations."""
        if not seen.states:
            raise InputError(
                "features are Places, but the observations are not listed states; use TileCoding()"
            )
        n = len(seen.states)
        return Coding(_loops.PLACE, 0, 0, np.empty(0), np.empty(0), *_nothing(), n, 1, 1.0, f"{n:,} places")


@dataclass(frozen=True)
class Numbers:
    """Numbers of an observation, untransformed or scaled.

    Parameters
    ----------
    intercept : bool
        Whether to add a constant feature of 1.
    scaled : bool
        Whether to scale each range to -1 to 1.

    Examples
    --------
    >>> seen = Observations(("speed",), np.array([0.0]), np.array([10.0]))
    >>> Numbers().coding(seen).text
    'speed and 1'
    """

    intercept: bool = True
    scaled: bool = True

    @property
    def ranged(self) -> bool:
        """Whether the features require ranges."""
        return self.scaled

    def coding(self, seen: Observations) -> Coding:
        """Return the coding for an environment's observations."""
        n = _some_numbers(seen, "Numbers")
        half = (seen.high - seen.low) / 2
        middle = seen.low + half if self.scaled else np.zeros(n)
        scale = 1 / np.where(half > 0, half, 1.0) if self.scaled else np.ones(n)
        width = n + self.intercept
        text = ", ".join(seen.names) + (" and 1" if self.intercept else "")
        coding = Coding(
            *(_loops.NUMBERS, 0, int(self.intercept), middle, scale, *_nothing(), width, width, 1.0), text
        )
        return coding.listed(seen.table) if seen.states else coding


@dataclass(frozen=True)
class TileCoding:
    """Tile coding: shifted grids over the observation ranges, one active tile per grid (Albus 1975).

    Nearby observations share most of their tiles, so learning generalises between them.

    Parameters
    ----------
    tiles : int
        Number of tiles per side.
    tilings : int
        Number of grids.
    low, high : sequence of float, optional
        Ranges; by default those of the environment, or those observed while acting at random if it declares none.
        Values outside the range fall into the outermost tiles.

    Examples
    --------
    >>> seen = Observations(("position", "velocity"), np.array([-1.2, -0.07]), np.array([0.6, 0.07]))
    >>> TileCoding(tiles=8, tilings=8).coding(seen).features
    648
    """

    tiles: int = 8
    tilings: int = 8
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None

    @classmethod
    def fitting(cls, n: int) -> TileCoding:
        """Return a tile coding for n numbers, with at most 8 tiles per side and `USUAL_FEATURES` tiles in all.

        Examples
        --------
        >>> TileCoding.fitting(2).tiles, TileCoding.fitting(6).tiles
        (8, 4)
        """
        usual = cls()
        sides = range(usual.tiles, 1, -1)
        fit = (tiles for tiles in sides if usual.tilings * (tiles + 1.0) ** n <= USUAL_FEATURES)
        return cls(tiles=next(fit, 1))

    @property
    def ranged(self) -> bool:
        """Whether the features require ranges."""
        return self.low is None or self.high is None

    def coding(self, seen: Observations) -> Coding:
        """Return the coding for an environment's observations."""
        at_least("tiles", self.tiles, 1, whole=True)
        at_least("tilings", self.tilings, 1, whole=True)
        n = _some_numbers(seen, "TileCoding")
        low, high = (
            np.asarray(default if given is None else given, dtype=np.float64)
            for given, default in ((self.low, seen.low), (self.high, seen.high))
        )
        if low.shape != (n,) or high.shape != (n,) or not (low < high).all():
            raise InputError(
                f"low and high of TileCoding do not give a range for each of {', '.join(seen.names)}; "
                "give one bound each, low below high"
            )
        features = self.tilings * (self.tiles + 1.0) ** n
        if features > MOST_FEATURES:
            raise InputError(
                f"{self.tilings} tilings of {self.tiles} tiles in {n} dimensions make {features:,.0f} "
                f"features, but the limit is {MOST_FEATURES:,}; use fewer tiles, or your own features"
            )
        # shifted by different amounts in each dimension, so that tilings do not align along a diagonal
        odd = 2 * np.arange(n) + 1
        shifts = (np.arange(self.tilings)[:, None] * odd % self.tilings) / self.tilings
        text = f"{self.tilings} tilings of {' by '.join([str(self.tiles)] * n)} tiles"
        coding = Coding(
            *(
                _loops.TILES,
                self.tiles,
                0,
                low,
                self.tiles / (high - low),
                np.empty((0, 0), np.int64),
                shifts,
            ),
            *(int(features), self.tilings, 1 / self.tilings, text),
        )
        return coding.listed(seen.table) if seen.states else coding


Features = Places | Numbers | TileCoding


def _nothing() -> tuple[Ints, Floats]:
    return np.empty((0, 0), np.int64), np.empty((0, 0))


def _some_numbers(seen: Observations, features: str) -> int:
    if not seen.names:
        raise InputError(
            f"features are {features}, but the states have no numeric features; give Places() or a function"
        )
    return len(seen.names)
