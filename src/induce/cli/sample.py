"""`induce sample`: rows drawn from a model."""

from __future__ import annotations

from typing import Annotated

import typer


def sample(
    source: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="Density model, network file, or name of a shipped network."),
    ],
    n: Annotated[int, typer.Argument(metavar="N", min=0, help="Number of rows.")],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write here (csv, tsv, jsonl or parquet), else CSV to stdout."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
) -> None:
    """Draw rows at random from a density or a belief network."""
    import os

    from induce.belief_networks.library import NETWORKS, textbook_network
    from induce.cli.networks import opened_hypothesis
    from induce.cli.pictures import check_extension
    from induce.cli.tables import FORMATS, write_file, write_stdout
    from induce.core.errors import InputError

    kind = None if out is None else check_extension(out, FORMATS)
    shipped = not os.path.exists(source) and source in NETWORKS
    model = textbook_network(source) if shipped else opened_hypothesis(source)
    if not model.generates:
        raise InputError(f"cannot draw rows from a {type(model).__name__}; give a density or a network")
    frames = iter([model.sample(n, seed)])
    if out is None or kind is None:
        write_stdout(frames)
    else:
        write_file(out, kind, frames)
