"""Hidden state: aliased observations, detected by comparing windows of history (Mitchell 13.8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, seed_of, stream
from induce.core.reports import text_table
from induce.core.ties import levelled
from induce.environments.tables import estimate
from induce.environments.wrappers import HistoryWindow
from induce.reinforcement.dynamic_programming import methods
from induce.reinforcement.explanation import state_text
from induce.reinforcement.policy import Policy

SHOWN = 12
"""Maximum number of observations printed."""
LEVEL = 0.01
"""Family-wise significance level at which histories count as different."""
FEWEST = 10
"""Minimum number of trials of an action after a history for the history to be compared."""


@dataclass(frozen=True)
class History:
    """A history that ends in an observation: its best action, that action's value, and the number of occurrences."""

    past: str
    action: str
    value: float
    seen: int


@dataclass(frozen=True)
class Alias:
    """An observation after which the outcomes of an action depend on the earlier history.

    Parameters
    ----------
    observation : str
    action : str
        Action whose outcomes differ most.
    p_value : float
        Probability of a difference this large by chance, corrected for multiple tests.
    histories : tuple of History
    """

    observation: str
    action: str
    p_value: float
    histories: tuple[History, ...]

    @property
    def needs_history(self) -> bool:
        """Whether the best action depends on the earlier history."""
        return len({history.action for history in self.histories}) > 1


@dataclass(frozen=True)
class Aliasing:
    """Hidden state revealed by a longer window of history.

    Parameters
    ----------
    values : tuple of float
        Expected return of an episode with windows of 1, 2, … observations.
    aliases : tuple of Alias
        Aliased observations, most significant first.
    """

    values: tuple[float, ...]
    aliases: tuple[Alias, ...]

    @property
    def window(self) -> int:
        """Length of the shortest window whose value is within 1 % of the longest window's."""
        best = max(self.values)
        room = 0.01 * max(abs(best), max(map(abs, self.values)))
        return next(k for k, value in enumerate(self.values, start=1) if value >= best - room)

    def __str__(self) -> str:
        rows = [("window", "value at the start")]
        rows += [(str(k), f"{value:.4g}") for k, value in enumerate(self.values, start=1)]
        lines = [text_table(rows), ""]
        for alias in self.aliases[:SHOWN]:
            what = "needs different actions" if alias.needs_history else "has different outcomes"
            lines.append(f"{alias.observation}: {what} (outcomes of {alias.action}, p = {alias.p_value:.2g})")
            lines.append(
                text_table(
                    [(f"  after {each.past}", each.action, f"{each.value:.4g}") for each in alias.histories],
                    left=(0, 1),
                )
            )
        if len(self.aliases) > SHOWN:
            lines.append(f"… and {len(self.aliases) - SHOWN} more")
        if not self.aliases:
            lines.append("no hidden state was detected")
        return "\n".join(lines)


def aliasing(
    source: Any,
    longest: int = 3,
    *,
    discount: float = 0.99,
    episodes: int = 1000,
    random_state: RandomState = 0,
) -> Aliasing:
    """Detect hidden state by acting at random and comparing outcomes of one observation after different histories.

    For every window length, a decision process over histories is estimated and solved. If the outcomes of an
    action (reward and next observation) differ between histories of the longest window, by Fisher's exact test or a
    chi-squared test, the observation is an alias.

    Parameters
    ----------
    source : environment
        Environment whose observations can be listed, such as `Hidden` or a gymnasium one with discrete observations.
    longest : int
        Maximum window length.
    discount : float
        Discount factor of the estimated process.
    episodes : int
        Number of episodes of random actions.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> from induce.environments import MDP, Hidden
    >>> signal = MDP.of({
    ...     "green": {"go": "gate 1"}, "red": {"go": "gate 2"},
    ...     "gate 1": {"enter": ("end", 10), "turn": ("end", 0)},
    ...     "gate 2": {"enter": ("end", -10), "turn": ("end", 0)},
    ... }, start={"green": 0.5, "red": 0.5})
    >>> report = aliasing(Hidden(signal, {"gate 1": "gate", "gate 2": "gate"}), 2, discount=0.9, episodes=200)
    >>> report.window, [alias.observation for alias in report.aliases]
    (2, ['gate'])
    """
    at_least("longest", longest, 1, whole=True)
    at_least("episodes", episodes, 1, whole=True)
    walks = _random_walks(source, longest, episodes, seed_of(random_state))
    policies = [_solved(walks, n, float(discount)) for n in range(1, longest + 1)]
    values = tuple(policy.value() for policy in policies)
    return Aliasing(values, _aliases(walks, longest, policies[-1]))


Step = tuple[Any, str, float, Any, bool]
"""A step of a random walk: window, action, reward, next window, and whether the episode ended."""


def _random_walks(source: Any, longest: int, episodes: int, seed: int) -> list[list[Step]]:
    """Return the steps of episodes of random actions, with windows of maximum length."""
    env = HistoryWindow(source, longest)
    if not env.countable:
        raise InputError(
            "the observations are continuous, so histories cannot be compared; give an environment "
            "with discrete observations"
        )
    random, walks = stream(seed, 0), []
    for _ in range(episodes):
        window, info = env.reset(seed=int(random.integers(2**31)))
        walk: list[Step] = []
        ended = cut = False
        while not ended and not cut:
            allowed = np.flatnonzero(info.get("action_mask", np.ones(len(env.action_names), dtype=bool)))
            if not len(allowed):
                break
            action = int(random.choice(allowed))
            after, reward, ended, cut, info = env.step(action)
            walk.append((_tuple(window), str(env.action_names[action]), reward, _tuple(after), ended))
            window = after
        walks.append(walk)
    return walks


def _tuple(window: Any) -> tuple[Any, ...]:
    return window if isinstance(window, tuple) and len(window) % 2 else (window,)


def _cut(window: tuple[Any, ...], n: int) -> str:
    """Return the last n observations of a window as text."""
    return state_text(window[max(0, len(window) - (2 * n - 1)) :])


def _solved(walks: list[list[Step]], n: int, discount: float) -> Policy:
    """Estimate and solve the process over windows of length n."""
    import polars as pl

    rows = [
        (k, _cut(before, n), action, reward, _cut(after, n), ended)
        for k, walk in enumerate(walks)
        for before, action, reward, after, ended in walk
    ]
    columns = ["episode", "state", "action", "reward", "next", "ends"]
    mdp = estimate(pl.DataFrame(rows, schema=columns, orient="row")).mdp
    solved = methods.modified_policy_iteration(mdp, discount, 1e-9)
    policy = Policy.of(mdp, methods.pair_values(mdp, solved.values, discount), discount)
    firsts = [_cut(walk[0][0], n) for walk in walks if walk]
    start = np.array([firsts.count(str(state)) / len(firsts) for state in mdp.states], dtype=np.float64)
    return replace(policy, start=start)


def _aliases(walks: list[list[Step]], longest: int, policy: Policy) -> tuple[Alias, ...]:
    from scipy.stats import chi2_contingency, fisher_exact

    seen: dict[tuple[str, str], dict[str, dict[tuple[float, str], int]]] = {}
    for walk in walks:
        for before, action, reward, after, _ in walk:
            outcomes = seen.setdefault((_cut(before, 1), action), {}).setdefault(_cut(before, longest), {})
            outcome = (reward, _cut(after, 1))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    tests = []
    for (observation, action), histories in seen.items():
        known = {past: counts for past, counts in histories.items() if sum(counts.values()) >= FEWEST}
        kinds = list(dict.fromkeys(kind for counts in known.values() for kind in counts))
        if len(known) < 2 or len(kinds) < 2:
            continue
        table = np.array([[counts.get(kind, 0) for kind in kinds] for counts in known.values()])
        exact = table.shape == (2, 2)
        p_value = fisher_exact(table)[1] if exact else chi2_contingency(table, correction=False)[1]
        tests.append((float(p_value), observation, action, known))
    found: dict[str, Alias] = {}
    likely = -levelled([-test[0] for test in tests])  # break ties up to rounding by observation and action
    ordered = sorted(zip(likely.tolist(), tests, strict=True), key=lambda pair: (pair[0], *pair[1][1:3]))
    for p_value, observation, action, known in (test for _, test in ordered):
        corrected = min(1.0, p_value * len(tests))
        if corrected < LEVEL and observation not in found:
            told = tuple(_history(policy, past, sum(counts.values())) for past, counts in known.items())
            found[observation] = Alias(observation, action, corrected, told)
    return tuple(found.values())


def _history(policy: Policy, past: str, seen: int) -> History:
    return History(past, " or ".join(map(str, policy.best(past))), policy.value(past), seen)
