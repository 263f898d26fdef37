"""Predictors of classes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_largest_of_each
from induce.core.values import Value
from induce.data.frames import Floats
from induce.hypotheses.conflict_resolution import class_array, probabilities
from induce.hypotheses.kinds.predictor import Predictor

if TYPE_CHECKING:
    from induce.hypotheses.contrast import Contrast, Question

Places = NDArray[np.intp]


class Classifier(Predictor):
    """A predictor of one of several classes.

    Subclasses define `_scores`, the evidence for each class. The class with the largest score is predicted,
    ties go to the class declared first, and the normalised scores are the probabilities. Alternatively,
    subclasses override the decision (`_decided`) or the probabilities (`_shares`).
    """

    answer: ClassVar[str] = "class"
    ties_by_rounding: ClassVar[bool] = True
    """Whether scores may differ in their last bit between processors, as with BLAS and logarithms.

    Sums in a fixed order do not differ, and exports reproduce them to the last bit.
    """

    if TYPE_CHECKING:

        @property
        def classes(self) -> tuple[Value, ...]: ...

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of a frame, an array or an encoded table."""
        return np.asarray(class_array(self.classes)[self.places(X)])

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row, in the order of `classes`."""
        return _joined([self._shares(scores) for scores in self._blocks(self.encoded(X))])

    def places(self, X: Any) -> Places:
        """Return the index in `classes` of the predicted class of each row."""
        return _joined([self._decided(scores) for scores in self._blocks(self.encoded(X))])

    def contrast(self, row: Any, to: Value | None = None, fixed: Sequence[str] = ()) -> Contrast:
        """Return the smallest change to a row that alters its prediction.

        As few columns as possible change; ties go to the smallest total change. For trees, rules and
        scorecards the search over their conditions is exact; other hypotheses are searched by trial values.

        Parameters
        ----------
        row : frame or array
            A single row.
        to : str, int, float or bool, optional
            Required class; by default any other than the predicted one.
        fixed : sequence of str
            Columns that must not change.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> tree = induce.ID3().fit(X, y).hypothesis_
        >>> print(tree.contrast(X[:1], to="Yes"))
        Yes instead of No if Humidity = Normal instead of High
        >>> print(tree.contrast(X[:1], to="Yes", fixed=["Humidity"]))
        Yes instead of No if Outlook = Overcast instead of Sunny
        """
        from induce.hypotheses.contrast import asked

        return self._contrast(asked(self, row, to, fixed))

    def _contrast(self, question: Question) -> Contrast:
        """Return the contrast of a row."""
        from induce.hypotheses.contrast import by_search

        return by_search(question)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if len({type(value) for value in self.classes}) > 1:
            lacking["onnx"] = "its classes are of several types"
        return lacking

    @abstractmethod
    def _scores(self, table: Any) -> Floats:
        """Return the evidence for each class and row; higher means more evidence."""

    def _blocks(self, table: Any) -> Iterable[Floats]:
        """Yield the scores in batches of rows if all scores would exceed the memory or the cache."""
        return (self._scores(table),)

    def _decided(self, scores: Floats) -> Places:
        """Return the index of the class predicted from the scores of each row."""
        return first_largest_of_each(scores) if self.ties_by_rounding else np.asarray(scores.argmax(axis=1))

    def _shares(self, scores: Floats) -> Floats:
        """Return the probability of each class of each row, with the maximum at the predicted class."""
        return probabilities(scores, self._decided(scores))


class ProbabilisticClassifier(Classifier):
    """A classifier whose scores are class probabilities, with the maximum at the predicted class."""

    ties_by_rounding: ClassVar[bool] = False

    def _shares(self, scores: Floats) -> Floats:
        if not self.ties_by_rounding:
            return scores
        # if several classes tie up to rounding, the first gets one more unit in the last place
        decided = self._decided(scores)
        odd = np.flatnonzero(scores.argmax(axis=1) != decided)
        if len(odd):
            scores = scores.copy()
            scores[odd, decided[odd]] = np.nextafter(scores[odd].max(axis=1), 1.0)
        return scores


def _joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
