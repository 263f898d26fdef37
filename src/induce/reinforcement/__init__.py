"""Reinforcement learning from models, from experience and from self-play (Mitchell 13)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
