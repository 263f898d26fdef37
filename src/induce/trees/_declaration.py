"""Declaration of `induce.trees`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, STREAM, TABLE, WHOLE_TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "ASSISTANT",
            "learners.assistant",
            "two branches, stopped early, pruned by expected error (Kononenko and others)",
            TABLE,
            "Tree",
        ),
        Learner(
            "BFSID3",
            "learners.bfsid3",
            "the shortest tree that fits, by exhaustive search (BFS-ID3)",
            WHOLE_TABLE,
            "Tree",
        ),
        Learner(
            "C45",
            "learners.c45",
            "gain ratio, guarded thresholds, error-based pruning (Quinlan's C4.5)",
            TABLE,
            "Tree",
        ),
        Learner(
            "C45Rules",
            "learners.c45_rules",
            "rules from a C4.5 tree, each pruned separately (rule post-pruning)",
            TABLE,
            "RuleList",
        ),
        Learner(
            "CART",
            "learners.cart",
            "gini index, two branches, surrogate splits, cost-complexity pruning (Breiman and others)",
            TABLE,
            "Tree",
        ),
        Learner(
            "CLS",
            "learners.cls",
            "least cost of tests and mistakes, with look-ahead (Hunt's Concept Learning System)",
            TABLE,
            "Tree",
        ),
        Learner("DecisionStump", "learners.decision_stump", "one test, for weighted examples", TABLE, "Tree"),
        Learner(
            "DecisionTreeClassifier",
            "learners.decision_tree_classifier",
            "a tree with the measure, splits and pruning you choose",
            TABLE,
            "Tree",
        ),
        Learner(
            "DecisionTreeRegressor",
            "learners.decision_tree_regressor",
            "a tree with a number or a linear function at each leaf",
            NUMBERS,
            "RegressionTree",
        ),
        Learner(
            "EPAM",
            "learners.epam",
            "a discrimination net that grows where it errs (Feigenbaum)",
            TABLE,
            "Tree",
        ),
        Learner(
            "ID3", "learners.id3", "information gain, grown until it fits (Quinlan's ID3)", TABLE, "Tree"
        ),
        Learner(
            "IncrementalID3",
            "learners.incremental_id3",
            "ID3's tree after every example, by partial_fit (after Utgoff's ID5)",
            STREAM,
            "Tree",
        ),
        Learner(
            "LMDT",
            "learners.lmdt",
            "a linear machine at each node (Utgoff and Brodley's linear machine trees)",
            TABLE,
            "ObliqueTree",
        ),
        Learner(
            "LookaheadTree",
            "learners.lookahead_tree",
            "splits chosen with look-ahead over further splits below them",
            TABLE,
            "Tree",
        ),
        Learner(
            "ModelTree",
            "learners.model_tree",
            "linear functions at the leaves, pruned and smoothed (after Quinlan's M5)",
            NUMBERS,
            "RegressionTree",
        ),
        Learner(
            "OC1",
            "learners.oc1",
            "tests of linear combinations (Murthy and others' OC1)",
            TABLE,
            "ObliqueTree",
        ),
    ),
    values={
        "ObliqueTree": "oblique.hypothesis",
        "RegressionTree": "regression.hypothesis",
        "Surrogates": "surrogates",
        "Tree": "hypothesis",
    },
    public={
        "entropy": "measures",
        "gain": "measures",
        "ObliqueTree": "oblique.hypothesis",
        "RegressionTree": "regression.hypothesis",
        "Tree": "hypothesis",
        "permutation_importance": "understanding.importance",
    },
    events={
        "depth": "depth nodes states",
        "discriminate": "trial example attribute",
        "drop": "conditions accuracy without dropped",
        "familiarise": "trial example attribute",
        "level": "chosen error least",
        "memorise": "trial example attribute",
        "prune": (
            "node errors_before? errors_after? as_leaf? as_tree? as_branch? raised? limit? link? alpha? "
            "sse_before? sse_after? p_value? statistic? value?"
        ),
        "pruned": "nodes",
        "split": "node depth counts? candidates chosen threshold parent branch branches n? mean? sse?",
        "thresholds": "node attribute tried",
        "wrong": "trial example attribute",
    },
)
