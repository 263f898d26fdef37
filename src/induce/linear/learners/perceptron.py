"""Perceptron: a threshold unit trained on its mistakes (Mitchell §4.4.2; AIMA 18.6.3)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.parameters import Declared, choice
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.linear.learners.threshold import Floats, Measure, ThresholdLearner
from induce.linear.learners.units import GoingOn, UnitLearner, epochs_text
from induce.linear.unit import Unit
from induce.optimise.descent import Descent
from induce.optimise.stopping import Stop


class Perceptron(ThresholdLearner):
    """A threshold unit trained on its mistakes: w += rate · (t - o) · x after each example.

    If a plane separates the classes, the rule finds one after finitely many mistakes. Otherwise it never
    converges. "pocket" then keeps the weights with the fewest mistakes, counted after each epoch and whenever
    weights classify more consecutive examples correctly than those kept (Gallant's ratchet). "averaged" keeps
    the mean of the weights after each example. With more than two classes, each has its own unit, and the
    largest sum wins.

    `KernelPerceptron` counts mistakes in the feature space of a kernel. `VotedPerceptron` lets all weights of
    the run vote, which is not a single plane. `Winnow` multiplies weights where this rule adds.

    A missing number is replaced by the mean of the training rows, and has its own weight if the training rows had
    missing values. A missing category has its own weight; if it has none, it is treated like an unseen category, as
    the mean of the categories.

    Parameters
    ----------
    variant : {"rule", "pocket", "averaged"}, default="rule"
        Weights to keep: the last, those with the fewest mistakes, or the mean.
    learning_rate : float, optional
        Learning rate; None uses 0.1.
    decay : float, optional
        Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it constant.
        With a decaying rate, the rule converges near the fewest mistakes.
    coding : {"plus-minus", "zero-one"}, default="plus-minus"
        Outputs of the unit: -1 and 1, or 0 and 1; the former makes updates twice as large.
    at_zero : {"low", "high"}, default="low"
        Output at a sum of exactly 0: low as in Mitchell, or high as in AIMA 18.
    batch_size : int or None, default=1
        Number of rows per update; None uses all rows.
    order : {"shuffled", "given", "drawn"}, default="shuffled"
        Order of the rows in an epoch.
    init : {"zero", "random"}, default="zero"
        Initial weights.
    bias_input : {"1", "-1"}, default="1"
        Constant input of the bias: 1, or -1 so that its weight is the threshold.
    max_epochs : int, default=200
        Maximum number of epochs.
    validation : float, splitter or (X, y), optional
        Validation rows for selecting the best epoch: a fraction of the rows, a splitter (its first split) or
        a table (X, y); None keeps the last weights.
    scale : {"standard"} or None, default="standard"
        Scaling of the columns during training; None leaves them unscaled.
    warm_start : bool, default=False
        Whether `fit` continues from the previous fit.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    random_state : int, Generator or None, default=0
        Random seed.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : LinearClassifier
    histories_ : tuple of History
        Number of mistakes of each unit after each epoch.
    converged_ : bool
        Whether every unit classifies all training rows correctly.
    n_iter_ : int
        Number of epochs.

    See Also
    --------
    Adaline : The delta rule for classes.
    Winnow : Multiplicative updates of weights.
    KernelPerceptron : The perceptron rule with a kernel.

    References
    ----------
    F. Rosenblatt (1962). Principles of Neurodynamics. Spartan. S. I. Gallant (1990). Perceptron-based learning
    algorithms. IEEE Transactions on Neural Networks 1, 179-191.

    Examples
    --------
    The conjunction of two inputs coded -1 and 1, as by hand:

    >>> learner = Perceptron(scale=None, order="given")
    >>> model = learner.fit([[1, 1], [1, -1], [-1, 1], [-1, -1]], ["yes", "no", "no", "no"]).hypothesis_
    >>> model.intercepts.round(9).tolist(), model.weights.round(9).tolist(), learner.converged_
    ([-0.2], [[0.2, 0.2]], True)
    """

    parameters: ClassVar[Declared] = {
        **{name: declared for name, declared in UnitLearner.parameters.items() if name != "momentum"},
        "variant": choice(
            "Weights to keep: the last, those with the fewest mistakes, or the mean.",
            "rule",
            "pocket",
            "averaged",
        ),
        "coding": choice("Outputs of the unit: -1 and 1, or 0 and 1.", "plus-minus", "zero-one"),
        "at_zero": choice("Output at a sum of exactly 0.", "low", "high"),
    }
    momentum = 0.0
    converged_: bool

    def __init__(
        self,
        variant: str = "rule",
        learning_rate: float | None = None,
        decay: float | None = None,
        coding: str = "plus-minus",
        at_zero: str = "low",
        batch_size: int | None = 1,
        order: str = "shuffled",
        init: str = "zero",
        bias_input: str = "1",
        max_epochs: int = 200,
        validation: Any = None,
        scale: str | None = "standard",
        warm_start: bool = False,
        class_weight: dict[Any, float] | str | None = None,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.variant = variant
        self.learning_rate = learning_rate
        self.decay = decay
        self.coding = coding
        self.at_zero = at_zero
        self.batch_size = batch_size
        self.order = order
        self.init = init
        self.bias_input = bias_input
        self.max_epochs = max_epochs
        self.validation = validation
        self.scale = scale
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.random_state = random_state
        self.schema = schema

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.variant == "averaged" and self.batch_size != 1:
            raise InputError(
                f"variant is 'averaged', the mean of the weights after each example, but batch_size is "
                f"{self.batch_size!r}; give batch_size=1"
            )
        if self.variant == "averaged" and self.validation is not None:
            raise InputError(
                "variant is 'averaged', which keeps the mean of all weights, so validation has nothing to choose; "
                "give another variant or no validation"
            )

    @property
    def fires_at_zero(self) -> bool:  # type: ignore[override]
        """Whether a sum of exactly 0 gives the high output."""
        return self.at_zero == "high"

    def _rate(self, unit: Unit) -> float:
        return 0.1  # the length of rows does not matter, since mistakes are counted

    def _unit(self, x: Floats, side: NDArray[np.bool_], weights: Floats) -> Unit:
        low, high = (-1.0, 1.0) if self.coding == "plus-minus" else (0.0, 1.0)
        return Unit(
            x,
            np.where(side, high, low),
            "threshold",
            weights=weights,
            low=low,
            high=high,
            fires=self.fires_at_zero,
            averaged=self.variant == "averaged",
            pocket=self.variant == "pocket" and self.batch_size == 1,
        )

    def _trained(
        self,
        unit: Unit,
        rng: np.random.Generator,
        measure: Measure | None,
        going_on: GoingOn | None,
        epochs: int,
    ) -> tuple[Floats, Descent]:
        some = unit.weights[unit.weights > 0]
        stop = Stop(max_epochs=epochs, loss_below=0.5 * float(some.min(initial=1.0)))
        run = self._descended(unit, rng, stop, measure, going_on)
        if measure is not None:
            return run.best_w, run
        if self.variant == "averaged" and unit.count:
            return unit.average(), run
        if self.variant == "pocket":
            return (unit.best(run.best_w) if len(unit.pocket) else run.best_w), run
        return run.w, run

    def _method(self, runs: list[Descent]) -> str:
        self.converged_ = all(run.history.loss[-1] == 0 for run in runs)
        if not runs:
            return "counting"
        ended = "converged" if self.converged_ else "not converged"
        name = {
            "rule": "the perceptron rule",
            "pocket": "the pocket rule",
            "averaged": "the averaged perceptron",
        }
        return f"{name[self.variant]} in {epochs_text(runs)} ({ended})"
