"""Results of an experiment: the scores, the best learner on each data set, and the best overall."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.core.persistence import load
from induce.data.names import unknown
from induce.evaluation.experiments.store import DONE, FAILED, Store, unpacked
from induce.evaluation.experiments.verdicts import Overall, Standing, overall, standings
from induce.evaluation.losses.measure import Measure
from induce.evaluation.reports import html_table, text_table

Floats = NDArray[np.float64]
_CELLS = {
    "learner": pl.String,
    "dataset": pl.String,
    "seed": pl.Int64,
    "repeat": pl.Int64,
    "fold": pl.Int64,
    "status": pl.String,
    "error": pl.String,
    "score": pl.Float64,
    "fit_seconds": pl.Float64,
    "size": pl.String,
    "run": pl.Int64,
    "finished": pl.String,
    "attempts": pl.Int64,
}
_ORDER = "dataset, seed, repeat, fold, learner"


@dataclass(frozen=True)
class Tried:
    """A data set of an experiment.

    Parameters
    ----------
    name, target : str
    rows, columns : int
        Number of rows, and number of input columns.
    n_classes : int or None
        Number of classes; None for regression.
    splits : int
        Number of splits over all seeds.
    tested : int
        Number of distinct test rows.
    test_share : float
        Mean ratio of test rows to training rows.
    """

    name: str
    target: str
    rows: int
    columns: int
    n_classes: int | None
    splits: int
    tested: int
    test_share: float


@dataclass(frozen=True, eq=False)
class Experiment:
    """The results of an experiment, as stored in its file.

    Parameters
    ----------
    path : str
        The results file.
    title, method : str
        Title, and resampling method.
    measure : Measure
        Measure of the scores; a measure read from a file cannot compute new scores.
    learners : tuple of str
        Names of the learners, in the order of the plan.
    datasets : tuple of Tried
        Names of the data sets, in the order of the plan.
    seeds : tuple of int
        Random seeds of the plan.
    cells : polars.DataFrame
        One row per processed cell: learner, data set, seed, repeat, fold, status, error, score, training time in
        seconds and size of the hypothesis.
    hypotheses : dict from (learner, data set) to str
        Hypotheses of the first split, if they are readable and were stored.
    runs : tuple of dict
        Dates and software versions of the runs.
    plan : str
        Original text of the plan.
    """

    path: str
    title: str
    method: str
    measure: Measure
    learners: tuple[str, ...]
    datasets: tuple[Tried, ...]
    seeds: tuple[int, ...]
    cells: pl.DataFrame = field(repr=False)
    hypotheses: dict[tuple[str, str], str] = field(repr=False)
    runs: tuple[dict[str, Any], ...] = field(repr=False)
    plan: str = field(repr=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a results file of a finished or unfinished run.

        Parameters
        ----------
        path : str or path-like
        """
        with Store.reading(path) as store:
            about = store.about()
            if not about:
                raise InputError(f"{os.fspath(path)!r} holds no results yet; run `induce experiment` again")
            tests: dict[str, list[tuple[int, NDArray[Any]]]] = {}
            for row in store.rows("splits", "dataset, train, test"):
                tests.setdefault(row["dataset"], []).append((row["train"], unpacked(row["test"])))
            texts = store.rows(
                "cells", "learner, dataset, hypothesis", f"seed <> {int(about['seeds'][0])}, {_ORDER}"
            )
            return cls(
                path=os.fspath(path),
                title=about["title"],
                method=about["splits"],
                measure=Measure(about["score"], about["higher"]),
                learners=tuple(row["name"] for row in store.rows("learners", order="place")),
                datasets=tuple(
                    _tried(row, tests[row["name"]]) for row in store.rows("datasets", order="place")
                ),
                seeds=tuple(about["seeds"]),
                cells=pl.DataFrame(store.rows("cells", ", ".join(_CELLS), _ORDER), schema=_CELLS),
                hypotheses={
                    (row["learner"], row["dataset"]): row["hypothesis"]
                    for row in reversed(texts)
                    if row["hypothesis"] is not None
                },
                runs=tuple(store.rows("runs")),
                plan=about["plan"],
            )

    @property
    def planned(self) -> int:
        """Number of cells of the plan."""
        return len(self.learners) * sum(tried.splits for tried in self.datasets)

    @property
    def failed(self) -> pl.DataFrame:
        """Cells that failed."""
        return self.cells.filter(self.cells["status"] == FAILED)

    def scores(self, dataset: str) -> dict[str, Floats]:
        """Return the score of each learner on each split of a data set; NaN if missing.

        The splits are the same for all learners, so the scores are paired.
        """
        self._check_names(None, dataset)
        return self._scores[dataset]

    @cached_property
    def _scores(self) -> dict[str, dict[str, Floats]]:
        found: dict[str, dict[str, Floats]] = {}
        for tried in self.datasets:
            here = self.cells.filter(self.cells["dataset"] == tried.name)
            splits = here.select("seed", "repeat", "fold").unique(maintain_order=True)
            places = {split: place for place, split in enumerate(splits.rows())}
            found[tried.name] = {name: np.full(tried.splits, np.nan) for name in self.learners}
            for learner, *split, score in here.select("learner", "seed", "repeat", "fold", "score").rows():
                found[tried.name][learner][places[tuple(split)]] = np.nan if score is None else score
        return found

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Verdict on each learner, grouped by data set."""
        return tuple(
            replace(standing, seconds=seconds, size=size)
            for tried in self.datasets
            for standing in standings(self.scores(tried.name), tried, self.measure)
            for seconds, size in [self._means(standing.learner, tried.name)]
        )

    @cached_property
    def overall(self) -> Overall:
        """Best learner over all data sets, if there is one."""
        means = {(each.learner, each.dataset): each for each in self.standings}
        return overall(means, self.learners, [tried.name for tried in self.datasets], self.measure)

    def table(self) -> pl.DataFrame:
        """Return one row per learner and data set.

        The columns are the mean score and its interval, the numbers of finished and failed splits, the mean training
        time, the size of the first hypothesis, whether the learner is the best on the data set, and the p-value of
        the difference from the best (cautious resampled t test with Holm's correction).
        """
        return pl.DataFrame([standing.row() for standing in self.standings], infer_schema_length=None)

    def predicted(self, learner: str, dataset: str) -> pl.DataFrame:
        """Return the predictions of a learner in every split of a data set, row by row, with the true values."""
        self._check_names(learner, dataset)
        with Store.reading(self.path) as store:
            (about,) = store.rows("datasets", name=dataset)
            tests = {
                (row["seed"], row["repeat"], row["fold"]): unpacked(row["test"])
                for row in store.rows("splits", dataset=dataset)
            }
            wanted = store.rows("cells", "*", _ORDER, learner=learner, dataset=dataset, status=DONE)
        actual, classes = unpacked(about["actual"]), about["classes"]
        names = None if classes is None else np.asarray(pl.Series(values=_values(classes)))
        frames = []
        for row in wanted:
            split = (row["seed"], row["repeat"], row["fold"])
            said, true = unpacked(row["predicted"]), actual[tests[split]]
            frames.append(
                pl.DataFrame({"seed": split[0], "repeat": split[1], "fold": split[2], "row": tests[split]})
                .with_columns(actual=true if names is None else names[true])
                .with_columns(predicted=said if names is None else names[said])
            )
        return pl.concat(frames) if frames else pl.DataFrame()

    def fitted(self, learner: str, dataset: str) -> Any:
        """Return the induce learner fitted in the first split of a data set, if it was stored."""
        self._check_names(learner, dataset)
        with Store.reading(self.path) as store:
            rows = store.rows("cells", "model", _ORDER, learner=learner, dataset=dataset)
        kept = [row["model"] for row in rows if row["model"] is not None]
        if not kept:
            raise InputError(
                f"no hypothesis of {learner!r} on {dataset!r} was stored; those of induce "
                "are stored unless keep is 'none'"
            )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.induce")
            write_whole(path, kept[0])
            return load(path)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the report as a single self-contained HTML file.

        Parameters
        ----------
        path : str or path-like
        """
        from induce.evaluation.experiments.report import html_report

        write_whole(path, html_report(self).encode())

    def __str__(self) -> str:
        lines = [text_table(*self._matrix())]
        marks = "".join(standing.mark for standing in self.standings)
        legend = [says for mark, says in _LEGEND.items() if mark in marks]
        return "\n".join([*lines, *(["; ".join(legend)] if legend else []), *self._missing()])

    def _repr_html_(self) -> str:
        return html_table(self.title or "experiment", *self._matrix())

    def _check_names(self, learner: str | None, dataset: str) -> None:
        if dataset not in (names := [tried.name for tried in self.datasets]):
            raise unknown("data set", dataset, names)
        if learner is not None and learner not in self.learners:
            raise unknown("learner", learner, self.learners)

    def _matrix(self) -> tuple[list[str], list[list[str]]]:
        by_dataset: dict[str, list[str]] = {tried.name: [tried.name] for tried in self.datasets}
        for standing in self.standings:
            shown = (
                "none " if standing.done == 0 else self.measure.text(standing.mean) + (standing.mark or " ")
            )
            by_dataset[standing.dataset].append(shown)
        return [self.measure.name, *(f"{name} " for name in self.learners)], list(by_dataset.values())

    def _missing(self) -> list[str]:
        done, failed = len(self.cells) - len(self.failed), len(self.failed)
        counted = [f"{failed:,} failed"] if failed else []
        waiting = self.planned - len(self.cells)
        counted += [f"{waiting:,} pending"] if waiting else []
        return [f"{done:,} of {self.planned:,} cells done, {', '.join(counted)}"] if counted else []

    def _means(self, learner: str, dataset: str) -> tuple[float | None, str]:
        rows = self.cells.filter((pl.col("learner") == learner) & (pl.col("dataset") == dataset))
        times = rows["fit_seconds"].drop_nulls()
        sizes = [size for size in rows["size"].to_list() if size]
        return (float(np.mean(times.to_numpy())) if len(times) else None), sizes[0] if sizes else ""


_LEGEND = {"*": "* best", "-": "- worse than the best (cautious resampled t, Holm, 5%)"}


def _values(classes: str) -> list[Any]:
    found: list[Any] = json.loads(classes)
    return found


def _tried(row: dict[str, Any], splits: Sequence[tuple[int, NDArray[Any]]]) -> Tried:
    return Tried(
        name=row["name"],
        target=row["target"],
        rows=row["rows"],
        columns=row["columns"],
        n_classes=None if row["classes"] is None else len(_values(row["classes"])),
        splits=len(splits),
        tested=int(np.unique(np.concatenate([test for _, test in splits])).size),
        test_share=float(np.mean([len(test) / train for train, test in splits])),
    )
