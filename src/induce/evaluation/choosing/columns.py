"""Base class of column selectors, which return frames with the original column names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from induce.core.errors import InputError
from induce.data.frames import raw_frame
from induce.data.training import training_frame


class ColumnSelector(SelectorMixin, BaseEstimator):
    """Base class of selectors whose `fit` sets `support_`, the mask of selected columns."""

    support_: NDArray[np.bool_]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    def transform(self, X: Any) -> Any:
        """Return the selected columns of `X`: a frame of the same kind for a frame, otherwise an array."""
        check_is_fitted(self, "support_")
        _check_feature_names(self, X, reset=False)
        table = table_of(X)
        if table.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {table.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        return take(table, np.flatnonzero(self.support_))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def _seen(self, X: Any, n_columns: int) -> None:
        """Record the training columns for scikit-learn."""
        _check_feature_names(self, X, reset=True)
        self.n_features_in_ = n_columns


def table_of(X: Any) -> Any:
    """Return rows as a frame or an array after checking that a learner can read them."""
    return X if training_frame(X).named else np.asarray(X)


def take(table: Any, columns: Any) -> Any:
    """Return the columns at given positions of a frame or an array."""
    return _safe_indexing(table, np.asarray(columns, dtype=np.intp), axis=1)


def column_names(X: Any) -> tuple[str, ...]:
    """Return the column names; the columns of an array are named x0, x1, ….

    Examples
    --------
    >>> column_names([[1, 2]])
    ('x0', 'x1')
    """
    return tuple(column.name for column in raw_frame(X).columns)
