"""Pairs of learners, ours and a peer's, on the same folds of real tables: an experiment that peers take part in."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import clone

import induce
from benchmarks.comparison import verdict
from benchmarks.measure import Listing
from benchmarks.peers.learners import Peer, command_of
from induce.evaluation.experiments.plan import ExperimentPlan, read_plan
from induce.statistics import corrected_t, holm, wilcoxon

SIZE = re.compile(r"([\d,]+) rules?, ([\d,]+) conditions?")


@dataclass(frozen=True)
class Pair:
    """A learner of the plan, and the learner of another system that it is compared with."""

    ours: str
    shown: str
    system: str
    theirs: str

    @property
    def peer(self) -> str:
        """What the peer is called in the experiment and in the report."""
        return f"{self.system.capitalize()} {self.theirs.partition('.')[2] or self.theirs}"


@dataclass(frozen=True)
class WithPeers(ExperimentPlan):
    """The plan of an experiment in which some learners are not made from their definition: they are given."""

    given: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def learner(self, name: str) -> Any:
        """A new learner of the plan."""
        return clone(self.given[name]) if name in self.given else super().learner(name)

    @classmethod
    def joined(cls, plan: ExperimentPlan, peers: Mapping[str, Any]) -> WithPeers:
        """The plan with more learners."""
        more = {name: {"learner": name} for name in peers}
        kept = {each.name: getattr(plan, each.name) for each in fields(plan)}
        return cls(**kept | {"learners": {**plan.learners, **more}}, given=peers)


@dataclass(frozen=True, eq=False)
class Tally:
    """What a learner did on one table: the error of each fold, and the mean size of its rules."""

    errors: Any
    rules: float
    conditions: float

    @property
    def error(self) -> float:
        """The mean of the folds."""
        return float(self.errors.mean())

    def cells(self, sized: bool) -> tuple[str, ...]:
        """Error and, of rules, size as the listing shows them."""
        if not sized:
            return (f"{self.error:.2%}",)
        length = self.conditions / self.rules if self.rules else 0.0
        return f"{self.error:.2%}", f"{self.rules:.1f} of {length:.2f}"


def paired(
    plan_file: Path | Mapping[str, Any],
    pairs: Sequence[Pair],
    folder: Path,
    places: Mapping[str, str],
    results: Path | None = None,
) -> list[Listing]:
    """Run what is missing of the experiment and compare each pair whose peer has a place on this machine."""
    if results is None:
        with tempfile.TemporaryDirectory() as work:
            return paired(plan_file, pairs, folder, places, Path(work, "results.sqlite"))
    pairs = [pair for pair in pairs if pair.system in places]
    peers = {pair.peer: Peer(pair.theirs, command_of(pair.system, places[pair.system])) for pair in pairs}
    plan = replace(read_plan(plan_file), folder=str(folder))
    wanted = {pair.ours: plan.learners[pair.ours] for pair in pairs}
    joined = WithPeers.joined(replace(plan, learners=wanted), peers)
    found = induce.experiment(joined, results)
    described = {tried.name: describe(joined, tried) for tried in found.datasets}
    return [listing(pair, found, described) for pair in pairs]


def describe(plan: ExperimentPlan, tried: Any) -> tuple[str, ...]:
    """Name, rows, columns, numeric columns, classes and missing cells of a table."""
    said = dict(plan.datasets[tried.name])
    data = induce.read(Path(plan.folder, said.pop("data")), **said)
    numeric = sum(column.kind == "numeric" for column in data.input_schema.inputs())
    missing = sum(data.X.null_count().row(0)) / (data.X.width * data.X.height)
    return (
        tried.name,
        f"{tried.rows:,}",
        f"{tried.columns} ({numeric})",
        str(tried.n_classes),
        f"{missing:.1%}" if missing else "none",
    )


def tally(found: Any, learner: str, dataset: str) -> Tally:
    """Collect the folds of a learner on a table."""
    cells = found.cells.filter((pl.col("learner") == learner) & (pl.col("dataset") == dataset))
    sizes = [match.groups() for text in cells["size"].to_list() if (match := SIZE.fullmatch(text or ""))]
    counts = np.array([[float(count.replace(",", "")) for count in size] for size in sizes] or [[np.nan] * 2])
    return Tally(found.scores(dataset)[learner], *counts.mean(axis=0).tolist())


def listing(pair: Pair, found: Any, described: Mapping[str, tuple[str, ...]]) -> Listing:
    """A line for each table, and the test over all of them; a table that a side did not finish is not tested."""
    sides = [(tally(found, pair.ours, name), tally(found, pair.peer, name)) for name in described]
    shares = [tried.test_share for tried in found.datasets]
    p_values = holm([p_value(*side, share) for side, share in zip(sides, shares, strict=True)])
    sized = not np.isnan(sides[0][0].rules)
    lines = []
    for cells, (ours, theirs), p in zip(described.values(), sides, p_values, strict=True):
        points = 100 * (theirs.error - ours.error)
        said = ("", "", "not tested") if np.isnan(p) else (f"{points:+.2f}", f"{p:.3f}", verdict(points, p))
        lines.append((*cells, *ours.cells(sized), *theirs.cells(sized), *said))
    head = ("table", "rows", "columns (numeric)", "classes", "missing")
    of_rules = ("rules of mean length",) if sized else ()
    also = ", as are the numbers of rules and conditions, which exclude the default rule" if sized else ""
    return Listing(
        f"{pair.shown} and {pair.peer} on real tables",
        f"{found.method.capitalize()} by `induce experiment` on the same folds and the same declared values, with "
        f"default parameters except those named. Error is the mean over the folds{also}. p is the p-value of the "
        "corrected resampled t test on the folds, with Holm's correction for the number of tables; worse and better "
        "mean a significant difference at the 5 % level.",
        (*head, pair.shown, *of_rules, pair.peer, *of_rules, "points better", "p", f"{pair.shown} is"),
        tuple(lines),
        over_tables(pair, sides),
    )


def p_value(ours: Tally, theirs: Tally, share: float) -> float:
    """The corrected resampled t test of a table; NaN where a fold is missing, 1 where all folds agree."""
    differences = ours.errors - theirs.errors
    return float("nan") if np.isnan(differences).any() else corrected_t(differences, share).p_value


def over_tables(pair: Pair, sides: Sequence[tuple[Tally, Tally]]) -> str:
    """Wilcoxon's signed-rank test on the mean errors, in a sentence."""
    points = np.array([100 * (theirs.error - ours.error) for ours, theirs in sides]).round(9)
    points = points[~np.isnan(points)]
    if not points.size:
        return ""
    return (
        f"Over {len(points)} tables {pair.shown} is better on {(points > 0).sum()}, equal on {(points == 0).sum()} "
        f"and worse on {(points < 0).sum()}; the mean difference is {points.mean():+.2f} points. Wilcoxon's "
        f"signed-rank test: p = {wilcoxon(points).p_value:.3f}."
    )
