"""Judge `induce relate` on databases made by seeds: the rule that it finds, its answers, processor time and memory.

``python -m benchmarks.relational_judge --family hospital shop --literals 5 8 --hard plain all --seed 7``
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Listing
from benchmarks.relational_databases import FAMILIES, HARD, Made
from benchmarks.relational_library import library
from benchmarks.relational_schemas import FRESH

EVERY = FAMILIES | FRESH | {"library": library}
LITERALS = (2, 5, 8)
ROWS, MANY_ROWS = 25_000, 160_000
SEEDS = (1001, 1002, 1003)


@dataclass(frozen=True)
class Verdict:
    """What was learned from one database."""

    family: str
    literals: int
    hard: str
    seed: int
    share: float
    """Share of positive examples by the rule."""
    size: str
    right: float
    """Share of the examples answered as by the rule, whatever their labels say."""
    fresh: float
    """The same in a database of another seed."""
    sql: float
    """Share of the examples of both about which the exported SQL says what the prover says."""
    seconds: float
    megabytes: float
    theory: str

    def cells(self) -> tuple[str, ...]:
        """Return the verdict as a row of a table."""
        return (
            f"{self.family}, {self.hard}, seed {self.seed}",
            str(self.literals),
            f"{self.share:.1%}",
            self.size,
            f"{self.right:.4f}",
            f"{self.fresh:.4f}",
            f"{self.sql:.4f}",
            f"{self.seconds:.1f} s",
            f"{self.megabytes:.0f} MB",
        )


def relate(*arguments: str) -> tuple[float, float, str]:
    """Run `induce relate`; return its processor seconds, its memory in megabytes, and its error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = subprocess.Popen(
        [sys.executable, "-c", "from induce.cli import main; main()", "relate", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "2"},
    )
    peak = 0.0
    while started.poll() is None:
        try:
            status = Path(f"/proc/{started.pid}/status").read_text(encoding="utf-8")
            peak = max(
                peak, *(float(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
            )
        except (OSError, TypeError):
            pass
        time.sleep(0.1)
    error = "" if started.stderr is None else started.stderr.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, peak / 1024, error if started.returncode else ""


def by_sql(query: str, made: Made) -> NDArray[np.bool_]:
    """Ask an exported query about the examples of a database."""
    with closing(sqlite3.connect(made.path)) as database:
        cursor = database.execute(query)
        place = [name for name, *_ in cursor.description].index("prediction")
        said = {row[0]: bool(row[place]) for row in cursor}
    return np.array([said[key] for key in made.inside])


def judged(family: str, literals: int, hard: str, seed: int, n_rows: int, *options: str) -> Verdict:
    """Make a database, learn from it by the command line, and ask the theory about it and about a fresh one."""
    import induce
    from induce.relational.readers.databases import read_database

    with tempfile.TemporaryDirectory() as folder:
        made, other = (
            EVERY[family](Path(folder, f"{name}.db"), one, n_rows, literals, HARD[hard])
            for name, one in (("old", seed), ("new", seed + 1000))
        )
        saved = str(Path(folder, "model.induce"))
        seconds, megabytes, error = relate(
            f"sqlite:///{made.path}",
            "--target",
            made.target,
            "--label",
            made.label,
            "--out",
            saved,
            *options,
        )
        share = float(np.mean([*made.inside.values()]))
        if error:
            return Verdict(
                family, literals, hard, seed, share, "failed", 0, 0, 0, seconds, megabytes, error[-400:]
            )
        theory = induce.load(saved).hypothesis_
        query = theory.to_sql()
        answers, same = [], []
        for one in (made, other):
            asked = theory.with_background(read_database(one.path))
            said = np.asarray(asked.predict([[key] for key in one.inside])).astype(bool)
            answers.append(float((said == np.array([*one.inside.values()])).mean()))
            same += [*(said == by_sql(query, one))]
    size = str(theory.size())
    return Verdict(
        family,
        literals,
        hard,
        seed,
        share,
        size,
        *answers,
        float(np.mean(same)),
        seconds,
        megabytes,
        str(theory),
    )


def verdicts(
    families: Sequence[str], literals: Sequence[int], hard: Sequence[str], seeds: Sequence[int], n_rows: int
) -> Iterator[Verdict]:
    """Judge every combination."""
    for family in families:
        for difficulty in hard:
            for length in literals:
                for seed in seeds:
                    yield judged(family, length, difficulty, seed, n_rows)


def listing(found: Sequence[Verdict], n_rows: int) -> Listing:
    """Return the verdicts as a table."""
    head = (
        "database",
        "literals",
        "positive",
        "found",
        "right",
        "right on fresh rows",
        "SQL as prover",
        "CPU",
        "peak",
    )
    remark = (
        f"`induce relate sqlite:///…` with its defaults on databases of {n_rows:,} rows generated from "
        "a seed. Right is the fraction of examples classified as by the true rule, whatever their "
        "labels."
    )
    return Listing("Databases by seeds", remark, head, tuple(one.cells() for one in found), "")


def relational_judge(every: bool) -> Iterator[Listing]:
    """Judge three schemas with all difficulties; or every schema, length and difficulty, and many rows."""
    if every:
        yield listing([*verdicts([*EVERY], LITERALS, [*HARD], SEEDS, ROWS)], ROWS)
        yield listing([*verdicts([*FAMILIES], LITERALS, ["all"], SEEDS[:1], MANY_ROWS)], MANY_ROWS)
    else:
        yield listing([*verdicts(["bank", "university", "library"], (5, 8), ["all"], SEEDS[:1], ROWS)], ROWS)


def main() -> None:
    """Judge what the arguments name, one JSON line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", nargs="+", default=[*EVERY], choices=[*EVERY])
    parser.add_argument("--literals", nargs="+", type=int, default=[*LITERALS])
    parser.add_argument("--hard", nargs="+", default=[*HARD], choices=[*HARD])
    parser.add_argument("--seed", nargs="+", type=int, default=[1])
    parser.add_argument("--rows", type=int, default=ROWS)
    asked = parser.parse_args()
    for one in verdicts(asked.family, asked.literals, asked.hard, asked.seed, asked.rows):
        print(json.dumps(one.__dict__), flush=True)


if __name__ == "__main__":
    main()
