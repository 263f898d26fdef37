"""Experiments: many learners on many data sets, stored in one crash-safe file, with a report."""

from induce.evaluation.experiments.plan import ExperimentPlan, read_plan
from induce.evaluation.experiments.results import Experiment
from induce.evaluation.experiments.running import experiment

__all__ = ["Experiment", "ExperimentPlan", "experiment", "read_plan"]
