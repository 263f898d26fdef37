"""Declaration of `induce.online`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import CONCEPT, EXPERTS, TABLE, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "DecisionListClassifier",
            "learners.decision_list_classifier",
            "a decision list of tests with few literals (Rivest)",
            TABLE,
            "RuleList",
        ),
        Learner(
            "Halving",
            "learners.halving",
            "a majority vote of the experts that never erred",
            EXPERTS,
            "WeightedExperts",
        ),
        Learner(
            "OnlineFindS",
            "learners.online_find_s",
            "FIND-S one row at a time, with its mistakes and their bound",
            CONCEPT,
            "RuleList",
        ),
        Learner(
            "RandomizedWeightedMajority",
            "learners.randomized_weighted_majority",
            "an expert drawn with weights that shrink with its mistakes",
            EXPERTS,
            "WeightedExperts",
        ),
        Learner(
            "WeightedMajority",
            "learners.weighted_majority",
            "a weighted vote of experts, which lose weight with each mistake (Littlestone and Warmuth)",
            EXPERTS,
            "WeightedExperts",
        ),
        Learner(
            "Winnow",
            "learners.winnow",
            "a linear threshold over attribute values, with multiplicative updates (Littlestone)",
            TABLE,
            "LinearThreshold",
        ),
    ),
    values={
        "LinearThreshold": "linear",
        "WeightedExperts": "hypothesis",
    },
    exports={
        "DecisionListClassifier": "learners.decision_list_classifier",
        "DriftStudy": "studies.drift",
        "Halving": "learners.halving",
        "Identification": "enumeration",
        "LinearThreshold": "linear",
        "MistakeCurve": "mistakes",
        "OnlineFindS": "learners.online_find_s",
        "Played": "studies.protocol",
        "RandomizedWeightedMajority": "learners.randomized_weighted_majority",
        "Stream": "studies.drift",
        "WeightedExperts": "hypothesis",
        "WeightedMajority": "learners.weighted_majority",
        "Winnow": "learners.winnow",
        "changing_concept": "studies.drift",
        "drift_study": "studies.drift",
        "identify": "enumeration",
        "play": "studies.protocol",
        "stagger": "studies.drift",
    },
    events={
        "generalised": "literals",
        "round": "number votes? prediction truth weights holds?",
        "test": "rule left",
    },
    searches={
        "DecisionListClassifier": Search(
            "k-decision lists",
            "order of the rules in the list",
            "greedy: the next test covers examples of one class",
            "n · tests · length",
        ),
        "Halving": Search(
            "any finite set of hypotheses",
            "none",
            "elimination; majority vote",
            "n · number of hypotheses",
        ),
        "OnlineFindS": Search(
            "conjunctions of literals", "more general than", "specific to general, one row at a time", "n d"
        ),
        "RandomizedWeightedMajority": Search(
            "weights of experts", "none", "multiplicative update after a mistake", "n · experts"
        ),
        "WeightedMajority": Search(
            "weights of experts", "none", "multiplicative update after a mistake", "n · experts"
        ),
        "Winnow": Search(
            "linear threshold functions", "none", "multiplicative update after a mistake", "n d epochs"
        ),
    },
)
