"""Judgement: how far to trust what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.evaluation.choosing.complexity import complexity_of as complexity_of
    from induce.evaluation.choosing.decisions import ExpectedLossClassifier as ExpectedLossClassifier
    from induce.evaluation.choosing.description import normal_code as normal_code
    from induce.evaluation.choosing.description import shortest_description as shortest_description
    from induce.evaluation.choosing.feature_path import FeaturePath as FeaturePath
    from induce.evaluation.choosing.feature_search import FeatureSearch as FeatureSearch
    from induce.evaluation.choosing.feature_search import search_features as search_features
    from induce.evaluation.choosing.features import FeatureFilter as FeatureFilter
    from induce.evaluation.choosing.features import FeatureScores as FeatureScores
    from induce.evaluation.choosing.features import feature_scores as feature_scores
    from induce.evaluation.choosing.hypotheses import Choice as Choice
    from induce.evaluation.choosing.hypotheses import best_in_class as best_in_class
    from induce.evaluation.choosing.hypotheses import maximum_a_posteriori as maximum_a_posteriori
    from induce.evaluation.choosing.hypotheses import noise_log_likelihood as noise_log_likelihood
    from induce.evaluation.choosing.hypotheses import ockham as ockham
    from induce.evaluation.choosing.locked import LockedTest as LockedTest
    from induce.evaluation.choosing.locked import three_way_split as three_way_split
    from induce.evaluation.choosing.regularisation import RegularisationPath as RegularisationPath
    from induce.evaluation.choosing.regularisation import regularisation_path as regularisation_path
    from induce.evaluation.choosing.wrapper import SizeSelection as SizeSelection
    from induce.evaluation.choosing.wrapper import cross_validation_wrapper as cross_validation_wrapper
    from induce.evaluation.comparing.comparison import Comparison as Comparison
    from induce.evaluation.comparing.comparison import Pair as Pair
    from induce.evaluation.comparing.comparison import compare as compare
    from induce.evaluation.comparing.datasets import DatasetsComparison as DatasetsComparison
    from induce.evaluation.comparing.datasets import compare_over as compare_over
    from induce.evaluation.comparing.datasets import rank_over as rank_over
    from induce.evaluation.comparing.fresh_samples import compare_on_fresh_samples as compare_on_fresh_samples
    from induce.evaluation.comparing.leaderboard import leaderboard as leaderboard
    from induce.evaluation.comparing.leaderboard_report import Leaderboard as Leaderboard
    from induce.evaluation.comparing.null_simulation import type_one_error as type_one_error
    from induce.evaluation.comparing.null_simulation import type_one_errors as type_one_errors
    from induce.evaluation.comparing.two_hypotheses import compare_hypotheses as compare_hypotheses
    from induce.evaluation.curves.calibration import Calibration as Calibration
    from induce.evaluation.curves.calibration import calibration as calibration
    from induce.evaluation.curves.calibration import calibration_of as calibration_of
    from induce.evaluation.curves.confusion import ConfusionTable as ConfusionTable
    from induce.evaluation.curves.confusion import CostTable as CostTable
    from induce.evaluation.curves.confusion import confusion as confusion
    from induce.evaluation.curves.decomposition import ErrorSources as ErrorSources
    from induce.evaluation.curves.decomposition import bias_variance as bias_variance
    from induce.evaluation.curves.decomposition import known_bias_variance as known_bias_variance
    from induce.evaluation.curves.learning import LearningCurve as LearningCurve
    from induce.evaluation.curves.learning import learning_curve as learning_curve
    from induce.evaluation.curves.parameters import ComplexityCurve as ComplexityCurve
    from induce.evaluation.curves.parameters import ValidationCurve as ValidationCurve
    from induce.evaluation.curves.parameters import complexity_curve as complexity_curve
    from induce.evaluation.curves.parameters import validation_curve as validation_curve
    from induce.evaluation.curves.reject import RejectCurve as RejectCurve
    from induce.evaluation.curves.reject import reject_curve as reject_curve
    from induce.evaluation.curves.reject import reject_curve_of as reject_curve_of
    from induce.evaluation.curves.roc import Roc as Roc
    from induce.evaluation.curves.roc import roc as roc
    from induce.evaluation.curves.roc import roc_of as roc_of
    from induce.evaluation.curves.scores import class_scores as class_scores
    from induce.evaluation.estimating.estimate import evaluate as evaluate
    from induce.evaluation.estimating.numeric import RegressionEstimate as RegressionEstimate
    from induce.evaluation.estimating.results import ClassificationEstimate as ClassificationEstimate
    from induce.evaluation.estimating.results import Estimate as Estimate
    from induce.evaluation.estimating.true_error import sampled_error as sampled_error
    from induce.evaluation.estimating.true_error import true_error as true_error
    from induce.evaluation.experiments.plan import ExperimentPlan as ExperimentPlan
    from induce.evaluation.experiments.plan import read_plan as read_plan
    from induce.evaluation.experiments.results import Experiment as Experiment
    from induce.evaluation.experiments.running import experiment as experiment
    from induce.evaluation.losses.rows import empirical_loss as empirical_loss
    from induce.evaluation.losses.rows import generalisation_loss as generalisation_loss
    from induce.evaluation.losses.table import LossTable as LossTable
    from induce.evaluation.readability import parts as parts

_HOMES = {
    "Calibration": "induce.evaluation.curves.calibration",
    "Choice": "induce.evaluation.choosing.hypotheses",
    "ClassificationEstimate": "induce.evaluation.estimating.results",
    "Comparison": "induce.evaluation.comparing.comparison",
    "ComplexityCurve": "induce.evaluation.curves.parameters",
    "ConfusionTable": "induce.evaluation.curves.confusion",
    "CostTable": "induce.evaluation.curves.confusion",
    "DatasetsComparison": "induce.evaluation.comparing.datasets",
    "ErrorSources": "induce.evaluation.curves.decomposition",
    "Estimate": "induce.evaluation.estimating.results",
    "ExpectedLossClassifier": "induce.evaluation.choosing.decisions",
    "Experiment": "induce.evaluation.experiments.results",
    "ExperimentPlan": "induce.evaluation.experiments.plan",
    "FeatureFilter": "induce.evaluation.choosing.features",
    "FeaturePath": "induce.evaluation.choosing.feature_path",
    "FeatureScores": "induce.evaluation.choosing.features",
    "FeatureSearch": "induce.evaluation.choosing.feature_search",
    "Leaderboard": "induce.evaluation.comparing.leaderboard_report",
    "LearningCurve": "induce.evaluation.curves.learning",
    "LockedTest": "induce.evaluation.choosing.locked",
    "LossTable": "induce.evaluation.losses.table",
    "Pair": "induce.evaluation.comparing.comparison",
    "RegressionEstimate": "induce.evaluation.estimating.numeric",
    "RegularisationPath": "induce.evaluation.choosing.regularisation",
    "RejectCurve": "induce.evaluation.curves.reject",
    "Roc": "induce.evaluation.curves.roc",
    "SizeSelection": "induce.evaluation.choosing.wrapper",
    "ValidationCurve": "induce.evaluation.curves.parameters",
    "best_in_class": "induce.evaluation.choosing.hypotheses",
    "bias_variance": "induce.evaluation.curves.decomposition",
    "calibration": "induce.evaluation.curves.calibration",
    "calibration_of": "induce.evaluation.curves.calibration",
    "class_scores": "induce.evaluation.curves.scores",
    "compare": "induce.evaluation.comparing.comparison",
    "compare_hypotheses": "induce.evaluation.comparing.two_hypotheses",
    "compare_on_fresh_samples": "induce.evaluation.comparing.fresh_samples",
    "compare_over": "induce.evaluation.comparing.datasets",
    "complexity_curve": "induce.evaluation.curves.parameters",
    "complexity_of": "induce.evaluation.choosing.complexity",
    "confusion": "induce.evaluation.curves.confusion",
    "cross_validation_wrapper": "induce.evaluation.choosing.wrapper",
    "empirical_loss": "induce.evaluation.losses.rows",
    "evaluate": "induce.evaluation.estimating.estimate",
    "experiment": "induce.evaluation.experiments.running",
    "feature_scores": "induce.evaluation.choosing.features",
    "generalisation_loss": "induce.evaluation.losses.rows",
    "known_bias_variance": "induce.evaluation.curves.decomposition",
    "leaderboard": "induce.evaluation.comparing.leaderboard",
    "learning_curve": "induce.evaluation.curves.learning",
    "maximum_a_posteriori": "induce.evaluation.choosing.hypotheses",
    "noise_log_likelihood": "induce.evaluation.choosing.hypotheses",
    "normal_code": "induce.evaluation.choosing.description",
    "ockham": "induce.evaluation.choosing.hypotheses",
    "parts": "induce.evaluation.readability",
    "rank_over": "induce.evaluation.comparing.datasets",
    "read_plan": "induce.evaluation.experiments.plan",
    "regularisation_path": "induce.evaluation.choosing.regularisation",
    "reject_curve": "induce.evaluation.curves.reject",
    "reject_curve_of": "induce.evaluation.curves.reject",
    "roc": "induce.evaluation.curves.roc",
    "roc_of": "induce.evaluation.curves.roc",
    "sampled_error": "induce.evaluation.estimating.true_error",
    "search_features": "induce.evaluation.choosing.feature_search",
    "shortest_description": "induce.evaluation.choosing.description",
    "three_way_split": "induce.evaluation.choosing.locked",
    "true_error": "induce.evaluation.estimating.true_error",
    "type_one_error": "induce.evaluation.comparing.null_simulation",
    "type_one_errors": "induce.evaluation.comparing.null_simulation",
    "validation_curve": "induce.evaluation.curves.parameters",
}

__all__ = sorted(_HOMES)
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
