"""Declaration of `induce.covering`: its trace events and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    exports={
        "Refinements": "space",
        "Space": "space",
        "draw_beam": "pictures",
        "learn_one_rule": "beam",
        "sequential_covering": "loop",
    },
    events={
        "beam": "step candidates kept best members",
    },
)
