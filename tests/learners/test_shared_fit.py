"""Learners from tables learn under the fits of `induce.estimators`; those that do not are known."""

from induce import estimators
from tests.learners.tables import LEARNERS, owner

OWN = {
    "NetworkLearner",  # with or without a target
    "SelfTraining",  # some rows have no class
    "TangentProp",  # slopes beside the target
    "TangentPropRegressor",
    "Cigol",  # relations
    "FOIL",
    "Golem",
    "ProgramLearner",
    "Progol",
    "RelationalLearner",
    "PrologEBG",
    "LazyEBG",
    "LemmaEnumerator",
    "RDT",
    "RelationalFOCL",  # a theory without examples
}


def test_table_learners_share_one_fit():
    owners = {owner(learner, "fit") for learner in LEARNERS}
    assert {each.__name__ for each in owners if each.__module__ != estimators.__name__} == OWN
