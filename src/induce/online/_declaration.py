"""What `induce.online` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import CONCEPT, EXPERTS, TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "DecisionListClassifier",
            "decision_list",
            "a decision list of tests with few literals (Rivest)",
            TABLE,
            "RuleList",
        ),
        Learner(
            "Halving", "majority", "what most of the experts that never erred say", EXPERTS, "WeightedExperts"
        ),
        Learner(
            "OnlineFindS",
            "find_s",
            "FIND-S row by row, with its mistakes and their bound",
            CONCEPT,
            "RuleList",
        ),
        Learner(
            "RandomizedWeightedMajority",
            "majority",
            "an expert drawn by weights that shrink with mistakes",
            EXPERTS,
            "WeightedExperts",
        ),
        Learner(
            "WeightedMajority",
            "majority",
            "a vote of experts, who lose weight by their mistakes (Littlestone and Warmuth)",
            EXPERTS,
            "WeightedExperts",
        ),
        Learner(
            "Winnow",
            "winnow",
            "a weighted vote of values, learned from mistakes (Littlestone)",
            TABLE,
            "LinearThreshold",
        ),
    ),
    values={
        "LinearThreshold": "linear",
        "WeightedExperts": "hypothesis",
    },
    exports={
        "DecisionListClassifier": "decision_list",
        "DriftStudy": "drift",
        "Halving": "majority",
        "Identification": "enumeration",
        "LinearThreshold": "linear",
        "MistakeCurve": "mistakes",
        "OnlineFindS": "find_s",
        "Played": "protocol",
        "RandomizedWeightedMajority": "majority",
        "Stream": "drift",
        "WeightedExperts": "hypothesis",
        "WeightedMajority": "majority",
        "Winnow": "winnow",
        "changing_concept": "drift",
        "drift_study": "drift",
        "identify": "enumeration",
        "play": "protocol",
        "stagger": "drift",
    },
)
