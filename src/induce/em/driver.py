"""The EM algorithm: alternate expectation of the hidden variables and maximisation (Mitchell §6.12.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.ties import first_largest
from induce.core.trace import active, emit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

H = TypeVar("H")
"""A hypothesis."""
Z = TypeVar("Z")
"""Expectations of the hidden variables."""

ROUNDING = 1e-10
"""Relative decrease of the objective tolerated as rounding error."""


@dataclass(frozen=True)
class Maximised(Generic[H]):
    """Result of EM.

    Parameters
    ----------
    hypothesis : object
        Best hypothesis of all starts.
    objective : tuple of float
        Objective of the best start, before the first and after every iteration.
    converged : bool
        Whether the last iteration gained at most the tolerance.
    start : int
        Index of the best start.
    finals : tuple of float
        Final objective of each start.
    """

    hypothesis: H
    objective: tuple[float, ...]
    converged: bool
    start: int
    finals: tuple[float, ...]

    def __str__(self) -> str:
        ended = "converged" if self.converged else "stopped before it converged"
        best = f", the best of {len(self.finals)} starts" if len(self.finals) > 1 else ""
        return (
            f"objective {self.objective[-1]:.6g} after {len(self.objective) - 1} iterations ({ended}){best}"
        )

    def draw(self) -> Figure:
        """Plot the objective at every iteration."""
        from matplotlib.ticker import MaxNLocator

        from induce.pictures.style import GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(None)
        axes.plot(range(len(self.objective)), self.objective, color=PALETTE[0], marker="o", ms=3.5)
        for number, final in enumerate(self.finals):
            if number != self.start:
                axes.axhline(final, color=GREY, lw=0.8, ls=":", label="final values of other starts")
        handles, labels = axes.get_legend_handles_labels()
        if handles:
            axes.legend(handles[:1], labels[:1], frameon=False, fontsize=9)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("iteration")
        axes.set_ylabel("objective")
        tidy(axes)
        return figure


@dataclass
class _Run(Generic[H]):
    """State of one start."""

    hypothesis: H
    objective: list[float]
    converged: bool = False


def maximise(
    starts: Sequence[H] | Callable[[np.random.Generator], H],
    e_step: Callable[[H], Z],
    m_step: Callable[[Z, H], H],
    objective: Callable[[H, Z], float],
    *,
    n_starts: int = 1,
    tolerance: float = 1e-9,
    max_iter: int = 1000,
    random_state: RandomState = 0,
    monotone: bool = True,
    tell: Callable[[H, float], Mapping[str, Any]] | None = None,
) -> Maximised[H]:
    """Run EM until an iteration gains no more than the tolerance (Mitchell §6.12.2; AIMA 20.3).

    Every iteration must keep or raise the objective. This is checked: the objective falls only if the E step
    and the M step are inconsistent. An interrupt returns the best hypothesis so far.

    Parameters
    ----------
    starts : sequence or callable
        Initial hypotheses, or a function that draws one from a random generator.
    e_step : callable
        Function from a hypothesis to the expectations of the hidden variables.
    m_step : callable
        Function from these expectations and the hypothesis to the hypothesis that maximises the expected objective.
    objective : callable
        Function from a hypothesis and its expectations to the log-likelihood, possibly penalised.
    n_starts : int
        Number of starts if `starts` is a function; each has its own random stream.
    tolerance : float
        Convergence tolerance: maximum gain of the last iteration, relative to the magnitude of the objective
        (at least 1).
    max_iter : int
        Maximum number of iterations of each start.
    random_state : int, Generator or None
        Random seed.
    monotone : bool, default=True
        Whether a falling objective is an error. An approximate E step, such as loopy propagation, may let it fall.
    tell : callable, optional
        Function from a hypothesis and its objective to the fields of the trace event ``"em"``, for example
        both in the units of the data.

    Returns
    -------
    Maximised

    Examples
    --------
    >>> from induce.em.means_of_gaussians import GaussianMeans, means
    >>> x = np.array([[0.0], [1.0], [4.0], [5.0]])
    >>> start = GaussianMeans(np.array([[0.0], [5.0]]), np.ones(2))
    >>> found = maximise([start], lambda h: h.expect(x), means, GaussianMeans.log_likelihood)
    >>> found.hypothesis.means.round(5).ravel().tolist()
    [0.50387, 4.49613]
    >>> print(found)
    objective -6.94327 after 3 iterations (converged)
    """
    at_least("tolerance", tolerance, 0.0)
    at_least("max_iter", max_iter, 1, whole=True)
    if callable(starts):
        at_least("n_starts", n_starts, 1, whole=True)
        starts = [starts(stream) for stream in generator(random_state).spawn(n_starts)]
    if not len(starts):
        raise InputError("starts is empty; give at least one hypothesis to start from")
    runs: list[_Run[H]] = []
    done: list[float] = []
    with interruptible(done, "iterations"):
        for number, hypothesis in enumerate(starts):
            runs.append(_Run(hypothesis, []))
            for iteration in range(max_iter + 1):
                # The expectations serve both the objective of this hypothesis and the next M step, so that each
                # iteration has one E step.
                expected = e_step(hypothesis)
                value = float(objective(hypothesis, expected))
                _check(value, runs[-1].objective, number, monotone)
                gain = value - runs[-1].objective[-1] if iteration else math.inf
                gain = gain if monotone else abs(gain)
                runs[-1].hypothesis = hypothesis
                runs[-1].objective.append(value)
                runs[-1].converged = gain <= tolerance * max(1.0, abs(value))
                done.append(value)
                if active("em"):
                    told = {"objective": value, "hypothesis": hypothesis}
                    told |= {} if tell is None else tell(hypothesis, value)
                    emit("em", **{"start": number, "iteration": iteration} | told)
                report((number + iteration / max_iter) / len(starts))
                if runs[-1].converged or iteration == max_iter:
                    break
                hypothesis = m_step(expected, hypothesis)
    runs = [run for run in runs if run.objective]
    finals = tuple(run.objective[-1] for run in runs)
    start = first_largest(finals)
    best = runs[start]
    return Maximised(best.hypothesis, tuple(best.objective), best.converged, start, finals)


def _check(value: float, before: list[float], start: int, monotone: bool) -> None:
    """Raise an `InputError` if the objective is not a number or has fallen."""
    if not math.isfinite(value):
        where = f"after iteration {len(before)}" if before else "before the first iteration"
        raise InputError(
            f"the objective of start {start} is {value} {where}: the hypothesis makes the data impossible; start "
            "from another, or smooth the M step"
        )
    if monotone and before and value < before[-1] - ROUNDING * max(1.0, abs(before[-1])):
        raise InputError(
            f"the objective fell from {before[-1]:.8g} to {value:.8g} in iteration {len(before)}: the "
            "E step and the M step are inconsistent"
        )
