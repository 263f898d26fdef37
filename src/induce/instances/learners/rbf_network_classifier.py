"""Radial basis function networks with an output for each class (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np

from induce.estimators import ClassReading, TableClassifier
from induce.instances.learners.rbf_network import RBFNetworkLearner
from induce.instances.rbf.hypothesis import RBFClassNetwork


class RBFNetworkClassifier(RBFNetworkLearner, TableClassifier):
    """A radial basis function network with an output unit for each class (Mitchell §8.4).

    Each output is fitted to 1 for the examples of its class and 0 for the others; the class of the largest is
    predicted. Everything else is as in `RBFNetworkRegressor`, missing values and unseen categories included.

    Parameters
    ----------
    centers, n_centers, width, intercept, ridge, scale, schema, random_state
        Parameters of `RBFNetworkRegressor`.

    Attributes
    ----------
    hypothesis_ : RBFClassNetwork

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> network = RBFNetworkClassifier().fit(X, y)
    >>> bool(network.score(X, y) > 0.95)
    True
    """

    hypothesis_: RBFClassNetwork

    def _learn(self, reading: ClassReading) -> RBFClassNetwork:
        indicators = (reading.labels[:, np.newaxis] == np.arange(len(reading.classes))).astype(np.float64)
        return RBFClassNetwork(
            target=reading.target, classes=reading.classes, **self._parts(reading, indicators)
        )
