"""Aleph and Popper on the files of a relational problem, each learning in a process of its own.

Both need SWI-Prolog, which also says what a learned theory is worth. Learning may take a given time and is then
interrupted within the process: what was found by then is tested.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ONE_THREAD
from benchmarks.peers.problems import Problem

GRACE = 120.0
"""Seconds beyond the limit for starting, reading and writing, after which the process is ended."""
PAUSE = 0.02
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
        Seconds of processor time of the whole process, with its start and reading the files.
    memory : float
        The peak of the process in MB.
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
        script.write_text(ALEPH.format(aleph=aleph.resolve(), stem=stem, theory=theory))
        ended = _run(["swipl", "-q", str(script)], limit + GRACE, limit)
        return ended.learned(theory.read_text() if theory.exists() else "")


def learn_popper(problem: Problem, folder: Path, command: Sequence[str], limit: float = 600.0) -> Learned:
    """Run Popper on the files in `folder`; `command` is its Python and the path of its `popper.py`."""
    python, place = command
    options = ["--noisy"] if problem.noisy else []
    options += ["--eval-timeout", str(PATIENCE)] if problem.recursive else []
    told = [place, str(folder), str(round(limit)), *options]
    ended = _run([python, "-W", "ignore", "-c", POPPER, *told], limit + GRACE)
    solution = re.search(r"\*+ SOLUTION \*+\n.*\n((?:.*\n)*?)\*{10}", ended.said)
    return ended.learned(solution.group(1) if solution else "")


def tested(problem: Problem, folder: Path, theory: str) -> Tested:
    """Let SWI-Prolog prove the test examples in `folder` with a theory."""
    head = f"{problem.head.name}/{len(problem.head.arguments)}"
    declared = f":- table {head}." if problem.recursive else f":- dynamic {head}."
    with tempfile.TemporaryDirectory() as place:
        path, script = Path(place, "theory.pl"), Path(place, "test.pl")
        path.write_text(f"{declared}\n{theory}\n")
        test = (folder / "test.pl").resolve()
        script.write_text(TEST.format(test=test, theory=path, steps=STEPS))
        ended = _run(["swipl", "-q", str(script)], GRACE)
    return Tested(*json.loads(ended.measured))


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
            raise RuntimeError(f"the peer failed:\n{self.said[-1000:]}\n{self.complained[-2000:]}")
        return str(found[-1])

    def learned(self, theory: str) -> Learned:
        if self.killed:
            return Learned("", self.process, self.wall, self.process, self.memory, True)
        found = json.loads(self.measured)
        return Learned(theory, found["cpu"], found["wall"], self.process, self.memory, found["expired"])


def _run(command: Sequence[str], limit: float, warned: float = math.inf) -> _Ended:
    """Run a command, told to end after `warned` seconds and ended after `limit`.

    The peak of its memory is looked up again and again: what `wait4` tells begins with the memory of the parent.
    """
    start = time.perf_counter()
    wall, memory, done = 0.0, 0.0, 0
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        environment = {**os.environ, **ONE_THREAD, "PYTHONHASHSEED": "0"}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)
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


def _peak(process: int) -> float:
    """The most resident memory of a process so far in MB; 0 while it starts or ends."""
    found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found.group(1)) / 1024 if found else 0.0
