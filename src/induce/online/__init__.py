"""Online learners with mistake bounds: in each round they predict, see the true class and learn.

Names are imported on first use, so a hypothesis from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
