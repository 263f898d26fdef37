"""What `induce.environments` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={"EstimatedMDP": "tables", "MDP": "mdp"},
    public={"MDP": "mdp"},
    exports={
        "EstimatedMDP": "tables",
        "MDP": "mdp",
        "Simulated": "stepping",
        "Stepped": "stepping",
        "elevator": "processes.elevator",
        "environment": "catalogue",
        "estimate": "tables",
        "grid_world": "grids",
        "machine_repair": "processes.repair",
        "open_source": "stepping",
        "stock_keeping": "processes.stock",
        "taxi": "processes.taxi",
    },
)
