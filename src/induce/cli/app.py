"""The commands, and the options that precede them.

Only typer is imported here and at the top of the command modules, so that help and completion appear at once.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer

from induce.cli.advise import advise
from induce.cli.ask import ask
from induce.cli.cases import cases
from induce.cli.cluster import cluster
from induce.cli.compare import compare
from induce.cli.curve import curve
from induce.cli.data import data
from induce.cli.decode import decode
from induce.cli.derive import derive, diagnose
from induce.cli.diff import diff
from induce.cli.evaluate import evaluate
from induce.cli.evolve import evolve
from induce.cli.experiment import experiment
from induce.cli.explain import explain
from induce.cli.learn import learn
from induce.cli.learners import learners
from induce.cli.match import match
from induce.cli.plan import plan
from induce.cli.play import play
from induce.cli.predict import predict
from induce.cli.query import query
from induce.cli.relate import relate
from induce.cli.report import report
from induce.cli.revise import revise
from induce.cli.sample import sample
from induce.cli.show import show
from induce.cli.size import size
from induce.cli.solve import solve
from induce.cli.textbook import textbook
from induce.cli.theory import theory
from induce.cli.train import train
from induce.cli.workbench import workbench

app = typer.Typer(
    name="induce",
    help="Learn hypotheses that people can read, and say how far to trust them.",
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        import induce

        typer.echo(f"induce {induce.__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def _before(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


COMMANDS = (
    advise,
    learn,
    cluster,
    relate,
    derive,
    diagnose,
    revise,
    plan,
    predict,
    evaluate,
    diff,
    show,
    explain,
    ask,
    query,
    sample,
    decode,
    cases,
    compare,
    curve,
    experiment,
    evolve,
    solve,
    train,
    play,
    match,
    report,
    size,
    theory,
    data,
    learners,
    textbook,
    workbench,
)

for command in COMMANDS:
    app.command()(command)


@cache
def all_commands() -> Any:
    """Return the commands with their options, which typer builds from the signatures once per process."""
    return typer.main.get_command(app)
