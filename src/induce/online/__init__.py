"""Online learners with mistake bounds: predict, see the answer, learn.

Names are imported when they are first used: a hypothesis from a model file does without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
