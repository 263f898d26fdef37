"""`induce evaluate`: the error of a model on rows with known answers."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json, Model
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
    confidence: Annotated[float, typer.Option(metavar="P", help="Confidence level of the intervals.")] = 0.95,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Test a model on rows with known answers: error beside its baseline, confusion, classes, calibration.

    If the model has prediction sets or intervals, their coverage is shown too.
    """
    from induce.cli.labelled_rows import rows_with_answers, say_drift, was_learned_from
    from induce.cli.model_commands import refuse_unless
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.core.persistence import load_model
    from induce.evaluation.assessment import assess

    found = load_model(model)
    hypothesis = found.hypothesis
    refuse_unless(hypothesis, "rows")
    if hypothesis.answer not in ("class", "number") or len(hypothesis.targets()) != 1:
        raise InputError(
            "this model predicts neither a class nor a single number, so its error cannot be tested"
        )
    X, y = rows_with_answers(hypothesis, data, dialect_of(reading))
    if was_learned_from(hypothesis, X, y, found.provenance):
        note("these are the rows that the model was learned from, so all figures look better than they are")
    say_drift(hypothesis, X, found.provenance)
    assessed = assess(hypothesis, X, y, conformal=found.conformal, confidence=confidence)
    if as_json:
        put_json({"rows": len(y), "target": hypothesis.target, **assessed.as_dict()})
    else:
        put_lines(str(assessed))
