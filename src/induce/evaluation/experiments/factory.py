"""Construction of the learners of a plan: those of induce by name, those of scikit-learn by dotted path."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import polars as pl
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils._param_validation import InvalidParameterError

from induce.core import registry
from induce.core.declarations import learners
from induce.core.errors import InputError
from induce.core.progress import progress
from induce.data.dataset import Dataset
from induce.data.names import unknown

SKLEARN = "sklearn."
NOTHING = "none"


def built(definition: Mapping[str, Any]) -> Any:
    """Return the learner described by a table of a plan.

    A nested parameter table with its own `learner` is also built. TOML has no null, so ``"none"`` stands for
    None.

    Examples
    --------
    >>> built({"learner": "C45", "confidence_factor": 0.1})
    C45(confidence_factor=0.1)
    >>> built({"learner": "C54"})
    Traceback (most recent call last):
    induce.core.errors.InputError: there is no learner 'C54'; did you mean 'C45'?
    """
    name = definition.get("learner")
    if not isinstance(name, str):
        raise InputError('the learner is not named; write learner = "C45"')
    kind = _class(name)
    known = kind._get_param_names()
    parameters = {key: _value(value) for key, value in definition.items() if key != "learner"}
    for key in parameters:
        if key not in known:
            raise unknown(f"parameter of {name}", key, known)
    return kind(**parameters)


def check(learner: Any) -> None:
    """Raise an error if a learner is neither a classifier nor a regressor, or rejects its parameters."""
    if not (is_classifier(learner) or is_regressor(learner)):
        raise InputError(
            f"{type(learner).__name__} predicts neither classes nor numbers; give another learner"
        )
    if _is_ours(learner):
        _try_out(learner)
    elif hasattr(learner, "_parameter_constraints"):
        try:
            learner._validate_params()
        except InvalidParameterError as problem:
            raise InputError(str(problem)) from None


def ready(learner: Any, data: Dataset, seed: int, said: Mapping[str, Any]) -> Any:
    """Return the learner prepared for one table, with its seed and schema.

    Learners of scikit-learn get a numeric table: nominal columns are one-hot encoded, and missing numbers are
    imputed with the median, both computed from the training rows only. Text, identifiers and dates are
    excluded.
    """
    every = learner.get_params()
    seeds = [key for key in every if key.split("__")[-1] == "random_state" and not _says(said, key)]
    learner.set_params(**dict.fromkeys(seeds, seed))
    if _is_ours(learner):
        if "schema" in every and every["schema"] is None:
            learner.set_params(schema=data.input_schema)
        return learner
    inputs = [column for column in data.input_schema.inputs() if not column.temporal]
    nominal = [column.name for column in inputs if column.kind == "nominal"]
    numeric = [column.name for column in inputs if column.kind == "numeric"]
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), nominal),
        (SimpleImputer(strategy="median", keep_empty_features=True), numeric),
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, learner)


def _try_out(learner: Any) -> None:
    """Raise an error for a parameter that the learner rejects; learners of induce check parameters only when fitted.

    Other errors on these few rows say nothing about the tables of the plan and are ignored.
    """
    single = [key for key, value in learner.get_params().items() if isinstance(value, str | int | float)]
    X = pl.DataFrame(
        {"number": range(12), "word": pl.Series(["a", "b", "c"] * 4, dtype=pl.Enum(list("abc")))}
    )
    numbers, words = pl.Series("y", range(12), dtype=pl.Float64), pl.Series("y", ["p", "q"] * 6)
    try:
        with warnings.catch_warnings(), progress(lambda share: None):
            warnings.simplefilter("ignore")
            clone(learner).fit(X, numbers if is_regressor(learner) else words)
    except Exception as problem:
        if any(re.search(rf"\b{re.escape(key)}\b", str(problem)) for key in single):
            raise InputError(str(problem)) from None


def _is_ours(learner: Any) -> bool:
    return not type(learner).__module__.startswith(SKLEARN)


def _says(said: Mapping[str, Any], key: str) -> bool:
    """Return whether a plan sets a parameter, such as ``estimator__random_state``."""
    first, _, rest = key.partition("__")
    if not rest or first not in said:
        return first in said
    return isinstance(said[first], Mapping) and _says(said[first], rest)


def _value(value: Any) -> Any:
    if isinstance(value, str) and value == NOTHING:
        return None
    if isinstance(value, Mapping):
        return built(value) if "learner" in value else {key: _value(each) for key, each in value.items()}
    return [_value(each) for each in value] if isinstance(value, list) else value


def _class(name: str) -> Any:
    if name.startswith(SKLEARN):
        return _of_sklearn(name)
    names = [entry.name for entry in learners() if entry.takes_tables]
    if name not in names:
        beside = dict(_all_of_sklearn()).get(name)
        if beside:
            raise InputError(f"there is no learner {name!r} in induce; scikit-learn has {beside!r}")
        raise unknown("learner", name, names)
    return registry.resolve(name, registry.ESTIMATORS)


def _of_sklearn(path: str) -> Any:
    """Import a learner of scikit-learn; plans never import anything else."""
    module, _, name = path.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        raise unknown("learner", path, [full for _, full in _all_of_sklearn()]) from None
    if not (isinstance(found, type) and issubclass(found, BaseEstimator)):
        raise InputError(f"{path!r} is not a learner; give the path of a classifier or regressor")
    return found


def _all_of_sklearn() -> Iterator[tuple[str, str]]:
    """Yield the name and the public path of every classifier and regressor of scikit-learn."""
    from sklearn.utils.discovery import all_estimators

    for name, kind in all_estimators(["classifier", "regressor"]):
        public = ".".join(part for part in kind.__module__.split(".") if not part.startswith("_"))
        yield name, f"{public}.{name}"
