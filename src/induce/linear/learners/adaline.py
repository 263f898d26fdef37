"""Adaline: a linear unit trained by the delta rule, then thresholded (Mitchell §4.4.3; Widrow and Hoff)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.parameters import Declared, number, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.linear.learners.threshold import Floats, Measure, ThresholdLearner
from induce.linear.learners.units import GoingOn, UnitLearner, epochs_text, patient
from induce.linear.unit import Unit
from induce.optimise.descent import Descent


class Adaline(ThresholdLearner):
    """A linear unit trained to output -1 and +1 with minimum squared error; its sign is the class.

    Unlike the perceptron rule, it converges whether or not a plane separates the classes. However, the plane
    with the smallest squared error need not misclassify the fewest rows. With more than two classes, each has
    its own unit, and the largest sum wins.

    A missing number is replaced by the mean of the training rows, and has its own weight if the training rows had
    missing values. A missing category has its own weight; if it has none, it is treated like an unseen category, as
    the mean of the categories.

    Parameters
    ----------
    learning_rate : float, optional
        Learning rate; None uses 0.1, or less if large inputs would make it diverge.
    decay : float or None, default=1000.0
        Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it constant.
    momentum : float, default=0.0
        Fraction of the previous step added to each step.
    batch_size : int or None, default=1
        Number of rows per update; None uses all rows.
    order : {"shuffled", "given", "drawn"}, default="shuffled"
        Order of the rows in an epoch.
    init : {"zero", "random"}, default="zero"
        Initial weights.
    bias_input : {"1", "-1"}, default="1"
        Input of the bias.
    max_epochs : int, default=100
        Maximum number of epochs.
    tol : float, default=0.0001
        Minimum relative decrease of the error that counts as progress.
    patience : int or None, default=5
        Number of consecutive epochs without progress, or without a new lowest validation error if there is
        one, after which training stops; None disables the rule.
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
        Error of each unit after each epoch.
    n_iter_ : int
        Number of epochs.

    See Also
    --------
    Perceptron : The perceptron rule.
    LMS : The delta rule for regression.
    LogisticRegression : Probabilities of classes from weighted sums.

    References
    ----------
    B. Widrow and M. E. Hoff (1960). Adaptive switching circuits. IRE WESCON Convention Record 4, 96-104.

    Examples
    --------
    The plane with the smallest squared error misclassifies a row, although a plane separates the classes:

    >>> learner = Adaline(scale=None, batch_size=None, learning_rate=0.004, decay=None, max_epochs=5000)
    >>> learner.fit([[0.0], [1.0], [2.0], [20.0]], ["no", "yes", "yes", "yes"]).predict([[0.0]]).tolist()
    ['yes']
    """

    parameters: ClassVar[Declared] = {
        **UnitLearner.parameters,
        "tol": number(
            "Minimum relative decrease of the error that counts as progress.", at_least=0, finite=True
        ),
        "patience": whole(
            "Number of epochs without progress before training stops; None disables the rule.",
            at_least=1,
            none=True,
        ),
    }

    def __init__(
        self,
        learning_rate: float | None = None,
        decay: float | None = 1000.0,
        momentum: float = 0.0,
        batch_size: int | None = 1,
        order: str = "shuffled",
        init: str = "zero",
        bias_input: str = "1",
        max_epochs: int = 100,
        tol: float = 1e-4,
        patience: int | None = 5,
        validation: Any = None,
        scale: str | None = "standard",
        warm_start: bool = False,
        class_weight: dict[Any, float] | str | None = None,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.decay = decay
        self.momentum = momentum
        self.batch_size = batch_size
        self.order = order
        self.init = init
        self.bias_input = bias_input
        self.max_epochs = max_epochs
        self.tol = tol
        self.patience = patience
        self.validation = validation
        self.scale = scale
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.random_state = random_state
        self.schema = schema

    def _unit(self, x: Floats, side: NDArray[np.bool_], weights: Floats) -> Unit:
        return Unit(x, np.where(side, 1.0, -1.0), weights=weights)

    def _trained(
        self,
        unit: Unit,
        rng: np.random.Generator,
        measure: Measure | None,
        going_on: GoingOn | None,
        epochs: int,
    ) -> tuple[Floats, Descent]:
        run = self._descended(unit, rng, patient(epochs, self.tol, self.patience, measure), measure, going_on)
        return (run.w if measure is None else run.best_w), run

    def _method(self, runs: list[Descent]) -> str:
        return f"the delta rule in {epochs_text(runs)}" if runs else "counting"
