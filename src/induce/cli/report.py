"""`induce report`: a model, or the results of an experiment, as one HTML page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.reading import dialect_of, reads_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from induce.core.persistence import ModelFile

ZIPPED = b"PK"
FOLDS = 10


@reads_tables()
def report(
    source: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A model file, or a results file as `induce experiment` writes it; with --target, a table.",
        ),
    ],
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Labelled rows to test the model on; `-` is stdin."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Page to write; by default beside the file, ending in .html."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="Show the error in the groups of this column of DATA. Repeatable."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="COL",
            help="Learn this column from a table first, as `learn` does; the model is saved next to it.",
        ),
    ] = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Write one HTML page: the hypothesis and its data, its quality, its errors, and how to use it.

    For a model, DATA adds the error by class and group, and the effect of each column. If the model was
    trained on these rows, it is cross-validated. With --target, the rows of a table are used for both.
    """
    from induce.cli.output import check_writable, put_lines
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.evaluation.experiments import Experiment

    written = os.path.splitext(source)[0] + ".html" if out is None else out
    check_writable(written)
    if target is not None:
        if data is not None:
            raise InputError(
                "--target learns from the table and tests on it; give one table, or a model and DATA"
            )
        source, data = learned_from(source, target, reading), source
    if os.path.exists(written) and os.path.exists(source) and os.path.samefile(written, source):
        what = "the results" if _holds_results(source) else "the model"
        raise InputError(f"the report would replace {what} {source!r}; give another --out")
    if _holds_results(source):
        if data is not None or by:
            raise InputError("DATA and --by are for the report of a model, but this is one of an experiment")
        Experiment.read(source).report(written)
    else:
        write_whole(written, model_page(source, data, by or (), dialect_of(reading)).encode())
    put_lines(f"wrote {written}")


def learned_from(table: str, target: str, reading: dict[str, Any]) -> str:
    """Learn from a table as `learn` does, and return the model file written next to it."""
    from inspect import unwrap

    from induce.cli.learn import learn
    from induce.core.errors import InputError

    model = os.path.splitext(table)[0] + ".induce"
    if model == table:
        raise InputError(f"{table!r} is already a model; leave --target out")
    unwrap(learn)(table, target=target, out=model, reading=reading)
    return model


def model_page(model: str, data: str | None, by: Sequence[str], dialect: Any) -> str:
    """Return the report of a model file."""
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.persistence import load_model
    from induce.evaluation.model_report import ModelReport

    found = load_model(model)
    tested = None
    if data is not None:
        if found.hypothesis.answer not in ("class", "number") or len(found.hypothesis.targets()) != 1:
            raise InputError("this model predicts neither a class nor a single number; leave DATA out")
        with bar("testing"):
            tested = _tested(model, found, data, by, dialect)
    elif by:
        raise InputError("--by shows the error in groups of DATA; give a file with labelled rows")
    name = os.path.basename(model)
    with bar("writing"):
        return ModelReport(found.hypothesis, found.provenance, found.versions, name, tested).html()


def whole_page(source: str) -> str:
    """Return the report of a model file or a network file, without data."""
    from induce.belief_networks.files.formats import format_of
    from induce.cli.networks import opened_hypothesis
    from induce.evaluation.model_report import ModelReport

    if format_of(source) is None:
        return model_page(source, None, (), None)
    return ModelReport(opened_hypothesis(source), file=os.path.basename(source)).html()


def _tested(model: str, found: ModelFile, data: str, by: Sequence[str], dialect: Any) -> Any:
    """Test a model on rows; cross-validate it if it was trained on them."""
    from induce.cli.labelled_rows import groups_of, rows_with_answers, say_drift, was_learned_from
    from induce.core.notes import note
    from induce.core.persistence import load
    from induce.evaluation.assessment import assess, cross_assess
    from induce.evaluation.model_report import RowsTested

    hypothesis = found.hypothesis
    X, y = rows_with_answers(hypothesis, data, dialect)
    beside = groups_of(hypothesis, data, by, dialect) if by else None
    name = os.path.basename(data) if data != "-" else "standard input"
    if not was_learned_from(hypothesis, X, y, found.provenance):
        say_drift(hypothesis, X, found.provenance)
        return RowsTested(X, assess(hypothesis, X, y, conformal=found.conformal), name, beside)
    if found.learner is None:
        note("the model was trained on these rows, so all figures are optimistic")
        return RowsTested(
            X, assess(hypothesis, X, y, conformal=found.conformal), f"{name}, learned from", beside
        )
    seed, how = found.provenance.get("seed") or 0, {}
    for option, column in (found.provenance.get("options") or {}).items():
        if option in ("groups", "time"):  # split as in its training
            how[option] = groups_of(hypothesis, data, [column], dialect)[column].to_numpy()
    assessed = cross_assess(
        _for_columns(load(model), X.columns), X, y, min(FOLDS, len(y)), random_state=seed, **how
    )
    return RowsTested(X, assessed, f"{name}, left out in turn", beside)


def _for_columns(learner: Any, names: Sequence[str]) -> Any:
    """Return a learner without the declarations of columns that these rows lack, such as identifiers."""
    from induce.data.schema import Schema

    told = {key: value for key, value in learner.get_params().items() if isinstance(value, Schema)}
    return learner.set_params(
        **{
            key: Schema(tuple(column for column in value if column.name in names))
            for key, value in told.items()
        }
    )


def _holds_results(path: str) -> bool:
    """Return whether a file contains an experiment; other files are reported when they are read."""
    if path.endswith(".induce"):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(ZIPPED)) != ZIPPED
    except OSError:
        return True
