"""Hidden Markov models of sequences (Mitchell 6.12; AIMA 15, 20.3)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
