"""Learning a concept by queries, and optimal query plans (Mitchell 2.6.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, learn_example
from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Code, Language
from induce.concepts.queries import best_query, from_pool
from induce.concepts.version_space import VersionSpace
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator

MOST_PLANNED, MOST_HALVED = 20, 2_000
MOST_INSTANCES = 100_000


@dataclass(frozen=True)
class Plan:
    """Optimal queries for a small version space (a decision tree over hypotheses).

    Parameters
    ----------
    worst : int
        Number of queries in the worst case, by the plan that minimises it.
    expected : Fraction
        Mean number of queries for equally likely hypotheses, by the plan that minimises it.
    bound : int
        Lower bound for the worst case of any plan: log2 of the number of hypotheses, rounded up.
    exact : bool
        Whether the plan is optimal.
    """

    worst: int
    expected: Fraction
    bound: int
    exact: bool = True

    def __str__(self) -> str:
        by = "" if self.exact else "by halving, "
        at_worst = f"{by}{self.worst} questions suffice at worst (at least {self.bound})"
        return f"{at_worst}, {float(self.expected):.3g} on average"


def plan_queries(space: VersionSpace) -> Plan:
    """Return the number of queries of the best plan.

    For up to 20 hypotheses, all plans are tried. For more, each query is the one that splits the hypotheses
    most evenly, and ties go to the first; this plan is nearly optimal, and `exact` is then False.

    Parameters
    ----------
    space : VersionSpace
        Version space to be reduced to a single hypothesis.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import CandidateElimination
    >>> print(plan_queries(CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_))
    3 questions suffice at worst (at least 3), 2.67 on average
    """
    codes: list[Code] = [concept.code for concept in space.members(MOST_HALVED)]
    if not codes:
        raise InputError("no hypothesis is left, so there is nothing to plan")
    splits = _splits(space.language, codes)
    if len(codes) > MOST_PLANNED:
        return _halving(splits, len(codes))

    @cache
    def solved(left: int) -> tuple[int, int]:
        """Return the number of queries in the worst case, and their sum over the remaining hypotheses."""
        n = left.bit_count()
        if n <= 1:
            return 0, 0
        worst, total = n, n * n
        for split in splits:
            yes = left & split
            if yes and yes != left:
                a, b = solved(yes), solved(left & ~split)
                worst = min(worst, 1 + max(a[0], b[0]))
                total = min(total, n + a[1] + b[1])
        return worst, total

    worst, total = solved((1 << len(codes)) - 1)
    return Plan(worst, Fraction(total, len(codes)), (len(codes) - 1).bit_length())


def _halving(splits: set[int], n: int) -> Plan:
    """Return the plan that always splits the remaining hypotheses as evenly as possible."""
    ordered = sorted(splits)

    @cache
    def solved(left: int) -> tuple[int, int]:
        size = left.bit_count()
        if size <= 1:
            return 0, 0
        uneven = [abs(2 * (left & split).bit_count() - size) for split in ordered]
        yes = left & ordered[uneven.index(min(uneven))]
        a, b = solved(yes), solved(left & ~yes)
        return 1 + max(a[0], b[0]), size + a[1] + b[1]

    worst, total = solved((1 << n) - 1)
    return Plan(worst, Fraction(total, n), (n - 1).bit_length(), exact=False)


def _splits(language: Language, codes: list[Code]) -> set[int]:
    """Return the distinct sets of hypotheses that an instance can be covered by, as bits."""
    if isinstance(language, Conjunctions):
        found = {(1 << len(codes)) - 1}
        for place, facet in enumerate(language.attributes.facets):
            cells = range(len(facet))
            kinds = {
                sum((code[place][0] <= cell <= code[place][1]) << bit for bit, code in enumerate(codes))
                for cell in cells
            }
            found = {before & kind for before in found for kind in kinds}
        return found
    if language.attributes.n_instances > MOST_INSTANCES:
        raise InputError(
            f"there are {language.attributes.n_instances:.3g} instances, too many to plan questions about; use "
            "language='conjunctions', or fewer attributes"
        )
    covered = language.coverage(codes, np.array(list(language.attributes.instances()), dtype=np.int64))
    return {sum(int(yes) << bit for bit, yes in enumerate(column)) for column in covered.T.tolist()}


@dataclass(frozen=True)
class Settling:
    """Record of the queries.

    Parameters
    ----------
    space : VersionSpace
        The version space after the last query.
    asked : tuple of (dict, bool)
        Queried instances, and whether each is positive.
    """

    space: VersionSpace
    asked: tuple[tuple[Mapping[str, Any], bool], ...]

    def __str__(self) -> str:
        return f"{len(self.asked)} questions, then {self.space}"


Oracle = Callable[[Mapping[str, Any]], bool]


def settle(
    space: VersionSpace,
    oracle: Oracle,
    pool: Any = None,
    *,
    order: str = "halving",
    most: int = 1_000,
    random_state: RandomState = 0,
) -> Settling:
    """Query an oracle about instances until the concept is learned (Mitchell 2.6.2, "twenty questions").

    Learning ends when one hypothesis is left or, with a pool, when all its rows are decided.

    Parameters
    ----------
    space : VersionSpace
        Initial version space.
    oracle : callable
        Function that returns whether an instance, a dict of values, is positive.
    pool : frame or array, optional
        Pool of rows to which queries are restricted.
    order : {"halving", "random", "passive"}
        Order of queries: the most informative instance first; undecided rows of the pool in random order; or
        rows in the given order.
    most : int
        Maximum number of queries.
    random_state : int, Generator or None
        Random seed for the order "random"; 0 by default.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import CandidateElimination
    >>> space = CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    >>> settled = settle(space, lambda day: day["Sky"] == "Sunny" and day["AirTemp"] == "Warm")
    >>> len(settled.asked), str(settled.space.most_specific[0])
    (3, '⟨Sunny, Warm, ?, ?, ?, ?⟩')
    """
    one_of("order", order, ("halving", "random", "passive"))
    if order != "halving" and pool is None:
        raise InputError(f"order is {order!r}, which needs a pool of rows to ask about; give one")
    language = space.language
    cells = None if pool is None else distinct(language.attributes.encode(pool, training=True))[0]
    waiting = [] if cells is None else generator(random_state).permutation(len(cells)).tolist()
    asked: list[tuple[Mapping[str, Any], bool]] = []
    while len(asked) < most and not _is_settled(space, cells):
        if order != "halving" and cells is not None:
            place = waiting.pop()
            if order == "random" and space.verdicts(cells[[place]])[0]:
                continue
            row = cells[place].tolist()
        elif cells is not None:
            row = list(from_pool(space, cells).cells)
        else:
            row = list(best_query(space).cells)
        instance = language.attributes.decode(row)
        answer = bool(oracle(instance))
        asked.append((instance, answer))
        space = space.with_bounds(learn_example(language, space.bounds, row, answer, MOST_GENERAL))
        if space.bounds.empty:
            raise InputError(
                f"the answers contradict each other: after {len(asked)} questions no hypothesis agrees with all of "
                "them; check them, or use a richer language"
            )
    return Settling(space, tuple(asked))


def _is_settled(space: VersionSpace, cells: Cells | None) -> bool:
    if cells is not None:
        return bool((space.verdicts(cells) != 0).all())
    return space.status != "partly learned"
