"""Fits that may take so long and no longer, whoever wrote the learner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from induce.core import trace
from induce.core.time_limit import at_most
from induce.core.worker import UnsendableError, in_process

Result = TypeVar("Result")


def within(seconds: float | None, learner: Any, task: Callable[[], Result]) -> Result:
    """Return what a task with a learner gives; raise `TimeoutError` when it takes longer than so many seconds.

    Our learners look at the clock. Others do not, so their work is done in another process, which can be ended; one
    that cannot be sent there is only found to be late when it is done.
    """
    if seconds is None or trace.active() or _ours(learner):
        with at_most(seconds):
            return task()
    try:
        return in_process(task, seconds)
    except UnsendableError:
        with at_most(seconds):
            return task()


def _ours(learner: Any) -> bool:
    """Say whether a learner, and every learner that it is made of, is one of this package."""
    parts = (
        [learner, *learner.get_params(deep=True).values()] if hasattr(learner, "get_params") else [learner]
    )
    return all(type(part).__module__.partition(".")[0] == "induce" for part in parts if hasattr(part, "fit"))
