"""`induce learn` with calibrated probabilities, costs of mistakes, or a required precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.data.dataset import Dataset


def deciding(model: Any, table: Dataset, decides: dict[str, str | None], seed: int | None) -> Any:
    """Return the learner wrapped for the requested decisions; itself if none are requested.

    Parameters
    ----------
    model : estimator
    table : Dataset
    decides : dict
        Values of --calibrate, --cost and --precision.
    seed : int or None
    """
    from induce.core.errors import InputError

    if not any(decides.values()):
        return model
    from sklearn.base import is_classifier

    from induce.evaluation.choosing.calibrated import CalibratedClassifier

    if table.target is None or not is_classifier(model) or not hasattr(model, "predict_proba"):
        raise InputError(
            "--calibrate, --cost and --precision are for classifiers with probabilities, which "
            f"{type(model).__name__} is not; leave them out"
        )
    if decides["cost"] and decides["precision"]:
        raise InputError("--cost and --precision both determine decisions; give one of them")
    return CalibratedClassifier(
        model,
        decides["calibrate"],
        None if decides["cost"] is None else _costs(decides["cost"], table),
        None if decides["precision"] is None else _precision(decides["precision"]),
        random_state=seed or 0,
    )


def cost_told(model: Any, estimate: Any) -> list[str]:
    """Return the cost of decisions on held-out rows, or their precision, in lines of text."""
    import numpy as np

    from induce.core.values import class_named
    from induce.evaluation.curves.confusion import confusion
    from induce.hypotheses.naming import value_text

    losses, precision = getattr(model, "losses", None), getattr(model, "precision", None)
    if (
        estimate is None
        or type(model).__name__ != "CalibratedClassifier"
        or (losses is None and precision is None)
    ):
        return []
    if losses is not None:
        mean = float(losses.of(estimate.actual, estimate.predicted).mean())
        always = {
            value: float(losses.of(estimate.actual, np.full(len(estimate.actual), value)).mean())
            for value in losses.classes
        }
        best = min(always, key=lambda value: always[value])
        return [
            f"mean cost {mean:.3f} per held-out row; always predicting {value_text(best)}: {always[best]:.3f}"
        ]
    assert precision is not None
    qualities = confusion(estimate).classes
    quality = qualities[class_named(precision[0], tuple(qualities), "--precision")]
    if quality.precision_interval is None:
        return [f"{precision[0]} is not predicted for any held-out row"]
    low, high = quality.precision_interval.low, quality.precision_interval.high
    above = "" if model.threshold_ is None else f" above a probability of {model.threshold_:.3f}"
    return [
        f"{precision[0]} is predicted{above}: precision {quality.precision:.3f} [{low:.3f}, {high:.3f}] on held-out "
        f"rows, recall {quality.recall:.3f}"
    ]


def _costs(text: str, table: Dataset) -> Any:
    """Return the losses of an option; mistakes that it does not mention cost 1."""
    import numpy as np

    from induce.evaluation.losses.table import LossTable

    named = text if "*=" in text.replace(" ", "") else f"{text}, *=1"
    return LossTable.read(named, np.unique(table.y.drop_nulls().to_numpy()).tolist())


def _precision(text: str) -> tuple[str, float]:
    from induce.core.errors import InputError

    name, _, number = text.rpartition("=")
    try:
        return name.strip().strip('"'), float(number)
    except ValueError:
        raise InputError(f"--precision is {text!r}; write it as CLASS=P, such as yes=0.9") from None
