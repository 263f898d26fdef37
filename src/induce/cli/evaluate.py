"""`induce evaluate`: the error of a model on rows with known answers."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json, Labels, Model
from induce.cli.reading import dialect_of, reads_tables


@reads_tables()
def evaluate(
    model: Model,
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA", help="Rows with the target that the model was not trained on; `-` is stdin."
        ),
    ],
    labels: Labels = None,
    confidence: Annotated[float, typer.Option(metavar="P", help="Confidence level of the intervals.")] = 0.95,
    hold_out: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Test only on this fraction of the rows, which `learn --hold-out` with the same "
            "fraction left out.",
        ),
    ] = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Test a model on labelled rows: error and baseline, confusion, classes, calibration.

    If the model has prediction sets or intervals, their coverage is also shown.
    """
    from induce.cli.chunked_learning import held_out_test
    from induce.cli.labelled_rows import rows_with_answers, say_drift, was_learned_from
    from induce.cli.model_commands import refuse_unless
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.core.persistence import load_model
    from induce.data.scanning import scan
    from induce.evaluation.assessment import assess

    found = load_model(model)
    hypothesis = found.hypothesis
    refuse_unless(hypothesis, "rows")
    if hypothesis.answer not in ("class", "number") or len(hypothesis.targets()) != 1:
        raise InputError(
            "this model predicts neither a class nor a single number, so it has no error; give another model"
        )
    if hold_out is not None:
        dialect = dialect_of(reading)
        source = scan(data, hypothesis.target, missing=dialect.missing, dialect=dialect)
        if hypothesis.answer == "number":
            source = source.with_numbers()
        held = held_out_test(hypothesis, source.held_out(hold_out)[1], confidence=confidence)
        told = {"hold_out": hold_out, "target": hypothesis.target, **held.as_dict()}
        put_json(told) if as_json else put_lines(str(held))
        return
    X, y = rows_with_answers(hypothesis, data, dialect_of(reading), labels)
    if was_learned_from(hypothesis, X, y, found.provenance):
        note("the model was trained on these rows, so all figures are optimistic")
    say_drift(hypothesis, X, found.provenance)
    assessed = assess(hypothesis, X, y, conformal=found.conformal, confidence=confidence)
    if as_json:
        put_json({"rows": len(y), "target": hypothesis.target, **assessed.as_dict()})
    else:
        put_lines(str(assessed))
