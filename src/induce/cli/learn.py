"""`induce learn`: a hypothesis from a table, with its error."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from induce.cli.options import (
    Full,
    Groups,
    Ignore,
    Json,
    Labels,
    Nominal,
    Numeric,
    Picture,
    SchemaFile,
    ShowTrace,
    Target,
    Time,
)
from induce.cli.parameters import setting_words
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from induce.cli.learned import Learned
    from induce.core.declarations import Learner
    from induce.data.dataset import Dataset

PICTURES = ("svg", "png", "pdf")


def _learner_names() -> list[str]:
    from induce.core.declarations import learners

    return [entry.name for entry in learners() if not entry.explores]


@reads_tables(parts=True)
def learn(
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
    target: Target = None,
    labels: Labels = None,
    learner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=_learner_names,
            help="Learner; see `induce learners`. By default C45 for classes and ModelTree for numbers.",
        ),
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the hypothesis here (svg, png or pdf).")
    ] = None,
    picture: Picture = None,
    cv: Annotated[int, typer.Option(metavar="K", help="Number of folds of the cross-validation.")] = 10,
    evaluate: Annotated[
        bool, typer.Option("--evaluate/--no-evaluate", help="Whether to estimate the error.")
    ] = True,
    test: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also test on the rows of this file, as `evaluate` does."),
    ] = None,
    calibrate: Annotated[
        Literal["sigmoid", "isotonic"] | None,
        typer.Option(help="Calibrate the class probabilities on held-out rows."),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(metavar="TRUE>SAID=N", help='Costs of mistakes, as in "no>yes=5"; all others cost 1.'),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS=P", help="Predict a class only if it is correct this often, as in yes=0.9."
        ),
    ] = None,
    groups: Groups = None,
    time: Time = None,
    theory: Annotated[
        bool, typer.Option("--theory", help="Also print the guarantees of learning theory for these rows.")
    ] = False,
    knowledge: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Initial rules, IF … THEN … or Prolog; lines `LAW IF … THEN …` are always kept.",
        ),
    ] = None,
    stream: Annotated[
        bool | None,
        typer.Option(
            "--stream/--no-stream",
            help="Whether to learn in chunks, in constant memory; by default for large files, if the "
            "learner supports it.",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="Learn in partitions on `threads`, `dask`, or the scheduler at an address such as tcp://host:8786.",
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Learn in partitions and store finished passes here; an interrupted run resumes "
            "after the last one.",
        ),
    ] = None,
    hold_out: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Learn in partitions from all rows but this fraction, held out by a hash of the row "
            "number, and test on it.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="ROWS",
            min=2,
            help="Learn from about this many rows, chosen by a hash of the row, for a learner that needs all rows.",
        ),
    ] = None,
    sequence: Annotated[
        str | None,
        typer.Option(
            metavar="COL", help="Column with the sequence of each row, for a learner from sequences."
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="COL", help="Column with the position in the sequence, for a learner from sequences."
        ),
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    full: Full = False,
    trace: ShowTrace = False,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Learn from a table and print the hypothesis, with its cross-validated error.

    A density estimator needs no target; its estimate is the log-likelihood of held-out rows. For a learner
    from sequences, a row is a step, and the target is its state, if known.
    """
    from induce.cli import output
    from induce.cli.advise import begun_with
    from induce.cli.chunked_learning import learned_in_chunks, sampled_table, wants_chunks
    from induce.cli.parameters import for_learning, learner_class, parameters_of
    from induce.cli.pictures import check_extension, check_picture
    from induce.cli.pictures import picture as drawn
    from induce.cli.provenance import provenance
    from induce.cli.sequences import learned_from_sequences
    from induce.cli.trace_option import check_tracing
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.persistence import save
    from induce.data.images.reading import is_images
    from induce.evaluation.comparing.advice import BEGIN_WITH

    check_tracing(trace, as_json)
    for path in (out, draw):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    check_picture(picture, draw)
    columns: dict[str, Any] = {
        "nominal": nominal or (),
        "numeric": numeric or (),
        "ignore": ignore or (),
        "schema": schema,
        **({} if labels is None else {"labels": labels}),
        **reading,
    }
    table = None
    if sample is not None:
        if stream or any(given is not None for given in (on, resume, hold_out, sequence, order)):
            raise InputError("--sample learns in memory; leave out --stream, --on, --resume and --hold-out")
        table = sampled_table(data, target, columns, sample, seed or 0)
    if learner is None and (sequence or order):
        learner = BEGIN_WITH["sequences"]
    elif learner is None:
        table = _opened(data, target, columns, knowledge) if table is None else table
        learner = begun_with(table) if len(table) else "C45"
    entry, chosen = for_learning(learner), learner_class(learner)
    parameters = parameters_of(chosen, settings or ())
    folds = cv if evaluate else None
    if (sequence or order) and entry.face != "sequences":
        raise InputError(
            f"--sequence and --order are for learners from sequences, which {entry.name} is not; leave them out"
        )
    divides = {"groups": groups, "time": time}
    decides = {"calibrate": calibrate, "cost": cost, "precision": precision}
    known = _known(knowledge, entry, stream)
    whole = (
        known is not None
        or entry.face == "sequences"
        or is_images(data)
        or (table is not None and on is None and resume is None and hold_out is None)
    )
    if (resume is not None or hold_out is not None) and not whole:
        on = on or "serial"
    in_chunks = not whole and wants_chunks(data, chosen, stream, on)
    if (resume is not None or hold_out is not None) and not in_chunks:
        given = "--resume" if resume is not None else "--hold-out"
        raise InputError(f"{given} is for tables that are learned in partitions; leave it out")
    if (entry.face == "sequences" or in_chunks) and (test or any(divides.values()) or any(decides.values())):
        raise InputError(
            "--groups, --time, --test, --calibrate, --cost and --precision are for tables that are read as a whole; "
            "leave them out"
        )
    if entry.face == "sequences":
        learned = learned_from_sequences(entry.name, parameters, data, columns, sequence, order, target, seed)
    elif in_chunks:
        learned = learned_in_chunks(
            chosen, parameters, data, target, columns, folds, seed or 0, theory, on, resume, hold_out
        )
    else:
        table = _opened(data, target, columns, knowledge) if table is None else table
        learned = _learned_whole(
            entry,
            parameters,
            table,
            target,
            folds,
            seed,
            theory,
            divides,
            decides,
            keep=out is not None,
            traces=trace,
            known=known,
        )
        if test is not None:
            learned = _tested(learned, test, reading)
    hypothesis = learned.model.hypothesis_
    image = None if kind is None else drawn(hypothesis, kind, picture)
    if out is not None:
        said = provenance(learned, data, parameters, seed, divides | decides)
        saved = learned.model.hypothesis_ if any(decides.values()) else learned.model
        save(saved, out, provenance=said, conformal=learned.conformal)
    if draw is not None and image is not None:
        write_whole(draw, image)
    written = [path for path in (out, draw) if path is not None]
    if as_json:
        output.put_json(_document(learned, parameters, written))
    else:
        output.put_lines(*_report(learned, written, full))


def _learned_whole(
    entry: Learner,
    parameters: dict[str, Any],
    table: Dataset,
    target: str | None,
    cv: int | None,
    seed: int | None,
    theory: bool,
    divides: dict[str, str | None],
    decides: dict[str, str | None],
    keep: bool,
    traces: bool,
    known: Any = None,
) -> Learned:
    """Learn from a table that is read as a whole; `keep` the basis of prediction sets and intervals."""
    from induce.cli.decisions import cost_told, deciding
    from induce.cli.learned import Learned, estimated
    from induce.cli.parameters import built, learner_class
    from induce.cli.progress import bar
    from induce.cli.sources import without_target
    from induce.cli.splits import divided, say_suspicions
    from induce.cli.summary import summary
    from induce.cli.trace_option import put_trace, traced
    from induce.core.interrupts import cut_short

    table, how = divided(table, divides["groups"], divides["time"])
    has_target = entry.has_target and not (entry.target_optional and table.target is None)
    if not has_target:
        table = without_target(table, target, entry.name)
    model = built(learner_class(entry.name), parameters, table.input_schema, seed)
    if has_target:
        _check_target(table, model)
        how["probabilities"] = keep
    if known is not None:
        model = _guided(model, known)
    model = deciding(model, table, decides, seed)
    suspicions = say_suspicions(table) if len(table) else []
    started = perf_counter()
    with bar("learning"), cut_short() as cuts, traced(traces) as events:
        model.fit(table.X, table.y)
    seconds = perf_counter() - started
    put_trace(events)
    estimate = (
        None
        if cv is None or cuts or not len(table)
        else estimated(model, table.X, table.y, cv, seed or 0, how)
    )
    return Learned(
        model,
        summary(table, model.hypothesis_),
        seconds,
        estimate,
        _promised(model, table) if theory else None,
        table,
        suspicions,
        conformal=_conformal(model, estimate) if keep and has_target else None,
        cost=cost_told(model, estimate),
    )


def _opened(data: str, target: str | None, columns: dict[str, Any], knowledge: str | None) -> Dataset:
    """Read the table; with knowledge it may have no rows if its columns are declared."""
    from induce.cli.sources import opened_data
    from induce.core.errors import InputError
    from induce.data.declared import declared_dataset

    try:
        return opened_data(data, target, **columns)
    except InputError as problem:
        if knowledge is None or not str(problem).endswith("has a header but no rows"):
            raise
    told = {each: columns[each] for each in ("nominal", "numeric", "ignore", "schema")}
    return declared_dataset(data, target, **told)


def _known(path: str | None, entry: Learner, stream: bool | None) -> Any:
    """Read the knowledge from a file; reject it if the learner does not support it."""
    from induce.core.errors import InputError
    from induce.hypotheses.knowledge import read_knowledge

    if path is None:
        return None
    if stream or entry.face != "tables" or not entry.has_target:
        raise InputError(
            f"--knowledge is for learners of classes from whole tables; {entry.name} cannot use it here"
        )
    return read_knowledge(path)


def _guided(model: Any, known: Any) -> Any:
    """Return a learner that uses knowledge: the learner itself if it accepts rules."""
    from sklearn.base import is_regressor

    from induce.core.errors import InputError
    from induce.estimators.guidance import KnowledgeLearner
    from induce.knowledge import GuidedClassifier

    if is_regressor(model):
        raise InputError(f"--knowledge is about classes; {type(model).__name__} predicts numbers")
    if isinstance(model, KnowledgeLearner) and "knowledge" in model.get_params(deep=False):
        return model.set_params(knowledge=known)
    return GuidedClassifier(model, knowledge=known)


def _conformal(model: Any, estimate: Any) -> Any:
    """Return the basis of prediction sets and intervals: the held-out rows of the estimate."""
    from induce.evaluation.conformal_prediction import can_be_conformal, conformal_of

    if estimate is None or not can_be_conformal(model):
        return None
    return conformal_of(estimate)


def _tested(learned: Learned, test: str, reading: dict[str, Any]) -> Learned:
    """Test the hypothesis on the rows of a file."""
    from dataclasses import replace

    from induce.cli.labelled_rows import rows_with_answers, say_drift
    from induce.cli.reading import dialect_of
    from induce.data.drift import profile
    from induce.evaluation.assessment import assess

    hypothesis = learned.model.hypothesis_
    X, y = rows_with_answers(hypothesis, test, dialect_of(reading))
    say_drift(hypothesis, X, {"columns": profile(learned.table.X, hypothesis.schema)})
    return replace(learned, test=assess(hypothesis, X, y, conformal=learned.conformal))


def _check_target(table: Dataset, model: Any) -> None:
    from sklearn.base import is_regressor

    from induce.cli.advise import unnamed_target
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.evaluation.comparing.advice import BEGIN_WITH
    from induce.evaluation.comparing.applicable import holds_numbers

    target, wanted = table.target, "value" if is_regressor(model) else "class"
    if target is None:
        raise unnamed_target(table)
    if not table.X.width:
        raise InputError(
            f"there is no input column; give a table with at least one besides the target {target!r}"
        )
    kind = table.schema[target].kind
    if is_regressor(model) and (kind != "numeric" or table.schema[target].temporal):
        raise InputError(
            f"the target {target!r} holds {'dates' if kind == 'numeric' else f'{kind} values'}, but "
            f"{type(model).__name__} predicts numbers; give another target or another learner"
        )
    if not len(table):
        return
    if len(table) == 1:
        raise InputError(f"there is only one row with a {wanted}; learning needs at least two")
    different = table.y.n_unique()
    if different == 1:
        raise InputError(
            f"the target {target!r} has only one {wanted}, {str(table.y[0])!r}; there is nothing to distinguish"
        )
    if not is_regressor(model) and different > 1 and holds_numbers(table.y):
        note(
            f"the target {target!r} holds numbers, and each of its {different:,} values is learned as a class; leave "
            f"out --learner, or give one such as {BEGIN_WITH['numbers']}, to predict a number"
        )


def _promised(model: Any, table: Dataset) -> Any:
    """Return the theoretical guarantee for the hypothesis.

    None, with a note, for a kind of hypothesis without one.
    """
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.theory import promise_for

    try:
        return promise_for(model, table.X, table.y)
    except InputError as error:
        note(str(error))
        return None


def _report(learned: Learned, written: list[str], full: bool) -> list[str]:
    from induce.cli.summary import in_words
    from induce.cli.truncation import shortened

    hypothesis, estimate = learned.model.hypothesis_, learned.estimate
    lines = [*in_words(learned.data), "", *shortened(str(hypothesis).splitlines(), full), ""]
    name = type(getattr(learned.model, "learner_", learned.model)).__name__
    lines.append(f"{name}: {hypothesis.size()}, learned in {learned.seconds:.2f} s")
    if estimate is not None:
        lines.append(f"{estimate}, in {estimate.seconds:.2f} s")
        if estimate.baseline is not None:
            lines.append(f"{estimate.baseline}; {estimate.baseline.verdict(estimate.interval)}")
    lines += learned.cost
    if learned.test is not None:
        lines += ["", f"on {learned.tested}:", *str(learned.test).splitlines(), ""]
    if learned.promised is not None:
        lines.extend(str(learned.promised).splitlines())
    return [*lines, *(f"wrote {path}" for path in written)]


def _document(learned: Learned, parameters: dict[str, Any], written: list[str]) -> dict[str, Any]:
    from induce.core.plain import described, plain

    model, estimate, promised = learned.model, learned.estimate, learned.promised
    return {
        "data": learned.data,
        "learner": {
            "name": type(getattr(model, "learner_", model)).__name__,
            "parameters": plain(parameters),
            "seconds": learned.seconds,
        },
        "hypothesis": described(model.hypothesis_),
        "estimate": None if estimate is None else plain(estimate.as_dict()),
        "test": None if learned.test is None else learned.test.as_dict(),
        "suspicions": learned.suspicions,
        "decisions": learned.cost,
        "promise": None if promised is None else plain(promised.as_dict()),
        "files": written,
    }
