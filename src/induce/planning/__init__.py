"""Planning: operators, problems and the search for plans (Mitchell §11.4; STRIPS, Fikes & Nilsson 1971)."""

from induce.core.lazy import exports

__getattr__, __dir__ = exports(__name__)
