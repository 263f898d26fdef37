"""Declaration of `induce.counts`: the values of model files and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

HOMES = {
    "JointCounts": "joint",
    "Moments": "moments",
    "NumberCounts": "numbers",
    "Steps": "steps",
    "TokenCounts": "tokens",
}

DECLARATION = Declaration(values=HOMES, exports=HOMES)
