"""Misclassification costs, and the decision of least expected loss (AIMA, section 18.4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.values import Value, class_named, plain
from induce.evaluation.losses.checks import (
    check_classes,
    check_losses,
    check_reject,
    entries,
    listed,
    pair_of,
    quoted,
    square,
    those,
)
from induce.hypotheses.naming import number_text, value_text

Floats = NDArray[np.float64]
Pairs = Mapping[tuple[Value, Value], float]

_REST = "*"
_EQUAL = 1e-12


@dataclass(frozen=True)
class LossTable:
    """Loss L(true, predicted) of predicting one class when another is true (AIMA, section 18.4.2).

    Parameters
    ----------
    classes : sequence
        Classes in tie-breaking order: if two decisions have the same expected loss, the first is chosen.
    losses : matrix
        Losses with one row per true class and one column per predicted class.
    reject : str, optional
        Name of the reject option, chosen when no class is certain enough, such as ``"ask"``.
    reject_loss : float
        Cost of a rejection, for any true class.
    gains : bool
        Whether losses may be negative, and nonzero for correct predictions: negated utilities.

    Examples
    --------
    >>> spam = LossTable.read("spam>nospam=1, nospam>spam=10")
    >>> print(spam)
                 say spam  say nospam
    true spam           0           1
    true nospam        10           0
    >>> spam.of(["spam", "nospam"], ["nospam", "spam"])
    array([ 1., 10.])
    >>> round(spam.threshold("spam"), 6)
    0.909091
    """

    classes: tuple[Value, ...]
    losses: tuple[tuple[float, ...], ...]
    reject: str | None = None
    reject_loss: float = 0.0
    gains: bool = False

    def __post_init__(self) -> None:
        classes = tuple(plain(value) for value in self.classes)
        object.__setattr__(self, "classes", classes)
        check_classes(classes)
        matrix = square(self.losses, classes)
        if not self.gains:
            check_losses(matrix, classes)
        object.__setattr__(self, "losses", tuple(map(tuple, matrix.tolist())))
        if self.reject is not None:
            check_reject(self.reject, self.reject_loss, classes, self.gains)

    @classmethod
    def zero_one(cls, classes: Sequence[Any]) -> LossTable:
        """Return the table in which every mistake costs 1.

        Examples
        --------
        >>> LossTable.zero_one(["no", "yes"]).losses
        ((0.0, 1.0), (1.0, 0.0))
        """
        return cls(tuple(classes), cast(Any, 1.0 - np.eye(len(classes))))

    @classmethod
    def of_pairs(
        cls,
        pairs: Pairs,
        classes: Sequence[Any] | None = None,
        otherwise: float | None = None,
        **options: Any,
    ) -> LossTable:
        """Return the table of a mapping from ``(true, predicted)`` to losses.

        Parameters
        ----------
        pairs : mapping
        classes : sequence, optional
            All classes in order; None uses the classes of `pairs` in order of appearance.
        otherwise : float, optional
            Loss of the mistakes not in `pairs`; if None, `pairs` must be complete.
        **options
            Further parameters of `LossTable`.

        Examples
        --------
        >>> LossTable.of_pairs({("ill", "well"): 100}, otherwise=1).losses
        ((0.0, 100.0), (1.0, 0.0))
        """
        named = list(dict.fromkeys(plain(value) for pair in pairs for value in pair_of(pair)))
        order = tuple(plain(value) for value in (named if classes is None else classes))
        check_classes(order)
        unknown = [value for value in named if value not in order]
        if unknown:
            raise InputError(f"a loss names the class {value_text(unknown[0])}, but {those(order)}")
        table = [[0.0 if true == said else otherwise for said in order] for true in order]
        for (true, said), loss in pairs.items():
            table[order.index(plain(true))][order.index(plain(said))] = loss
        for true, row in zip(order, table, strict=True):
            if None in row:
                said = order[row.index(None)]
                raise InputError(
                    f"there is no loss for predicting {value_text(said)} when {value_text(true)} is "
                    "true; give one, or the loss of all other mistakes"
                )
        return cls(order, cast(Any, table), **options)

    @classmethod
    def read(cls, text: str, classes: Sequence[Any] | None = None, **options: Any) -> LossTable:
        """Read a table from text such as ``spam>nospam=1,nospam>spam=10``.

        Each entry is ``true>predicted=loss``. ``*=1`` is the loss of all other mistakes, and ``ask=0.5`` adds
        the reject option "ask" at that cost. A class name that contains ``,``, ``>`` or ``=`` must be in
        double quotes.

        Parameters
        ----------
        text : str
        classes : sequence, optional
            All classes in order; None uses the classes in the text in order of appearance.
        **options
            Further parameters of `LossTable`.

        Examples
        --------
        >>> LossTable.read("0>1=5, *=1", classes=[0, 1, 2]).losses[0]
        (0.0, 5.0, 1.0)
        """

        def class_of(word: str) -> Value:
            return word if classes is None else class_named(word, classes, "a class of the losses")

        pairs: dict[tuple[Value, Value], float] = {}
        otherwise = None
        for true, said, loss in entries(text):
            if said is not None:
                pairs[class_of(true), class_of(said)] = loss
            elif true == _REST:
                otherwise = loss
            else:
                options |= {"reject": true, "reject_loss": loss}
        return cls.of_pairs(pairs, classes, otherwise, **options)

    def rejecting(self, loss: float, label: str = "reject") -> LossTable:
        """Return the table with a reject option at a given cost.

        Examples
        --------
        >>> careful = LossTable.zero_one(["no", "yes"]).rejecting(0.2)
        >>> careful.decide([[0.5, 0.5], [0.1, 0.9]], ["no", "yes"]).tolist()
        ['reject', 'yes']
        """
        return replace(self, reject=label, reject_loss=loss)

    @property
    def decisions(self) -> tuple[Value, ...]:
        """Possible decisions: the classes and the reject option, if any."""
        return self.classes if self.reject is None else (*self.classes, self.reject)

    def matrix(self, labels: Sequence[Any] | None = None) -> Floats:
        """Return the losses with rows and columns in the order of `labels`, or of the classes.

        Examples
        --------
        >>> LossTable.read("spam>nospam=1,nospam>spam=10").matrix(["nospam", "spam"])
        array([[ 0., 10.],
               [ 1.,  0.]])
        """
        matrix = np.asarray(self.losses)
        if labels is None:
            return matrix
        order = self._codes(labels, self.classes, "labels")
        return matrix[np.ix_(order, order)]

    def of(self, actual: ArrayLike, predicted: ArrayLike) -> Floats:
        """Return the loss of each row.

        Examples
        --------
        >>> LossTable.zero_one([0, 1, 2]).of([0, 1, 2], [0, 2, 2])
        array([0., 1., 0.])
        """
        true = self._codes(actual, self.classes, "actual")
        said = self._codes(predicted, self.decisions, "predicted")
        if true.shape != said.shape:
            raise InputError(
                f"actual has {true.size} classes and predicted has {said.size}; give equally many"
            )
        return self._whole()[true, said]

    def expected(self, probabilities: ArrayLike, labels: Sequence[Any]) -> Floats:
        """Return the expected loss of each decision for each row.

        Parameters
        ----------
        probabilities : array, shape (rows, labels)
            Probability of each class, as returned by ``predict_proba``.
        labels : sequence
            Classes of the columns; a class of the table that is not among them has probability 0.

        Returns
        -------
        array of float64, shape (rows, decisions)

        Examples
        --------
        >>> LossTable.read("spam>nospam=1,nospam>spam=10").expected([[0.9, 0.1]], ["spam", "nospam"])
        array([[1. , 0.9]])
        """
        shares = np.asarray(probabilities, dtype=np.float64)
        order = self._codes(labels, self.classes, "labels")
        if shares.ndim != 2 or shares.shape[1] != order.size:
            raise InputError(
                f"probabilities has the shape {shares.shape}; give one row per example and "
                f"{order.size} columns, one per label"
            )
        if not np.isfinite(shares).all() or (shares < 0).any():
            raise InputError("probabilities contains a value that is negative or not finite")
        return np.asarray(shares @ self._whole()[order])

    def decide(self, probabilities: ArrayLike, labels: Sequence[Any]) -> NDArray[Any]:
        """Return the decision with the lowest expected loss for each row; ties are broken by order.

        Examples
        --------
        >>> spam = LossTable.read("spam>nospam=1,nospam>spam=10")
        >>> spam.decide([[0.90, 0.10], [0.92, 0.08]], ["spam", "nospam"]).tolist()
        ['nospam', 'spam']
        """
        expected = self.expected(probabilities, labels)
        # sums of products round differently in different columns, which must not break a tie
        slack = _EQUAL * max(1.0, float(np.abs(self._whole()).max(initial=0.0)))
        first = (expected <= expected.min(axis=1, keepdims=True) + slack).argmax(axis=1)
        return np.asarray(_array(self.decisions)[first])

    def threshold(self, positive: Any) -> float:
        """Return the probability above which to predict `positive`, for two classes without a reject option.

        Examples
        --------
        >>> LossTable.read("ill>well=99,well>ill=1").threshold("ill")
        0.01
        """
        if len(self.classes) != 2 or self.reject is not None:
            raise InputError(
                "a threshold needs exactly two classes, but the decisions are "
                f"{listed(self.decisions)}; use decide"
            )
        (yes,) = self._codes([positive], self.classes, "positive")
        losses = np.asarray(self.losses)
        false_alarm = losses[1 - yes, yes] - losses[1 - yes, 1 - yes]
        miss = losses[yes, 1 - yes] - losses[yes, yes]
        if false_alarm + miss <= 0:
            raise InputError("there is no threshold: no mistake costs more than a correct answer")
        return float(false_alarm / (false_alarm + miss))

    def __str__(self) -> str:
        heads = ["", *(f"say {value_text(value)}" for value in self.decisions)]
        rows = [heads] + [
            [f"true {value_text(true)}", *map(number_text, row.tolist())]
            for true, row in zip(self.classes, self._whole(), strict=True)
        ]
        widths = [max(len(row[j]) for row in rows) for j in range(len(heads))]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0])] + [row[j].rjust(widths[j]) for j in range(1, len(row))])
            for row in rows
        )

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>say {escape(value_text(value))}</th>" for value in self.decisions)
        body = "".join(
            f"<tr><th>true {escape(value_text(true))}</th>"
            + "".join(f"<td>{number_text(loss)}</td>" for loss in row.tolist())
            + "</tr>"
            for true, row in zip(self.classes, self._whole(), strict=True)
        )
        return f"<table><tr><th></th>{heads}</tr>{body}</table>"

    def _whole(self) -> Floats:
        """Losses of all decisions, with a column for the reject option."""
        matrix = np.asarray(self.losses)
        if self.reject is None:
            return matrix
        return np.column_stack([matrix, np.full(len(matrix), self.reject_loss)])

    def _codes(self, values: Any, known: tuple[Value, ...], name: str) -> NDArray[np.intp]:
        """Return the position of each value among the known ones."""
        # numpy would turn a mixed list into text, and an array of mixed types cannot be sorted
        found = np.asarray(values, dtype=object if isinstance(values, list | tuple) else None)
        if found.ndim != 1:
            raise InputError(f"{name} has the shape {found.shape}; give one class per row")
        where = {value: code for code, value in enumerate(known)}
        codes = [where.get(value, -1) for value in found.tolist()]
        if -1 in codes:
            strange = found.tolist()[codes.index(-1)]
            raise InputError(f"{name} holds {quoted(strange)}, but {those(known)}")
        return np.array(codes, dtype=np.intp)


def the_table(losses: Any, classes: Sequence[Any]) -> LossTable:
    """Return a loss table from any supported representation.

    Parameters
    ----------
    losses : LossTable, mapping, str, matrix or None
        A table; a mapping from ``(true, predicted)``; text for `LossTable.read`; a matrix in the order of `classes`;
        None for zero-one loss.
    classes : sequence
        Classes in order, for all representations except a table.

    Examples
    --------
    >>> the_table({("no", "yes"): 2, ("yes", "no"): 1}, ["no", "yes"]).threshold("yes")
    0.6666666666666666
    """
    if isinstance(losses, LossTable):
        return losses
    if losses is None:
        return LossTable.zero_one(classes)
    if isinstance(losses, str):
        return LossTable.read(losses, classes)
    if isinstance(losses, Mapping):
        return LossTable.of_pairs(losses, classes)
    return LossTable(tuple(classes), losses)


def _array(values: tuple[Value, ...]) -> NDArray[Any]:
    """Return decisions as an array that keeps their types: numpy would turn 0 into text if "reject" is present."""
    if len({isinstance(value, str) for value in values}) > 1:
        cells = np.empty(len(values), dtype=object)
        cells[:] = values
        return cells
    return np.asarray(values)
