"""LeNet: convolutional networks for images of digits (AIMA §18.11 and §20.7; LeCun et al. 1989, 1998)."""

from __future__ import annotations

from dataclasses import replace

from induce.core.errors import InputError
from induce.neural.network import Group, Link, Network
from induce.neural.windows import Window

_SEEN = "012 123 234 345 045 015 0123 1234 2345 0345 0145 0125 0134 1245 0235 012345"
SEES = tuple(tuple(map(int, planes)) for planes in _SEEN.split(" "))
"""Planes of S2 that each plane of C3 sees (LeCun et al. 1998, table 1)."""


def lenet5(n_outputs: int = 10, side: int = 32, output: str = "softmax") -> Network:
    """Return LeNet-5: two layers of feature planes, each followed by subsampling, and two dense layers.

    The outputs are ordinary units instead of distances to prototype digits. All weights are 0.

    Parameters
    ----------
    n_outputs : int
        Number of classes.
    side : {32, 28}
        Side of the images in pixels; images of side 28 are padded with two zeros on each side.
    output : str
        Kind of the output units.

    References
    ----------
    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner (1998). Gradient-based learning applied to document recognition.
    Proceedings of the IEEE 86, 2278-2324.

    Examples
    --------
    >>> network = lenet5()
    >>> network.n_weights, [group.size for group in network.groups]
    (60850, [1024, 4704, 1176, 1600, 400, 120, 84, 10])
    """
    if side not in (28, 32):
        raise InputError(f"side is {side!r}; LeNet-5 takes images of 32 x 32 or 28 x 28 pixels")
    pixels = Group.planes("pixels", (1, side, side), "input")
    border = (32 - side) // 2
    c1, to_c1 = pixels.convolved("C1", 6, Window((5, 5), padding=(border, border)))
    s2, to_s2 = c1.pooled("S2", 2)
    c3, to_c3 = s2.convolved("C3", 16, Window((5, 5), sees=SEES))
    s4, to_s4 = c3.pooled("S4", 2)
    c5, to_c5 = s4.convolved("C5", 120, Window((5, 5)))
    rest = [Group("F6", 84, "tanh"), Group("outputs", n_outputs, output)]
    links = [to_c1, to_s2, to_c3, to_s4, to_c5, Link("C5", "F6"), Link("F6", "outputs")]
    return Network.of([pixels, c1, s2, c3, s4, c5, *rest], links)


def small_lenet(n_outputs: int = 10, output: str = "softmax") -> Network:
    """Return the small LeNet for images of 16 x 16: hidden layers of 768, 192 and 30 units.

    The windows are 5 x 5 with a stride of 2. Units of a plane share their weights, but not their biases. Each plane
    of the second layer sees eight of the twelve planes before it. All weights are 0.

    Parameters
    ----------
    n_outputs : int
        Number of classes.
    output : str
        Kind of the output units.

    References
    ----------
    Y. LeCun et al. (1989). Backpropagation applied to handwritten zip code recognition. Neural Computation 1,
    541-551.

    Examples
    --------
    >>> print(small_lenet())
    a network of 9760 weights: pixels 256, H1 768 tanh, H2 192 tanh, H3 30 tanh, outputs 10 softmax
    """
    pixels = Group.planes("pixels", (1, 16, 16), "input")
    window = Window((5, 5), (2, 2), (2, 2))
    h1, to_h1 = pixels.convolved("H1", 12, window, plane_bias=False)
    sees = tuple(tuple(sorted((plane + k) % 12 for k in range(8))) for plane in range(12))
    h2, to_h2 = h1.convolved("H2", 12, replace(window, sees=sees), plane_bias=False)
    rest = [Group("H3", 30, "tanh"), Group("outputs", n_outputs, output)]
    return Network.of([pixels, h1, h2, *rest], [to_h1, to_h2, Link("H2", "H3"), Link("H3", "outputs")])
