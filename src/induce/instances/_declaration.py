"""What `induce.instances` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, ROWS, Declaration, Learner

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
            "KernelDensity",
            "densities.kernel_learner",
            "a density as the mean of kernels around the rows stored",
            ROWS,
            "KernelDensityModel",
        ),
        Learner(
            "LocallyWeightedRegressor",
            "local.learner",
            "a constant, line or curve for each query, fitted to the examples near it",
            NUMBERS,
            "LocalRegression",
        ),
        Learner(
            "NeighborDensity",
            "densities.neighbor_learner",
            "a density from the volume that the nearest rows take up",
            ROWS,
            "NeighborDensityModel",
        ),
    ),
    values={
        "Dots": "dots.hypothesis",
        "Kernel": "kernels",
        "KernelDensityModel": "densities.kernel_model",
        "LeaveOneOutChoice": "choice",
        "LocalRegression": "local.hypothesis",
        "NeighborDensityModel": "densities.neighbor_model",
    },
    exports={
        "CaseLibrary": "cases.library",
        "Kernel": "kernels",
        "LocalRegression": "local.hypothesis",
    },
)
