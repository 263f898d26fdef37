"""Report of an experiment as a single self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from induce.evaluation.comparing.datasets import DatasetsComparison
from induce.evaluation.experiments._page import Html, boxed, element, html, page, picture, table
from induce.evaluation.experiments.pictures import draw_ranks, draw_scores
from induce.evaluation.experiments.results import Experiment
from induce.evaluation.experiments.verdicts import ALPHA, Standing
from induce.statistics.verdict import p_text

MOST_FAILURES = 200
MOST_LETTERS = 40_000


def html_report(experiment: Experiment) -> str:
    """Return the report of an experiment as an HTML page.

    Examples
    --------
    >>> import os, tempfile
    >>> from induce.evaluation.experiments import experiment
    >>> plan = {"learners": {"<tree>": "C45"}, "datasets": {"iris": "iris"}, "splits": {"folds": 2}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shown = html_report(experiment(plan, os.path.join(folder, "r.sqlite")))
    >>> "&lt;tree&gt;" in shown, "<tree>" in shown
    (True, False)
    """
    sections = [
        ("scores", experiment.measure.name.capitalize(), _scores(experiment)),
        ("ranking", "Over all data sets", _ranking(experiment)),
        ("splits", "Split by split", _splits(experiment)),
        ("time", "Time", _time(experiment)),
        ("hypotheses", "Hypotheses", _hypotheses(experiment)),
        ("failures", "Failures", _failures(experiment)),
        ("run", "Plan", _run(experiment)),
    ]
    shown = [(id, name, inside) for id, name, inside in sections if inside]
    return page(experiment.title or "Experiment", shown, _lead(experiment))


def _lead(experiment: Experiment) -> Html:
    done, failed = len(experiment.cells) - len(experiment.failed), len(experiment.failed)
    waiting = experiment.planned - len(experiment.cells)
    state = [f"{done:,} of {experiment.planned:,} cells are done"]
    state += [f"{failed:,} failed"] if failed else []
    state += [f"{waiting:,} are pending"] if waiting else []
    return Html(
        element(
            "p",
            f"{_many(len(experiment.learners), 'learner')} on {_many(len(experiment.datasets), 'data set')}, by "
            f"{experiment.method}{_seeds(experiment)}. {', '.join(state)}.",
        )
        + element("p", experiment.overall.says)
    )


def _scores(experiment: Experiment) -> Html:
    better = "higher" if experiment.measure.higher else "lower"
    rows = []
    for tried in experiment.datasets:
        here = [each for each in experiment.standings if each.dataset == tried.name]
        size = f"{tried.rows:,} rows, {_many(tried.columns, 'column')}"
        size += "" if tried.n_classes is None else f", {tried.n_classes} classes"
        rows.append(
            [
                Html(html(tried.name) + element("small", f" {size}")),
                *(_cell(each, experiment) for each in here),
            ]
        )
    shared = any(tried.splits > 1 for tried in experiment.datasets)
    caption = f"Mean {experiment.measure.name} with its 95% interval; {better} is better."
    explained = element(
        "p",
        element("strong", "Bold"),
        ": the best mean of a data set. ",
        element("span", "▼ p", class_="worse"),
        ": worse than the best (cautious resampled t test on the same splits, p-values corrected by "
        "Holm's method, 5% level). The others are not significantly different from the best on these "
        "splits.",
        " Intervals are approximate because the splits share training rows." if shared else "",
        class_="soft",
    )
    return Html(table(caption, ["data set", *experiment.learners], rows) + explained)


def _cell(standing: Standing, experiment: Experiment) -> Html:
    if not standing.done:
        failed = experiment.failed.filter(learner=standing.learner, dataset=standing.dataset)
        return element("td", "failed" if len(failed) else "not yet")
    parts = [html(experiment.measure.text(standing.mean))]
    if standing.interval is not None:
        low, high = (
            experiment.measure.text(bound) for bound in (standing.interval.low, standing.interval.high)
        )
        parts.append(element("small", f"[{low}, {high}]"))
    if standing.worse:
        parts.append(element("small", f"▼ {p_text(standing.p_value)}", class_="worse"))
    if standing.done < standing.splits:
        parts.append(element("small", f"{standing.done} of {standing.splits} splits"))
    return element("td", *parts, class_="best" if standing.best else "")


def _ranking(experiment: Experiment) -> Html:
    found = experiment.overall
    left_out = [name for name in experiment.learners if name not in found.learners]
    left_out += [each.name for each in experiment.datasets if each.name not in found.datasets]
    says = [element("p", found.says if found.ranking is None else found.detail)]
    if found.ranking is not None:
        if left_out:
            says.append(element("p", f"Omitted because of incomplete results: {', '.join(left_out)}."))
        caption = "Mean ranks (1 is best). Learners joined by a bar are not significantly different."
        drawn = picture(draw_ranks(found.ranking), "Critical-difference diagram", "")
        says.append(boxed(drawn, caption))
        means = found.ranking.mean_ranks
        rows = [
            [
                found.ranking.names[place],
                f"{means[place]:.2f}",
                *map("{:g}".format, found.ranking.ranks[:, place]),
            ]
            for place in found.ranking.order
        ]
        says.append(table("Ranks on each data set.", ["learner", "mean rank", *found.datasets], rows))
    if found.comparison is not None:
        says.append(_pairs(found.comparison))
    return Html("".join(says))


def _pairs(compared: DatasetsComparison) -> Html:
    """Return a table of all pairs of learners over the data sets."""
    rows = []
    for pair in compared.pairs:
        wins = compared.wins(pair.first, pair.second)
        said = element("strong" if pair.differs(ALPHA) else "span", p_text(pair.p_value))
        rows.append([f"{pair.first} and {pair.second}", *map(str, wins), said])
    corrected = ", p-values corrected by Holm's method" if len(rows) > 1 else ""
    caption = (
        f"Pairs of learners over the data sets: Wilcoxon's signed-rank test{corrected}; bold at the 5% level."
    )
    return table(caption, ["learners", "first better", "equal", "second better", "p"], rows)


def _splits(experiment: Experiment) -> Html:
    best = {each.dataset: each.learner for each in reversed(experiment.standings) if each.best}
    name = experiment.measure.name
    pictures = [
        picture(
            draw_scores(experiment.scores(tried.name), best.get(tried.name), name),
            f"{name} on {tried.name}, split by split",
            tried.name,
        )
        for tried in experiment.datasets
    ]
    explained = (
        "Each dot is a split. The box spans the middle half, its line is the median, and the diamond "
        "is the mean."
    )
    return Html(element("p", explained, class_="soft") + element("div", *pictures, class_="grid"))


def _time(experiment: Experiment) -> Html:
    rows = [
        [tried.name, *(_seconds(each.seconds) for each in experiment.standings if each.dataset == tried.name)]
        for tried in experiment.datasets
    ]
    totals = [
        sum(experiment.cells.filter(pl.col("learner") == name)["fit_seconds"].drop_nulls().to_list())
        for name in experiment.learners
    ]
    rows.append(["all fits together", *(_seconds(total or None) for total in totals)])
    return table("Mean time per fit.", ["data set", *experiment.learners], rows)


def _hypotheses(experiment: Experiment) -> Html:
    parts: list[Html] = []
    for tried in experiment.datasets:
        shown = [
            _hypothesis(each, experiment.hypotheses[each.learner, each.dataset], opened=not parts)
            for each in experiment.standings
            if each.dataset == tried.name and (each.learner, each.dataset) in experiment.hypotheses
        ]
        if shown:
            parts += [element("h3", tried.name), element("div", *shown, class_="grid")]
    if not parts:
        return Html("")
    return Html(element("p", "Hypotheses trained on the first split.", class_="soft") + "".join(parts))


def _hypothesis(standing: Standing, text: str, opened: bool) -> Html:
    cut = text[:MOST_LETTERS] + (
        f"\n… {len(text) - MOST_LETTERS:,} more letters" * (len(text) > MOST_LETTERS)
    )
    summary = element("summary", standing.learner, " ", element("small", standing.size))
    return element("details", summary, element("pre", cut, tabindex="0"), **({"open": ""} if opened else {}))


def _failures(experiment: Experiment) -> Html:
    failed = experiment.failed.group_by("learner", "dataset", "error", maintain_order=True).agg(
        pl.len(), pl.struct("seed", "repeat", "fold").first().alias("first")
    )
    if not len(failed):
        return Html("")
    rows = [
        [
            learner,
            dataset,
            f"{count:,}",
            ", ".join(f"{name} {value}" for name, value in first.items()),
            element("td", error, class_="text"),
        ]
        for learner, dataset, error, count, first in failed.head(MOST_FAILURES).rows()
    ]
    caption = "Cells that failed; `induce experiment --retry` runs them again."
    return table(caption, ["learner", "data set", "cells", "the first", "error"], rows)


def _run(experiment: Experiment) -> Html:
    facts = [
        ("splits", experiment.method),
        ("seeds", ", ".join(map(str, experiment.seeds))),
        ("measured", experiment.measure.name),
        *_runs(experiment),
    ]
    listed = element(
        "dl", *(part for name, text in facts for part in (element("dt", name), element("dd", text)))
    )
    plan = element("details", element("summary", "The plan"), element("pre", experiment.plan, tabindex="0"))
    return Html(listed + plan)


def _runs(experiment: Experiment) -> Iterator[tuple[str, str]]:
    for run in experiment.runs:
        ended = f"to {_moment(run['ended'])}" if run["ended"] else "not ended"
        cells = experiment.cells.filter(pl.col("run") == run["run"]).height
        versions = ", ".join(f"{name} {number}" for name, number in json.loads(run["versions"]).items())
        yield f"run {run['run']}", f"{_moment(run['started'])} {ended}, {_many(cells, 'cell')}; {versions}"


def _moment(written: str) -> str:
    return f"{written[:10]} {written[11:16]} UTC"


def _seeds(experiment: Experiment) -> str:
    return f", with {len(experiment.seeds)} seeds" if len(experiment.seeds) > 1 else ""


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 1:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 600 else f"{seconds / 60:,.0f} min"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
