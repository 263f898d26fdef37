"""Base of the learners of mixtures: rows of a table, choice of the number of clusters, and rules."""

from __future__ import annotations

import math
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.hashing import SAMPLE, sampled_rows
from induce.core.parameters import Declared, choice, number, truth, whole
from induce.core.passes import passes
from induce.core.progress import current_phase, phase, report
from induce.core.randomness import RandomState, generator
from induce.core.ties import first_largest
from induce.core.trace import emit, part
from induce.data.decoded_rows import frame_of
from induce.data.frames import RawFrame, raw_frame
from induce.data.numeric_view import SCALES, Floats
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import Reading, TableDensity
from induce.mixtures.components import Components, start_from
from induce.mixtures.estimation import EMSettings, Fit, fit, refined
from induce.mixtures.events import telling
from induce.mixtures.hypothesis import Mixture
from induce.mixtures.many import Held, ManyRows, matrix_of
from induce.mixtures.number import NumberChoice
from induce.mixtures.rows import Places, Rows, Units

MOST_IN_START = 20_000
"""Maximum number of rows used to initialise the clusters."""
TRIES = 5
"""Number of k-means tries for each start of EM."""
MOST_IN_RULES = 2_000
"""Maximum number of rows used for the rules that describe the clusters."""
SAMPLE_SHARE = 0.4
"""Fraction of the work that is reported as done once a sample of many rows is grouped."""
PATIENCE = 2
"""Number of consecutive numbers of clusters without a better score after which the search ends."""


F = TypeVar("F")
"""Result for one number of clusters."""
M = TypeVar("M", bound=Mixture)
"""A kind of mixture."""


class ClusterLearner(TableDensity):
    """A clustering learner: a density that also assigns rows to clusters."""

    parameters: ClassVar[Declared] = {
        "n_init": whole("Number of starts; the best is kept.", at_least=1),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
        "rules": truth("Whether clusters are described by rules."),
    }
    hypothesis_: Mixture
    labels_: NDArray[np.int64]
    rules: bool
    random_state: RandomState

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the cluster of each row of `X`."""
        return cast(Mixture, self._fitted(X)).predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each cluster for each row of `X`."""
        return cast(Mixture, self._fitted(X)).predict_proba(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int64]:
        """Learn from a table and return the cluster of each of its rows."""
        return self.fit(X, y, sample_weight).labels_

    def _forget(self) -> None:
        super()._forget()
        self.__dict__.pop("labels_", None)

    def _rows(self, reading: Reading, scale: str | None) -> tuple[Units, Rows]:
        """Return the distinct rows, and the scaling of their numeric columns."""
        table = reading.table
        sizes = tuple(len(column.domain) for column in table.schema if column.kind == "nominal")
        rows = Rows.of(table.numeric, table.nominal, reading.weight(), sizes)
        units = Units.of(Table(table.schema, rows.numeric, rows.nominal), rows.weights, scale)
        scaled = replace(rows, numeric=units.scaled(rows.numeric))
        if np.isnan(units.scale).any():  # rows that differ only in constant columns are merged
            scaled = Rows.of(scaled.numeric, scaled.nominal, scaled.weights, sizes)
        return units, scaled

    def _learn(self, reading: Reading) -> Mixture:
        random = generator(self.random_state)
        if len(reading) <= SAMPLE:
            return self._finished(self._found(reading, random), reading, random)
        some = sampled_rows(len(reading))
        sample = Reading(RawFrame((), len(some), True), reading.schema, reading.weight()[some])
        sample.__dict__["table"] = reading.table.rows(some)
        found = self._of_many([Held(reading.table, reading.weight())], sample)
        self.labels_ = found.predict(reading.table)
        return found

    def _learn_scan(self, source: Any) -> Mixture:
        """Learn from a table in partitions: a sample is clustered first, then sums over all rows continue
        from there.
        """
        sample = Reading(raw_frame(source.sample(SAMPLE).X), source.schema, None)
        if len(source) > SAMPLE:
            return self._of_many(source.partitions(), sample)
        random = generator(self.random_state)
        return self._finished(self._found(sample, random), sample, random)

    def _of_many(self, parts: list[Any], sample: Reading) -> Mixture:
        """Continue on all rows from the clusters of a sample; the rules describe the sample."""
        random = generator(self.random_state)
        with phase(current_phase(), 0, SAMPLE_SHARE):
            first = self._found(sample, random)
        with phase(current_phase(), SAMPLE_SHARE, 1), passes():
            rows = ManyRows.settled(parts, sample.table.schema, self._unit())
            found = replace(self._refined(rows, first), choice=first.choice)
        mixture = self._finished(found, sample, random)
        del self.labels_
        return mixture

    @abstractmethod
    def _found(self, reading: Reading, random: np.random.Generator) -> Mixture:
        """Return the clusters of rows in memory, without their rules."""

    @abstractmethod
    def _refined(self, rows: ManyRows, first: Any) -> Mixture:
        """Return the clusters of many rows, starting from the clusters of a sample."""

    def _unit(self) -> str | None:
        """Return the scaling of numeric columns."""
        return "standard"

    def _finished(self, mixture: M, reading: Reading, random: np.random.Generator) -> M:
        """Assign each row to a cluster, and describe the clusters by rules."""
        labels = mixture.predict(reading.table)
        self.labels_ = labels
        if not self.rules or len(mixture.shares) == 1:
            return mixture
        with part("description"):
            return described(mixture, reading.table, labels, reading.weight(), random)


class EMLearner(ClusterLearner):
    """A learner of clusters by EM."""

    parameters: ClassVar[Declared] = {
        "prior": number(
            "Equivalent sample size of the prior; larger values smooth more.", at_least=0, finite=True
        ),
        "max_iter": whole("Maximum number of iterations of EM.", at_least=1),
        "tol": number("Relative gain of the objective below which EM ends.", at_least=0),
    }
    prior: float
    n_init: int
    max_iter: int
    tol: float

    def _settings(self, reading: Reading, units: Units, rows: Rows) -> EMSettings:
        tell = telling(reading.schema, units, rows, log_units(rows, units))
        return EMSettings(float(self.prior), float(self.tol), int(self.max_iter), tell)

    def _refined(self, rows: ManyRows, first: Mixture) -> Mixture:
        settings = EMSettings(float(self.prior), float(self.tol), int(self.max_iter))
        found = refined(rows, components_in(rows.units, first), settings)
        return mixture_of(found, first.schema, rows.units, rows, None)

    def _fit(self, rows: Rows, k: int, kind: str, settings: EMSettings, random: np.random.Generator) -> Fit:
        """Run EM with `k` components from starts by k-means."""
        n_starts = self.n_init if k > 1 else 1
        starts = [start_from(rows, first_labels(rows, k, random), k, kind) for _ in range(n_starts)]
        return fit(rows, starts, settings, random)


def mixture_of(found: Fit, schema: Schema, units: Units, rows: Rows, choice: NumberChoice | None) -> Mixture:
    """Return the result of EM as a hypothesis."""
    parts = found.components
    return Mixture(
        schema,
        parts.kind,
        parts.shares / parts.shares.sum(),
        parts.means,
        parts.covariances,
        parts.tables,
        units.offset,
        units.scale,
        n_rows=rows.total,
        log_likelihood=found.log_likelihood - log_units(rows, units),
        objective=found.objective,
        converged=found.converged,
        restarts=found.restarts,
        choice=choice,
    )


def log_units(rows: Rows, units: Units) -> float:
    """Return the correction of the log-likelihood for scaled columns, to the units of the table."""
    return float((rows.known * np.log(np.where(np.isnan(units.scale), 1.0, units.scale))).sum())


def information_score(found: Fit, rows: Rows, units: Units) -> float:
    """Return the BIC as a score to maximise: the log-likelihood minus ln N / 2 per free parameter."""
    used = int((~np.isnan(units.scale)).sum())
    penalty = 0.5 * found.components.n_parameters(rows.sizes, used) * math.log(rows.total)
    return found.log_likelihood - log_units(rows, units) - penalty


def numbers_of(name: str, given: int | None, most: int, rows: Rows) -> Sequence[int]:
    """Return the candidate numbers of clusters: the given one, or all up to the maximum."""
    if given is not None:
        if given > len(rows):
            raise InputError(
                f"{name} is {given}, but there are only {len(rows)} distinct rows; give at most {len(rows)}"
            )
        return [int(given)]
    return range(1, min(int(most), len(rows)) + 1)


def best_number(
    numbers: Iterable[int], criterion: str, attempt: Callable[[int], tuple[F, float, bool]]
) -> tuple[F, NumberChoice]:
    """Try one number after another until several bring no improvement; return the best attempt.

    Parameters
    ----------
    numbers : iterable of int
        Numbers in ascending order.
    criterion : str
    attempt : callable
        Function from a number to its result, its score, and whether Ctrl-C ended it.
    """
    found: list[F] = []
    tried: list[int] = []
    scores: list[float] = []
    numbers = list(numbers)
    for k in numbers:
        each, score, interrupted = attempt(k)
        found.append(each)
        tried.append(k)
        scores.append(score)
        if len(numbers) > 1:
            emit("number", clusters=k, criterion=criterion, score=score)
        report(k / numbers[-1])
        if interrupted or len(scores) - 1 - first_largest(scores) >= PATIENCE:
            break
    choice = NumberChoice(criterion, tuple(tried), tuple(scores))
    return found[first_largest(scores)], choice


def k_means(
    matrix: Floats,
    weights: Floats,
    k: int,
    n_init: int,
    random: np.random.Generator,
    firsts: list[Floats] | None = None,
) -> Any:
    """Return scikit-learn's k-means of the given rows; `firsts` takes the initial means of each start."""
    from sklearn.cluster import KMeans, kmeans_plusplus
    from sklearn.exceptions import ConvergenceWarning

    centre = matrix.mean(axis=0)

    def first_means(rows: Floats, n: int, random_state: Any) -> Floats:
        means, _ = kmeans_plusplus(rows, n, sample_weight=weights, random_state=random_state)
        if firsts is not None:
            firsts.append(means + centre)  # scikit-learn's rows are centred
        return np.asarray(means)

    init = "k-means++" if firsts is None else first_means

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # rows that differ only in missing values are the same here
        return KMeans(k, init=init, n_init=n_init, random_state=int(random.integers(2**31))).fit(
            matrix, sample_weight=weights
        )


def first_labels(rows: Rows, k: int, random: np.random.Generator) -> Places:
    """Return an initial cluster for each row, by k-means."""
    if k == 1:
        return np.zeros(len(rows), np.int64)
    matrix = matrix_of(rows)
    if len(rows) <= MOST_IN_START:
        return np.asarray(k_means(matrix, rows.weights, k, TRIES, random).labels_, np.int64)
    some = random.choice(len(rows), MOST_IN_START, replace=False)
    found = k_means(matrix[some], rows.weights[some], k, TRIES, random)
    return np.asarray(found.predict(matrix), np.int64)


def described(mixture: M, table: Table, labels: Places, weights: Floats, random: np.random.Generator) -> M:
    """Return a mixture with the rules that C45Rules learns for its clusters, and their fidelity."""
    import polars as pl

    from induce.trees.learners.c45_rules import C45Rules

    counted = np.flatnonzero(weights)
    if len(counted) > MOST_IN_RULES:
        counted = np.sort(random.choice(counted, MOST_IN_RULES, replace=False))
    names = [str(number) for number in mixture.classes]
    some = table.rows(counted)
    frame = frame_of(table.schema, [some.column(j) for j in range(len(table.schema))])
    y = pl.Series("cluster", [names[label] for label in labels[counted]], dtype=pl.Enum(names))
    rules = (
        C45Rules(select=False, schema=table.schema).fit(frame, y, sample_weight=weights[counted]).hypothesis_
    )
    same = rules.predict(table).astype(np.int64) == labels
    return replace(mixture, rules=rules, fidelity=float(weights @ same / weights.sum()))


def components_in(units: Units, start: Mixture) -> Components:
    """Return the components of a mixture in other units."""
    silent = np.isnan(units.scale) | np.isnan(start.scale)
    ratio = np.where(silent, 1.0, start.scale / units.scale)
    means = np.where(silent, 0.0, start.means * ratio + (start.offset - units.offset) / units.scale)
    if start.covariance_type == "diag":
        covariances = start.covariances * ratio * ratio
    elif start.covariance_type == "spherical":
        covariances = start.covariances * float(np.mean(ratio * ratio) if len(ratio) else 1.0)
    else:
        covariances = start.covariances * ratio * ratio[:, np.newaxis]
    return Components(start.covariance_type, start.shares, means, covariances, start.tables)
