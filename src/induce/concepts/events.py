"""Events of version spaces: examples and hypotheses as plain values, and reasons for leaving a boundary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import NONE
from induce.concepts.language import Bounds, Code, Language
from induce.core import trace
from induce.core.row_numbers import row_number
from induce.core.trace_tables import Written


def hypothesis_value(language: Language, code: Code) -> Written:
    """Return a hypothesis as its constraints, one per attribute; for other languages, as text.

    Examples
    --------
    >>> import induce
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> hypothesis_value(language, language.top())[0], str(hypothesis_value(language, language.bottom()))
    ('?', '⟨∅, ∅, ∅, ∅, ∅, ∅⟩')
    """
    text = language.text(code)
    if not isinstance(language, Conjunctions):
        return Written((text,), text)
    facets = language.attributes.facets
    return Written(
        ("∅" if run == NONE else facet.text(run) for facet, run in zip(facets, code, strict=True)), text
    )


def example_value(language: Language, row: Sequence[int]) -> Written:
    """Return an example as its values."""
    return Written(language.attributes.decode(row).values(), language.attributes.text(row))


def hypothesis_values(language: Language, codes: Sequence[Code] | None) -> tuple[Written, ...] | None:
    """Return hypotheses as values; None if they are not kept."""
    return None if codes is None else tuple(hypothesis_value(language, code) for code in codes)


def tell_start(language: Language, bounds: Bounds) -> None:
    """Report the boundaries before the first example to an active trace."""
    if trace.active("start"):
        trace.emit(
            "start",
            S=hypothesis_values(language, bounds.specific),
            G=hypothesis_values(language, bounds.general),
        )


def tell_boundaries(
    language: Language,
    before: Bounds,
    bounds: Bounds,
    number: int,
    row: Sequence[int],
    positive: bool,
    wrong: str = "",
) -> None:
    """Report an example, the new boundaries, and the reasons why hypotheses left them to an active trace.

    Hypotheses that disagree with the example leave because of it or, if errors are allowed, because of
    `wrong`.
    """
    if not trace.active("boundaries"):
        return
    general = None if bounds.general is None else language.widest(bounds.general)
    trace.emit(
        "boundaries",
        row=row_number(number),
        example=example_value(language, row),
        positive=positive,
        S=hypothesis_values(language, language.narrowest(bounds.specific)),
        G=hypothesis_values(language, general),
        left=why_left(language, before, bounds, row, positive, wrong),
    )


def why_left(
    language: Language, before: Bounds, after: Bounds, row: Sequence[int], positive: bool, wrong: str = ""
) -> tuple[dict[str, Any], ...]:
    """Return the reasons why hypotheses have left S or G."""
    sides = (
        ("S", before.specific, after.specific, "more general than another of S"),
        ("G", before.general or (), after.general, "less general than another of G"),
    )
    left = []
    for boundary, old, new, otherwise in sides:
        for code in old:
            if new is None or code in new:
                continue
            covers = language.covers_one(code, row)
            disagrees = "does not cover the positive example" if positive else "covers the negative example"
            why = otherwise if covers == positive else wrong or disagrees
            left.append({"boundary": boundary, "hypothesis": hypothesis_value(language, code), "why": why})
    return tuple(left)
