"""Returns of a policy, and of a learner's policies over independent runs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.parallel import run as run_all
from induce.core.randomness import RandomState, seed_of, stream
from induce.statistics.interval import Interval
from induce.statistics.intervals import check_confidence, t_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.reinforcement.policy_evaluation.episodes import Played

EPISODES = 1000
RUNS = 10


@dataclass(frozen=True, eq=False)
class ReturnEstimate:
    """Return of a policy or a learner, with its uncertainty.

    Parameters
    ----------
    measure : str
        ``"return"``, ``"discounted return"``, or ``"win rate"`` of a game, where a draw counts half.
    value : float
        Mean of the measure.
    interval : Interval or None
        Student's t interval over the episodes of a policy, or over independent runs of a learner; None if there is
        only one. Wilson interval for games without draws.
    values : array of float64
        Return of each episode, or of the policy of each run.
    of : str
        Unit and number of `values`, such as ``"1,000 episodes"``.
    exact : float
        Expected return of the policy, if the model is known; NaN otherwise, and for learners.
    cut : int
        Number of episodes truncated after `limit` steps.
    limit : int
        Maximum number of steps of an episode.
    actions : float
        Mean number of real actions of a run; NaN for policies.
    """

    measure: str
    value: float
    interval: Interval | None
    values: NDArray[np.float64] = field(repr=False)
    of: str
    exact: float = math.nan
    cut: int = 0
    limit: int = 0
    actions: float = math.nan

    higher = True

    def __str__(self) -> str:
        text = f"{self.measure} {self._number(self.value)}"
        if self.interval is not None:
            text += f", {self.interval.summary}"
        text += f" ({self.of})"
        if not math.isnan(self.exact):
            text += f"; exactly {self._number(self.exact)}"
        if not math.isnan(self.actions):
            low, high = self.values.min(), self.values.max()
            text += (
                f"; from {self._number(low)} to {self._number(high)}, {self.actions:,.0f} real actions "
                "per run"
            )
        if self.cut:
            text += f"; {self.cut:,} episodes truncated after {self.limit:,} steps"
        return text

    __repr__ = __str__

    def _number(self, value: float) -> str:
        return f"{value:.6g}" if self.interval is None else f"{value:.{self.interval.decimals}f}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a histogram of the returns, with the mean, its interval and the exact value."""
        from induce.pictures.style import DARK, PALETTE, axes_for, tidy

        figure, axes = axes_for(ax, 7.0, 3.4)
        axes.hist(self.values, bins=min(40, max(5, len(self.values) // 5)), color=PALETTE[0], alpha=0.55)
        if self.interval is not None:
            axes.axvspan(self.interval.low, self.interval.high, color=PALETTE[1], alpha=0.45, lw=0)
        axes.axvline(self.value, color=PALETTE[1], lw=2, label=f"mean {self._number(self.value)}")
        if not math.isnan(self.exact):
            axes.axvline(self.exact, color=DARK, lw=1.2, ls=":", label=f"exact {self._number(self.exact)}")
        axes.set_xlabel(self.measure)
        axes.set_ylabel(self.of.partition(" ")[2].partition(",")[0] or "values")
        axes.legend(frameon=False, fontsize=9)
        tidy(axes)
        return figure


def by_acting(candidate: Any) -> bool:
    """Return whether an object is a policy or a reinforcement learner, rather than a learner from tables.

    Examples
    --------
    >>> import induce
    >>> by_acting("random"), by_acting(induce.DynamicProgramming()), by_acting(induce.C45())
    (True, True, False)
    """
    if isinstance(candidate, ExperienceLearner):
        return True
    if hasattr(candidate, "fit") or hasattr(candidate, "predict_proba"):
        return False
    from induce.reinforcement.policy_evaluation.episodes import is_policy

    return is_policy(candidate)


def refuse_acting(**given: Any) -> None:
    """Raise an error if episode settings are given for a learner from tables."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is for policies and reinforcement learners; leave it out for tables")


@dataclass(frozen=True, eq=False)
class Acting:
    """Environment and settings of policies and players; see `induce.evaluate`."""

    env: Any
    episodes: int | None = None
    discount: float | None = None
    max_steps: int | None = None
    opponent: Any = None

    def play(self, policy: Any, seed: int, exactly: bool = False) -> Played:
        """Play episodes, or games."""
        from induce.reinforcement.policy_evaluation.episodes import play

        return play(
            policy,
            self.env,
            EPISODES if self.episodes is None else self.episodes,
            discount=self.discount,
            max_steps=self.max_steps,
            opponent=self.opponent,
            seed=seed,
            exactly=exactly,
        )

    def value(self, model: Any, seed: int) -> tuple[float, Played]:
        """Return the return of a learned policy, exact if possible, and the settings of play."""
        from induce.reinforcement.policy_evaluation.episodes import is_policy

        policy = model.hypothesis_
        if not is_policy(policy):
            raise InputError(
                f"{type(model).__name__} learns a {type(policy).__name__}, which is not a "
                "policy; give another learner"
            )
        played = self.play(policy, seed, exactly=self.episodes is None)
        return (float(played.returns.mean()) if math.isnan(played.exact) else played.exact), played


def evaluate_acting(
    learner: Any,
    acting: Acting,
    *,
    runs: int | None,
    confidence: float,
    n_jobs: int | None,
    random_state: RandomState,
) -> ReturnEstimate:
    """Estimate the return of a policy, or of a learner's policies; see `induce.evaluate`."""
    check_confidence(confidence)
    seed = seed_of(random_state)
    if isinstance(learner, ExperienceLearner):
        return of_runs(learned_values(learner, acting, runs, n_jobs, seed), confidence)
    if runs is not None:
        raise InputError("runs is for learners; give the number of episodes for a policy")
    return _of_episodes(acting.play(learner, seed), confidence)


def _of_episodes(played: Played, confidence: float) -> ReturnEstimate:
    returns = played.returns
    n = len(returns)
    kind = "game" if played.won else "episode"
    interval = t_mean(returns, confidence) if n > 1 else None
    if played.won:
        from induce.environments.games.matches import rate_interval

        interval = rate_interval(returns, confidence)
    return ReturnEstimate(
        played.measure,
        float(returns.mean()),
        interval,
        returns,
        f"{n:,} {kind}{'s' if n > 1 else ''}",
        played.exact,
        played.cut,
        played.limit,
    )


@dataclass(frozen=True, eq=False)
class Tried:
    """Results of independent runs of a learner: the returns of their policies and their numbers of real actions."""

    values: NDArray[np.float64]
    actions: NDArray[np.float64]
    measure: str
    discount: float
    exact: bool


def of_runs(tried: Tried, confidence: float) -> ReturnEstimate:
    """Return the estimate over independent runs."""
    n = len(tried.values)
    how = "valued exactly" if tried.exact else "played"
    return ReturnEstimate(
        tried.measure,
        float(tried.values.mean()),
        t_mean(tried.values, confidence) if n > 1 else None,
        tried.values,
        f"{n} independent run{'s' if n > 1 else ''}, policies {how}",
        actions=float(tried.actions.mean()),
    )


def learned_values(
    learner: ExperienceLearner[Any], acting: Acting, runs: int | None, n_jobs: int | None, seed: int
) -> Tried:
    """Train copies of a learner with different seeds and evaluate their policies."""
    at_least("runs", RUNS if runs is None else runs, 1, whole=True)
    seeds = run_seeds(learner, RUNS if runs is None else runs, seed)

    def one(run: int) -> tuple[float, float, Played]:
        model = seeded(learner, seeds[run]).learn(acting.env)
        value, played = acting.value(model, seed + run)
        return value, float(getattr(model, "n_actions_", math.nan)), played

    found = run_all(one, range(len(seeds)), n_jobs)
    values, actions, played = zip(*found, strict=True)
    exact = not any(math.isnan(each.exact) for each in played)
    return Tried(np.array(values), np.array(actions), played[0].measure, played[0].discount, exact)


def run_seeds(learner: Any, runs: int, seed: int) -> list[int]:
    """Return one seed per run; a deterministic learner needs only one run."""
    if "random_state" not in learner.get_params():
        return [0]
    return [int(stream(seed, run).integers(2**31)) for run in range(runs)]


def seeded(learner: Any, seed: int) -> Any:
    """Return an unfitted copy of a learner with a given seed."""
    from sklearn.base import clone

    copy = clone(learner)
    return copy.set_params(random_state=seed) if "random_state" in copy.get_params() else copy
