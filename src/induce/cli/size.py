"""`induce size`: the number of rows that an experiment needs, or its power for a given number."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json, Target

DEFAULT_POWER = 0.8


def size(
    error: Annotated[
        str | None, typer.Option(metavar="RATE", help="Expected error rate; a range is LOW-HIGH.")
    ] = None,
    width: Annotated[float | None, typer.Option(help="Maximum width of the interval.")] = None,
    than: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Another error rate, to be distinguished from the first."),
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="Available rows: compute the power of a comparison with them.")
    ] = None,
    power: Annotated[float | None, typer.Option(help="Power of the comparison; 0.8 by default.")] = None,
    paired: Annotated[
        bool, typer.Option("--paired", help="Both hypotheses are tested on the same rows.")
    ] = False,
    disagree: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Fraction of rows that exactly one of them misclassifies."),
    ] = None,
    confidence: Annotated[
        float, typer.Option(help="Confidence level of the interval; a test's level is 1 less this.")
    ] = 0.95,
    method: Annotated[
        str | None, typer.Option(help="Method of the interval: normal (default), wilson or exact.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FILES", help="A large table: estimate how many of its rows are enough to learn from."
        ),
    ] = None,
    target: Target = None,
    learner: Annotated[str, typer.Option(metavar="NAME", help="Learner to use with --data.")] = "C45",
    as_json: Json = False,
) -> None:
    """Compute the number of rows for an interval of a given width, a comparison of two error rates, or a learner.

    With --data, the learner is trained on growing samples of the table until twice as many rows gain less
    than --width.
    """
    from induce.cli.output import put_json, put_lines
    from induce.core.errors import InputError
    from induce.statistics.constants import check_confidence

    if data is not None:
        found = _enough(data, target, learner, 0.01 if width is None else width)
        put_json(found.as_dict()) if as_json else put_lines(str(found))
        return
    check_confidence(confidence)
    alpha = round(1 - confidence, 12)  # 0.05 and not 0.050000000000000044
    same_rows = paired or disagree is not None
    if width is not None:
        told = {"--than": than, "--rows": rows, "--power": power, "--paired": same_rows or None}
        given = [name for name, value in told.items() if value is not None]
        if given:
            raise InputError(
                f"--width plans one interval, but {given[0]} plans a comparison; leave one of them out"
            )
        document, said = _interval(width, confidence, _range(error), method or "normal")
    elif method is not None:
        raise InputError("--method is the method of an interval; give its --width as well")
    elif error is not None and than is not None:
        if rows is not None and power is not None:
            raise InputError("--rows computes the power and --power the rows; leave one of them out")
        document, said = _comparison(_rate(error), than, rows, power, same_rows, disagree, alpha)
    elif error is not None and rows is not None:
        document, said = _detectable(_rate(error), rows, power, same_rows, disagree, alpha)
    else:
        raise InputError(
            "give --error and --width to plan an interval, or --error with --than or --rows to plan a comparison"
        )
    if as_json:
        put_json(document)
    else:
        put_lines(*said)


def _enough(data: str, target: str | None, learner: str, width: float) -> Any:
    from induce.cli.parameters import built, learner_class
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.data.scanning import scan
    from induce.evaluation.curves.enough_rows import enough_rows

    if target is None:
        raise InputError("the target column is unknown; name it with --target")
    with bar("learning from samples"):
        return enough_rows(built(learner_class(learner), {}), scan(data, target), width=width)


def _interval(
    width: float, confidence: float, error: tuple[float, float], method: str
) -> tuple[dict[str, Any], list[str]]:
    from induce.statistics.sample_size import sample_size

    planned = sample_size(width, confidence, error, method)
    document = {
        "rows": planned.n,
        "width": planned.width,
        "error": planned.error,
        "confidence": confidence,
        "method": method,
        "holds": planned.holds,
        "preconditions": planned.preconditions,
    }
    return document, [str(planned), *([] if planned.holds else [planned.preconditions])]


def _comparison(
    error: float,
    than: float,
    rows: int | None,
    power: float | None,
    paired: bool,
    disagreement: float | None,
    alpha: float,
) -> tuple[dict[str, Any], list[str]]:
    from induce.statistics.sample_size import PlannedComparison

    plan = PlannedComparison(error, than, paired, disagreement, alpha)
    if rows is None:
        rows = plan.rows(DEFAULT_POWER if power is None else power)
    found = plan.power(rows)
    document = {
        "rows": rows,
        "error": error,
        "than": than,
        "power": found,
        "paired": paired,
        "disagreement": plan.discordance if paired else None,
        "alpha": alpha,
    }
    each = "rows, the same for both" if paired else "rows for each"
    return document, [
        f"{rows} {each}: error {error:.4g} is distinguished from {than:.4g} with probability {found:.3f} (test at "
        f"the {100 * alpha:.4g}% level)"
    ]


def _detectable(
    error: float,
    rows: int,
    power: float | None,
    paired: bool,
    disagreement: float | None,
    alpha: float,
) -> tuple[dict[str, Any], list[str]]:
    from induce.statistics.sample_size import detectable_difference

    likely = DEFAULT_POWER if power is None else power
    gain = detectable_difference(error, rows, likely, paired=paired, disagreement=disagreement, alpha=alpha)
    return _comparison(error, error - gain, rows, None, paired, disagreement, alpha)


def _range(error: str | None) -> tuple[float, float]:
    if error is None:
        return 0.0, 1.0
    try:
        return float(error), float(error)
    except ValueError:
        low, _, high = error.partition("-")
        return _rate(low), _rate(high)


def _rate(text: str) -> float:
    from induce.core.errors import InputError

    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"--error has {text!r}; give a rate such as 0.1, or 0.1-0.3 for an interval"
        ) from None
