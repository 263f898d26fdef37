"""What `induce.instances` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, ROWS, TABLE, Declaration, Learner

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
            "IB2",
            "neighbors.filters",
            "nearest neighbour among the examples that it got wrong",
            TABLE,
            "NeighborVote",
        ),
        Learner(
            "IB3",
            "neighbors.filters",
            "nearest neighbour among stored examples with a good record",
            TABLE,
            "NeighborVote",
        ),
        Learner(
            "KNeighborsClassifier",
            "neighbors.classifier",
            "the class that the nearest examples vote for, by any distance",
            TABLE,
            "NeighborVote",
        ),
        Learner(
            "KNeighborsRegressor",
            "neighbors.regressor",
            "the mean of the nearest examples, by any distance",
            NUMBERS,
            "NeighborMean",
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
        Learner(
            "RBFNetworkClassifier",
            "rbf.learners",
            "classes by sums of kernels around centres (radial basis functions)",
            TABLE,
            "RBFClassNetwork",
        ),
        Learner(
            "RBFNetworkRegressor",
            "rbf.learners",
            "a number as a sum of kernels around centres (radial basis functions)",
            NUMBERS,
            "RBFNetwork",
        ),
    ),
    values={
        "Dots": "dots.hypothesis",
        "Kernel": "kernels",
        "KernelDensityModel": "densities.kernel_model",
        "FunctionKernel": "neighbors.stored",
        "LSH": "search.buckets",
        "LeaveOneOutChoice": "choice",
        "LocalRegression": "local.hypothesis",
        "NeighborDensityModel": "densities.neighbor_model",
        "RBFClassNetwork": "rbf.hypothesis",
        "RBFNetwork": "rbf.hypothesis",
        "NeighborMean": "neighbors.mean",
        "NeighborVote": "neighbors.vote",
    },
    exports={
        "AttributeWeights": "neighbors.stretching",
        "CaseLibrary": "cases.library",
        "KDTree": "kd_tree",
        "Kernel": "kernels",
        "LSH": "search.buckets",
        "LocalRegression": "local.hypothesis",
        "NeighborMean": "neighbors.mean",
        "NeighborVote": "neighbors.vote",
        "any_table": "search.buckets",
        "bit_collision": "search.buckets",
        "eliminate_attributes": "neighbors.stretching",
        "projection_collision": "search.buckets",
        "stretch_attributes": "neighbors.stretching",
    },
)
