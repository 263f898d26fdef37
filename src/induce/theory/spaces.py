"""Named hypothesis classes for the command line."""

from __future__ import annotations

from collections.abc import Callable

from induce.core.errors import InputError
from induce.data.names import unknown
from induce.theory.formulas import (
    conjunctions,
    decision_lists,
    decision_trees,
    k_cnf,
    k_dnf,
    k_term_dnf,
    monotone_conjunctions,
    power_set,
    regular_depth_two_trees,
    unbiased,
)
from induce.theory.regions import (
    circles,
    grid_rectangles,
    half_spaces,
    intervals,
    perceptron_network,
    rectangles,
    thresholds,
    triangles,
)
from induce.theory.space import Space

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
"""Named classes, with those of the parameters n and k that each takes."""


def named(name: str, n: int | None = None, k: int | None = None) -> Space:
    """Return a hypothesis class by its name and parameters.

    Parameters
    ----------
    name : str
        Name of the class, a key of `CLASSES`, such as "conjunctions".
    n : int, optional
        First parameter of the class, usually the number of attributes.
    k : int, optional
        Second parameter of the class, such as the maximum number of literals.

    Examples
    --------
    >>> print(named("k-cnf", n=10, k=2))
    2-CNF over 10 attributes: about 10^60.2 hypotheses (at most; equivalent formulas are counted separately)
    """
    if not isinstance(name, str):
        raise TypeError(f"name is {type(name).__name__}; give the name of a class, such as 'conjunctions'")
    if name not in CLASSES:
        raise unknown("class of hypotheses", name, list(CLASSES))
    make, takes = CLASSES[name]
    given = {"n": n, "k": k}
    for number, value in given.items():
        if number in takes and value is None:
            raise InputError(f"the class {name!r} needs {number}; give {number}")
        if number not in takes and value is not None:
            raise InputError(f"the class {name!r} takes no {number}; leave it out")
    return make(*(given[number] for number in takes))
