"""Declaration of `induce.covering`: trace events and public names."""

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
