"""Attribute importance: of a tree by the gains of its tests, of any hypothesis by permutation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.randomness import RandomState, generator
from induce.core.ties import ranked
from induce.data.decoded_rows import decoded
from induce.data.table import Table, encode
from induce.hypotheses.naming import plural
from induce.pictures.style import DARK, PALETTE
from induce.trees import measures
from induce.trees.hypothesis import Tree
from induce.trees.pictures import name_text
from induce.trees.understanding.arguments import the_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

DECREASE = {"gain": measures.gain, "gini": measures.gini_decrease}
MOST_BARS = 20
ROUNDING = 1e-9
"""Maximum gain per example of an uninformative test caused by rounding in sums of fractions."""


def impurity_importance(tree: Any, measure: str = "gain") -> dict[str, float]:
    """Return the relative contribution of each attribute to the total gain of a tree on the training examples.

    Each test contributes its gain times the weight of its examples (Breiman and others 1984). These
    importances are biased towards attributes with many values or thresholds; `permutation_importance` on new
    rows is not.

    Parameters
    ----------
    tree : Tree or fitted tree learner
        Tree, or a learner that has one.
    measure : {"gain", "gini"}
        Measure of the gain: information gain, or decrease of the Gini index.

    Returns
    -------
    dict
        Importance of every input column and of every weighted sum that the tree tests. The values sum to 1,
        or are all 0 if there is no test.

    Examples
    --------
    >>> import induce
    >>> shares = impurity_importance(induce.ID3().fit(*induce.dataset("play-tennis")))
    >>> {name: round(share, 3) for name, share in shares.items()}
    {'Outlook': 0.262, 'Temperature': 0.0, 'Humidity': 0.369, 'Wind': 0.369}
    """
    one_of("measure", measure, DECREASE)
    tree = the_tree(tree)
    gained = np.zeros(len(tree.testable))
    for node in np.flatnonzero(tree.attribute >= 0).tolist():
        below = tree.counts[list(tree.children(node))]
        gained[tree.attribute[node]] += tree.weights[node] * float(DECREASE[measure](below))
    total = gained.sum()
    if total <= ROUNDING * tree.weights[0]:
        gained, total = np.zeros_like(gained), 1.0
    return dict(zip(tree.testable.names(), (gained / total).tolist(), strict=True))


@dataclass(frozen=True)
class Importance:
    """Permutation importance of each attribute for a hypothesis, and impurity importance for a tree.

    Parameters
    ----------
    lost, deviation : mapping
        Mean and standard deviation, over the repetitions and per attribute, of the decrease of accuracy when
        its column is shuffled.
    gained : mapping
        Impurity importance of each attribute in a tree; empty for other hypotheses.
    accuracy : float
        Accuracy of the hypothesis on the unchanged rows.
    repeats : int
        Number of times each column was shuffled.
    """

    lost: Mapping[str, float]
    deviation: Mapping[str, float]
    gained: Mapping[str, float]
    accuracy: float
    repeats: int

    def ranked(self) -> list[str]:
        """Return the attributes of nonzero importance, largest decrease of accuracy first."""
        used = [name for name in self.lost if self.lost[name] or self.gained.get(name)]
        by_gain = ranked(used, lambda name: self.gained.get(name, 0.0))
        return ranked(by_gain, self.lost.__getitem__)

    def __str__(self) -> str:
        names = self.ranked()
        width = max(map(len, names), default=0)
        lines = [
            f"{name:<{width}}  {self.lost[name]:6.3f} ± {self.deviation[name]:.3f}"
            + (f"   {self.gained[name]:.3f}" if self.gained else "")
            for name in names
        ]
        title = f"{'':<{width}}  accuracy lost" + ("   share of the gain" if self.gained else "")
        rest = len(self.lost) - len(names)
        others = [f"and nothing for {plural(rest, 'other column')}"] if rest else []
        return "\n".join([f"accuracy {self.accuracy:.3f}", *([title] if lines else []), *lines, *others])

    def draw(self) -> Figure:
        """Return a figure of at most 20 attributes, with both kinds of importance side by side."""
        from matplotlib.figure import Figure

        names = self.ranked()[:MOST_BARS]
        places = range(len(names))
        figure = Figure(figsize=(9, 1.4 + 0.28 * len(names)), layout="constrained")
        panels = figure.subplots(1, 2 if self.gained else 1, sharey=True, squeeze=False)[0]
        left = panels[0]
        left.barh(
            places,
            [self.lost[name] for name in names],
            xerr=[self.deviation[name] for name in names],
            color=PALETTE[0],
            error_kw={"lw": 1, "ecolor": DARK},
        )
        left.set_yticks(places, [name_text(name, 30) for name in names], parse_math=False)
        left.set_ylim(len(names) - 0.4, -0.6)
        left.set_title(f"by shuffling, {self.repeats} times", fontsize=10, loc="left")
        left.set_xlabel("accuracy lost")
        for right in panels[1:]:
            right.barh(places, [self.gained[name] for name in names], color=PALETTE[1])
            right.set_title("by the gain of the tests", fontsize=10, loc="left")
            right.set_xlabel("share of the information gain")
        for axes in panels:
            axes.axvline(0, color=DARK, lw=0.8)
            axes.spines[["top", "right", "left"]].set_visible(False)
            axes.tick_params(axis="y", length=0)
        return figure


def permutation_importance(
    fitted: Any, X: Any, y: Any, repeats: int = 10, random_state: RandomState = 0
) -> Importance:
    """Measure how much the accuracy of a hypothesis falls when a column is shuffled (Breiman 2001).

    Use rows that the hypothesis was not learned from: on the training rows, a column that was fitted by
    chance also looks important. Two redundant columns share their importance.

    Parameters
    ----------
    fitted : hypothesis or fitted learner
        A classifier, such as a tree, rules or an ensemble.
    X, y : frame or array, series or array
        Rows and their classes.
    repeats : int
        Number of times each column is shuffled.
    random_state : int, Generator or None
        Random seed for shuffling the columns; 0 by default.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> print(permutation_importance(induce.C45().fit(X[::2], y[::2]), X[1::2], y[1::2]))
    accuracy 0.865
                      accuracy lost   share of the gain
    flavanoids        0.257 ± 0.035   0.476
    color intensity   0.228 ± 0.027   0.349
    proline           0.160 ± 0.034   0.175
    and nothing for 10 other columns
    """
    from sklearn.inspection import permutation_importance as by_shuffling

    at_least("repeats", repeats, 1, whole=True)
    hypothesis = _of_classes(fitted)
    table = encode(X, hypothesis.schema)
    actual = np.asarray(y)
    if len(actual) != len(table) or not len(table):
        raise InputError(
            f"X has {len(table)} rows and y has {len(actual)}; give one class per row, and at least one row"
        )
    cells = np.column_stack([table.column(j) for j in range(len(table.schema))])
    scorer = _OnCells(hypothesis)
    found = by_shuffling(
        scorer,
        cells,
        actual,
        n_repeats=int(repeats),
        random_state=int(generator(random_state).integers(2**31)),
    )
    names = table.schema.names()
    gained = impurity_importance(hypothesis) if isinstance(hypothesis, Tree) else {}
    return Importance(
        dict(zip(names, found.importances_mean.tolist(), strict=True)),
        dict(zip(names, found.importances_std.tolist(), strict=True)),
        {name: gained[name] for name in names if gained},
        scorer.score(cells, actual),
        int(repeats),
    )


def _of_classes(fitted: Any) -> Any:
    """Return the hypothesis of a classifier of table rows."""
    hypothesis = getattr(fitted, "hypothesis_", fitted)
    if not isinstance(hypothesis, Hypothesis) or not (
        hasattr(hypothesis, "classes") and hasattr(hypothesis, "schema")
    ):
        raise InputError(
            f"{type(fitted).__name__} does not predict classes of rows; give a hypothesis or a fitted classifier"
        )
    return hypothesis


class _OnCells:
    """A hypothesis that reads rows as one matrix of numbers and codes, so that scikit-learn can shuffle them."""

    def __init__(self, hypothesis: Any) -> None:
        self.hypothesis = hypothesis

    def fit(self, X: Any, y: Any) -> _OnCells:
        """Do nothing: the hypothesis is already learned, but scikit-learn requires `fit`."""
        return self

    def score(self, cells: Floats, actual: NDArray[Any]) -> float:
        """Return the accuracy of the hypothesis."""
        inputs = self.hypothesis.schema.inputs()
        nominal = np.array([column.kind == "nominal" for column in inputs])
        numeric = np.ascontiguousarray(cells[:, ~nominal], dtype=np.float64)
        codes = np.ascontiguousarray(cells[:, nominal]).astype(np.int32)
        table = Table(inputs, numeric, codes)
        rows = table if self.hypothesis.takes_tables else decoded(table)
        return float(np.mean(self.hypothesis.predict(rows) == actual))
