"""Environments: decision processes and games in which a learner acts (Mitchell 13.2)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
