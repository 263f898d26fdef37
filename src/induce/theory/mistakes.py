"""Mistake bounds: the maximum number of mistakes before the target is learned (Mitchell §7.5; AIMA 18.10)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from numpy.typing import ArrayLike

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.online import bounds
from induce.theory.checks import finite, rate
from induce.theory.space import LN2, Space, check_space
from induce.theory.vc import concepts, masks, vc_dimension

MOST_SETS = 200_000


def find_s_bound(n: int) -> int:
    """Return the mistake bound of Find-S for conjunctions over n Boolean attributes: n + 1 (§7.5.1).

    The first mistake removes n of the 2n initial literals, and each further mistake at least one; it makes no
    mistake on negative examples.

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    """
    at_least("n", n, 1, whole=True)
    return n + 1


def halving_bound(space: Space) -> int:
    """Return the mistake bound of Halving for a finite space: log2 of its size, rounded down (§7.5.2).

    Parameters
    ----------
    space : Space
        Finite hypothesis space.

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions
    >>> from induce.theory.space import of_size
    >>> halving_bound(of_size(7)), halving_bound(conjunctions(10))
    (2, 15)
    """
    check_space(space)
    if not space.finite:
        raise InputError(
            f"the space has {space.size_text()}, but Halving needs a finite one; give a finite space"
        )
    return math.floor(space.ln_size / LN2 + 1e-9)


def perceptron_bound(radius: float, margin: float) -> int:
    """Return the maximum number of perceptron updates on rows separable by a plane through 0: (R / margin)².

    The rows, including their constant input, have a norm of at most the radius R, and their distance from
    some separating plane is at least the margin. The weights start at 0; their number does not matter
    (Rosenblatt 1960; Novikoff 1962).

    Parameters
    ----------
    radius : float
        Maximum norm R of a row, including its constant input.
    margin : float
        Minimum distance of the rows from the separating plane; above 0.

    Examples
    --------
    AND of -1 and 1: the rows (1, x, y) have norm sqrt(3), and their distance from the plane -1 + x + y is at
    least 1 / sqrt(3).

    >>> perceptron_bound(3**0.5, 1 / 3**0.5)
    9
    """
    finite("radius", radius, 0)
    finite("margin", margin, 0)
    if margin < 1e-100:
        raise InputError(
            f"margin is {margin!r}, but rows on the plane are not separated; give a number above 0"
        )
    return math.floor((radius / margin) ** 2 + 1e-9)


def weighted_majority_bound(best: float, n: int, beta: float = 0.5) -> float:
    """Return the mistake bound of Weighted-Majority: (k log2(1/beta) + log2 n) / log2(2 / (1 + beta)) (§7.5.4).

    Mitchell's theorem 7.5, with 2.4 (k + log2 n), rounds the factor 2.4094 for beta = 1/2 down.

    Parameters
    ----------
    best : float
        Number of mistakes k of the best predictor.
    n : int
        Number of predictors.
    beta : float
        Factor applied to the weight of a predictor that errs; at least 0 and below 1. With 0, which gives
        Halving, the bound is infinite unless the best predictor makes no mistake.

    Examples
    --------
    >>> round(weighted_majority_bound(1, 5), 3), weighted_majority_bound(0, 8, beta=0)
    (8.004, 3.0)
    """
    _check(best, n, beta)
    return float(bounds.weighted_majority_bound(best, n, beta))


def randomized_majority_bound(best: float, n: int, beta: float = 0.5) -> float:
    """Return the bound on the expected number of mistakes of randomised Weighted-Majority (AIMA 18.10.1).

    The bound is (k ln(1/beta) + ln n) / (1 - beta), for any sequence of rows, even one chosen by an
    adversary.

    Parameters
    ----------
    best : float
        Number of mistakes k of the best predictor.
    n : int
        Number of predictors.
    beta : float
        Factor applied to the weight of a predictor that errs; at least 0 and below 1.

    Examples
    --------
    >>> round(randomized_majority_bound(1, 10) - randomized_majority_bound(0, 10), 3)
    1.386
    """
    _check(best, n, beta)
    return float(bounds.randomized_bound(best, n, beta))


def no_regret_beta(n: int, rounds: int) -> float:
    """Return the beta with which the regret grows more slowly than the number of rounds.

    The result is 1 - min(1/2, sqrt(ln n / rounds)); the regret is then at most `regret_bound`.

    Parameters
    ----------
    n : int
        Number of predictors.
    rounds : int
        Number of rounds, T.

    Examples
    --------
    >>> round(no_regret_beta(10, 1000), 4), round(regret_bound(10, 1000), 2)
    (0.952, 95.97)
    """
    _check(0, n, 0.5)
    at_least("rounds", rounds, 1, whole=True)
    finite("rounds", rounds, 1)
    return bounds.no_regret_beta(n, rounds)


def regret_bound(n: int, rounds: int) -> float:
    """Return the regret bound of randomised Weighted-Majority.

    The regret is the expected number of mistakes in excess of the best predictor. With `no_regret_beta`, it
    is at most 2 sqrt(T ln n); in fewer than 4 ln n rounds the bound is weak.

    Parameters
    ----------
    n : int
        Number of predictors.
    rounds : int
        Number of rounds, T.
    """
    _check(0, n, 0.5)
    at_least("rounds", rounds, 1, whole=True)
    finite("rounds", rounds, 1)
    return min(float(rounds), float(bounds.regret_bound(n, rounds)))


@dataclass(frozen=True)
class OptTree:
    """Queries of an adversary that make every answer of a learner a mistake.

    Parameters
    ----------
    point : int, optional
        Queried instance, by its column; None if no query is left.
    no, yes : OptTree, optional
        Subtrees if the true label is 0, and if it is 1.
    """

    point: int | None = None
    no: OptTree | None = None
    yes: OptTree | None = None

    @property
    def depth(self) -> int:
        """Number of mistakes that the adversary can force."""
        return 0 if self.no is None or self.yes is None else 1 + min(self.no.depth, self.yes.depth)

    def __str__(self) -> str:
        return "\n".join(self._lines(0)) or "nothing to ask"

    def _lines(self, level: int) -> list[str]:
        if self.no is None or self.yes is None:
            return []
        lines = []
        for label, below in ((0, self.no), (1, self.yes)):
            lines += [f"{'|   ' * level}instance {self.point} is {label}", *below._lines(level + 1)]
        return lines


@dataclass(frozen=True)
class MistakeBounds:
    """Exact numbers of mistakes for a finite class: VC <= Opt <= Halving <= log2 of its size (§7.5.3).

    Parameters
    ----------
    n_concepts : int
        Number of distinct concepts.
    vc : int
        VC dimension of the class.
    opt : int
        Number of mistakes of an optimal learner on its worst sequence.
    halving : int
        Number of mistakes of Halving on its worst sequence; a tied vote predicts 0.
    tree : OptTree
        Strategy of the adversary that forces Opt mistakes.
    """

    n_concepts: int
    vc: int
    opt: int
    halving: int
    tree: OptTree

    def __str__(self) -> str:
        return (
            f"{self.n_concepts} concepts: VC dimension {self.vc} <= Opt {self.opt} <= Halving {self.halving} <= "
            f"log2 {math.log2(self.n_concepts):.2f} mistakes, if the target is one of them"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p><pre>{escape(str(self.tree))}</pre>"


def mistake_bounds(hypotheses: ArrayLike) -> MistakeBounds:
    """Return the optimal and Halving mistake bounds of a finite class, with related quantities (§7.5.3).

    An instance splits the concepts in two. Whatever a learner predicts, an adversary can call it a mistake
    and continue with the other side: Opt(C) is the maximum over instances of 1 + min(Opt(C_no), Opt(C_yes)).
    Littlestone (1987) shows that some learner makes no more mistakes than that.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.

    Examples
    --------
    Thresholds on seven numbers, for which the adversary's strategy is binary search:

    >>> found = mistake_bounds([[int(x >= t) for x in range(7)] for t in range(8)])
    >>> print(found)
    8 concepts: VC dimension 1 <= Opt 3 <= Halving 3 <= log2 3.00 mistakes, if the target is one of them
    >>> found.tree.point, found.tree.yes.point
    (3, 1)
    """
    table = concepts(hypotheses)
    search = _Search(masks(table))
    everything = (1 << len(table)) - 1
    opt = search.opt(everything)
    return MistakeBounds(
        len(table), vc_dimension(table).value, opt, search.halving(everything), search.tree(everything, opt)
    )


class _Search:
    """Recursion over sets of concepts, encoded as bits of integers; results are cached."""

    def __init__(self, saying: list[int]) -> None:
        self.saying = saying
        self._opt: dict[int, int] = {}
        self._halving: dict[int, int] = {}

    def sides(self, members: int) -> list[tuple[int, int, int]]:
        """Return the instances that split a set, most even splits first, with the two sides (no and yes)."""
        found: dict[int, tuple[int, int, int]] = {}
        for point, yes in enumerate(self.saying):
            ones = members & yes
            if ones and ones != members:
                found.setdefault(ones, (point, members ^ ones, ones))
        return sorted(found.values(), key=lambda side: -min(side[1].bit_count(), side[2].bit_count()))

    def opt(self, members: int) -> int:
        if members.bit_count() < 2:
            return 0
        if members not in self._opt:
            self._room()
            best = 0
            for _, no, yes in self.sides(members):
                # at most log2 of the smaller side, and later splits have an even smaller side
                if 1 + _log2(min(no.bit_count(), yes.bit_count())) <= best:
                    break
                small, large = sorted((no, yes), key=int.bit_count)
                least = self.opt(small)
                if 1 + least > best:
                    best = max(best, 1 + min(least, self.opt(large)))
            self._opt[members] = best
        return self._opt[members]

    def halving(self, members: int) -> int:
        if members.bit_count() < 2:
            return 0
        if members not in self._halving:
            self._room()
            worst = 0
            for _, no, yes in self.sides(members):
                wrong, right = (no, yes) if yes.bit_count() > no.bit_count() else (yes, no)
                worst = max(worst, 1 + self.halving(wrong))
                if _log2(right.bit_count()) > worst:
                    worst = max(worst, self.halving(right))
            self._halving[members] = worst
        return self._halving[members]

    def tree(self, members: int, depth: int) -> OptTree:
        """Return a query tree whose shortest path has a given length."""
        if depth == 0:
            return OptTree()
        below = depth - 1
        point, no, yes = next(
            (point, no, yes)
            for point, no, yes in self.sides(members)
            if min(_log2(no.bit_count()), _log2(yes.bit_count())) >= below
            and self.opt(no) >= below
            and self.opt(yes) >= below
        )
        return OptTree(point, self.tree(no, below), self.tree(yes, below))

    def _room(self) -> None:
        if len(self._opt) + len(self._halving) > MOST_SETS:
            raise InputError(
                f"Opt of such a large class needs more than {MOST_SETS:,} sets of concepts; give fewer "
                "concepts"
            )


def _log2(n: int) -> int:
    return n.bit_length() - 1


def _check(best: float, n: int, beta: float) -> None:
    finite("best", best, 0)
    at_least("n", n, 1, whole=True)
    rate("beta", beta)
    if beta == 1:
        raise InputError("beta is 1, with which no weight ever changes; give a number below 1")
