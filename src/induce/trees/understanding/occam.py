"""Occam's razor for trees, and two objections (Mitchell §3.6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from induce.core.errors import InputError
from induce.trees.hypothesis import Tree
from induce.trees.understanding.arguments import the_tree, unfitted
from induce.trees.understanding.tree_counts import n_ordered_trees, n_trees

BINARY, TERNARY = 6, 5
ATTRIBUTES = (2,) * BINARY + (3,) * TERNARY
"""Number of values of each of eleven attributes; trees that test each once have Mitchell's 17 leaves."""


@dataclass(frozen=True)
class SmallSet:
    """A class of hypotheses, its size, and a bound on the probability that one of them fits random labels."""

    what: str
    size: int
    chance: float

    def __str__(self) -> str:
        return f"{self.what}: {self.size:,}; chance that one fits at most {self.chance:.3g}"


def small_sets(
    values: Sequence[int] = ATTRIBUTES, leaves: int = 8, n_examples: int = 40
) -> tuple[SmallSet, ...]:
    """Count short trees, arbitrarily restricted trees, and all trees of the same size.

    Short trees are few, so one seldom fits by chance: the argument for Occam's razor. But trees that test
    each attribute once, in the order of their numbers, are also few, and nobody prefers those.

    Parameters
    ----------
    values : sequence of int
        Number of values of each attribute.
    leaves : int
        Maximum number of leaves of a short tree.
    n_examples : int
        Number of randomly labelled examples of two classes to fit.

    Examples
    --------
    >>> for hypotheses in small_sets():
    ...     print(hypotheses)
    trees of at most 8 leaves: 4,700,770,146; chance that one fits at most 0.00428
    trees of 17 leaves that test A1 to A11 in order: 32,874,037,248; chance that one fits at most 0.0299
    all trees of 17 leaves: 15,220,142,674,036,543,979,520; chance that one fits at most 1
    """
    n_ordered = 1 + sum(values) - len(values)
    sizes = {
        f"trees of at most {leaves} leaves": sum(n_trees(values, n) for n in range(1, leaves + 1)),
        f"trees of {n_ordered} leaves that test A1 to A{len(values)} in order": n_ordered_trees(values),
        f"all trees of {n_ordered} leaves": n_trees(values, n_ordered),
    }
    return tuple(SmallSet(what, n, min(1.0, n / 2**n_examples)) for what, n in sizes.items())


@dataclass(frozen=True)
class Restated:
    """Trees of a learner before and after adding an attribute that equals the learned concept."""

    before: Tree
    after: Tree

    def __str__(self) -> str:
        return f"{self.before.size()}; with the new attribute {self.after.size()}\n{self.after}"


def restate(learner: Any, X: Any, y: Any, name: str = "XYZ") -> Restated:
    """Add an attribute that equals the prediction of the learned tree, and learn again.

    A learner that perceives the new attribute needs one test. The length of a hypothesis depends on the
    representation, so two learners that both prefer short hypotheses can generalise differently.

    Parameters
    ----------
    learner : tree learner
        Learner; it is not changed.
    X, y : frame, series or array
        Rows and their classes.
    name : str
        Name of the new attribute.

    Examples
    --------
    >>> import induce
    >>> print(restate(induce.ID3(), *induce.dataset("play-tennis")))
    8 nodes, 5 leaves, depth 2; with the new attribute 3 nodes, 2 leaves, depth 1
    XYZ = No: No (5/5)
    XYZ = Yes: Yes (9/9)
    """
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise InputError(f"X is a {type(X).__name__}, to which no column can be added; give a dataframe")
    if name in frame.columns:
        raise InputError(f"X already has a column {name!r}; choose a different name")
    before = the_tree(unfitted(learner).fit(X, y))
    verdict = [str(value) for value in before.predict(X).tolist()]
    column = nw.new_series(name, verdict, backend=frame.implementation)
    wider = frame.with_columns(column).to_native()
    return Restated(before, the_tree(unfitted(learner).fit(wider, y)))
