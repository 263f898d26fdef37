"""Learning curves of reinforcement learners: returns against actions or time over several seeds."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.parallel import run as run_all
from induce.core.randomness import RandomState, seed_of
from induce.evaluation.experience.estimates import RUNS, Acting, run_seeds, seeded
from induce.evaluation.reports import Report, Table, finish
from induce.pictures.style import DARK, PALETTE, axes_for
from induce.statistics.intervals import check_confidence, t_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

LENGTHS = ("episodes", "n_steps", "games", "generations")
"""Parameters that control the length of training."""
POINTS = 8
LEAST = 3
"""Minimum number of points for fitting a power law."""


@dataclass(frozen=True)
class PowerLaw:
    """The power law of practice: the loss is ``scale * practice ** -exponent``.

    Parameters
    ----------
    scale, exponent : float
    r2 : float
        Fraction of the variance of the logarithms that is explained.
    """

    scale: float
    exponent: float
    r2: float

    @classmethod
    def of(cls, practice: Floats, lost: Floats) -> PowerLaw | None:
        """Fit the law by least squares on logarithms; None if fewer than three losses are positive.

        Examples
        --------
        >>> PowerLaw.of(np.array([1.0, 10, 100]), np.array([8.0, 4, 2]))
        loss = 8 / practice^0.301 (R² 1.00)
        """
        good = (practice > 0) & (lost > 0) & np.isfinite(lost)
        if good.sum() < LEAST:
            return None
        x, y = np.log(practice[good]), np.log(lost[good])
        slope, intercept = np.polyfit(x, y, 1)
        spread = float(((y - y.mean()) ** 2).sum())
        r2 = 1 - float(((y - intercept - slope * x) ** 2).sum()) / spread if spread > 0 else math.nan
        return cls(float(np.exp(intercept)), float(-slope), r2)

    def __call__(self, practice: Any) -> Any:
        """Return the predicted loss after an amount of practice."""
        return self.scale * np.asarray(practice, dtype=float) ** -self.exponent

    def __str__(self) -> str:
        return f"loss = {self.scale:.3g} / practice^{self.exponent:.3g} (R² {self.r2:.2f})"

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class Practice:
    """Runs of one learner: practice and return of the policy, one row per run and one column per point.

    `law` is the power law of practice, if the optimal return is known.
    """

    practice: Floats
    values: Floats
    low: Floats
    high: Floats
    law: PowerLaw | None


@dataclass(frozen=True, eq=False)
class ExperienceCurve(Report):
    """Returns of learned policies as functions of practice.

    Parameters
    ----------
    learners : mapping
        `Practice` of each learner; also available as ``curve["QLearning"]``.
    measure : str
        Name of the return.
    against : str
        Unit of practice.
    best : float
        Return of the optimal policy, if the model is known; NaN otherwise.
    confidence : float
        Confidence level of the bands over the runs.
    """

    learners: Mapping[str, Practice]
    measure: str
    against: str
    best: float
    confidence: float

    def __getitem__(self, name: str) -> Practice:
        return self.learners[name]

    def caption(self) -> str:
        """Return the heading of the table."""
        runs = max(len(each.values) for each in self.learners.values())
        best = "" if math.isnan(self.best) else f"; the optimal return is {self.best:.6g}"
        return f"{self.measure} by {self.against}, {runs} independent runs{best}"

    def table(self) -> Table:
        """Return the header and one row per learner and point."""
        several = len(self.learners) > 1
        rows = [
            (
                *([name] if several else []),
                f"{each.practice[:, k].mean():,.4g}"
                if self.against == "seconds"
                else f"{each.practice[:, k].mean():,.0f}",
                f"{each.values[:, k].mean():.5g}",
                f"[{each.low[k]:.5g}, {each.high[k]:.5g}]",
            )
            for name, each in self.learners.items()
            for k in range(each.values.shape[1])
        ]
        level = f"{100 * self.confidence:g}% interval"
        return (*(["learner"] if several else []), self.against, "mean", level), rows

    def remark(self) -> str:
        """Return the power laws of practice."""
        laws = {name: each.law for name, each in self.learners.items() if each.law is not None}
        several = len(self.learners) > 1
        return "\n".join(f"{f'{name}: ' if several else ''}{law}" for name, law in laws.items())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure: the mean over runs with its band, the optimal return, and the power law dashed."""
        figure, axes = axes_for(ax)
        for k, (name, each) in enumerate(self.learners.items()):
            colour, x = PALETTE[k % len(PALETTE)], each.practice.mean(axis=0)
            axes.fill_between(x, each.low, each.high, color=colour, alpha=0.18, lw=0)
            axes.plot(x, each.values.mean(axis=0), color=colour, lw=1.8, marker="o", ms=4, label=name)
            if each.law is not None:
                smooth = np.geomspace(max(x.min(), 1e-9), x.max(), 100)
                axes.plot(smooth, self.best - each.law(smooth), color=colour, lw=1, ls="--")
        if not math.isnan(self.best):
            axes.axhline(self.best, color=DARK, lw=1, ls=":", label="best policy")
        seen = np.concatenate([each.values.ravel() for each in self.learners.values()])
        low, high = np.nanmin(seen), np.nanmax([*seen, self.best])
        axes.set_ylim(low - 0.05 * (high - low or 1), high + 0.05 * (high - low or 1))
        axes.set_xscale("log")
        finish(
            axes,
            f"{self.against} (real ones)" if self.against == "actions" else self.against,
            self.measure,
            3,
        )
        return figure


def experience_curve(
    learners: Any,
    env: Any,
    *,
    against: str = "actions",
    points: int = POINTS,
    runs: int = RUNS,
    episodes: int | None = None,
    discount: float | None = None,
    max_steps: int | None = None,
    opponent: Any = None,
    confidence: float = 0.95,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> ExperienceCurve:
    """Train learners for increasing amounts of practice and estimate the returns of their policies.

    Each curve is a single run that is paused, evaluated and resumed. The bands show the variation over
    independent runs, not over episodes.

    Parameters
    ----------
    learners : learner from experience, or mapping of names to them
        One or several reinforcement learners; copies are trained, each as long as its parameters specify.
    env : MDP, environment of gymnasium, game, or name
        Environment to learn in.
    against : {"actions", "episodes", "seconds"}
        Unit of practice: real actions, episodes (or the learner's own unit of length), or time.
    points : int
        Number of evaluations per run, at geometrically spaced times.
    runs : int
        Number of independent runs of each learner.
    episodes, discount, max_steps, opponent
        Settings of play, as in `induce.evaluate`; if the model is known, policies are evaluated exactly.
    confidence : float
        Confidence level of the bands.
    n_jobs : int, optional
        Number of parallel jobs; it does not affect the result.
    random_state : int, Generator or None
        Random seed.

    Returns
    -------
    ExperienceCurve
        It includes the power law of practice if the model is known.
    """
    one_of("against", against, ("actions", "episodes", "seconds"))
    at_least("points", points, 2, whole=True)
    at_least("runs", runs, 2, whole=True)
    check_confidence(confidence)
    named = dict(learners) if isinstance(learners, Mapping) else {type(learners).__name__: learners}
    seed = seed_of(random_state)
    acting = Acting(env, episodes, discount, max_steps, opponent)
    best, found, measure = math.nan, {}, ""
    for name, learner in named.items():
        length = _length(learner)
        stages = np.unique(np.geomspace(1, learner.get_params()[length], points).round().astype(int)).tolist()
        seeds = run_seeds(learner, runs, seed)

        def one(
            run: int,
            learner: Any = learner,
            length: str = length,
            stages: list[int] = stages,
            seeds: Any = seeds,
        ) -> list[tuple[float, float, Any]]:
            model, seconds, rows = seeded(learner, seeds[run]), 0.0, []
            for stage in stages:
                started = time.perf_counter()
                model.set_params(**{length: stage})
                model = model.learn(env) if not hasattr(model, "state_") else model.resume(env)
                seconds += time.perf_counter() - started
                value, played = acting.value(model, seed + run)
                done = {"actions": getattr(model, "n_actions_", stage), "episodes": stage, "seconds": seconds}
                rows.append((float(done[against]), value, played))
            return rows

        told = run_all(one, range(len(seeds)), n_jobs)
        played = told[0][0][2]
        measure = played.measure
        best = math.nan if played.won else _best(env, played.discount, max_steps)
        rows = np.array([[row[:2] for row in run] for run in told])
        found[name] = _practice(rows[:, :, 0], rows[:, :, 1], best, confidence)
    return ExperienceCurve(found, measure, against, best, confidence)


def _practice(practice: Floats, values: Floats, best: float, confidence: float) -> Practice:
    bands = [t_mean(column, confidence) if len(column) > 1 else None for column in values.T]
    means = values.mean(axis=0)
    low = np.array([mean if band is None else band.low for band, mean in zip(bands, means, strict=True)])
    high = np.array([mean if band is None else band.high for band, mean in zip(bands, means, strict=True)])
    law = None if math.isnan(best) else PowerLaw.of(practice.mean(axis=0), best - means)
    return Practice(practice, values, low, high, law)


def _length(learner: Any) -> str:
    if not isinstance(learner, ExperienceLearner):
        raise InputError(
            f"{type(learner).__name__} does not learn from experience; use learning_curve for tables"
        )
    found = [name for name in LENGTHS if name in learner.get_params()]
    if not found:
        raise InputError(
            f"{type(learner).__name__} does not learn in steps, so it has no curve; leave it out"
        )
    return found[0]


def _best(env: Any, discount: float, max_steps: int | None) -> float:
    """Return the optimal return, if the model is known."""
    from induce.environments.sources import Simulated, open_source
    from induce.reinforcement.learners.dynamic_programming import DynamicProgramming
    from induce.reinforcement.policy_evaluation.episodes import play

    source = open_source(env)
    if not isinstance(source, Simulated):
        return math.nan
    policy = DynamicProgramming(discount).learn(source.mdp).hypothesis_
    return play(policy, env, 1, max_steps=max_steps, exactly=True).exact
