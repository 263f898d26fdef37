"""Base of nearest-neighbour learners: storing examples, and choosing parameters by leave-one-out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.estimator import HypothesisEstimator, given_weights
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameter_kinds import Either, Function, Number, OneOf, OneOrSeveral, Such, Whole
from induce.core.parameters import Declared, Parameter, anything, choice, either, number
from induce.data.table import encode
from induce.data.training import training_frame
from induce.distances.base import Distance
from induce.distances.metrics import METRIC, distance, settling_rows
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.kernels import WITHOUT_WIDTH, DistanceKernel
from induce.instances.nearby import Nearby
from induce.instances.neighbors.examples import Places, Stored, with_new_values
from induce.instances.neighbors.stored import EQUIDISTANT, Neighbors, WeightFunction
from induce.instances.search.buckets import check_hashable
from induce.instances.search.hashing import LSH
from induce.instances.search.index import ENGINES

Floats = NDArray[np.float64]
Setting = tuple[int, DistanceKernel | WeightFunction, dict[str, Any]]

WEIGHTS = {
    "uniform": "uniform",
    "distance": "inverse",
    "inverse-square": "inverse-square",
    "gaussian": "gaussian",
    "quadratic": "quadratic",
    "epanechnikov": "epanechnikov",
    "tricube": "tricube",
    "tophat": "tophat",
}
"""Mapping from values of `weights` to kernels."""
AUTO = (1, 3, 5, 7, 9, 11, 15, 21, 31, 51)
"""Candidate numbers of neighbours."""
LEFT_OUT = 5_000
"""Maximum number of left-out examples for choosing parameters."""


class KNeighborsLearner(HypothesisEstimator):
    """Parameters of nearest neighbours, and construction of the hypothesis."""

    parameters: ClassVar[Declared] = {
        "n_neighbors": either(
            "Number of nearest examples; None uses all, 'auto' and several choose by leave-one-out.",
            OneOrSeveral(Whole(at_least=1)),
            OneOf(("auto",)),
            none=True,
        ),
        "weights": Parameter(
            "Weight of an example by its distance.", OneOrSeveral(Either((OneOf(tuple(WEIGHTS)), Function())))
        ),
        "width": Parameter(
            "Width of a kernel in units of the distance; None and several choose by leave-one-out.",
            OneOrSeveral(Number(above=0, finite=True)),
            none=True,
            otherwise="it must be a number above 0",
        ),
        "metric": METRIC,
        "p": number("Power of the Minkowski distance.", above=0),
        "attribute_weights": anything(
            "Factors of the columns.", "a dict from columns to factors, or a list", none=True
        ),
        "equidistant": choice(
            "Treatment of ties in distance: they share the remaining votes, or the first stored count.",
            *EQUIDISTANT,
        ),
        "algorithm": either(
            "Search algorithm.",
            OneOf(("auto", *ENGINES)),
            Such("an LSH", lambda value: isinstance(value, LSH)),
        ),
    }
    n_neighbors: Any
    weights: Any
    width: Any
    metric: Any
    p: float
    attribute_weights: Any
    equidistant: str
    algorithm: Any

    _loss_name: ClassVar[str]
    _built: Neighbors
    _pending: list[Stored]

    @property
    def hypothesis_(self) -> Any:
        """The stored examples."""
        if "_built" not in vars(self):
            raise AttributeError(
                f"this {type(self).__name__} has no stored examples; call fit or partial_fit"
            )
        if self._pending:
            self.hypothesis_ = self._hypothesis(self._stored().joined(self._pending))
        return self._built

    @hypothesis_.setter
    def hypothesis_(self, neighbors: Hypothesis) -> None:
        self._built, self._pending = cast(Neighbors, neighbors), []

    def kneighbors(self, X: Any, n_neighbors: int | None = None) -> tuple[Floats, Places]:
        """Return distances and positions of the nearest examples of each row of `X`, nearest first."""
        if n_neighbors is not None:
            at_least("n_neighbors", n_neighbors, 1, whole=True)
        self._fitted(X)
        found: tuple[Floats, Places] = self.hypothesis_.kneighbors(X, n_neighbors)
        return found

    def _forget(self) -> None:
        self.__dict__.pop("_built", None)

    def _insert(self, X: Any, known: NDArray[Any], sample_weight: Any) -> None:
        """Store more examples; results that depend on all examples are computed when the hypothesis is requested."""
        _check_feature_names(self, X, reset=False)
        raw = training_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        if raw.n_rows != len(known):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(known)}"
            )
        schema = with_new_values(self._pending[-1].schema if self._pending else self._built.schema, raw)
        weights = given_weights(sample_weight, raw.n_rows)
        weight = np.ones(raw.n_rows) if weights is None else weights
        self._pending.append(Stored(schema, self._built.target, encode(raw, schema), known, weight).counted())

    def _hypothesis(self, examples: Stored) -> Neighbors:
        """Fit the distance, and choose the parameters."""
        ks = self._numbers_of_neighbors(float(examples.weights.sum()))
        stored = self._made(examples.counted(), 0 if 0 in ks else max(ks))
        self._check_search(stored)
        settings = [
            (k, kernel, {**said, "n_neighbors": k or len(examples)})
            for kernel, said in self._kernels(stored)
            for k in ks
        ]
        k, kernel, _ = settings[0]
        if len(settings) == 1:
            return replace(stored, n_neighbors=k, kernel=kernel)
        return self._chosen(stored, settings)

    def _made(self, examples: Stored, k: int) -> Neighbors:
        """Return the hypothesis with a given number of neighbours and kernel."""
        raise NotImplementedError

    def _stored(self) -> Stored:
        """Return the examples of the hypothesis."""
        raise NotImplementedError

    def _loss(self, stored: Any, near: Nearby, own: Places) -> float:
        """Return the summed leave-one-out loss."""
        raise NotImplementedError

    def _settled_distance(self, examples: Stored, labels: NDArray[Any] | None = None) -> Distance:
        return distance(
            self.metric,
            examples.table,
            labels,
            p=self.p,
            attribute_weights=self.attribute_weights,
            weights=examples.weights,
        )

    def _check_search(self, stored: Neighbors) -> None:
        if isinstance(self.algorithm, LSH):
            check_hashable(stored.distance, stored.rows)
        elif self.algorithm not in ("auto", *(ways := stored.distance.engines(stored.rows))):
            raise InputError(
                f"algorithm {self.algorithm!r} cannot search these rows by {stored.distance.name!r}; use 'auto' or "
                f"{' or '.join(map(repr, ways))}"
            )

    def _numbers_of_neighbors(self, total: float) -> list[int]:
        """Return the candidate numbers of neighbours; 0 means all examples."""
        if self.n_neighbors is None:
            return [0]
        if isinstance(self.n_neighbors, str):
            return [k for k in AUTO if k < max(2.0, total)]
        several = several_of("n_neighbors", self.n_neighbors)
        if max(several) > total:
            note(f"n_neighbors is {max(several)}, but there are {total:g} examples; all are used")
        return [int(k) for k in several]

    def _kernels(self, stored: Neighbors) -> list[tuple[DistanceKernel | WeightFunction, dict[str, Any]]]:
        """Return the candidate kernels, each with its description."""
        found: list[tuple[DistanceKernel | WeightFunction, dict[str, Any]]] = []
        several = [self.weights] if isinstance(self.weights, str) else several_of("weights", self.weights)
        for weights in several:
            said = {} if len(several) == 1 else {"weights": weights}
            if callable(weights):
                found.append((WeightFunction(weights), said and {"weights": "a function"}))
                continue
            name = WEIGHTS[weights]
            if name in WITHOUT_WIDTH:
                found.append((DistanceKernel(name), said))
                continue
            widths = _widths(stored) if self.width is None else several_of("width", self.width)
            for width in widths:
                kernel = DistanceKernel(name, width)
                found.append((kernel, said if len(widths) == 1 else {**said, "width": float(width)}))
        return found

    def _chosen(self, stored: Neighbors, settings: list[Setting]) -> Neighbors:
        """Return the stored examples with the setting of the smallest leave-one-out loss."""
        own = np.arange(len(stored.weights))
        if len(own) > LEFT_OUT:
            own = np.linspace(0, len(own) - 1, LEFT_OUT).astype(np.int64)
        losses = np.zeros(len(settings))
        for part in stored.blocks(len(own)):
            near = stored.near(stored.rows[own[part]], own[part])
            for trial, (k, kernel, _) in enumerate(settings):
                used = stored.counting(near, k) if k else near
                losses[trial] += self._loss(replace(stored, kernel=kernel), used, own[part])
        names = {name for _, _, said in settings for name in said}
        varied = [
            name
            for name in ("weights", "width", "n_neighbors")
            if name in names and len({said.get(name) for _, _, said in settings}) > 1
        ]
        choice = LeaveOneOutChoice(
            tuple({name: said.get(name, np.nan) for name in varied} for _, _, said in settings),
            tuple((losses / stored.weights[own].sum()).tolist()),
            self._loss_name,
        )
        k, kernel, _ = settings[choice.chosen]
        return replace(stored, n_neighbors=k, kernel=kernel, choice=choice)

    def _chooses(self) -> bool:
        """Return whether a parameter is chosen by leave-one-out."""
        lists = (self.n_neighbors, self.weights, self.width)
        named = several_of("weights", [self.weights] if isinstance(self.weights, str) else self.weights)
        wide = any(WEIGHTS.get(name) not in (None, *WITHOUT_WIDTH) for name in named if isinstance(name, str))
        return (
            self.n_neighbors == "auto"
            or (self.width is None and wide)
            or any(isinstance(value, list | tuple | np.ndarray) for value in lists)
        )

    def _leaving_out(self, examples: Stored) -> Iterator[tuple[Neighbors, Places]]:
        """Yield hypotheses, each with the examples left out of it.

        One hypothesis of all examples leaves out most of them, one at a time. Examples that determine the
        distance need a hypothesis trained on the others.
        """
        if len(examples) < 2:
            raise InputError("there is only one row; give at least two for leave-one-out")
        alone = settling_rows(self.metric, examples.table)
        everything = np.arange(len(examples))
        yield self._hypothesis(examples), np.setdiff1d(everything, alone)
        for row in alone:
            yield self._hypothesis(examples.rows(np.delete(everything, row))), np.array([row])


def _widths(stored: Neighbors) -> list[float]:
    """Return candidate widths between the distance of the nearest example and twice the distance of the
    farthest one used.
    """
    own = np.linspace(0, len(stored.weights) - 1, min(200, len(stored.weights))).astype(np.int64)
    return stored.near(stored.rows[own], own).widths(stored.weights[own])
