"""Hypotheses that act in an environment."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from induce.core.hypothesis import Hypothesis


class Controller(Hypothesis):
    """A policy: it chooses an action in each state of an environment, and explains the choice."""

    speaks_of: ClassVar[str] = "states"
    takes_tables: ClassVar[bool] = False

    def act(self, state: Any) -> Any:
        """Return the action to take in a state."""
        raise TypeError(f"{type(self).__name__} does not act")

    def states_named(self, text: str) -> tuple[Any, ...]:
        """Return the states named by a text: the text itself, parsed as JSON if possible."""
        try:
            return (json.loads(text),)
        except ValueError:
            return (text,)
