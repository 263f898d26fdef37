"""Learn hypotheses that people can read, and say how far to trust them.

>>> import induce
>>> X, y = induce.dataset("play-tennis")
>>> print(induce.C45Rules().fit(X, y).hypothesis_)
IF Outlook = Sunny AND Humidity = High THEN No (3/3)
IF Outlook = Rain AND Wind = Strong THEN No (2/2)
DEFAULT Yes (9/9)
"""

from induce.core.declarations import public_names
from induce.core.lazy import loader

__version__ = "0.2.0"
__getattr__, __dir__ = loader(__name__, public_names)
