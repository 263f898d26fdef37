"""`induce experiment`: the learners, data sets, splits and seeds of a plan."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json
from induce.core.commands import command
from induce.core.reports import shortened

if TYPE_CHECKING:
    from induce.evaluation.experiments import Experiment


def experiment(
    plan: Annotated[
        str, typer.Argument(metavar="PLAN", help="TOML file with learners, datasets, splits and seeds.")
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Results file; by default beside the plan, ending in .sqlite."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Number of parallel jobs; -1 uses all processors.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Run failed fits again.")] = False,
    as_json: Json = False,
) -> None:
    """Run learners on data sets by a plan; results in the results file are not computed again."""
    from induce.cli.output import check_writable, put_json, put_lines
    from induce.core.errors import InputError
    from induce.evaluation.experiments import experiment as run

    check_writable(out)
    if jobs == 0:
        raise InputError("--jobs is 0; give a number of at least 1, or -1 for all processors")
    with _time_left("running"):
        found = run(plan, out, n_jobs=jobs, retry=retry)
    if as_json:
        put_json(_document(found))
    else:
        put_lines(*_lines(found))


@contextmanager
def _time_left(doing: str) -> Iterator[None]:
    """Show progress and the remaining time on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from induce.core.progress import progress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    # fits of different learners differ in time, so the estimate uses all past fits instead of the last
    shown = Progress(
        *columns, console=Console(stderr=True), transient=True, speed_estimate_period=float("inf")
    )
    with shown, progress(lambda share: shown.update(task, total=1.0, completed=share)):
        task = shown.add_task(doing, total=None)
        yield


def _lines(found: Experiment) -> list[str]:
    lines = [
        f"{found.title or 'experiment'}: {found.method}",
        "",
        *str(found).splitlines(),
        "",
        found.overall.says,
    ]
    first = found.failed.head(1).rows(named=True)
    lines += [
        f"the first failure: {each['learner']} on {each['dataset']}: {_brief(each['error'])}"
        for each in first
    ]
    return [*lines, f"results in {found.path}; {command('report', str(found.path))} writes a report"]


def _brief(error: str, most: int = 200) -> str:
    line = " ".join(error.split())
    return shortened(line, most + 1)


def _document(found: Experiment) -> dict[str, Any]:
    from induce.core.plain import plain

    ranking = found.overall.ranking
    document = {
        "file": found.path,
        "title": found.title,
        "splits": found.method,
        "seeds": found.seeds,
        "score": found.measure.name,
        "higher_is_better": found.measure.higher,
        "cells": {
            "planned": found.planned,
            "done": len(found.cells) - len(found.failed),
            "failed": len(found.failed),
        },
        "results": found.table().to_dicts(),
        "overall": {
            "says": found.overall.says,
            "mean_ranks": None
            if ranking is None
            else dict(zip(ranking.names, ranking.mean_ranks.tolist(), strict=True)),
            "p_value": None if ranking is None else ranking.p_value,
            "critical_difference": None if ranking is None else ranking.critical_difference(),
        },
        "failures": found.failed.select("learner", "dataset", "seed", "repeat", "fold", "error").to_dicts(),
    }
    return dict(plain(document))
