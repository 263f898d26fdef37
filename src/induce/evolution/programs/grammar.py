"""Vocabulary of programs, as arrays for the loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.evolution.programs import _breeding_loops as loops

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ENDLESS = 1_000_000


@dataclass(frozen=True)
class Signature:
    """One code of a language: its name, the types of its arguments and of its value.

    Parameters
    ----------
    name : str
    takes : tuple of str
    gives : str
    low, high : float, optional
        Range of a random constant, which takes no arguments.
    """

    name: str
    takes: tuple[str, ...] = ()
    gives: str = "value"
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class Grammar:
    """Tables for the loops; see `_breeding_loops`."""

    nodes: Ints
    ranges: Floats
    types: Ints
    listed: Ints
    roots: Ints

    @property
    def n_parts(self) -> int:
        """Number of parts of a program."""
        return len(self.roots)

    def least_size(self) -> int:
        """Return the number of nodes of the smallest program."""
        return int(sum(self.types[part, root, loops.LEAST_SIZE] for part, root in enumerate(self.roots)))

    def least_depth(self) -> int:
        """Return the minimum depth limit that every program can satisfy."""
        return int(max(self.types[part, root, loops.LEAST_DEPTH] for part, root in enumerate(self.roots)))


def grammar(signatures: Sequence[Signature], parts: Sequence[Sequence[int]], roots: Sequence[str]) -> Grammar:
    """Build the tables of a language.

    Parameters
    ----------
    signatures : sequence of Signature
        One signature per code.
    parts : sequence of sequences of int
        Codes allowed in each part of a program.
    roots : sequence of str
        Type of each part's value.

    Examples
    --------
    >>> made = grammar([Signature("not", ("truth",), "truth"), Signature("T", (), "truth")], [(0, 1)], ["truth"])
    >>> made.least_size(), made.least_depth()
    (1, 0)
    """
    kinds = list(
        dict.fromkeys([*roots, *(kind for each in signatures for kind in (each.gives, *each.takes))])
    )
    number = {kind: k for k, kind in enumerate(kinds)}
    widest = max((len(each.takes) for each in signatures), default=0)
    nodes = np.zeros((len(parts), len(signatures), loops.TAKES + max(widest, 1)), np.int64)
    types = np.zeros((len(parts), len(kinds), 6), np.int64)
    ranges = np.zeros((len(signatures), 2))
    listed: list[int] = []
    for code, each in enumerate(signatures):
        nodes[:, code, loops.ARITY] = len(each.takes)
        nodes[:, code, loops.GIVES] = number[each.gives]
        nodes[:, code, loops.CONSTANT] = each.low is not None
        ranges[code] = each.low or 0.0, each.high or 0.0
        for k, kind in enumerate(each.takes):
            nodes[:, code, loops.TAKES + k] = number[kind]
    for part, codes in enumerate(parts):
        _least(nodes[part], types[part], codes)
        for k, kind in enumerate(kinds):
            for start, inner in ((loops.FUNCTIONS, True), (loops.TERMINALS, False)):
                types[part, k, start] = len(listed)
                listed += [
                    c for c in codes if signatures[c].gives == kind and bool(signatures[c].takes) == inner
                ]
                types[part, k, start + 1] = len(listed)
        alike: dict[Any, list[int]] = {}
        for code in codes:
            alike.setdefault((signatures[code].takes, signatures[code].gives), []).append(code)
        for group in alike.values():
            nodes[part, group, loops.ALIKE] = len(listed)
            listed += group
            nodes[part, group, loops.ALIKE_END] = len(listed)
        _refuse_endless(signatures, nodes[part], types[part], codes, kinds, roots[part])
    root_numbers = np.array([number[kind] for kind in roots], np.int64)
    return Grammar(nodes, ranges, types, np.array(listed, np.int64), root_numbers)


def _least(nodes: Ints, types: Ints, codes: Sequence[int]) -> None:
    """Compute for each code and type the minimum depth of a tree, and the minimum size at that depth.

    A tree that has room for the flattest trees of all its open arguments can always be finished.
    """
    nodes[:, loops.DEPTH] = nodes[:, loops.SIZE] = ENDLESS
    types[:, loops.LEAST_DEPTH] = types[:, loops.LEAST_SIZE] = ENDLESS
    changed = True
    while changed:
        changed = False
        for code in codes:
            kinds = nodes[code, loops.TAKES : loops.TAKES + nodes[code, loops.ARITY]]
            depth = 1 + int(types[kinds, loops.LEAST_DEPTH].max()) if len(kinds) else 0
            if depth >= ENDLESS:
                continue
            size = 1 + int(types[kinds, loops.LEAST_SIZE].sum())
            kind = nodes[code, loops.GIVES]
            nodes[code, [loops.DEPTH, loops.SIZE]] = depth, size
            known = types[kind, [loops.LEAST_DEPTH, loops.LEAST_SIZE]].tolist()
            if [depth, size] < known:
                types[kind, [loops.LEAST_DEPTH, loops.LEAST_SIZE]] = depth, size
                changed = True
    for code in codes:  # sizes of arguments may have changed since
        kinds = nodes[code, loops.TAKES : loops.TAKES + nodes[code, loops.ARITY]]
        if len(kinds) and nodes[code, loops.DEPTH] < ENDLESS:
            nodes[code, loops.DEPTH] = 1 + types[kinds, loops.LEAST_DEPTH].max()
            nodes[code, loops.SIZE] = 1 + types[kinds, loops.LEAST_SIZE].sum()


def _refuse_endless(
    signatures: Sequence[Signature],
    nodes: Ints,
    types: Ints,
    codes: Sequence[int],
    kinds: Sequence[str],
    root: str,
) -> None:
    """Raise an `InputError` if some tree of the language could never be completed."""
    for code in codes:
        for kind in signatures[code].takes:
            if types[kinds.index(kind), loops.LEAST_DEPTH] >= ENDLESS:
                raise InputError(
                    f"{signatures[code].name} takes a {kind!r}, and no terminal gives one; add a terminal of that "
                    "type, or a function that makes one from other types"
                )
    if types[kinds.index(root), loops.LEAST_DEPTH] >= ENDLESS:
        raise InputError(
            f"programs must return a {root!r}, but no terminal gives one; add a terminal of that type"
        )
