"""What `induce.environments` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={"EstimatedMDP": "tables", "MDP": "mdp"},
    public={"MDP": "mdp"},
    exports={
        "EstimatedMDP": "tables",
        "MDP": "mdp",
        "elevator": "processes.elevator",
        "environment": "catalogue",
        "estimate": "tables",
        "grid_world": "grids",
        "machine_repair": "processes.repair",
        "stock_keeping": "processes.stock",
        "taxi": "processes.taxi",
    },
)
