"""Wrapper feature selection (AIMA, section 18.4.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets

from induce.core import parallel
from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import progress, report
from induce.core.ties import best_of, is_less
from induce.evaluation.choosing.columns import ColumnSelector, column_names, table_of, take
from induce.evaluation.choosing.feature_path import BACKWARD, FORWARD, Columns, FeaturePath, Step
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.estimating.fits import fit_and_predict
from induce.evaluation.estimating.splits import Plan, check_learner, numbers, plan, target
from induce.evaluation.losses.rows import Loss, loss_for, loss_text, row_losses


def search_features(
    learner: Any,
    X: Any,
    y: Any,
    direction: str = FORWARD,
    cv: Any = 10,
    *,
    nested: Any = None,
    patience: int = 1,
    max_features: int | None = None,
    loss: Loss = None,
    n_jobs: int | None = None,
    random_state: int | None = 0,
) -> FeaturePath:
    """Search for the best columns for a learner by adding or dropping one column at a time (AIMA, section 18.4.3).

    All subsets are evaluated on the same folds. The loss of the selected subset is biased downwards, as the
    minimum of many; `nested` repeats the search inside every fold of an outer cross-validation and gives an
    unbiased estimate.

    Parameters
    ----------
    learner : estimator
        A classifier, a regressor or a pipeline that ends in one; it is not modified.
    X, y : frame or array, series or array
        Table and target.
    direction : {"forward", "backward"}
        Search direction: "forward" starts from no columns and adds; "backward" starts from all columns and
        drops.
    cv : int, "loo", splitter or iterable of (train, test)
        Resampling method, as in `induce.evaluate`.
    nested : int or splitter, optional
        Number of outer folds for the nested estimate; the whole search is repeated in each.
    patience : int
        Number of consecutive steps without improvement after which the search stops.
    max_features : int, optional
        Maximum number of columns of a forward search.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: squared for a regressor, zero-one otherwise.
    n_jobs : int, optional
        Number of subsets evaluated in parallel; it does not affect the result.
    random_state : int or None
        Random seed.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> print(search_features(induce.C45(), X[:, -5:], y, cv=3))
    error by selected columns, forward search, 3-fold cross-validation
    columns   error
    0        0.6011          no column
    1        0.2756  + color intensity
    2        0.1350      + od280/od315
    3        0.1008          + proline
    4        0.0895              + hue
    5        0.0839  + proanthocyanins  *
    * proanthocyanins, color intensity, hue, od280/od315, proline
    the error 0.0839 is the least of 16, so it is optimistic: test on other rows, or request a nested estimate
    """
    one_of("direction", direction, (FORWARD, BACKWARD))
    check_learner(learner)
    at_least("patience", patience, 1, whole=True)
    table, names = table_of(X), column_names(X)
    y = y if hasattr(y, "__getitem__") else np.asarray(y)  # a list has no row indexing
    actual = numbers(X, y) if is_regressor(learner) else target(X, y)
    if not is_regressor(learner):
        check_classification_targets(actual)
    if actual.size < 2:
        raise InputError("X has one sample, which leaves none to test on; give at least two")
    made = plan(X, actual, cv, stratify=not is_regressor(learner), random_state=random_state)
    if made.splits[0][0] is None:
        raise InputError(
            "cv is None, but every subset of columns needs its own training; give a number of folds"
        )
    most = len(names) if max_features is None else max_features
    if not isinstance(most, int | np.integer) or not 1 <= most <= len(names):
        raise InputError(f"max_features is {most!r}; it must be a whole number from 1 to {len(names)}")
    if nested is not None and not (isinstance(cv, int | str | np.integer) or hasattr(cv, "split")):
        raise InputError(
            "cv holds row numbers, which have another meaning inside a nested search; give a number of folds"
        )
    judge = _Judge(learner, table, y, actual, made, loss)
    start = () if direction == FORWARD else tuple(range(len(names)))
    steps, tried = [judge(start)], 1
    best, stale = steps[0], 0
    while stale < patience:
        candidates = _neighbours(steps[-1].columns, len(names), direction)
        if not candidates or (direction == FORWARD and len(candidates[0]) > most):
            break
        found = parallel.run(judge, candidates, n_jobs)
        tried += len(found)
        steps.append(best_of(found, lambda step: -step.loss))
        report(len(steps) / (len(names) + 1))
        new, old = steps[-1].loss, best.loss
        improved = is_less(new, old) or (direction == BACKWARD and not is_less(old, new))
        best, stale = (steps[-1], 0) if improved else (best, stale + 1)
    path = FeaturePath(names, direction, tuple(steps), best, tried, loss_text(judge.loss), made.method)
    if nested is None:
        return path
    search = FeatureSearch(
        learner,
        direction,
        cv,
        patience=patience,
        max_features=max_features,
        loss=loss,
        random_state=random_state,
    )
    whole = Pipeline([("columns", search), ("learner", learner)])
    estimate = evaluate(whole, table, y, nested, score=judge.loss, n_jobs=n_jobs, random_state=random_state)
    return replace(path, nested=estimate)


class FeatureSearch(ColumnSelector):
    """Selects the best columns for a learner by `search_features`.

    Use it in a pipeline, so that cross-validation repeats the search in every fold. Missing values and unseen
    categories are handled by the learner.

    Parameters
    ----------
    learner : estimator
        Learner used to evaluate the columns.
    direction, cv, patience, max_features, loss, n_jobs, random_state
        Parameters of `search_features`.

    Attributes
    ----------
    path_ : FeaturePath
    support_ : array of bool
        Whether each column is kept.

    Examples
    --------
    >>> import induce
    >>> from sklearn.pipeline import make_pipeline
    >>> X, y = induce.dataset("restaurant")
    >>> chosen = make_pipeline(FeatureSearch(induce.ID3(), cv=6), induce.ID3()).fit(X, y)
    >>> chosen[0].transform(X).columns
    ['Pat']
    """

    def __init__(
        self,
        learner: Any,
        direction: str = FORWARD,
        cv: Any = 10,
        patience: int = 1,
        max_features: int | None = None,
        loss: Any = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
    ) -> None:
        self.learner = learner
        self.direction = direction
        self.cv = cv
        self.patience = patience
        self.max_features = max_features
        self.loss = loss
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.learner).input_tags
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Search for the best columns.

        Parameters
        ----------
        X, y : frame or array, series or array
        """
        if y is None:
            raise InputError(
                "FeatureSearch requires y to be passed, but the target y is None: give the classes or numbers"
            )
        path = search_features(
            self.learner,
            X,
            y,
            self.direction,
            self.cv,
            patience=self.patience,
            max_features=self.max_features,
            loss=self.loss,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        if not path.best.columns:
            better = path.steps[1]
            name = path.names[better.columns[0]]
            note(
                f"no column improves on the constant prediction; {name!r} is kept, since at least one "
                "is needed"
            )
            path = replace(path, best=better)
        self._seen(X, len(path.names))
        self.path_, self.support_ = path, path.support
        return self


class _Judge:
    """Computes the mean loss of a learner on a subset of the columns, always on the same splits."""

    def __init__(
        self, learner: Any, table: Any, y: Any, actual: NDArray[Any], made: Plan, loss: Loss
    ) -> None:
        self.learner, self.table, self.y, self.actual, self.made = learner, table, y, actual, made
        self.loss = loss_for(learner, loss)

    def __call__(self, columns: Columns) -> Step:
        learner, rows = (
            self.learner,
            take(self.table, columns) if columns else np.zeros((self.actual.size, 1)),
        )
        if not columns:  # without columns, only the most common class or the mean can be learned
            learner = DummyRegressor() if is_regressor(learner) else DummyClassifier()
        with progress(lambda share: None):  # the progress of one subset is not the overall progress
            tested = fit_and_predict(clone(learner), rows, self.y, self.made.splits)
        losses = [row_losses(self.loss, self.actual[each.test], each.predicted).mean() for each in tested]
        return Step(columns, float(np.mean(losses)))


def _neighbours(columns: Columns, n_columns: int, direction: str) -> list[Columns]:
    """Yield the nonempty subsets with one column more, or one column less."""
    if direction == FORWARD:
        return [tuple(sorted((*columns, j))) for j in range(n_columns) if j not in columns]
    return [tuple(k for k in columns if k != j) for j in columns] if len(columns) > 1 else []
