"""`induce plan`: plans for problems in PDDL."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.planning.control import ControlRules
    from induce.planning.domains import PlanningProblem
    from induce.planning.macro_operators import MacroOperators
    from induce.planning.plans import Plan


def plan(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="A PDDL file with the operators.")],
    problems: Annotated[list[str], typer.Argument(metavar="PROBLEM", help="PDDL files with problems.")],
    search: Annotated[
        Literal["best-first", "breadth-first", "means-ends"] | None,
        typer.Option(help="Search strategy: best first, shortest plan, or backwards from the goals."),
    ] = None,
    learn: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Use the control rules of FILE; if the file does not exist, learn them from the problems.",
        ),
    ] = None,
    macros: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Plan with the macro-operators of FILE; if the file does not exist, learn them from the problems.",
        ),
    ] = None,
    write: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the domain, with the macros, and the problems as plain STRIPS, for other planners.",
        ),
    ] = None,
    max_nodes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum number of expanded states.")
    ] = 100_000,
    as_json: Json = False,
) -> None:
    """Find a plan for each problem, and validate it."""
    from induce.cli import output
    from induce.core.errors import InputError
    from induce.planning import check_plan, read_domain, read_problem

    if learn is not None and search not in (None, "means-ends"):
        raise InputError(f"control rules are for means-ends search, not for {search}; leave --search out")
    tell = (lambda *lines: None) if as_json else output.put_lines
    known = read_domain(domain)
    read = [read_problem(problem, known) for problem in problems]
    rules = None if learn is None else _rules(Path(learn), read, known.name, tell)
    given: str | None = search or ("means-ends" if learn is not None else None)
    learned = None if macros is None else _macros(Path(macros), read, given, tell)
    method = given or (learned.search if learned is not None else "best-first")
    advised = (rules is not None and rules.rules) or (learned is not None and learned.macros)
    documents = []
    for problem in read:
        found, seconds = _found(problem, method, max_nodes, rules, learned)
        if found.steps is not None:
            check_plan(problem, found.steps)
        before = None
        if advised:
            before, seconds_before = _found(problem, method, max_nodes)
        if as_json:
            document: dict[str, Any] = {
                "problem": problem.name,
                "steps": None if found.steps is None else list(map(str, found.steps)),
                "expanded": found.expanded,
                "complete": found.complete,
                "seconds": seconds,
            }
            if found.macros:
                document["macros"] = list(found.macros)
            if before is not None:
                document["without_learning"] = {
                    "solved": bool(before),
                    "expanded": before.expanded,
                    "seconds": seconds_before,
                }
            documents.append(document)
            continue
        lines = [
            f"{problem.name}:",
            *(f"   {line}" for line in str(found).splitlines()),
            f"   {len(found)} steps, {found.expanded:,} nodes, {seconds:.2f} s",
        ]
        if found.macros:
            counts = Counter(found.macros)
            used = ", ".join(f"{name} {n} times" if n > 1 else name for name, n in counts.items())
            lines.append(f"   macros used: {used}")
        if before is not None:
            outcome = f"{len(before)} steps, " if before else "no plan, "
            what = " and ".join(["rules"] * (rules is not None) + ["macros"] * (learned is not None))
            lines.append(f"   without {what}: {outcome}{before.expanded:,} nodes, {seconds_before:.2f} s")
        output.put_lines(*lines)
    if write is not None:
        _write(Path(write), read, learned, tell)
    if as_json:
        output.put_json(documents)


def _found(
    problem: PlanningProblem,
    method: str,
    max_nodes: int,
    rules: ControlRules | None = None,
    macros: MacroOperators | None = None,
) -> tuple[Plan, float]:
    """Return a plan and the processor time it took, with grounding and matching."""
    from induce.cli.progress import bar
    from induce.planning import best_first, breadth_first, means_ends
    from induce.planning.grounding import ground

    started = time.process_time()
    with bar("planning"):
        task = ground(problem) if macros is None else macros.task(problem)
        if method == "breadth-first":
            found = breadth_first(task, max_nodes)
        elif method == "best-first":
            found = best_first(task, max_nodes=max_nodes)
        else:
            control = rules.control(problem, task) if rules is not None and rules.rules else None
            found = means_ends(task, control, max_nodes)
    return found, time.process_time() - started


def _rules(
    path: Path, problems: list[PlanningProblem], domain: str, tell: Callable[..., None]
) -> ControlRules:
    """Load control rules, or learn them from the problems and save them."""
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.persistence import load_hypothesis, save
    from induce.planning.control import control_rules

    if path.exists():
        rules = control_rules(load_hypothesis(path), path)
        if rules.domain != domain:
            raise InputError(f"the rules of {path} are for the domain {rules.domain}, not for {domain}")
        return rules
    from induce.analytical import SearchControl

    with bar("learning"):
        learner = SearchControl().learn(problems)
    save(learner, path)
    learned = learner.hypothesis_
    tell(*learned.report().splitlines(), f"saved as {path}")
    return learned


def _macros(
    path: Path, problems: list[PlanningProblem], method: str | None, tell: Callable[..., None]
) -> MacroOperators:
    """Load macro-operators, or learn them from the problems and save them."""
    from induce.cli.progress import bar
    from induce.core.persistence import load_hypothesis, save
    from induce.planning.macro_operators import macro_operators

    if path.exists():
        return macro_operators(load_hypothesis(path), path)
    from induce.analytical import MacroLearner

    with bar("learning"):
        learner = MacroLearner(search=method or "best-first").learn(problems)  # type: ignore[arg-type]
    save(learner, path)
    learned = learner.hypothesis_
    tell(*learned.report().splitlines(), f"saved as {path}")
    return learned


def _write(
    folder: Path,
    problems: list[PlanningProblem],
    macros: MacroOperators | None,
    tell: Callable[..., None],
) -> None:
    """Write a domain and its problems for planners that support neither equality nor negative conditions."""
    from induce.core.files import write_whole
    from induce.planning import write_domain, write_problem
    from induce.planning.strips import without_equality, without_negation

    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for problem in problems:
        wider = problem
        if macros is not None:
            wider = replace(problem, domain=problem.domain.with_operators(*macros.operators))
        plain = without_negation(without_equality(wider))
        if not names:
            names.append("domain.pddl")
            write_whole(folder / names[0], write_domain(plain.domain).encode())
        names.append(f"{problem.name}.pddl")
        write_whole(folder / names[-1], write_problem(plain).encode())
    tell(f"wrote {', '.join(names)} in {folder}")
