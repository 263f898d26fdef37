"""The settings of files, Popper's and Aleph's, as parameters of learners."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from induce.core.notes import note

NAMES = {
    "max_body": "max_literals",
    "max_vars": "max_variables",
    "max_clauses": "max_clauses",
    "recursion": "recursion",
    "singletons": "singletons",
    "positive_only": "positive_only",
    "i": "depth",
    "noise": "noise",
    "minacc": "min_accuracy",
    "minpos": "min_positives",
    "nodes": "max_nodes",
    "searchtime": "time_limit",
}
"""What the files call a parameter, and what learners call it."""


def parameters_for(kind: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a learner that some settings stand for; those without one are named in a note.

    Aleph counts the head as a literal of a clause, learners do not.

    Examples
    --------
    >>> from induce.relational.learners.progol import Progol
    >>> parameters_for(Progol, {"i": 2, "clauselength": 4, "noise": 0, "minacc": 0.8})
    {'depth': 2, 'max_literals': 3, 'noise': 0, 'min_accuracy': 0.8}
    """
    known = inspect.signature(kind).parameters
    found: dict[str, Any] = {}
    strange = []
    for name, value in settings.items():
        if name == "clauselength":
            key, value = "max_literals", max(int(value) - 1, 1)
        elif name == "evalfn" and value == "posonly":
            key, value = "positive_only", True
        else:
            key = NAMES.get(name, "")
        if key not in known:
            strange.append(name)
        # what one learner takes as yes or no, another may take as a word, and allows by itself
        elif not (isinstance(value, bool) and isinstance(known[key].default, str)):
            found[key] = value
    if strange:
        note(
            f"{kind.__name__} has no parameter for {', '.join(strange)}, which the source sets; "
            f"{'they are' if len(strange) > 1 else 'it is'} left out"
        )
    return found
