"""Scores of each class for each row, from cross-validation or given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value, plain
from induce.evaluation.curves.errors import HowTested
from induce.evaluation.estimating.fits import fit_and_predict
from induce.evaluation.estimating.splits import check_learner, plan, target
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    pass

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scores:
    """Class scores of held-out rows.

    Parameters
    ----------
    actual, predicted : array
        True and predicted class of each row.
    values : array of float64, shape (rows, classes)
    classes : tuple
    probable : bool
        Whether the values are probabilities; if not, only their order is meaningful.
    method : str
        Resampling method.
    caveat : str
        Reason why the row-based intervals are only approximate; empty if they are exact.
    """

    actual: NDArray[Any]
    predicted: NDArray[Any]
    values: Floats
    classes: tuple[Value, ...]
    probable: bool
    method: str
    caveat: str

    @property
    def codes(self) -> NDArray[np.intp]:
        """Position of the class of each row in `classes`."""
        return codes_of(self.actual, self.classes)


def class_scores(learner: Any, X: Any, y: Any, **how: Unpack[HowTested]) -> Scores:
    """Return the probabilities that a classifier assigns to held-out rows.

    A learner without ``predict_proba`` is scored by its ``decision_function``. If `cv` tests rows several
    times, only the first test counts.

    Parameters
    ----------
    learner : classifier
        Classifier; copies of it are fitted, unless `cv` is None.
    X, y : frame or array, series or array
        Table and target.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> scores = class_scores(induce.C45(), *induce.dataset("iris"), cv=5)
    >>> scores.values.shape, scores.classes
    ((150, 3), ('setosa', 'versicolor', 'virginica'))
    """
    check_learner(learner)
    name = type(learner).__name__
    if not is_classifier(learner):
        raise TypeError(f"only classifiers predict class probabilities, and {name} is not one")
    probable = hasattr(learner, "predict_proba")
    if not probable and not hasattr(learner, "decision_function"):
        raise InputError(f"{name} has no class probabilities; use a learner with predict_proba")
    actual = target(X, y)
    classes = np.unique(actual)
    if len(classes) < 2:
        raise InputError(f"y has only the class {value_text(plain(classes[0]))}; give rows of two or more")
    made = plan(
        X,
        actual,
        how.get("cv", 10),
        repeats=how.get("repeats", 1),
        groups=how.get("groups"),
        test_size=how.get("test_size"),
        stratify=how.get("stratify", True),
        random_state=how.get("random_state", 0),
    )

    def score(fitted: Any, rows: Any, labels: Any) -> Floats:
        return _scores(fitted, rows, classes, probable)

    tested = fit_and_predict(learner, X, y, made.splits, n_jobs=how.get("n_jobs"), also=score)
    rows = np.concatenate([each.test for each in tested])
    distinct, first = np.unique(rows, return_index=True)
    if len(distinct) < len(rows):
        note("some rows were tested several times; only the first test of each counts")
    values, predicted = (
        np.concatenate([getattr(each, name) for each in tested])[first] for name in ("also", "predicted")
    )
    return Scores(
        actual[distinct], predicted, values, tuple(map(plain, classes)), probable, made.method, made.caveat
    )


def _scores(fitted: Any, rows: Any, classes: NDArray[Any], probable: bool) -> Floats:
    """Return one column per class; unseen classes get the lowest score."""
    found = np.asarray(fitted.predict_proba(rows) if probable else fitted.decision_function(rows), np.float64)
    if not probable and found.ndim == 1:
        found = np.column_stack([-found, found])
    seen = np.asarray(fitted.classes_)
    if not np.isfinite(found).all():
        raise InputError("its scores contain NaN or infinite values")
    values = np.full((len(found), len(classes)), 0.0 if probable else found.min() - 1)
    known = np.isin(seen, classes)
    values[:, np.searchsorted(classes, seen[known])] = found[:, known]
    return values


def given_scores(
    actual: Any, values: ArrayLike, classes: Sequence[Any] | None = None, *, probable: bool = True
) -> Scores:
    """Validate and return given scores.

    Parameters
    ----------
    actual : array
        True class of each row.
    values : array
        One column per class, or a single column for the second of two classes.
    classes : sequence, optional
        Classes in the order of the columns; None uses those of `actual` in sorted order.
    probable : bool
        Whether the values are probabilities.

    Examples
    --------
    >>> given_scores(["no", "yes"], [0.2, 0.7]).values
    array([[0.8, 0.2],
           [0.3, 0.7]])
    """
    table = np.asarray(values, dtype=np.float64)
    true = target(table, actual)
    if not np.isfinite(table).all():
        raise InputError("values contains NaN or infinite scores; leave those rows out")
    found = np.unique(true)
    names = tuple(map(plain, found if classes is None else classes))
    if len(names) < 2:
        raise InputError(f"there is only the class {value_text(names[0])}; give rows of two or more classes")
    if probable and not ((table >= 0) & (table <= 1)).all():
        raise InputError("values must be probabilities between 0 and 1; for other scores give probable=False")
    if table.ndim == 1:
        table = np.column_stack([1 - table if probable else -table, table])
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InputError(
            f"values has the shape {np.shape(values)} for {len(names)} classes; give one column per class"
        )
    if probable and not np.allclose(table.sum(axis=1), 1, atol=1e-6):
        raise InputError(
            "values must be probabilities that sum to 1 in each row; for other scores give probable=False"
        )
    codes_of(true, names)
    predicted = np.asarray(names)[table.argmax(axis=1)]
    return Scores(true, predicted, table, names, probable, "given scores", "")


def codes_of(labels: NDArray[Any], classes: Sequence[Value]) -> NDArray[np.intp]:
    """Return the position of each label among the classes."""
    place = {value: k for k, value in enumerate(classes)}
    try:
        return np.array([place[plain(label)] for label in labels], dtype=np.intp)
    except KeyError as unknown:
        names = ", ".join(map(value_text, classes))
        raise InputError(f"a row has the class {unknown.args[0]!r}; the given classes are {names}") from None
