"""Declaration of `induce.linear`: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "Adaline",
            "learners.adaline",
            "a linear unit trained by the delta rule and thresholded (Widrow and Hoff)",
            TABLE,
            "LinearClassifier",
        ),
        Learner(
            "LMS",
            "learners.lms",
            "a linear unit trained by the delta rule, with an update after each example",
            NUMBERS,
            "LinearRegressionModel",
        ),
        Learner(
            "LinearRegression",
            "learners.linear_regression",
            "linear regression by least squares, optionally with a penalty",
            NUMBERS,
            "LinearRegressionModel",
        ),
        Learner(
            "LogisticRegression",
            "learners.logistic_regression",
            "logistic regression: class probabilities from a weighted sum of columns",
            TABLE,
            "LinearClassifier",
        ),
        Learner(
            "Perceptron",
            "learners.perceptron",
            "a threshold unit trained on its mistakes (Rosenblatt), also pocket and averaged",
            TABLE,
            "LinearClassifier",
        ),
    ),
    values={
        "LinearClassifier": "model",
        "LinearDesign": "terms:Design",
        "LinearFactor": "terms:Factor",
        "LinearKnowledge": "model:Knowledge",
        "LinearPath": "path:Path",
        "LinearRegressionModel": "model",
        "LinearTerm": "terms:Term",
    },
    exports={
        "Adaline": "learners.adaline",
        "Design": "terms",
        "LMS": "learners.lms",
        "LinearClassifier": "model",
        "LinearExplanation": "explanation",
        "LinearRegressionModel": "model",
        "LinearRegression": "learners.linear_regression",
        "LogisticRegression": "learners.logistic_regression",
        "Path": "path",
        "PenaltyRegion": "bounded_weights",
        "Perceptron": "learners.perceptron",
        "Term": "terms",
        "Unit": "unit",
        "Separation": "separability",
        "ThresholdNetwork": "gates",
        "ThresholdUnit": "gates",
        "WeightTable": "weights",
        "corners": "gates",
        "dnf_network": "gates",
        "fewest_errors": "separability",
        "gate": "gates",
        "least_slack": "separability",
        "m_of_n": "gates",
        "majority": "gates",
        "penalty_region": "bounded_weights",
        "separable": "separability",
        "threshold_functions": "separability",
        "truth_table_network": "gates",
    },
    searches={
        "Adaline": Search(
            "linear threshold functions",
            "continuous: weights",
            "gradient descent on squared error",
            "n d epochs",
        ),
        "LMS": Search(
            "linear functions",
            "continuous: weights",
            "stochastic gradient descent on squared error",
            "n d epochs",
        ),
        "LinearRegression": Search("linear functions", "continuous: weights", "closed form", "n d² + d³"),
        "LogisticRegression": Search(
            "log-linear functions",
            "continuous: weights",
            "Newton or quasi-Newton steps on the likelihood",
            "n d² per step",
        ),
        "Perceptron": Search(
            "linear threshold functions", "continuous: weights", "perceptron rule, incremental", "n d epochs"
        ),
    },
)
