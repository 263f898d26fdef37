"""Radial basis function networks with one output per class (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np

from induce.estimators import ClassReading, TableClassifier
from induce.instances.learners.rbf_network import RBFNetworkLearner
from induce.instances.rbf.hypothesis import RBFClassNetwork


class RBFNetworkClassifier(RBFNetworkLearner, TableClassifier):
    """A radial basis function network with one output unit per class (Mitchell §8.4).

    Each output is fitted to 1 for the examples of its class and 0 for the others; the class with the largest output
    is predicted. Otherwise it works like `RBFNetworkRegressor`, including missing values and unseen categories.

    Parameters
    ----------
    centers : {"em", "random", "grid", "all"}, default="em"
        Placing of the centres.
    n_centers : int, optional
        Number of centres; None chooses by leave-one-out.
    width : float or sequence of float, optional
        Width of the kernels; None and several choose by leave-one-out.
    intercept : {"free", "mean", "zero"}, default="free"
        Constant term of an output.
    ridge : float, optional
        Ridge penalty; larger values smooth more; None chooses by leaving out.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : RBFClassNetwork

    See Also
    --------
    RBFNetworkRegressor : Radial units for regression.
    SVM : The separator of largest margin.

    References
    ----------
    J. Moody and C. J. Darken (1989). Fast learning in networks of locally-tuned processing units. Neural
    Computation 1, 281-294.

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
