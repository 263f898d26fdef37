from induce.knowledge.encoding import Encoding as Encoding
from induce.knowledge.encoding import smallest_weight as smallest_weight
from induce.knowledge.hypothesis import KnowledgeNetwork as KnowledgeNetwork
from induce.knowledge.learners.kbann import KBANN as KBANN
from induce.knowledge.refinement import Refinement as Refinement
from induce.knowledge.refinement import refinement as refinement
