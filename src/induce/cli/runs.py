"""Runs of learners from experience: started or resumed, monitored, saved."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any


def watched(live: bool | None, doing: str) -> AbstractContextManager[None]:
    """Print a line for each step of a run, or show a bar."""
    from induce.cli.progress import bar
    from induce.core.progress import progress

    if live or (live is None and sys.stderr.isatty()):
        return progress(lambda share: None, lambda line: print(line, file=sys.stderr, flush=True))
    return bar(doing) if live is None else nullcontext()


def saved_run(path: str, command: str) -> Any:
    """Return the learner of a saved run."""
    import induce
    from induce.core.errors import InputError

    model = induce.load(path)
    if not hasattr(model, "resume"):
        raise InputError(f"{path!r} does not hold a resumable run; --out of `induce {command}` writes one")
    return model


def check_parameters(learner: Any, parameters: dict[str, Any]) -> None:
    """Reject parameters that a learner does not have."""
    import inspect

    from induce.core.errors import InputError

    known = inspect.signature(learner).parameters
    for name in parameters:
        if name not in known:
            raise InputError(f"{learner.__name__} has no parameter {name!r}")
