"""`induce plan`: plans for problems in PDDL."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import typer

from induce.cli.options import Json


def plan(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="A PDDL file with the operators.")],
    problems: Annotated[list[str], typer.Argument(metavar="PROBLEM", help="PDDL files with problems.")],
    search: Annotated[
        Literal["best-first", "breadth-first"],
        typer.Option(help="The most promising state first, or a shortest plan."),
    ] = "best-first",
    max_nodes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum number of states to look behind.")
    ] = 100_000,
    as_json: Json = False,
) -> None:
    """Find a plan for each problem, and check it."""
    from induce.cli import output
    from induce.cli.progress import bar
    from induce.planning import best_first, breadth_first, check_plan, read_domain, read_problem

    known = read_domain(domain)
    read = [read_problem(problem, known) for problem in problems]
    documents = []
    for problem in read:
        started = time.process_time()
        with bar("planning"):
            found = (
                breadth_first(problem, max_nodes)
                if search == "breadth-first"
                else best_first(problem, max_nodes=max_nodes)
            )
        seconds = time.process_time() - started
        if found.steps is not None:
            check_plan(problem, found.steps)
        if as_json:
            steps = None if found.steps is None else list(map(str, found.steps))
            documents.append(
                {
                    "problem": problem.name,
                    "steps": steps,
                    "expanded": found.expanded,
                    "complete": found.complete,
                    "seconds": seconds,
                }
            )
            continue
        output.put_lines(
            f"{problem.name}:",
            *(f"   {line}" for line in str(found).splitlines()),
            f"   {len(found)} steps, {found.expanded:,} nodes, {seconds:.2f} s",
        )
    if as_json:
        output.put_json(documents)
