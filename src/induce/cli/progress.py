"""Progress bars, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(doing: str, lines: bool = False) -> Iterator[None]:
    """Show the progress of the work in the block, as far as learners report it.

    Parameters
    ----------
    doing : str
        Name of the work.
    lines : bool, default=False
        Whether lines of progress, such as rows per second, are shown beside the name.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from induce.core.progress import progress

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(10 if lines else 40),
        TextColumn("{task.fields[line]}") if lines else TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=None, line="")
        furthest = 0.0

        def listen(share: float) -> None:
            nonlocal furthest
            if share > furthest:  # learners with rounds restart at 0
                furthest = share
                shown.update(task, total=1.0, completed=share)

        def read(line: str) -> None:
            shown.update(task, line=line)

        with progress(listen, read if lines else None):
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
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=None, speed="")

        def advance(rows: int) -> None:
            shown.advance(task, rows)
            now = shown.tasks[0]
            if now.elapsed:
                shown.update(task, speed=f"{now.completed / now.elapsed:,.0f} rows/s")

        yield advance
