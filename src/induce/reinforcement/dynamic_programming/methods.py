"""Value iteration, policy iteration and related methods for a known model (Mitchell 13.7)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.progress import report
from induce.core.trace import active, emit
from induce.environments.mdp import MDP, Floats
from induce.reinforcement.dynamic_programming import _loops

MOST_VALUES = 50_000_000
"""Maximum number of states times steps of a finite horizon, whose values are all stored: 400 MB."""
MOST_SWEEPS = 100_000
"""Maximum number of sweeps before a process counts as non-terminating."""
EVALUATIONS = 20
"""Maximum number of evaluation sweeps per improvement in modified policy iteration."""
ENOUGH = 0.03
"""Fraction of an improvement below which further evaluation gains little."""
SWEEPS = 50
"""Approximate number of sweeps; decides whether the loops are compiled."""
MOST_RELATIVE = 10_000
"""Maximum number of sweeps before an average reward counts as divergent."""
SAMPLE = 1000
"""Number of pairs sampled to decide whether others can be pruned as dominated."""
MOST_EXACT = 20_000
"""Maximum number of states of an undiscounted process whose values are refined by solving linear equations."""
MOST_TOLD = 100_000
"""Maximum number of single-state updates reported to a trace."""
NEARLY = 1e-7
"""Relative tolerance within which an action may be the best before its value is exact."""
ROUNDING = 1e-12
"""Relative rounding error of sums."""
DAMPING = 0.5
"""Damping of relative value iteration, which makes cyclic processes converge."""


@dataclass(frozen=True)
class Solved:
    """Result of dynamic programming.

    Parameters
    ----------
    values : array of float64
        Value of each state.
    bound : float
        Maximum distance to the true values; NaN if no bound is known.
    sweeps : int
        Number of sweeps over all states, or of single-state updates for methods without sweeps.
    gain : float
        Average reward per step for criterion='average'; NaN otherwise.
    """

    values: Floats
    bound: float
    sweeps: int
    gain: float = math.nan


@dataclass(frozen=True)
class Improved:
    """Result of one sweep: new values, chosen pairs, values of all pairs, and the smallest and largest change.

    `rows` holds the start of each chosen pair's transitions, the next states and their probabilities.
    """

    values: Floats
    choice: NDArray[np.int64]
    q: Floats
    low: float
    high: float
    rows: tuple[Any, Any, Any]


@dataclass(frozen=True)
class _Model:
    """The model's arrays and the loops, which stay uncompiled for small processes."""

    arrays: tuple[Any, Any, Any, Any, Any]
    """Starts of pairs and transitions, next states, their probabilities, and rewards of pairs."""
    ends: bool
    """Whether some transition ends the episode; the value after it never changes."""

    @staticmethod
    def of(mdp: MDP) -> _Model:
        return _Model(
            (mdp.offset, mdp.first, mdp.next_state, mdp.going_on, mdp.expected_reward), bool(mdp.ends.any())
        )

    def improved(self, discount: float, values: Floats) -> Improved:
        """Return the best values after one sweep."""
        offset = self.arrays[0]
        new, q = np.empty(len(values)), np.empty(int(offset[-1]))
        choice = np.empty(len(values), dtype=np.int64)
        improve: Any = sized(_loops.improve, SWEEPS * len(self.arrays[2]), 1 / SWEEPS)
        after = self.arrays[2]
        rows = np.empty(len(offset), np.int64), np.empty(len(after), after.dtype), np.empty(len(after))
        low, high = improve(*self.arrays, discount, values, new, choice, q, *rows)
        # The value after an end changes by exactly 0, which the bounds must include.
        if self.ends:
            low, high = min(low, 0.0), max(high, 0.0)
        return Improved(new, choice, q, float(low), float(high), rows)

    def followed(self, found: Improved, discount: float, enough: float) -> tuple[Floats, int]:
        """Return the values after several evaluation sweeps of the policy found, and the number of sweeps."""
        values, choice = found.values.copy(), found.choice
        evaluate: Any = sized(_loops.evaluate, SWEEPS * EVALUATIONS * len(values), 1 / SWEEPS)
        rewards, acting = np.zeros(len(values)), choice >= 0
        rewards[acting] = self.arrays[4][choice[acting]]
        done = evaluate(*found.rows, rewards, discount, values, np.empty(len(values)), EVALUATIONS, enough)
        return values, int(done)

    def without_worse(self, discount: float, found: Improved) -> _Model:
        """Return the model without provably suboptimal pairs, if there are many (MacQueen 1967)."""
        if discount == 1:
            return self
        # The values of the best pair and of any other may each be off by the bound.
        margin = 2 * _bound(discount, found.low, found.high)
        if margin > np.ptp(found.q[:SAMPLE]):  # too early: the differences between pairs are below the bound
            return self
        offset = self.arrays[0]
        kept = np.empty(len(found.q), dtype=np.bool_)
        mark: Any = sized(_loops.promising, SWEEPS * len(kept), 1 / SWEEPS)
        n_kept = mark(offset, found.q, found.values, margin, ROUNDING, kept)
        if 2 * n_kept > len(kept):
            return self
        fewer = np.append(0, np.cumsum(kept))[offset]
        return _Model((fewer, *self._rows(np.flatnonzero(kept))), self.ends)

    def _rows(self, pairs: Any) -> tuple[Any, Any, Any, Any]:
        """Return the transitions of some pairs: their starts, next states, probabilities, and the pairs' rewards."""
        _, first, after, chance, reward = self.arrays
        begins = np.append(0, np.cumsum(first[pairs + 1] - first[pairs]))
        places, chances = np.empty(begins[-1], after.dtype), np.empty(begins[-1])
        gather: Any = sized(_loops.gather, SWEEPS * len(after), 1 / SWEEPS)
        gather(pairs, first, after, chance, begins, places, chances)
        return begins, places, chances, reward[pairs]


def pair_values(mdp: MDP, values: Floats, discount: float) -> Floats:
    """Compute Q of every pair from the state values (Mitchell's equation 13.8).

    Examples
    --------
    >>> pair_values(MDP.of({"a": {"go": ("b", 5)}}), np.array([0.0, 10.0]), 0.9)
    array([14.])
    """
    q = np.empty(mdp.n_pairs)
    loop = sized(_loops.pair_values, len(mdp.next_state))
    loop(mdp.first, mdp.next_state, mdp.going_on, mdp.expected_reward, discount, values, q)
    return q


def value_iteration(mdp: MDP, discount: float, tolerance: float) -> Solved:
    """Set every state's value to that of its best action until all changes are within the tolerance.

    Examples
    --------
    >>> value_iteration(MDP.of({"a": {"go": ("a", 1)}}), 0.5, 1e-9).values.round(6)
    array([2.])
    """
    model = _Model.of(mdp)
    values = np.zeros(mdp.n_states)
    for sweep in range(1, MOST_SWEEPS + 1):
        found = model.improved(discount, values)
        new, low, high = found.values, found.low, found.high
        if active("sweep"):
            emit("sweep", number=sweep, values=new, least=low, greatest=high)
        if _settled(discount, low, high, tolerance):
            return Solved(_centred(mdp, discount, new, low, high), _bound(discount, low, high), sweep)
        values, model = new, model.without_worse(discount, found)
    raise _endless(discount)


def modified_policy_iteration(mdp: MDP, discount: float, tolerance: float) -> Solved:
    """Alternate policy improvement with several evaluation sweeps, which evaluates all actions far less often.

    Examples
    --------
    >>> modified_policy_iteration(MDP.of({"a": {"go": ("a", 1)}}), 0.5, 1e-9).values.round(6)
    array([2.])
    """
    model = _Model.of(mdp)
    values = np.zeros(mdp.n_states)
    sweeps = 0
    while sweeps < MOST_SWEEPS:
        found = model.improved(discount, values)
        new, low, high = found.values, found.low, found.high
        sweeps += 1
        if active("sweep"):
            emit("sweep", number=sweeps, values=new, least=low, greatest=high)
        if _settled(discount, low, high, tolerance):
            return Solved(_centred(mdp, discount, new, low, high), _bound(discount, low, high), sweeps)
        values, followed = model.followed(found, discount, ENOUGH * (high - low))
        sweeps += followed
        model = model.without_worse(discount, found)
    raise _endless(discount)


def policy_iteration(
    mdp: MDP, discount: float, tolerance: float, start: NDArray[np.int64] | None = None
) -> Solved:
    """Alternate exact policy evaluation with improvement until the policy is optimal.

    An action is kept if it is among the best (Mitchell 13.7 names the method but not its steps).

    Examples
    --------
    >>> policy_iteration(MDP.of({"a": {"go": ("a", 1)}}), 0.5, 1e-9).values.round(6)
    array([2.])
    """
    model = _Model.of(mdp)
    choice = _towards_end(mdp) if start is None else start.copy()
    for step in range(1, MOST_SWEEPS + 1):
        values = policy_values(mdp, choice, discount)
        found = model.improved(discount, values)
        new, better, high = found.values, found.choice, found.high
        gains = new - values > tolerance * np.maximum(1.0, np.abs(values))
        if active("policy"):
            emit("policy", number=step, values=values, changed=np.flatnonzero(gains))
        report(1.0 - 1.0 / (1 + step))
        if not gains.any():
            return Solved(values, _bound(discount, 0.0, max(high, 0.0)), step)
        # Change only for a strict gain: otherwise policies of equal value could alternate
        # forever.
        choice = np.where(gains, better, choice)
    raise _endless(discount)


def undiscounted(mdp: MDP, solved: Solved, tolerance: float) -> Solved:
    """Return exact undiscounted values with an error bound.

    Without discounting, small changes in a sweep do not bound the error, since they add up over all steps of an
    episode. So the policy found is evaluated by linear equations and improved while that gains anything. The bound is
    the change in one more sweep times the number of steps to the end.

    Examples
    --------
    >>> slow = MDP.of({"a": {"go": [("a", 0.999, -1), ("b", 0.001, -1)]}})
    >>> found = value_iteration(slow, 1.0, 1e-3)
    >>> round(float(undiscounted(slow, found, 1e-3).values[0]), 6), bool(found.values[0] > -999.9)
    (-1000.0, True)
    """
    if mdp.n_states > MOST_EXACT:
        return solved
    q = pair_values(mdp, solved.values, 1.0)
    best = solved.values[mdp.pair_state]
    # equally good actions may cycle: take those that lead nearer to an end
    good = q >= best - NEARLY * np.maximum(1.0, np.abs(best))
    choice = np.where(np.isinf(steps_to_end(mdp)), -1, _towards_end(mdp, good))
    try:
        steps = policy_values(_counting_steps(mdp), choice, 1.0).max(initial=1.0)
        exact = policy_iteration(mdp, 1.0, max(tolerance / max(1.0, steps), ROUNDING), choice)
    except InputError:  # by rounding, the best actions never end: keep the result of the sweeps
        return solved
    high = _Model.of(mdp).improved(1.0, exact.values).high
    scale = np.abs(exact.values).max(initial=1.0)
    bound = (max(high, 0.0) + np.finfo(np.float64).eps * scale) * max(1.0, float(steps))
    return replace(solved, values=exact.values, bound=float(bound), sweeps=solved.sweeps + exact.sweeps)


def _counting_steps(mdp: MDP) -> MDP:
    """Return the process with reward 1 per step, whose values are the numbers of steps to the end."""
    source = np.repeat(mdp.pair_state, np.diff(mdp.first))
    return replace(mdp, reward=np.where(mdp.absorbing[source], 0.0, 1.0))


def policy_values(mdp: MDP, choice: NDArray[np.int64], discount: float) -> Floats:
    """Return the value of each state under a policy, one chosen pair per state, by linear equations.

    Examples
    --------
    >>> policy_values(MDP.of({"a": {"go": ("b", 5)}}), np.array([0, -1]), 0.9)
    array([5., 0.])
    """
    from scipy import sparse
    from scipy.sparse.linalg import MatrixRankWarning, spsolve

    n = mdp.n_states
    acting = np.flatnonzero((choice >= 0) & ~mdp.absorbing)
    pairs = choice[acting]
    lengths = mdp.first[pairs + 1] - mdp.first[pairs]
    places = np.repeat(mdp.first[pairs] - np.append(0, np.cumsum(lengths)[:-1]), lengths) + np.arange(
        lengths.sum()
    )
    rows = np.repeat(acting, lengths)
    chances = sparse.csr_array((mdp.going_on[places], (rows, mdp.next_state[places])), shape=(n, n))
    rewards = np.zeros(n)
    rewards[acting] = mdp.expected_reward[pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("error", MatrixRankWarning)
        try:
            # (I - discount P) v = r.
            values = spsolve(sparse.csc_array(sparse.eye_array(n) - discount * chances), rewards)
        except MatrixRankWarning:
            raise _endless(discount) from None
    return np.asarray(values)


def prioritized_sweeping(mdp: MDP, discount: float, tolerance: float) -> Solved:
    """Update the state with the largest pending change first, then its predecessors (Moore and Atkeson 1993).

    Examples
    --------
    >>> prioritized_sweeping(MDP.of({"a": {"go": ("a", 1)}}), 0.5, 1e-9).values.round(6)
    array([2.])
    """
    source = np.repeat(mdp.pair_state, np.diff(mdp.first))
    order = np.argsort(mdp.next_state, kind="stable")
    before_first = np.searchsorted(mdp.next_state[order], np.arange(mdp.n_states + 1)).astype(np.int64)
    before = source[order].astype(np.int64)
    values = np.zeros(mdp.n_states)
    threshold = tolerance * (1 - discount) if discount < 1 else tolerance
    most = MOST_SWEEPS * mdp.n_states
    sweep: Any = sized(_loops.sweep_by_priority, SWEEPS * len(mdp.next_state))
    told = MOST_TOLD if active("backup") else 0
    updated, changes = np.empty(told, np.int64), np.empty(told)
    arrays = _Model.of(mdp).arrays
    updates = int(sweep(*arrays, discount, before_first, before, values, threshold, most, updated, changes))
    _tell_backups(mdp, updated[:updates], changes[:updates])
    if updates >= most or not np.isfinite(values).all():
        raise _endless(discount)
    return Solved(values, threshold / (1 - discount) if discount < 1 else math.nan, updates)


def _tell_backups(mdp: MDP, updated: NDArray[np.int64], changes: Floats) -> None:
    """Report single-state updates to an active trace, with the state's value before and after."""
    values: dict[int, float] = {}
    for number, (state, change) in enumerate(zip(updated.tolist(), changes.tolist(), strict=True), 1):
        before = values.get(state, 0.0)
        values[state] = before + change
        emit("backup", number=number, state=mdp.states[state], before=before, value=values[state])


def finite_horizon(mdp: MDP, horizon: int, discount: float = 1.0) -> tuple[Floats, ...]:
    """Return the value of each state with 0, 1, …, `horizon` steps left.

    Examples
    --------
    >>> [step.tolist() for step in finite_horizon(MDP.of({"a": {"go": ("a", 1)}}), 2)]
    [[0.0], [1.0], [2.0]]
    """
    model = _Model.of(mdp)
    left = [np.zeros(mdp.n_states)]
    if (horizon + 1) * mdp.n_states > MOST_VALUES:
        raise InputError(
            f"a horizon of {horizon:,} steps needs a separate policy for each step, which is too much "
            f"for {mdp.n_states:,} states; give at most {MOST_VALUES // mdp.n_states - 1:,} steps, or "
            "another criterion"
        )
    for _ in range(horizon):
        left.append(model.improved(discount, left[-1]).values)
    return tuple(left)


def average_reward(mdp: MDP, tolerance: float) -> Solved:
    """Find the policy with the highest average reward by relative value iteration (Mahadevan 1996).

    The best cycle must be reachable from every state; values are relative to that of the first
    state.

    Examples
    --------
    >>> round(average_reward(MDP.of({"a": {"go": ("b", 1)}, "b": {"go": ("a", 3)}}), 1e-9).gain, 6)
    2.0
    """
    model = _Model.of(mdp)
    values = np.zeros(mdp.n_states)
    for sweep in range(1, MOST_RELATIVE + 1):
        found = model.improved(1.0, values)
        new, low, high = found.values, found.low, found.high
        if high - low <= tolerance * max(1.0, abs(high)):
            return Solved(new - new[0], (high - low) / 2, sweep, (low + high) / 2)
        # Mixing old and new values makes the chain aperiodic; otherwise a cycle would never converge.
        values = DAMPING * values + (1 - DAMPING) * new
        values -= values[0]
    raise InputError(
        "the average reward differs from state to state or does not converge; use a discount below 1 instead"
    )


def steps_to_end(mdp: MDP, allowed: NDArray[np.bool_] | None = None) -> Floats:
    """Return the minimum number of steps from each state to an end, infinite if unreachable (Bellman-Ford).

    Parameters
    ----------
    mdp : MDP
        Process to analyse.
    allowed : array of bool, optional
        Pairs that may be chosen; all by default.

    Examples
    --------
    >>> steps_to_end(MDP.of({"a": {"go": "b"}, "b": {"go": "c", "back": "a"}}))
    array([2., 1., 0.])
    """
    possible = mdp.probability > 0
    if allowed is not None:
        possible &= np.repeat(allowed, np.diff(mdp.first))
    source = np.repeat(mdp.pair_state, np.diff(mdp.first))[possible]
    after = np.where(mdp.ends, mdp.n_states, mdp.next_state)[possible]
    steps = np.where(np.append(mdp.absorbing, True), 0.0, np.inf)  # the last entry is the end itself
    while True:
        before = steps.copy()
        np.minimum.at(steps, source, before[after] + 1)
        if np.array_equal(before, steps):
            return steps[:-1]


def check_ends(mdp: MDP) -> None:
    """Raise an `InputError` if episodes never end and rewards continue, so undiscounted values are unbounded.

    Examples
    --------
    >>> check_ends(MDP.of({"a": {"go": ("a", 1)}}))
    Traceback (most recent call last):
    induce.core.errors.InputError: no episode from state 'a' ends, so values grow without bound with discount 1; use a
    discount below 1, a horizon, or the average reward
    """
    endless = np.isinf(steps_to_end(mdp))
    paid = np.flatnonzero(endless[mdp.pair_state] & (mdp.expected_reward != 0))
    if len(paid):
        state = mdp.states[mdp.pair_state[paid[0]]]
        raise InputError(
            f"no episode from state {state!r} ends, so values grow without bound with discount 1; use "
            "a discount below 1, a horizon, or the average reward"
        )


def _towards_end(mdp: MDP, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Return for each state an allowed pair that may lead nearer to an end, so that episodes end if they can."""
    steps = np.append(steps_to_end(mdp, allowed), 0.0)
    after = np.where(mdp.ends, mdp.n_states, mdp.next_state)
    nearest = np.minimum.reduceat(np.where(mdp.probability > 0, steps[after], np.inf), mdp.first[:-1])
    if allowed is not None:
        nearest = np.where(allowed, nearest, np.inf)
    order = np.lexsort((nearest, mdp.pair_state))
    first = np.searchsorted(mdp.pair_state[order], np.arange(mdp.n_states))
    return np.where(np.diff(mdp.offset) > 0, order[np.minimum(first, mdp.n_pairs - 1)], -1)


def _bound(discount: float, low: float, high: float) -> float:
    """Return the maximum error of centred values after a sweep with changes from `low` to `high`."""
    return discount / (1 - discount) * (high - low) / 2 if discount < 1 else math.nan


def _centred(mdp: MDP, discount: float, values: Floats, low: float, high: float) -> Floats:
    """Return the midpoint of the bounds given by the last sweep (MacQueen 1966)."""
    if discount == 1:
        return values
    return np.where(mdp.absorbing, 0.0, values + discount / (1 - discount) * (low + high) / 2)


def _settled(discount: float, low: float, high: float, tolerance: float) -> bool:
    if discount < 1:
        return _bound(discount, low, high) <= tolerance
    return max(abs(low), abs(high)) <= tolerance


def _endless(discount: float) -> InputError:
    return InputError(
        f"the values do not converge with discount {discount:g}: some policy never ends and keeps "
        "collecting reward; use a discount below 1, a horizon, or the average reward"
    )
