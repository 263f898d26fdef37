"""`induce predict`: new rows with the predictions of a model, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from induce.cli.options import Model
from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    import polars as pl

    from induce.core.persistence import ModelFile
    from induce.data.dialect import Dialect
    from induce.data.drift import Watch

DIGITS = 7
"""Number of digits of numbers written as text."""
CALLED = {"class": "prediction", "number": "prediction"}
"""Column name of each kind of answer, if it differs from the kind."""
UNSHARED = {"number": "predicts numbers", "log density": "is a density"}
"""Answers that are neither classes nor clusters, so that they have no probabilities."""


class Bounds(NamedTuple):
    """Further columns of predicted rows: their names, and the function that computes them."""

    names: tuple[str, ...]
    columns: Callable[[Any], list[Any]]


@reads_tables()
def predict(
    model: Model,
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="A file with the columns of the training data; `-` is stdin.")
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write here (csv, tsv, jsonl or parquet), else CSV to stdout."),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    interval: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Add a set of classes, or bounds of the number, with this coverage in per cent.",
        ),
    ] = None,
    by_class: Annotated[
        bool,
        typer.Option("--by-class", help="Sets with this coverage in the rows of every class."),
    ] = False,
    reject: Annotated[
        str | None,
        typer.Option(
            metavar="ERROR",
            help="Reject the least certain rows, so that the error rate of the others is at most "
            "this, such as 0.5%.",
        ),
    ] = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Add the predictions of a model to the rows of a file of any size; for a density, the log density of each row.

    A clustering adds the cluster of each row. For images, each line has the file, the class and its confidence.
    """
    from induce.cli.images import pictured
    from induce.cli.model_commands import refuse_unless
    from induce.cli.pictures import check_extension
    from induce.cli.progress import counter
    from induce.cli.tables import FORMATS, write_file, write_stdout
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.core.persistence import load_model
    from induce.data.drift import Watch

    kind = None if out is None else check_extension(out, FORMATS)
    found = load_model(model, conformal=interval is not None or reject is not None)
    hypothesis = found.hypothesis
    refuse_unless(hypothesis, "rows")
    if proba and hypothesis.answer in UNSHARED:
        raise InputError(
            f"--proba is for classes, but this model {UNSHARED[hypothesis.answer]}; leave it out"
        )
    bounds = None if interval is None else _bounds(found, interval, by_class)
    bounds = bounds if reject is None else _with_rejected(found, reject, bounds)
    images = pictured(hypothesis, new)
    watch = Watch(hypothesis.schema, found.provenance.get("columns", ()))
    with counter("predicting") as count:
        frames = (
            _of_images(hypothesis, *images, proba, bounds)
            if images
            else _predicted(
                hypothesis,
                new,
                proba,
                bounds,
                dialect_of(reading),
                typed=kind in ("jsonl", "parquet"),
                watch=watch,
            )
        )
        if out is None or kind is None:
            write_stdout(_counted(frames, count))
        else:
            write_file(out, kind, _counted(frames, count))
    for sentence in watch.sentences():
        note(sentence)


def conformal_at(found: ModelFile, percent: float) -> Any:
    """Return the basis of prediction sets and intervals of a model file.

    Raise an error for an invalid percentage or a file without one.
    """
    from induce.core.errors import InputError

    if not 0 < percent < 100:
        raise InputError(f"--interval is {percent:g}; give a percentage between 0 and 100, such as 90")
    if found.conformal is None:
        raise InputError(
            "the model file has no scores of held-out rows, which prediction sets and intervals need; learn it "
            "again with --out and without --no-evaluate"
        )
    return found.conformal


def _bounds(found: ModelFile, percent: float, by_class: bool) -> Bounds:
    """Return the function that computes the further columns of rows: the set of classes, or both bounds."""
    import math

    import numpy as np

    from induce.core.errors import InputError

    hypothesis, conformal = found.hypothesis, conformal_at(found, percent)
    if conformal.classes:

        def sets(table: Any) -> list[Any]:
            told = conformal.predict_set(hypothesis, table, percent / 100, by_class)
            return [np.array([" | ".join(map(str, each)) for each in told], dtype=object)]

        return Bounds((f"{percent:g}% set",), sets)
    if by_class:
        raise InputError("--by-class is for sets of classes, but this model predicts numbers; leave it out")
    width = conformal.width(percent / 100)
    if math.isinf(width):
        raise InputError(
            f"the model has only {len(conformal.scores)} conformal scores, too few for {percent:g}%; "
            "give a lower confidence"
        )

    def intervals(table: Any) -> list[Any]:
        return list(conformal.predict_interval(hypothesis, table, percent / 100).T)

    return Bounds((f"{percent:g}% low", f"{percent:g}% high"), intervals)


def _with_rejected(found: ModelFile, said: str, before: Bounds | None) -> Bounds:
    """Return the function that marks rows that are too uncertain, after the other requested columns."""
    import numpy as np

    from induce.cli.images import error_share
    from induce.core.errors import InputError

    hypothesis = found.hypothesis
    if hypothesis.answer != "class":
        raise InputError("--reject is for classes, which this model does not predict; leave it out")
    level = conformal_at(found, 50).certain_from(error_share(said))

    def rejected(table: Any) -> list[Any]:
        certain = hypothesis.predict_proba(table).max(axis=1) >= level
        marks = np.where(certain, "no", "yes").astype(object)
        return [*(before.columns(table) if before is not None else ()), marks]

    return Bounds((*(before.names if before is not None else ()), "rejected"), rejected)


def _of_images(
    hypothesis: Any, rows: pl.DataFrame, names: Sequence[str], proba: bool, bounds: Bounds | None
) -> Iterator[pl.DataFrame]:
    """Yield the names of images, each with its class, confidence and other requested columns."""
    import polars as pl

    from induce.data.table import encode

    table = encode(rows, hypothesis.schema) if hypothesis.takes_tables else rows
    shares = hypothesis.predict_proba(table)
    columns = {"file": list(names), "prediction": [str(value) for value in hypothesis.answers(table)]}
    shown = pl.DataFrame({**columns, "confidence": shares.max(axis=1).round(DIGITS - 1)})
    if proba:
        each = zip(hypothesis.classes, shares.T, strict=True)
        shown = shown.with_columns(
            pl.Series(f"probability of {value}", share.round(DIGITS - 1)) for value, share in each
        )
    if bounds is not None:
        added = zip(bounds.names, bounds.columns(table), strict=True)
        shown = shown.with_columns(pl.Series(name, list(cells)) for name, cells in added)
    yield shown


def _counted(frames: Iterator[pl.DataFrame], count: Any) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield frame
        count(frame.height)


def _predicted(
    hypothesis: Any,
    new: str,
    proba: bool,
    bounds: Bounds | None,
    dialect: Dialect,
    typed: bool,
    watch: Watch,
) -> Iterator[pl.DataFrame]:
    """Yield the rows with their predictions; `typed` if numbers stay numbers instead of text."""
    import polars as pl

    from induce.data.reading import conformed, inputs_of, pieces
    from induce.data.table import encode

    names: list[str] = []
    first_row = 1
    for piece in pieces(new, dialect=dialect):
        if not names:
            names = _names_of_predictions(hypothesis, piece.columns, proba, bounds)
        if not piece.height:
            continue
        inputs = conformed(
            inputs_of(piece, hypothesis.schema), hypothesis.schema, first_row=first_row, dialect=dialect
        )
        table = encode(inputs, hypothesis.schema) if hypothesis.takes_tables else inputs
        columns = [hypothesis.answers(table)]
        if proba:
            columns += list(hypothesis.predict_proba(table).T)
        if bounds is not None:
            columns += bounds.columns(table)
        watch.see(inputs)
        if typed:
            numbers = [cells for cells in inputs if cells.dtype in (pl.Float64, pl.Boolean)]
            piece = piece.with_columns(cells for cells in numbers if piece[cells.name].dtype == pl.String)
        added = [_cells(name, values, typed) for name, values in zip(names, columns, strict=True)]
        yield piece.with_columns(added)
        first_row += piece.height


def _cells(name: str, values: Any, typed: bool) -> pl.Series:
    """Return predictions as a column; classes of mixed types become strings.

    Numbers written as text have seven digits, and large ones all digits before the point; further digits are
    only rounding noise.
    """
    import polars as pl

    cells = pl.Series(name, [str(value) for value in values] if values.dtype.kind == "O" else values)
    if typed or not cells.dtype.is_float():
        return cells
    number = pl.col(name)
    short = (
        pl.when(number.abs() >= 10.0 ** (DIGITS - 1))
        .then(number.round(0))
        .otherwise(number.round_sig_figs(DIGITS))
    )
    return cells.to_frame().select(short).to_series().alias(name)


def _names_of_predictions(
    hypothesis: Any, columns: Sequence[str], proba: bool, bounds: Bounds | None
) -> list[str]:
    """Check the columns of the new rows, and choose names for the columns to be added."""
    from induce.core.notes import note
    from induce.data.names import listed
    from induce.data.reading import needed_columns

    learned = {*needed_columns(hypothesis.schema, columns), *hypothesis.schema.names(), *hypothesis.targets()}
    extra = [name for name in columns if name not in learned]
    if extra:
        which = (
            f"column {extra[0]!r}, which is" if len(extra) == 1 else f"the columns {listed(extra)}, which are"
        )
        note(f"the model was trained without {which} ignored")
    wanted = [CALLED.get(hypothesis.answer, hypothesis.answer)]
    if proba:
        wanted += [f"probability of {value}" for value in hypothesis.classes]
    wanted += bounds.names if bounds is not None else ()
    names: list[str] = []
    for name in wanted:
        free = name
        while free in columns or free in names:
            free += "_"
        if free != name:
            note(f"there is already a column {name!r}, so the new one is called {free!r}")
        names.append(free)
    return names
