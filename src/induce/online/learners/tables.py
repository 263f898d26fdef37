"""Online learners on tables, whose columns and classes are fixed in the first call."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names

from induce.core.errors import InputError
from induce.core.estimator import declared_classes
from induce.core.notes import note
from induce.core.parameters import Declared, whole
from induce.core.values import Value, positive_class
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import UNSEEN, Table, encode
from induce.estimators import ClassReading, ReadingClassifier
from induce.online.classes import announced_classes, check_known
from induce.online.mistakes import History, MistakeCurve

Ints = NDArray[np.int64]


class TableLearner(ReadingClassifier):
    """Base of the online learners on tables: reads rows and counts mistakes."""

    parameters: ClassVar[Declared] = {
        "bins": whole("Maximum number of intervals of a numeric attribute.", at_least=2)
    }
    bins: int
    mistakes_: int
    rounds_: int

    _state: ClassVar[str]
    """Name of the attribute that exists after learning."""
    concept_last: ClassVar[bool] = False
    """Whether the second of two classes is the concept; if so, the class named yes, + or similar comes
    second.
    """

    @property
    def history_(self) -> MistakeCurve:
        """Number of mistakes by round, with the bound."""
        self._check_begun()
        rounds, points = self._history.points()
        bound, promise = self._bound()
        return MistakeCurve(
            learner=type(self).__name__,
            rounds=rounds,
            mistakes=points[:, 0].astype(np.int64),
            bound=np.full(len(rounds), bound),
            promise=promise,
        )

    @property
    def bound_(self) -> float:
        """Mistake bound; NaN if there is none."""
        self._check_begun()
        return self._bound()[0]

    def draw(self, ax: Any = None) -> Any:
        """Return a figure of the mistakes by round, with the bound as a line."""
        return self.history_.draw(ax)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Predict and learn from additional rows, one at a time.

        Parameters
        ----------
        X : dataframe or array
            Additional rows.
        y : sequence of classes
            Class of each row.
        classes : sequence, optional
            All possible classes, in the first call; by default, those declared by `y` or those of the first
            rows.
        """
        self._play(X, y, classes)
        return self

    def _play(self, X: Any, y: Any, classes: Any) -> Ints:
        """Process rows and return the predictions made before learning from each."""
        self._check_parameters()
        if self._begun():
            return self._go_through(*self._further(X, y))
        told = declared_classes(y) or None if classes is None else classes
        return self._go_through(*self._first(self._read(X, y, None), told))

    def _start_with(self, table: Table) -> None:
        """Initialise the learner, once columns and classes are fixed."""

    def _go_through(self, table: Table, truth: Ints) -> Ints:
        """Process encoded rows and return the predictions made before learning from each."""
        raise TypeError(f"{type(self).__name__} does not implement learning")

    def _bound(self) -> tuple[float, str]:
        """Return the bound and its assumption."""
        return float("nan"), "no bound"

    def _begun(self) -> bool:
        return self._state in self.__dict__

    def _check_begun(self) -> None:
        if not self._begun():
            raise AttributeError(
                f"this {type(self).__name__} has learned nothing yet; call fit or partial_fit"
            )

    def _forget(self) -> None:
        for name in (self._state, "hypothesis_"):
            self.__dict__.pop(name, None)

    def _first(self, reading: ClassReading, classes: Any = None) -> tuple[Table, Ints]:
        """Fix columns and classes by the first rows, and return these rows encoded."""
        found = reading.classes
        declared = tuple(declared_classes(reading.y))
        known = announced_classes(classes, declared or found)
        place = np.array([check_known(value, known) for value in found])
        if classes is not None:
            self.classes_ = np.unique(np.asarray(known))
        else:
            known = tuple(value for value in known if value in found)
            if self.concept_last and len(known) == 2 and not declared:
                known = tuple(sorted(known, key=lambda value: value == positive_class(known)))
            place = np.array([known.index(value) for value in found])
        self._settle(reading.schema, reading.target, known)
        self._start_with(reading.table)
        return reading.table, place[reading.labels]

    def _settle(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> None:
        self._schema, self._target_name, self._classes = schema, target, classes
        self._history = History(1)

    def _further(self, X: Any, y: Any) -> tuple[Table, Ints]:
        """Encode additional rows."""
        _check_feature_names(self, X, reset=False)
        raw = raw_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        before = self.classes_
        try:
            _, found, codes = self._target(y)
        finally:
            self.classes_ = before
        if len(codes) != raw.n_rows or not raw.n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(codes)}; give at least one row, and a class for each"
            )
        place = np.array([check_known(value, self._classes) for value in found])
        table = encode(raw, self._schema)
        strange = (table.nominal == UNSEEN).any(axis=0)
        if strange.any():
            nominal = [column.name for column in table.schema if column.kind == "nominal"]
            note(
                f"column {nominal[int(strange.argmax())]!r} contains a value that was not in the first "
                "rows; it satisfies no test (declare all values in the schema)"
            )
        return table, place[codes]

    def _record(self, wrong: NDArray[np.bool_]) -> None:
        """Record the mistakes of the latest rounds."""
        self._history.add((self._history.last[0] + np.cumsum(wrong))[:, None])
        self._publish()

    def _publish(self) -> None:
        self.rounds_ = self._history.rounds
        self.mistakes_ = int(self._history.last[0])

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"history": self._history.state()}

    def _restore_history(self, state: dict[str, Any]) -> None:
        self._history = History.restored(state.get("history", {}), 1)
        self._publish()
