"""Mapping of concepts in rules to classes of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from induce.core.errors import InputError
from induce.core.values import Value, by_class, plain
from induce.hypotheses.expert_rules.reading import says_yes
from induce.hypotheses.expert_rules.theory import ExpertRules

CLOSE = 0.8
"""Similarity above which a conclusion is taken for a misspelt class."""


def outputs_of(theory: ExpertRules, classes: Sequence[Value]) -> tuple[str, ...]:
    """Return the concept of each output: one for two classes, or one per class named in a conclusion."""
    byletters = {letters(head): head for head in theory.by_head}
    meant_by = by_class({head: head for head in theory.by_head}, classes)
    named = [
        (byletters.get(letters(str(value)), "") if letters(str(value)) else "")
        or str(meant_by.get(plain(value), ""))
        for value in classes
    ]
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


def check_conclusions(theory: ExpertRules, classes: Sequence[Value]) -> None:
    """Raise an `InputError` if a conclusion that no rule uses is no class beside others that are, or almost one.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> check_conclusions(ExpertRules(Schema((Column("income"),)), "IF income > 3 THEN goood"), ("bad", "good"))
    Traceback (most recent call last):
    induce.core.errors.InputError: a rule concludes 'goood', which is neither a class nor used by a rule; did you ...
    """
    known = {letters(str(value)): value for value in classes}
    tops = theory.tops()
    strange = {head for head in tops if letters(head) not in known} & {
        *by_class(dict.fromkeys(tops), classes)
    }
    for head in tops:
        close = get_close_matches(letters(head), known, 1, CLOSE)
        if head in strange and not close and len(strange) < len(tops):
            raise InputError(
                f"a rule concludes {head!r}, which is neither a class nor used by a rule; the classes are "
                f"{', '.join(map(str, classes[:8]))}"
            )
        if close and close[0] != letters(head):
            raise InputError(
                f"a rule concludes {head!r}, which is neither a class nor used by a rule; did you mean "
                f"{str(known[close[0]])!r}?"
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
