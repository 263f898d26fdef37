"""The provers: inferences per second, transitive closure, large fact bases, and what compiling costs."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import TIMES, Row, Section, at_most, interleaved, run, seconds, speed

START = time.perf_counter()
REPEATS = 3
ELEMENTS = 30
INFERENCES = (ELEMENTS + 1) * (ELEMENTS + 2) // 2
"""What it takes to reverse a list of 30 elements: 31 calls of reverse and 465 of append."""
REVERSE = """
append_to([], L, L).
append_to([X|L], M, [X|N]) :- append_to(L, M, N).
naive([], []).
naive([X|L], R) :- naive(L, M), append_to(M, [X], R).
again(N, L) :- between(1, N, _), naive(L, _), fail.
again(_, _).
"""
CLOSURES = {
    "right-recursive": "path(X, Y) :- edge(X, Y). path(X, Y) :- edge(X, Z), path(Z, Y).",
    "left-recursive": "path(X, Y) :- edge(X, Y). path(X, Y) :- path(X, Z), edge(Z, Y).",
    "nonlinear": "path(X, Y) :- edge(X, Y). path(X, Y) :- path(X, Z), path(Z, Y).",
}
FAMILY = "parent(ann, bea). parent(bea, cal). parent(cal, dan). parent(dan, eve). parent(eve, fay)."


def logic(
    n_lists: int = 2_000, n_nodes: int = 1_000, n_edges: int = 2_000, n_facts: int = 100_000
) -> Iterator[Section]:
    """What has a limit first, then large fact bases, then compiling."""
    swi = shutil.which("swipl")
    yield Section(
        "Provers",
        f"Naive reverse of {ELEMENTS} elements ({INFERENCES} inferences): {n_lists:,} queries without "
        f"proofs and occurs check, and {n_lists // 10:,} queries whose proofs are built in full. The "
        f"closure is of a random graph of {n_nodes:,} nodes and {n_edges:,} edges, timed from parsed "
        "clauses to all pairs; SWI-Prolog tables `path/2` for it, measured by processor time. Best of "
        f"{REPEATS}, warm.",
        (*_reverse(n_lists, swi), *_closure(n_nodes, n_edges, swi), *_large(n_facts, swi)),
    )
    yield Section(
        "Provers and relational learners: compilation",
        "Fresh processes, each pair of lines with its own cache of compiled loops, empty at first. "
        "Queries and fits are as small as possible and need no compiler, except on the lines marked "
        "as compiled.",
        tuple(_cold()),
    )


# --- inferences


def _reverse(n: int, swi: str | None) -> Iterator[Row]:
    from induce.logic import Prover, parse_program

    prover = Prover(parse_program(REVERSE))
    listed = f"[{', '.join(map(str, range(ELEMENTS)))}]"
    n_proofs = max(n // 10, 1)

    def proved() -> int:
        answers = (prover.first(f"naive({listed}, R)") for _ in range(n_proofs))
        return sum(answer.proof.size() for answer in answers if answer is not None)

    assert prover.holds(f"again(1, {listed})")
    found = interleaved(REPEATS, {"plain": lambda: prover.holds(f"again({n}, {listed})"), "proofs": proved})
    assert found["proofs"][1] == n_proofs * INFERENCES, "a proof has a node for each inference"
    theirs = None if swi is None else _swi(swi, REVERSE, f"again({n}, {listed})")
    for what, (best, _), times, least in (
        ("naive reverse, without proofs and occurs check", found["plain"], n, 100_000),
        ("the same, building proofs", found["proofs"], n_proofs, 50_000),
    ):
        ours = times * INFERENCES / best
        peer, ratio = "", ""
        if theirs is not None and times == n:
            rate = n * INFERENCES / theirs
            peer, ratio = f"SWI-Prolog {rate:,.0f}", f"{ours / rate:.2f}{TIMES}"
        yield Row(what, f"{ours:,.0f} per second", peer, ratio, f"≥ {least:,}", ours >= least)


# --- closure


def graph(n_nodes: int, n_edges: int) -> str:
    """A random graph as facts.

    Examples
    --------
    >>> graph(3, 2)
    'edge(n1, n2).\\nedge(n1, n0).'
    """
    import numpy as np

    rng = np.random.default_rng(0)
    pairs = rng.permutation(n_nodes * (n_nodes - 1))[:n_edges]
    starts, ends = pairs // (n_nodes - 1), pairs % (n_nodes - 1)
    ends += ends >= starts
    return "\n".join(f"edge(n{a}, n{b})." for a, b in zip(starts.tolist(), ends.tolist(), strict=True))


def _closure(n_nodes: int, n_edges: int, swi: str | None) -> Iterator[Row]:
    from induce.logic import consequences, parse_program

    edges = graph(n_nodes, n_edges)
    sizes = set()
    for name, rules in CLOSURES.items():
        consequences(parse_program(f"{rules} edge(a, b). edge(b, c)."))
        program = parse_program(f"{edges}\n{rules}")
        ((best, base),) = interleaved(REPEATS, {name: partial(consequences, program)}).values()
        n_pairs = len(base.relations["path", 2])
        sizes.add(n_pairs)
        theirs = None
        if swi is not None and name != "nonlinear":  # which takes it many minutes
            table = (
                f":- table path/2.\n{edges}\n{rules}\nall :- forall(path(_, _), true), abolish_all_tables.\n"
            )
            theirs = _swi(swi, table, "all")
        yield _timed(f"closure bottom-up, {n_pairs:,} pairs, {name}", best, theirs, 5)
    assert len(sizes) == 1, "every definition has the same closure"


# --- large fact bases


def _large(n_facts: int, swi: str | None) -> Iterator[Row]:
    from induce.logic import Literal, Prover, parse_program

    n_nodes = n_facts // 4
    text = graph(n_nodes, n_facts)
    ((best, program),) = interleaved(REPEATS, {"parse": partial(parse_program, text)}).values()
    yield _timed(f"parsing {n_facts:,} facts", best, None if swi is None else _swi(swi, text, None))

    def started() -> Prover:
        prover = Prover(program)
        assert prover.holds("edge(n0, _)")
        return prover

    ((best, prover),) = interleaved(REPEATS, {"start": started}).values()
    yield _timed("a prover on these, up to its first answer", best)
    goals = [clause.head for clause in program.clauses[:10_000] if clause.head is not None]
    absent = [Literal("edge", (goal.arguments[0], goal.arguments[0])) for goal in goals]
    ((best, held),) = interleaved(REPEATS, {"each": lambda: prover.holds_each(goals + absent)}).values()
    assert held.sum() == len(goals), "exactly the facts hold"
    yield Row(f"{len(held):,} queries for facts, half of them absent", f"{len(held) / best:,.0f} per second")
    ways = "edge(X, Y), edge(Y, Z), fail ; true"
    ((best, _),) = interleaved(REPEATS, {"ways": lambda: prover.holds(ways)}).values()
    yield _timed(
        f"all paths of two steps, `{ways}`", best, None if swi is None else _swi(swi, text, f"({ways})")
    )


def _timed(what: str, ours: float, theirs: float | None = None, most: float | None = None) -> Row:
    row = Row(what, seconds(ours)) if theirs is None else speed(what, ours, "SWI-Prolog", theirs)
    return row if most is None else replace(row, target=f"≤ {seconds(most)}", holds=ours <= most)


def _swi(swi: str, program: str, goal: str | None) -> float:
    """Return the CPU seconds of a goal in SWI-Prolog, or of reading the program: the best of several processes."""
    timed = goal or "consult('{}')"
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path, script = Path(folder, "program.pl"), Path(folder, "run.pl")
        path.write_text(program, encoding="utf-8")
        load = "" if goal is None else f":- consult('{path}').\n"
        script.write_text(
            f"{load}main :- statistics(cputime, A), {timed.format(path)}, statistics(cputime, B), T is B - A, "
            "format('~6f~n', [T]).\n:- initialization(main, main).\n",
            encoding="utf-8",
        )
        for _ in range(REPEATS):
            found.append(float(run([swi, "-q", str(script)]).stdout.split()[-1]))
    return min(found)


# --- compiling


def _cold() -> Iterator[Row]:
    """What is compiled first, and loaded later."""
    for name, (what, _) in BEGINNINGS.items():
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "benchmarks.logic", name]
            first, later = (
                json.loads(run(command, {"NUMBA_CACHE_DIR": cache}).stdout.splitlines()[-1]) for _ in range(2)
            )
        yield at_most(f"{what}, first ever", first["alone"], 10)
        yield at_most(f"{what}, first in a later process, from `import` on", later["whole"], 3)


def _prove(goal: str) -> Callable[[], Any]:
    from induce.logic import Prover, parse_program

    return lambda: Prover(parse_program(REVERSE)).first(goal)


def _derive(n_nodes: int) -> Callable[[], Any]:
    from induce.logic import consequences, parse_program

    edges = " ".join(f"edge({node}, {node + 1})." for node in range(n_nodes - 1))
    return lambda: consequences(parse_program(f"{CLOSURES['nonlinear']} {edges}"))


def _fit(learner: str, recursive: bool) -> Callable[[], Any]:
    """Learn who is whose grandparent or, recursively, whose ancestor among a few."""
    import induce.relational
    from induce.relational import Relations

    kind = getattr(induce.relational, learner)
    people = "ann", "bea", "cal", "dan", "eve", "fay"
    pairs = [(one, other) for one in people for other in people]
    steps = [people.index(other) - people.index(one) for one, other in pairs]
    inside = [step > 0 if recursive else step == 2 for step in steps]
    options = {"recursion": True} if recursive and learner == "Progol" else {}
    return lambda: kind(Relations(program=FAMILY), "related", **options).fit(pairs, inside)


BEGINNINGS: dict[str, tuple[str, Callable[[], Callable[[], Any]]]] = {
    "prover": ("a proof", partial(_prove, "naive([a, b], R)")),
    "prover-compiled": (
        "100,000 inferences: compiles",
        partial(_prove, f"again(200, {list(range(ELEMENTS))})"),
    ),
    "bottom-up": ("a closure bottom-up", partial(_derive, 3)),
    "bottom-up-compiled": ("a closure of 100 nodes, compiled", partial(_derive, 100)),
    "FOIL": ("`FOIL`, a clause", partial(_fit, "FOIL", False)),
    "FOIL-recursive": ("`FOIL`, recursive clauses", partial(_fit, "FOIL", True)),
    "Progol": ("`Progol`, a clause", partial(_fit, "Progol", False)),
    "Progol-recursive": ("`Progol`, recursive clauses", partial(_fit, "Progol", True)),
}


def begin(name: str) -> dict[str, float]:
    """Seconds of something that was never done in this process, alone and from the start of the process."""
    task = BEGINNINGS[name][1]()
    start = time.perf_counter()
    task()
    done = time.perf_counter()
    return {"alone": done - start, "whole": done - START}


if __name__ == "__main__":
    print(json.dumps(begin(sys.argv[1])))
