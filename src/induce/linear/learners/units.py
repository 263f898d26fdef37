"""Base of single-unit learners: their parameters, standard units, descent, and continued training."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.folds import hold_out
from induce.core.hypothesis import Hypothesis
from induce.core.notes import Note
from induce.core.parameters import Declared, choice, number, truth, validation, whole
from induce.core.randomness import RandomState, generator
from induce.data.table import Table
from induce.linear.learners.base import Terms, knowledge
from induce.linear.model import Knowledge, LinearFunction
from induce.linear.standard import FLAT, TINY, Standard
from induce.linear.unit import Unit
from induce.optimise.descent import ORDERS, Descent, History, State, descend
from induce.optimise.resume import must_have_parameters, with_parameters
from induce.optimise.schedules import Constant, Decay, Schedule
from induce.optimise.stopping import Stop

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

UNITS: Declared = {
    "learning_rate": number(
        "Learning rate; None uses 0.1, or less if large inputs would make it diverge.",
        above=0,
        finite=True,
        none=True,
    ),
    "decay": number(
        "Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it constant.",
        above=0,
        finite=True,
        none=True,
    ),
    "momentum": number("Fraction of the previous step added to each step.", at_least=0, below=1),
    "batch_size": whole("Number of rows per update; None uses all rows.", at_least=1, none=True),
    "order": choice("Order of the rows in an epoch.", *ORDERS),
    "init": choice("Initial weights: zero, or small random numbers.", "zero", "random"),
    "bias_input": choice(
        "Constant input of the bias: 1, or -1 so that its weight is the threshold.", "1", "-1"
    ),
    "max_epochs": whole("Maximum number of epochs.", at_least=1),
    "validation": validation(
        "Validation rows for selecting the best epoch: a fraction, a splitter (its first split) or (X, y)."
    ),
    "scale": choice(
        "Scaling of the columns during training; None leaves them unscaled.", "standard", none=True
    ),
    "warm_start": truth("Whether fit continues from the previous fit."),
}

COURSE = (
    "variant",
    "learning_rate",
    "decay",
    "momentum",
    "batch_size",
    "order",
    "half",
    "coding",
    "at_zero",
    "bias_input",
    "scale",
)
"""Parameters that must not change in a continued training."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows held out from training.

    Parameters
    ----------
    training : array of int
        Indices of the training rows.
    x, targets : array of float
        Terms and targets of the held-out rows.
    """

    training: Rows
    x: Floats
    targets: Floats


class UnitLearner:
    """A learner that trains single units by gradient descent."""

    parameters: ClassVar[Declared] = UNITS
    learning_rate: float | None
    decay: float | None
    momentum: float
    batch_size: int | None
    order: str
    init: str
    bias_input: str
    max_epochs: int
    validation: Any
    scale: str | None
    warm_start: bool
    random_state: RandomState

    def _forget(self) -> None:
        """Reset to the unfitted state, keeping the state needed for a warm start."""
        self._before: Any = self.__dict__.get("hypothesis_") if self.warm_start else None
        if not self.warm_start:
            self._states: list[State] = []
        super()._forget()  # type: ignore[misc]

    def _known_terms(self, known: LinearFunction, table: Table, weights: Floats) -> Terms:
        """Return the terms of further rows, by the design of the first rows."""
        rows = np.flatnonzero(weights > 0)
        return Terms(known.design, known.design.matrix(table)[rows], weights[rows], rows)

    def _units(self, terms: Terms, known: LinearFunction | None) -> Standard:
        """Return the scaled terms, with the scaling of an earlier model if there is one."""
        if self.scale is None:
            flat = np.zeros(terms.x.shape[1])
            return Standard(terms.x, flat, flat + 1.0, terms.weights)
        if known is None:
            return terms.standard(True)
        centre, spread = known.known.means, known.known.deviations
        scale = np.where(spread > np.maximum(FLAT * np.abs(centre), TINY), spread, 1.0)
        return Standard((terms.x - centre) / scale, centre, scale, terms.weights)

    def _inputs(self, z: Floats) -> Floats:
        """Return the inputs of a unit: the bias first."""
        return np.column_stack([np.full(len(z), float(self.bias_input)), z])

    def _held_out(
        self, terms: Terms, labels: NDArray[Any], given: Callable[[Any, Any], tuple[Table, Floats]]
    ) -> HeldOut | None:
        """Return the validation rows for selecting the best epoch; `given` reads the user's own table."""
        asked, n = self.validation, len(terms.x)
        if asked is None:
            return None
        if isinstance(asked, tuple | list):
            table, targets = given(*asked)
            if len(table) != len(targets):
                raise InputError(
                    f"validation has {len(table)} rows and {len(targets)} targets; give one target per row"
                )
            return HeldOut(np.arange(n), terms.design.matrix(table), targets)
        if hasattr(asked, "split"):
            training, held = map(np.asarray, next(iter(asked.split(terms.x, labels))))
        else:
            n_held = round(float(asked) * n)
            if not 0 < n_held < n:
                raise InputError(
                    f"validation is {asked!r} of {n} rows, which leaves no rows for training or "
                    "validation; give more rows or another fraction"
                )
            seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
            training, held = hold_out(labels, n_held, seed, labels.dtype.kind != "f")
        return HeldOut(training, terms.x[held], np.asarray(labels[held], np.float64))

    def _schedule(self, unit: Unit, state: State | None) -> Schedule:
        """Return the learning rates; a continued run keeps its initial rate."""
        if state is None or self._first_rate is None:
            self._first_rate = self._rate(unit)
        rate = self._first_rate if self.learning_rate is None else float(self.learning_rate)
        return Constant(rate) if self.decay is None else Decay(rate, self.decay)

    def _rate(self, unit: Unit) -> float:
        """Return a rate that does not diverge: an update by a row x multiplies its error by 1 - rate · weight
        · |x|².
        """
        longest = float((unit.weights * np.square(unit.x).sum(axis=1)).max(initial=0.0))
        return min(0.1, 1.0 / max(longest, 1e-300))

    def _descended(
        self,
        unit: Unit,
        rng: np.random.Generator,
        stop: Stop,
        measure: Callable[[Floats], float] | None = None,
        going_on: GoingOn | None = None,
    ) -> Descent:
        """Train a unit, from the start or from the end of an earlier run."""
        w = np.zeros(unit.n_parameters)
        if self.init == "random":
            w[:] = rng.uniform(-0.05, 0.05, unit.n_parameters)
        state = None
        if going_on is not None:
            w, state = going_on.w, going_on.state
            if state is not None:
                stop = replace(stop, max_epochs=state.epoch + stop.max_epochs)
        with catch_warnings():
            if going_on is not None and going_on.other_rows:
                simplefilter("ignore", Note)  # a pass over other rows may raise the loss
            return descend(
                unit,
                w,
                distance=self._schedule(unit, state),
                momentum=self.momentum,
                batch_size=self.batch_size,
                order=self.order,
                stop=stop,
                validation=measure,
                random_state=rng,
                state=state,
            )

    def _generator(self) -> np.random.Generator:
        return generator(self.random_state)

    def _going_on(
        self, known: LinearFunction | None, standard: Standard, place: int, other_rows: bool
    ) -> GoingOn | None:
        """Return the starting point of a unit: the state of its last run, or otherwise the weights of a
        model.
        """
        if known is None:
            return None
        state = self._states[place] if place < len(self._states) else None
        if state is not None:
            must_have_parameters(state, self, COURSE)
        own = known.weights[place]
        bias = (known.intercepts[place] + own @ standard.centre) / float(self.bias_input)
        if state is not None and other_rows:
            nothing = History(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
            state = replace(state, history=nothing)
        return GoingOn(np.append(bias, own * standard.scale), state, other_rows)

    def _ended(self, runs: Iterable[Descent]) -> list[State]:
        """Return the states from which the runs can continue."""
        return [with_parameters(run.state, self, COURSE) for run in runs]

    def _own_units(self, standard: Standard, w: Floats) -> tuple[float, Floats]:
        """Return the unscaled intercept and weights of a unit."""
        return standard.own_units(float(w[0]) * float(self.bias_input), w[1:])

    def _known(
        self,
        terms: Terms,
        method: str,
        loss: float,
        before: LinearFunction | None,
        courses: tuple[History, ...],
    ) -> Knowledge:
        without = "descent stops near the minimum, not at it"
        found = replace(knowledge(terms, method, without=without, loss=loss), courses=courses)
        if before is None:
            return found
        # the first rows determined the scale of learning
        n_rows = before.known.n_rows + (found.n_rows if self._other_rows else 0.0)
        return replace(
            found, means=before.known.means, deviations=before.known.deviations, n_rows=n_rows or found.n_rows
        )

    _other_rows = False
    """Whether the rows are new, not seen in an earlier pass."""
    _first_rate: float | None = None

    def _resumable_state(self) -> dict[str, Any]:
        kept: dict[str, Any] = super()._resumable_state()  # type: ignore[misc]
        if not self.warm_start:
            return kept
        return {**kept, "descents": list(self._states), "rate": self._first_rate}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)  # type: ignore[misc]
        self._before = None
        self._states = list(state.get("descents", ()))
        self._first_rate = state.get("rate")


@dataclass(frozen=True, eq=False)
class GoingOn:
    """Starting point of a continued run.

    Parameters
    ----------
    w : array of float
        Weights to start from if there is no state.
    state : State or None
        State of the last run.
    other_rows : bool
        Whether it continues on different rows.
    """

    w: Floats
    state: State | None
    other_rows: bool


def patient(epochs: int, tol: float, patience: int | None, measure: Any) -> Stop:
    """Return the stopping rule of a learner with patience: on the validation error if there is one, otherwise
    on the training error.
    """
    if measure is not None:
        return Stop(max_epochs=epochs, validation_patience=patience)
    return Stop(max_epochs=epochs, tolerance=tol, patience=patience)


def epochs_text(runs: list[Descent]) -> str:
    """Return the length of the longest run as text."""
    longest = max(run.epochs for run in runs)
    return f"{longest} epoch{'s' if longest != 1 else ''}"
