"""Reinforcement learning: policies from models, from experience and from play (Mitchell 13)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
