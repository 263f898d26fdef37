"""`induce compare`: all suitable learners on a table, and which of them differ from the best."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Groups, Ignore, Json, Labels, Nominal, Numeric, SchemaFile, Target, Time
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from induce.core.declarations import Learner
    from induce.data.dataset import Dataset
    from induce.evaluation.comparing.leaderboard_report import Leaderboard

PICTURES = ("svg", "png", "pdf")
LINES_SHOWN = 60


@reads_tables(parts=True)
def compare(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    target: Target = None,
    labels: Labels = None,
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help='Only these learners, as in "C45 max_depth=2,CART"; those that suit the table if not given.',
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All applicable learners, not only the recommended ones.")
    ] = False,
    cv: Annotated[int, typer.Option(metavar="K", help="Number of folds of the cross-validation.")] = 10,
    repeats: Annotated[int, typer.Option(metavar="N", help="Number of repetitions with new folds.")] = 1,
    score: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Compare by a loss or a score of scikit-learn instead of the error."
        ),
    ] = None,
    predict: Annotated[
        str | None, typer.Option(metavar="KIND", help="Kind of target: classes or numbers.")
    ] = None,
    confidence: Annotated[float, typer.Option(metavar="P", help="Confidence level of the intervals.")] = 0.95,
    time_limit: Annotated[
        float, typer.Option(metavar="S", help="Maximum total seconds per learner; 0 sets no limit.")
    ] = 60.0,
    groups: Groups = None,
    time: Time = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the table here (svg, png or pdf).")
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
    """Compare learners on a table by error, time and size, and find those significantly worse than the best.

    Without a target, density estimators are compared by the log-likelihood of held-out rows.
    """
    from induce.cli import output
    from induce.cli.pictures import check_extension, picture
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data
    from induce.cli.splits import divided, say_suspicions
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.evaluation.comparing.leaderboard import leaderboard

    output.check_writable(draw)
    kind = None if draw is None else check_extension(draw, PICTURES)
    if every and learners is not None:
        raise InputError("--all and --learners exclude each other; leave one out")
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
    opened, how = divided(opened, groups, time)
    entries = None if chosen is None else [entry for entry, _ in chosen.values()]
    table = prepared(opened, target, entries)
    suspicions = say_suspicions(table)
    with bar("comparing"):
        board = leaderboard(
            built_learners(chosen, table, seed) if chosen is not None else "all" if every else None,
            table.X,
            table.y,
            min(cv, len(table)),
            repeats=repeats,
            score=score,
            predict=predict or _kind(table),
            confidence=confidence,
            time_limit=time_limit or None,
            schema=table.input_schema,
            n_jobs=jobs,
            random_state=seed,
            **how,
        )
    if draw is not None and kind is not None:
        write_whole(draw, picture(board, kind))
    if as_json:
        output.put_json(_document(table, board, suspicions, draw))
        return
    put_board(table.name or "table", board)
    if draw is not None:
        output.put_lines(f"wrote {draw}")


def chosen_learners(names: str) -> dict[str, tuple[Learner, list[str]]]:
    """Return learners by name, each with its settings: ``C45 max_depth=2,CART`` are two."""
    from induce.cli.parameters import from_tables
    from induce.core.errors import InputError

    entries = [(from_tables(words[0]), words[1:]) for words in learner_words("--learners", names)]
    if not entries:
        raise InputError("--learners is empty; give names such as C45,CART, or leave it out")
    return {" ".join([entry.name, *settings]): (entry, settings) for entry, settings in entries}


def learner_words(option: str, names: str) -> list[list[str]]:
    """Return the name and the settings of each learner that an option lists.

    Examples
    --------
    >>> learner_words("--learners", "C45 max_depth=2,NeuralNetworkClassifier 'hidden=4,4'")
    [['C45', 'max_depth=2'], ['NeuralNetworkClassifier', 'hidden=4,4']]
    """
    from induce.core.errors import InputError

    pieces, quote = [""], ""
    for mark in names:  # a comma in quotes belongs to a setting
        if mark == "," and not quote:
            pieces.append("")
            continue
        if mark in "'\"" and quote in ("", mark):
            quote = "" if quote else mark
        pieces[-1] += mark
    try:
        found = [shlex.split(each) for each in pieces]
    except ValueError as problem:
        raise InputError(f"{option} is {names!r}: {str(problem).lower()}") from None
    return [words for words in found if words]


def put_board(name: str, board: Leaderboard) -> None:
    """Print a leaderboard with its notes and the most readable hypothesis."""
    from induce.cli import output

    output.put_lines(f"{name}: {board.title}", "")
    output.put_table(board.header, [line.cells() for line in board.lines])
    output.put_lines("", *board.notes(), "", *_shortened(board.reading()))


def prepared(table: Dataset, target: str | None, chosen: list[Learner] | None) -> Dataset:
    """Return the table in the form that its learners need, with a target or without; an `InputError` names a
    problem."""
    from induce.cli.advise import unnamed_target
    from induce.cli.sources import without_target
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.names import listed

    columns = listed(table.frame.columns)
    densities = table.target is None and all(
        entry.target_optional for entry in chosen or () if entry.has_target
    )
    if chosen and (densities or not any(entry.has_target for entry in chosen)):
        return without_target(table, target, chosen[0].name)
    if table.target is None and chosen is None:
        note(f"no --target is given, so densities are compared; the columns are {columns}")
        return without_target(table, target, "a density")
    if table.target is None:
        raise unnamed_target(table)
    if not table.X.width:
        raise InputError(
            f"there is no input column; give a table with at least one besides the target {table.target!r}"
        )
    if len(table) < 2:
        raise InputError("there is only one row with a target; comparing needs at least two")
    return table


def _kind(table: Dataset) -> str | None:
    """Return the kind of a target if its column determines it; integers may be classes or numbers."""
    if table.target is None:
        return None
    return None if table.schema[table.target].kind == "numeric" else "classes"


def built_learners(
    chosen: Mapping[str, tuple[Learner, list[str]]], table: Dataset, seed: int
) -> dict[str, Any]:
    """Return the chosen learners with their settings, the schema of the table and the seed."""
    import induce
    from induce.cli.parameters import built, parameters_of

    made = {}
    for name, (entry, settings) in chosen.items():
        learner = getattr(induce, entry.name)
        made[name] = built(learner, parameters_of(learner, settings), table.input_schema, seed)
    return made


def _shortened(reading: list[str]) -> list[str]:
    lines = [line for text in reading for line in text.splitlines() or [""]]
    if len(lines) <= LINES_SHOWN or not sys.stdout.isatty():
        return lines
    return [*lines[:LINES_SHOWN], f"… {len(lines) - LINES_SHOWN:,} more lines"]


def _document(table: Dataset, board: Leaderboard, suspicions: list[str], draw: str | None) -> dict[str, Any]:
    return {
        "data": {"name": table.name, "rows": len(table), "target": table.target},
        **board_document(board),
        "suspicions": suspicions,
        "files": [] if draw is None else [draw],
    }


def board_document(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard as plain data."""
    from induce.core.plain import described, plain

    return {
        "measure": board.measure,
        "method": board.method,
        "learners": plain(board.lines),
        "baseline": board.baseline or None,
        "failed": dict(board.failed),
        "left_out": dict(board.left_out),
        "notes": list(board.remarks),
        "readable": None
        if board.readable is None
        else {"learner": board.readable, "hypothesis": described(board.learner.hypothesis_)},
    }
