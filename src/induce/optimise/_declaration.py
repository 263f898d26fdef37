"""Declaration of `induce.optimise`: the values of model files and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={"DescentHistory": "descent:History", "DescentState": "descent:State"},
    exports={
        "Constant": "schedules",
        "Decay": "schedules",
        "Descent": "descent",
        "FoldEpochs": "restarts",
        "History": "descent",
        "Objective": "objective",
        "Power": "schedules",
        "Restarted": "restarts",
        "Schedule": "schedules",
        "State": "descent",
        "Stop": "stopping",
        "WeightedSum": "objective",
        "descend": "descent",
        "fold_epochs": "restarts",
        "gradient_error": "objective",
        "numeric_gradient": "objective",
        "restart": "restarts",
        "stopping_point": "stopping",
    },
    events={
        "epoch": "epoch loss validation weights",
        "stop": "reason epoch loss",
        "update": "update rows rate weights",
    },
)
