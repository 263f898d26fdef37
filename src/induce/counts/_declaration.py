"""Declaration of `induce.counts`: model-file values and exported names."""

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
