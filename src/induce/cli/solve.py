"""`induce solve`: the best policy of a process whose model is known."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json
from induce.cli.processes import environment_names

PICTURES = ("svg", "png", "pdf")


def solve(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL|ENV",
            autocompletion=environment_names,
            help="A table of transitions (state, action, next, reward, probability), a log with a column episode, "
            "or an environment by name; without it, all shipped environments are listed.",
        ),
    ] = None,
    discount: Annotated[float, typer.Option(metavar="G", help="Discount factor per step.")] = 0.99,
    average: Annotated[
        bool, typer.Option("--average", help="Maximise the average reward per step, without a discount.")
    ] = False,
    horizon: Annotated[
        int | None, typer.Option(metavar="N", help="Maximise the sum of the rewards of N steps.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Method: modified-policy-iteration, policy-iteration, value-iteration or prioritized-sweeping.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="STATE", help="Start state of episodes of a table; anywhere by default."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Parameter of the environment. Repeatable."),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Print the policy as rules.")] = False,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the policy here.")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the policy here (svg, png or pdf).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute the best policy of a decision process and print the value of the start."""
    from induce.cli import output
    from induce.cli.pictures import check_extension, picture
    from induce.cli.processes import list_environments, opened_process
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.persistence import save
    from induce.reinforcement.learners.dynamic_programming import DynamicProgramming

    if model is None:
        list_environments(as_json)
        return
    for path in (out, draw):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    if average and horizon is not None:
        raise InputError("--average and --horizon are different criteria; give one of them")
    criterion = "average" if average else "horizon" if horizon is not None else "discounted"
    solver = DynamicProgramming(
        discount if criterion == "discounted" else 1.0,
        criterion=criterion,
        horizon=horizon,
        method=method or "modified-policy-iteration",
    )
    source = opened_process(model, settings or [], start)
    solver.learn(source)
    policy: Any = solver.hypothesis_
    shown = policy.to_rules() if rules else policy
    image = None if kind is None else picture(policy, kind)
    if out is not None:
        save(solver, out)
    if draw is not None and image is not None:
        write_whole(draw, image)
    written = [path for path in (out, draw) if path is not None]
    if as_json:
        output.put_json(_document(policy, solver, rules and shown, written))
        return
    lines = [str(policy.model), _value_line(policy, solver), "", *str(shown).splitlines()]
    output.put_lines(*lines, *(f"wrote {path}" for path in written))


def _value_line(policy: Any, solver: Any) -> str:
    if solver.criterion == "average":
        return f"average reward per step: {policy.gain:.6f}"
    if solver.criterion == "horizon":
        return f"value of the start: {policy.value():.6f} (the sum of {solver.horizon:,} rewards)"
    n = policy.n_optimal()
    many = f"{n:,}" if n < 10**6 else f"about 10^{len(str(n)) - 1}"
    ties = "" if n == 1 else f", {many} equally good policies"
    return f"value of the start: {policy.value():.6f} (discount {policy.discount:g}{ties})"


def _document(policy: Any, solver: Any, reading: Any, written: list[str]) -> dict[str, Any]:
    import json

    from induce.core.plain import plain

    rules = {} if not reading else {"rules": str(reading.hypothesis), "loss": plain(reading.loss)}
    return {
        "process": str(policy.model),
        "criterion": solver.criterion,
        "value": plain(policy.value()),
        "gain": plain(policy.gain),
        "bound": plain(solver.solved_.bound),
        **json.loads(policy.to_json()),
        **rules,
        "files": written,
    }
