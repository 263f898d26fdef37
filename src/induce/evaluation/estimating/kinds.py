"""Prediction type of a learner: class, number, or density."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples

from induce.core.errors import InputError
from induce.evaluation.estimating.splits import check_is_learner, numbers, target

CLASSES, NUMBERS, DENSITY = "classes", "numbers", "density"
SAYS = {CLASSES: "predicts classes", NUMBERS: "predicts numbers", DENSITY: "learns without a target"}


def kind_of(learner: Any, has_target: bool = True) -> str:
    """Return the prediction type of a learner; raise an error if it has none.

    Parameters
    ----------
    learner : estimator
    has_target : bool
        Whether a target is given: some learners predict it if present, and estimate densities otherwise.

    Examples
    --------
    >>> import induce
    >>> from sklearn.mixture import GaussianMixture
    >>> kind_of(induce.C45()), kind_of(induce.ModelTree()), kind_of(GaussianMixture())
    ('classes', 'numbers', 'density')
    """
    check_is_learner(learner)
    if is_classifier(learner):
        needs_target = get_tags(learner).target_tags.required or not hasattr(learner, "score_samples")
        return CLASSES if has_target or needs_target else DENSITY
    if is_regressor(learner):
        return NUMBERS
    if gives_density(learner):
        return DENSITY
    raise TypeError(
        "only classifiers, regressors and density estimators can be evaluated, and "
        f"{type(learner).__name__} is none of these"
    )


def predicts_several(learner: Any) -> bool:
    """Return whether a learner supports several numeric targets.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> predicts_several(LinearRegression())
    True
    """
    return bool(learner.__sklearn_tags__().target_tags.multi_output)


def gives_density(learner: Any) -> bool:
    """Return whether a learner without a target provides log densities as `score_samples`.

    Outlier detectors have a method of that name too, but it does not return log densities.
    """
    return get_tags(learner).estimator_type in ("density_estimator", None) and hasattr(
        learner, "score_samples"
    )


def remarks_on_densities(learners: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for each learner whose densities do not sum to 1.

    Examples
    --------
    >>> import induce
    >>> remarks_on_densities({"kernels": induce.KernelDensity(), "neighbours": induce.NeighborDensity()})
    ('neighbours does not sum to 1 over all rows, so its log-likelihood is not comparable with others',)
    """
    return tuple(
        f"{name} does not sum to 1 over all rows, so its log-likelihood is not comparable with others"
        for name, learner in learners.items()
        if not getattr(learner, "sums_to_one", True)
    )


def actual_values(
    kind: str, X: Any, y: Any, name: str = "the learner", several: bool = False
) -> NDArray[Any]:
    """Validate and return the targets: classes, numbers, or NaN without a target.

    Parameters
    ----------
    kind : {"classes", "numbers", "density"}
    X : frame or array
    y : series, array, list or None
    name : str
        Name of the learner, for messages.
    several : bool
        Whether several numeric targets are allowed.

    Examples
    --------
    >>> actual_values("density", [[1], [2]], None)
    array([nan, nan])
    >>> actual_values("classes", [[1], [2]], None, "C45")
    Traceback (most recent call last):
    induce.core.errors.InputError: C45 predicts classes, but y is not given; give the class of each row
    """
    if kind == DENSITY:
        if y is not None:
            raise InputError(f"{name} learns without a target, but y is given; leave y out")
        if not _num_samples(X):
            raise InputError("X has no rows; give at least one")
        return np.full(_num_samples(X), np.nan)
    if y is None:
        wanted = "class" if kind == CLASSES else "number"
        raise InputError(f"{name} {SAYS[kind]}, but y is not given; give the {wanted} of each row")
    return target(X, y) if kind == CLASSES else numbers(X, y, several)
