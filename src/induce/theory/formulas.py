"""Classes of Boolean formulas and their sizes (Mitchell §7.3.2-7.3.3; AIMA 18.5)."""

from __future__ import annotations

import math

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.theory.space import LN2, LN3, Space

MOST_ATTRIBUTES = 10**9
MOST_LITERALS = 1000
MOST_UNBIASED = 1000


def conjunctions(n: int) -> Space:
    """Return the class of conjunctions of literals over n Boolean attributes (§7.3.2).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    """
    _counted("n", n)
    return Space(f"conjunctions of literals over {n} attributes", n * LN3, n)


def monotone_conjunctions(n: int) -> Space:
    """Return the class of conjunctions of unnegated attributes.

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    """
    _counted("n", n)
    return Space(f"conjunctions of unnegated literals over {n} attributes", n * LN2, n)


def conjunctions_of(schema: Schema) -> Space:
    """Return the class of conjunctions over nominal columns: one value or any of each, or nothing (§2.3).

    Parameters
    ----------
    schema : Schema
        Schema whose input columns are all nominal.

    Examples
    --------
    >>> import induce
    >>> print(conjunctions_of(induce.dataset("enjoy-sport").input_schema))
    conjunctions over 6 nominal columns: 973 hypotheses
    """
    values = _domain_sizes(schema)
    return Space(
        f"conjunctions over {len(values)} nominal columns", math.log(1 + math.prod(v + 1 for v in values))
    )


def unbiased(n: int) -> Space:
    """Return the class of all Boolean functions of n attributes, of size 2^(2^n) (§7.3.3).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    """
    _counted("n", n, least=0, most=MOST_UNBIASED)
    return Space(f"all Boolean functions of {n} attributes", 2.0**n * LN2, 2.0**n)


def power_set(instances: int) -> Space:
    """Return the class of all subsets of a set of instances.

    Parameters
    ----------
    instances : int
        Number of instances.
    """
    _counted("instances", instances, least=0, most=10**300)
    return Space(f"all subsets of {instances:,} instances", instances * LN2, instances)


def k_term_dnf(n: int, k: int) -> Space:
    """Return the class of disjunctions of at most k conjunctions of literals (§7.3.3.2).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum number of conjunctions.
    """
    _both(n, k)
    return Space(
        f"{k}-term DNF over {n} attributes",
        n * k * LN3,
        remark="at most; the same formula is counted repeatedly",
    )


def n_clauses(n: int, k: int) -> int:
    """Return the number of clauses of one to k literals over n attributes, none with a literal and its negation.

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum number of literals per clause.

    Examples
    --------
    >>> n_clauses(10, 2)
    200
    """
    _both(n, k)
    return sum(math.comb(n, i) * 2**i for i in range(1, min(k, n) + 1))


def k_cnf(n: int, k: int) -> Space:
    """Return the class of conjunctions of clauses of at most k literals; it contains k-term DNF (§7.3.3.2).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum number of literals per clause.
    """
    return Space(
        f"{k}-CNF over {n} attributes",
        _ln_subsets(n_clauses(n, k)),
        remark="at most; equivalent formulas are counted separately",
    )


def k_dnf(n: int, k: int) -> Space:
    """Return the class of disjunctions of conjunctions of at most k literals.

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum number of literals per conjunction.
    """
    return Space(
        f"{k}-DNF over {n} attributes",
        _ln_subsets(n_clauses(n, k)),
        remark="at most; equivalent formulas are counted separately",
    )


def n_tests(n: int, k: int, *, contradictions: bool = True) -> int:
    """Return the number of conjunctions of at most k literals over n attributes, including the empty one.

    Parameters
    ----------
    n, k : int
        Number of attributes, and maximum number of literals.
    contradictions : bool
        Whether to count conjunctions with a literal and its negation, like Russell and Norvig's |Conj(n, k)|.

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
    """Return the class of decision lists whose tests have at most k literals: 3^C C! lists (AIMA 18.5.1).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum number of literals per test.
    """
    return Space(
        f"decision lists of tests of at most {k} literals over {n} attributes",
        _ln_lists(n_tests(n, k), 2),
        remark="at most",
    )


def decision_lists_of(schema: Schema, k: int, n_classes: int = 2) -> Space:
    """Return the class of decision lists over nominal columns, as in `DecisionListClassifier` (AIMA 18.5.1).

    With C tests and c classes, there are at most (c + 1)^C C! lists: each test is absent or has a class, in
    any order.

    Parameters
    ----------
    schema : Schema
        Schema whose input columns are all nominal.
    k : int
        Maximum number of literals per test.
    n_classes : int
        Number of classes; 2 by default.

    Examples
    --------
    >>> import induce
    >>> print(decision_lists_of(induce.dataset("restaurant").input_schema, k=1))
    decision lists of tests of at most 1 literals over 10 nominal columns: about 10^40.9 hypotheses (at most)
    """
    values = _domain_sizes(schema)
    _counted("k", k, most=MOST_LITERALS)
    at_least("n_classes", n_classes, 1, whole=True)
    tests = sum(math.comb(sum(values), i) for i in range(k + 1))
    return Space(
        f"decision lists of tests of at most {k} literals over {len(values)} nominal columns",
        _ln_lists(tests, n_classes),
        remark="at most",
    )


def decision_trees(n: int, k: int) -> Space:
    """Return the class of trees of depth at most k without repeated tests on a path (AIMA 18.5.1).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    k : int
        Maximum depth.
    """
    _both(n, k)
    ln_count = LN2
    # from the lowest tests upwards, because fewer attributes remain there
    for attributes in range(n - min(k, n) + 1, n + 1):
        ln_tested = math.log(attributes) + 2 * ln_count
        ln_count = ln_tested + math.log1p(math.exp(LN2 - ln_tested))
    return Space(
        f"decision trees of depth at most {k} over {n} attributes",
        ln_count,
        remark="at most; equivalent trees are counted separately",
    )


def regular_depth_two_trees(n: int) -> Space:
    """Return the class of depth-2 trees with the same second attribute on both sides (exercise 7.7).

    Parameters
    ----------
    n : int
        Number of Boolean attributes.
    """
    _counted("n", n, least=2)
    return Space(
        f"regular trees of depth 2 over {n} attributes",
        math.log(16 * n * (n - 1)),
        remark="equivalent trees are counted separately",
    )


def _ln_subsets(count: int) -> float:
    """Return the logarithm of the number of subsets of a set."""
    try:
        return count * LN2
    except OverflowError:
        raise InputError("there are too many clauses to count their sets; give a smaller k") from None


def _ln_lists(tests: int, n_classes: int) -> float:
    """Return the logarithm of the number of ordered selections of tests, each with a class."""
    try:
        return tests * math.log(n_classes + 1) + math.lgamma(tests + 1)
    except OverflowError:
        raise InputError("there are too many tests to count their lists; give a smaller k") from None


def _domain_sizes(schema: Schema) -> list[int]:
    if not isinstance(schema, Schema):
        raise TypeError(f"schema is {type(schema).__name__}; give the Schema of a table")
    for column in schema.inputs():
        if column.kind != "nominal":
            raise InputError(f"column {column.name!r} is {column.kind}; only nominal values can be counted")
    return [len(column.domain) for column in schema.inputs()]


def _counted(name: str, number: int, least: int = 1, most: int = MOST_ATTRIBUTES) -> None:
    """Raise an `InputError` unless formulas can be counted for this number of attributes or literals."""
    at_least(name, number, least, whole=True)
    if number > most:
        raise InputError(f"{name} is {number}, too large to count formulas; give at most {most:.0e}"[:300])


def _both(n: int, k: int) -> None:
    _counted("n", n)
    _counted("k", k, most=MOST_LITERALS)
