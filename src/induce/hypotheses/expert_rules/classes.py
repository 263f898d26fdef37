"""Mapping of concepts in rules to classes of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.expert_rules.reading import says_yes
from induce.hypotheses.expert_rules.theory import ExpertRules


def outputs_of(theory: ExpertRules, classes: Sequence[Value]) -> tuple[str, ...]:
    """Return the concept of each output: one for two classes, or one per class named in a conclusion."""
    byletters = {letters(head): head for head in theory.by_head}
    named = [byletters.get(letters(str(value)), "") if letters(str(value)) else "" for value in classes]
    if len(classes) == 1:
        return (named[0] or theory.about(),)
    if any(named):
        return (named[1],) if len(classes) == 2 and not named[0] else tuple(named)
    if len(classes) == 2:
        return (theory.about(),) if meant(classes) else (theory.about(), "")
    raise InputError(
        f"the theory concludes {', '.join(theory.by_head)}, none of which is among the {len(classes)} classes; name "
        "the conclusions after the classes"
    )


def meant(classes: Sequence[Value]) -> int:
    """Return the index of the class, out of two, that a concept denotes: ``yes``, ``+`` and similar, else the second.

    Examples
    --------
    >>> meant(["+", "-"]), meant(["no", "yes"]), meant(["bad", "good"])
    (0, 1, 1)
    """
    said = [says_yes(value) for value in classes]
    return 0 if said == [True, False] else 1


def letters(name: str) -> str:
    """Return the letters and digits of a name in lower case, for comparing names."""
    return re.sub(r"[\W_]+", "", name).lower()


def concepts_of(theory: ExpertRules, classes: Sequence[Value]) -> dict[int, str]:
    """Return the concept of each class in the theory, by class index."""
    if len(classes) == 1:
        return {}
    outputs = outputs_of(theory, classes)
    outputs = outputs if len(outputs) > 1 else ("", outputs[0])
    return {place: concept for place, concept in enumerate(outputs) if concept}
