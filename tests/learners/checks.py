"""Many checks of one learner in one test: all of them run, and all that fail are told by name.

A check is a function `check_…` whose first parameter says, by its name, which learners it is for (`tables.GROUPS`).
It may take a `folder` to write to. `over` runs it on several cases: with `of_preambles` on all for one learner of
each way of reading a table, with `of_kinds` for one of each kind of hypothesis in a package, with `of_algorithms` for
all but presets. The others are tried on the first cases; on the rest in `make test-all`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest

from tests.learners.tables import GROUPS, is_preset, reads_for_others, speaks_for_others

Function = TypeVar("Function", bound=Callable[..., None])
Check = tuple[str, Callable[[], None]]


def over(*cases: tuple[Any, ...]) -> Callable[[Function], Function]:
    """Run a check on each of several cases, which are given as further arguments."""

    def keep(check: Function) -> Function:
        vars(check)["cases"] = cases
        return check

    return keep


def of_preambles(smoke: int) -> Callable[[Function], Function]:
    """Run a check on the first cases only, but for one learner of each preamble."""
    return _shortened(smoke, lambda learner: not reads_for_others(learner))


def of_kinds(smoke: int) -> Callable[[Function], Function]:
    """Run a check on the first cases only, but for one learner of each kind of hypothesis in a package."""
    return _shortened(smoke, lambda learner: not speaks_for_others(learner))


def of_algorithms(smoke: int) -> Callable[[Function], Function]:
    """Run a check on the first cases only for presets of other learners."""
    return _shortened(smoke, is_preset)


def _shortened(smoke: int, is_short: Callable[[Any], bool]) -> Callable[[Function], Function]:
    def keep(check: Function) -> Function:
        vars(check)["shortened"] = smoke, is_short
        return check

    return keep


def cases_of(check: Callable[..., None], learner: Any, rest: bool = False) -> Sequence[tuple[Any, ...]]:
    """Return the cases on which a learner is checked, or those that are left for `make test-all`."""
    cases = vars(check).get("cases", ((),))
    smoke, is_short = vars(check).get("shortened", (None, is_preset))
    n = smoke if smoke is not None and is_short(learner) else len(cases)
    return cases[n:] if rest else cases[:n]


def checks_of(module: ModuleType, learner: Any, folder: Path, rest: bool = False) -> Iterator[Check]:
    """Yield the checks of a file that are for a learner, titled `file.check`; or those for `make test-all` only."""
    file = module.__name__.rpartition(".")[2]
    for name, check in [*vars(module).items()]:  # a warning adds a name to it
        if not name.startswith("check_") or check.__module__ != module.__name__:
            continue
        group, *others = inspect.signature(check).parameters
        if not GROUPS[group](learner):
            continue
        given = (folder,) if "folder" in others else ()
        cases = cases_of(check, learner, rest)
        for number, case in enumerate(cases):
            yield (
                f"{file}.{name}[{number}]" if len(cases) > 1 else f"{file}.{name}",
                partial(check, learner, *case, *given),
            )


def run_all(checks: Iterable[Check]) -> int:
    """Run checks to the end; raise what went wrong in all of them together, each with the name of its check.

    Returns
    -------
    int
        How many there were.
    """
    failures: list[BaseException] = []
    names = []
    n = 0
    for name, check in checks:
        n += 1
        try:
            check()
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"in {name}")
            failures.append(error)
            names.append(name)
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {n} checks failed: {', '.join(names)}", failures)
    return n
