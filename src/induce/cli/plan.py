"""`induce plan`: plans for problems in PDDL."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.planning.control import ControlRules
    from induce.planning.domains import PlanningProblem
    from induce.planning.plans import Plan


def plan(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="A PDDL file with the operators.")],
    problems: Annotated[list[str], typer.Argument(metavar="PROBLEM", help="PDDL files with problems.")],
    search: Annotated[
        Literal["best-first", "breadth-first", "means-ends"] | None,
        typer.Option(help="The most promising state first, a shortest plan, or from the goals backwards."),
    ] = None,
    learn: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Ask the control rules of FILE; if there is no such file, learn them from the problems.",
        ),
    ] = None,
    macros: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the domain with a macro-operator of each plan as PDDL."),
    ] = None,
    max_nodes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum number of states to look behind.")
    ] = 100_000,
    as_json: Json = False,
) -> None:
    """Find a plan for each problem, and check it."""
    from induce.cli import output
    from induce.core.errors import InputError
    from induce.planning import check_plan, read_domain, read_problem

    if learn is not None and search not in (None, "means-ends"):
        raise InputError(f"control rules speak of means-ends search, not of {search}; leave --search out")
    tell = (lambda *lines: None) if as_json else output.put_lines
    known = read_domain(domain)
    read = [read_problem(problem, known) for problem in problems]
    rules = None if learn is None else _rules(Path(learn), read, known.name, tell)
    method = search or ("means-ends" if learn is not None else "best-first")
    documents = []
    solved = []
    for problem in read:
        found, seconds = _found(problem, method, max_nodes, rules)
        if found.steps is not None:
            check_plan(problem, found.steps)
            solved.append((problem, found.steps))
        before = None
        if rules is not None and rules.rules:
            before, seconds_before = _found(problem, method, max_nodes, None)
        if as_json:
            document: dict[str, Any] = {
                "problem": problem.name,
                "steps": None if found.steps is None else list(map(str, found.steps)),
                "expanded": found.expanded,
                "complete": found.complete,
                "seconds": seconds,
            }
            if before is not None:
                document["without_rules"] = {"expanded": before.expanded, "seconds": seconds_before}
            documents.append(document)
            continue
        lines = [
            f"{problem.name}:",
            *(f"   {line}" for line in str(found).splitlines()),
            f"   {len(found)} steps, {found.expanded:,} nodes, {seconds:.2f} s",
        ]
        if before is not None:
            outcome = f"{len(before)} steps, " if before else "no plan, "
            lines.append(f"   without rules: {outcome}{before.expanded:,} nodes, {seconds_before:.2f} s")
        output.put_lines(*lines)
    if macros is not None:
        _write_macros(Path(macros), solved, tell)
    if as_json:
        output.put_json(documents)


def _found(
    problem: PlanningProblem, method: str, max_nodes: int, rules: ControlRules | None
) -> tuple[Plan, float]:
    """Return a plan and the processor time it took, with grounding and matching."""
    from induce.cli.progress import bar
    from induce.planning import best_first, breadth_first, means_ends
    from induce.planning.grounding import ground

    started = time.process_time()
    with bar("planning"):
        if method == "breadth-first":
            found = breadth_first(problem, max_nodes)
        elif method == "best-first":
            found = best_first(problem, max_nodes=max_nodes)
        else:
            task = ground(problem)
            control = None if rules is None else rules.control(problem, task)
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


def _write_macros(path: Path, solved: list[tuple[PlanningProblem, Any]], tell: Callable[..., None]) -> None:
    """Write a domain with the macro-operators of plans."""
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.planning import macro_operator, write_domain

    found = {}
    for problem, steps in solved:
        if len(steps) > 1:
            macro = macro_operator(problem, steps, f"macro-{problem.name}")
            found[macro.name] = macro
    if not found:
        raise InputError("there is no plan of two steps or more to make a macro-operator of")
    write_whole(path, write_domain(solved[0][0].domain.with_operators(*found.values())).encode())
    tell(*(f"macro {macro}" for macro in found.values()), f"saved as {path}")
