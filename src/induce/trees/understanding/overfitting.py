"""Accuracy against tree size during growth and pruning (Mitchell figures 3.6 and 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.trace import trace
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import encode
from induce.hypotheses.naming import plural, value_text
from induce.pictures.style import GREY, PALETTE, axes_for, tidy
from induce.trees.hypothesis import Tree
from induce.trees.understanding.arguments import growth_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.data.training import Examples

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TRAINING, VALIDATION, TEST = "training", "validation", "test"


@dataclass(frozen=True, eq=False)
class SizePath:
    """Accuracies of trees of increasing or decreasing size.

    Parameters
    ----------
    nodes : array of int
        Number of nodes of each tree.
    accuracy : dict of arrays
        Accuracy on "training", "validation" and perhaps "test" examples.
    """

    nodes: Ints
    accuracy: dict[str, Floats]

    def at(self, nodes: int) -> dict[str, float]:
        """Return the accuracies of the largest tree with at most the given number of nodes."""
        fits = np.flatnonzero(self.nodes <= nodes)
        if not len(fits):
            raise InputError(
                f"nodes is {nodes}; give at least {self.nodes.min()}, the size of the smallest tree"
            )
        largest = fits[self.nodes[fits].argmax()]
        return {name: float(values[largest]) for name, values in self.accuracy.items()}


@dataclass(frozen=True, eq=False)
class OverfittingCurve:
    """Accuracy of a tree against its size.

    Parameters
    ----------
    growth : SizePath
        Breadth-first growth from the root to the full tree.
    pruning : SizePath
        Reduced-error pruning on the validation examples, starting from the full tree.
    tree, pruned : Tree
        The full tree and the pruned tree.
    """

    growth: SizePath
    pruning: SizePath
    tree: Tree
    pruned: Tree

    @property
    def unseen(self) -> str:
        """Name of the evaluation set: "test" if there is one, otherwise "validation"."""
        return TEST if TEST in self.growth.accuracy else VALIDATION

    @property
    def best_nodes(self) -> int:
        """Size of the growing tree at its highest accuracy on unseen examples."""
        return int(self.growth.nodes[self.growth.accuracy[self.unseen].argmax()])

    @property
    def overfits(self) -> bool:
        """Whether a smaller tree on the path fits the training examples worse but the unseen ones better."""
        training, unseen = self.growth.accuracy[TRAINING], self.growth.accuracy[self.unseen]
        return bool(((training < training[-1]) & (unseen > unseen[-1])).any())

    def __str__(self) -> str:
        best = self.best_nodes
        lines = [
            _line(f"grown to {plural(self.tree.n_nodes, 'node')}", self.growth.at(self.tree.n_nodes)),
            _line(f"best on {self.unseen} examples at {plural(best, 'node')}", self.growth.at(best)),
            _line(f"pruned to {plural(self.pruned.n_nodes, 'node')}", self.pruning.at(self.pruned.n_nodes)),
        ]
        return "\n".join([*lines, f"the full tree {'overfits' if self.overfits else 'does not overfit'}"])

    def draw(self) -> Figure:
        """Return a figure of the accuracies against the number of nodes."""

        figure, axes = axes_for(None, 7.5, 4.6)
        names = list(self.growth.accuracy)
        colours = dict(zip((TRAINING, VALIDATION, TEST), (PALETTE[0], GREY, PALETTE[5]), strict=True))
        for name in names:
            axes.plot(self.growth.nodes, self.growth.accuracy[name], color=colours[name], lw=1.8, label=name)
        axes.plot(
            self.pruning.nodes,
            self.pruning.accuracy[self.unseen],
            "o--",
            color=PALETTE[2],
            lw=1.8,
            ms=4,
            label=f"{self.unseen}, while pruned to {plural(self.pruned.n_nodes, 'node')}",
        )
        axes.set_xlabel("size of the tree (number of nodes)")
        axes.set_ylabel("accuracy")
        tidy(axes)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=9, borderpad=0)
        return figure


def _line(what: str, accuracy: dict[str, float]) -> str:
    return f"{what}: " + ", ".join(f"{name} {value:.3f}" for name, value in accuracy.items())


def overfitting_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    validation: Any = 1 / 3,
    test: Any = None,
    random_state: RandomState = 0,
) -> OverfittingCurve:
    """Follow the accuracy of a tree as it grows node by node, and as it is pruned back.

    The tree is grown completely and cut back level by level, which gives the trees of breadth-first growth. A
    row with missing values counts fractionally in each branch.

    Parameters
    ----------
    learner : tree learner or GrowthRule
        Learner or growth rule; its own pruning is not applied.
    X, y : frame or array, series or array
        Rows and their classes.
    validation, test : float, int or tuple
        Fraction or number of rows to hold out, or other rows as a pair ``(X, y)``. The tree is pruned on the
        validation examples; the test examples, which may be None, are not used for pruning.
    random_state : int, Generator or None
        Random seed for holding out rows.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("breast-cancer")
    >>> print(overfitting_curve(induce.ID3(), X, y, test=0.3))
    grown to 23 nodes: training 1.000, validation 0.917, test 0.959
    best on test examples at 21 nodes: training 0.996, validation 0.887, test 0.959
    pruned to 9 nodes: training 0.970, validation 0.917, test 0.959
    the full tree does not overfit
    """
    from induce.trees.growth import grow
    from induce.trees.pruning import reduced_error

    reader, rule = growth_of(learner)
    examples, schema, target, classes = reader._examples(X, y, None)
    random = generator(random_state)
    sets: dict[str, Examples] = {}
    for name, asked in ((TEST, test), (VALIDATION, validation)):
        if isinstance(asked, tuple):
            sets[name] = _given(name, asked, schema, classes)
        elif asked is not None:
            examples, sets[name] = _held_out(name, examples, asked, random)
        elif name == VALIDATION:
            raise InputError(
                "validation is None, but pruning needs validation examples; give a fraction, a number "
                "of rows or a pair (X, y)"
            )
    sets = {TRAINING: examples, VALIDATION: sets[VALIDATION], **sets}
    tree = grow(examples, schema, target, classes, rule)
    with trace(only="prune") as events:
        pruned = reduced_error(tree, sets[VALIDATION])
    counts = {
        name: tree.counts if name == TRAINING else tree.route(some.table, some.labels, some.weight())
        for name, some in sets.items()
    }
    return OverfittingCurve(
        _growth(tree, counts), _pruning(tree, counts, [event["node"] for event in events]), tree, pruned
    )


def _held_out(
    name: str, examples: Examples, asked: Any, random: np.random.Generator
) -> tuple[Examples, Examples]:
    from induce.core.folds import hold_out

    whole = isinstance(asked, int | np.integer) and not isinstance(asked, bool)
    if not whole and not (isinstance(asked, float | np.floating) and 0 < asked < 1):
        raise InputError(
            f"{name} is {asked!r}; give a fraction between 0 and 1, a number of rows or a pair (X, y)"
        )
    n_held = int(asked) if whole else round(float(asked) * len(examples))
    if not 1 <= n_held < len(examples):
        raise InputError(
            f"{name} is {asked}, which leaves no rows to grow on or to hold out of {plural(len(examples), 'row')}"
        )
    rest, held = hold_out(examples.labels, n_held, random)
    return examples.rows(rest), examples.rows(held)


def _given(name: str, pair: tuple[Any, Any], schema: Schema, classes: tuple[Value, ...]) -> Examples:
    from induce.data.training import Examples

    X, y = pair
    table = encode(X, schema)
    labels = np.asarray(y).tolist()
    if len(labels) != len(table) or not labels:
        raise InputError(
            f"{name} has {plural(len(table), 'row')} and {len(labels)} classes; give one class per row"
        )
    position = {value: code for code, value in enumerate(classes)}
    for value in labels:
        if value not in position:
            raise InputError(f"{name} contains the class {value_text(value)}, which no training example has")
    return Examples(table, np.array([position[value] for value in labels]), None, len(classes))


def _growth(tree: Tree, counts: dict[str, Floats]) -> SizePath:
    from induce.trees.size import sizes

    by_size = {name: sizes(tree, some) for name, some in counts.items()}
    accuracy = {name: 1 - curve.errors / counts[name][0].sum() for name, curve in by_size.items()}
    return SizePath(by_size[TRAINING].nodes, accuracy)


def _pruning(tree: Tree, counts: dict[str, Floats], pruned: Sequence[int]) -> SizePath:
    """Return the sizes and accuracies as one node after the other is pruned.

    A node exists until one of its ancestors is pruned; once pruned itself, it is a leaf.
    """
    from induce.trees.node_errors import errors_as_leaf, errors_ending

    n_steps = len(pruned) + 1
    leaf_from = np.where(tree.attribute < 0, 0, n_steps)
    leaf_from[list(pruned)] = np.arange(1, n_steps)
    until = np.full(tree.n_nodes, n_steps)
    for node in range(1, tree.n_nodes):
        above = tree.parent[node]
        until[node] = min(until[above], leaf_from[above])

    def over_time(start: Ints, amount: Floats) -> Floats:
        change = np.zeros(n_steps + 1)
        np.add.at(change, np.minimum(start, until), amount)
        np.add.at(change, until, -amount)
        return np.cumsum(change)[:-1]

    accuracy = {}
    for name, some in counts.items():
        as_leaf, ending = errors_as_leaf(tree, some), errors_ending(tree, some)
        as_test = np.where(tree.attribute < 0, 0.0, ending)
        start = np.zeros(tree.n_nodes, np.int64)
        wrong = over_time(start, as_test) + over_time(leaf_from, as_leaf - as_test)
        accuracy[name] = 1 - wrong / some[0].sum()
    return SizePath(np.rint(over_time(start, np.ones(tree.n_nodes))).astype(np.int64), accuracy)
