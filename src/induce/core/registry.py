"""The closed list of what can be in a model file: names on the left, classes on the right.

A name in a file is only ever looked up here; it never becomes a module path. When a class moves, its line
changes; when it is renamed, the old name stays as a second line below the new one, so that old files load.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from induce.core.errors import ModelFileError

VALUES: dict[str, str] = {
    "Column": "induce.data.schema:Column",
    "Schema": "induce.data.schema:Schema",
    "Is": "induce.hypotheses.conditions:Is",
    "OneOf": "induce.hypotheses.conditions:OneOf",
    "NoneOf": "induce.hypotheses.conditions:NoneOf",
    "AtMost": "induce.hypotheses.conditions:AtMost",
    "Above": "induce.hypotheses.conditions:Above",
    "Between": "induce.hypotheses.conditions:Between",
    "Rule": "induce.hypotheses.rules:Rule",
    "RuleList": "induce.hypotheses.rules:RuleList",
    "Attributes": "induce.concepts.facets:Attributes",
    "BoundedErrors": "induce.concepts.bounded_errors:BoundedErrors",
    "Conjunctions": "induce.concepts.conjunctions:Conjunctions",
    "Disjunctions": "induce.concepts.disjunctions:Disjunctions",
    "Facet": "induce.concepts.facets:Facet",
    "Mode": "induce.relational.modes:Mode",
    "Relations": "induce.relational.relations:Relations",
    "Theory": "induce.relational.theory:Theory",
    "LinearThreshold": "induce.online.linear:LinearThreshold",
    "Listed": "induce.concepts.listed:Listed",
    "ObliqueTree": "induce.trees.oblique.hypothesis:ObliqueTree",
    "PowerSet": "induce.concepts.powerset:PowerSet",
    "RegressionTree": "induce.trees.regression.hypothesis:RegressionTree",
    "Surrogates": "induce.trees.surrogates:Surrogates",
    "Tree": "induce.trees.hypothesis:Tree",
    "VersionSpace": "induce.concepts.version_space:VersionSpace",
    "VotingExamples": "induce.concepts.voting:VotingExamples",
    "WeightedExperts": "induce.online.hypothesis:WeightedExperts",
}
"""Frozen dataclasses: hypotheses and what they are made of."""

ESTIMATORS: dict[str, str] = {
    "DecisionTreeClassifier": "induce.trees.learners:DecisionTreeClassifier",
    "ID3": "induce.trees.systems:ID3",
    "C45": "induce.trees.systems:C45",
    "CART": "induce.trees.systems:CART",
    "C45Rules": "induce.trees.postpruning:C45Rules",
    "ASSISTANT": "induce.trees.systems:ASSISTANT",
    "DecisionStump": "induce.trees.systems:DecisionStump",
    "BFSID3": "induce.trees.searches.shortest:BFSID3",
    "LookaheadTree": "induce.trees.searches.lookahead:LookaheadTree",
    "CLS": "induce.trees.searches.lookahead:CLS",
    "IncrementalID3": "induce.trees.incremental.learners:IncrementalID3",
    "EPAM": "induce.trees.incremental.epam:EPAM",
    "DecisionTreeRegressor": "induce.trees.regression.learners:DecisionTreeRegressor",
    "ModelTree": "induce.trees.regression.learners:ModelTree",
    "OC1": "induce.trees.oblique.learners:OC1",
    "LMDT": "induce.trees.oblique.learners:LMDT",
    "CandidateElimination": "induce.concepts.learners:CandidateElimination",
    "DisjunctiveVersionSpace": "induce.concepts.disjunctive:DisjunctiveVersionSpace",
    "FindS": "induce.concepts.searching:FindS",
    "ListThenEliminate": "induce.concepts.searching:ListThenEliminate",
    "LiteralDisjunction": "induce.concepts.literals:LiteralDisjunction",
    "TolerantElimination": "induce.concepts.tolerant:TolerantElimination",
    "DecisionListClassifier": "induce.online.decision_list:DecisionListClassifier",
    "OnlineFindS": "induce.online.find_s:OnlineFindS",
    "Winnow": "induce.online.winnow:Winnow",
    "Halving": "induce.online.majority:Halving",
    "WeightedMajority": "induce.online.majority:WeightedMajority",
    "RandomizedWeightedMajority": "induce.online.majority:RandomizedWeightedMajority",
    "RuleLearner": "induce.rules.learners:RuleLearner",
    "CN2": "induce.rules.systems:CN2",
    "AQ": "induce.rules.systems:AQ",
    "PRISM": "induce.rules.systems:PRISM",
    "RIPPER": "induce.rules.ripper:RIPPER",
    "PART": "induce.rules.part:PART",
    "FOIL": "induce.relational.foil:FOIL",
    "Progol": "induce.relational.progol:Progol",
    "Golem": "induce.relational.golem:Golem",
    "Cigol": "induce.relational.cigol:Cigol",
    "RDT": "induce.relational.templates:RDT",
}
"""Learners, which are looked up only when an estimator is loaded."""


def resolve(name: str, names: Mapping[str, str] = VALUES) -> Any:
    """Import and return the class that goes by `name` in `names`.

    Examples
    --------
    >>> resolve("Column")("age")
    Column('age', numeric)
    """
    if name not in names:
        raise ModelFileError(f"it holds a {name[:60]!r}, which this version of induce does not know")
    module, _, attribute = names[name].partition(":")
    return getattr(import_module(module), attribute)


def names_by_class(names: Mapping[str, str]) -> dict[str, str]:
    """Return the registry the other way round, the first name of a class winning.

    Examples
    --------
    >>> names_by_class({"Leaf": "garden:Leaf", "OldLeaf": "garden:Leaf"})
    {'garden:Leaf': 'Leaf'}
    """
    return {target: name for name, target in reversed(list(names.items()))}


def target_of(cls: type) -> str:
    """Return how the registry writes a class.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> target_of(Column)
    'induce.data.schema:Column'
    """
    return f"{cls.__module__}:{cls.__qualname__}"
