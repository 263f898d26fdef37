"""Online learners with mistake bounds: they predict, see the answer and learn.

Names are imported on first use: a hypothesis from a model file works without scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
