"""Radial basis function networks that predict a number (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np

from induce.estimators import NumberReading, TableRegressor
from induce.instances.learners.rbf_network import RBFNetworkLearner
from induce.instances.rbf.hypothesis import RBFNetwork
from induce.instances.targets import refuse_too_large


class RBFNetworkRegressor(RBFNetworkLearner, TableRegressor):
    """A radial basis function network that predicts a number (Mitchell §8.4).

    Training has two stages. The first places Gaussian kernels in the space of the inputs without using
    targets. The second fits the weights of the sum by least squares, with the kernels fixed. A missing number
    is replaced by the mean of its column, a missing or unseen category by the relative frequencies of the
    categories in training.

    Parameters
    ----------
    centers : {"em", "random", "grid", "all"}, default="em"
        Placement of the kernels: at the means of Gaussians that EM fits to the inputs; at random examples; spread
        uniformly over the inputs; at every example, so that the examples are fitted exactly if `ridge` is 0.
    n_centers : int, optional
        Maximum number of kernels, unless there is one per example. None chooses the number from 10 to 320
        with the smallest leave-one-out squared error, with the kernels fixed; at most 2,000 examples are used
        for this choice.
    width : float or sequence of float, optional
        Width of all kernels, in the units of `scale`. The one of several with the smallest leave-one-out
        error is chosen. If None, the width is the mean distance of the nearest other centre times a factor,
        or with ``"em"`` the width of each Gaussian times a factor; the factor is chosen in the same way.
    intercept : {"free", "mean", "zero"}, default="free"
        Bias w_0: fitted, the mean of the targets, or 0.
    ridge : float, optional
        Penalty on squared weights, in mean squared error. With 0, the smallest of the best-fitting weights
        are used. None chooses the best of a few values by leave-one-out.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed, for the starts of EM and for random examples.

    Attributes
    ----------
    hypothesis_ : RBFNetwork

    See Also
    --------
    RBFNetworkClassifier : Radial units for classification.
    LocallyWeightedRegressor : Regression around each query.

    References
    ----------
    J. Moody and C. J. Darken (1989). Fast learning in networks of locally-tuned processing units. Neural
    Computation 1, 281-294.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 4.0, 9.0, 16.0]
    >>> network = RBFNetworkRegressor(centers="grid", n_centers=2, width=1.0, ridge=0.0, scale=None).fit(X, y)
    >>> print(network.hypothesis_)
    y = 11.86 + a sum of 2 kernels
          -13.67  near x0 1 (width 1)
           1.252  near x0 3 (width 1)
    """

    hypothesis_: RBFNetwork

    def _learn(self, reading: NumberReading) -> RBFNetwork:
        refuse_too_large(reading.numbers)
        return RBFNetwork(target=reading.target, **self._parts(reading, reading.numbers[:, np.newaxis]))
