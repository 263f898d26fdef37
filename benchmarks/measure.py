"""Timing, fresh processes, and the table that reports them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "POLARS_MAX_THREADS",
    ),
    "1",
)
TIMES = "\N{MULTIPLICATION SIGN}"
HEAD = ("what", "induce", "peer", "ratio", "target", "holds")
PACKAGES = ("induce", "numba", "numpy", "polars", "scikit-learn", "scipy")


@dataclass(frozen=True)
class Row:
    """One line of the report; `holds` is None where nothing was promised."""

    what: str
    induce: str
    peer: str = ""
    ratio: str = ""
    target: str = ""
    holds: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """The row as the report shows it."""
        verdict = {None: "", True: "yes", False: "**no**"}[self.holds]
        return self.what, self.induce, self.peer, self.ratio, self.target, verdict


@dataclass(frozen=True)
class Section:
    """The rows that belong together, with a remark on how they were measured."""

    title: str
    remark: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Listing:
    """A section with columns of its own, and what follows from all its lines."""

    title: str
    remark: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    closing: str


def interleaved(repeats: int, tasks: Mapping[str, Callable[[], Any]]) -> dict[str, tuple[float, Any]]:
    """Run the tasks in turn, several times over: the best time in seconds of each, and its last result."""
    found: dict[str, tuple[float, Any]] = {}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            result = task()
            seconds = time.perf_counter() - start
            best = found[name][0] if name in found else seconds
            found[name] = (min(best, seconds), result)
    return found


def in_child(*arguments: object, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Run a measurement of `benchmarks.child` in a fresh process; `process` is its whole wall time."""
    command = [sys.executable, "-m", "benchmarks.child", *map(str, arguments)]
    start = time.perf_counter()
    done = run(command, environment)
    seconds = time.perf_counter() - start
    return {**json.loads(done.stdout.splitlines()[-1]), "process": seconds}


def run(command: list[str], environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command from the root of the repository on one thread; fail with what it said."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} … failed:\n{done.stderr}")
    return done


def seconds(value: float) -> str:
    """A time with three significant digits."""
    return f"{value * 1000:.3g} ms" if value < 0.1 else f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def speed(what: str, ours: float, peer: str, theirs: float, least: float | None = None) -> Row:
    """A row on time: how many times faster than the peer."""
    ratio = theirs / ours
    return Row(
        what,
        seconds(ours),
        f"{peer} {seconds(theirs)}",
        f"{ratio:.2f}{TIMES}",
        "" if least is None else f"≥ {least:g}{TIMES}",
        None if least is None else ratio >= least,
    )


def at_most(what: str, ours: float, most: float) -> Row:
    """A row on a time that has a limit of its own and no peer."""
    return Row(what, seconds(ours), target=f"≤ {seconds(most)}", holds=ours <= most)


def markdown(section: Section | Listing) -> str:
    """The section as Markdown: the first column is text, as is the last, the others are numbers."""
    if isinstance(section, Section):
        lines = tuple(row.cells() for row in section.rows)
        section = Listing(section.title, section.remark, HEAD, lines, "")
    rule = ["---", *["--:"] * (len(section.head) - 2), "---"]
    shown = [_line(section.head), "|" + "|".join(rule) + "|", *map(_line, section.lines)]
    parts = [f"## {section.title}", section.remark, "\n".join(shown), section.closing]
    return "\n\n".join(part for part in parts if part)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def machine() -> str:
    """Cores, processor, load and versions, in one paragraph."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        named = [
            line for line in info.read_text(encoding="utf-8").splitlines() if line.startswith("model name")
        ]
        cpu = named[0].partition(":")[2].strip() if named else cpu
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{os.cpu_count()} cores ({cpu}), {platform.system()}, load average {os.getloadavg()[0]:.1f} at the "
        f"start; Python {platform.python_version()}, {versions}."
    )
