"""What `induce.instances` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "ConnectTheDots",
            "dots.learner",
            "straight lines between neighbouring examples of one column",
            NUMBERS,
            "Dots",
        ),
        Learner(
            "LocallyWeightedRegressor",
            "local.learner",
            "a constant, line or curve for each query, fitted to the examples near it",
            NUMBERS,
            "LocalRegression",
        ),
    ),
    values={
        "Dots": "dots.hypothesis",
        "Kernel": "kernels",
        "LeaveOneOutChoice": "choice",
        "LocalRegression": "local.hypothesis",
    },
    exports={
        "CaseLibrary": "cases.library",
        "Kernel": "kernels",
        "LocalRegression": "local.hypothesis",
    },
)
