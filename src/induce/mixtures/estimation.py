"""EM from several starts; components that collapse or merge are reinitialised (AIMA 20.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from induce.core.ties import best_of, first_smallest
from induce.core.trace import emit
from induce.data.numeric_view import Floats
from induce.em import Maximised, maximise
from induce.mixtures.components import Components, Expected, LostError
from induce.mixtures.rows import Rows

RESTARTS = 3
"""Maximum number of restarts of components in one run."""
MERGED = 1e-4
"""Bhattacharyya distance below which two components are merged."""


class EMSettings(NamedTuple):
    """Settings of EM: equivalent sample size of the prior, tolerance, maximum number of iterations, and trace
    events.
    """

    prior: float
    tolerance: float
    max_iter: int
    tell: Callable[[Components, float], Mapping[str, Any]] | None = None


class Fit(NamedTuple):
    """The best components, the objective at every iteration, and the number of restarts of components."""

    components: Components
    objective: tuple[float, ...]
    converged: bool
    restarts: int
    log_likelihood: float

    def interrupted(self, max_iter: int) -> bool:
        """Return whether Ctrl-C ended the run."""
        return not self.converged and len(self.objective) <= max_iter


def fit(rows: Rows, starts: Sequence[Components], settings: EMSettings, random: np.random.Generator) -> Fit:
    """Return the best components that EM finds from several starts."""
    found: list[Fit] = []
    for number, start in enumerate(starts):
        found.append(_run(rows, start, settings, random, number))
        if found[-1].interrupted(settings.max_iter):
            break
    return best_of(found, lambda each: each.objective[-1])


def _run(
    rows: Rows, start: Components, settings: EMSettings, random: np.random.Generator, number: int
) -> Fit:
    current, restarts = start, 0
    runs: list[Maximised[Components]] = []
    while True:
        strict = restarts < RESTARTS
        try:
            found = _maximised(rows, current, settings, strict, number)
        except _StoppedError as stopped:
            restarts += 1
            component, why, last = stopped.component, stopped.why, stopped.last
        else:
            runs.append(found)
            pair = merged(found.hypothesis)
            if pair is None or not strict or not found.converged:
                break
            restarts += 1
            component, why, last = pair[1], f"it coincided with component {pair[0]}", found.hypothesis
        emit("restart", component=component, why=why)
        current = last.reseeded(component, rows, random)
    return _fit_of(best_of(runs, lambda each: each.objective[-1]), rows, settings, restarts)


def refined(rows: Rows, start: Components, settings: EMSettings) -> Fit:
    """Return the result of EM from good initial components, without reinitialisation."""
    return _fit_of(_maximised(rows, start, settings, strict=False, number=0), rows, settings, 0)


def _fit_of(best: Maximised[Components], rows: Rows, settings: EMSettings, restarts: int) -> Fit:
    likelihood = best.objective[-1] - best.hypothesis.log_prior(rows, settings.prior)
    return Fit(best.hypothesis.ordered(), best.objective, best.converged, restarts, likelihood)


class _StoppedError(Exception):
    """Exception that ends EM because a component was lost."""

    def __init__(self, lost: LostError, last: Components) -> None:
        super().__init__(lost.why)
        self.component, self.why, self.last = lost.component, lost.why, last


def _maximised(
    rows: Rows, start: Components, settings: EMSettings, strict: bool, number: int
) -> Maximised[Components]:
    def m_step(expected: Expected, before: Components) -> Components:
        try:
            return before.maximised(expected, rows, settings.prior, strict)
        except LostError as lost:
            raise _StoppedError(lost, before) from None

    return maximise(
        [start],
        lambda h: h.expect(rows),
        m_step,
        lambda h, expected: expected.log_likelihood + h.log_prior(rows, settings.prior),
        tolerance=settings.tolerance,
        max_iter=settings.max_iter,
        tell=lambda h, value: {"start": number} | dict(settings.tell(h, value) if settings.tell else {}),
    )


def merged(components: Components) -> tuple[int, int] | None:
    """Return two components that coincide, the larger first; None if there are none.

    Examples
    --------
    >>> alike = Components("diag", np.array([0.4, 0.6]), np.zeros((2, 1)), np.ones((2, 1)), np.zeros((2, 0)))
    >>> merged(alike)
    (1, 0)
    """
    apart = bhattacharyya(components)
    np.fill_diagonal(apart, np.inf)
    if apart.size == 0 or apart.min() >= MERGED:
        return None
    one, other = divmod(first_smallest(apart), len(apart))
    larger = components.shares[one] >= components.shares[other]
    return (one, other) if larger else (other, one)


def bhattacharyya(components: Components) -> Floats:
    """Return the pairwise Bhattacharyya distances of components (for nominal columns, a lower bound)."""
    k, d = components.means.shape
    found = np.zeros((k, k))
    if d and components.dense:
        matrices = components.matrices()
        logs = np.linalg.slogdet(matrices)[1]
        for i in range(k):
            middle = (matrices + matrices[i]) / 2.0
            gap = components.means - components.means[i]
            away = (gap * np.linalg.solve(middle, gap[:, :, np.newaxis])[:, :, 0]).sum(axis=1)
            found[i] = away / 8.0 + 0.5 * (np.linalg.slogdet(middle)[1] - 0.5 * (logs + logs[i]))
    elif d:
        variances = components.variances()
        for i in range(k):
            middle = (variances + variances[i]) / 2.0
            away = np.square(components.means - components.means[i]) / middle / 8.0
            widths = 0.5 * np.log(middle / np.sqrt(variances * variances[i]))
            found[i] = (away + widths).sum(axis=1)
    roots = np.sqrt(components.tables)
    for i in range(k):
        found[i] += 0.5 * np.square(roots - roots[i]).sum(axis=1)
    return found
