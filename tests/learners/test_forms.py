"""Parts and forms of the hypotheses that no learner from a table or from experience gives."""

import math

import numpy as np
import polars as pl
import pytest

import induce
from induce.bayes.distributions.beta import Beta
from induce.bayes.distributions.dirichlet import Dirichlet
from induce.bayes.distributions.normal_gamma import NormalGamma
from induce.belief_networks.library import textbook_network
from induce.concepts.learners.literal_disjunction import LiteralDisjunction
from induce.environments import stock_keeping
from induce.environments.tables import estimate
from induce.evaluation.comparing.leaderboard import leaderboard
from induce.kernels import Spectrum
from induce.online.hypothesis import WeightedExperts
from induce.reinforcement import DynamicProgramming
from induce.sequences.hypothesis import HiddenMarkovChain
from tests.learners.forms import examine, examine_pictures

TENNIS = induce.dataset("play-tennis")


def literals():
    X = pl.DataFrame({"a": [True, True, False, False], "b": [True, False, True, False]})
    return LiteralDisjunction().fit(X, ["yes", "yes", "yes", "no"]).hypothesis_


def experts():
    return WeightedExperts(("a", "b"), ("no", "yes"), np.array([0, 2]), np.array([0, 2]), 0.5, 6)


def umbrella():
    return HiddenMarkovChain.of(
        {"rain": 0.5, "dry": 0.5},
        {"rain": {"rain": 0.7, "dry": 0.3}, "dry": {"rain": 0.3, "dry": 0.7}},
        {"umbrella": {"rain": {"yes": 0.9, "no": 0.1}, "dry": {"yes": 0.2, "no": 0.8}}},
    )


def scorecard():
    return induce.AdaBoost(n_estimators=4).fit(*TENNIS).hypothesis_.scorecard()


def texts():
    return (
        induce.SVM(kernel=Spectrum(2)).fit([["abab"], ["bbaa"], ["abba"], ["baba"]], [0, 1, 1, 0]).hypothesis_
    )


def neighbours():
    return induce.Committee({"near": induce.KNeighborsClassifier()}).fit(*TENNIS).hypothesis_


def policy():
    return DynamicProgramming().learn(stock_keeping(6)).hypothesis_


def log():
    steps = {"episode": [1, 1, 1], "state": ["a", "b", "a"], "action": ["go"] * 3, "reward": [1.0, 0.0, 1.0]}
    return estimate(pl.DataFrame(steps))


MADE = {
    "literals": literals,
    "experts": experts,
    "chain": umbrella,
    "scorecard": scorecard,
    "policy": policy,
    "rules of a policy": lambda: policy().to_rules(),
    "tree of a policy": lambda: policy().to_tree(),
    "log": log,
    "network": lambda: textbook_network("burglary"),
    "network of rows": lambda: induce.ChowLiu().fit(TENNIS.X).hypothesis_,
    "machine of texts": texts,
    "votes of neighbours": neighbours,
    "linear machine": lambda: induce.SVM(kernel="linear").fit(*induce.dataset("iris")).hypothesis_,
    "empty version space": lambda: induce.CandidateElimination().fit([["x"], ["x"]], [0, 1]).hypothesis_,
    "beta": lambda: Beta(2.0, 3.0),
    "dirichlet": lambda: Dirichlet(("a", "b"), np.array([1.0, 2.0])),
    "normal": lambda: NormalGamma(0.0, 1.0, 2.0, 2.0),
}


@pytest.mark.parametrize("name", MADE)
def test_parts_and_forms(name, small):
    made = MADE[name]()
    examine(made)
    examine_pictures(made)


def test_the_least_to_read_is_named_among_all_kinds():
    """Naive Bayes, theories, version spaces and networks say how much there is to read."""
    X, y = TENNIS
    for learner in (induce.NaiveBayes(), induce.FOIL(), induce.ChowLiu(), induce.Winnow(), induce.AdaBoost()):
        number = learner.fit(X, y).hypothesis_.parts().number
        assert number is not None
        assert number > 0
    found = leaderboard({"bayes": induce.NaiveBayes(), "network": induce.ChowLiu()}, X, y, 3)
    assert all(line.parts is not None and math.isfinite(line.parts) for line in found.lines)
    assert found.readable in ("bayes", "network")
