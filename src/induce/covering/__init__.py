"""The covering loop and the beam search of rule learners, over states they do not look into (Mitchell §10.2).

A learner describes its hypotheses to them as a `Space`: propositional learners keep in a state the rows that a
conjunction covers, first-order learners the bindings of a clause.
"""

from induce.covering.beam import learn_one_rule
from induce.covering.loop import sequential_covering
from induce.covering.pictures import draw_beam
from induce.covering.space import Refinements, Space

__all__ = ["Refinements", "Space", "draw_beam", "learn_one_rule", "sequential_covering"]
