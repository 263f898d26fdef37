"""`--trace`: the steps of a learner, printed before its hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from induce.core.trace import Trace

EVENTS_SHOWN = 1_000


def check_tracing(wanted: bool, as_json: bool) -> None:
    """Reject a trace together with a JSON document, which must be the only output."""
    from induce.core.errors import InputError

    if wanted and as_json:
        raise InputError("--trace prints tables, but --json prints one document; leave one of them out")


@contextmanager
def traced(wanted: bool) -> Iterator[Trace | None]:
    """Collect the steps of a learner inside the block, if requested."""
    from induce.core.trace import trace

    if not wanted:
        yield None
        return
    with trace(limit=EVENTS_SHOWN, inner=False) as events:
        yield events


def put_trace(events: Trace | None) -> None:
    """Print the steps, as tables."""
    from induce.cli.output import put_lines

    if events is not None:
        put_lines(*str(events).splitlines(), "")
