"""What `induce.ensembles` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "AdaBoost",
            "learners.adaboost",
            "hypotheses that vote, each learned where the others err (Freund and Schapire)",
            TABLE,
            "Ensemble",
        ),
        Learner(
            "Bagging",
            "learners.bagging",
            "hypotheses from bags of the same rows vote (Breiman)",
            TABLE,
            "Ensemble",
        ),
        Learner(
            "RandomForest",
            "learners.random_forest",
            "trees from bags of rows, each test among a few columns (Breiman)",
            TABLE,
            "Ensemble",
        ),
    ),
    values={
        "Ensemble": "hypothesis",
        "Points": "scorecard.points",
        "Scorecard": "scorecard.card",
    },
    public={
        "Ensemble": "hypothesis",
        "Scorecard": "scorecard.card",
    },
    exports={
        "AdaBoost": "learners.adaboost",
        "Bagging": "learners.bagging",
        "Ensemble": "hypothesis",
        "RandomForest": "learners.random_forest",
        "Scorecard": "scorecard.card",
    },
)
