"""Time and memory of rule learners beside their peers, every system in a process of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
import polars as pl

import induce
from benchmarks.measure import TIMES, Row, Section, at_most, seconds, speed
from benchmarks.peers.exchange import Given
from benchmarks.peers.learners import INDUCE, command_of, written
from benchmarks.peers.process import Process
from benchmarks.tables import UCI
from benchmarks.trees import draw

REPEATS = 3
PATIENCE = 100.0
"""Seconds after which a learner is not run once more."""
WARM = 300
MINUTES = 10
NOISE, HOLES = 0.05, 0.02
VALUES = 6


@dataclass(frozen=True)
class Race:
    """Our learner on a table beside a peer's, and how many times faster it has to be; or alone, with a limit."""

    table: str
    ours: str
    system: str = "induce"
    theirs: str = ""
    least: float | None = None


RACES = (
    *(
        Race(table, ours, "orange", theirs, 20)
        for table in ("car", "mushroom", "10,000 x 15 mixed")
        for ours, theirs in (('CN2 {"ordered": true}', "CN2Learner"), ("CN2", "CN2UnorderedLearner"))
    ),
    Race("mushroom", "RIPPER", "wittgenstein", "RIPPER", 5),
    Race("10,000 x 20 numeric", "RIPPER", "weka", "rules.JRip", 3),
    Race("10,000 x 20 numeric", "PART", "weka", "rules.PART"),
    *(Race("100,000 x 30 mixed", ours) for ours in ("CN2", 'CN2 {"ordered": true}', "RIPPER", "PART")),
)


@dataclass
class Measured:
    """The best time of a learner in seconds, its memory in MB and the size of its rules."""

    seconds: float = float("inf")
    added: float = 0.0
    peak: float = 0.0
    size: str = ""
    limit: float | None = None

    def learn(self, process: Process, learner: str, path: Path, limit: float | None) -> None:
        """Let it learn once more, unless that takes too long."""
        if self.limit is not None or PATIENCE < self.seconds < float("inf"):
            return
        try:
            found = process.ask("learn", learner, path, limit=limit)
        except TimeoutError:
            self.limit = limit
            return
        if not self.size:
            self.added, self.peak = found["peak"] - found["before"], found["peak"]
        self.seconds = min(self.seconds, found["seconds"])
        self.size = f"{found['rules']:,} rules, {found['conditions']:,} conditions"


def rules_speed(folder: Path | None, places: Mapping[str, str], limit: float = 600.0) -> Iterator[Section]:
    """Every race whose table and peer are there; a peer that needs more than `limit` seconds is not awaited."""
    tables = makers(folder)
    places = {**places, "induce": INDUCE}
    raced = [race for race in RACES if race.table in tables and race.system in places]
    rows = [row for race in raced for row in run(race, tables[race.table](), places, limit)]
    yield Section(
        "Learning rules",
        "All learners run with their defaults on the same rows, column types and declared values. "
        "Only learning is timed, within the process of each system; start-up and reading the table "
        f"are excluded. After a warm-up on {WARM} rows the systems take turns, and the best of "
        f"{REPEATS} counts (1 if a run takes longer than {PATIENCE:.0f} s); a peer is stopped after "
        f"{seconds(limit)}. Memory is the increase in resident memory during the first fit, and the "
        "peak of the process; for Java it reflects the garbage collector more than the learner. Mixed "
        f"rows are generated: half of the columns numeric, half nominal with 2 to {VALUES} values, "
        f"three classes defined by rules, {NOISE:.0%} of the labels wrong, {HOLES:.0%} of the cells "
        "missing; the numeric rows are those of the tree benchmarks above.",
        tuple(rows),
    )


def makers(folder: Path | None) -> dict[str, Callable[[], Given]]:
    """How to make each table; those of the folder only if there is one."""
    found: dict[str, Callable[[], Given]] = {
        "10,000 x 15 mixed": partial(mixed, 10_000, 15),
        "10,000 x 20 numeric": partial(numeric, 10_000),
        "100,000 x 30 mixed": partial(mixed, 100_000, 30),
    }
    if folder is not None:
        found |= {name: partial(_read, folder, name) for name in ("car", "mushroom")}
    return {name: cache(make) for name, make in found.items()}


def _read(folder: Path, name: str) -> Given:
    target, aside = UCI[name]
    return Given.dataset(induce.read(folder / "tables" / f"{name}.csv", target=target, ignore=aside))


def numeric(n: int) -> Given:
    """Rows of the problem that trees are grown on."""
    X, y = draw(n)
    return Given(tuple(f"x{i}" for i in range(X.shape[1])), (None,) * X.shape[1], ("0", "1"), X, y)


def mixed(n: int, n_columns: int) -> Given:
    """Rows of the mixed table as a peer takes them."""
    return Given.dataset(induce.read(mixed_table(n, n_columns), target="class"))


def mixed_table(n: int, n_columns: int) -> pl.DataFrame:
    """Rows with numeric and nominal columns in turn; a few rules say the class of most of them."""
    from induce.data.generate import label_noise, missing_values

    rng = np.random.default_rng(0)
    columns = []
    for i in range(n_columns):
        if i % 2 == 0:
            values = rng.normal(size=n)
            columns.append(pl.Series(f"x{i}", values.round(1) if i % 4 else values))
        else:
            domain = [f"v{k}" for k in range(2 + i // 2 % (VALUES - 1))]
            columns.append(pl.Series(f"x{i}", rng.choice(domain, n), pl.Enum(domain)))
    X = pl.DataFrame(columns)
    said = pl.select(
        pl.when((X["x0"] > 0.5) & (X["x1"] == "v1"))
        .then(pl.lit("first"))
        .when((X["x2"] <= -0.3) & (X["x3"] != "v0") | (X["x4"] > 1) & (X["x5"] == "v2"))
        .then(pl.lit("second"))
        .otherwise(pl.lit("third"))
        .alias("class")
    ).to_series()
    holed, noisy = missing_values(X, HOLES, 0), label_noise(said, NOISE, 0)
    return holed.with_columns(noisy)


def run(race: Race, given: Given, places: Mapping[str, str], limit: float) -> list[Row]:
    """Both sides in turn; the rows of the report on time, memory and size."""
    sides = {"induce": race.ours, race.system: race.theirs or race.ours}
    found = {system: Measured() for system in sides}
    with tempfile.TemporaryDirectory() as folder:
        processes = {system: Process(command_of(system, places[system])) for system in sides}
        try:
            paths = {system: written(given, process.command, folder) for system, process in processes.items()}
            for system, learner in sides.items():
                processes[system].ask("learn", learner, paths[system], WARM)
            for _ in range(REPEATS):
                for system, learner in sides.items():
                    most = None if system == "induce" else limit
                    found[system].learn(processes[system], learner, paths[system], most)
        finally:
            for process in processes.values():
                process.close()
    ours = found.pop("induce")
    shown = f"`{shown_call(race.ours)}` on {race.table.replace(' x ', f' {TIMES} ')}"
    if not found:
        return [
            at_most(f"{shown}: learning", ours.seconds, 60 * MINUTES),
            Row(f"{shown}: memory increase, peak", _megabytes(ours)),
            Row(f"{shown}: size", ours.size),
        ]
    theirs = found[race.system]
    name = race.system.capitalize() if race.system != "wittgenstein" else race.system
    return [
        _speed(f"{shown}: learning", ours, f"{name} {race.theirs}", theirs, race.least),
        Row(f"{shown}: memory increase, peak", _megabytes(ours), _megabytes(theirs)),
        Row(f"{shown}: size", ours.size, theirs.size),
    ]


def shown_call(learner: str) -> str:
    """A learner as one would write it.

    Examples
    --------
    >>> shown_call('CN2 {"ordered": true}')
    'CN2(ordered=True)'
    """
    import json

    kind, _, parameters = learner.partition(" ")
    return f"{kind}({', '.join(f'{key}={value}' for key, value in json.loads(parameters or '{}').items())})"


def _speed(what: str, ours: Measured, peer: str, theirs: Measured, least: float | None) -> Row:
    if theirs.limit is None:
        return speed(what, ours.seconds, peer, theirs.seconds, least)
    ratio = theirs.limit / ours.seconds
    return Row(
        what,
        seconds(ours.seconds),
        f"{peer} more than {seconds(theirs.limit)}",
        f"more than {ratio:.1f}{TIMES}",
        "" if least is None else f"≥ {least:g}{TIMES}",
        True if least is not None and ratio >= least else None,
    )


def _megabytes(of: Measured) -> str:
    return f"{of.added:,.0f} MB, {of.peak:,.0f} MB" if of.size else ""
