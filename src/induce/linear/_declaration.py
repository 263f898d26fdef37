"""What `induce.linear` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "LinearRegression",
            "learners.linear_regression",
            "a number as a weighted sum of columns, by least squares or under a penalty",
            NUMBERS,
            "LinearModel",
        ),
        Learner(
            "LogisticRegression",
            "learners.logistic_regression",
            "probabilities of classes from a weighted sum of columns, by maximum likelihood",
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
        "LinearRegressionModel": "model:LinearModel",
        "LinearTerm": "terms:Term",
    },
    exports={
        "Design": "terms",
        "LinearClassifier": "model",
        "LinearExplanation": "explanation",
        "LinearModel": "model",
        "LinearRegression": "learners.linear_regression",
        "LogisticRegression": "learners.logistic_regression",
        "Path": "path",
        "Term": "terms",
        "WeightTable": "weights",
    },
)
