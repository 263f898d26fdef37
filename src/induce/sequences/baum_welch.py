"""Baum-Welch: EM for hidden Markov models, with expected counts by smoothing (AIMA 20.3; Mitchell 6.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import sized
from induce.core.trace import emit
from induce.em import Maximised, maximise
from induce.sequences import _loops
from induce.sequences.inference import Room, filtered, smoothed, work
from induce.sequences.parameters import Floats, MarkovParameters, constants
from induce.sequences.sequences import Steps

PARTS = ("start", "transitions", "emissions")
FEW_STEPS = 0.5
"""Expected number of steps below which a state has lost its observations."""
MOST_RESTARTS = 3
ITERATIONS = 60
"""Number of iterations assumed when deciding whether to compile loops."""


class Expected(NamedTuple):
    """Expected sufficient statistics given all observations: first states, transitions, steps in each state,
    values and moments.
    """

    log_likelihood: float
    impossible: int
    first: Floats
    pairs: Floats
    occupied: Floats
    counts: tuple[Floats, ...]
    components: Floats
    known: Floats
    sums: Floats
    squares: Floats


@dataclass(frozen=True, eq=False)
class BaumWelch:
    """EM on a set of sequences.

    Parameters
    ----------
    steps : Steps
    allowed : array of bool, shape (states, states)
        Mask of the permitted transitions.
    least_variances : array of float64, one for each numeric column
        Minimum variances.
    smoothing : float
        Pseudo-count of every start, transition and value.
    tied : sequence of sequences of int
        Groups of states with the same emissions.
    learned : tuple of str
        Parameters to update, of `PARTS`.
    tolerance : float
    max_iter : int
        See `maximise`.
    """

    steps: Steps
    allowed: NDArray[np.bool_]
    least_variances: Floats
    smoothing: float = 0.0
    tied: Sequence[Sequence[int]] = ()
    learned: tuple[str, ...] = PARTS
    tolerance: float = 1e-6
    max_iter: int = 200
    _last: list[tuple[MarkovParameters, Expected]] = field(default_factory=list, repr=False)

    def run(self, starts: Sequence[MarkovParameters]) -> Maximised[MarkovParameters]:
        """Return the best EM result from several starting points."""
        prepared = [self._prepared(start) for start in starts]
        return maximise(
            prepared,
            self.expect,
            self.maximised,
            self.objective,
            tolerance=self.tolerance,
            max_iter=self.max_iter,
        )

    @cached_property
    def room(self) -> Room:
        """Reusable arrays of the E step."""
        return Room.of(self.steps, len(self.allowed))

    def expect(self, parameters: MarkovParameters) -> Expected:
        """Compute the expected statistics of the hidden states (E step); the last result is cached."""
        if not self._last or self._last[0][0] is not parameters:
            self._last[:] = [(parameters, self._expected(parameters))]
        return self._last[0][1]

    @cached_property
    def constants(self) -> Floats:
        """Value of each constant column; NaN for the others."""
        return constants(self.steps.numbers)

    def _with_constants(self, parameters: MarkovParameters) -> MarkovParameters:
        """Give constant columns exactly their value and the variance 0, without rounding."""
        varied = np.isnan(self.constants)
        return replace(
            parameters,
            means=np.where(varied, parameters.means, self.constants),
            variances=np.where(varied, parameters.variances, 0.0),
        )

    def _expected(self, parameters: MarkovParameters) -> Expected:
        steps, passes = self.steps, max(1, min(self.max_iter, ITERATIONS))
        past = filtered(parameters, steps, passes, self.room)
        found = smoothed(parameters, steps, past, passes, self.room) if past.impossible < 0 else None
        flat, begins = parameters.flat
        counts, shape = np.zeros(len(flat)), parameters.means.shape
        sums = [np.zeros(shape[:2]), *(np.zeros(shape) for _ in range(3))]
        if found is not None and "emissions" in self.learned:
            run = sized(_loops.expected_emissions, work(parameters, steps) * passes, 1 / passes)
            run(steps.codes, begins, steps.numbers, *parameters.densities, found.states, counts, *sums)
        states = np.zeros_like(past.states) if found is None else found.states
        n_states = len(parameters.start)
        parts = np.split(counts, begins[1:]) if len(begins) else []
        return Expected(
            float(past.logs.sum()),
            past.impossible,
            states[steps.offsets[:-1]].sum(axis=0),
            np.zeros_like(parameters.transitions) if found is None else found.pairs,
            np.ones(len(states)) @ states,  # ten times as fast as a sum over an axis
            tuple(part.reshape(-1, n_states).T for part in parts),
            *sums,
        )

    def maximised(self, expected: Expected, before: MarkovParameters) -> MarkovParameters:
        """Return the parameters that maximise the expected log likelihood (M step).

        The denominator of a transition is the number of steps in its state that have a successor.
        """
        parameters = before
        if "start" in self.learned:
            first = self._chances(expected.first[np.newaxis], before.start[np.newaxis])[0]
            parameters = replace(parameters, start=first)
        if "transitions" in self.learned:
            parameters = replace(parameters, transitions=self._chances(expected.pairs, before.transitions))
        if "emissions" not in self.learned:
            return parameters
        tables = tuple(
            _shares(self._pooled(counts) + self.smoothing, table)
            for counts, table in zip(expected.counts, before.tables, strict=True)
        )
        known, sums, squares = (
            self._pooled(each) for each in (expected.known, expected.sums, expected.squares)
        )
        seen = known > 0
        # Moments are about the old means, which preserves the precision of similar numbers: mean and variance
        # are updated by them.
        moved = np.divide(sums, known, out=np.zeros_like(sums), where=seen)
        spread = np.divide(squares, known, out=before.variances.copy(), where=seen) - np.where(
            seen, moved**2, 0.0
        )
        return self._with_constants(
            replace(
                parameters,
                tables=tables,
                weights=_shares(self._pooled(expected.components), before.weights),
                means=before.means + moved,
                variances=np.maximum(spread, self.least_variances),
            )
        )

    def objective(self, parameters: MarkovParameters, expected: Expected) -> float:
        """Return the log-likelihood plus, with smoothing, the log prior."""
        if not self.smoothing:
            return expected.log_likelihood
        prior = 0.0
        for part, rows in zip(PARTS[:2], (parameters.start, parameters.transitions), strict=True):
            prior += float(np.log(rows[rows > 0]).sum()) if part in self.learned else 0.0
        if "emissions" in self.learned:
            # Tied states share one table, whose prior counts once.
            repeated = [group[1:] for group in self.tied]
            once = np.setdiff1d(np.arange(len(parameters.start)), [k for group in repeated for k in group])
            prior += sum(float(np.log(table[once]).sum()) for table in parameters.tables)
        return expected.log_likelihood + self.smoothing * prior

    def lost(self, expected: Expected) -> NDArray[np.int64]:
        """Return the states that have lost their observations."""
        return np.flatnonzero(expected.occupied < FEW_STEPS)

    def restarted(
        self, best: Maximised[MarkovParameters]
    ) -> tuple[Maximised[MarkovParameters], set[int], list[int]]:
        """Restart states without observations at the steps that the model explains worst; return the result.

        A restart that does not improve the result is dropped. Also returns the restarted states, and those still
        without observations.
        """
        tried: set[int] = set()
        unlabelled = np.flatnonzero(self.steps.labels < 0)
        dead = self.lost(self.expect(best.hypothesis))
        for _ in range(MOST_RESTARTS):
            if not len(dead) or not len(unlabelled) or "emissions" not in self.learned:
                break
            again = self.run([self._revived(best.hypothesis, dead, unlabelled)])
            for state in dead.tolist():
                emit("restart", state=state, before=best.objective[-1], after=again.objective[-1])
            tried |= set(dead.tolist())
            if again.objective[-1] <= best.objective[-1]:
                break
            best = again
            dead = self.lost(self.expect(best.hypothesis))
        return best, tried, dead.tolist()

    def _revived(
        self, parameters: MarkovParameters, dead: NDArray[np.int64], unlabelled: NDArray[np.int64]
    ) -> MarkovParameters:
        logs = filtered(parameters, self.steps).logs[unlabelled]
        # The tenth of the steps with the lowest probability under the model.
        worst = unlabelled[np.argsort(logs, kind="stable")][: max(1, len(logs) // 10)]
        tables = [table.copy() for table in parameters.tables]
        means, variances = parameters.means.copy(), parameters.variances.copy()
        transitions = parameters.transitions.copy()
        spread = np.maximum(parameters.moments()[1].max(axis=0, initial=0.0), self.least_variances)
        for place, state in enumerate(dead.tolist()):
            for c, table in enumerate(tables):
                codes = self.steps.codes[worst, c]
                seen = np.bincount(codes[codes >= 0], minlength=table.shape[1])
                table[state] = (seen + 1) / (seen.sum() + table.shape[1])
            for m in range(means.shape[1]):
                at = worst[(place * means.shape[1] + m) % len(worst)]
                numbers = self.steps.numbers[at]
                means[state, m] = np.where(np.isnan(numbers), means[state, m], numbers)
                variances[state, m] = spread
            transitions[self.allowed[:, state], state] += 0.1
            transitions[state] = self.allowed[state]
        return replace(
            parameters,
            tables=tuple(tables),
            means=means,
            variances=variances,
            transitions=transitions / transitions.sum(axis=1, keepdims=True),
        )

    def _prepared(self, start: MarkovParameters) -> MarkovParameters:
        """Tie the emissions of tied states and give smoothed parameters nonzero mass."""
        tables, parts = [table.copy() for table in start.tables], []
        for each in (start.weights, start.means, start.variances):
            parts.append(each.copy())
        for group in self.tied:
            for each in (*tables, *parts):
                each[list(group)] = each[group[0]]
        if self.smoothing and "emissions" in self.learned:
            tables = [(table + 1e-6) / (1 + 1e-6 * table.shape[1]) for table in tables]
        weights, means, variances = parts
        prepared = replace(start, tables=tuple(tables), weights=weights, means=means, variances=variances)
        if "emissions" not in self.learned:
            return prepared
        # a column that was constant where the initial chain was learned may vary here
        if (start.is_constant & np.isnan(self.constants)).any():
            spread = np.nan_to_num([np.nanvar(column) for column in self.steps.numbers.T])
            prepared = replace(prepared, variances=np.where(start.is_constant, spread, variances))
        return self._with_constants(prepared)

    def _chances(self, counts: Floats, before: Floats) -> Floats:
        """Return smoothed relative frequencies; impossible entries stay 0."""
        return _shares(counts + self.smoothing * (before > 0), before)

    def _pooled(self, counts: Floats) -> Floats:
        """Return counts pooled over groups of tied states."""
        if not self.tied:
            return counts
        counts = counts.copy()
        for group in self.tied:
            counts[list(group)] = counts[list(group)].sum(axis=0)
        return counts


def _shares(counts: Floats, before: Floats) -> Floats:
    """Normalise the counts of each row; a row without counts keeps its values."""
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), before)
