"""What `induce.em` declares: the events that it tells a trace."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    events={
        "em": "start iteration objective hypothesis covariances?",
    },
)
