"""Learning of a hidden Markov chain from sequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from induce.core.blas import one_thread
from induce.core.cells import sorted_cells
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.estimator import HypothesisEstimator
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameter_kinds import OneOf, OneOrSeveral, Several, Whole
from induce.core.parameters import Declared, Parameter, anything, either, instance, items, number, whole
from induce.core.randomness import RandomState, generator
from induce.core.ties import best_of
from induce.core.trace import emit
from induce.core.values import Value
from induce.data.names import listed, unknown
from induce.data.schema import Schema
from induce.data.table import UNSEEN, codes_of
from induce.data.training import training_schema
from induce.hypotheses.naming import plural
from induce.sequences.baum_welch import PARTS, BaumWelch
from induce.sequences.hypothesis import HiddenMarkovChain
from induce.sequences.learners.initialisation import starting_point
from induce.sequences.parameters import (
    Floats,
    MarkovParameters,
    bic,
    constants,
    nominal_columns,
    numeric_columns,
)
from induce.sequences.sequences import Codes, Sequences, Steps

LEAST_SHARE = 1e-6
"""Minimum variance, as a fraction of the column's variance."""


class HiddenMarkovModel(HypothesisEstimator):
    """A hidden Markov model, learned by Baum-Welch: EM with expected counts by smoothing (AIMA 20.3; Mitchell 6.12).

    It learns from `Sequences`, or from the arguments of `Sequences.of`. Nominal columns have one table per
    state, numeric ones one or more Gaussians; columns are independent given the state. Labelled steps count
    as observed states: with all states known, learning is counting.

    Missing values are ignored, in training and afterwards. An unseen value is treated as missing, with a
    note; a declared value that does not occur in training is impossible unless there is `smoothing`. A column
    without any value is ignored, with a note; a constant numeric column has the variance 0 and carries no
    information, then or later. A state that loses its observations is restarted where the model explains the
    data least; this is noted, and emitted as a trace event ``restart``.

    Parameters
    ----------
    n_states : int or sequence of int, optional
        Number of hidden states; from several, the number with the lowest BIC is chosen. By default the number
        of state names or labels, otherwise 2.
    n_components : int, default=1
        Number of Gaussians per state for the numeric columns.
    states : sequence, optional
        Names of the states; labels must be among them.
    allowed : "left-to-right" or array of bool, shape (states, states), optional
        Topology of the transitions; by default all are permitted. With ``"left-to-right"``, no transition
        leads to an earlier state, and sequences start in the first state.
    tied : sequence of sequences, optional
        Groups of states, by name or index, with the same emissions.
    smoothing : float, default=0.0
        Pseudo-count of every start, transition and value.
    initial : HiddenMarkovChain, optional
        Initial chain, instead of a random one; impossible events stay impossible.
    update : sequence of str, default=('start', 'transitions', 'emissions')
        Parameters to learn: ``"start"``, ``"transitions"``, ``"emissions"``. The rest stays as in `initial`.
    n_init : int, default=3
        Number of random starts; the best one is kept.
    tol : float, default=1e-06
        Relative gain of the log likelihood below which EM ends.
    max_iter : int, default=200
        Maximum number of iterations.
    random_state : int, Generator or None, default=0
        Random seed.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : HiddenMarkovChain
    bic_ : dict
        BIC of each number of states tried.

    See Also
    --------
    MixtureModel : Clusters of mixed columns.

    References
    ----------
    L. R. Rabiner (1989). A tutorial on hidden Markov models and selected applications in speech recognition.
    Proceedings of the IEEE 77, 257-286.

    Examples
    --------
    >>> rolls = [["1", "6", "6", "6", "2"], ["3", "1"]]
    >>> states = [["fair", "loaded", "loaded", "loaded", "fair"], ["fair", "fair"]]
    >>> model = HiddenMarkovModel(smoothing=1).fit(Sequences.of(rolls, state=states))
    >>> print(model.hypothesis_)
    2 states, 9 parameters; log likelihood with prior -27.0303 after 2 iterations
    <BLANKLINE>
    chance of the next state
    from     fair  loaded  mean stay
    (start)  0.75    0.25
    fair      0.5     0.5          2
    loaded    0.4     0.6        2.5
    <BLANKLINE>
    x0 in each state
    state        1       2       3       6
    fair     0.375    0.25    0.25   0.125
    loaded  0.1429  0.1429  0.1429  0.5714
    >>> model.decode([["1", "6", "6", "6"]]).tolist()
    ['fair', 'loaded', 'loaded', 'loaded']
    """

    hypothesis_: HiddenMarkovChain

    parameters: ClassVar[Declared] = {
        "n_states": Parameter(
            "Number of hidden states; several choose by BIC, None uses the number of names or labels.",
            OneOrSeveral(Whole(at_least=1)),
            none=True,
        ),
        "n_components": whole("Number of Gaussians per state.", at_least=1),
        "states": items("Names of the states.", "names", none=True),
        "allowed": anything(
            "Permitted transitions; None permits all.", "'left-to-right' or a Boolean matrix", none=True
        ),
        "tied": items("Groups of states with the same emissions.", "groups of states", none=True),
        "smoothing": number("Pseudo-count of every start, transition and value.", at_least=0),
        "initial": instance(
            "Initial chain; None starts at random.",
            "HiddenMarkovChain",
            none=True,
            otherwise="give a HiddenMarkovChain",
        ),
        "update": either("Parameters to learn.", OneOf(PARTS), Several(OneOf(PARTS), "parts")),
        "n_init": whole("Number of random starts; the best is kept.", at_least=1),
        "tol": number("Relative gain of the log-likelihood below which EM ends.", at_least=0),
        "max_iter": whole("Maximum number of iterations.", at_least=1),
    }

    def __init__(
        self,
        n_states: int | Sequence[int] | None = None,
        *,
        n_components: int = 1,
        states: Sequence[Value] | None = None,
        allowed: Any = None,
        tied: Sequence[Sequence[Any]] | None = None,
        smoothing: float = 0.0,
        initial: HiddenMarkovChain | None = None,
        update: Sequence[str] = PARTS,
        n_init: int = 3,
        tol: float = 1e-6,
        max_iter: int = 200,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_components = n_components
        self.states = states
        self.allowed = allowed
        self.tied = tied
        self.smoothing = smoothing
        self.initial = initial
        self.update = update
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.schema = schema

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from sequences.

        Parameters
        ----------
        X : Sequences, or what `Sequences.of` takes
        y : object, optional
            Ignored; known states are given to `Sequences.of`.
        """
        self._begin_fit()
        sequences = Sequences.of(X)
        initial = self.initial
        schema = self._settled(sequences) if initial is None else initial.schema
        counts, names, labels = self._states(sequences)
        steps = sequences.steps(schema, labels)
        generators = generator(self.random_state).spawn(len(counts))
        self.bic_: dict[int, float] = {}
        found: dict[int, HiddenMarkovChain] = {}
        for column, constant in zip(numeric_columns(schema), constants(steps.numbers).tolist(), strict=True):
            if constant == constant:
                note(f"column {column.name!r} is constant and carries no information about the states")
        for n_states, rng in zip(counts, generators, strict=True):
            with one_thread():
                chain, log_likelihood = self._learned(sequences, steps, schema, _named(names, n_states), rng)
            self.bic_[n_states] = bic(log_likelihood, chain.n_free, steps.n_observed())
            emit("states", n_states=n_states, log_likelihood=log_likelihood, bic=self.bic_[n_states])
            found[n_states] = chain
        self._seen_sequences(found[best_of(self.bic_, lambda n_states: -self.bic_[n_states])])
        return self

    def decode(self, X: Any) -> NDArray[Any]:
        """Return the state of each step in the most probable path of its sequence."""
        return self._chain().decode(X)

    def score_samples(self, X: Any) -> Floats:
        """Return the log probability (log density with numeric columns) of each step given the previous ones."""
        return self._chain().score_samples(X)

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log probability of a step given the previous ones."""
        return float(np.mean(self.score_samples(X)))

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of a random sequence of `n` steps."""
        return self._chain().sample(n, random_state)

    def explain(self, X: Any) -> tuple[Any, ...]:
        """Return, for each row, the evidence for its state."""
        return self._chain().explain(X)

    def _chain(self) -> HiddenMarkovChain:
        check_is_fitted(self, "hypothesis_")
        return self.hypothesis_

    def _seen_sequences(self, hypothesis: HiddenMarkovChain) -> None:
        self.hypothesis_ = hypothesis
        self.n_features_in_ = len(hypothesis.schema)

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        assert isinstance(hypothesis, HiddenMarkovChain)
        self._seen_sequences(hypothesis)

    def _settled(self, sequences: Sequences) -> Schema:
        """Return the schema of the columns; columns without any value are ignored."""
        raw = sequences.raw
        # words and letters are observations, however many distinct ones there are
        schema = training_schema(raw, None, self.schema, names=True)
        columns = list(schema)
        by_name = {column.name: column for column in raw.columns}
        for place, column in enumerate(columns):
            cells = by_name[column.name].cells
            if column.role == "input" and cells.null_count() == len(cells):
                note(f"column {column.name!r} has no values and is ignored")
                columns[place] = replace(column, role="ignore")
        schema = Schema(tuple(columns))
        if not len(schema.inputs()):
            raise InputError("no column is left to learn from: all are empty")
        return schema

    def _states(self, sequences: Sequences) -> tuple[list[int], tuple[Value, ...], Codes | None]:
        """Return the candidate numbers of states, the known names, and the label of each row."""
        names: tuple[Value, ...] = () if self.states is None else tuple(self.states)
        if self.initial is not None:
            names = self.initial.states
        raw, labels = sequences.labels, None
        if raw is not None:
            declared = tuple(raw.domain) or tuple(sorted_cells(raw.distinct).to_list())
            labels = codes_of(raw, names or declared)
            if (labels == UNSEEN).any():
                wrong = raw.cells[int((labels == UNSEEN).argmax())]
                raise unknown("state", str(wrong), list(map(str, names)))
            names = names or declared
        given = self.n_states
        counts = list(dict.fromkeys(given)) if isinstance(given, Iterable) else [given or len(names) or 2]
        for k in counts:
            if k < len(names):
                raise InputError(
                    f"n_states is {k}, but there are {len(names)} states: "
                    f"{listed(list(map(str, names)))}; give as many names as states"
                )
        return counts, names, labels

    def _learned(
        self,
        sequences: Sequences,
        steps: Steps,
        schema: Schema,
        names: tuple[Value, ...],
        rng: np.random.Generator,
    ) -> tuple[HiddenMarkovChain, float]:
        """Return the result of EM with the named states, and its log likelihood."""
        first, allowed = self._masks(len(names))
        least = _least_variances(steps.numbers) if len(steps) else np.zeros(0)
        tied = _groups(self.tied, names)
        learned = tuple(self.update) if not isinstance(self.update, str) else (self.update,)
        search = BaumWelch(steps, allowed, least, self.smoothing, tied, learned, self.tol, self.max_iter)
        sizes = [len(column.domain) for column in nominal_columns(schema)]
        if self.initial is not None:
            starts = [self.initial.parameters]
        else:
            counted = self.n_components == 1 and bool((steps.labels >= 0).all())
            starts = [
                starting_point(steps, sizes, self.n_components, first, allowed, least, stream)
                for stream in rng.spawn(1 if counted else self.n_init)
            ]
        best, restarted, empty = search.restarted(search.run(starts))
        _tell(names, sorted(restarted), empty)
        found = best.hypothesis
        chain = HiddenMarkovChain(
            names,
            schema,
            found,
            _n_free(found, first, allowed, tied),
            sequences.sequence,
            sequences.order,
            float(self.smoothing),
            best.objective,
            best.converged,
            tuple(names[state] for state in sorted(restarted)),
        )
        return chain, search.expect(found).log_likelihood

    def _masks(self, n_states: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return masks of the permitted initial states and transitions."""
        if self.initial is not None:
            return self.initial.parameters.start > 0, self.initial.parameters.transitions > 0
        first, whole = np.ones(n_states, bool), np.ones((n_states, n_states), bool)
        if self.allowed is None:
            return first, whole
        if isinstance(self.allowed, str):
            one_of("allowed", self.allowed, ("left-to-right",))
            return np.arange(n_states) == 0, np.triu(whole)
        allowed = np.asarray(self.allowed)
        if allowed.shape != whole.shape or not np.isin(allowed, (0, 1)).all():
            raise InputError(
                (
                    f"allowed is {self.allowed!r}; give 'left-to-right', or a Boolean matrix of {n_states} "
                    "rows and columns"
                ).replace("\n", " ")
            )
        if not allowed.any(axis=1).all():
            raise InputError(
                "allowed leaves a state without any transition; permit at least one, possibly to itself"
            )
        return first, allowed.astype(bool)


def _tell(names: tuple[Value, ...], restarted: list[int], empty: list[int]) -> None:
    """Emit a note about the restarted states, and one about those without observations."""
    if restarted:
        which = ", ".join(repr(names[state]) for state in restarted)
        note(f"{plural(len(restarted), 'state')} lost all observations and restarted: {which}")
    if empty:
        which = ", ".join(repr(names[state]) for state in empty)
        note(f"no observations are left for {which}; use fewer states")


def _named(names: tuple[Value, ...], n_states: int) -> tuple[Value, ...]:
    """Return the names of n states: known ones, then numbered ones."""
    return (*names, *(f"state {number}" for number in range(len(names) + 1, n_states + 1)))


def _least_variances(numbers: Floats) -> Floats:
    """Return the minimum variance of each numeric column, which keeps densities finite."""
    with np.errstate(over="ignore"):
        spread = np.array([np.nanvar(column) for column in numbers.T])
    return np.where(np.isnan(constants(numbers)), LEAST_SHARE * spread, 0.0)


def _groups(tied: Sequence[Sequence[Any]] | None, names: tuple[Value, ...]) -> list[list[int]]:
    groups = []
    for group in tied or ():
        places = []
        for each in group:
            if each in names:
                places.append(names.index(each))
            elif isinstance(each, int | np.integer) and 0 <= each < len(names):
                places.append(int(each))
            else:
                raise unknown("state", str(each), list(map(str, names)))
        groups.append(places)
    together = [place for group in groups for place in group]
    if len(set(together)) < len(together):
        raise InputError("tied has a state in two groups; merge the groups")
    return [group for group in groups if group]


def _n_free(
    found: MarkovParameters, first: NDArray[np.bool_], allowed: NDArray[np.bool_], tied: list[list[int]]
) -> int:
    """Return the number of independent parameters; estimates that are 0 count as free."""
    return replace(found, start=first.astype(np.float64), transitions=allowed.astype(np.float64)).n_free(tied)
