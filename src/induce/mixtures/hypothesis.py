"""Mixture hypotheses: clusters that describe themselves, score rows and generate new ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.notes import note
from induce.core.randomness import RandomState, generator
from induce.core.shapes import check_numbers, check_shapes, check_units
from induce.data.decoded_rows import frame_of
from induce.data.numeric_view import Floats
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.hypotheses.kinds.density import Clustering
from induce.hypotheses.rules import RuleList
from induce.mixtures.components import KINDS, Components
from induce.mixtures.explanation import ClusterExplanation, explain
from induce.mixtures.number import NumberChoice
from induce.mixtures.report import Cluster, clusters, printed
from induce.mixtures.rows import Places, Units

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from polars import DataFrame


COVARIANCES = {"full": "k d d", "tied": "d d", "diag": "k d", "spherical": "k"}
"""Names of the covariance axes: components, columns."""


@dataclass(frozen=True, eq=False)
class Mixture(Clustering):
    """A mixture of components, each with its weight, its Gaussian and its probability tables.

    Numeric columns of a component are jointly Gaussian; nominal ones are independent of all others. A missing
    value, and a category not seen in training, is integrated out: the density is that of the observed
    columns.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    covariance_type : {"full", "tied", "diag", "spherical"}
        Type of the covariances; see `GaussianMixture`.
    shares : array of float64, shape (components,)
        Mixture weights, largest first.
    means : array of float64, shape (components, numeric columns)
        Means, in the units of the mixture.
    covariances : array of float64
        Covariances, in the units of the mixture; of shape (components, columns, columns), (columns, columns),
        (components, columns) or (components,), according to the covariance type.
    tables : array of float64, shape (components, values)
        Probabilities of the values of all nominal columns, concatenated.
    offset, scale : array of float64
        Scaling of numeric columns: standardised values are (x - `offset`) / `scale`; NaN for a constant column.
    n_rows : float
        Total weight of the training rows; 0 for a mixture given by its parameters.
    log_likelihood : float or None
        Log likelihood of the training rows.
    objective : tuple of float
        Objective of EM, before the first and after every iteration.
    converged : bool
        Whether EM converged.
    restarts : int
        Number of restarts of components that collapsed or merged.
    rules : RuleList or None
        Rules that describe the clusters.
    fidelity : float or None
        Fraction of the rows that the rules assign to the same cluster.
    choice : NumberChoice or None
        Choice of the number of components.

    Examples
    --------
    >>> two = Mixture.of([0.5, 0.5], [[2.0], [9.0]], [[[4.0]], [[4.0]]])
    >>> float(two.score_samples([[1.0], [2.0], [3.0], [9.0], [10.0], [11.0]]).sum().round(6))
    -14.688691
    >>> two.predict([[1.0], [7.0]])
    array([0, 1])
    """

    schema: Schema
    covariance_type: str
    shares: Floats
    means: Floats
    covariances: Floats
    tables: Floats
    offset: Floats
    scale: Floats
    n_rows: float = 0.0
    log_likelihood: float | None = None
    objective: tuple[float, ...] = ()
    converged: bool = True
    restarts: int = 0
    rules: RuleList | None = None
    fidelity: float | None = None
    choice: NumberChoice | None = None

    def __post_init__(self) -> None:
        if self.covariance_type not in KINDS:
            raise InputError(f"covariance_type is {self.covariance_type!r}; give one of {', '.join(KINDS)}")
        k, d = len(self.shares), len(self.schema.inputs()) - len(self.sizes)
        shapes = {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}
        fits = (
            k
            and self.means.shape == (k, d)
            and self.covariances.shape == shapes[self.covariance_type]
            and self.tables.shape == (k, sum(self.sizes))
            and self.offset.shape == self.scale.shape == (d,)
        )
        if not fits:
            raise InputError("the parameters of the mixture do not match its columns; give consistent shapes")

    @classmethod
    def of(
        cls, shares: Sequence[float], means: Any, covariances: Any, names: Sequence[str] | None = None
    ) -> Mixture:
        """Return the mixture of Gaussians with the given parameters, in the given order.

        Parameters
        ----------
        shares : sequence of float
            Mixture weights; they sum to 1.
        means : array, shape (components, columns)
        covariances : array, shape (components, columns, columns)
        names : sequence of str, optional
            Names of the columns.
        """
        weight, mean = np.asarray(shares, np.float64), np.atleast_2d(np.asarray(means, np.float64))
        matrices = np.asarray(covariances, np.float64)
        k, d = mean.shape
        if weight.shape != (k,) or not (weight > 0).all() or not math.isclose(weight.sum(), 1.0):
            raise InputError(f"shares is {shares!r}; give {k} positive numbers that sum to 1")
        if matrices.shape != (k, d, d) or not np.allclose(matrices, matrices.transpose(0, 2, 1)):
            raise InputError(
                f"covariances has the wrong shape or is asymmetric; give {k} symmetric {d} x {d} matrices"
            )
        if not np.isfinite(mean).all() or (np.linalg.eigvalsh(matrices)[:, 0] <= 0).any():
            raise InputError(
                "means or covariances are invalid; give finite means and positive definite covariances"
            )
        names = [f"x{j}" for j in range(d)] if names is None else names
        schema = Schema(tuple(Column(str(name)) for name in names))
        return cls(schema, "full", weight, mean, matrices, np.zeros((k, 0)), np.zeros(d), np.ones(d))

    # --- parts ---------------------------------------------------------------------------------------------------

    @property
    def classes(self) -> tuple[int, ...]:
        """Indices of the clusters."""
        return tuple(range(len(self.shares)))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Number of values of each nominal column."""
        return tuple(len(column.domain) for column in self.schema.inputs() if column.kind == "nominal")

    @cached_property
    def places(self) -> Places:
        """Start of the values of each nominal column in `tables`."""
        return np.concatenate([[0], np.cumsum(self.sizes)])[:-1].astype(np.int64)

    @cached_property
    def components(self) -> Components:
        """The components, in the units of the mixture."""
        return Components(self.covariance_type, self.shares, self.means, self.covariances, self.tables)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        inputs = self.schema.inputs()
        nominal = [len(column.domain) for column in inputs if column.kind == "nominal"]
        d = len(inputs) - len(nominal)
        one_of("covariance_type", self.covariance_type, COVARIANCES)
        check_shapes(
            self,
            {
                "shares": "k",
                "means": "k d",
                "covariances": COVARIANCES[self.covariance_type],
                "tables": "k values",
                "offset": "d",
                "scale": "d",
            },
            d=d,
            values=sum(nominal),
        )
        for field_ in ("shares", "tables"):
            check_numbers(field_, getattr(self, field_), at_least=0)
        for field_ in ("means", "covariances"):
            check_numbers(field_, getattr(self, field_))
        check_units(self.offset, self.scale)
        if d and not (np.linalg.eigvalsh(self.components.matrices()) > 0).all():
            raise InputError("a covariance matrix is not positive definite; fit the mixture again")
        if not self.shares.any():
            raise InputError("all components have weight 0; fit the mixture again")

    @property
    def centres(self) -> Floats:
        """Mean of each numeric column in each component, in the units of the table."""
        return self.means * self._steps + self.offset

    def matrices(self) -> Floats:
        """Return the covariance matrix of each component, in the units of the table."""
        return self.components.matrices() * self._steps * self._steps[:, np.newaxis]

    @property
    def _steps(self) -> Floats:
        """Scale of each numeric column; 0 for a constant one, which stays at its offset."""
        return np.where(np.isnan(self.scale), 0.0, self.scale)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return self.components.n_parameters(self.sizes, int((~np.isnan(self.scale)).sum()))

    @property
    def bic(self) -> float:
        """Bayesian information criterion, as in scikit-learn: lower is better."""
        note("bic is -2 ln L + k ln N since this version; lower is better, as in scikit-learn")
        return self.information()

    def information(self) -> float:
        """Return -2 ln L + k ln N for k free parameters and N rows; NaN for a mixture given by its parameters."""
        if self.log_likelihood is None:
            return math.nan
        return -2.0 * self.log_likelihood + self.n_parameters * math.log(max(self.n_rows, 1.0))

    # --- predictions ---------------------------------------------------------------------------------------------

    def log_joint(self, X: Any) -> Floats:
        """Return ln P(C = i, x) of each row x and component i."""
        table = self.encoded(X)
        numeric = Units(self.offset, self.scale).scaled(table.numeric)
        logs = self.components.log_densities(numeric, table.nominal, self.places)
        scales = np.log(np.where(np.isnan(self.scale), 1.0, self.scale))
        return np.asarray(logs - (~np.isnan(numeric) @ scales)[:, np.newaxis])

    def score_samples(self, X: Any) -> Floats:
        """Return the log density of each row; missing values are integrated out."""
        logs = self.log_joint(X)
        top = logs.max(axis=1)
        return np.asarray(top + np.log(np.exp(logs - top[:, np.newaxis]).sum(axis=1)))

    def _scores(self, table: Table) -> Floats:
        """Return, for each row and cluster, the score of the cluster; the largest decides."""
        return self.log_joint(table)

    def explain(self, X: Any) -> tuple[ClusterExplanation, ...]:
        """Return, for each row, its cluster and the decisive columns relative to the second most likely cluster."""
        return explain(self, self.encoded(X))

    def sample(self, n: int = 1, random_state: RandomState = None) -> DataFrame:
        """Return a polars frame of `n` random rows: first a component is drawn, then a row from it."""
        random = generator(random_state)
        which = random.choice(len(self.shares), n, p=self.shares / self.shares.sum())
        normal = random.normal(size=(n, self.means.shape[1]))
        uniform = random.random((n, len(self.sizes)))
        numeric = np.empty_like(normal)
        nominal = np.full(uniform.shape, -1, np.int32)
        for i, factor in enumerate(np.linalg.cholesky(self.components.matrices())):
            own = which == i
            numeric[own] = self.means[i] + normal[own] @ factor.T
            for q, (place, size) in enumerate(zip(self.places, self.sizes, strict=True)):
                bounds = np.cumsum(self.tables[i, place : place + size])[:-1]
                nominal[own, q] = np.searchsorted(bounds, uniform[own, q], side="right") if size else -1
        numeric = numeric * self._steps + self.offset
        numbers, codes = iter(numeric.T), iter(nominal.T)
        inputs = self.schema.inputs()
        drawn = [next(codes if column.kind == "nominal" else numbers) for column in inputs]
        return frame_of(inputs, drawn)

    # --- output --------------------------------------------------------------------------------------------------

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        """The clusters with their weights, their characteristics, and the rules that describe them."""
        return clusters(self)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return weight, columns and rules of each cluster, and means and covariances of the numeric columns."""
        told = [
            {
                "share": each.share,
                "columns": [
                    {
                        "name": one.column,
                        "text": str(one),
                        "influence": one.influence,
                    }
                    for one in each.differences
                ],
                "rules": [rule.premise() for rule in each.rules],
            }
            for each in self.clusters
        ]
        axes = [column.name for column in self.schema.inputs() if column.kind != "nominal"]
        return "clusters", {
            "clusters": told,
            "axes": axes,
            "means": self.centres,
            "covariances": self.matrices(),
        }

    def parts(self) -> Parts:
        """Return the number of parameters."""
        return Parts(self.n_parameters, "parameters")

    def size(self) -> str:
        """Return the number of components and parameters."""
        k = len(self.shares)
        return f"{k} cluster{'s' if k != 1 else ''}, {self.n_parameters} parameters"

    def headline(self) -> str:
        """Return the kind of the clusters."""
        return f"mixture of {len(self.shares)} with {self.covariance_type} covariances"

    def __str__(self) -> str:
        return printed(self)

    def draw(self) -> Figure:
        """Plot the clusters: ellipses over two numeric columns, or bars of their characteristics."""
        from induce.mixtures.pictures import draw

        return draw(self)
