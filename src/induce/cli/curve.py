"""`induce curve`: training and validation error by the number of training rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Groups, Ignore, Json, Labels, Nominal, Numeric, SchemaFile, Target
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from induce.data.dataset import Dataset
    from induce.evaluation.curves.learning import LearningCurve

PICTURES = ("svg", "png", "pdf")


@reads_tables(parts=True)
def curve(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    target: Target = None,
    labels: Labels = None,
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help='One or several learners, as in "C45 max_depth=2,CART"; by default the learner of `induce learn`.',
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="Training set sizes; by default eight, up to all training rows."),
    ] = None,
    cv: Annotated[int, typer.Option(metavar="K", help="Number of folds of the cross-validation.")] = 10,
    confidence: Annotated[float, typer.Option(metavar="P", help="Confidence level of the intervals.")] = 0.95,
    groups: Groups = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the curve here (svg, png or pdf).")
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Number of parallel jobs.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 0,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Print a learning curve: training and validation error of learners by the number of training rows."""
    from induce.cli import output
    from induce.cli.advise import begun_with
    from induce.cli.compare import built_learners, chosen_learners, prepared
    from induce.cli.pictures import check_extension, picture
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data
    from induce.cli.splits import divided
    from induce.core.files import write_whole
    from induce.evaluation.curves.learning import learning_curve

    output.check_writable(draw)
    kind = None if draw is None else check_extension(draw, PICTURES)
    chosen = None if learners is None else chosen_learners(learners)
    opened = opened_data(
        data,
        target,
        nominal=nominal or (),
        numeric=numeric or (),
        ignore=ignore or (),
        schema=schema,
        **({} if labels is None else {"labels": labels}),
        **reading,
    )
    opened, how = divided(opened, groups, None)
    if chosen is None:
        chosen = chosen_learners(begun_with(opened))
    table = prepared(opened, target, [entry for entry, _ in chosen.values()])
    with bar("learning from more and more rows"):
        found = learning_curve(
            built_learners(chosen, table, seed),
            table.X,
            table.y,
            None if sizes is None else _sizes(sizes),
            cv=min(cv, len(table)),
            confidence=confidence,
            n_jobs=jobs,
            random_state=seed,
            **how,
        )
    if draw is not None and kind is not None:
        write_whole(draw, picture(found, kind))
    if as_json:
        output.put_json(_document(table, found, draw))
        return
    header, rows = found.table()
    output.put_lines(f"{table.name or 'table'}: {found.caption()}", "")
    output.put_table(header, rows)
    if draw is not None:
        output.put_lines("", f"wrote {draw}")


def _sizes(text: str) -> list[int]:
    """Read the sizes of an option such as ``20,50``."""
    from induce.core.errors import InputError

    try:
        return [int(size) for size in text.split(",")]
    except ValueError:
        raise InputError(f"--sizes is {text!r}; give whole numbers such as 20,50,100") from None


def _document(table: Dataset, found: LearningCurve, draw: str | None) -> dict[str, Any]:
    return {
        "data": {"name": table.name, "rows": len(table), "target": table.target},
        "measure": found.label,
        "method": found.method,
        "sizes": found.sizes.tolist(),
        "learners": {
            name: {
                "training": errors.train_error.tolist(),
                "validation": errors.validation_error.tolist(),
                "intervals": [[each.low, each.high] for each in errors.intervals],
            }
            for name, errors in found.learners.items()
        },
        "files": [] if draw is None else [draw],
    }
