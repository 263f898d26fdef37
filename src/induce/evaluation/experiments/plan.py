"""The plan of an experiment: learners, data sets, splits and seeds, as a small TOML file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sklearn.base import is_regressor

from induce.core.checks import at_least, one_of
from induce.core.checks import share as check_share
from induce.core.documents import DocumentError, toml_of
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.evaluation.experiments.factory import built, check
from induce.evaluation.losses.measure import Measure, measure_of
from induce.evaluation.losses.rows import LOSSES, ZERO_ONE

KEEP = ("first", "all", "none")
FOLDS = 10
_KEYS = ("title", "score", "keep", "seeds", "time_limit", "splits", "learners", "datasets")
_SPLITS = ("folds", "repeats", "hold_out", "stratify")
_WRITTEN = ("separator", "decimal", "thousands", "encoding", "dates", "sheet")
_DATA = ("data", "target", "nominal", "numeric", "ignore", "schema", "missing", "groups", *_WRITTEN)

Definition = Mapping[str, Any]


@dataclass(frozen=True)
class Splits:
    """Resampling of each table: folds or a hold-out, drawn `repeats` times."""

    folds: int | None = FOLDS
    repeats: int = 1
    hold_out: float | None = None
    stratify: bool = True

    def __str__(self) -> str:
        stratified = "" if self.stratify else ", not stratified"
        if self.folds is None:
            of = "rows" if isinstance(self.hold_out, int) else "of the rows"
            times = f", {self.repeats} times" if self.repeats > 1 else ""
            return f"hold-out of {self.hold_out:g} {of}{times}{stratified}"
        times = f"{self.repeats} times " if self.repeats > 1 else ""
        return f"{times}{self.folds}-fold cross-validation{stratified}"


@dataclass(frozen=True)
class ExperimentPlan:
    """Plan of an experiment: every learner on every data set, on the same splits.

    Parameters
    ----------
    learners, datasets : dict from names to definitions
        Definition of each learner and data set in the plan, in order.
    splits : Splits
        Resampling of each table.
    seeds : tuple of int
        Random seeds; each draws new splits and is the `random_state` of the learners.
    score : str or None
        A loss or a scikit-learn score; None for the error rate, or the absolute error of regressors.
    keep : {"first", "all", "none"}
        Splits whose hypotheses are stored.
    time_limit : float or None
        Maximum seconds per fit.
    title, text : str
        Title of the experiment, and the text of the plan.
    folder : str
        Folder of the data files.
    """

    learners: Mapping[str, Definition]
    datasets: Mapping[str, Definition]
    splits: Splits = field(default_factory=Splits)
    seeds: tuple[int, ...] = (0,)
    score: str | None = None
    keep: str = "first"
    time_limit: float | None = None
    title: str = ""
    text: str = field(default="", repr=False)
    folder: str = "."

    def learner(self, name: str) -> Any:
        """Return a new instance of a learner of the plan."""
        return built(self.learners[name])

    @property
    def numeric(self) -> bool:
        """Whether the task is regression."""
        return bool(is_regressor(self.learner(next(iter(self.learners)))))

    @property
    def measure(self) -> Measure:
        """Measure of the cells."""
        return measure_of(self.score, self.numeric)


def read_plan(plan: str | os.PathLike[str] | Mapping[str, Any] | ExperimentPlan) -> ExperimentPlan:
    """Read the plan of an experiment and validate everything that does not require the data.

    Parameters
    ----------
    plan : path or dict
        Path of a TOML file, or its contents as a dict.

    Examples
    --------
    >>> plan = read_plan({"learners": {"tree": "C45", "stump": "DecisionStump"}, "datasets": {"iris": "iris"}})
    >>> print(plan.splits, plan.seeds, plan.measure.name)
    10-fold cross-validation (0,) error
    >>> read_plan({"learners": {"tree": "C45"}, "dataset": {"iris": "iris"}})
    Traceback (most recent call last):
    induce.core.errors.InputError: in the plan: there is no key 'dataset'; did you mean 'datasets'?
    """
    if isinstance(plan, ExperimentPlan):
        return plan
    if isinstance(plan, Mapping):
        with about("in the plan"):
            return _plan(plan, json.dumps(plan, indent=2, default=str), ".")
    shown = repr(os.fspath(plan))
    try:
        text = Path(plan).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no plan {shown}; give the path of a TOML file") from None
    except UnicodeDecodeError as problem:
        raise InputError(
            f"the plan {shown} is not UTF-8 (byte {problem.start + 1}); save it as UTF-8"
        ) from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(
            f"the plan {shown} cannot be read ({reason}); give the path of a TOML file"
        ) from None
    try:
        document = toml_of(text)
    except DocumentError as problem:
        raise InputError(f"the plan {shown} is not TOML: {problem}") from None
    folder = os.path.dirname(os.path.abspath(plan))
    with about(f"in the plan {shown}"):
        return _plan(document, text, folder)


@contextmanager
def about(where: str) -> Iterator[None]:
    """Add the location to user errors raised in the block.

    Examples
    --------
    >>> with about("learner 'tree'"):
    ...     raise InputError("max_depth is -1")
    Traceback (most recent call last):
    induce.core.errors.InputError: learner 'tree': max_depth is -1
    """
    try:
        yield
    except (ValueError, TypeError, OSError) as problem:
        raise InputError(f"{where}: {problem}") from None


def _plan(document: Mapping[str, Any], text: str, folder: str) -> ExperimentPlan:
    _check_keys(document, _KEYS, "key")
    plan = ExperimentPlan(
        learners=_section(document, "learners", "learner", _learner),
        datasets=_section(document, "datasets", "data set", _data),
        splits=_splits(document.get("splits", {})),
        seeds=_seeds(document.get("seeds", [0])),
        score=document.get("score"),
        keep=document.get("keep", "first"),
        time_limit=document.get("time_limit"),
        title=str(document.get("title", "")),
        text=text,
        folder=folder,
    )
    one_of("keep", plan.keep, KEEP)
    limit = plan.time_limit
    if limit is not None and not (isinstance(limit, int | float) and limit > 0):
        raise InputError(f"time_limit is {limit!r}; give a number of seconds above 0")
    kinds = {name: _numeric(plan, name) for name in plan.learners}
    if len(set(kinds.values())) > 1:
        classes, numbers = (
            next(name for name, found in kinds.items() if found is each) for each in (False, True)
        )
        raise InputError(
            f"learner {classes!r} predicts classes and learner {numbers!r} predicts numbers; "
            "make a plan for each kind"
        )
    if not isinstance(plan.score, str | None):
        raise InputError(f"score is {plan.score!r}; give the name of one score")
    if measure_of(plan.score, plan.numeric).loss is not None and plan.score is not None:
        of_numbers = [name for name in LOSSES if name != ZERO_ONE]
        one_of("score", plan.score, of_numbers if plan.numeric else [ZERO_ONE])
    return plan


def _numeric(plan: ExperimentPlan, name: str) -> bool:
    """Return whether a learner is a regressor, after checking that it exists and is usable."""
    with about(f"learner {name!r}"):
        learner = plan.learner(name)
        check(learner)
    return bool(is_regressor(learner))


def _check_keys(table: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise unknown(what, str(key), known)


def _section(
    document: Mapping[str, Any], section: str, what: str, read: Callable[[Any], Definition]
) -> dict[str, Definition]:
    table = document.get(section)
    if not isinstance(table, Mapping) or not table:
        raise InputError(f"[{section}] is empty; give at least one {what} as name = …")
    found = {}
    for name, definition in table.items():
        with about(f"{what} {name!r}"):
            found[name] = read(definition)
    return found


def _learner(definition: Any) -> Definition:
    if isinstance(definition, str):
        definition = {"learner": definition}
    if not isinstance(definition, Mapping):
        raise InputError('give the name of a learner, or a table such as {learner = "C45", max_depth = 3}')
    return dict(definition)


def _data(definition: Any) -> Definition:
    if isinstance(definition, str):
        definition = {"data": definition}
    if not isinstance(definition, Mapping) or not isinstance(definition.get("data"), str):
        raise InputError('give a shipped data set or a file, such as {data = "weather.csv", target = "play"}')
    _check_keys(definition, _DATA, "key")
    for key, value in definition.items():
        several = key in ("nominal", "numeric", "ignore", "missing")
        if several and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            raise InputError(f"{key} is {value!r}; give a list of strings")
        if not several and not isinstance(value, str):
            raise InputError(f"{key} is {value!r}; give a string")
    return dict(definition)


def _splits(table: Any) -> Splits:
    if not isinstance(table, Mapping):
        raise InputError(f"splits is {table!r}; give a table such as [splits] with folds = 10")
    _check_keys(table, _SPLITS, "key of [splits]")
    if "folds" in table and "hold_out" in table:
        raise InputError("[splits] has folds and hold_out; give one of them")
    found = Splits(
        folds=None if "hold_out" in table else table.get("folds", FOLDS),
        repeats=table.get("repeats", 1),
        hold_out=table.get("hold_out"),
        stratify=table.get("stratify", True),
    )
    at_least("repeats", _no_truth(found.repeats), 1, whole=True)
    if found.folds is not None:
        at_least("folds", _no_truth(found.folds), 2, whole=True)
    elif isinstance(found.hold_out, int):
        at_least("hold_out", _no_truth(found.hold_out), 1, whole=True)
    else:
        check_share("hold_out", found.hold_out)
    if not isinstance(found.stratify, bool):
        raise InputError(f"stratify is {found.stratify!r}; it can be true or false")
    return found


def _seeds(given: Any) -> tuple[int, ...]:
    seeds = given if isinstance(given, list | tuple) else [given]
    for seed in seeds:
        at_least("a seed", _no_truth(seed), 0, whole=True)
        if seed >= 2**32:
            raise InputError(f"seeds contains {seed}; the largest seed is {2**32 - 1}")
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError(f"seeds is {given!r}; give at least one seed, without repetition")
    return tuple(seeds)


def _no_truth(value: Any) -> Any:
    """Return a value, but booleans as text, because Python treats true as the number 1."""
    return str(value).lower() if isinstance(value, bool) else value
