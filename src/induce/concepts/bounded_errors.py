"""Version spaces for examples of which a few may be wrong (Mitchell 2.8: bounded inconsistency)."""

from __future__ import annotations

from dataclasses import dataclass

from induce.concepts.facets import Cells
from induce.concepts.language import Bounds, Code, Language, Mask


@dataclass(frozen=True)
class BoundedErrors:
    """The hypotheses that err on at most `k` examples.

    Parameters
    ----------
    k : int
    codes : tuple
    errors : tuple of int
    minimal, maximal : tuple
        The most specific and the most general of them.
    n_between : int
        How many hypotheses lie between those. More than there are hypotheses means that the set has holes, so that
        its two boundaries do not describe it.
    """

    k: int
    codes: tuple[Code, ...]
    errors: tuple[int, ...]
    minimal: tuple[Code, ...]
    maximal: tuple[Code, ...]
    n_between: int

    @property
    def convex(self) -> bool:
        """Whether everything between two members is a member."""
        return self.n_between == len(self.codes)

    def __str__(self) -> str:
        holes = "" if self.convex else f"; {self.n_between} lie between its boundaries, so it is not convex"
        return f"{len(self.codes)} hypotheses err on at most {self.k} examples{holes}"


def within_errors(language: Language, cells: Cells, labels: Mask, k: int) -> BoundedErrors:
    """Return all hypotheses of a small language that err on at most `k` examples, by trying each of them.

    Examples
    --------
    >>> import induce
    >>> import numpy as np
    >>> from induce.concepts import Conjunctions
    >>> sport = induce.dataset("enjoy-sport")
    >>> language = Conjunctions.over(sport.input_schema)
    >>> cells, labels = language.attributes.encode(sport.X), np.array([day == "Yes" for day in sport.y])
    >>> print(within_errors(language, cells, labels, 1))
    36 hypotheses err on at most 1 examples; 40 lie between its boundaries, so it is not convex
    """
    kept = []
    for code in language.listed():
        wrong = int((language.covers(code, cells) != labels).sum())
        if wrong <= k:
            kept.append((code, wrong))
    codes = tuple(code for code, _ in kept)
    minimal, maximal = language.minimal(codes), language.maximal(codes)
    bounds = Bounds(minimal, maximal, cells[:0])
    between = 0 if not codes else language.count(bounds)
    return BoundedErrors(k, codes, tuple(wrong for _, wrong in kept), minimal, maximal, between)
