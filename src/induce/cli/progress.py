"""Progress bars, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(doing: str) -> Iterator[None]:
    """Show the progress of the work in the block, as far as learners report it."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from induce.core.progress import progress

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=None)
        furthest = 0.0

        def listen(share: float) -> None:
            nonlocal furthest
            if share > furthest:  # learners with rounds restart at 0
                furthest = share
                shown.update(task, total=1.0, completed=share)

        with progress(listen):
            yield


@contextmanager
def counter(doing: str) -> Iterator[Callable[[int], None]]:
    """Return a function that takes numbers of rows and shows their running total."""
    if (
        not sys.stderr.isatty() or sys.stdout.isatty()
    ):  # rows printed to the same terminal already show progress
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}: {task.completed:,.0f} rows"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=None)
        yield lambda rows: shown.advance(task, rows)
