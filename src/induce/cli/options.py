"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model file, as `induce learn --out` writes it.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Full = Annotated[
    bool, typer.Option("--full", help="Print all of what was learned, however long; else it is shortened.")
]
ShowTrace = Annotated[
    bool, typer.Option("--trace", help="Print the steps of the learner as tables, before what was learned.")
]
Target = Annotated[str | None, typer.Option(metavar="COL", help="The column to be predicted.")]
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
        help="What stands for a missing value, instead of `?`, nothing, `NA`, `N/A`, `null` and so on. Repeatable.",
    ),
]

Nominal = Annotated[
    list[str] | None, typer.Option(metavar="COL", help="Take a column as nominal. Repeatable.")
]
Numeric = Annotated[
    list[str] | None, typer.Option(metavar="COL", help="Take a column as numeric. Repeatable.")
]
Ignore = Annotated[list[str] | None, typer.Option(metavar="COL", help="Leave a column out. Repeatable.")]
SchemaFile = Annotated[
    str | None, typer.Option("--schema", metavar="FILE", help="What the columns are, as TOML or JSON.")
]

Groups = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Keep the rows of a group together in folds; the column is no input."),
]
Time = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Learn from earlier rows and test on later ones, by this column."),
]
