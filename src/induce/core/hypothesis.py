"""What every learned thing has in common."""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from induce.core.randomness import RandomState


class Hypothesis:
    """A learned hypothesis: an immutable value that prints, draws and saves itself, and says how large it is.

    What else it does depends on its kind: predictors predict and explain, densities score and sample. Classes, a
    schema and a target belong to the kinds that have them.

    Subclasses are frozen dataclasses whose fields the model file can hold: None, bool, int, float, str,
    tuples and string-keyed dicts of these, numpy arrays of numbers, and other registered dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    takes_tables: ClassVar[bool] = True
    """Whether it takes rows that are encoded by its schema, as well as frames and arrays."""

    def size(self) -> str:
        """Return how large the hypothesis is, in its own words."""
        return ""

    def predict(self, X: Any) -> Any:
        """Return one prediction per row of `X`."""
        raise TypeError(f"{type(self).__name__} does not predict")

    def explain(self, X: Any) -> Any:
        """Return, for each row of `X`, what decided its prediction."""
        raise TypeError(f"{type(self).__name__} does not explain")

    def draw(self) -> Any:
        """Return a matplotlib figure of the hypothesis."""
        raise TypeError(f"{type(self).__name__} has no picture")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = self.__dataclass_fields__
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), self.size()))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Density(Hypothesis):
    """A hypothesis about how rows are distributed: it scores rows, and draws new ones.

    Subclasses have a `schema`, which says what the columns of a row are.
    """

    schema: Any

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log density of each row of `X`."""
        raise TypeError(f"{type(self).__name__} gives no density")

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` rows drawn at random."""
        raise TypeError(f"{type(self).__name__} cannot be drawn from")


class Clustering(Density):
    """A density of several clusters: it also says which of them a row belongs to; they are numbered from 0."""

    @property
    def classes(self) -> tuple[int, ...]:
        """The numbers of the clusters."""
        raise TypeError(f"{type(self).__name__} has no clusters")

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each cluster for each row of `X`."""
        raise TypeError(f"{type(self).__name__} has no clusters")


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    if isinstance(mine, tuple | list) and type(mine) is type(other):
        return len(mine) == len(other) and all(map(_same, mine, other))
    if isinstance(mine, dict) and isinstance(other, dict):
        return mine.keys() == other.keys() and all(_same(mine[key], other[key]) for key in mine)
    if isinstance(mine, float) and mine != mine:
        return isinstance(other, float) and other != other
    if is_dataclass(mine) and type(mine) is type(other) and type(mine).__eq__ is object.__eq__:
        return all(_same(getattr(mine, field.name), getattr(other, field.name)) for field in fields(mine))
    return bool(mine == other)
