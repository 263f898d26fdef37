"""Judgement: how far to trust what was learned."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
