"""`induce report`: the results of an experiment as one HTML page."""

from __future__ import annotations

import os
from typing import Annotated

import typer


def report(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS", help="A results file, as `induce experiment` writes it.")
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The page; beside the results, ending in .html, if not given."),
    ] = None,
) -> None:
    """Write the report of an experiment: one HTML page with tables, pictures and what was learned."""
    from induce.cli.output import check_writable, put_lines
    from induce.core.errors import InputError
    from induce.evaluation.experiments import Experiment

    written = os.path.splitext(results)[0] + ".html" if out is None else out
    check_writable(written)
    if os.path.exists(written) and os.path.exists(results) and os.path.samefile(written, results):
        raise InputError(f"the report would replace the results {results!r}; give another --out")
    Experiment.read(results).report(written)
    put_lines(f"wrote {written}")
