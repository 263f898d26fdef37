"""Parameters that must not change when training is continued; a learner records them in the state of its run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.optimise.descent import State

PREFIX = "parameter "


def with_parameters(state: State, learner: Any, names: Iterable[str]) -> State:
    """Return the state of a run with its initial parameters."""
    return replace(state, settings={**state.settings, **_noted(learner, names)})


def must_have_parameters(state: State, learner: Any, names: Iterable[str]) -> None:
    """Raise an `InputError` that names a parameter whose value has changed since training began."""
    for name, now in _noted(learner, names).items():
        begun = state.settings.get(name, now)
        if begun != now:
            raise InputError(
                f"{name.removeprefix(PREFIX)} is {now}, but the earlier training had {begun}; set it "
                "back, or set warm_start to False to start again"
            )


def _noted(learner: Any, names: Iterable[str]) -> dict[str, str]:
    return {
        f"{PREFIX}{name}": repr(_as_list(getattr(learner, name))) for name in names if hasattr(learner, name)
    }


def _as_list(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list | np.ndarray):
        return [_as_list(each) for each in value]
    return value
