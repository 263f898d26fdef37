"""Learners that are judged by their mistakes: predict, see the answer, learn, and never err more than promised.

Names are imported when they are first used: a hypothesis from a model file does without scikit-learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.online.decision_list import DecisionListClassifier as DecisionListClassifier
    from induce.online.drift import DriftStudy as DriftStudy
    from induce.online.drift import Stream as Stream
    from induce.online.drift import changing_concept as changing_concept
    from induce.online.drift import drift_study as drift_study
    from induce.online.drift import stagger as stagger
    from induce.online.enumeration import Identification as Identification
    from induce.online.enumeration import identify as identify
    from induce.online.find_s import OnlineFindS as OnlineFindS
    from induce.online.hypothesis import WeightedExperts as WeightedExperts
    from induce.online.linear import LinearThreshold as LinearThreshold
    from induce.online.majority import Halving as Halving
    from induce.online.majority import RandomizedWeightedMajority as RandomizedWeightedMajority
    from induce.online.majority import WeightedMajority as WeightedMajority
    from induce.online.mistakes import MistakeCurve as MistakeCurve
    from induce.online.protocol import Played as Played
    from induce.online.protocol import play as play
    from induce.online.winnow import Winnow as Winnow

_HOMES = {
    "DecisionListClassifier": "induce.online.decision_list",
    "DriftStudy": "induce.online.drift",
    "Halving": "induce.online.majority",
    "Identification": "induce.online.enumeration",
    "LinearThreshold": "induce.online.linear",
    "MistakeCurve": "induce.online.mistakes",
    "OnlineFindS": "induce.online.find_s",
    "Played": "induce.online.protocol",
    "RandomizedWeightedMajority": "induce.online.majority",
    "Stream": "induce.online.drift",
    "WeightedExperts": "induce.online.hypothesis",
    "WeightedMajority": "induce.online.majority",
    "Winnow": "induce.online.winnow",
    "changing_concept": "induce.online.drift",
    "drift_study": "induce.online.drift",
    "identify": "induce.online.enumeration",
    "play": "induce.online.protocol",
    "stagger": "induce.online.drift",
}

__all__ = sorted(_HOMES)
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
