"""Learning from examples together with rules that may be wrong (Mitchell, chapter 12)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
