from induce.covering.beam import learn_one_rule as learn_one_rule
from induce.covering.loop import sequential_covering as sequential_covering
from induce.covering.pictures import draw_beam as draw_beam
from induce.covering.space import Refinements as Refinements
from induce.covering.space import Space as Space
