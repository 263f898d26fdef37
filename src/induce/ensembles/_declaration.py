"""What `induce.ensembles` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner

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
            "AdaBoostRegressor",
            "learners.adaboost_regressor",
            "hypotheses of numbers, each learned where the others are far off (Drucker)",
            NUMBERS,
            "NumberEnsemble",
        ),
        Learner(
            "Bagging",
            "learners.bagging",
            "hypotheses from bags of the same rows vote (Breiman)",
            TABLE,
            "Ensemble",
        ),
        Learner(
            "BaggingRegressor",
            "learners.bagging_regressor",
            "hypotheses of numbers from bags of the same rows are averaged (Breiman)",
            NUMBERS,
            "NumberEnsemble",
        ),
        Learner(
            "BoostingByFiltering",
            "learners.boosting_by_filtering",
            "three hypotheses from examples that those before them choose, or from a stream (Schapire)",
            TABLE,
            "Ensemble",
        ),
        Learner(
            "Committee",
            "learners.committee",
            "hypotheses of different learners vote",
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
        Learner(
            "RandomForestRegressor",
            "learners.random_forest_regressor",
            "regression trees from bags of rows are averaged (Breiman)",
            NUMBERS,
            "NumberEnsemble",
        ),
        Learner(
            "Stacking",
            "learners.stacking",
            "a learner on top learns how far to trust others (Wolpert)",
            TABLE,
            "Stacked",
        ),
    ),
    values={
        "Ensemble": "hypothesis",
        "LogisticTop": "stacked",
        "NumberEnsemble": "averaged",
        "Points": "scorecard.points",
        "Scorecard": "scorecard.card",
        "Stacked": "stacked",
    },
    public={
        "Ensemble": "hypothesis",
        "NumberEnsemble": "averaged",
        "Scorecard": "scorecard.card",
        "Stacked": "stacked",
    },
    exports={
        "AdaBoost": "learners.adaboost",
        "AdaBoostRegressor": "learners.adaboost_regressor",
        "Bagging": "learners.bagging",
        "BaggingRegressor": "learners.bagging_regressor",
        "BoostingByFiltering": "learners.boosting_by_filtering",
        "Committee": "learners.committee",
        "Ensemble": "hypothesis",
        "LearningExperts": "studies.learning_experts",
        "NumberEnsemble": "averaged",
        "RandomForest": "learners.random_forest",
        "RandomForestRegressor": "learners.random_forest_regressor",
        "Scorecard": "scorecard.card",
        "Stacked": "stacked",
        "Stacking": "learners.stacking",
        "VoteCurve": "curves",
        "learning_experts": "studies.learning_experts",
        "majority_error": "independence",
        "worst_majority_error": "independence",
    },
    events={
        "round": "number hypothesis error vote weights",
    },
)
