"""Learn hypotheses that people can read, and say how far to trust them.

>>> import induce
>>> X, y = induce.dataset("play-tennis")
>>> print(induce.C45Rules().fit(X, y).hypothesis_)
IF Outlook = Sunny AND Humidity = High THEN No (3/3)
IF Outlook = Rain AND Wind = Strong THEN No (2/2)
DEFAULT Yes (9/9)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce._learners import learners as learners
    from induce.concepts.disjunctive import DisjunctiveVersionSpace as DisjunctiveVersionSpace
    from induce.concepts.learners import CandidateElimination as CandidateElimination
    from induce.concepts.literals import LiteralDisjunction as LiteralDisjunction
    from induce.concepts.searching import FindS as FindS
    from induce.concepts.searching import ListThenEliminate as ListThenEliminate
    from induce.concepts.tolerant import TolerantElimination as TolerantElimination
    from induce.concepts.version_space import VersionSpace as VersionSpace
    from induce.core.errors import InputError as InputError
    from induce.core.errors import ModelFileError as ModelFileError
    from induce.core.notes import Note as Note
    from induce.core.persistence import load as load
    from induce.core.persistence import load_hypothesis as load_hypothesis
    from induce.core.persistence import save as save
    from induce.core.progress import progress as progress
    from induce.core.trace import trace as trace
    from induce.data.catalogue import dataset as dataset
    from induce.data.catalogue import datasets as datasets
    from induce.data.dataset import Dataset as Dataset
    from induce.data.describe import describe as describe
    from induce.data.reading import read as read
    from induce.data.schema import Column as Column
    from induce.data.schema import Schema as Schema
    from induce.evaluation.choosing.decisions import ExpectedLossClassifier as ExpectedLossClassifier
    from induce.evaluation.choosing.locked import LockedTest as LockedTest
    from induce.evaluation.choosing.locked import three_way_split as three_way_split
    from induce.evaluation.comparing.comparison import compare as compare
    from induce.evaluation.comparing.leaderboard import leaderboard as leaderboard
    from induce.evaluation.estimating.estimate import evaluate as evaluate
    from induce.evaluation.experiments.results import Experiment as Experiment
    from induce.evaluation.experiments.running import experiment as experiment
    from induce.evaluation.losses.table import LossTable as LossTable
    from induce.hypotheses.rules import Rule as Rule
    from induce.hypotheses.rules import RuleList as RuleList
    from induce.online.decision_list import DecisionListClassifier as DecisionListClassifier
    from induce.online.find_s import OnlineFindS as OnlineFindS
    from induce.online.majority import Halving as Halving
    from induce.online.majority import RandomizedWeightedMajority as RandomizedWeightedMajority
    from induce.online.majority import WeightedMajority as WeightedMajority
    from induce.online.winnow import Winnow as Winnow
    from induce.relational.cigol import Cigol as Cigol
    from induce.relational.foil import FOIL as FOIL
    from induce.relational.golem import Golem as Golem
    from induce.relational.problems import Problem as Problem
    from induce.relational.problems import read_problem as read_problem
    from induce.relational.progol import Progol as Progol
    from induce.relational.relations import Relations as Relations
    from induce.relational.templates import RDT as RDT
    from induce.relational.theory import Theory as Theory
    from induce.rules.learners import RuleLearner as RuleLearner
    from induce.rules.part import PART as PART
    from induce.rules.ripper import RIPPER as RIPPER
    from induce.rules.systems import AQ as AQ
    from induce.rules.systems import CN2 as CN2
    from induce.rules.systems import PRISM as PRISM
    from induce.trees.hypothesis import Tree as Tree
    from induce.trees.incremental.epam import EPAM as EPAM
    from induce.trees.incremental.learners import IncrementalID3 as IncrementalID3
    from induce.trees.learners import DecisionTreeClassifier as DecisionTreeClassifier
    from induce.trees.oblique.hypothesis import ObliqueTree as ObliqueTree
    from induce.trees.oblique.learners import LMDT as LMDT
    from induce.trees.oblique.learners import OC1 as OC1
    from induce.trees.postpruning import C45Rules as C45Rules
    from induce.trees.regression.hypothesis import RegressionTree as RegressionTree
    from induce.trees.regression.learners import DecisionTreeRegressor as DecisionTreeRegressor
    from induce.trees.regression.learners import ModelTree as ModelTree
    from induce.trees.searches.lookahead import CLS as CLS
    from induce.trees.searches.lookahead import LookaheadTree as LookaheadTree
    from induce.trees.searches.shortest import BFSID3 as BFSID3
    from induce.trees.systems import ASSISTANT as ASSISTANT
    from induce.trees.systems import C45 as C45
    from induce.trees.systems import CART as CART
    from induce.trees.systems import ID3 as ID3
    from induce.trees.systems import DecisionStump as DecisionStump

_HOMES = {
    "AQ": "induce.rules.systems",
    "ASSISTANT": "induce.trees.systems",
    "BFSID3": "induce.trees.searches.shortest",
    "C45": "induce.trees.systems",
    "C45Rules": "induce.trees.postpruning",
    "CART": "induce.trees.systems",
    "CLS": "induce.trees.searches.lookahead",
    "CN2": "induce.rules.systems",
    "CandidateElimination": "induce.concepts.learners",
    "Cigol": "induce.relational.cigol",
    "Column": "induce.data.schema",
    "Dataset": "induce.data.dataset",
    "DecisionListClassifier": "induce.online.decision_list",
    "DecisionStump": "induce.trees.systems",
    "DecisionTreeClassifier": "induce.trees.learners",
    "DecisionTreeRegressor": "induce.trees.regression.learners",
    "DisjunctiveVersionSpace": "induce.concepts.disjunctive",
    "EPAM": "induce.trees.incremental.epam",
    "ExpectedLossClassifier": "induce.evaluation.choosing.decisions",
    "Experiment": "induce.evaluation.experiments.results",
    "FOIL": "induce.relational.foil",
    "FindS": "induce.concepts.searching",
    "Golem": "induce.relational.golem",
    "Halving": "induce.online.majority",
    "ID3": "induce.trees.systems",
    "IncrementalID3": "induce.trees.incremental.learners",
    "InputError": "induce.core.errors",
    "LMDT": "induce.trees.oblique.learners",
    "ListThenEliminate": "induce.concepts.searching",
    "LiteralDisjunction": "induce.concepts.literals",
    "LockedTest": "induce.evaluation.choosing.locked",
    "LookaheadTree": "induce.trees.searches.lookahead",
    "LossTable": "induce.evaluation.losses.table",
    "ModelFileError": "induce.core.errors",
    "ModelTree": "induce.trees.regression.learners",
    "Note": "induce.core.notes",
    "OC1": "induce.trees.oblique.learners",
    "ObliqueTree": "induce.trees.oblique.hypothesis",
    "OnlineFindS": "induce.online.find_s",
    "PART": "induce.rules.part",
    "PRISM": "induce.rules.systems",
    "Problem": "induce.relational.problems",
    "Progol": "induce.relational.progol",
    "RDT": "induce.relational.templates",
    "RIPPER": "induce.rules.ripper",
    "RandomizedWeightedMajority": "induce.online.majority",
    "RegressionTree": "induce.trees.regression.hypothesis",
    "Relations": "induce.relational.relations",
    "Rule": "induce.hypotheses.rules",
    "RuleLearner": "induce.rules.learners",
    "RuleList": "induce.hypotheses.rules",
    "Schema": "induce.data.schema",
    "Theory": "induce.relational.theory",
    "TolerantElimination": "induce.concepts.tolerant",
    "Tree": "induce.trees.hypothesis",
    "VersionSpace": "induce.concepts.version_space",
    "WeightedMajority": "induce.online.majority",
    "Winnow": "induce.online.winnow",
    "compare": "induce.evaluation.comparing.comparison",
    "dataset": "induce.data.catalogue",
    "datasets": "induce.data.catalogue",
    "describe": "induce.data.describe",
    "evaluate": "induce.evaluation.estimating.estimate",
    "experiment": "induce.evaluation.experiments.running",
    "leaderboard": "induce.evaluation.comparing.leaderboard",
    "learners": "induce._learners",
    "load": "induce.core.persistence",
    "load_hypothesis": "induce.core.persistence",
    "progress": "induce.core.progress",
    "read": "induce.data.reading",
    "read_problem": "induce.relational.problems",
    "save": "induce.core.persistence",
    "three_way_split": "induce.evaluation.choosing.locked",
    "trace": "induce.core.trace",
}

__all__ = sorted(_HOMES)
__version__ = "0.1.0"
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
