"""Decision processes from transition tables, and from logs of episodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.reports import text_table
from induce.core.values import Value, plain
from induce.environments.mdp import MDP, Ints, assembled
from induce.statistics.intervals import wilson

SHOWN = 20
"""Maximum number of lines of a printed estimate."""


def from_table(table: Any, start: Any, features: Any) -> MDP:
    """Build a process from a table with one row per transition; see `MDP.from_table`."""
    frame = _frame(table, ("state", "action", "next", "reward"))
    states, (state, after) = _coded([frame["state"], frame["next"]])
    actions, (action,) = _coded([frame["action"]])
    n = len(frame)
    chance = frame["probability"].to_numpy() if "probability" in frame.columns else np.ones(n)
    ends = frame["ends"].to_numpy() if "ends" in frame.columns else np.zeros(n, dtype=bool)
    known = None if features is None else _features(features, states)
    columns = (state, action, after, chance, frame["reward"].to_numpy(), ends)
    return assembled(states, actions, columns, start, known)


@dataclass(frozen=True, eq=False, repr=False)
class EstimatedMDP(Hypothesis):
    """A decision process estimated from a log, with confidence intervals for its probabilities.

    Parameters
    ----------
    mdp : MDP
        Estimated process: probabilities are relative frequencies, rewards are means.
    counts : array of int64
        Number of observations of each transition.
    confidence : float
        Confidence level of the intervals.

    Examples
    --------
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "episode": [1, 1, 1, 2, 2], "state": ["good", "good", "bad", "good", "good"],
    ...     "action": ["use", "use", "repair", "use", "use"], "reward": [9, 9, -5, 9, 9],
    ... })
    >>> print(estimate(log))
    state  action  next  seen  probability    95% interval  reward
    good   use     bad      1        0.333  [0.061, 0.792]       9
    good   use     good     2        0.667  [0.208, 0.939]       9
    """

    mdp: MDP
    counts: Ints
    confidence: float = 0.95

    def interval(self, transition: int) -> tuple[float, float]:
        """Return Wilson's confidence interval for the probability of a transition."""
        pair = int(np.searchsorted(self.mdp.first, transition, side="right")) - 1
        seen = int(self.counts[self.mdp.first[pair] : self.mdp.first[pair + 1]].sum())
        found = wilson(int(self.counts[transition]), seen, self.confidence)
        return found.low, found.high

    def parts(self) -> Parts:
        """Return the number of transitions."""
        return Parts(len(self.counts), "transitions")

    def size(self) -> str:
        """Return the size of the hypothesis as text."""
        return f"{self.mdp}, estimated from {int(self.counts.sum()):,} steps"

    def __str__(self) -> str:
        mdp = self.mdp
        level = f"{100 * self.confidence:g}% interval"
        rows = [("state", "action", "next", "seen", "probability", level, "reward")]
        pair_of = np.repeat(np.arange(mdp.n_pairs), np.diff(mdp.first))
        for k in range(min(len(self.counts), SHOWN)):
            low, high = self.interval(k)
            rows.append(
                (
                    str(mdp.states[mdp.pair_state[pair_of[k]]]),
                    str(mdp.actions[mdp.pair_action[pair_of[k]]]),
                    str(mdp.states[mdp.next_state[k]]),
                    f"{self.counts[k]:,}",
                    f"{mdp.probability[k]:.3f}",
                    f"[{low:.3f}, {high:.3f}]",
                    f"{mdp.reward[k]:.6g}",
                )
            )
        left = len(self.counts) - SHOWN
        more = f"\n… and {left:,} more transitions" if left > 0 else ""
        return text_table(rows, left=(0, 1, 2)) + more


def estimate(log: Any, confidence: float = 0.95, features: Any = None) -> EstimatedMDP:
    """Estimate a decision process from a log of episodes.

    Parameters
    ----------
    log : frame
        One row per step in order: ``episode``, ``state``, ``action``, ``reward``. An optional column ``next`` holds
        the next state; without it, the state of the episode's next row is used, and its last row is not counted. An
        optional column ``ends`` marks the end of an episode.
    confidence : float
        Confidence level of the intervals.
    features : frame, optional
        A column ``state``, and one column per feature.

    Returns
    -------
    EstimatedMDP
    """
    import polars as pl

    frame = _frame(log, ("state", "action", "reward"))
    if "next" not in frame.columns:
        if "episode" not in frame.columns:
            raise InputError(
                "the log has neither a column 'next' nor a column 'episode'; it needs one of them"
            )
        frame = frame.with_columns(next=pl.col("state").shift(-1).over("episode")).drop_nulls("next")
    if "ends" not in frame.columns:
        frame = frame.with_columns(ends=pl.lit(False))
    if not len(frame):
        raise InputError("the log has no step with a known next state; give longer episodes")
    keys = ["state", "action", "next", "ends"]
    seen = frame.group_by(keys, maintain_order=True).agg(pl.col("reward").mean(), counts=pl.len())
    total = seen.with_columns(probability=pl.col("counts") / pl.col("counts").sum().over("state", "action"))
    ordered = total.sort("state", "action", "next")
    states, (state, after) = _coded([ordered["state"], ordered["next"]])
    actions, (action,) = _coded([ordered["action"]])
    place = np.lexsort((action, state))
    known = None if features is None else _features(features, states)
    numbers = [ordered[name].to_numpy() for name in ("probability", "reward", "ends")]
    mdp = assembled(states, actions, (state, action, after, *numbers), None, known)
    return EstimatedMDP(mdp, ordered["counts"].to_numpy().astype(np.int64)[place], confidence)


def _frame(table: Any, needed: tuple[str, ...]) -> Any:
    """Return a table as a polars frame with the required columns and no missing cells."""
    import narwhals as nw

    try:
        frame = nw.from_native(table, eager_only=True).to_polars()
    except TypeError:
        raise InputError(f"a table with columns {', '.join(needed)} is needed; give a frame") from None
    for name in needed:
        if name not in frame.columns:
            raise InputError(f"the table has no column {name!r}; it needs {', '.join(map(repr, needed))}")
        if frame[name].null_count():
            raise InputError(f"column {name!r} has missing values; every transition needs a value")
    if not len(frame):
        raise InputError("the table has no row; give at least one transition")
    return frame


def _coded(columns: list[Any]) -> tuple[tuple[Value, ...], list[NDArray[np.int64]]]:
    """Return the distinct values of columns, in order of first column, and the index of each cell's value."""
    import polars as pl

    names = pl.concat([column.rename("name") for column in columns]).unique(maintain_order=True)
    if names.dtype.is_numeric():
        names = names.sort()
    places = pl.DataFrame({"name": names}).with_row_index("place")
    coded = [
        column.rename("name").to_frame().join(places, on="name", how="left", maintain_order="left")["place"]
        for column in columns
    ]
    return tuple(map(plain, names.to_list())), [column.to_numpy().astype(np.int64) for column in coded]


def _features(features: Any, states: tuple[Value, ...]) -> Mapping[str, tuple[Value, ...]]:
    """Return the value of each feature in each state."""
    frame = _frame(features, ("state",))
    rows = dict(zip(frame["state"].to_list(), range(len(frame)), strict=True))
    missing = [state for state in states if state not in rows]
    if missing:
        raise InputError(f"features has no row for state {missing[0]!r}; give one row per state")
    order = [rows[state] for state in states]
    return {name: tuple(frame[name][order].to_list()) for name in frame.columns if name != "state"}
