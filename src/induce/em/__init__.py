"""Expectation maximisation: one driver for all models with hidden variables (Mitchell §6.12; AIMA 20.3)."""

from induce.em.driver import Maximised, maximise
from induce.em.gaussian_means import GaussianMeans, gaussian_means

__all__ = ["GaussianMeans", "Maximised", "gaussian_means", "maximise"]
