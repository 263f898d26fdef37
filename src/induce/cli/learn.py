"""`induce learn`: from a table to a hypothesis, with its error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Ignore, Json, Missing, Nominal, Numeric, SchemaFile, Target, tokens

if TYPE_CHECKING:
    from induce.data.dataset import Dataset

PICTURES = ("svg", "png", "pdf")
LINES_SHOWN = 200
MANY_CLASSES = 20


def _learner_names() -> list[str]:
    from induce.core.declarations import learners

    return [entry.name for entry in learners()]


def learn(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    settings: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Parameters of the learner.")
    ] = None,
    target: Target = None,
    learner: Annotated[
        str,
        typer.Option(metavar="NAME", autocompletion=_learner_names, help="See `induce learners`."),
    ] = "C45",
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the hypothesis here (svg, png or pdf).")
    ] = None,
    cv: Annotated[int, typer.Option(metavar="K", help="The folds of the cross-validation.")] = 10,
    evaluate: Annotated[
        bool, typer.Option("--evaluate/--no-evaluate", help="Whether to estimate the error.")
    ] = True,
    theory: Annotated[
        bool, typer.Option("--theory", help="Also say what learning theory promises on these rows.")
    ] = False,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    missing: Missing = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="What everything random depends on.")] = None,
    as_json: Json = False,
) -> None:
    """Learn from a table and print what was learned, with its cross-validated error.

    A learner of a density needs no target; its estimate is the log-likelihood of rows held out.
    """
    from induce.cli import output
    from induce.cli.parameters import built, catalogued, learner_class, parameters_of
    from induce.cli.pictures import check_extension, picture
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data, without_target
    from induce.core.files import write_whole
    from induce.core.interrupts import cut_short
    from induce.core.persistence import save

    for path in (out, draw):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    chosen = learner_class(learner)
    parameters = parameters_of(chosen, settings or ())
    table = opened_data(
        data,
        target,
        nominal=nominal or (),
        numeric=numeric or (),
        ignore=ignore or (),
        schema=schema,
        missing=tokens(missing),
    )
    if seed is not None:
        parameters.setdefault("random_state", seed)
    has_target = catalogued(learner).has_target
    if not has_target:
        table = without_target(table, target, chosen.__name__)
    model = built(chosen, parameters, table)
    if has_target:
        _check_target(table, model)
    started = time.perf_counter()
    with bar("learning"), cut_short() as cuts:
        model.fit(table.X, table.y)
    seconds = time.perf_counter() - started
    estimate = _estimate(model, table, cv, seed or 0) if evaluate and not cuts else None
    promised = _promised(model, table) if theory else None
    image = None if kind is None else picture(model.hypothesis_, kind)
    if out is not None:
        save(model, out)
    if draw is not None and image is not None:
        write_whole(draw, image)
    written = [path for path in (out, draw) if path is not None]
    if as_json:
        output.put_json(_document(table, model, parameters, estimate, promised, seconds, written))
    else:
        output.put_lines(*_report(table, model, estimate, promised, seconds, written))


def _check_target(table: Dataset, model: Any) -> None:
    from sklearn.base import is_regressor

    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.names import listed

    target, wanted = table.target, "value" if is_regressor(model) else "class"
    if target is None:
        raise InputError(f"say what to predict with --target; the columns are {listed(table.frame.columns)}")
    if not table.X.width:
        raise InputError(f"there is no column to learn from besides the target {target!r}")
    kind = table.schema[target].kind
    if is_regressor(model) and (kind != "numeric" or table.schema[target].temporal):
        raise InputError(
            f"the target {target!r} holds {'dates' if kind == 'numeric' else f'{kind} values'}, but "
            f"{type(model).__name__} predicts numbers; give another target or another learner"
        )
    if len(table) == 1:
        raise InputError(f"there is only one row with a {wanted}; learning needs at least two")
    different = table.y.n_unique()
    if different == 1:
        raise InputError(
            f"the target {target!r} has only one {wanted}, {str(table.y[0])!r}; nothing can be told apart"
        )
    if kind == "numeric" and different > MANY_CLASSES and not is_regressor(model):
        note(f"the target {target!r} is numeric, and each of its {different:,} values is learned as a class")


def _estimate(model: Any, table: Dataset, cv: int, seed: int) -> Any:
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.interrupts import is_ctrl_c
    from induce.core.notes import note
    from induce.evaluation.estimating.estimate import evaluate

    try:
        with bar("cross-validating"):
            return evaluate(model, table.X, table.y, min(cv, len(table)), random_state=seed)
    except InputError as problem:
        if table.target is not None:
            raise
        note(
            f"the log-likelihood was not estimated: {problem}"
        )  # a density may well be zero at a row held out
        return None
    except (KeyboardInterrupt, SystemError) as problem:
        if not is_ctrl_c(problem):
            raise
        # what was learned is not to be lost with the estimate
        note("interrupted: the error was not estimated")
        return None


def _promised(model: Any, table: Dataset) -> Any:
    """What theory promises for the hypothesis; None, with a note, for a kind of which it says nothing."""
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.theory import promise_for

    try:
        return promise_for(model, table.X, table.y)
    except InputError as error:
        note(str(error))
        return None


def _report(
    table: Dataset, model: Any, estimate: Any, promised: Any, seconds: float, written: list[str]
) -> list[str]:
    from induce.cli.summary import summary_lines

    hypothesis = model.hypothesis_
    lines = [*summary_lines(table, hypothesis), "", *_shortened(str(hypothesis).splitlines()), ""]
    lines.append(f"{type(model).__name__}: {hypothesis.size()}, learned in {seconds:.2f} s")
    if estimate is not None:
        lines.append(f"{estimate}, in {estimate.seconds:.2f} s")
    if promised is not None:
        lines.extend(str(promised).splitlines())
    return [*lines, *(f"wrote {path}" for path in written)]


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= LINES_SHOWN or not sys.stdout.isatty():
        return lines
    return [
        *lines[:LINES_SHOWN],
        f"… {len(lines) - LINES_SHOWN:,} more lines, which `induce show` prints",
    ]


def _document(
    table: Dataset,
    model: Any,
    parameters: dict[str, Any],
    estimate: Any,
    promised: Any,
    seconds: float,
    written: list[str],
) -> dict[str, Any]:
    from induce.cli.plain import described, plain
    from induce.cli.summary import summary

    return {
        "data": summary(table, model.hypothesis_),
        "learner": {"name": type(model).__name__, "parameters": plain(parameters), "seconds": seconds},
        "hypothesis": described(model.hypothesis_),
        "estimate": None if estimate is None else plain(estimate.as_dict()),
        "promise": None if promised is None else plain(promised.as_dict()),
        "files": written,
    }
