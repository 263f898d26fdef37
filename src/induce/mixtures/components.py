"""The components of a mixture, and EM over them: expectation of the component of each row, maximisation (AIMA
20.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import sized
from induce.core.pass_results import pass_result
from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.data.patterns import patterns
from induce.data.table import Codes
from induce.mixtures import _loops
from induce.mixtures.rows import Places, Rows

KINDS = ("full", "tied", "diag", "spherical")
LOG_2PI = math.log(2.0 * math.pi)
WITHIN = 0.25
"""Prior variance of a component, as a fraction of the variance of all rows."""
LEAST_VARIANCE = 1e-8
"""Minimum variance in any direction, as a fraction of that of all rows."""
LEAST_SHARE = 1e-4
"""Minimum size of a component, as a fraction of the mean component size."""
LEAST_PROBABILITY = 1e-12
ITERATIONS = 50
"""Expected number of iterations; decides whether the loops are compiled."""
STEPS = 20_000_000
"""Number of elementary steps in one call of a loop."""


class LostError(Exception):
    """A component has lost its rows, or has collapsed onto too few of them."""

    def __init__(self, component: int, why: str) -> None:
        super().__init__(why)
        self.component = component
        self.why = why


@pass_result
class Expected(NamedTuple):
    """Expected sufficient statistics of the hidden classes: p_i, and sums over the rows per component.

    `known`, `sums` and `squares` are the weights of known numbers, their deviations from the means, and the squares
    (of full covariances: products) of these. `counts` are those of nominal values.
    """

    totals: Floats
    known: Floats
    sums: Floats
    squares: Floats
    counts: Floats
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class Components:
    """Gaussians for the numeric columns, and a table of probabilities for every nominal one.

    Parameters
    ----------
    kind : {"full", "tied", "diag", "spherical"}
    shares : array of float64, shape (components,)
    means : array of float64, shape (components, numeric columns)
    covariances : array of float64
        Covariances, of shape (components, columns, columns), (columns, columns), (components, columns) or
        (components,).
    tables : array of float64, shape (components, values)
        Probability tables of all nominal columns, concatenated.
    """

    kind: str
    shares: Floats
    means: Floats
    covariances: Floats
    tables: Floats

    @property
    def dense(self) -> bool:
        """Whether the columns of a component may be correlated."""
        return self.kind in ("full", "tied")

    def variances(self) -> Floats:
        """Return the variance of each column in each component."""
        if self.dense:
            found = np.diagonal(self.covariances, axis1=-2, axis2=-1)
        else:
            found = self.covariances if self.kind == "diag" else self.covariances[:, np.newaxis]
        return np.broadcast_to(found, self.means.shape).copy()

    def matrices(self) -> Floats:
        """Return the covariance matrix of each component."""
        if not self.dense:
            return self.variances()[:, :, np.newaxis] * np.eye(self.means.shape[1])
        k, d = self.means.shape
        return np.broadcast_to(self.covariances, (k, d, d))

    def log_densities(self, numeric: Floats, nominal: Codes, places: Places) -> Floats:
        """Return ln P(C = i, x) for every row x and component i, with missing values integrated out."""
        logs = np.tile(np.log(self.shares), (len(numeric), 1))
        if self.dense:
            for known, rows in patterns(~np.isnan(numeric)):
                white, norms = whitening(self.matrices()[:, known][:, :, known])
                x = numeric[rows][:, known]
                for i in range(len(self.shares)):
                    z = (x - self.means[i, known]) @ white[i].T
                    logs[rows, i] += norms[i] - 0.5 * np.square(z).sum(axis=1)
        else:
            variances = self.variances()
            for i, (mean, variance) in enumerate(zip(self.means, variances, strict=True)):
                parts = -0.5 * (np.square(numeric - mean) / variance + np.log(variance) + LOG_2PI)
                logs[:, i] += np.nansum(parts, axis=1)
        log_tables = np.log(np.maximum(self.tables, LEAST_PROBABILITY))
        for place, codes in zip(places, nominal.T, strict=True):
            known = codes >= 0
            logs[known] += log_tables[:, place + codes[known]].T
        return logs

    def expect(self, rows: Rows) -> Expected:
        """Return the expectations of the hidden classes (E step): p_ij ∝ P(C = i) P(x_j | C = i)."""
        return rows.summed(self._expect_dense if self.dense else self._expect_diagonal, _added)

    def _expect_diagonal(self, rows: Rows) -> Expected:
        k, d = self.means.shape
        totals, counts = np.zeros(k), np.zeros(self.tables.shape)
        known, sums, squares = np.zeros((3, k, d))
        variances = self.variances()
        log_tables = np.log(np.maximum(self.tables, LEAST_PROBABILITY))
        width = k * (d + len(rows.sizes) + 1)
        step = sized(_loops.diagonal_step, len(rows) * width * ITERATIONS, 1 / ITERATIONS)
        log_likelihood = 0.0
        for part in rows.blocks(STEPS // width + 1):
            log_likelihood += step(
                part.numeric,
                part.nominal,
                rows.places,
                part.weights,
                np.log(self.shares),
                self.means,
                1.0 / variances,
                -0.5 * (np.log(variances) + LOG_2PI),
                log_tables,
                totals,
                known,
                sums,
                squares,
                counts,
            )
        return Expected(totals, known, sums, squares, counts, log_likelihood)

    def _expect_dense(self, rows: Rows) -> Expected:
        k, d = self.means.shape
        totals, counts = np.zeros(k), np.zeros(self.tables.shape)
        sums, squares = np.zeros((k, d)), np.zeros((k, d, d))
        matrices = self.matrices()
        log_tables = np.log(np.maximum(self.tables, LEAST_PROBABILITY))
        width = k * (d * d + len(rows.sizes) + 1)
        step = sized(_loops.full_step, len(rows) * width * ITERATIONS, 1 / ITERATIONS)
        log_likelihood = 0.0
        for known, group in rows.groups:
            inner = matrices[:, known][:, :, known]
            white, norms = whitening(inner)
            own, first, second = np.zeros(k), np.zeros((k, known.sum())), np.zeros(inner.shape)
            for part in group.blocks(STEPS // width + 1):
                log_likelihood += step(
                    part.numeric,
                    part.nominal,
                    rows.places,
                    part.weights,
                    np.log(self.shares) + norms,
                    np.ascontiguousarray(self.means[:, known]),
                    white,
                    log_tables,
                    own,
                    first,
                    second,
                    counts,
                )
            second += np.tril(second, -1).transpose(0, 2, 1)
            totals += own
            if known.all():
                sums += first
                squares += second
            else:
                _complete(matrices, known, white, own, first, second, sums, squares)
        return Expected(totals, np.repeat(totals, d).reshape(k, d), sums, squares, counts, log_likelihood)

    def maximised(self, expected: Expected, rows: Rows, prior: float, strict: bool) -> Components:
        """Return the best components given the expectations (M step).

        Mixture weights are p_i / N, means the weighted means, and covariances those around the new means. The prior
        acts as additional rows, with a quarter of the variance of all rows and the overall value frequencies.

        Parameters
        ----------
        expected : Expected
        rows : Rows
        prior : float
            Number of such rows; 0 gives maximum likelihood.
        strict : bool
            Whether to raise `LostError` if a component becomes too small or collapses.
        """
        k = len(self.shares)
        if strict:
            smallest = int(expected.totals.argmin())
            if expected.totals[smallest] < LEAST_SHARE * rows.total / k:
                raise LostError(smallest, "it lost its rows")
        shares = (expected.totals + prior / k) / (rows.total + prior)
        known = np.maximum(expected.known, 1e-300)
        shift = np.where(expected.known > 0, expected.sums / known, 0.0)
        return Components(
            self.kind,
            np.maximum(shares, LEAST_PROBABILITY),
            self.means + shift,
            self._covariances(expected, shift, rows, prior, strict),
            self._tables(expected.counts, rows, prior),
        )

    def _covariances(
        self, expected: Expected, shift: Floats, rows: Rows, prior: float, strict: bool
    ) -> Floats:
        if not self.means.shape[1]:
            return self.covariances
        around, least = prior * WITHIN * rows.variances, LEAST_VARIANCE * rows.variances
        if self.dense:
            outer = shift[:, :, np.newaxis] * shift[:, np.newaxis, :]
            found = expected.squares - expected.totals[:, np.newaxis, np.newaxis] * outer
            if self.kind == "tied":
                matrix = (found.sum(axis=0) + np.diag(around)) / (rows.total + prior)
                return np.asarray(_floored(matrix[np.newaxis], rows, strict=False)[0])
            total = np.maximum(expected.totals + prior, 1e-300)[:, np.newaxis, np.newaxis]
            return _floored((found + np.diag(around)) / total, rows, strict and not rows.correlated)
        found = np.maximum(expected.squares - expected.known * np.square(shift), 0.0)
        if self.kind == "spherical":
            d = self.means.shape[1]
            total = expected.known.sum(axis=1) + prior * d
            one = (found.sum(axis=1) + around.sum()) / np.maximum(total, 1e-300)
            variances = np.where(total > 0, one, self.covariances)[:, np.newaxis]
            least = np.full(1, least.mean())
        else:
            total = expected.known + prior
            variances = np.where(total > 0, (found + around) / np.maximum(total, 1e-300), self.covariances)
        if strict and (variances < least).any():
            raise LostError(int((variances < least).any(axis=1).argmax()), "it collapsed")
        floored = np.maximum(variances, least)
        return np.asarray(floored[:, 0] if self.kind == "spherical" else floored)

    def _tables(self, counts: Floats, rows: Rows, prior: float) -> Floats:
        found = np.empty_like(counts)
        for place, size in zip(rows.places, rows.sizes, strict=True):
            part = slice(place, place + size)
            total = counts[:, part].sum(axis=1, keepdims=True) + prior
            more = counts[:, part] + prior * rows.shares[part]
            found[:, part] = np.where(total > 0, more / np.maximum(total, 1e-300), rows.shares[part])
        return found

    def log_prior(self, rows: Rows, prior: float) -> float:
        """Return the log of the prior, up to a constant: the contribution of its rows to the objective."""
        if prior == 0.0:
            return 0.0
        k, d = self.means.shape
        found: float = prior / k * float(np.log(self.shares).sum())
        logs = np.log(np.maximum(self.tables, LEAST_PROBABILITY))
        found += prior * float((logs * rows.shares).sum())
        if not d:
            return found
        around = WITHIN * rows.variances
        if self.dense:
            matrices = self.matrices()[:1] if self.kind == "tied" else self.matrices()
            traces = np.trace(np.linalg.solve(matrices, np.diag(around)), axis1=1, axis2=2)
            return found - 0.5 * prior * float(np.sum(np.linalg.slogdet(matrices)[1] + traces))
        variances = self.variances()
        return found - 0.5 * prior * float((np.log(variances) + around / variances).sum())

    def ordered(self) -> Components:
        """Return the components sorted by decreasing weight."""
        order = largest_first(self.shares)
        covariances = self.covariances if self.kind == "tied" else self.covariances[order]
        return Components(self.kind, self.shares[order], self.means[order], covariances, self.tables[order])

    def reseeded(self, component: int, rows: Rows, random: np.random.Generator) -> Components:
        """Return the components with one reinitialised around a random row, with the spread of all rows."""
        row = int(random.choice(len(rows), p=rows.weights / rows.total))
        k = len(self.shares)
        means, covariances, tables = self.means.copy(), self.covariances.copy(), self.tables.copy()
        numbers = rows.numeric[row]
        means[component] = np.where(np.isnan(numbers), 0.0, numbers)
        if self.kind == "full":
            covariances[component] = np.diag(rows.variances)
        elif self.kind == "diag":
            covariances[component] = rows.variances
        elif self.kind == "spherical":
            covariances[component] = rows.variances.mean() if len(rows.variances) else 1.0
        tables[component] = rows.shares
        for place, size, code in zip(rows.places, rows.sizes, rows.nominal[row], strict=True):
            if code >= 0:
                tables[component, place : place + size] /= 2.0
                tables[component, place + code] += 0.5
        shares = self.shares.copy()
        shares[component] = 1.0 / k
        return Components(self.kind, shares / shares.sum(), means, covariances, tables)

    def n_parameters(self, sizes: tuple[int, ...], used: int) -> int:
        """Return the number of free parameters for a number of numeric columns."""
        k = len(self.shares)
        square = used * (used + 1) // 2
        of_covariance = {"full": k * square, "tied": square, "diag": k * used, "spherical": k * (used > 0)}
        return k - 1 + k * used + of_covariance[self.kind] + k * sum(max(size - 1, 0) for size in sizes)


def _added(earlier: Expected, later: Expected) -> Expected:
    pairs: list[tuple[Any, Any]] = list(zip(earlier, later, strict=True))
    return Expected(*(mine + theirs for mine, theirs in pairs))


def whitening(matrices: Floats) -> tuple[Floats, Floats]:
    """Return the inverse Cholesky factors of covariances, and the logs of the normalisers of the densities."""
    factors = np.linalg.cholesky(matrices)
    norms = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1) + 0.5 * matrices.shape[1] * LOG_2PI
    return np.ascontiguousarray(np.linalg.inv(factors)), -norms


def start_from(rows: Rows, labels: Places, k: int, kind: str) -> Components:
    """Return the components of an initial grouping of the rows, each with one row of the prior."""
    member = (labels == np.arange(k)[:, np.newaxis]) * rows.weights
    numbers, holes = np.nan_to_num(rows.numeric), np.isnan(rows.numeric)
    known = member @ (~holes).astype(np.float64)
    means = np.where(known > 0, member @ numbers / np.maximum(known, 1e-300), 0.0)
    squares = np.array(
        [own @ (np.square(numbers - mean) * ~holes) for own, mean in zip(member, means, strict=True)]
    )
    counts = np.zeros((k, sum(rows.sizes)))
    for place, size, codes in zip(rows.places, rows.sizes, rows.nominal.T, strict=True):
        for value in range(size):
            counts[:, place + value] = member @ (codes == value)
    blank = Components("diag", np.full(k, 1.0 / k), means, np.ones_like(means), counts)
    expected = Expected(member.sum(axis=1), known, np.zeros_like(means), squares, counts, 0.0)
    found = blank.maximised(expected, rows, 1.0, strict=False)
    return replace(found, kind=kind, covariances=_of_kind(found.covariances, found.shares, kind))


def _of_kind(variances: Floats, shares: Floats, kind: str) -> Floats:
    if kind == "full":
        return variances[:, :, np.newaxis] * np.eye(variances.shape[1])
    if kind == "tied":
        return np.asarray(np.diag(shares @ variances))
    if kind == "spherical":
        return variances.mean(axis=1) if variances.shape[1] else np.ones(len(shares))
    return variances


def _complete(
    matrices: Floats,
    known: NDArray[np.bool_],
    white: Floats,
    own: Floats,
    first: Floats,
    second: Floats,
    sums: Floats,
    squares: Floats,
) -> None:
    """Add the sums of incomplete rows: a missing part has its conditional mean and covariance."""
    there, holes = np.flatnonzero(known), np.flatnonzero(~known)
    across = matrices[:, holes[:, np.newaxis], there]
    expand = np.zeros((len(matrices), len(known), len(there)))
    expand[:, there] = np.eye(len(there))
    expand[:, holes] = across @ white.transpose(0, 2, 1) @ white
    left = np.zeros_like(squares)
    rest = matrices[:, holes[:, np.newaxis], holes] - expand[:, holes] @ across.transpose(0, 2, 1)
    left[:, holes[:, np.newaxis], holes] = rest * own[:, np.newaxis, np.newaxis]
    sums += (expand @ first[:, :, np.newaxis])[:, :, 0]
    squares += expand @ second @ expand.transpose(0, 2, 1) + left


def _floored(matrices: Floats, rows: Rows, strict: bool) -> Floats:
    """Return covariances with at least the minimum variance in any direction, in units of that of all rows."""
    units = np.sqrt(rows.variances)
    scaled = matrices / units / units[:, np.newaxis]
    values, vectors = np.linalg.eigh(scaled)
    small = values[:, 0] < LEAST_VARIANCE
    if not small.any():
        return matrices
    if strict:
        raise LostError(int(small.argmax()), "it collapsed")
    raised = (vectors * np.maximum(values, LEAST_VARIANCE)[:, np.newaxis]) @ vectors.transpose(0, 2, 1)
    raised = raised * units * units[:, np.newaxis]
    return np.where(small[:, np.newaxis, np.newaxis], raised, matrices)
