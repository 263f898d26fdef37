"""Covering loop and beam search of rule learners, over opaque states (Mitchell §10.2).

A learner describes its hypotheses as a `Space`. The state of a propositional learner holds the rows that a
conjunction covers; that of a first-order learner holds the bindings of a clause.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
