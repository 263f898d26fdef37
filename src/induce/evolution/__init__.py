"""Evolutionary learning: designs, machines, programs and rule sets (Mitchell, chapter 9).

Names are imported on first use, so that loading a hypothesis from a model file does not need scikit-learn.
"""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
