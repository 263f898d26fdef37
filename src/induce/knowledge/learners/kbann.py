"""KBANN: a network initialised from a theory and refined by examples (Mitchell §12.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.folds import folds
from induce.core.notes import note
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, anything, choice, either, mapping, number, text
from induce.core.randomness import RandomState, generator
from induce.core.ties import first_smallest
from induce.core.values import Value
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.estimators import ClassReading, Reading
from induce.estimators.guidance import TheoryLearner
from induce.hypotheses.expert_rules.classes import meant, outputs_of
from induce.hypotheses.expert_rules.oddities import note_oddities
from induce.hypotheses.knowledge import Knowledge
from induce.knowledge.encoding import EXTRAS, Encoding, smallest_weight
from induce.knowledge.hypothesis import KnowledgeNetwork
from induce.knowledge.objective import AnchoredObjective
from induce.neural.hypothesis import NeuralClassNetwork, TrainedNetwork
from induce.neural.learners.base import Task
from induce.neural.learners.neural_network_classifier import NeuralNetworkClassifier
from induce.neural.network import Network
from induce.neural.objective import NetworkObjective
from induce.neural.record import TrainingRecord

WEIGHTS = (2.0, 0.5, 1.0, 3.0, 4.0)
DECAYS = (0.03, 0.2, 1.0, 3.0)
"""Candidate weights W and decays of `auto`. The decay is chosen with the first weight, then the weight with
that decay.
"""
FOLDS = 5
FEWEST_ROWS = 20
"""Minimum number of rows for `auto` to choose; with fewer it uses the book's weight, and the decay of other
networks.
"""
BOOK_WEIGHT, USUAL_DECAY = 4.0, 0.2


class KBANN(TheoryLearner, NeuralNetworkClassifier):
    """Knowledge-based neural network: rules become a network, which examples refine (Towell and Shavlik's KBANN).

    Each rule becomes a sigmoid unit that is on where the rule holds. It has a weight W for each antecedent,
    -W for a negated one, and a bias of -(n - 0.5) W for n antecedents that are not negated. A concept with
    several rules becomes a unit that is on where at least one of them is. A threshold on a number becomes a
    unit of its own, which training may move. Further connections start near 0, so that examples can teach
    what the rules omit. Then the network is trained; `weight_decay` pulls its weights back to those of the
    rules. Without knowledge it is a `NeuralNetworkClassifier`.

    In the rules a missing value satisfies no condition. In the network a missing number is replaced by the
    mean of its column, a missing or unseen category by the relative frequencies of the categories in
    training.

    Without examples, or with examples of only one class, the network is that of the rules, with a note. The
    classes are then those that `y` declares, for example as a polars Enum or a pandas Categorical.

    Parameters
    ----------
    knowledge : str, DomainTheory, ExpertRules, Knowledge, dict or hypothesis, optional
        Rules, as `ExpertRules` reads them: ``IF … AND NOT … THEN concept``, ``IF 2 OF (…) THEN concept``, or
        Prolog. The trust of a rule, or of all rules, multiplies its W; with 0 the rules are ignored. A
        network trained on another task with as many inputs and outputs can be given instead: its weights
        replace those of the rules.
    concept : str, default=""
        Concept that stands for one of two classes: ``yes``, ``+`` or similar, otherwise the second. By
        default it is the only concept that no rule uses. It is not needed if rules conclude classes by name.
    columns : dict, optional
        Patterns that map literals of several arguments to columns, such as ``{"base(P, B)": "p{P} = {B}"}``.
    weight : float or "auto", default="auto"
        Weight W of an antecedent. Larger values trust the rules more. ``"auto"`` chooses it by cross-validation
        among 0.5, 1, 2, 3 and the book's 4.
    extra : {"depth", "all_inputs", "none"}, default="depth"
        Connections beyond those of the rules: from each layer to the next (Table 12.2), from all inputs to every unit
        below the outputs (Figs 12.2 and 12.3), or none.
    noise : float, default=0.01
        Range of the initial weights of these connections.
    hidden : int or sequence of int, default=(30,)
        Hidden layers of the network if there is no knowledge.
    loss : {"cross_entropy", "squared"}, default="cross_entropy"
        Error of an example: cross entropy, or half the sum of squares.
    solver : {"auto", "gradient", "adam", "conjugate", "levenberg", "lbfgs"}, default="auto"
        Optimisation algorithm; auto uses lbfgs, or adam for many rows.
    learning_rate : float, optional
        Step size; None means 0.1 for gradient and 0.003 for adam.
    momentum : float, default=0.0
        Fraction of the previous step added to each step of gradient.
    batch_size : int or "all", optional
        Number of rows per update; None means 1 for gradient and 200 for adam.
    max_epochs : int, default=300
        Maximum number of passes over the rows.
    tol : float, default=1e-06
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    targets : (float, float), default=(0.1, 0.9)
        Target outputs for other classes and for the own class, with the squared error.
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
    weight_decay : float or "auto", default="auto"
        Penalty on the squared distance of the weights from those of the rules. ``"auto"`` chooses 0.03, 0.2, 1
        or 3 by cross-validation; without knowledge it is 0.2.

    Attributes
    ----------
    hypothesis_ : KnowledgeNetwork
    decay_ : float
        Decay towards the rules, as given or chosen.

    See Also
    --------
    EBNN : A network with slopes explained by a theory.
    TheoryRevision : Rules changed as little as the data ask for.
    NeuralNetworkClassifier : Networks trained by back-propagation.

    References
    ----------
    G. G. Towell and J. W. Shavlik (1994). Knowledge-based artificial neural networks. Artificial Intelligence 70,
    119-165.

    L. Y. Pratt (1993). Discriminability-based transfer between neural networks. NIPS 5, 204-211.

    Examples
    --------
    >>> rows = [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> rules = "IF a = 1 AND b = 1 THEN good"
    >>> schema = {"a": "nominal", "b": "nominal"}
    >>> import polars as pl
    >>> X = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    >>> learner = KBANN(knowledge=rules, schema=schema).fit(X, ["yes", "no", "no", "no"])
    >>> learner.predict(X).tolist()
    ['yes', 'no', 'no', 'no']
    """

    parameters: ClassVar[Declared] = {
        "knowledge": anything(
            "Rules that initialise the network.", "give rules as text, a DomainTheory or ExpertRules"
        ),
        "concept": text("Concept of the rules that stands for the positive of two classes."),
        "columns": mapping("Patterns that map literals of several arguments to columns.", none=True),
        "weight": either("Weight W of an antecedent.", Number(above=0), OneOf(("auto",))),
        "weight_decay": either(
            "Penalty on the squared distance of the weights from those of the rules.",
            Number(at_least=0, finite=True),
            OneOf(("auto",)),
        ),
        "extra": choice("Connections beyond those of the rules.", *EXTRAS),
        "noise": number("Range of the initial weights of further connections.", at_least=0),
    }
    uses = ("rules", "trust")
    hypothesis_: KnowledgeNetwork
    unit, network, init, precision, warm_start = "sigmoid", None, "glorot", "double", False
    _encoding: Encoding | None = None

    def __init__(
        self,
        *,
        knowledge: Any = None,
        concept: str = "",
        columns: Mapping[str, str] | None = None,
        weight: float | str = "auto",
        extra: str = "depth",
        noise: float = 0.01,
        hidden: int | Sequence[int] = (30,),
        loss: str = "cross_entropy",
        solver: str = "auto",
        learning_rate: float | None = None,
        momentum: float = 0.0,
        weight_decay: float | str = "auto",
        batch_size: int | str | None = None,
        max_epochs: int = 300,
        tol: float = 1e-6,
        targets: tuple[float, float] = (0.1, 0.9),
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
        self.weight = weight
        self.extra = extra
        self.noise = noise
        self.hidden = hidden
        self.loss = loss
        self.solver = solver
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.tol = tol
        self.targets = targets
        self.validation = validation
        self.patience = patience
        self.scale = scale
        self.n_networks = n_networks
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Train for one more pass over the given rows; the first call determines the columns.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row.
        sample_weight : array, optional
            Weight of each row.
        classes : list, optional
            All classes; required if the first rows do not include all of them.
        """
        if self._known().laws:
            raise InputError("partial_fit does not keep laws; leave them out, or train with fit")
        known = self.__dict__.get("hypothesis_")
        self._encoding = None if known is None or self.knowledge is None else known.encoding
        return super().partial_fit(X, y, sample_weight, classes)

    def _begins_with_theory(self) -> bool:
        known = self._known()
        return bool(known.rules and known.trust)

    def _learn(self, reading: ClassReading) -> KnowledgeNetwork:
        self._encoding = None
        silent = reading.says_nothing()
        if silent and self._begins_with_theory():
            note(f"{silent}, so the network is that of the rules")
            return self._untrained(reading, silent)
        return super()._learn(reading)  # type: ignore[return-value]

    def _untrained(self, reading: ClassReading, reason: str) -> KnowledgeNetwork:
        """Return the untrained network of the rules."""
        view = self._inputs(reading)[0]
        encoding = self._encoding
        assert encoding is not None
        if (
            self.weight == "auto" and encoding.complaint()
        ):  # no training will correct a weight that does not encode the rules
            self._encoding = encoding = replace(encoding, weight=smallest_weight(encoding))
        self.decay_ = USUAL_DECAY if self.weight_decay == "auto" else float(self.weight_decay)
        record = TrainingRecord.none(encoding.network.n_weights, reason)
        return self._hypothesis(*reading.names[:2], view, encoding.network, record, reading.classes)  # type: ignore[return-value]

    def _hypothesis(
        self,
        schema: Schema,
        target: str,
        view: NumericView,
        trained: Network,
        record: TrainingRecord,
        classes: tuple[Value, ...],
    ) -> NeuralClassNetwork:
        encoding, self._encoding = self._encoding, None
        if encoding is None:
            return super()._hypothesis(schema, target, view, trained, record, classes)
        return KnowledgeNetwork(
            schema,
            target,
            view,
            trained,
            record,
            classes,
            *self._ends(),
            theory=encoding.theory,
            concepts=encoding.outputs,
            weight=encoding.weight,
            extra=encoding.extra,
        )

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        reading = super()._read(X, y, sample_weight)
        known = self._known()
        if not (known.rules and known.trust) or len(reading.classes) != 2 or meant(reading.classes):
            return reading
        # a single output gives the probability of the second class
        return replace(reading, classes=reading.classes[::-1], labels=1 - reading.labels)

    def _inputs(self, reading: Reading) -> Any:
        found = super()._inputs(reading)
        if self._known().rules and self._known().trust:
            assert isinstance(reading, ClassReading)
            self._encoding = self._encoded(reading, found[0])
        return found

    def _encoded(self, reading: ClassReading, view: NumericView) -> Encoding:
        known = self._known()
        theory = known.theory(reading.schema, self.concept, self.columns)
        note_oddities(theory)
        weight = known.trust * (BOOK_WEIGHT if self.weight == "auto" else float(self.weight))
        encoding = Encoding(theory, view, outputs_of(theory, reading.classes), weight, self.extra)
        if self.weight != "auto":
            complaint = encoding.complaint()
            if complaint:
                note(complaint)
        return encoding

    def _known(self) -> Knowledge:
        return Knowledge() if self._other() is not None else super()._known()

    def _other(self) -> TrainedNetwork | None:
        """Return the network of another task, if that is the knowledge (Pratt 1993)."""
        given = getattr(self.knowledge, "hypothesis_", self.knowledge)
        return given if isinstance(given, TrainedNetwork) and not hasattr(given, "theory") else None

    def _network(self, n_inputs: int, n_classes: int) -> Network:
        if self._encoding is not None:
            return self._encoding.network
        other = self._other()
        if other is None:
            return super()._network(n_inputs, n_classes)
        has, needs = (
            (len(other.view.names), other.network.n_outputs),
            (n_inputs, 1 if n_classes == 2 else n_classes),
        )
        if has != needs:
            raise InputError(
                f"the network given as knowledge has {has[0]} inputs and {has[1]} outputs, but this "
                f"task needs {needs[0]} and {needs[1]}; give a network trained on the same columns"
            )
        return other.network

    def _train(
        self, network: Network, task: Task, loss: str, epochs: int | None = None, start: Floats | None = None
    ) -> tuple[Network, TrainingRecord]:
        self._pull = USUAL_DECAY if self.weight_decay == "auto" else float(self.weight_decay)
        chooses = "auto" in (self.weight, self.weight_decay) and epochs is None and len(task.T) >= FEWEST_ROWS
        if self._encoding is not None and chooses:
            weight, self._pull = self._chosen(task, loss)
            self._encoding = replace(self._encoding, weight=weight)
            network = self._encoding.network
        self.decay_ = self._pull
        return super()._train(network, task, loss, epochs, start)

    def _decay(
        self, network: Network, task: Task, loss: str, epochs: int | None, start: Floats | None
    ) -> tuple[float, str]:
        return self._pull, ""

    def _chosen(self, task: Task, loss: str) -> tuple[float, float]:
        """Return the decay, and then the weight W, with the lowest error on held-out rows."""
        encoding = self._encoding
        assert encoding is not None
        trust = self._known().trust
        weights = tuple(trust * each for each in WEIGHTS) if self.weight == "auto" else (encoding.weight,)
        decays = DECAYS if self.weight_decay == "auto" else (self._pull,)
        labels = task.T.argmax(axis=1) if task.T.shape[1] > 1 else (task.T[:, 0] > 0.5).astype(int)
        counts = np.bincount(labels)
        stratify = int(counts[counts > 0].min()) >= FOLDS
        split = list(folds(labels, FOLDS, self._seed(), stratify=stratify).split(task.T, labels))
        # with small weights and a small decay training forgets the rules; the best decay hardly depends on
        # the weight
        errors = [self._held_error(task, loss, encoding, weights[0], decay, split) for decay in decays]
        best = first_smallest(errors)
        others = [
            self._held_error(task, loss, encoding, weight, decays[best], split) for weight in weights[1:]
        ]
        return weights[first_smallest([errors[best], *others])], decays[best]

    def _held_error(
        self, task: Task, loss: str, encoding: Encoding, weight: float, decay: float, split: Sequence[Any]
    ) -> float:
        """Return the error on held-out rows for a weight W and a decay."""
        self._encoding, self._pull = replace(encoding, weight=weight), decay
        network, error = self._encoding.network, 0.0
        for train, test in split:
            part = Task(task.X[train], task.T[train], task.weights[train])
            found, _ = self._train_one(network, part, loss, None, None, generator(self._seed()))
            held = NetworkObjective(network, task.X[test], task.T[test], loss, 0.0, task.weights[test])
            error += held.loss(found.weights)
        return error

    def _objective(
        self, network: Network, task: Task, loss: str, decay: float, dtype: Any
    ) -> NetworkObjective:
        other = self._other()
        if self._encoding is None and other is None:
            return super()._objective(network, task, loss, decay, dtype)
        anchor = (other if self._encoding is None else self._encoding).network.weights  # type: ignore[union-attr]
        return AnchoredObjective(
            network, task.X, task.T, loss, 0.0, task.weights, True, dtype, anchor=anchor, pull=decay
        )

    def _initial(self, network: Network, rng: np.random.Generator) -> Floats:
        if self._encoding is None:
            other = self._other()
            return super()._initial(network, rng) if other is None else other.network.weights.copy()
        drawn = rng.uniform(-float(self.noise), float(self.noise), network.n_weights)
        return np.where(self._encoding.stated(), network.weights, drawn)
