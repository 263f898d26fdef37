"""Descent: combines direction, step size, batches and stopping rules (Mitchell Tables 4.1 and 4.2, §4.8.2).

A run is a sequence of epochs. Every few epochs there is a check: the loss and the validation measure are
computed, the stopping rules are applied, and the state is copied. Ctrl-C therefore loses at most the epochs
since the last check, and a continued run takes the same steps as an uninterrupted one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.trace import active, emit
from induce.optimise.directions import Direction, Gradient, Memory, direction_of
from induce.optimise.line_search import SEARCHES
from induce.optimise.objective import Objective, Rows
from induce.optimise.schedules import Constant, Schedule
from induce.optimise.stopping import Stop, Watch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Distance = float | Schedule | str

ORDERS = ("shuffled", "given", "drawn")
BOUND = 20_000_000
"""Maximum number of products of a weight and an input per call of a compiled pass, which takes about a tenth
of a second.
"""
ROUNDING = 1e-16
"""Minimum expected decrease, as a fraction of the loss, for which a line search is started."""
MOMENTUM = 0.9
"""Default momentum of ``direction="momentum"``."""


@dataclass(frozen=True, eq=False)
class History:
    """Checks of a run.

    Parameters
    ----------
    epoch : array of int
        Number of epochs before each check; the first check comes before the first epoch.
    loss : array of float
        Training loss at each check.
    validation : array of float
        Validation measure at each check; empty if there is none.
    """

    epoch: NDArray[np.int64]
    loss: Floats
    validation: Floats

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        mine, others = ((each.epoch, each.loss, each.validation) for each in (self, other))
        return all(map(np.array_equal, mine, others))

    def __hash__(self) -> int:
        return hash(len(self.epoch))


@dataclass(frozen=True, eq=False)
class State:
    """Complete state of a run, from which it continues as if uninterrupted; it can be stored in model files.

    Parameters
    ----------
    w, best_w : array of float
        Current weights, and the best so far.
    memory : dict
        Memory of the direction.
    generator : dict
        State of the random generator.
    epoch, update : int
        Number of epochs and of updates so far.
    history : History
        Checks so far.
    settings : dict
        Settings that must not change when the run continues.
    """

    w: Floats
    best_w: Floats
    memory: dict[str, Floats]
    generator: dict[str, Any]
    epoch: int
    update: int
    history: History
    settings: dict[str, str]


@dataclass(frozen=True, eq=False)
class Descent:
    """A finished or interrupted run.

    Parameters
    ----------
    w : array of float
        Last weights.
    best_w : array of float
        Weights with the lowest validation measure, or with the lowest training loss if there is none.
    history : History
        Checks of the run.
    reason : str
        Reason for stopping.
    epochs : int
        Number of epochs.
    best_epoch : int
        Number of epochs after which the best weights were reached.
    state : State
        State from which the run can be continued.
    """

    w: Floats
    best_w: Floats
    history: History
    reason: str
    epochs: int
    best_epoch: int
    state: State

    def __str__(self) -> str:
        final = f"loss {self.history.loss[-1]:.6g} after {self.epochs} epochs ({self.reason})"
        if not len(self.history.validation):
            return final
        return (
            f"{final}; lowest validation measure {self.history.validation.min():.6g} "
            f"after {self.best_epoch} epochs"
        )

    def draw(self) -> Figure:
        """Return a figure of the training loss and the validation measure, with the chosen epoch."""
        from induce.pictures.style import GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(None)
        axes.plot(self.history.epoch, self.history.loss, color=PALETTE[0], label="training loss")
        if len(self.history.validation):
            axes.plot(
                self.history.epoch, self.history.validation, color=PALETTE[1], label="validation measure"
            )
            axes.axvline(
                self.best_epoch, color=GREY, lw=0.8, ls=":", label=f"chosen: epoch {self.best_epoch}"
            )
        axes.legend(frameon=False, fontsize=9)
        axes.set_xlabel("epoch")
        tidy(axes)
        return figure


def descend(
    objective: Objective,
    w: ArrayLike,
    *,
    direction: str | Direction = "gradient",
    distance: Distance | None = None,
    momentum: float = 0.0,
    batch_size: int | None = None,
    order: str = "shuffled",
    stop: Stop | None = None,
    validation: Callable[[Floats], float] | None = None,
    running: bool = False,
    seen: Callable[[int, Floats], None] | None = None,
    random_state: RandomState = 0,
    state: State | None = None,
) -> Descent:
    """Minimise an objective.

    Ctrl-C keeps the current result. A loss that is not finite raises an `InputError`.

    Parameters
    ----------
    objective : Objective
        Objective to minimise.
    w : array of float
        Initial weights.
    direction : str or Direction
        Direction of the step. The last five need all rows for each update. ``"gradient"``, ``"momentum"``,
        ``"adam"``, ``"conjugate"`` (Polak-Ribière), ``"fletcher-reeves"``, ``"newton"``, ``"levenberg"`` or
        ``"lbfgs"``.
    distance : float, Schedule or {"exact", "backtracking", "wolfe"}, optional
        Step size: a learning rate, a schedule, or a line search. Gradient, momentum and Adam need one; the
        others have their own line search.
    momentum : float
        Fraction of the previous step added to each step; at least 0 and below 1 (Mitchell eq. 4.18).
    batch_size : int, optional
        Number of rows per update; all by default, 1 for updates per example.
    order : {"shuffled", "given", "drawn"}
        Order of the rows in an epoch: a new permutation each time, the given order, or sampling with
        replacement.
    stop : Stop, optional
        Stopping rules; by default 1000 epochs.
    validation : callable, optional
        Function from the weights to an error; the weights with the lowest error are kept.
    running : bool
        Whether the loss in the history is the one computed during the epoch, each row before its update,
        which saves a pass over the rows.
    seen : callable, optional
        Function called at each check with the number of epochs and the weights.
    random_state : int, Generator or None
        Random seed.
    state : State, optional
        State of an earlier run to continue; all other arguments except `stop` must be unchanged.

    Returns
    -------
    Descent

    Examples
    --------
    >>> class Line:
    ...     # half the sum of squared errors of y = w x for (1, 2) and (2, 4)
    ...     n_parameters, n_rows = 1, 2
    ...
    ...     def loss(self, w, rows=None):
    ...         return self.gradient(w, rows)[0]
    ...
    ...     def gradient(self, w, rows=None):
    ...         x = np.array([1.0, 2.0])[slice(None) if rows is None else rows]
    ...         error = w[0] * x - 2.0 * x
    ...         return 0.5 * float(error @ error), np.array([error @ x])
    >>> found = descend(Line(), [0.0], distance=0.1, stop=Stop(max_epochs=50, loss_below=1e-6))
    >>> print(found)
    loss 5.96046e-07 after 12 epochs (the loss is below 1e-06)
    >>> descend(Line(), [0.0], direction="conjugate", stop=Stop(max_epochs=1)).w.round(9).tolist()
    [2.0]
    """
    run = _Run(objective, direction, distance, momentum, batch_size, order, stop, validation, running, seen)
    run.begin(w, random_state, state)
    with interruptible(run.done, "epochs"), np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        run.to_the_end()
    return run.result()


@dataclass
class _Kept:
    """State copied at a check."""

    w: Floats
    best_w: Floats
    memory: Memory
    generator: dict[str, Any]
    epoch: int
    update: int
    checks: int


@dataclass
class _Course:
    """Position of a run."""

    w: Floats
    best_w: Floats
    memory: Memory
    rng: np.random.Generator
    epoch: int = 0
    update: int = 0
    epochs: list[int] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    validation: list[float] = field(default_factory=list)


class _Run:
    """A run of `descend`: the settings, and the mutable state."""

    def __init__(
        self,
        objective: Objective,
        direction: str | Direction,
        distance: Distance | None,
        momentum: float,
        batch_size: int | None,
        order: str,
        stop: Stop | None,
        validation: Callable[[Floats], float] | None,
        running: bool,
        seen: Callable[[int, Floats], None] | None,
    ) -> None:
        if direction == "momentum":
            direction, momentum = "gradient", momentum or MOMENTUM
        self.objective = objective
        self.direction = direction_of(direction)
        self.distance = _distance(self.direction, distance)
        self.momentum = float(momentum)
        self.batch_size = batch_size
        self.order = order
        self.stop = stop or Stop()
        self.validation = validation
        self.running = running and batch_size is not None
        self.seen = seen
        self.watch = Watch(self.stop)
        self.done: list[int] = []
        self.reason: str | None = None
        self._seen = 0.0  # running loss of the rows since the last check
        self._here: tuple[float, Floats] | None = (
            None  # loss and gradient over all rows at the current weights
        )
        self._check_settings()

    def _check_settings(self) -> None:
        one_of("order", self.order, ORDERS)
        if not 0.0 <= self.momentum < 1.0:
            raise InputError(f"momentum is {self.momentum!r}; give a number of at least 0 and below 1")
        if self.momentum and isinstance(self.distance, str):
            raise InputError("momentum does not support a line search; give a learning rate as distance")
        if self.batch_size is not None:
            at_least("batch_size", self.batch_size, 1, whole=True)
            if self.direction.whole:
                raise InputError(
                    f"direction is {self.direction.name!r}, which uses all rows for each update; omit "
                    "batch_size"
                )

    @property
    def settings(self) -> dict[str, str]:
        """Settings that must not change when the run continues."""
        return {
            "direction": self.direction.name,
            "distance": repr(self.distance),
            "momentum": repr(self.momentum),
            "batch_size": repr(self.batch_size),
            "order": self.order,
        }

    def begin(self, w: ArrayLike, random_state: RandomState, state: State | None) -> None:
        """Go to the initial weights, or to the point where an earlier run stopped."""
        start = np.array(w, np.float64).ravel()
        if len(start) != self.objective.n_parameters:
            raise InputError(
                f"w has {len(start)} weights, but the objective has {self.objective.n_parameters}; "
                "give one per parameter"
            )
        if not np.isfinite(start).all():
            raise InputError("w contains a weight that is not finite; give finite initial weights")
        if state is not None:
            self._continue(state)
            return
        memory = self.direction.start(len(start))
        memory["last"] = np.zeros(len(start))
        self.course = _Course(start, start.copy(), memory, generator(random_state))
        self._check(0)

    def _continue(self, state: State) -> None:
        if len(state.w) != self.objective.n_parameters:
            raise InputError(
                f"state has {len(state.w)} weights, but the objective has {self.objective.n_parameters}; continue "
                "with the same model"
            )
        for name, now in self.settings.items():
            if state.settings.get(name) != now:
                raise InputError(
                    f"{name} is {now}, but the run was started with {state.settings.get(name)}; "
                    "continue with the same value"
                )
        memory = {name: np.array(array, np.float64) for name, array in state.memory.items()}
        rng = np.random.Generator(getattr(np.random, str(state.generator["bit_generator"]))())
        rng.bit_generator.state = state.generator
        history = state.history
        self.course = _Course(
            np.array(state.w),
            np.array(state.best_w),
            memory,
            rng,
            state.epoch,
            state.update,
            history.epoch.tolist(),
            history.loss.tolist(),
            history.validation.tolist(),
        )
        for place, loss in enumerate(self.course.losses):
            measure = self.course.validation[place] if self.course.validation else None
            self.reason = self.watch.see(loss, measure)
        self._keep()

    def to_the_end(self) -> None:
        """Run epochs until a rule stops them."""
        course, stop = self.course, self.stop
        while self.reason is None and course.epoch < stop.max_epochs:
            n = self._epochs(min(stop.every, stop.max_epochs - course.epoch))
            if not n:  # no step was possible: the run is unchanged
                break
            course.epoch += n
            self._check(n)
            self.done.extend(range(n))
            report(course.epoch / stop.max_epochs)
        self.reason = self.reason or f"max_epochs is {stop.max_epochs}"

    def _epochs(self, n: int) -> int:
        """Run epochs up to the next check; return the number of epochs with a step."""
        self._seen = 0.0
        if self.batch_size is None:
            for made in range(n):
                self._whole_step()
                if self.reason:
                    return made
        elif self.batch_size == 1 and self._has_pass:
            self._passes(n)
        else:
            for _ in range(n):
                self._batches(self._orders(1))
        return n

    @property
    def _has_pass(self) -> bool:
        return (
            isinstance(self.direction, Gradient)
            and not isinstance(self.distance, str)
            and hasattr(self.objective, "epoch")
        )

    def _orders(self, n: int) -> Rows:
        """Return the rows of several epochs, one after another.

        The generator draws epoch by epoch, so that the order does not depend on when checks occur.
        """
        size, rng = self.objective.n_rows, self.course.rng
        rows = np.tile(np.arange(size, dtype=np.intp), (n, 1))
        if self.order == "shuffled":
            rng.permuted(rows, axis=1, out=rows)
        elif self.order == "drawn":
            rows = rng.integers(size, size=rows.shape, dtype=np.intp)
        return rows.ravel()

    def _passes(self, n: int) -> None:
        """Update after each example by the objective's own loop, in bounded calls."""
        course, objective = self.course, self.objective
        traced = active("update")
        most = 1 if traced else max(1, BOUND // max(1, objective.n_parameters))
        per_call = max(1, min(n, most // max(1, objective.n_rows)))
        self._here = None
        for first in range(0, n, per_call):
            rows = self._orders(min(per_call, n - first))
            for start in range(0, len(rows), most):
                part = rows[start : start + most]
                rates = self._rates(len(part))
                seen = objective.epoch(course.w, course.memory["last"], part, rates, self.momentum)  # type: ignore[attr-defined]
                course.update += len(part)
                self._seen += float(seen)
                if traced:
                    self._emit_update(part, float(rates[-1]))
                if not math.isfinite(self._seen):
                    self._refuse(self._seen)

    def _batches(self, rows: Rows) -> None:
        """Update after every batch of rows."""
        size = self.batch_size or len(rows)
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            loss, g = self.objective.gradient(self.course.w, batch)
            self._seen += loss * (len(batch) if getattr(self.objective, "is_mean", False) else 1)
            self._here = None
            self._move(loss, g, batch)

    def _whole_step(self) -> None:
        """Update once by the gradient over all rows."""
        loss, g = self._gradient_here()
        if self.stop.gradient_below is not None and np.abs(g).max(initial=0.0) <= self.stop.gradient_below:
            self.reason = f"no derivative exceeds {self.stop.gradient_below:g}"
            return
        self._here = None
        if not self._move(loss, g, None):
            self._here = (loss, g)
            self.reason = "no step lowers the loss"

    def _gradient_here(self) -> tuple[float, Floats]:
        if self._here is None:
            self._here = self.objective.gradient(self.course.w)
        return self._here

    def _move(self, loss: float, g: Floats, rows: Rows | None) -> bool:
        """Take one step; return whether one was possible."""
        course = self.course
        if not (math.isfinite(loss) and np.isfinite(g).all()):
            self._refuse(loss)
        d = self.direction.toward(self.objective, course.w, g, course.memory)
        if isinstance(self.distance, str):
            if -float(g @ d) <= ROUNDING * abs(loss):
                return False
            search = SEARCHES.get(self.distance)
            rate = 1.0 if search is None else search(self.objective, course.w, d, loss, g, rows)
            step = rate * d
        else:
            rate = float(self._rates(1)[0])
            step = np.multiply(d, rate, out=d)
            if self.momentum:
                step += self.momentum * course.memory["last"]
        if isinstance(self.distance, str) and not step.any():
            return False
        course.w += step
        course.memory["last"][:] = step
        self.direction.arrived(step, course.memory)
        course.update += 1
        if active("update"):
            self._emit_update(rows, rate)
        return True

    def _rates(self, n: int) -> Floats:
        assert not isinstance(self.distance, str)
        return self.distance.rates(self.course.update, n)

    def _emit_update(self, rows: Rows | None, rate: float) -> None:
        course = self.course
        which = () if rows is None else tuple(rows.tolist())
        emit("update", update=course.update, rows=which, rate=rate, weights=course.w.copy())

    def _check(self, n: int) -> None:
        """Compute the loss and the validation measure, apply the stopping rules, and copy the state."""
        course = self.course
        loss = self._loss(n)
        if not (math.isfinite(loss) and np.isfinite(course.w).all()):
            self._refuse(loss)
        measure = None
        if self.validation is not None:
            measure = float(self.validation(course.w))
            if math.isnan(measure):
                raise InputError(
                    "the validation measure is not a number; return a finite number from validation"
                )
            course.validation.append(measure)
        course.epochs.append(course.epoch)
        course.losses.append(loss)
        self.reason = self.watch.see(loss, measure) or self.reason
        if self.watch.best == self.watch.checks - 1:
            course.best_w[:] = course.w
        if self.seen is not None:
            self.seen(course.epoch, course.w)
        if active("epoch"):
            emit("epoch", epoch=course.epoch, loss=loss, validation=measure, weights=course.w.copy())
        self._keep()

    def _loss(self, n: int) -> float:
        """Return the loss at the current weights, or the one computed during the last epochs."""
        if self.running and n:
            rows = self.objective.n_rows if getattr(self.objective, "is_mean", False) else 1
            return self._seen / (n * rows)
        if self.batch_size is None:
            return self._gradient_here()[0]  # the next update needs the gradient anyway
        return self.objective.loss(self.course.w)

    def _keep(self) -> None:
        course = self.course
        self._kept = _Kept(
            course.w.copy(),
            course.best_w.copy(),
            {name: array.copy() for name, array in course.memory.items()},
            dict(course.rng.bit_generator.state),
            course.epoch,
            course.update,
            len(course.epochs),
        )

    def _refuse(self, loss: float) -> None:
        """Raise an `InputError` for a loss or weights that are not finite."""
        if not self.course.update:
            raise InputError(
                f"the loss is {loss} at the initial weights; give other initial weights, or scale the columns"
            )
        what = (
            "the distance" if isinstance(self.distance, str) else f"the learning rate {self._rates(1)[0]:g}"
        )
        raise InputError(
            f"the loss became {loss} in epoch {self.course.epoch + 1}: {what} is too large; decrease "
            "it, or scale the columns"
        )

    def result(self) -> Descent:
        """Return the run as of the last check."""
        kept, course = self._kept, self.course
        history = History(
            np.array(course.epochs[: kept.checks], np.int64),
            np.array(course.losses[: kept.checks]),
            np.array(course.validation[: kept.checks]),
        )
        reason = self.reason or "interrupted"
        if (
            not isinstance(self.distance, str)
            and history.loss[-1] > history.loss[0]
            and not len(history.validation)
        ):
            note(
                f"the loss rose from {history.loss[0]:.6g} to {history.loss[-1]:.6g}: the learning "
                "rate is too large; decrease it, or scale the columns"
            )
        emit("stop", reason=reason, epoch=kept.epoch, loss=float(history.loss[-1]))
        state = State(
            kept.w, kept.best_w, kept.memory, kept.generator, kept.epoch, kept.update, history, self.settings
        )
        best = int(history.epoch[self.watch.best])
        return Descent(kept.w.copy(), kept.best_w.copy(), history, reason, kept.epoch, best, state)


def _distance(direction: Direction, given: Distance | None) -> Schedule | str:
    """Return the default step size of a direction."""
    if given is None:
        if direction.distance is None:
            raise InputError(
                f"direction is {direction.name!r}, but distance is missing; give a learning rate such "
                "as 0.1, a schedule, 'exact' or 'backtracking'"
            )
        return direction.distance
    if isinstance(given, str):
        one_of("distance", given, SEARCHES)
        return given
    if isinstance(given, int | float | np.number):
        return Constant(float(given))
    return given
