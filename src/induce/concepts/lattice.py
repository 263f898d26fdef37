"""Lattice of a version space: hypotheses from specific to general, with lines between adjacent ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.concepts.language import Code, Language
from induce.concepts.votes import VotingHypothesis
from induce.core.errors import InputError
from induce.pictures.style import GREY, LINE, PALE, PALETTE, axes_for

WIDEST = 7
"""Maximum number of hypotheses drawn side by side; others are only counted."""


@dataclass(frozen=True)
class Lattice:
    """Hypotheses and the adjacent pairs among them.

    Parameters
    ----------
    codes : tuple
        The hypotheses, as codes of their language.
    edges : tuple of (int, int)
        Pairs of the index of a hypothesis and of one directly below it.
    levels : tuple of int
        Number of steps of each hypothesis above the most specific ones.
    """

    codes: tuple[Code, ...]
    edges: tuple[tuple[int, int], ...]
    levels: tuple[int, ...]


def lattice(language: Language, codes: tuple[Code, ...]) -> Lattice:
    """Return the order of the given hypotheses as levels and lines (a Hasse diagram)."""
    n = len(codes)
    above = np.array(
        [[i != j and language.more_general(codes[i], codes[j]) for j in range(n)] for i in range(n)],
        dtype=np.bool_,
    ).reshape(n, n)
    between = (above.astype(int) @ above.astype(int)) > 0
    edges = tuple((int(i), int(j)) for i, j in np.argwhere(above & ~between))
    levels = np.zeros(n, dtype=int)
    for place in np.argsort(above.sum(axis=1), kind="stable"):
        levels[place] = max((levels[j] + 1 for i, j in edges if i == place), default=0)
    return Lattice(codes, edges, tuple(levels.tolist()))


def draw_lattice(space: VotingHypothesis, most: int = 40) -> Any:
    """Draw the version space from S below to G above (Mitchell fig. 2.3)."""
    if space.bounds.empty:
        raise InputError(f"there is nothing to draw: {space}")
    title, codes = "", _all(space, most)
    if codes is None:
        specific = space.language.narrowest(space.bounds.specific)
        general = space.language.widest(space.bounds.general or ())
        shown = (*specific[:WIDEST], *general[:WIDEST])
        codes = tuple(dict.fromkeys(shown))
        cut = "" if len(general) <= WIDEST and len(specific) <= WIDEST else f", {WIDEST} of each at most"
        kept = "G is not kept" if space.bounds.general is None else f"G has {len(general):,} members"
        title = f"only the boundaries of {space.size().partition(';')[0]} are drawn{cut} ({kept})"
    if not codes:
        raise InputError(
            f"there is nothing to draw: no member of {space.size().partition(';')[0]} can be listed"
        )
    order = lattice(space.language, codes)
    return _picture(space, order, title)


def lattice_view(space: VotingHypothesis, most: int = 40) -> dict[str, Any] | None:
    """Return the version space as plain data, with its hypotheses, levels and lines; None if it is too large."""
    codes = None if space.bounds.empty else _all(space, most)
    if codes is None:
        return None
    order = lattice(space.language, codes)
    specific = set(space.language.narrowest(space.bounds.specific))
    general = set(space.language.widest(space.bounds.general or ()))
    members = [
        {
            "text": space.language.text(code),
            "level": level,
            "in": [name for name, bound in (("S", specific), ("G", general)) if code in bound],
        }
        for code, level in zip(order.codes, order.levels, strict=True)
    ]
    return {"members": members, "edges": order.edges, "text": str(space)}


def _all(space: VotingHypothesis, most: int) -> tuple[Code, ...] | None:
    try:
        return tuple(concept.code for concept in space.members(most))
    except InputError:
        return None


def _picture(space: VotingHypothesis, order: Lattice, title: str) -> Any:
    texts = [space.language.text(code).replace("⟩⟨", "⟩\n⟨") for code in order.codes]
    rows: dict[int, list[int]] = {}
    for place, level in enumerate(order.levels):
        rows.setdefault(level, []).append(place)
    widest = max(len(row) for row in rows.values())
    longest = max(len(line) for text in texts for line in text.split("\n"))
    wrapped = [_wrapped(text, 28) if widest > 3 and longest > 30 else text for text in texts]
    longest = max(len(line) for text in wrapped for line in text.split("\n"))
    tallest = max(text.count("\n") + 1 for text in wrapped)
    width = min(24.0, max(6.0, 0.4 + widest * (0.085 * longest + 0.35)))
    height = 0.9 + len(rows) * (0.75 + 0.17 * tallest)
    figure, axes = axes_for(None, width, height)
    x = {}
    for row in rows.values():
        for number, place in enumerate(row):
            x[place] = (number + 0.5) / len(row)
    for high, low in order.edges:
        axes.plot([x[high], x[low]], [order.levels[high], order.levels[low]], color=LINE, lw=1, zorder=1)
    for place, code in enumerate(order.codes):
        inS, inG = code in space.bounds.specific, code in (space.bounds.general or ())
        mark = "S = G" if inS and inG else "S" if inS else "G" if inG else ""
        colour = PALETTE[0] if inS else PALETTE[5] if inG else GREY
        box = {"boxstyle": "round,pad=0.35", "fc": PALE, "ec": colour, "lw": 1.4 if mark else 0.7}
        label = f"{mark}: {wrapped[place]}" if mark else wrapped[place]
        axes.text(
            x[place], order.levels[place], label, ha="center", va="center", fontsize=8, bbox=box, zorder=2
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.6, max(rows) + 0.6)
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=9, color=GREY)
    return figure


def _wrapped(text: str, width: int) -> str:
    lines, line = [], ""
    for part in text.split(", "):
        if line and len(line) + len(part) > width:
            lines.append(f"{line},")
            line = part
        else:
            line = f"{line}, {part}" if line else part
    return "\n".join([*lines, line])
