"""What `induce.neural` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "UnitGroup": "network:Group",
        "UnitLink": "network:Link",
        "UnitNetwork": "network:Network",
    },
    exports={
        "GradientCheck": "gradients",
        "Group": "network",
        "Link": "network",
        "Network": "network",
        "NetworkObjective": "objective",
        "collapse": "network",
        "gradient_check": "gradients",
    },
)
