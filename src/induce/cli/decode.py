"""`induce decode`: the hidden states behind the rows of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Model
from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    import polars as pl

    from induce.data.dialect import Dialect


@reads_tables()
def decode(
    model: Model,
    data: Annotated[
        str,
        typer.Argument(metavar="DATA", help="A file with the columns of the training data; `-` is stdin."),
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write here (csv, tsv, jsonl or parquet), else CSV to stdout."),
    ] = None,
    smooth: Annotated[
        bool, typer.Option("--smooth", help="Also add the probability of every state, given the sequence.")
    ] = False,
    why: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only explain the state of row N of the file."),
    ] = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Add the state of each step in the most probable path of a hidden Markov model."""
    import polars as pl

    from induce.cli.output import put_lines
    from induce.cli.pictures import check_extension
    from induce.cli.tables import FORMATS, write_file, write_stdout
    from induce.core.errors import InputError
    from induce.core.persistence import load_hypothesis
    from induce.data.reading import pieces
    from induce.sequences.sequences import Sequences

    kind = None if out is None else check_extension(out, FORMATS)
    chain: Any = load_hypothesis(model)
    if chain.speaks_of != "sequences":
        raise InputError(
            f"a {type(chain).__name__} has no hidden states; learn with --learner HiddenMarkovModel"
        )
    dialect = dialect_of(reading)
    rows = pl.concat(pieces(data, dialect=dialect))
    sequences = Sequences.of(_typed(chain, rows, dialect), sequence=chain.sequence, order=chain.order)
    if why is not None:
        if why > len(rows):
            raise InputError(f"there is no row {why:,}; the last is {len(rows):,}")
        put_lines(str(chain.explain(sequences)[why - 1]))
        return
    added: dict[str, Any] = {"state": [str(state) for state in chain.decode(sequences)]}
    if smooth:
        chances = chain.smooth(sequences)
        added |= {
            f"probability of {state}": cells for state, cells in zip(chain.states, chances.T, strict=True)
        }
    frames = iter([rows.with_columns(_free(rows, name, cells) for name, cells in added.items())])
    if out is None or kind is None:
        write_stdout(frames)
    else:
        write_file(out, kind, frames)


def _typed(chain: Any, rows: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
    """Return the columns that the chain needs, in the types it was learned from."""
    import polars as pl

    from induce.core.errors import InputError
    from induce.data.reading import conformed
    from induce.data.type_inference import from_text

    shown = chain.schema.inputs().names()
    for name in filter(None, (*shown, chain.sequence, chain.order)):
        if name not in rows.columns:
            raise InputError(
                f"column {name!r} is absent; give all columns that the hypothesis was learned from"
            )
    columns = conformed(rows.select(shown), chain.schema, dialect=dialect).get_columns()
    for name in filter(None, (chain.sequence, chain.order)):
        cells = rows[name]
        columns.append(from_text(cells, dialect.missing) if cells.dtype == pl.String else cells)
    return pl.DataFrame(columns)


def _free(rows: pl.DataFrame, name: str, cells: Any) -> pl.Series:
    """Return a new column, under a unique name."""
    import polars as pl

    from induce.core.notes import note

    free = name
    while free in rows.columns:
        free += "_"
    if free != name:
        note(f"there is already a column {name!r}, so the new one is called {free!r}")
    return pl.Series(free, cells)
