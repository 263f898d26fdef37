"""Hidden Markov chains as hypotheses: filtering, smoothing, prediction and decoding (AIMA 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.randomness import RandomState, generator
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.kinds.chain import Chain
from induce.hypotheses.naming import plural
from induce.sequences.answers import Forecast, Path
from induce.sequences.inference import Filtered, best_paths, filtered, smoothed
from induce.sequences.parameters import Floats, MarkovParameters, bic
from induce.sequences.sequences import Sequences, Steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.belief_networks.network import BeliefNetwork
    from induce.sequences.explanation import StepExplanation


@dataclass(frozen=True, eq=False)
class HiddenMarkovChain(Chain):
    """A hidden Markov model: a chain of hidden states that emit observations (AIMA 15.3).

    Its methods take `Sequences`, or the arguments of `Sequences.of`; a frame is split by the training columns.
    Results per step are in the order of the given rows. Missing values are ignored, and so are unseen values, with a
    note.

    Parameters
    ----------
    states : tuple
        Names of the states.
    schema : Schema
        Observed columns.
    parameters : MarkovParameters
        Initial, transition and emission distributions.
    n_free : int
        Number of independent parameters.
    sequence, order : str
        Columns that identify the sequence of a row and its position in it.
    smoothing : float
        Pseudo-count of every start, transition and value.
    log_likelihoods : tuple of float
        Objective before the first and after each iteration of EM: the log-likelihood, plus the log prior with
        smoothing.
    converged : bool
        Whether EM had converged.
    restarted : tuple
        States that lost their observations and were restarted.

    Examples
    --------
    >>> umbrella = HiddenMarkovChain.of(
    ...     {"rain": 0.5, "dry": 0.5},
    ...     {"rain": {"rain": 0.7, "dry": 0.3}, "dry": {"rain": 0.3, "dry": 0.7}},
    ...     {"umbrella": {"rain": {"yes": 0.9, "no": 0.1}, "dry": {"yes": 0.2, "no": 0.8}}},
    ... )
    >>> umbrella.filter([["yes", "yes"]]).round(3).tolist()
    [[0.818, 0.182], [0.883, 0.117]]
    >>> umbrella.decode([["yes", "yes", "no", "yes", "yes"]]).tolist()
    ['rain', 'rain', 'dry', 'rain', 'rain']
    """

    states: tuple[Value, ...]
    schema: Schema
    parameters: MarkovParameters
    n_free: int
    sequence: str = ""
    order: str = ""
    smoothing: float = 0.0
    log_likelihoods: tuple[float, ...] = ()
    converged: bool = True
    restarted: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        self.parameters.verify(self.states, self.schema)

    @classmethod
    def of(
        cls,
        start: Mapping[Value, float],
        transitions: Mapping[Value, Mapping[Value, float]],
        emissions: Mapping[str, Mapping[Value, Any]],
    ) -> HiddenMarkovChain:
        """Return the chain with the given distributions.

        Parameters
        ----------
        start : dict
            Mapping from each state to its initial probability.
        transitions : dict
            Mapping from each state to a dict from the next state to its probability; others are impossible.
        emissions : dict
            Mapping from each column to a dict from states to a dict from values to probabilities, or to a `Normal`.
        """
        from induce.sequences.construction import chain_of

        return chain_of(start, transitions, emissions)

    # --- asked

    def filter(self, X: Any) -> Floats:
        """Return P(state | observations so far) for each step, one column per state (AIMA 15.2)."""
        sequences, _, found = self.read(X)
        return sequences.in_rows(found.states)

    def smooth(self, X: Any) -> Floats:
        """Return P(state | all observations of its sequence) for each step (AIMA 15.2)."""
        sequences, steps, found = self.read(X)
        return sequences.in_rows(smoothed(self.parameters, steps, found).states)

    def decode(self, X: Any) -> NDArray[Any]:
        """Return the state of each step in the most probable path of its sequence (Viterbi, AIMA 15.2)."""
        sequences, steps = self._steps(X)
        paths, logs = best_paths(self.parameters, steps)
        if np.isneginf(logs).any():
            self.read(X)  # raises an error that names the impossible step
        return self._names().take(sequences.in_rows(paths[0]))

    def best_paths(self, X: Any, k: int = 1) -> tuple[tuple[Path, ...], ...]:
        """Return the `k` most probable paths of each sequence, best first; fewer if fewer are possible."""
        at_least("k", k, 1, whole=True)
        _, steps, found = self.read(X)
        total = np.add.reduceat(found.logs, steps.offsets[:-1])
        paths, logs = best_paths(self.parameters, steps, k)
        return tuple(
            tuple(
                Path(tuple(self.states[j] for j in path[begin:end]), float(log), float(log - total[s]))
                for path, log in zip(paths, logs[s], strict=True)
                if log > -np.inf
            )
            for s, (begin, end) in enumerate(zip(steps.offsets, steps.offsets[1:], strict=False))
        )

    def predict_next(self, X: Any, steps: int = 1) -> tuple[Forecast, ...]:
        """Forecast each sequence: probabilities of states and nominal values, and means of numeric columns.

        Parameters
        ----------
        X : sequences
        steps : int
            Number of steps ahead.

        Examples
        --------
        >>> coin = HiddenMarkovChain.of({"a": 1.0}, {"a": {"a": 1.0}}, {"side": {"a": {"H": 0.5, "T": 0.5}}})
        >>> print(coin.predict_next([["H", "H"]])[0])
        state  a 1.0000
        side   H 0.5000, T 0.5000
        """
        at_least("steps", steps, 1, whole=True)
        _, encoded, found = self.read(X)
        last = found.states[encoded.offsets[1:] - 1]
        ahead = last @ np.linalg.matrix_power(self.parameters.transitions, steps)
        return tuple(Forecast.of(self.states, self.schema, self.parameters, each) for each in ahead)

    def score_samples(self, X: Any) -> Floats:
        """Return the log probability (log density with numeric columns) of each step given the previous ones.

        Their sum is the log likelihood. An impossible step, and all steps after it, have -inf.
        """
        sequences, steps = self._steps(X)
        return sequences.in_rows(filtered(self.parameters, steps).logs)

    def log_likelihood(self, X: Any) -> Floats:
        """Return the log probability (log density with numeric columns) of each sequence; -inf if impossible."""
        _, steps = self._steps(X)
        return np.asarray(np.add.reduceat(filtered(self.parameters, steps).logs, steps.offsets[:-1]))

    def bic(self, X: Any) -> float:
        """Return the Bayesian information criterion over all sequences; lower is better."""
        _, steps = self._steps(X)
        return bic(float(filtered(self.parameters, steps).logs.sum()), self.n_free, steps.n_observed())

    def sample(self, n: int = 1, random_state: RandomState = None, n_sequences: int = 1) -> Any:
        """Return a polars frame of random sequences of `n` steps, with their states.

        Parameters
        ----------
        n : int
            Length of each sequence.
        random_state : int, optional
            Random seed.
        n_sequences : int
            Number of sequences; if more than one, a column identifies the sequence of each row.
        """
        from induce.sequences.sampling import sampled

        at_least("n", n, 0, whole=True)
        at_least("n_sequences", n_sequences, 1, whole=True)
        return sampled(self, n, n_sequences, generator(random_state))

    def to_network(self, n: int = 2) -> BeliefNetwork:
        """Return the chain unrolled to `n` steps, as a belief network (AIMA 15.5).

        The nodes of step t are ``state t`` and ``column t`` for each column; with several Gaussians, also
        ``component t``.
        """
        from induce.sequences.construction import unrolled

        at_least("n", n, 1, whole=True)
        return unrolled(self, n)

    # --- shown

    def renamed(self, names: Mapping[Value, Value] | Sequence[Value]) -> HiddenMarkovChain:
        """Return the chain with renamed states: a dict from old to new names, or all names in order."""
        if not isinstance(names, Mapping):
            if len(names) != len(self.states):
                raise InputError(
                    f"there are {len(names)} names for "
                    f"{plural(len(self.states), 'state')}; give one per state"
                )
            names = dict(zip(self.states, names, strict=True))
        for old in names:
            if old not in self.states:
                raise InputError(f"there is no state {old!r}; give one of {', '.join(map(str, self.states))}")
        return replace(
            self,
            states=tuple(names.get(state, state) for state in self.states),
            restarted=tuple(names.get(state, state) for state in self.restarted),
        )

    def explain(self, X: Any) -> tuple[StepExplanation, ...]:
        """Return, for each row, the evidence for its state from earlier, current and later observations."""
        from induce.sequences.explanation import explained

        return explained(self, X)

    def draw(self) -> Figure:
        """Plot the states, their transitions and their emissions."""
        from induce.sequences.pictures import draw

        return draw(self)

    def draw_path(self, X: Any, sequence: int = 0) -> Figure:
        """Plot a sequence with its decoded path and the state probabilities.

        Parameters
        ----------
        X : sequences
        sequence : int
            Index of the sequence.
        """
        from induce.sequences.pictures import draw_path

        return draw_path(self, X, sequence)

    def draw_learning(self) -> Figure:
        """Plot the log likelihood at every iteration of EM."""
        from induce.em import Maximised

        if not self.log_likelihoods:
            raise InputError("this chain was not learned by EM, so there are no iterations to plot")
        learned = Maximised(self, self.log_likelihoods, self.converged, 0, self.log_likelihoods[-1:])
        figure = learned.draw()
        figure.axes[0].set_ylabel(self.objective_name)
        return figure

    @property
    def objective_name(self) -> str:
        """Name of EM's objective."""
        return "log likelihood with prior" if self.smoothing else "log likelihood"

    def parts(self) -> Parts:
        """Return the number of parameters."""
        return Parts(self.n_free, "parameters")

    def _lacking(self) -> dict[str, str]:
        return {} if self.log_likelihoods else {"learning": "it was not learned by EM"}

    def size(self) -> str:
        """Return the numbers of states and parameters as text."""
        return f"{plural(len(self.states), 'state')}, {plural(self.n_free, 'parameter')}"

    def __str__(self) -> str:
        from induce.sequences.report import report

        return report(self)

    def _names(self) -> NDArray[Any]:
        kinds = {type(state) for state in self.states}
        return np.array(self.states, None if len(kinds) == 1 else object)

    def _steps(self, X: Any) -> tuple[Sequences, Steps]:
        sequences = Sequences.of(X, sequence=self.sequence, order=self.order)
        return sequences, sequences.steps(self.schema)

    def read(self, X: Any) -> tuple[Sequences, Steps, Filtered]:
        """Return the sequences, encoded and filtered; an impossible step is an `InputError`."""
        sequences, steps = self._steps(X)
        found = filtered(self.parameters, steps)
        if found.impossible >= 0:
            which = int(np.searchsorted(steps.offsets, found.impossible, side="right")) - 1
            place = found.impossible - int(steps.offsets[which]) + 1
            name = sequences.names[which]
            where = f"step {place} of sequence {name!r}" if name != "" else f"step {place}"
            raise InputError(
                f"{where} is impossible given the previous ones; learn with smoothing, or correct the "
                "sequence"
            )
        return sequences, steps, found
