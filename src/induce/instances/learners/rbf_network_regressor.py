"""Radial basis function networks that predict a number (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np

from induce.estimators import NumberReading, TableRegressor
from induce.instances.learners.rbf_network import RBFNetworkLearner
from induce.instances.rbf.hypothesis import RBFNetwork
from induce.instances.targets import refuse_too_large


class RBFNetworkRegressor(RBFNetworkLearner, TableRegressor):
    """A radial basis function network that predicts a number (Mitchell §8.4).

    Training has two stages. The first places Gaussian kernels in the space of the inputs and looks at no target. The
    second fits the weights of the sum by least squares, the kernels fixed. A missing number counts as the mean of
    its column, a missing category or one not seen in training as the shares of the categories in training.

    Parameters
    ----------
    centers : {"em", "random", "grid", "all"}, default="em"
        Where the kernels are: at the means of Gaussians that EM fits to the inputs; at examples drawn at random;
        spread uniformly over the inputs; at every example, so that the examples are fitted exactly where `ridge`
        is 0.
    n_centers : int, optional
        How many kernels there are at most, unless there is one for every example. None takes the number from 10 to
        320 with the least squared error on examples left out one at a time, the kernels as they are; where there are
        more than 2,000 examples, it is chosen on so many.
    width : float or sequence of float, optional
        The deviation of all kernels, in the units that `scale` makes. Of several the one is taken with the least
        error on examples left out. Where it is None, the width is the distance of the nearest other centre, on
        average, times a factor, or with ``"em"`` the width of each Gaussian times a factor, chosen in the same way.
    intercept : {"free", "mean", "zero"}, default="free"
        Whether w_0 is fitted too, is the mean of the targets, or is 0.
    ridge : float, optional
        What a weight of 1 costs, in mean squared error. With 0, of all weights that fit best the smallest are taken.
        None takes the best of a few on examples left out.
    scale : {"standard", "range", None}, default="standard"
        Divide numeric columns by their standard deviation or their range, or take them as they are.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.
    random_state : int, Generator or None, default=0
        Random seed, for the starts of EM and for examples drawn at random.

    Attributes
    ----------
    hypothesis_ : RBFNetwork

    See Also
    --------
    RBFNetworkClassifier : Radial units for classes.
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
