"""Declaration of `induce.concepts`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import CONCEPT, WHOLE_TABLE, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "CandidateElimination",
            "learners.candidate_elimination",
            "all consistent conjunctions, represented by their boundaries S and G (Mitchell's version "
            "spaces)",
            CONCEPT,
            "VersionSpace",
        ),
        Learner(
            "DisjunctiveVersionSpace",
            "learners.disjunctive_version_space",
            "examples that vote, each by its own version space (after Sebag)",
            WHOLE_TABLE,
            "VotingExamples",
        ),
        Learner(
            "FindS",
            "learners.find_s",
            "the most specific conjunction that covers all positive examples",
            CONCEPT,
            "RuleList",
        ),
        Learner(
            "ListThenEliminate",
            "learners.list_then_eliminate",
            "all consistent conjunctions, found by enumeration",
            CONCEPT,
            "VersionSpace",
        ),
        Learner(
            "LiteralDisjunction",
            "learners.literal_disjunction",
            "the most general consistent disjunction of single tests",
            CONCEPT,
            "RuleList",
        ),
        Learner(
            "TolerantElimination",
            "learners.tolerant_elimination",
            "all hypotheses with at most k errors on the examples (version spaces for noise)",
            CONCEPT,
            "BoundedErrors",
        ),
    ),
    values={
        "Attributes": "facets",
        "BoundedErrors": "bounded_errors",
        "Conjunctions": "conjunctions",
        "Disjunctions": "disjunctions",
        "Facet": "facets",
        "Listed": "listed",
        "PowerSet": "powerset",
        "VersionSpace": "version_space",
        "VotingExamples": "voting_examples",
    },
    public={
        "VersionSpace": "version_space",
    },
    exports={
        "Attributes": "facets",
        "BiasStrengths": "bias",
        "BoundedErrors": "bounded_errors",
        "CandidateElimination": "learners.candidate_elimination",
        "Concept": "concept",
        "Conjunctions": "conjunctions",
        "Disjunctions": "disjunctions",
        "DisjunctiveVersionSpace": "learners.disjunctive_version_space",
        "Entailment": "bias",
        "FindS": "learners.find_s",
        "InductiveBias": "bias",
        "ListThenEliminate": "learners.list_then_eliminate",
        "Listed": "listed",
        "LiteralDisjunction": "learners.literal_disjunction",
        "NearMissSpace": "near_misses",
        "Plan": "oracles",
        "PowerSet": "powerset",
        "Query": "queries",
        "RoteLearner": "learners.rote_learner",
        "Settling": "oracles",
        "TolerantElimination": "learners.tolerant_elimination",
        "VersionSpace": "version_space",
        "Votes": "votes",
        "VotingExamples": "voting_examples",
        "bias_strengths": "bias",
        "draw_plane": "plane",
        "entailed": "bias",
        "example_space": "single_example",
        "expected_examples": "studies",
        "first_consistent": "search",
        "growing_g": "studies",
        "near_miss_space": "near_misses",
        "order_study": "studies",
        "plan_queries": "oracles",
        "sample_study": "studies",
        "settle": "oracles",
        "within_errors": "bounded_errors",
    },
    events={
        "boundaries": "row example positive S G left",
        "eliminated": "row example positive eliminated why left hypotheses",
        "generalised": "row example positive h ways?",
        "literal": "test positives new",
        "near miss": "example general specific",
        "start": "h? left? hypotheses? S? G?",
        "version space": "row example of apart_from tests",
    },
    searches={
        "CandidateElimination": Search(
            "conjunctions, or another hypothesis language",
            "more general than",
            "incremental update of both boundaries",
            "rows · |S| · |G|",
        ),
        "DisjunctiveVersionSpace": Search(
            "disjunctions of conjunctions",
            "more general than",
            "one version space per example, never enumerated",
            "n² d",
        ),
        "FindS": Search(
            "conjunctions", "more general than", "specific to general, without backtracking", "n d"
        ),
        "ListThenEliminate": Search(
            "conjunctions, or another hypothesis language",
            "none",
            "exhaustive enumeration",
            "n · size of the space",
        ),
        "LiteralDisjunction": Search(
            "disjunctions of tests", "more general than", "general to specific, without backtracking", "n d"
        ),
        "TolerantElimination": Search(
            "conjunctions, or another hypothesis language",
            "more general than",
            "boundaries for each number of errors, updated incrementally",
            "rows · errors · |S| · |G|",
        ),
    },
)
