"""EPAM, the first decision tree learner: a simplified simulation of human memorisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, columns, whole
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.discretise import midpoints
from induce.estimators import ClassReading, UnweightedClassifier
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.structure import MODE


class EPAM(TreeLearner, UnweightedClassifier):
    """A discrimination net after EPAM (Feigenbaum 1961; AIMA ch. 18, historical notes).

    This is a simplified simulation of memorisation, not the whole program. An example is sorted through tests
    to an image: the first few details of an earlier example, with its class as the answer. The net learns
    only from wrong answers. If a detail of the image differs from the example, a test of that attribute is
    inserted to *discriminate* the two. Otherwise the image becomes *familiar* with one more detail, taken
    from the current example, whose class becomes its answer; so knowledge may be forgotten and learned again.
    Trials go through all examples until nothing more is learned; examples that differ only in class are never
    discriminated.

    The tests are the first that discriminate, not the best, so the net is usually larger than the tree of
    `ID3` and less accurate. An example whose tested value is missing takes the branch with the most images,
    in training and in prediction. A category not seen in training gets the class of most images below the
    node that tests it.

    Parameters
    ----------
    noticing_order : sequence of str, optional
        The order in which columns are noticed; columns not listed follow in declared order.
    max_trials : int, default=100
        Maximum number of passes through the examples.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : Tree
        The learned net; its nodes count images.
    errors_per_trial_ : array of int64
        Learning curve: number of wrong answers per trial, including examples without an image.

    See Also
    --------
    ID3 : Trees by information gain, without pruning.
    IB2 : Stored examples that were mistaken.

    References
    ----------
    E. A. Feigenbaum (1961). The simulation of verbal learning behavior. In Proceedings of the Western Joint
    Computer Conference, 121-132.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.learners.epam import EPAM
    >>> X, y = induce.dataset("play-tennis")
    >>> net = EPAM(noticing_order=["Outlook", "Humidity", "Wind"]).fit(X, y)
    >>> net.errors_per_trial_.tolist()
    [7, 6, 2, 1, 0]
    >>> net.hypothesis_.size()
    '12 nodes, 7 leaves, depth 3'
    """

    class_weight = None
    hypothesis_: Tree

    parameters: ClassVar[Declared] = {
        "noticing_order": columns(
            "The order in which columns are noticed; columns not listed follow in declared order.",
            none=True,
        ),
        "max_trials": whole("Maximum number of passes through the examples.", at_least=1),
    }

    def __init__(
        self,
        *,
        noticing_order: Sequence[str] | None = None,
        max_trials: int = 100,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.noticing_order = noticing_order
        self.max_trials = max_trials
        self.schema = schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = (
            True  # if classes overlap, an image answers one class, not the most common one
        )
        return tags

    def _learn(self, reading: ClassReading) -> Tree:
        net = _Net(reading.all_examples(), self._order(reading.schema.inputs().names()))
        errors: list[int] = []
        learned = True
        while learned and len(errors) < self.max_trials:
            n_wrong, learned = net.trial(len(errors))
            errors.append(n_wrong)
        if learned and n_wrong:
            note(f"EPAM was still learning after max_trials={self.max_trials} trials; raise max_trials")
        self.errors_per_trial_ = np.array(errors)
        return net.tree(*reading.names)

    def _order(self, names: tuple[str, ...]) -> list[int]:
        first = [] if self.noticing_order is None else list(self.noticing_order)
        for name in first:
            if name not in names or first.count(name) > 1:
                raise InputError(
                    f"noticing_order contains {name!r}, which is repeated or is not an input column; "
                    f"the input columns are {', '.join(names)}"
                )
        return [names.index(name) for name in dict.fromkeys([*first, *names])]


@dataclass
class _Node:
    """A test or a leaf; the image of a leaf is an example, its owner, and the number of details noticed."""

    attribute: int = -1
    threshold: float = nan
    first: int = -1
    owner: int = -1
    noticed: int = 0
    n_images: int = 0


class _Net:
    def __init__(self, examples: Examples, order: list[int]) -> None:
        inputs = examples.table.schema
        self.order, self.names, self.labels = order, inputs.names(), examples.labels.tolist()
        self.is_number = [column.kind != "nominal" for column in inputs]
        self.n_branches = [2 if column.kind != "nominal" else len(column.domain) for column in inputs]
        self.rows = list(zip(*(_or_none(examples.table.column(f)) for f in range(len(inputs))), strict=True))
        self.nodes = [_Node()]

    def trial(self, number: int) -> tuple[int, bool]:
        """Go through all examples once; return the number of wrong answers and whether anything was learned."""
        n_wrong, learned = 0, False
        for example, label in enumerate(self.labels):
            path = [self.nodes[0]]
            while path[-1].attribute >= 0:
                path.append(self._child(path[-1], example))
            if path[-1].owner < 0 or self.labels[path[-1].owner] != label:
                n_wrong += 1
                what, detail = self._learn(example, path)
                learned |= what != ""
                trace.emit(what or "wrong", trial=number, example=example, attribute=detail)
        return n_wrong, learned

    def _child(self, node: _Node, example: int) -> _Node:
        """Return the branch of an example at a node; without a value, the branch with the most images."""
        f, value = node.attribute, self.rows[example][node.attribute]
        if value is None:
            children = self.nodes[node.first : node.first + self.n_branches[f]]
            return max(children, key=lambda child: child.n_images)
        return self.nodes[node.first + int(value > node.threshold if self.is_number[f] else value)]

    def _learn(self, example: int, path: list[_Node]) -> tuple[str, str | None]:
        """Learn from a wrong answer; return the kind of change and the attribute."""
        leaf, row = path[-1], self.rows[example]
        if leaf.owner < 0:
            leaf.owner = example
            for node in path:
                node.n_images += 1
            return "memorise", None
        image = self.rows[leaf.owner]
        for f in self.order[: leaf.noticed]:
            if image[f] is not None and row[f] is not None and image[f] != row[f]:
                self._discriminate(f, example, path)
                return "discriminate", self.names[f]
        for noticed, f in enumerate(self.order[leaf.noticed :], leaf.noticed + 1):
            if row[f] is not None:
                leaf.owner, leaf.noticed = example, noticed
                return "familiarise", self.names[f]
        return "", None

    def _discriminate(self, f: int, example: int, path: list[_Node]) -> None:
        """Turn a leaf into a test that separates its image from the example."""
        leaf = path[-1]
        owner, leaf.owner = leaf.owner, -1
        leaf.attribute, leaf.first = f, len(self.nodes)
        if self.is_number[f]:
            low, high = sorted((self.rows[owner][f], self.rows[example][f]))
            leaf.threshold = float(midpoints(low, high))
        self.nodes += [_Node() for _ in range(self.n_branches[f])]
        old, new = self._child(leaf, owner), self._child(leaf, example)
        old.owner, old.noticed, new.owner = owner, leaf.noticed, example
        old.n_images = new.n_images = 1
        for node in path:
            node.n_images += 1

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        attribute = np.array([node.attribute for node in self.nodes], np.int32)
        n_branches = np.where(attribute < 0, 0, np.array(self.n_branches)[attribute]).astype(np.int32)
        counts = np.zeros((len(attribute), len(classes)))
        for i, node in reversed([*enumerate(self.nodes)]):
            if node.owner >= 0:
                counts[i, self.labels[node.owner]] = 1.0
            counts[i] += counts[node.first : node.first + n_branches[i]].sum(axis=0)
        return Tree(
            schema=schema,
            target=target,
            classes=classes,
            attribute=attribute,
            threshold=np.array([node.threshold for node in self.nodes]),
            first=np.array([node.first for node in self.nodes], np.int32),
            n_branches=n_branches,
            map_start=np.full(len(attribute), -1, np.int32),
            branch_map=np.empty(0, np.int32),
            missing=MODE,
            counts=counts,
        )


def _or_none(values: NDArray[Any]) -> list[Any]:
    missing = np.isnan(values) if values.dtype.kind == "f" else values < 0
    return [None if absent else value for value, absent in zip(values.tolist(), missing, strict=True)]
