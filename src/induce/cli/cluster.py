"""`induce cluster`: clusters of a table, their distinguishing columns, and rules that describe them."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import typer

from induce.cli.options import Ignore, Json, Nominal, Numeric, SchemaFile
from induce.cli.parameters import setting_words
from induce.cli.reading import reads_tables

PARAMETERS = {"MixtureModel": "n_classes", "GaussianMixture": "n_components", "KMeans": "n_clusters"}


@reads_tables(parts=True)
def cluster(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    settings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            autocompletion=setting_words,
            help="Parameters of the learner; see `induce learners NAME`.",
        ),
    ] = None,
    clusters: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Number of clusters; by default found from the data."),
    ] = None,
    learner: Annotated[
        Literal["MixtureModel", "GaussianMixture", "KMeans"], typer.Option(help="Clustering learner.")
    ] = "MixtureModel",
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the clusters here (svg, png or pdf).")
    ] = None,
    assign: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write the rows with their clusters here (csv, tsv, jsonl or parquet)."
        ),
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Find clusters of rows; print their distinguishing columns, relative sizes, and rules that describe them."""
    from induce.cli import output
    from induce.cli.learn import PICTURES
    from induce.cli.parameters import built, learner_class, parameters_of
    from induce.cli.pictures import check_extension, picture
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data, without_target
    from induce.cli.summary import in_words, summary
    from induce.cli.tables import FORMATS, write_file
    from induce.core.files import write_whole
    from induce.core.persistence import save

    for path in (out, draw, assign):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    form = None if assign is None else check_extension(assign, FORMATS)
    chosen = learner_class(learner)
    parameters = parameters_of(chosen, settings or ())
    if clusters is not None:
        parameters[PARAMETERS[learner]] = clusters
    table = opened_data(
        data,
        None,
        nominal=nominal or (),
        numeric=numeric or (),
        ignore=ignore or (),
        schema=schema,
        **reading,
    )
    table = without_target(table, None, learner)
    model = built(chosen, parameters, table.input_schema, seed)
    started = time.perf_counter()
    with bar("learning"):
        model.fit(table.X)
    seconds = time.perf_counter() - started
    image = None if kind is None else picture(model.hypothesis_, kind)
    if out is not None:
        save(model, out)
    if draw is not None and image is not None:
        write_whole(draw, image)
    if assign is not None and form is not None:
        write_file(assign, form, iter([_assigned(table.frame, model.labels_)]))
    written = [path for path in (out, draw, assign) if path is not None]
    found = summary(table, model.hypothesis_)
    if as_json:
        output.put_json(_document(model, found, parameters, seconds, written))
    else:
        lines = [*in_words(found), "", *str(model.hypothesis_).splitlines(), ""]
        lines.append(f"{learner}: {model.hypothesis_.size()}, learned in {seconds:.2f} s")
        output.put_lines(*lines, *(f"wrote {path}" for path in written))


def _assigned(frame: Any, labels: Any) -> Any:
    """Return the rows of a table with their clusters; an existing column of that name is kept."""
    import polars as pl

    name = "cluster"
    while name in frame.columns:
        name += "_"
    return frame.with_columns(pl.Series(name, labels))


def _document(
    model: Any, found: dict[str, Any], parameters: dict[str, Any], seconds: float, written: list[str]
) -> dict[str, Any]:
    from induce.core.plain import described, plain

    return {
        "data": found,
        "learner": {
            "name": type(model).__name__,
            "parameters": plain(parameters),
            "seconds": seconds,
        },
        "hypothesis": described(model.hypothesis_),
        "clusters": [plain(each) for each in model.hypothesis_.clusters],
        "labels": model.labels_.tolist(),
        "files": written,
    }
