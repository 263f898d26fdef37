"""Provenance of a model file: data, rows, columns, date, seed, parameters, estimate."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.cli.learned import Learned


def provenance(
    learned: Learned, data: str, parameters: dict[str, Any], seed: int | None, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the provenance of a model.

    Parameters
    ----------
    learned : Learned
    data : str
        File or table named by the user.
    parameters : dict
        Parameters set by the user.
    seed : int or None
    options : dict
        Other options of the user, such as groups.
    """
    from induce.core.plain import plain

    model, table = learned.model, learned.table
    found: dict[str, Any] = {
        "data": os.path.basename(data) if data != "-" else "standard input",
        "summary": plain(learned.data),
        "date": _now(),
        "seed": seed,
        "learner": type(getattr(model, "learner_", model)).__name__,
        "parameters": plain(parameters),
        "options": {name: value for name, value in options.items() if value is not None},
        "suspicions": learned.suspicions,
        "estimate": None if learned.estimate is None else _timeless(plain(learned.estimate.as_dict())),
        "test": None if learned.test is None else _timeless(learned.test.as_dict()["estimate"]),
    }
    if table is not None:
        from induce.data.drift import fingerprint, profile

        schema = model.hypothesis_.schema
        found["columns"] = plain(profile(table.X, schema))
        if table.target is not None:
            found["digest"] = fingerprint(table.X, table.y, schema)
    # parameter values such as learners are stored in their printed form
    return dict(_told(found))


def _now() -> str:
    """Return the current date and time in UTC, or those of `SOURCE_DATE_EPOCH` if it is set (reproducible
    builds).
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdigit() else datetime.now(UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def _timeless(estimate: dict[str, Any]) -> dict[str, Any]:
    """Return an estimate without its running time, so that the same model gives the same file."""
    return {name: value for name, value in estimate.items() if name not in ("seconds", "fit_seconds")}


def _told(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
