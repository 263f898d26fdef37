"""Rounds of learning from experts: predict, compare with the true class, update the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from induce.core import trace
from induce.core.errors import InputError, ModelFileError
from induce.core.estimator import HypothesisClassifier, declared_classes, sorted_classes
from induce.core.hypothesis import Hypothesis
from induce.core.loops import repeated
from induce.core.parameters import Declared, anything
from induce.core.progress import report
from induce.core.randomness import generator
from induce.core.values import Value
from induce.online import _loops as loops
from induce.online.bounds import weighted_majority_bound
from induce.online.classes import announced_classes, check_known
from induce.online.experts import Coded, Pool, side_by_side
from induce.online.hypothesis import Vote, WeightedExperts
from induce.online.learners.persistence import saved_experts
from induce.online.mistakes import History, MistakeCurve

Ints = NDArray[np.int64]

BLOCK = 4_000_000
"""Number of predictions in one compiled step, which takes a small fraction of a second."""


class ExpertsLearner(HypothesisClassifier):
    """Base of learners that combine experts in rounds of prediction and update."""

    parameters: ClassVar[Declared] = {
        "experts": anything(
            "Estimators, hypotheses or functions, or a matrix of predictions; None uses the columns of X.",
            "a list, dict or matrix",
            none=True,
        )
    }
    experts: Any
    mistakes_: int
    rounds_: int
    expert_mistakes_: Ints

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    @property
    def hypothesis_(self) -> WeightedExperts:
        """Hypothesis with the current weights."""
        if "_total" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} has seen no rounds yet; call fit or partial_fit"
            )
        return WeightedExperts(
            self._names,
            self._classes,
            self._total.copy(),
            np.zeros_like(self._total) if self._anew() else self._total - self._base,
            self._beta(),
            self.rounds_,
        )

    @hypothesis_.setter
    def hypothesis_(self, experts: Hypothesis) -> None:
        self._take_up(cast(WeightedExperts, experts))

    @property
    def bound_(self) -> float:
        """The mistake bound for the rounds so far."""
        return float(self.history_.bound[-1])

    @property
    def best_mistakes_(self) -> int:
        """Number of mistakes of the best expert so far."""
        return int(self.expert_mistakes_.min())

    @property
    def regret_(self) -> float:
        """Regret: mistakes in excess of the best expert; expected mistakes for a randomised learner."""
        return float(self._own(self._history.last) - self.best_mistakes_)

    @property
    def history_(self) -> MistakeCurve:
        """Number of mistakes by round, with the bound."""
        rounds, points = self._history.points()
        best = points[:, 1].astype(np.int64)
        return MistakeCurve(
            learner=type(self).__name__,
            rounds=rounds,
            mistakes=points[:, 0].astype(np.int64),
            bound=np.asarray(self._bound(best, rounds), dtype=np.float64),
            promise=self._promise(),
            best=best,
            expected=points[:, 2] if points.shape[1] > 2 else None,
        )

    def draw(self, ax: Any = None) -> Any:
        """Return a figure of the mistakes by round, with the bound as a line."""
        return self.history_.draw(ax)

    def fit(self, X: Any, y: Any) -> Self:
        """Start with equal weights and process all rows in order, one round each.

        Parameters
        ----------
        X : frame or array
            Input of the experts, or their predictions (see `experts`).
        y : sequence of classes
            True class, revealed at the end of each round.
        """
        self._begin_fit()
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Process additional rounds.

        Parameters
        ----------
        X : frame or array
            Input of the experts, or their predictions.
        y : sequence of classes
            Class of each row.
        classes : sequence, optional
            All possible classes, in the first call, in the order in which ties are broken; by default, those
            declared by `y` or those in the first rows.
        """
        self._play(X, y, classes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest weight for each row, using the current weights."""
        said = self._said(X)
        return self.hypothesis_.predict(said)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the fraction of the weight for each of `classes_`, for each row."""
        said = self._said(X)
        shares = self.hypothesis_.predict_proba(said)
        return shares[:, [self._classes.index(value) for value in self.classes_.tolist()]]

    def explain(self, X: Any) -> tuple[Vote, ...]:
        """Return, for each row, the weight of each class and the experts that voted for it."""
        said = self._said(X)
        return self.hypothesis_.explain(said)

    def __sklearn_clone__(self) -> Self:
        # the experts are already trained, and only evaluated here
        given = self.get_params(deep=False)
        return type(self)(
            **{
                name: value if name == "experts" else clone(value, safe=False)
                for name, value in given.items()
            }
        )

    def _saved_parameters(self) -> dict[str, Any]:
        """Return the parameters in the form that a model file stores."""
        given: dict[str, Any] = self.get_params(deep=False)
        return given | {"experts": saved_experts(self.experts)}

    def _said(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self, "hypothesis_")
        return side_by_side(self._pool.predictions(X))

    def _forget(self) -> None:
        for name in ("_total", "_base", "_standing", "_pool", "_history"):
            self.__dict__.pop(name, None)

    def _play(self, X: Any, y: Any, classes: Any) -> Ints:
        """Process rounds and return the predictions made in them, as indices of the classes."""
        self._check_parameters()
        begun = "_total" in self.__dict__
        pool = self._pool if begun else Pool(self.experts, type(self).__name__)
        columns = pool.predictions(X)
        n_rows = len(columns) if isinstance(columns, np.ndarray) else len(columns[0])
        if n_rows == 0:
            raise InputError("X has no rows, so there are no rounds; give at least one")
        before = self.__dict__.get("classes_")
        try:
            _, found, codes = self._target(y)
        finally:
            if before is not None:
                self.classes_ = before
        if len(codes) != n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, y has {len(codes)}"
            )
        declared = tuple(declared_classes(y))
        known = self._classes if begun else announced_classes(classes, declared or found)
        coded = Coded(pool.names or (), columns, known)
        complaint = coded.stranger()
        if complaint is not None and not (begun or declared or classes is not None):
            known = _sorted_together(known, coded)
            coded = Coded(pool.names or (), columns, known)
            complaint = coded.stranger()
        if complaint is not None:
            raise complaint
        place = np.array([check_known(value, known) for value in found])
        if not begun:
            self._begin(pool, known)
        return self._rounds(coded, place[codes])

    def _begin(self, pool: Pool, classes: tuple[Value, ...]) -> None:
        self._pool, self._names = pool, pool.names or ()
        self._classes, self.classes_ = classes, sorted_classes(classes)
        self.n_features_in_ = len(self._names)
        self._total = np.zeros(len(self._names), np.int64)
        self._base = np.zeros(len(self._names), np.int64)
        self._standing = np.ones(len(self._names))
        self._history = History(self._n_columns)
        self._random = generator(getattr(self, "random_state", 0))
        self._publish()

    def _publish(self) -> None:
        self.rounds_ = self._history.rounds
        self.mistakes_ = int(self._history.last[0])
        self.expert_mistakes_ = self._total.copy()

    def _rounds(self, coded: Coded, truth: Ints) -> Ints:
        predicted = np.empty(len(truth), np.int64)
        try:
            for start, stop in self._steps(len(truth)):
                self._step(coded.block(start, stop), truth[start:stop], predicted[start:stop])
                report(stop / len(truth))
        finally:
            # rounds completed before an interruption count
            self._publish()
        return predicted

    def _steps(self, n_rows: int) -> Iterator[tuple[int, int]]:
        start = 0
        size = 1 if trace.active("round") else max(1, BLOCK // len(self._names))
        while start < n_rows:
            stop = min(n_rows, start + size, start + self._until_anew())
            yield start, stop
            start = stop

    def _step(self, codes: Any, truth: Ints, predicted: Ints) -> None:
        """Process one block of rounds."""
        best = np.empty(len(truth), np.int64)
        before = self.hypothesis_.weights if trace.active("round") else None
        columns = self._vote(codes, truth, predicted, best)
        wrong = self._history.last[0] + np.cumsum(predicted != truth)
        self._history.add(np.column_stack([wrong, best, *columns]))
        if before is not None:
            votes = np.bincount(codes[0], before, len(self._classes))
            trace.emit(
                "round",
                number=self._history.rounds,
                votes=dict(zip(self._classes, votes.tolist(), strict=True)),
                prediction=self._classes[int(predicted[0])],
                truth=self._classes[int(truth[0])],
                weights=self.hypothesis_.weights,
            )

    def _vote(self, codes: Any, truth: Ints, predicted: Ints, best: Ints) -> list[NDArray[np.float64]]:
        """Predict a block of rounds by the largest weight; return additional columns of the history."""
        at_random = self._at_random()
        uniform = self._random.random(len(truth)) if at_random else np.empty(len(truth))
        state = self._beta(), self._base, self._total, self._standing
        vote = repeated(loops.vote, 2 * codes.size)
        vote(codes, truth, uniform, at_random, *state, len(self._classes), predicted, best)
        return []

    _n_columns = 2

    def _beta(self) -> float:
        return 0.0

    def _at_random(self) -> bool:
        return False

    def _anew(self) -> bool:
        """Return whether the weights restart in the next round."""
        return False

    def _until_anew(self) -> int:
        """Return the number of rounds until the weights restart."""
        return 2**62

    def _own(self, last: NDArray[np.float64]) -> float:
        return float(last[0])

    def _bound(self, best: Ints, rounds: Ints) -> Any:
        return weighted_majority_bound(best, len(self._names), self._beta())

    def _promise(self) -> str:
        return f"bound for β = {self._beta():g}"

    def _take_up(self, experts: WeightedExperts) -> None:
        pool = Pool(self.experts, type(self).__name__)
        pool.names = experts.names if pool.names is None else pool.names
        if len(pool.names) != len(experts.names):
            raise ModelFileError("the experts do not match their weights")
        self._begin(pool, experts.classes)
        self._total = experts.mistakes.astype(np.int64)
        self._base = self._total - experts.counted
        self._standing = np.power(experts.beta, experts.counted - experts.counted.min())

    def _resumable_state(self) -> dict[str, Any]:
        return {"history": self._history.state(), "weights": self._standing}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        self.hypothesis_ = cast(WeightedExperts, hypothesis)
        self._history = History.restored(state.get("history", {}), self._n_columns)
        weights = np.array(state.get("weights", ()), dtype=np.float64)
        if weights.shape != self._total.shape or not (weights >= 0).all():
            raise ModelFileError("the weights of the experts are damaged")
        self._standing = weights
        if self._draws() and hasattr(self._random.bit_generator, "advance"):
            # every round has consumed one random number
            self._random.bit_generator.advance(self._history.rounds)
        self._publish()

    def _draws(self) -> bool:
        return self._at_random()


def _sorted_together(known: tuple[Value, ...], coded: Coded) -> tuple[Value, ...]:
    text = isinstance(known[0], str)
    stranger = coded.other_kind(text)
    if stranger is not None:
        said, wanted = ("numbers", "text") if text else ("text", "numbers")
        raise InputError(
            f"expert {stranger!r} predicts {said}, but y contains {wanted}; make all classes text or "
            "all of them numbers"
        )
    # in a single type, so that arrays of classes have it too
    return tuple(np.unique(np.array([*known, *coded.values()])).tolist())
