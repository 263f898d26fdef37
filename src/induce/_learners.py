"""The catalogue of learners: what each needs and what it gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearnerEntry:
    """A learner of the catalogue.

    Parameters
    ----------
    name : str
        The class, found under this name in `induce`.
    summary : str
        What it does, in one line.
    needs : str
        What it learns from.
    gives : str
        The kind of hypothesis it learns.
    """

    name: str
    summary: str
    needs: str
    gives: str


_TABLE = "a table of nominal and numeric columns, values may be missing; two classes or more"

_WHOLE_TABLE = "a table of nominal and numeric columns without missing values; two classes or more"
_CONCEPT = "a table of nominal and numeric columns without missing values; two classes"
_STREAM = "nominal columns, row by row; two classes or more (numeric columns and missing values: grown anew)"
_EXPERTS = "predictions of experts, one column each; or experts and any table; two classes or more"
_RELATIONS = (
    "rows of a relation and background relations, or a table of nominal and numeric columns; two classes"
)
_NUMBERS = "a table of nominal and numeric columns, values may be missing; a number to predict"

_CATALOGUE = (
    LearnerEntry(
        "AQ",
        "for each class, conjunctions grown around seeds (Michalski's AQ)",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "ASSISTANT",
        "two branches, stopped early, pruned by expected error (Kononenko and others)",
        _TABLE,
        "Tree",
    ),
    LearnerEntry(
        "BFSID3", "the shortest tree that fits, by exhaustive search (BFS-ID3)", _WHOLE_TABLE, "Tree"
    ),
    LearnerEntry(
        "C45", "gain ratio, guarded thresholds, error-based pruning (Quinlan's C4.5)", _TABLE, "Tree"
    ),
    LearnerEntry(
        "C45Rules", "rules from a C4.5 tree, each pruned by itself (rule post-pruning)", _TABLE, "RuleList"
    ),
    LearnerEntry(
        "CART",
        "gini index, two branches, stand-ins, cost-complexity pruning (Breiman and others)",
        _TABLE,
        "Tree",
    ),
    LearnerEntry(
        "CLS",
        "least cost of tests and mistakes, with look-ahead (Hunt's Concept Learning System)",
        _TABLE,
        "Tree",
    ),
    LearnerEntry(
        "CN2",
        "rules by beam search and Laplace's estimate, which vote or make a list (Clark and Niblett)",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "CandidateElimination",
        "all conjunctions that fit, between their boundaries S and G (Mitchell's version spaces)",
        _CONCEPT,
        "VersionSpace",
    ),
    LearnerEntry(
        "Cigol",
        "first-order clauses by inverse resolution, asking where it is told whom (Muggleton and Buntine's Cigol)",
        _RELATIONS,
        "Theory",
    ),
    LearnerEntry(
        "DecisionListClassifier", "a decision list of tests with few literals (Rivest)", _TABLE, "RuleList"
    ),
    LearnerEntry("DecisionStump", "one test, for weighted examples", _TABLE, "Tree"),
    LearnerEntry(
        "DecisionTreeClassifier", "a tree with the measure, splits and pruning you choose", _TABLE, "Tree"
    ),
    LearnerEntry(
        "DecisionTreeRegressor",
        "a tree with a number or a linear function at each leaf",
        _NUMBERS,
        "RegressionTree",
    ),
    LearnerEntry(
        "DisjunctiveVersionSpace",
        "examples that vote by the version spaces between them (after Sebag)",
        _WHOLE_TABLE,
        "VotingExamples",
    ),
    LearnerEntry("EPAM", "a discrimination net that grows where it errs (Feigenbaum)", _TABLE, "Tree"),
    LearnerEntry(
        "FOIL",
        "first-order clauses, literal by literal, by what they gain over bindings (Quinlan's FOIL)",
        _RELATIONS,
        "Theory",
    ),
    LearnerEntry(
        "FindS", "the most specific conjunction that covers all positive examples", _CONCEPT, "RuleList"
    ),
    LearnerEntry(
        "Golem",
        "first-order clauses that generalise pairs of examples (Muggleton and Feng's Golem)",
        _RELATIONS,
        "Theory",
    ),
    LearnerEntry(
        "Halving",
        "what most of the experts that never erred say",
        _EXPERTS,
        "WeightedExperts",
    ),
    LearnerEntry("ID3", "information gain, grown until it fits (Quinlan's ID3)", _TABLE, "Tree"),
    LearnerEntry(
        "IncrementalID3",
        "ID3's tree after every example, by partial_fit (after Utgoff's ID5)",
        _STREAM,
        "Tree",
    ),
    LearnerEntry(
        "LMDT",
        "a linear machine at each node (Utgoff and Brodley's linear machine trees)",
        _TABLE,
        "ObliqueTree",
    ),
    LearnerEntry(
        "ListThenEliminate", "all conjunctions that fit, found by listing them all", _CONCEPT, "VersionSpace"
    ),
    LearnerEntry(
        "LiteralDisjunction",
        "the most general disjunction of single tests that fits",
        _CONCEPT,
        "RuleList",
    ),
    LearnerEntry("LookaheadTree", "tests judged by what further tests below them can do", _TABLE, "Tree"),
    LearnerEntry(
        "ModelTree",
        "linear functions at the leaves, pruned and smoothed (after Quinlan's M5)",
        _NUMBERS,
        "RegressionTree",
    ),
    LearnerEntry("OC1", "tests of linear combinations (Murthy and others' OC1)", _TABLE, "ObliqueTree"),
    LearnerEntry("OnlineFindS", "FIND-S row by row, with its mistakes and their bound", _CONCEPT, "RuleList"),
    LearnerEntry(
        "PART",
        "rules from partial C4.5 trees (Frank and Witten)",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "PRISM",
        "exact rules, class by class (Cendrowska)",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "Progol",
        "first-order clauses between nothing and all that is known of an example (Muggleton's Progol)",
        _RELATIONS,
        "Theory",
    ),
    LearnerEntry(
        "RDT",
        "first-order clauses of given forms (Kietz and Wrobel's RDT)",
        _RELATIONS,
        "Theory",
    ),
    LearnerEntry(
        "RIPPER",
        "short rules, grown, pruned and optimised by description length (Cohen)",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "RandomizedWeightedMajority",
        "an expert drawn by weights that shrink with mistakes",
        _EXPERTS,
        "WeightedExperts",
    ),
    LearnerEntry(
        "RuleLearner",
        "rules by sequential covering, with the search, measure and knowledge you choose",
        _TABLE,
        "RuleList",
    ),
    LearnerEntry(
        "TolerantElimination",
        "all hypotheses that err on at most k examples (version spaces for noise)",
        _CONCEPT,
        "BoundedErrors",
    ),
    LearnerEntry(
        "WeightedMajority",
        "a vote of experts, who lose weight by their mistakes (Littlestone and Warmuth)",
        _EXPERTS,
        "WeightedExperts",
    ),
    LearnerEntry(
        "Winnow", "a weighted vote of values, learned from mistakes (Littlestone)", _TABLE, "LinearThreshold"
    ),
)


def learners() -> tuple[LearnerEntry, ...]:
    """List the learners with what they need and give.

    Examples
    --------
    >>> [entry.name for entry in learners() if entry.gives == "VersionSpace"]
    ['CandidateElimination', 'ListThenEliminate']
    """
    return _CATALOGUE
