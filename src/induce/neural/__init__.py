"""Neural networks trained by gradient descent (Mitchell, chapter 4; AIMA §18.7 and §20.5)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
