"""Base of neural-network learners: the parameters, the network to train, and its training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.folds import hold_out
from induce.core.hypothesis import Hypothesis
from induce.core.notes import Note
from induce.core.parameter_kinds import Number, OneOf, Several, Such, Whole
from induce.core.parameters import Declared, choice, either, instance, number, truth, whole
from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import SCALES, Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import must_be_as_begun
from induce.estimators import Reading
from induce.neural.committees import committee, members
from induce.neural.initial import INITS, initial_weights
from induce.neural.learners.decay import FEWEST_ROWS, USUAL, chosen_decay
from induce.neural.network import Group, Link, Network
from induce.neural.objective import LOSSES, NetworkObjective
from induce.neural.record import TrainingRecord
from induce.neural.slopes import Slopes
from induce.neural.units import UNITS
from induce.optimise.descent import Descent, State, descend
from induce.optimise.resume import must_have_parameters, with_parameters
from induce.optimise.stopping import Stop

SOLVERS = ("auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs")
WHOLE = ("conjugate", "levenberg", "lbfgs")
"""Full-batch solvers, which use all rows for each update."""
RATES = {"gradient": 0.1, "adam": 0.003}
FEW_ROWS = 5_000
"""Number of rows above which `auto` is Adam on mini-batches."""
BATCH = 200
CHECKS = 100
"""Number of convergence checks during training by gradient or Adam."""
COURSE = (
    "n_networks",
    "hidden",
    "unit",
    "loss",
    "solver",
    "learning_rate",
    "momentum",
    "weight_decay",
    "batch_size",
    "scale",
    "targets",
    "output",
    "precision",
)
"""Parameters that must not change in a continued training."""
SNAPSHOTS, SNAPSHOT_CELLS = 60, 60_000
"""Maximum number of weight snapshots, and of numbers in them; larger networks keep none."""

MANY_CELLS, SPARSE_SHARE = 2**24, 0.05
"""Minimum number of input values, and maximum fraction of nonzero ones, for storing inputs as a sparse
matrix.
"""


Examples = tuple[Any, Floats, Floats]
"""Inputs, targets and weights."""


@dataclass(frozen=True, eq=False)
class Task:
    """Training data: inputs and targets of the rows with positive weight, and the held-out rows."""

    X: Any
    T: Floats
    weights: Floats
    held_inputs: Any = None
    held_targets: Floats | None = None
    slopes: Slopes | None = None

    def held_out(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> Task:
        """Return the task with some rows held out."""
        slopes = None if self.slopes is None else self.slopes.rows(train)
        return Task(self.X[train], self.T[train], self.weights[train], self.X[test], self.T[test], slopes)


class NeuralNetworkLearner:
    """Base of both learners: build the network, draw weights, and train it."""

    parameters: ClassVar[Declared] = {
        "hidden": either(
            "Number of units in each hidden layer; an empty list gives none.",
            Whole(at_least=1),
            Several(Whole(at_least=1), "whole numbers of at least 1"),
        ),
        "unit": choice("Kind of the hidden units.", *(unit for unit in UNITS if unit != "threshold")),
        "network": instance(
            "Network to train instead of layers; frozen weights are not changed.", "Network", none=True
        ),
        "n_networks": whole(
            "Number of networks with different initial weights, whose outputs are averaged.", at_least=1
        ),
        "solver": choice("Optimisation algorithm; auto uses lbfgs, or adam for many rows.", *SOLVERS),
        "learning_rate": number("Step size; None: 0.1 for gradient and 0.003 for adam.", above=0, none=True),
        "momentum": number(
            "Fraction of the previous step added to each step of gradient.", at_least=0, below=1
        ),
        "weight_decay": number("Penalty on the sum of squared weights.", at_least=0, finite=True),
        "batch_size": either(
            "Number of rows per update; None: 1 for gradient and 200 for adam.",
            Whole(at_least=1),
            OneOf(("all",)),
            none=True,
        ),
        "max_epochs": whole("Maximum number of passes over the rows.", at_least=1),
        "tol": number(
            "Smallest decrease of the loss that counts as progress; 0 trains for all epochs.", at_least=0
        ),
        "init": either(
            "Range or distribution of the initial weights; None starts from those of `network`.",
            Number(above=0),
            OneOf(INITS),
            none=True,
        ),
        "validation": either(
            "Validation rows for early stopping: a fraction, a splitter (its first split) or (X, y).",
            Number(above=0, below=1),
            Such(
                "a splitter",
                lambda value: not isinstance(value, str | tuple | list) and hasattr(value, "split"),
            ),
            Such("a pair (X, y)", lambda value: isinstance(value, tuple | list) and len(value) == 2),
            none=True,
        ),
        "patience": whole(
            "Number of checks without improvement before training stops; None trains for all epochs.",
            at_least=1,
            none=True,
        ),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
        "precision": choice("Floating-point precision of batches: 64 or 32 bits.", "double", "single"),
        "warm_start": truth("Whether fit continues from the previous fit."),
    }

    hidden: int | Sequence[int]
    unit: str
    network: Network | None
    n_networks: int
    solver: str
    learning_rate: float | None
    momentum: float
    weight_decay: float | str
    batch_size: int | str | None
    max_epochs: int
    tol: float
    init: float | str | None
    validation: Any
    patience: int | None
    scale: str | None
    precision: str
    warm_start: bool
    schema: Schema | dict[str, Any] | None
    random_state: RandomState

    @property
    def history_(self) -> TrainingRecord:
        """Training record: epochs, losses, validation errors, and the reason for stopping."""
        hypothesis = self.__dict__.get("hypothesis_")
        if hypothesis is None:
            raise AttributeError(f"{type(self).__name__} has no training history; call fit first")
        found: TrainingRecord = hypothesis.record
        return found

    def _forget(self) -> None:
        """Reset to the unfitted state, keeping the state needed for a warm start."""
        self._before: Any = self.__dict__.get("hypothesis_") if self.warm_start else None
        if not self.warm_start:
            self.__dict__.pop("_states", None)
        super()._forget()  # type: ignore[misc]

    def _inputs(self, reading: Reading) -> tuple[NumericView, Any, Floats, NDArray[np.intp]]:
        """Return the numeric view of the rows, with the inputs and weights of the rows with positive weight."""
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        before = self._before
        if before is None:
            view = NumericView.of(reading.table, self.scale, reading.weights)
        else:
            must_be_as_begun(before.view.schema, reading.table.schema)
            view = before.view
        return view, self._matrix(view, reading.table, counted), weights[counted], counted

    def _matrix(self, view: NumericView, table: Table, rows: NDArray[np.intp] | None = None) -> Any:
        """Return the inputs of the given rows, sparse if there are many categories and only dense layers read
        them.
        """
        indicators = sum(len(column.domain) for column in view.schema if column.kind == "nominal")
        mostly = len(view.mean) - indicators <= SPARSE_SHARE * len(view.mean)
        if self.network is None and mostly and len(view.mean) * len(table) > MANY_CELLS:
            found = view.sparse_matrix(table)
            if found.nnz <= SPARSE_SHARE * len(view.mean) * len(table):
                return found if rows is None or len(rows) == len(table) else found[rows]
        inputs = view.matrix(table)
        return inputs if rows is None or len(rows) == len(table) else inputs[rows]

    def _task(
        self,
        network: Network,
        view: NumericView,
        table: Table,
        rows: NDArray[np.intp],
        examples: Examples,
        scale: Floats | float = 1.0,
    ) -> Task:
        """Return the task with the inputs, targets and weights of the given rows; the targets are already
        scaled.
        """
        return Task(*examples)

    def _layers(self, n_inputs: int, n_outputs: int, output: str) -> Network:
        """Return the network to train: the given one, or a layered one."""
        if self.network is not None:
            made = self.network
            if made.n_inputs != n_inputs:
                raise InputError(
                    f"network has {made.n_inputs} inputs, but the columns give {n_inputs}: one per "
                    "numeric column and one per nominal value; give a network with as many inputs"
                )
            return made
        sizes = [self.hidden] if isinstance(self.hidden, int | np.integer) else list(self.hidden)
        names = ["hidden"] if len(sizes) == 1 else [f"hidden{place + 1}" for place in range(len(sizes))]
        groups = [
            Group("inputs", n_inputs, "input"),
            *(Group(name, int(size), self.unit) for name, size in zip(names, sizes, strict=True)),
            Group("outputs", n_outputs, output),
        ]
        chain = ["inputs", *names, "outputs"]
        return Network.of(groups, [Link(one, other) for one, other in pairwise(chain)])

    def _with_held_out(self, task: Task, labels: NDArray[Any], held: tuple[Floats, Floats] | None) -> Task:
        """Return the task with validation rows for early stopping."""
        if held is not None:
            return replace(task, held_inputs=held[0], held_targets=held[1])
        given, n = self.validation, len(task.T)
        if given is None:
            return task
        if isinstance(given, int | float | np.number):
            n_held = round(float(given) * n)
            if not 0 < n_held < n:
                raise InputError(
                    f"validation is {given!r} of {n} rows, which leaves no rows for training or early "
                    "stopping; give more rows or another fraction"
                )
            return task.held_out(*hold_out(labels, n_held, self._seed(), labels.ndim == 1))
        if hasattr(given, "split"):
            train, test = next(iter(given.split(task.T, labels)))
            return task.held_out(np.asarray(train), np.asarray(test))
        return task

    def _seed(self) -> RandomState:
        return self.random_state if isinstance(self.random_state, int | np.integer) else 0

    def _settled_solver(self, n: int) -> str:
        if self.solver != "auto":
            return self.solver
        return "lbfgs" if n <= FEW_ROWS else "adam"

    def _start(self, network: Network) -> Floats | None:
        """Return the initial weights of a warm start; for a committee, the weights of all members."""
        before = self._before
        if before is None:
            return None
        kept = [each.weights for each in members(before.network)]
        if any(weights.shape != network.weights.shape for weights in kept):
            return None
        return np.concatenate(kept)

    def _decay(
        self, network: Network, task: Task, loss: str, epochs: int | None, start: Floats | None
    ) -> tuple[float, str]:
        """Return the weight decay and a note on how it was chosen."""
        if self.weight_decay != "auto":
            return float(self.weight_decay), ""
        linear = all(network.group(name).unit == "linear" for name in network.outputs)
        whole = self._settled_solver(len(task.T)) == "lbfgs" and epochs is None and start is None
        if not (linear and whole and task.held_inputs is None and len(task.T) >= FEWEST_ROWS):
            return USUAL, ""
        found = chosen_decay(self, network, task, loss)
        return found, f"; weight decay {found:g} by cross-validation"

    def _train(
        self, network: Network, task: Task, loss: str, epochs: int | None = None, start: Floats | None = None
    ) -> tuple[Network, TrainingRecord]:
        """Return the trained network, or committee of networks, and the training record."""
        rng, n = generator(self.random_state), int(self.n_networks)
        parts = members(network)  # more than one if partial_fit continues a committee
        begun = len(start) // parts[0].n_weights if start is not None else n
        if len(parts) > 1:
            start, begun = np.concatenate([each.weights for each in parts]), len(parts)
        if begun != n:
            raise InputError(
                f"n_networks is {n}, but the earlier training had {begun}; set it back, or train again "
                "with fit"
            )
        resumed = self.__dict__.get("_states") if epochs is None and self._before is not None else None
        if resumed:
            must_have_parameters(resumed[0], self, COURSE)
        starts = [None] * n if start is None else list(start.reshape(n, -1))
        streams = [rng] if n == 1 else rng.spawn(n)
        states = resumed or (None,) * n
        found, ends = [], []
        for k in range(n):
            found.append(self._train_one(parts[0], task, loss, epochs, starts[k], streams[k], states[k]))
            ends.append(self._state)
        self._states: tuple[State, ...] = tuple(ends)
        if n == 1:
            return found[0]
        first = found[0][1]
        none = Snapshots(network.n_weights).arrays()
        record = replace(
            first,
            reason=f"{first.reason}, the first of {n} networks",
            snapshot_epochs=none[0],
            snapshots=none[1],
        )
        return committee([each for each, _ in found]), record

    def _train_one(
        self,
        network: Network,
        task: Task,
        loss: str,
        epochs: int | None,
        start: Floats | None,
        rng: np.random.Generator,
        resumed: State | None = None,
    ) -> tuple[Network, TrainingRecord]:
        solver = self._settled_solver(len(task.T))
        if epochs is not None and solver in WHOLE:
            solver = "gradient"  # one batch of rows at a time
        batch = self._batch(solver, len(task.T))
        dtype = np.float32 if self.precision == "single" and batch != 1 else np.float64
        decay, chosen = self._decay(network, task, loss, epochs, start)
        objective = self._objective(network, task, loss, decay, dtype)
        measure = None
        if task.held_inputs is not None:
            held = NetworkObjective(
                network, task.held_inputs, task.held_targets, loss, 0.0, None, True, dtype
            )
            measure = held.loss
        if start is None:
            start = self._initial(network, rng)
        most = int(self.max_epochs) if epochs is None else epochs
        every = 1 if solver in WHOLE or epochs is not None else max(1, most // CHECKS)
        stop = Stop(
            max_epochs=most + (resumed.epoch if resumed is not None else 0),
            every=every,
            tolerance=float(self.tol),
            patience=None if not self.tol or epochs is not None else 3 if solver in WHOLE else 10,
            validation_patience=self.patience,
        )
        kept = Snapshots(network.n_weights)
        rate = RATES.get(solver) if self.learning_rate is None else float(self.learning_rate)
        with catch_warnings():
            if epochs is not None:  # a single pass over a batch may raise its loss
                simplefilter("ignore", Note)
            found = descend(
                objective,
                start,
                direction=solver,
                distance=None if solver in WHOLE else rate,
                momentum=float(self.momentum) if solver == "gradient" else 0.0,
                batch_size=batch,
                stop=stop,
                validation=measure,
                running=len(task.T) > FEW_ROWS,
                seen=kept.see,
                random_state=rng,
                state=resumed,
            )
        self._state = with_parameters(found.state, self, COURSE)
        weights = found.best_w if measure is not None or solver in WHOLE else found.w
        record = _record(found, solver, measure is not None, kept)
        return network.with_weights(weights), replace(record, reason=record.reason + chosen)

    def _objective(
        self, network: Network, task: Task, loss: str, decay: float, dtype: Any
    ) -> NetworkObjective:
        """Return the objective of training."""
        return NetworkObjective(
            network, task.X, task.T, loss, decay, task.weights, True, dtype, slopes=task.slopes
        )

    def _initial(self, network: Network, rng: np.random.Generator) -> Floats:
        """Return the initial weights of training."""
        if self.init is None:
            if getattr(self, "network", None) is None:
                raise InputError(
                    "init=None starts from the weights of network; give a network, or another init"
                )
            return network.weights
        return initial_weights(network, self.init, rng)

    def _batch(self, solver: str, n: int) -> int | None:
        given = self.batch_size
        if solver in WHOLE:
            if given not in (None, "all"):
                raise InputError(
                    f"batch_size is {given!r}, but solver {solver!r} uses all rows for each update; "
                    "use 'gradient' or 'adam'"
                )
            return None
        if given == "all":
            return None
        if given is None:
            return 1 if solver == "gradient" else min(BATCH, n)
        return min(int(given), n)

    def _resumable_state(self) -> dict[str, Any]:
        kept = super()._resumable_state()  # type: ignore[misc]
        return {**kept, "descents": self.__dict__.get("_states", ()) if self.warm_start else ()}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)  # type: ignore[misc]
        self._before = None
        before = state.get("descent")  # files written with a single network
        self._states = tuple(state.get("descents", ())) or ((before,) if before is not None else ())


class Snapshots:
    """Snapshots of a small network's weights; every second one is dropped when there are too many."""

    def __init__(self, n_weights: int) -> None:
        self.epochs: list[int] = []
        self.weights: list[Floats] = []
        self._every = 1
        self._seen = 0
        self._most = min(SNAPSHOTS, SNAPSHOT_CELLS // max(1, n_weights))

    def see(self, epoch: int, w: Floats) -> None:
        """Keep the weights of an epoch if it is due for a snapshot."""
        if self._most >= 2 and self._seen % self._every == 0:
            self.epochs.append(epoch)
            self.weights.append(w.copy())
            if len(self.epochs) > self._most:
                self.epochs, self.weights = self.epochs[::2], self.weights[::2]
                self._every *= 2
        self._seen += 1

    def arrays(self) -> tuple[NDArray[np.int64], Floats]:
        """Return the epochs and the weights, one row per snapshot."""
        width = len(self.weights[0]) if self.weights else 0
        return np.array(self.epochs, np.int64), np.array(self.weights).reshape(len(self.epochs), width)


def _record(found: Descent, solver: str, validated: bool, kept: Snapshots) -> TrainingRecord:
    epochs, weights = kept.arrays()
    history = found.history
    chosen = found.best_epoch if validated or solver in WHOLE else found.epochs
    return TrainingRecord(
        solver, history.epoch, history.loss, history.validation, chosen, found.reason, epochs, weights
    )


LOSS = choice("Error of an example: cross entropy, or half the sum of squares.", *LOSSES)
