"""Declaration of `induce.trees`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, STREAM, TABLE, WHOLE_TABLE, Declaration, Learner, Search

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
    searches={
        "ASSISTANT": Search(
            "binary decision trees",
            "simple to complex",
            "greedy by information gain, then pruning by estimated error",
            "n d log n per level",
        ),
        "BFSID3": Search(
            "decision trees",
            "simple to complex",
            "breadth first by size, until a tree fits",
            "exponential in d",
        ),
        "C45": Search(
            "decision trees",
            "simple to complex",
            "greedy by gain ratio, then error-based pruning",
            "n d log n per level",
        ),
        "C45Rules": Search(
            "rule lists from a tree",
            "specific to general",
            "greedy removal of conditions, then choice of rules by description length",
            "that of C45, plus rules · conditions · n",
        ),
        "CART": Search(
            "binary decision trees",
            "simple to complex",
            "greedy by Gini index, then cost-complexity pruning by cross-validation",
            "folds · n d log n per level",
        ),
        "CLS": Search(
            "decision trees",
            "simple to complex",
            "look-ahead by the cost of tests and errors",
            "(d thresholds)^lookahead · n per node",
        ),
        "DecisionStump": Search("trees of one test", "none", "exhaustive over all tests", "n d log n"),
        "DecisionTreeClassifier": Search(
            "decision trees",
            "simple to complex",
            "greedy by the chosen criterion, then the chosen pruning",
            "n d log n per level",
        ),
        "DecisionTreeRegressor": Search(
            "regression trees",
            "simple to complex",
            "greedy by squared error, then the chosen pruning",
            "n d log n per level",
        ),
        "EPAM": Search(
            "discrimination nets",
            "simple to complex",
            "incremental: a test is added after a mistake",
            "n · depth per trial",
        ),
        "ID3": Search(
            "decision trees",
            "simple to complex",
            "greedy by information gain",
            "n d per level; sorted numbers n d log n",
        ),
        "IncrementalID3": Search(
            "decision trees",
            "simple to complex",
            "greedy, restructured after each row",
            "d · values · depth per row",
        ),
        "LMDT": Search(
            "trees of linear machines",
            "simple to complex",
            "greedy; the weights of a node by thermal training",
            "n d epochs per level",
        ),
        "LookaheadTree": Search(
            "decision trees",
            "simple to complex",
            "greedy over several tests at once",
            "(d thresholds)^depth · n per node",
        ),
        "ModelTree": Search(
            "trees with linear models",
            "simple to complex",
            "greedy by deviation, then pruning and smoothing",
            "n d log n per level, plus d³ per node",
        ),
        "OC1": Search(
            "trees of oblique tests",
            "simple to complex",
            "greedy; hill climbing with restarts for the weights of a node",
            "restarts · n d log n per node",
        ),
    },
)
