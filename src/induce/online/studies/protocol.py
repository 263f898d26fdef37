"""The mistake-bound protocol: predict, see the true class, learn (Mitchell §7.5)."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.hypotheses.naming import plural
from induce.hypotheses.rules import class_array
from induce.online.classes import announced_classes
from induce.online.learners.rounds import ExpertsLearner
from induce.online.learners.tables import TableLearner
from induce.online.mistakes import History, MistakeCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Played:
    """Predictions of a learner in each round before it saw the true class.

    Parameters
    ----------
    predictions : array
        The class predicted in each round.
    wrong : array of bool
        Whether the prediction was a mistake.
    curve : MistakeCurve
        Number of mistakes by round.
    """

    predictions: NDArray[Any]
    wrong: NDArray[np.bool_]
    curve: MistakeCurve

    @property
    def mistakes(self) -> int:
        """Number of mistakes."""
        return int(self.wrong.sum())

    @property
    def last_mistake(self) -> int | None:
        """The round of the last mistake, counted from 1; None if there was none."""
        return int(np.flatnonzero(self.wrong)[-1]) + 1 if self.wrong.any() else None

    def __str__(self) -> str:
        when = f"; the last in round {self.last_mistake}" if self.wrong.any() else ""
        return f"{plural(self.mistakes, 'mistake')} in {plural(len(self.wrong), 'round')}{when}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the mistakes by round."""
        return self.curve.draw(ax)


def play(learner: Any, X: Any, y: Any, classes: Any = None) -> Played:
    """Let a learner predict each row before it learns from it, and record its predictions.

    The learner may be any with `partial_fit`, also from scikit-learn. If it cannot predict before its first
    example, it is assumed to predict the first class there. The recorded predictions of several learners side
    by side can be experts for `WeightedMajority`.

    Parameters
    ----------
    learner : estimator
        Learner; it continues from its current state.
    X : frame or array
        Rows, one per round.
    y : sequence of classes
        True class of each row.
    classes : sequence, optional
        All classes; by default those of `y`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(play(induce.IncrementalID3(), X, y))
    5 mistakes in 14 rounds; the last in round 11
    """
    if not hasattr(learner, "partial_fit"):
        raise TypeError(
            f"{type(learner).__name__} cannot learn incrementally; give a learner with partial_fit"
        )
    answers = np.asarray(y.to_list() if hasattr(y, "to_list") else y)
    n_rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
    if answers.ndim != 1 or len(answers) != n_rows:
        raise InputError(f"y has shape {answers.shape} for {n_rows} rows; give one class per row")
    if not n_rows:
        raise InputError("X has no rows, so there are no rounds; give at least one")
    if isinstance(learner, ExpertsLearner | TableLearner):
        codes = learner._play(X, y, classes)
        predictions = class_array(learner._classes)[codes]
        return Played(predictions, predictions != answers, learner.history_)
    known = announced_classes(classes, tuple(np.unique(answers).tolist()))
    predictions = _row_by_row(learner, X, y, n_rows, known)
    wrong = np.asarray(predictions != answers)
    history = History(1)
    history.add(np.cumsum(wrong, dtype=np.float64)[:, None])
    rounds, points = history.points()
    nothing = np.full(len(rounds), np.nan)
    made = points[:, 0].astype(np.int64)
    return Played(
        predictions, wrong, MistakeCurve(type(learner).__name__, rounds, made, nothing, "none given")
    )


def _row_by_row(learner: Any, X: Any, y: Any, n_rows: int, classes: tuple[Any, ...]) -> NDArray[Any]:
    told = {"classes": np.array(classes)} if "classes" in signature(learner.partial_fit).parameters else {}
    predicted = []
    for row in range(n_rows):
        example, answer = rows_at(X, [row]), rows_at(y, [row])
        try:
            check_is_fitted(learner)
            predicted.append(learner.predict(example)[0])
        except NotFittedError:
            predicted.append(classes[0])
        learner.partial_fit(example, answer, **told)
        told = {}
    return np.array(predicted)
