"""First-order logic: terms, clauses, programs, generality orders, and provers (Mitchell §10.4 to §10.7)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
