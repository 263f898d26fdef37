"""Aleph, Popper and our learners on the files of a relational problem, each learning in a process of its own.

The two peers need SWI-Prolog, which also says what their theories are worth; ours are tested by our own prover.
Learning may take a given time and is then interrupted within the process: what was found by then is tested.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import ONE_THREAD, ROOT
from benchmarks.peers.problems import Problem

PATIENT = 10.0
"""Seconds of learning, the first fit apart, after which one of our learners is not run once more."""
GRACE = 120.0
"""Seconds beyond the limit for starting, reading and writing, after which the process is ended."""
PAUSE = 0.005
PATIENCE = 0.1
"""Seconds that Popper gives a recursive program for one example; a busy machine easily misses its own 0.001 s."""
STEPS = 5_000_000
"""Inferences for one example of a test; what needs more counts as not proved."""

ALEPH = """
:- consult('{aleph}').
expire(_) :- throw(expired).
main :-
    read_all('{stem}'),
    open_null_stream(Null), current_output(Out), set_output(Null),
    on_signal(term, _, expire),
    statistics(cputime, From), get_time(Start),
    catch(induce, Stop, true),
    statistics(cputime, To), get_time(End),
    set_output(Out),
    ( var(Stop) -> Expired = false ; Stop == expired -> Expired = true ; throw(Stop) ),
    write_rules('{theory}'),
    Cpu is To - From, Wall is End - Start,
    format("~nmeasured {{\\"cpu\\": ~4f, \\"wall\\": ~4f, \\"expired\\": ~w}}~n", [Cpu, Wall, Expired]).
:- initialization(main, main).
"""
POPPER = """
import json, runpy, sys, time
from pathlib import Path
place, folder, limit, *options = sys.argv[1:]
sys.path.insert(0, str(Path(place).parent))
import popper.loop
sys.argv = [place, folder, "--timeout", limit, *options]
cpu, wall = time.process_time(), time.perf_counter()
runpy.run_path(place, run_name="__main__")
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
print("measured", json.dumps({"cpu": cpu, "wall": wall, "expired": wall >= float(limit)}))
"""
TEST = """
:- style_check(-discontiguous), style_check(-singleton).
:- consult('{test}').
:- consult('{theory}').
holds(Goal) :- catch(call_with_inference_limit(Goal, {steps}, Said), _, fail), Said \\== inference_limit_exceeded, !.
counted(Goal, Some, All) :-
    aggregate_all(count, (Goal, arg(1, Goal, Example), holds(Example)), Some), aggregate_all(count, Goal, All).
main :- counted(pos(_), P, Positives), counted(neg(_), N, Negatives),
    format("measured [~w, ~w, ~w, ~w]~n", [P, Positives, N, Negatives]).
:- initialization(main, main).
"""


class PeerError(RuntimeError):
    """A system that ended without saying what it learned."""


@dataclass(frozen=True)
class Learned:
    """What a system found, and what it took.

    Parameters
    ----------
    theory : str
        Clauses in Prolog; empty if there are none.
    cpu, wall : float
        Seconds of learning alone.
    process : float
        Seconds of processor time of a process that learns once, with its start and reading the files.
    memory : float
        The peak of that process in MB.
    expired : bool
        Whether learning was interrupted; without a theory then, even the process was ended.
    """

    theory: str
    cpu: float
    wall: float
    process: float
    memory: float
    expired: bool

    @property
    def clauses(self) -> int:
        """How many clauses have variables; Aleph also keeps each example that none of them covers."""
        return sum(bool(re.search(r"\b[A-Z]", clause)) for clause in re.split(r"\.\s*(?:\n|$)", self.theory))


@dataclass(frozen=True)
class Tested:
    """How many test examples of each kind a theory proves."""

    positives: int
    of_positives: int
    negatives: int
    of_negatives: int

    @property
    def accuracy(self) -> float:
        """The share of examples told right."""
        right = self.positives + self.of_negatives - self.negatives
        return right / (self.of_positives + self.of_negatives)


def learn_aleph(problem: Problem, folder: Path, aleph: Path, limit: float = 600.0) -> Learned:
    """Run `induce` of Aleph, whose source is the file `aleph`, on the files in `folder`."""
    with tempfile.TemporaryDirectory() as place:
        theory = Path(place, "theory.pl")
        script = Path(place, "run.pl")
        stem = (folder / problem.name).resolve()
        script.write_text(ALEPH.format(aleph=aleph.resolve(), stem=stem, theory=theory), encoding="utf-8")
        ended = _run(["swipl", "-q", str(script)], limit + GRACE, limit)
        return ended.learned(theory.read_text(encoding="utf-8") if theory.exists() else "")


def learn_popper(problem: Problem, folder: Path, command: Sequence[str], limit: float = 600.0) -> Learned:
    """Run Popper on the files in `folder`; `command` is its Python and the path of its `popper.py`."""
    python, place = command
    options = ["--noisy"] if problem.noisy else []
    options += ["--eval-timeout", str(PATIENCE)] if problem.recursive else []
    told = [str(Path(place).resolve()), str(folder.resolve()), str(round(limit)), *options]
    ended = _run([python, "-W", "ignore", "-c", POPPER, *told], limit + GRACE)
    solution = re.search(r"\*+ SOLUTION \*+\n.*\n((?:.*\n)*?)\*{10}", ended.said)
    return ended.learned(solution.group(1) if solution else "")


def tested(problem: Problem, folder: Path, theory: str) -> Tested:
    """Let SWI-Prolog prove the test examples in `folder` with a theory."""
    head = f"{problem.head.name}/{len(problem.head.arguments)}"
    declared = f":- table {head}." if problem.recursive else f":- dynamic {head}."
    with tempfile.TemporaryDirectory() as place:
        path, script = Path(place, "theory.pl"), Path(place, "test.pl")
        path.write_text(f"{declared}\n{theory}\n", encoding="utf-8")
        test = (folder / "test.pl").resolve()
        script.write_text(TEST.format(test=test, theory=path, steps=STEPS), encoding="utf-8")
        ended = _run(["swipl", "-q", str(script)], GRACE)
    return Tested(*json.loads(ended.measured))


def learn_induce(
    problem: Problem, folder: Path, learner: str, limit: float = 600.0, fits: int = 3
) -> tuple[Learned, Tested, float]:
    """Run one of our learners on Aleph's files in `folder`; the seconds of its first fit come last.

    Every fit has relations that were read anew. The best after the first counts, or the first if it is interrupted.
    """
    stem = (folder / problem.name).resolve()
    told = json.dumps(parameters(problem, learner) | {"time_limit": limit})
    command = [sys.executable, "-m", __name__, learner, str(stem), told, str(fits)]
    found = json.loads(_run(command, 2 * limit + GRACE).measured)
    return Learned(**found["learned"]), Tested(*found["tested"]), found["first"]


def parameters(problem: Problem, learner: str) -> dict[str, Any]:
    """What one of our learners is told of a problem: `Progol` and `Golem` what Aleph is, as far as they have it.

    Examples
    --------
    >>> from benchmarks.relational_problems import trains
    >>> [parameters(trains(10), learner) for learner in ("FOIL", "Progol")]
    [{}, {'depth': 2, 'max_literals': 3}]
    """
    from induce.relational.learners.progol import Progol
    from induce.relational.readers.settings import parameters_for

    told = parameters_for(Progol, problem.aleph)
    if learner == "FOIL":
        return {}
    if learner == "Progol":
        return told
    found = {"determinate": False, "depth": told["depth"], "recursion": problem.recursive}
    if problem.noisy:
        found |= {"noise": round(1 - told["min_accuracy"], 2), "min_positives": told["min_positives"]}
    return found


@dataclass(frozen=True)
class _Ended:
    """What a process said, and what it used."""

    said: str
    complained: str
    process: float
    wall: float
    memory: float
    killed: bool

    @property
    def measured(self) -> str:
        found = re.findall(r"^measured (.*)$", self.said, re.MULTILINE)
        if not found:
            how = f"was ended after {self.wall:.0f} s" if self.killed else "failed"
            raise PeerError(f"it {how}:\n{self.said[-1000:]}\n{self.complained[-2000:]}")
        return str(found[-1])

    def learned(self, theory: str) -> Learned:
        if self.killed:
            return Learned("", self.process, self.wall, self.process, self.memory, True)
        found = json.loads(self.measured)
        return Learned(theory, found["cpu"], found["wall"], self.process, self.memory, found["expired"])


def _run(command: Sequence[str], limit: float, warned: float = math.inf) -> _Ended:
    """Run a command, told to end after `warned` seconds and ended after `limit`.

    The peak of its memory is looked up again and again, the last time a moment before it ends: what `wait4` tells
    begins with the memory of the parent.
    """
    start = time.perf_counter()
    wall, memory, done = 0.0, 0.0, 0
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
        environment = {**os.environ, **ONE_THREAD, "PYTHONHASHSEED": "0"}
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment
        )
        while not done:
            memory = _peak(process.pid) or memory
            if wall >= warned:
                process.terminate()
                warned = math.inf
            if wall >= limit:
                process.kill()
            time.sleep(PAUSE)
            done, status, used = os.wait4(process.pid, os.WNOHANG)
            wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return _Ended(out.read(), err.read(), used.ru_utime + used.ru_stime, wall, memory, wall >= limit)


def _peak(process: int | str = "self") -> float:
    """The most resident memory of a process so far in MB; 0 while it starts or ends."""
    found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(found.group(1)) / 1024 if found else 0.0


# --- our side, in its own process


def _measured(learner: str, stem: str, told: str, fits: str) -> dict[str, Any]:
    """Read, learn and test."""
    import induce.relational
    from induce.relational import read_problem

    parameters = json.loads(told)
    learned: list[Learned] = []
    while len(learned) < int(fits) and sum(one.wall for one in learned[1:]) <= PATIENT:
        given = read_problem(stem)
        model = getattr(induce.relational, learner)(given.background, given.target, **parameters)
        cpu, wall = time.process_time(), time.perf_counter()
        model.fit(given.X, given.y)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        theory, expired = model.hypothesis_.to_prolog(), wall >= parameters["time_limit"]
        once = (learned[0].process, learned[0].memory) if learned else (time.process_time(), _peak())
        learned.append(Learned(theory, cpu, wall, *once, expired))
        if expired:
            break
    best = min(learned[1:] or learned, key=lambda one: one.cpu)
    test = _tested_by_us(model.hypothesis_, Path(stem).with_name("test.pl"))
    return {"learned": asdict(best), "tested": test, "first": learned[0].wall}


def _tested_by_us(theory: Any, test: Path) -> tuple[int, int, int, int]:
    """Count the test examples that a theory proves with the background of the test."""
    from dataclasses import replace

    import numpy as np

    from induce.logic import Program, parse_program
    from induce.relational import Relations

    sides: dict[str, list[Any]] = {"pos": [], "neg": []}
    clauses = []
    for clause in parse_program(test.read_text(encoding="utf-8"), "test.pl"):
        if clause.head is not None and clause.head.name in sides:
            sides[clause.head.name].append(clause.head.arguments[0])
        else:
            clauses.append(clause)
    there = replace(
        theory, background=Relations(program=Program(tuple(clauses)), modes=theory.background.modes)
    )
    counts = []
    for examples in sides.values():
        rows = np.empty((len(examples), len(theory.columns)), object)
        for row, one in zip(rows, examples, strict=True):
            row[:] = one.arguments
        counts += [int((there.deciding(rows) >= 0).sum()), len(rows)]
    return counts[0], counts[1], counts[2], counts[3]


if __name__ == "__main__":
    print("measured", json.dumps(_measured(*sys.argv[1:])))
