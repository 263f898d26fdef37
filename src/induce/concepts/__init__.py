"""Concept learning as search through a space ordered from general to specific (Mitchell ch. 2).

Names are imported when they are first used: a version space from a model file does without scikit-learn.
"""

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.concepts.bias import BiasStrengths as BiasStrengths
    from induce.concepts.bias import Entailment as Entailment
    from induce.concepts.bias import InductiveBias as InductiveBias
    from induce.concepts.bias import RoteLearner as RoteLearner
    from induce.concepts.bias import bias_strengths as bias_strengths
    from induce.concepts.bias import entailed as entailed
    from induce.concepts.bounded_errors import BoundedErrors as BoundedErrors
    from induce.concepts.bounded_errors import within_errors as within_errors
    from induce.concepts.concept import Concept as Concept
    from induce.concepts.conjunctions import Conjunctions as Conjunctions
    from induce.concepts.disjunctions import Disjunctions as Disjunctions
    from induce.concepts.disjunctive import DisjunctiveVersionSpace as DisjunctiveVersionSpace
    from induce.concepts.facets import Attributes as Attributes
    from induce.concepts.learners import CandidateElimination as CandidateElimination
    from induce.concepts.listed import Listed as Listed
    from induce.concepts.literals import LiteralDisjunction as LiteralDisjunction
    from induce.concepts.merging import example_space as example_space
    from induce.concepts.near_misses import NearMissSpace as NearMissSpace
    from induce.concepts.near_misses import near_miss_space as near_miss_space
    from induce.concepts.oracles import Plan as Plan
    from induce.concepts.oracles import Settling as Settling
    from induce.concepts.oracles import plan_queries as plan_queries
    from induce.concepts.oracles import settle as settle
    from induce.concepts.powerset import PowerSet as PowerSet
    from induce.concepts.queries import Query as Query
    from induce.concepts.searching import FindS as FindS
    from induce.concepts.searching import ListThenEliminate as ListThenEliminate
    from induce.concepts.searching import first_consistent as first_consistent
    from induce.concepts.studies import expected_examples as expected_examples
    from induce.concepts.studies import growing_g as growing_g
    from induce.concepts.studies import order_study as order_study
    from induce.concepts.studies import sample_study as sample_study
    from induce.concepts.tolerant import TolerantElimination as TolerantElimination
    from induce.concepts.version_space import VersionSpace as VersionSpace
    from induce.concepts.votes import Votes as Votes
    from induce.concepts.voting import VotingExamples as VotingExamples

_HOMES = {
    "Attributes": "induce.concepts.facets",
    "BiasStrengths": "induce.concepts.bias",
    "BoundedErrors": "induce.concepts.bounded_errors",
    "CandidateElimination": "induce.concepts.learners",
    "Concept": "induce.concepts.concept",
    "Conjunctions": "induce.concepts.conjunctions",
    "Disjunctions": "induce.concepts.disjunctions",
    "DisjunctiveVersionSpace": "induce.concepts.disjunctive",
    "Entailment": "induce.concepts.bias",
    "FindS": "induce.concepts.searching",
    "InductiveBias": "induce.concepts.bias",
    "ListThenEliminate": "induce.concepts.searching",
    "Listed": "induce.concepts.listed",
    "LiteralDisjunction": "induce.concepts.literals",
    "NearMissSpace": "induce.concepts.near_misses",
    "Plan": "induce.concepts.oracles",
    "PowerSet": "induce.concepts.powerset",
    "Query": "induce.concepts.queries",
    "RoteLearner": "induce.concepts.bias",
    "Settling": "induce.concepts.oracles",
    "TolerantElimination": "induce.concepts.tolerant",
    "VersionSpace": "induce.concepts.version_space",
    "Votes": "induce.concepts.votes",
    "VotingExamples": "induce.concepts.voting",
    "bias_strengths": "induce.concepts.bias",
    "entailed": "induce.concepts.bias",
    "example_space": "induce.concepts.merging",
    "expected_examples": "induce.concepts.studies",
    "first_consistent": "induce.concepts.searching",
    "growing_g": "induce.concepts.studies",
    "near_miss_space": "induce.concepts.near_misses",
    "order_study": "induce.concepts.studies",
    "plan_queries": "induce.concepts.oracles",
    "sample_study": "induce.concepts.studies",
    "settle": "induce.concepts.oracles",
    "within_errors": "induce.concepts.bounded_errors",
}

__all__ = [
    "Attributes",
    "BiasStrengths",
    "BoundedErrors",
    "CandidateElimination",
    "Concept",
    "Conjunctions",
    "Disjunctions",
    "DisjunctiveVersionSpace",
    "Entailment",
    "FindS",
    "InductiveBias",
    "ListThenEliminate",
    "Listed",
    "LiteralDisjunction",
    "NearMissSpace",
    "Plan",
    "PowerSet",
    "Query",
    "RoteLearner",
    "Settling",
    "TolerantElimination",
    "VersionSpace",
    "Votes",
    "VotingExamples",
    "bias_strengths",
    "entailed",
    "example_space",
    "expected_examples",
    "first_consistent",
    "growing_g",
    "near_miss_space",
    "order_study",
    "plan_queries",
    "sample_study",
    "settle",
    "within_errors",
]
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(_HOMES)
