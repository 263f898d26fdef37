"""First-order rules from relations: our learners beside Aleph and Popper, on the same problems."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import Listing, Row, Section, at_most, seconds, speed
from benchmarks.peers.problems import Problem, write
from benchmarks.peers.relational import (
    Learned,
    PeerError,
    learn_aleph,
    learn_induce,
    learn_popper,
    tested,
)
from benchmarks.relational_families import family
from benchmarks.relational_problems import customers, problems
from benchmarks.relational_report import OURS, REPEATS, SHORT, Found, Outcome, listing, share, sizes

LIMIT = 60.0
LARGE = ("customers-category", "customers-amount")
SMALL = (
    "trains-michalski",
    "trains-10",
    "english-grandparent",
    "english-uncle",
    "daughter",
    "grandparent",
    "uncle",
    "ancestor",
)
CHESS = "endgame-10000"
PROMISED = ("FOIL", "Progol")


def relational(
    folder: Path | None,
    aleph: Path | None,
    popper: Sequence[str] | None,
    only: Sequence[str] = (),
    limit: float = LIMIT,
) -> Iterator[Section | Listing]:
    """Every problem by every system that is there; one that needs more than `limit` seconds is interrupted."""
    made = problems(folder)
    for problem in (family("ancestor", 2), customers("amount", 40)):
        run(problem, None, None, limit)  # compiles what is not compiled yet
    outcomes = {}
    for name in only or made:
        print(f"  {name} …", file=sys.stderr, flush=True)
        outcomes[name] = run(made[name](), aleph, popper, limit)
    yield Section(
        "Learning from relations: limits",
        "Targets for time, memory and accuracy on problems of the table below, measured in the same "
        "way: wall times of learning in a warm process, and ratios of CPU times. `Golem`, which "
        "searches from specific to general, is listed without a target.",
        tuple(limits(outcomes)),
    )
    yield listing([*outcomes.values()], limit)


def run(problem: Problem, aleph: Path | None, popper: Sequence[str] | None, limit: float) -> Outcome:
    """Let one system after the other learn from the files of a problem."""
    found: dict[str, Found | None] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = write(problem, Path(place))
        if aleph is not None:
            source = aleph
            found["Aleph"] = _of_peer(
                problem, folder / "aleph", lambda: learn_aleph(problem, folder / "aleph", source, limit)
            )
        if popper is not None:
            command = popper
            found["Popper"] = _of_peer(
                problem, folder / "popper", lambda: learn_popper(problem, folder / "popper", command, limit)
            )
        for learner in OURS:
            found[learner] = _of_ours(problem, folder / "aleph", learner, limit)
    return Outcome(problem, tuple(found), {name: one for name, one in found.items() if one is not None})


def _of_peer(problem: Problem, folder: Path, learn: Callable[[], Learned]) -> Found | None:
    """Let a peer learn, several times if that is short, and test its theory; None if it fails each time."""
    tried = []
    for _ in range(REPEATS):
        try:
            tried.append(learn())
        except PeerError as problem_of_it:
            print(f"  {folder.name} failed: {str(problem_of_it)[-300:]}", file=sys.stderr, flush=True)
            continue
        if tried[-1].wall > SHORT:
            break
    if not tried:
        return None
    best = min(tried, key=lambda one: one.cpu)
    return Found(best, tested(problem, folder, best.theory))


def _of_ours(problem: Problem, folder: Path, learner: str, limit: float) -> Found | None:
    try:
        learned, test, first = learn_induce(problem, folder, learner, limit, 1 + REPEATS)
    except PeerError as problem_of_it:
        print(f"  {learner} failed: {str(problem_of_it)[-300:]}", file=sys.stderr, flush=True)
        return None
    by_swi = tested(problem, folder, learned.theory) if shutil.which("swipl") else None
    return Found(learned, test, first, by_swi)


# --- what was promised


def limits(outcomes: Mapping[str, Outcome]) -> Iterator[Row]:
    """The rows on what has a limit, of the problems that were run."""
    for name in LARGE:
        if name in outcomes:
            yield from _large(outcomes[name])
    small = [outcomes[name] for name in SMALL if name in outcomes]
    for learner in OURS if small else ():
        yield from _small(learner, small)
    if CHESS in outcomes:
        for learner in OURS:
            yield from _chess(learner, outcomes[CHESS])


def _large(outcome: Outcome) -> Iterator[Row]:
    examples, facts = sizes(outcome.problem)
    what = f"`FOIL` on {examples} examples and {facts} facts ({outcome.problem.name})"
    if "FOIL" not in outcome.found:
        yield Row(f"{what}: learning", "failed", holds=False)
        return
    learned = outcome.found["FOIL"].learned
    yield at_most(f"{what}: learning", learned.wall, 10)
    yield Row(
        f"{what}: peak of memory", f"{learned.memory:,.0f} MB", "", "", "≤ 2 GB", learned.memory <= 2048
    )


def _small(learner: str, outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """The slowest of the small problems, warm and in the first fit of a process."""
    what = f"`{learner}` on ten trains and on families, the slowest of {len(outcomes)}"
    failed = [one.problem.name for one in outcomes if learner not in one.found]
    if failed:
        yield Row(what, f"failed on {', '.join(failed)}", holds=False)
        return
    warm = max(outcomes, key=lambda one: one.found[learner].learned.wall)
    row = at_most(f"{what} ({warm.problem.name}), warm", warm.found[learner].learned.wall, 0.2)
    yield row if learner in PROMISED else replace(row, target="", holds=None)
    first = max(outcomes, key=lambda one: one.found[learner].first)
    yield Row(f"{what} ({first.problem.name}), first fit of its process", seconds(first.found[learner].first))


def _chess(learner: str, outcome: Outcome) -> Iterator[Row]:
    """Faster than Aleph, and not less accurate."""
    what = f"`{learner}` on the chess endgame, {sizes(outcome.problem)[0]} positions"
    if learner not in outcome.found:
        yield Row(f"{what}: learning", "failed", holds=False)
        return
    ours = outcome.found[learner]
    if "Aleph" not in outcome.found:
        yield Row(f"{what}: learning", seconds(ours.learned.cpu))
        yield Row(f"{what}: test accuracy", share(ours.tested.accuracy))
        return
    theirs, promised = outcome.found["Aleph"], learner in PROMISED
    least = 5 if promised else None
    yield speed(f"{what}: learning (CPU)", ours.learned.cpu, "Aleph", theirs.learned.cpu, least)
    yield Row(
        f"{what}: test accuracy",
        share(ours.tested.accuracy),
        f"Aleph {share(theirs.tested.accuracy)}",
        target="not lower" * promised,
        holds=ours.tested.accuracy >= theirs.tested.accuracy if promised else None,
    )
