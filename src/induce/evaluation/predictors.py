"""Uniform access to predictors: hypotheses, fitted learners, scikit-learn estimators and functions.

Hypotheses are dispatched by type; this is the only module that inspects other types.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.pipeline import Pipeline

from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis


def hypothesis_of(thing: Any) -> Hypothesis | None:
    """Return a hypothesis, or that of a fitted learner; None for learners of other libraries.

    Examples
    --------
    >>> import induce
    >>> tree = induce.ID3().fit(*induce.dataset("play-tennis"))
    >>> hypothesis_of(tree) is tree.hypothesis_, hypothesis_of(len)
    (True, None)
    """
    found = getattr(thing, "hypothesis_", thing)
    return found if isinstance(found, Hypothesis) else None


def predictions(thing: Any, X: Any) -> NDArray[Any]:
    """Return the predictions of a hypothesis, a fitted learner or a function for each row."""
    if hasattr(thing, "predict"):
        return np.asarray(thing.predict(X))
    if callable(thing):
        return np.asarray(thing(X))
    raise TypeError(
        f"a hypothesis must have a method predict or be a function of the rows, not {type(thing).__name__}"
    )


def is_learner(thing: Any) -> bool:
    """Return whether an object is an estimator in the sense of scikit-learn."""
    return hasattr(thing, "__sklearn_tags__")


def predicts_numbers(thing: Any) -> bool:
    """Return whether a hypothesis or a learner is a regressor; a function is assumed to be a classifier."""
    found = hypothesis_of(thing)
    if found is not None:
        return found.answer == "number"
    return is_learner(thing) and bool(is_regressor(thing))


def last_step(thing: Any) -> Any:
    """Return the predicting step of a pipeline; anything else unchanged."""
    return thing[-1] if isinstance(thing, Pipeline) else thing


def inner_learner(thing: Any) -> Any:
    """Return the final learner: the best estimator of a search, or the last step of a pipeline."""
    for name in ("best_estimator_", "learner_"):
        if hasattr(thing, name):
            return inner_learner(getattr(thing, name))
    return inner_learner(thing[-1]) if isinstance(thing, Pipeline) else thing


def parts_of(thing: Any) -> Parts:
    """Return the number of readable parts of a hypothesis, including trees and linear models of scikit-learn."""
    thing = last_step(thing)
    found = hypothesis_of(thing)
    if found is not None:
        return found.parts()
    if hasattr(thing, "tree_"):
        return Parts(int(thing.tree_.node_count - 1 + thing.tree_.n_leaves), "conditions and conclusions")
    if hasattr(thing, "coef_"):
        number = np.count_nonzero(thing.coef_) + np.size(getattr(thing, "intercept_", 0))
        return Parts(int(number), "weights")
    return Parts(None, f"the number of parts of a {type(thing).__name__} is unknown")


def own_size(thing: Any) -> str:
    """Return the size of a hypothesis in its own terms; a user-written learner may have a `size` too."""
    found = getattr(last_step(thing), "hypothesis_", thing)
    return str(found.size()) if callable(getattr(found, "size", None)) else ""


def squared_weights(thing: Any) -> float | None:
    """Return the sum of the squared weights of a scikit-learn linear model; None for anything else."""
    if not hasattr(thing, "coef_"):
        return None
    return float(np.square(np.asarray(thing.coef_, dtype=np.float64)).sum())


def text_of(thing: Any) -> str | None:
    """Return the hypothesis as text; None if it is not readable."""
    found = hypothesis_of(thing)
    if found is not None:
        return str(found)
    if isinstance(thing, Pipeline) and hasattr(thing[-1], "tree_"):
        from sklearn.tree import export_text

        return str(export_text(thing[-1], feature_names=thing[:-1].get_feature_names_out()))
    return None
