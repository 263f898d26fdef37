"""Options of several commands."""

from __future__ import annotations

from typing import Annotated

import typer

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model file, as `induce learn --out` writes it.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Full = Annotated[
    bool, typer.Option("--full", help="Print the whole hypothesis, however long; by default it is shortened.")
]
ShowTrace = Annotated[
    bool, typer.Option("--trace", help="Print the steps of the learner as tables, before the hypothesis.")
]
Target = Annotated[str | None, typer.Option(metavar="COL", help="Column to be predicted.")]
Labels = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|PATTERN",
        help="Labels of images: a file, `folder`, or a pattern over names such as {person}_{pose}.",
    ),
]
Picture = Annotated[
    str | None,
    typer.Option(metavar="KIND", help="One of several pictures, such as errors of a neural network."),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TOKEN",
        help="Marker of a missing value, instead of `?`, nothing, `NA`, `N/A`, `null` and so on. Repeatable.",
    ),
]

Nominal = Annotated[list[str] | None, typer.Option(metavar="COL", help="Nominal column. Repeatable.")]
Numeric = Annotated[list[str] | None, typer.Option(metavar="COL", help="Numeric column. Repeatable.")]
Ignore = Annotated[list[str] | None, typer.Option(metavar="COL", help="Column to leave out. Repeatable.")]
SchemaFile = Annotated[
    str | None, typer.Option("--schema", metavar="FILE", help="Schema of the columns, as TOML or JSON.")
]

Groups = Annotated[
    str | None,
    typer.Option(
        metavar="COL", help="Column of groups, whose rows stay together in folds; it is not an input."
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        metavar="COL", help="Column of time: earlier rows are for training and later ones for testing."
    ),
]
