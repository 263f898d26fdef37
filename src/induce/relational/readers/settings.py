"""Settings of Popper's and Aleph's files, translated to learner parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from induce.core.notes import note
from induce.relational.clauses.constraints import (
    EVERY_HEAD_VARIABLE,
    MOST_LITERALS,
    MOST_VARIABLES,
    NO_SINGLETON,
)

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
    "enable_pi": "invention",
    "cost": "cost",
}
"""Names of parameters in files, with the corresponding names in learners."""
AS_CONSTRAINTS = {
    "max_variables": MOST_VARIABLES,
    "max_literals": MOST_LITERALS,
}
"""Parameters as constraints, for learners without these parameters."""
SAID_BY_MODES = frozenset({"recursion", "singletons"})


def parameters_for(kind: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return learner parameters for some settings; settings without a parameter are named in a note.

    Aleph counts the head as a literal of a clause; the learners here do not.

    Examples
    --------
    >>> from induce.relational.learners.progol import Progol
    >>> parameters_for(Progol, {"i": 2, "clauselength": 4, "noise": 0, "minacc": 0.8})
    {'depth': 2, 'max_literals': 3, 'noise': 0, 'min_accuracy': 0.8}
    """
    known = inspect.signature(kind).parameters
    found: dict[str, Any] = {}
    strange = []
    constraints = [*settings.get("constraints", ())]
    if "singletons" in known:  # the learner has a parameter of its own for these
        constraints = [one for one in constraints if one not in (EVERY_HEAD_VARIABLE, NO_SINGLETON)]
    for name, value in settings.items():
        if name == "constraints":
            continue
        if name == "clauselength":
            key, value = "max_literals", max(int(value) - 1, 1)
        elif name == "evalfn" and value == "posonly":
            key, value = "positive_only", True
        elif name == "evalfn" and value == "user" and "cost" in settings:
            continue
        else:
            key = NAMES.get(name, "")
        if key not in known and key in AS_CONSTRAINTS and "constraints" in known:
            constraints.append(AS_CONSTRAINTS[key].format(value))
        elif name in SAID_BY_MODES and key not in known:
            continue  # already implied by the modes and constraints of the source
        elif key not in known:
            strange.append(name)
        # a boolean of one learner may be a string option of another, whose default allows it
        elif not (isinstance(value, bool) and isinstance(known[key].default, str)):
            found[key] = value
    if constraints and "constraints" in known:
        found["constraints"] = tuple(constraints)
    elif constraints:
        strange.append("constraints")
    if strange:
        note(
            f"{kind.__name__} has no parameter for {', '.join(strange)}, which the source sets; "
            f"{'they are' if len(strange) > 1 else 'it is'} left out"
        )
    return found
