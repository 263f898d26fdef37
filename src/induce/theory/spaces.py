"""Hypothesis spaces: how many hypotheses they have, and their VC dimension (Mitchell §7.3.2-7.4; AIMA 18.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.core.parameters import at_least
from induce.data.names import unknown
from induce.data.schema import Schema

MOST_DIGITS = 15
MOST_ATTRIBUTES = 1000
LN2, LN3 = math.log(2), math.log(3)


@dataclass(frozen=True)
class Space:
    """A hypothesis space, as far as bounds need to know it.

    Parameters
    ----------
    name : str
    ln_size : float
        The natural logarithm of the number of hypotheses, or of a bound on it; infinite for an infinite space.
    vc : float, optional
        The Vapnik-Chervonenkis dimension, or a bound on it, where it is known otherwise than from the size.
    remark : str
        What has been counted.
    supposes : tuple of str
        What has to be so for a bound on the size to hold.
    vc_is_exact : bool
        Whether `vc` is the dimension and not just a bound on it.

    Examples
    --------
    >>> print(conjunctions(10))
    conjunctions of literals over 10 attributes: 59,049 hypotheses, VC dimension 10
    """

    name: str
    ln_size: float = math.inf
    vc: float | None = None
    remark: str = ""
    supposes: tuple[str, ...] = ()
    vc_is_exact: bool = True

    def __post_init__(self) -> None:
        if not self.ln_size >= 0:
            raise InputError(
                f"ln_size is {self.ln_size!r}; a space has at least one hypothesis, so at least 0"
            )
        if self.vc is not None:
            at_least("vc", self.vc, 0)
        elif math.isinf(self.ln_size):
            raise InputError("an infinite space needs its VC dimension; give vc")

    @property
    def finite(self) -> bool:
        """Whether the number of hypotheses is known to be finite."""
        return math.isfinite(self.ln_size)

    @property
    def vc_bound(self) -> float:
        """The VC dimension, or log2 of the size: a set of d instances needs 2^d hypotheses to be shattered."""
        return math.floor(self.ln_size / LN2 + 1e-9) if self.vc is None else self.vc

    def size_text(self) -> str:
        """Return the number of hypotheses in words.

        Examples
        --------
        >>> unbiased(3).size_text(), unbiased(10).size_text(), rectangles().size_text()
        ('256 hypotheses', 'about 10^308.3 hypotheses', 'infinitely many hypotheses')
        """
        if not self.finite:
            return "infinitely many hypotheses"
        if self.ln_size < MOST_DIGITS * math.log(10):
            size = round(math.exp(self.ln_size))
            return f"{size:,} hypothes{'is' if size == 1 else 'es'}"
        return f"about 10^{self.ln_size / math.log(10):,.1f} hypotheses"

    def __str__(self) -> str:
        at_most = "" if self.vc_is_exact else "at most "
        dimension = "" if self.vc is None else f", VC dimension {at_most}{self.vc:.6g}"
        remark = f" ({self.remark})" if self.remark else ""
        return f"{self.name}: {self.size_text()}{dimension}{remark}"


def of_size(size: float, vc: float | None = None) -> Space:
    """Return a space of so many hypotheses of which nothing else is known.

    Examples
    --------
    >>> of_size(973).size_text()
    '973 hypotheses'
    """
    at_least("size", size, 1)
    return Space("a finite space", math.log(size), vc)


def of_dimension(vc: float) -> Space:
    """Return an infinite space of which only the VC dimension is known.

    Examples
    --------
    >>> print(of_dimension(3))
    an infinite space: infinitely many hypotheses, VC dimension 3
    """
    return Space("an infinite space", vc=vc)


def conjunctions(n: int) -> Space:
    """Conjunctions over n Boolean attributes: each is required, required not to hold, or left out (§7.3.2)."""
    at_least("n", n, 1, whole=True)
    return Space(f"conjunctions of literals over {n} attributes", n * LN3, n)


def monotone_conjunctions(n: int) -> Space:
    """Conjunctions of unnegated attributes out of n."""
    at_least("n", n, 1, whole=True)
    return Space(f"conjunctions of unnegated literals over {n} attributes", n * LN2, n)


def conjunctions_of(schema: Schema) -> Space:
    """Conjunctions over nominal columns: of each a value or any, and the hypothesis that covers nothing (§2.3).

    Examples
    --------
    >>> import induce
    >>> print(conjunctions_of(induce.dataset("enjoy-sport").input_schema))
    conjunctions over 6 nominal columns: 973 hypotheses
    """
    for column in schema.inputs():
        if column.kind != "nominal":
            raise InputError(f"column {column.name!r} is {column.kind}; only nominal values can be counted")
    values = [len(column.domain) for column in schema.inputs()]
    return Space(
        f"conjunctions over {len(values)} nominal columns", math.log(1 + math.prod(v + 1 for v in values))
    )


def unbiased(n: int) -> Space:
    """Every Boolean function of n attributes: 2^(2^n) (§7.3.3)."""
    at_least("n", n, 0, whole=True)
    if n > MOST_ATTRIBUTES:
        raise InputError(
            f"n is {n}; the functions of more than {MOST_ATTRIBUTES} attributes cannot be counted"
        )
    return Space(f"all Boolean functions of {n} attributes", 2.0**n * LN2, 2.0**n)


def power_set(instances: int) -> Space:
    """Every subset of so many instances."""
    at_least("instances", instances, 0, whole=True)
    return Space(f"all subsets of {instances:,} instances", instances * LN2, instances)


def k_term_dnf(n: int, k: int) -> Space:
    """Disjunctions of at most k conjunctions of literals (§7.3.3.2)."""
    _both(n, k)
    return Space(
        f"{k}-term DNF over {n} attributes",
        n * k * LN3,
        remark="at most; the same formula is counted repeatedly",
    )


def n_clauses(n: int, k: int) -> int:
    """Return how many clauses of one to k literals there are over n attributes, none with a literal and its negation.

    Examples
    --------
    >>> n_clauses(10, 2)
    200
    """
    _both(n, k)
    return sum(math.comb(n, i) * 2**i for i in range(1, min(k, n) + 1))


def k_cnf(n: int, k: int) -> Space:
    """Conjunctions of any number of clauses of at most k literals, which contain k-term DNF (§7.3.3.2)."""
    return Space(
        f"{k}-CNF over {n} attributes",
        n_clauses(n, k) * LN2,
        remark="at most; formulas that say the same are counted apart",
    )


def k_dnf(n: int, k: int) -> Space:
    """Disjunctions of any number of conjunctions of at most k literals."""
    return Space(
        f"{k}-DNF over {n} attributes",
        n_clauses(n, k) * LN2,
        remark="at most; formulas that say the same are counted apart",
    )


def n_tests(n: int, k: int, *, contradictions: bool = True) -> int:
    """Return how many conjunctions of at most k literals over n attributes there are, the empty one included.

    Parameters
    ----------
    n, k : int
    contradictions : bool
        Whether those with a literal and its negation count, as in Russell and Norvig's |Conj(n, k)|.

    Examples
    --------
    >>> n_tests(10, 2), n_tests(10, 2, contradictions=False)
    (211, 201)
    """
    if contradictions:
        _both(n, k)
        return sum(math.comb(2 * n, i) for i in range(k + 1))
    return 1 + n_clauses(n, k)


def decision_lists(n: int, k: int) -> Space:
    """Lists of tests of at most k literals, each absent, Yes or No, in any order: 3^C C! (AIMA 18.5.1)."""
    tests = n_tests(n, k)
    return Space(
        f"decision lists of tests of at most {k} literals over {n} attributes",
        tests * LN3 + math.lgamma(tests + 1),
        remark="at most",
    )


def decision_trees(n: int, k: int) -> Space:
    """Trees of depth at most k that test no attribute twice on a path; all are decision lists too (AIMA 18.5.1)."""
    _both(n, k)
    ln_count = LN2
    for attributes in range(
        n - min(k, n) + 1, n + 1
    ):  # from the lowest tests up; fewer attributes are left there
        ln_tested = math.log(attributes) + 2 * ln_count
        ln_count = ln_tested + math.log1p(math.exp(LN2 - ln_tested))
    return Space(
        f"decision trees of depth at most {k} over {n} attributes",
        ln_count,
        remark="at most; trees that say the same are counted apart",
    )


def regular_depth_two_trees(n: int) -> Space:
    """Trees that test one of n attributes and then, on both sides, the same other one (exercise 7.7)."""
    at_least("n", n, 2, whole=True)
    return Space(
        f"regular trees of depth 2 over {n} attributes",
        math.log(16 * n * (n - 1)),
        remark="trees that say the same are counted apart",
    )


def thresholds() -> Space:
    """Everything from some number on."""
    return Space("thresholds on the line", vc=1)


def intervals() -> Space:
    """Intervals of numbers (§7.4.2)."""
    return Space("intervals on the line", vc=2)


def rectangles(d: int = 2) -> Space:
    """Boxes with sides parallel to the axes in d dimensions (exercise 7.5)."""
    at_least("d", d, 1, whole=True)
    return Space(f"axis-parallel boxes in {d} dimensions", vc=2 * d)


def grid_rectangles(side: int, d: int = 2) -> Space:
    """Boxes with whole-numbered corners on a grid of `side` places along each of d axes (exercise 7.2).

    Examples
    --------
    >>> print(grid_rectangles(100))
    axis-parallel boxes on a grid of 100 by 100: 25,502,500 hypotheses, VC dimension 4
    """
    at_least("side", side, 3, whole=True)
    at_least("d", d, 1, whole=True)
    places = " by ".join([str(side)] * d)
    return Space(f"axis-parallel boxes on a grid of {places}", d * math.log(side * (side + 1) // 2), 2 * d)


def half_spaces(r: int) -> Space:
    """What is on one side of a plane in r dimensions: a perceptron with r inputs (§7.4.2)."""
    at_least("r", r, 1, whole=True)
    return Space(f"half-spaces in {r} dimensions", vc=r + 1)


def circles() -> Space:
    """Discs in the plane (exercise 7.5)."""
    return Space("discs in the plane", vc=3)


def triangles() -> Space:
    """Triangles in the plane (exercise 7.5)."""
    return Space("triangles in the plane", vc=7)


def layered_network(nodes: int, unit_vc: float) -> Space:
    """Layered acyclic networks of s units of VC dimension d each: at most 2 d s log2(e s) (theorem 7.4).

    Examples
    --------
    >>> round(layered_network(2, 3).vc, 3)
    29.312
    """
    at_least("nodes", nodes, 2, whole=True)
    at_least("unit_vc", unit_vc, 1)
    dimension = 2 * unit_vc * nodes * math.log2(math.e * nodes)
    return Space(f"layered networks of {nodes} units", vc=dimension, vc_is_exact=False)


def perceptron_network(r: int, s: int) -> Space:
    """Layered networks of s perceptrons with at most r inputs each: 2 (r + 1) s log2(e s) (§7.4.4).

    Sigmoid units can do what perceptrons can, so theirs is at least as large; that back-propagation starts with
    small weights and may stop early is not accounted for.
    """
    at_least("r", r, 1, whole=True)
    return layered_network(s, r + 1)


CLASSES: dict[str, tuple[Callable[..., Space], tuple[str, ...]]] = {
    "conjunctions": (conjunctions, ("n",)),
    "monotone-conjunctions": (monotone_conjunctions, ("n",)),
    "k-term-dnf": (k_term_dnf, ("n", "k")),
    "k-cnf": (k_cnf, ("n", "k")),
    "k-dnf": (k_dnf, ("n", "k")),
    "decision-lists": (decision_lists, ("n", "k")),
    "decision-trees": (decision_trees, ("n", "k")),
    "regular-trees": (regular_depth_two_trees, ("n",)),
    "unbiased": (unbiased, ("n",)),
    "power-set": (power_set, ("n",)),
    "thresholds": (thresholds, ()),
    "intervals": (intervals, ()),
    "rectangles": (rectangles, ("n",)),
    "grid-rectangles": (grid_rectangles, ("n",)),
    "half-spaces": (half_spaces, ("n",)),
    "circles": (circles, ()),
    "triangles": (triangles, ()),
    "perceptron-network": (perceptron_network, ("n", "k")),
}
"""The named classes, and which of n and k each takes."""


def named(name: str, n: int | None = None, k: int | None = None) -> Space:
    """Return a class by its name, with the numbers it takes.

    Examples
    --------
    >>> print(named("k-cnf", n=10, k=2))
    2-CNF over 10 attributes: about 10^60.2 hypotheses (at most; formulas that say the same are counted apart)
    """
    if name not in CLASSES:
        raise unknown("class of hypotheses", name, list(CLASSES))
    make, takes = CLASSES[name]
    given = {"n": n, "k": k}
    for number, value in given.items():
        if number in takes and value is None:
            raise InputError(f"the class {name!r} needs {number}; give it")
        if number not in takes and value is not None:
            raise InputError(f"the class {name!r} takes no {number}; leave it out")
    return make(*(given[number] for number in takes))


def _both(n: int, k: int) -> None:
    at_least("n", n, 1, whole=True)
    at_least("k", k, 1, whole=True)
