"""Execution of an experiment: missing cells are computed in threads and stored as soon as they finish."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import count
from platform import python_version
from typing import Any

from induce.core import engines, parallel
from induce.core.errors import InputError
from induce.core.persistence import save
from induce.core.progress import progress, report
from induce.evaluation.estimating.fits import fit_and_predict
from induce.evaluation.estimating.limits import within
from induce.evaluation.experiments.factory import ready
from induce.evaluation.experiments.plan import ExperimentPlan, read_plan
from induce.evaluation.experiments.results import Experiment
from induce.evaluation.experiments.store import DONE, FAILED, Cell, Key, Store, packed, split_keys
from induce.evaluation.experiments.tables import ExperimentTable, loaded
from induce.evaluation.predictors import hypothesis_of, text_of
from induce.evaluation.readability import size_text

LONGEST_TEXT = 200_000
_VERSIONS = ("induce", "numpy", "polars", "scikit-learn", "scipy")


def experiment(
    plan: str | os.PathLike[str] | Mapping[str, Any] | ExperimentPlan,
    out: str | os.PathLike[str] | None = None,
    *,
    n_jobs: int | None = None,
    retry: bool = False,
) -> Experiment:
    """Run every learner of a plan on every data set and store the results in one file.

    A cell is one fit: a learner, a data set, a seed and a split. All learners get the same splits. Cells
    already in the file are not computed again, so an interrupted run resumes where it stopped, and learners,
    data sets or seeds can be added to a plan. A cell that fails is recorded with its error.

    Parameters
    ----------
    plan : path or dict
        Path of a TOML file, or its contents as a dict.
    out : path, optional
        Results file; by default next to the plan, with the extension ``.sqlite``.
    n_jobs : int, optional
        Number of cells processed in parallel; it affects only the times.
    retry : bool
        Whether to retry cells that failed before.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> import os, tempfile
    >>> plan = {
    ...     "learners": {"tree": "C45", "stump": "DecisionStump"},
    ...     "datasets": {"iris": "iris", "wine": "wine"},
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = experiment(plan, os.path.join(folder, "trees.sqlite"))
    >>> print(found)
    error   tree   stump
    iris   0.067*  0.333-
    wine   0.074*  0.434-
    * best; - worse than the best (cautious resampled t, Holm, 5%)
    """
    planned = read_plan(plan)
    if out is None:
        if isinstance(plan, Mapping | ExperimentPlan):
            raise TypeError(
                "out is missing and has no default, since the plan is not a file; give "
                "the path of the results"
            )
        out = os.path.splitext(os.fspath(plan))[0] + ".sqlite"
    tables = loaded(planned)
    with Store.writing(out) as store:
        store.settle(
            planned, tables, {"Python": python_version()} | {name: version(name) for name in _VERSIONS}
        )
        run_cells(planned, tables, store, n_jobs, retry)
        store.end()
    return Experiment.read(out)


def run_cells(
    plan: ExperimentPlan,
    tables: Sequence[ExperimentTable],
    store: Store,
    n_jobs: int | None = None,
    retry: bool = False,
) -> None:
    """Process the missing cells and store each result when it is ready."""
    settled = {key for key, status in store.statuses().items() if status == DONE or not retry}
    cells = [
        (Key(learner, table.name, *split), table, place)
        for table in tables
        for split, place in split_keys(plan, table)
        for learner in plan.learners
    ]
    waiting = [cell for cell in cells if cell[0] not in settled]
    finished = count(len(cells) - len(waiting) + 1)

    def work(cell: tuple[Key, ExperimentTable, int]) -> None:
        key, table, place = cell
        store.put(key, _cell(plan, key, table, place))
        report(next(finished) / len(cells))

    if not engines.chosen():
        parallel.run(work, waiting, n_jobs)
        return
    # Workers return cells; only this thread writes to the store, and it stores one batch before starting the
    # next.
    batch = engines.TASKS_PER_WORKER * engines.engine().n_workers()
    for at in range(0, len(waiting), batch):
        some = waiting[at : at + batch]
        done = engines.each(partial(_cell_of, plan=plan), some, engines.silent)
        for (key, _, _), cell in zip(some, done, strict=True):
            store.put(key, cell)
            report(next(finished) / len(cells))


def _cell_of(cell: tuple[Key, ExperimentTable, int], plan: ExperimentPlan) -> Cell:
    return _cell(plan, *cell)


def _cell(plan: ExperimentPlan, key: Key, table: ExperimentTable, place: int) -> Cell:
    """Fit one learner to the training rows of one split and test it; errors are part of the result."""
    splits, measure = table.drawn[key.seed].splits, plan.measure
    keep = plan.keep == "all" or (plan.keep == "first" and (key.seed, place) == (plan.seeds[0], 0))
    try:
        learner = ready(plan.learner(key.learner), table.data, key.seed, plan.learners[key.learner])
        X, y = table.data
        task = partial(fit_and_predict, learner, X, y, [splits[place]], keep=True, also=measure.scorer)
        with progress(lambda share: None):
            tested, *_ = within(plan.time_limit, learner, task)
        losses = measure.losses(table.values[tested.test], tested.predicted)
        score = float(tested.also if losses is None else losses.mean())
        if not math.isfinite(score):
            raise InputError(
                f"the {measure.name} is {score}; choose a score that is defined on these test rows"
            )
        return Cell(
            status=DONE,
            score=score,
            fit_seconds=tested.fit_seconds,
            size=size_text(tested.learner),
            predicted=packed(table.codes(tested.predicted)),
            hypothesis=_text(tested.learner) if keep else None,
            model=_model(tested.learner) if keep else None,
        )
    except Exception as problem:
        cause = problem.__cause__ or problem
        return Cell(status=FAILED, error=f"{type(cause).__name__}: {cause}")


def _text(learner: Any) -> str | None:
    """Return the hypothesis as text, if it is readable."""
    found = text_of(learner)
    return None if found is None else found[:LONGEST_TEXT]


def _model(learner: Any) -> bytes | None:
    if hypothesis_of(learner) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.induce")
        save(learner, path)
        with open(path, "rb") as file:
            return file.read()
