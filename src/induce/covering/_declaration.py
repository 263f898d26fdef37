"""What `induce.covering` declares: the events that it tells a trace."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    events={
        "beam": "step candidates kept best members",
    },
)
