"""Learning first-order rules from relations (Mitchell §10.4 to §10.8)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
