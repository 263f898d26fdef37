"""Search over opaque states: random draws, hill-climbing, simulated annealing, and the common report."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
