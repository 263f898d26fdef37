"""The covering loop and the beam search of rule learners, over states they do not look into (Mitchell §10.2).

A learner describes its hypotheses to them as a `Space`: propositional learners keep in a state the rows that a
conjunction covers, first-order learners the bindings of a clause.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
