"""EBNN: a network that learns from examples and from a theory's explanation of each example (Mitchell §12.4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.parameters import Declared, anything, mapping, number, text
from induce.core.randomness import RandomState
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading
from induce.estimators.guidance import TheoryLearner
from induce.hypotheses.expert_rules.classes import meant, outputs_of
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.knowledge import Knowledge
from induce.knowledge.encoding import Encoding
from induce.knowledge.learners.kbann import BOOK_WEIGHT, KBANN
from induce.knowledge.learners.slope_guided import MU
from induce.knowledge.network_theory import NetworkTheory
from induce.neural.hypothesis import NeuralClassNetwork, TrainedNetwork
from induce.neural.learners.base import Examples, Task
from induce.neural.learners.neural_network_classifier import NeuralNetworkClassifier
from induce.neural.network import Network
from induce.neural.slopes import Slopes

if TYPE_CHECKING:
    import polars as pl


class EBNN(TheoryLearner, NeuralNetworkClassifier):
    """Explanation-based neural network, trained on values and a theory's slopes (Mitchell and Thrun's EBNN).

    The theory predicts each example; the derivative of its prediction by each input shows how relevant that
    input is there. The network is trained on the classes and on these slopes. The slopes of an example are
    weighted by the accuracy of the theory on it, ``1 - |prediction - class| / c``. So a wrong theory does
    little harm where the examples show that it is wrong. It learns two classes. Without knowledge it is a
    `NeuralNetworkClassifier`. Without examples, or with examples of only one class, the network is that of
    the rules, with a note. Missing values and unseen categories are treated as in `NeuralNetworkClassifier`.

    Parameters
    ----------
    knowledge : str, ExpertRules, NetworkTheory or a fitted network, optional
        Rules, as `KBANN` reads them, which become a fixed network; networks that were trained before; or a
        single such network. A rule that is trusted less has smaller slopes.
    concept : str, default=""
        Concept of the rules that stands for one of the two classes.
    columns : dict, optional
        Patterns that map literals of several arguments to columns, such as ``{"base(P, B)": "p{P} = {B}"}``.
    mu : float, default=1.0
        Weight of the slopes relative to the values, for an example that the theory predicts exactly; 0
        ignores the slopes.
    tolerance : float, optional
        Theory error c at which the slopes of an example have weight 0; by default the largest error.
    hidden : int or sequence of int, default=(30,)
        Number of units in each hidden layer; an empty list gives none.
    unit : {"sigmoid", "tanh", "rectified", "linear", "softmax"}, default="sigmoid"
        Kind of the hidden units.
    loss : {"cross_entropy", "squared"}, default="squared"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm; auto uses lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size; None means 0.1 for gradient and 0.003 for adam.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient.
    weight_decay : float, default=0.02
        Penalty on the sum of squared weights.
    batch_size : int or "all", optional
        Number of rows per update; None means 1 for gradient and 200 for adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    targets : (float, float), default=(0.1, 0.9)
        Target outputs for other classes and for the own class, with the squared error.
    init : float, "glorot", "zero_inputs" or None, default="glorot"
        Range or distribution of the initial weights; None starts from those of `network`.
    validation : float, splitter or (X, y), optional
        Validation rows for early stopping: a fraction, a splitter (its first split) or (X, y).
    patience : int, optional
        Number of checks without improvement before training stops; None trains for all epochs.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    n_networks : int, default=1
        Number of networks with different initial weights, whose outputs are averaged.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NeuralClassNetwork
    mu_ : array of float64
        Weight of the slopes of each training row with nonzero weight.

    See Also
    --------
    TangentProp : A network with given slopes.
    KBANN : A network that begins with rules.

    References
    ----------
    S. Thrun (1996). Explanation-based neural network learning: a lifelong learning approach. Kluwer.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("cup")
    >>> rules = '''
    ...     cup :- stable, liftable, open_vessel.
    ...     stable :- bottom_is_flat.
    ...     liftable :- graspable, light.
    ...     graspable :- has_handle.
    ...     open_vessel :- has_concavity, concavity_points_up.
    ... '''
    >>> learner = EBNN(knowledge=rules).fit(X, y)
    >>> learner.score(X, y)
    1.0
    >>> relevance = learner.relevance(X[:1])
    >>> [name for name in relevance.columns if relevance[name][0] > 0.3]
    ['BottomIsFlat = yes', 'ConcavityPointsUp = yes', 'HasConcavity = yes', 'Light = yes']
    """

    parameters: ClassVar[Declared] = {
        "knowledge": anything(
            "Theory that explains the examples.", "give rules as text, networks or a NetworkTheory"
        ),
        "concept": text("Concept of the rules that stands for the positive of two classes."),
        "columns": mapping("Patterns that map literals of several arguments to columns.", none=True),
        "mu": MU,
        "tolerance": number(
            "Theory error at which slopes have weight 0; None means the largest error.", above=0, none=True
        ),
    }
    uses = ("rules", "trust")
    hypothesis_: NeuralClassNetwork
    mu_: Floats
    network, precision, warm_start = None, "double", False
    _classes: Sequence[Any] = ()

    def __init__(
        self,
        *,
        knowledge: Any = None,
        concept: str = "",
        columns: Mapping[str, str] | None = None,
        mu: float = 1.0,
        tolerance: float | None = None,
        hidden: int | Sequence[int] = (30,),
        unit: str = "sigmoid",
        loss: str = "squared",
        solver: str = "auto",
        learning_rate: float | None = None,
        momentum: float = 0.0,
        weight_decay: float = 0.02,
        batch_size: int | str | None = None,
        max_epochs: int = 300,
        tol: float = 1e-6,
        targets: tuple[float, float] = (0.1, 0.9),
        init: float | str | None = "glorot",
        validation: Any = None,
        patience: int | None = None,
        scale: str | None = "standard",
        n_networks: int = 1,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.knowledge = knowledge
        self.concept = concept
        self.columns = columns
        self.mu = mu
        self.tolerance = tolerance
        self.hidden = hidden
        self.unit = unit
        self.loss = loss
        self.solver = solver
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.tol = tol
        self.targets = targets
        self.init = init
        self.validation = validation
        self.patience = patience
        self.scale = scale
        self.n_networks = n_networks
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def relevance(self, X: Any) -> pl.DataFrame:
        """Return the relevance of each input to the theory's prediction of the second class, for each row.

        Parameters
        ----------
        X : frame or array

        Returns
        -------
        DataFrame
            Relevance is the derivative by a numeric column, in its units, or by each value of a nominal
            column.
        """
        import polars as pl

        self._fitted(X)
        if not self._explains():
            raise InputError("without knowledge there is no theory to take slopes from; give knowledge")
        view, table = self.hypothesis_.view, self.hypothesis_.encoded(X)
        _, slopes = self._explained(view, table, view.matrix(table), self.hypothesis_.classes)
        units = np.ones(slopes.shape[1])
        units[[k for k, name in enumerate(view.names) if name in view.schema.names()]] = view.scale
        return pl.DataFrame(dict(zip(view.names, (slopes / units).T, strict=True)))

    def _networks(self) -> Any:
        """Return the networks that were given as a theory; None if rules or nothing were given."""
        given = getattr(self.knowledge, "hypothesis_", self.knowledge)
        if isinstance(given, TrainedNetwork):
            return NetworkTheory({given.target or "target": given})
        return given if isinstance(given, NetworkTheory) else None

    def _known(self) -> Knowledge:
        return Knowledge() if self._networks() is not None else super()._known()

    def _explains(self) -> bool:
        """Return whether there is a theory that can explain examples."""
        return self._networks() is not None or self._begins_with_theory()

    def _begins_with_theory(self) -> bool:
        known = self._known()
        return bool(known.rules and known.trust)

    def _check_classes(self, reading: ClassReading) -> None:
        if self._explains() and len(reading.classes) > 2:
            raise InputError(
                "EBNN with knowledge learns two classes, but there are "
                f"{len(reading.classes)}; give two classes, or no knowledge"
            )

    def _learn(self, reading: ClassReading) -> NeuralClassNetwork:
        if self._begins_with_theory() and reading.says_nothing():
            known = self._known().without(("laws",))
            alone = KBANN(knowledge=known, concept=self.concept, columns=self.columns, schema=self.schema)
            self.mu_ = np.empty(0)
            return alone.fit(reading.X, reading.y).hypothesis_
        self._classes = reading.classes
        return super()._learn(reading)

    def _task(
        self,
        network: Network,
        view: NumericView,
        table: Table,
        rows: NDArray[np.intp],
        examples: Examples,
        scale: Floats | float = 1.0,
    ) -> Task:
        task = super()._task(network, view, table, rows, examples, scale)
        if not self._explains() or task.T.shape[1] != 1:
            return task
        known = self.__dict__.get("hypothesis_")
        classes = self._classes or known.classes if known is not None else self._classes
        predicted, slopes = self._explained(view, table, np.asarray(view.matrix(table)), classes)
        low, high = self._ends()
        wrong = np.abs(predicted[rows] - (task.T[:, 0] - low) / (high - low))
        self.mu_ = explanation_weights(wrong, self.tolerance)
        targets = (slopes[rows] * (high - low))[:, np.newaxis]
        return replace(task, slopes=Slopes(targets, float(self.mu) * self.mu_))

    def _explained(
        self, view: NumericView, table: Table, inputs: Floats, classes: Sequence[Any]
    ) -> tuple[Floats, Floats]:
        """Return, for each row, the theory's probability of the second class and its slopes by the inputs."""
        given = self._networks()
        if given is not None:
            predicted, by_name = given.run(table)
            widths = dict(zip([c.name for c in view.schema if c.kind != "nominal"], view.scale, strict=True))
            none = np.zeros(len(inputs))
            parts = [by_name.get(name, none) * widths.get(name, 1.0) for name in view.names]
            slopes = np.column_stack(parts)
            last = given.networks[list(given.networks)[-1]]
            if isinstance(last, NeuralClassNetwork) and last.classes[1] == classes[0]:
                return 1.0 - predicted, -slopes
            return predicted, slopes
        known = self._known()
        theory = known.theory(table.schema, self.concept, self.columns)
        note_oddities(theory)
        outputs = outputs_of(theory, classes)
        network = Encoding(theory, view, outputs, known.trust * BOOK_WEIGHT).network
        predicted, slopes = network(inputs)[:, 0], network.input_gradients(inputs)[:, 0]
        about_first = len(outputs) > 1 and not outputs[1]
        return (1.0 - predicted, -slopes) if about_first or not meant(classes) else (predicted, slopes)


def explanation_weights(wrong: Floats, tolerance: float | None = None) -> Floats:
    """Return the weight of each example's explanation, given the theory's error on it (Mitchell Eq. 12.3).

    Parameters
    ----------
    wrong : array of float64
        Absolute error of the theory's prediction for each example, from 0 to 1.
    tolerance : float, optional
        Error at which the weight is 0; by default the largest error.

    Examples
    --------
    >>> explanation_weights(np.array([0.0, 0.1, 0.3]), 0.6).round(4).tolist()
    [1.0, 0.8333, 0.5]
    """
    largest = float(wrong.max(initial=0.0)) if tolerance is None else float(tolerance)
    if not largest:
        return np.ones(len(wrong))
    return np.clip(1.0 - wrong / largest, 0.0, 1.0)
