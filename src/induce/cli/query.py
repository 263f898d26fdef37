"""`induce query`: answers of a belief network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from induce.cli.options import Json
from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    import polars as pl

    from induce.belief_networks.network import BeliefNetwork
    from induce.data.dialect import Dialect

Method = Literal[
    "exact",
    "junction-tree",
    "elimination",
    "enumeration",
    "likelihood-weighting",
    "rejection",
    "gibbs",
    "loopy",
]
Network = Annotated[
    str,
    typer.Argument(
        metavar="FILE|MODEL",
        help="A .bif, .xmlbif or .xdsl file, a model file, or the name of a shipped network.",
    ),
]


@reads_tables()
def query(
    source: Network,
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="TARGET…", help="Nodes to query; by default all.")
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option("--given", metavar="NODE=VALUE", help="Observed value of a node. Repeatable."),
    ] = None,
    do: Annotated[
        list[str] | None,
        typer.Option("--do", metavar="NODE=VALUE", help="Value of a node set by intervention. Repeatable."),
    ] = None,
    joint: Annotated[bool, typer.Option("--joint", help="Query the targets jointly.")] = False,
    mpe: Annotated[bool, typer.Option("--mpe", help="Show the most probable explanation instead.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Show the findings that changed the answer.")] = False,
    next_: Annotated[
        bool, typer.Option("--next", help="Show the most informative next observation for the target.")
    ] = False,
    method: Annotated[Method, typer.Option(help="Inference method.")] = "exact",
    precision: Annotated[
        float, typer.Option(metavar="SE", help="Standard error at which sampling ends.")
    ] = 0.005,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="DATA", help="Answer for every row of a file; `-` is stdin.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="With --rows: write here (csv, tsv, jsonl or parquet)."),
    ] = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Query a belief network for the probabilities of nodes, given observations or interventions."""
    from induce.cli.networks import assignments, opened_network
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError

    network = opened_network(source)
    if do:
        network = network.do(assignments(do, network, "--do"))
    known = assignments(given or [], network, "--given")
    if rows is not None:
        if known or mpe or why or next_ or joint or method != "exact":
            raise InputError(
                "--rows answers for every row, with its values as evidence; leave out the other options"
            )
        _write(network, targets or None, rows, out, dialect_of(reading))
        return
    if out is not None:
        raise InputError("--out is for --rows; leave it out")
    asked = targets or list(network.nodes)
    if (why or next_) and len(asked) != 1:
        raise InputError(f"{'--why' if why else '--next'} needs one target; name it")
    if mpe:
        parts: list[Any] = [network.most_probable(known)]
    elif why:
        parts = list(network.explain(known, asked[0]))
    elif next_:
        parts = list(network.next_observations(asked[0], known))
    elif joint:
        parts = [network.query(asked, known, method=method, precision=precision, random_state=seed)]
    elif not targets and method == "exact":
        parts = list(network.marginals(known).values())
    else:
        parts = [
            network.query(each, known, method=method, precision=precision, random_state=seed)
            for each in asked
        ]
    if as_json:
        put_json([_document(part) for part in parts])
    else:
        put_lines(("\n" if next_ else "\n\n").join(map(str, parts)))


def _document(part: Any) -> Any:
    """Return an answer as plain values."""
    from induce.belief_networks.inference.answers import Answer, Explanation
    from induce.core.plain import plain

    if isinstance(part, Answer):
        names = [column.name for column in part.columns]
        return {
            "nodes": names,
            "method": part.method,
            "n_samples": part.n_samples,
            "states": [
                {
                    "values": list(state) if len(names) > 1 else [state],
                    "probability": chance,
                    "standard_error": part.standard_error(state),
                }
                for state, chance in part.items()
            ],
        }
    if isinstance(part, Explanation):
        return {"values": dict(part), "probability": part.probability, "posterior": part.posterior}
    return plain(part)


def _write(
    network: BeliefNetwork,
    targets: Sequence[str] | None,
    source: str,
    out: str | None,
    dialect: Dialect,
) -> None:
    from induce.cli.pictures import check_extension
    from induce.cli.tables import FORMATS, write_file, write_stdout

    frames = _answered(network, targets, source, dialect)
    if out is None:
        write_stdout(frames)
    else:
        write_file(out, check_extension(out, FORMATS), frames)


def _answered(
    network: BeliefNetwork, targets: Sequence[str] | None, source: str, dialect: Dialect
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file with the probabilities of the targets, in batches."""
    from induce.data.reading import conformed, pieces

    first_row = 1
    for piece in pieces(source, dialect=dialect):
        names = [name for name in network.nodes if name in piece.columns]
        inputs = conformed(piece.select(names), network.schema, first_row=first_row, dialect=dialect)
        added = network.query_rows(inputs, targets)
        yield piece.with_columns(added)
        first_row += piece.height
