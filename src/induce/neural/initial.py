"""Initial weights (Mitchell Table 4.2 and §4.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.neural.network import Floats, Network
from induce.neural.plan import link_key

INITS = ("glorot", "zero_inputs")


def initial_weights(network: Network, init: float | str, rng: np.random.Generator) -> Floats:
    """Return random weights for all connections except frozen ones, which keep their weights.

    Parameters
    ----------
    network : Network
    init : float, "glorot" or "zero_inputs"
        A number r draws weights uniformly between -r and r. ``"glorot"`` draws them within a range that
        preserves the variance from layer to layer, and sets biases to 0. ``"zero_inputs"`` draws weights
        between -0.05 and 0.05 and sets the input weights to 0, which makes figures of them easier to read
        (Mitchell §4.7). Pooling units always start as the mean of their patch.
    rng : Generator

    Examples
    --------
    >>> w = initial_weights(Network.layered(8, 3, 8), 0.1, np.random.default_rng(0))
    >>> bool(np.abs(w).max() <= 0.1)
    True
    """
    plan = network.plan
    if init == "glorot":
        drawn = _glorot(network, rng)
    elif init == "zero_inputs":
        drawn = rng.uniform(-0.05, 0.05, network.n_weights)
        for link in network.links:
            if network.group(link.source).unit == "input":
                drawn[plan.blocks[link.source, link.target]] = 0.0
    else:
        drawn = rng.uniform(-float(init), float(init), network.n_weights)
    for link in network.links:
        if link.window is not None and link.window.pooled:
            drawn[plan.blocks[link_key(link)]] = 1.0 / link.window.n_cells
    return np.where(plan.factor > 0, drawn, network.weights)


def _glorot(network: Network, rng: np.random.Generator) -> Floats:
    drawn = np.zeros(network.n_weights)
    for group in network.groups:
        links: list[Any] = [link for link in network.links if link.target == group.name and not link.delay]
        sees = sum(network.group(link.source).size for link in links)
        for link in links:
            reach = np.sqrt(6.0 / max(1, sees + group.size))
            if link.window is not None:  # fan-in and fan-out are patches of some planes
                ends = link.window.ends(network.group(link.source).shape, group.shape)
                reach = np.sqrt(6.0 / ends)
            block = network.plan.blocks[link.source, link.target]
            drawn[block] = rng.uniform(-reach, reach, block.stop - block.start)
    return drawn
