"""What `induce.instances` declares: the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    exports={
        "CaseLibrary": "cases.library",
    },
)
