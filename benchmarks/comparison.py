"""Two learners on many tables: the paired test of each table, the test over all, and the listing of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from benchmarks.measure import Listing

LEVEL = 0.05
WORSE, SAME, BETTER = "**significantly worse**", "not worse", "significantly better"


@dataclass(frozen=True, eq=False)
class Outcome:
    """Which held-out rows a learner got right, and the mean size of its trees."""

    right: Any
    nodes: float
    leaves: float

    @classmethod
    def of(cls, right: Any, nodes: Any, leaves: Any) -> Self:
        """Average the sizes of the trees of the folds."""
        return cls(np.asarray(right), float(np.mean(nodes)), float(np.mean(leaves)))

    @property
    def accuracy(self) -> float:
        """The share of all rows that it got right when they were held out."""
        return float(self.right.mean())

    def cells(self) -> tuple[str, str]:
        """Accuracy and size as the listing shows them."""
        return f"{self.accuracy:.2%}", f"{self.nodes:.1f} ({self.leaves:.1f})"


@dataclass(frozen=True, eq=False)
class Pair:
    """What our learner and the peer did on one table; `besides` is shown, but not tested."""

    table: tuple[str, ...]
    ours: Outcome
    theirs: Outcome
    besides: Outcome | None = None

    @property
    def alone(self) -> tuple[int, int]:
        """How many rows only ours got right, and how many only theirs."""
        return (
            int((self.ours.right & ~self.theirs.right).sum()),
            int((self.theirs.right & ~self.ours.right).sum()),
        )

    @property
    def difference(self) -> float:
        """Our accuracy less theirs, in points."""
        return 100 * (self.ours.accuracy - self.theirs.accuracy)

    def p_value(self) -> float:
        """McNemar's exact test, two-sided."""
        from scipy.stats import binomtest

        ours, theirs = self.alone
        return float(binomtest(ours, ours + theirs).pvalue) if ours + theirs else 1.0


def holm(p_values: Sequence[float]) -> Any:
    """Holm's step-down correction: the p-values at which each hypothesis falls among all of them."""
    given = np.asarray(p_values)
    order = given.argsort()
    steps = given[order] * np.arange(len(given), 0, -1)
    corrected = np.empty(len(given))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def verdict(difference: float, p: float) -> str:
    """What the corrected test says about ours."""
    return SAME if p >= LEVEL else WORSE if difference < 0 else BETTER


def over_tables(pairs: Sequence[Pair], names: tuple[str, str]) -> str:
    """Wilcoxon's signed-rank test on the differences, zeros shared between both sides, in a sentence."""
    from scipy.stats import wilcoxon

    differences = np.array([pair.difference for pair in pairs]).round(9)
    p = float(wilcoxon(differences, zero_method="zsplit").pvalue)
    ours, theirs = names
    return (
        f"Over the {len(pairs)} tables {ours} is better on {(differences > 0).sum()}, equal on "
        f"{(differences == 0).sum()} and worse on {(differences < 0).sum()}; the mean difference is "
        f"{differences.mean():+.2f} points. Wilcoxon's signed-rank test of {ours} against {theirs}: p = {p:.3f}."
    )


def listing(title: str, remark: str, names: tuple[str, str], pairs: Sequence[Pair]) -> Listing:
    """A line for each table, and the test over all of them."""
    ours, theirs = names
    head = [
        "table",
        "rows",
        "columns",
        "classes",
        "missing",
        ours,
        "nodes (leaves)",
        theirs,
        "nodes (leaves)",
    ]
    head += ["unpruned", "nodes (leaves)"] if any(pair.besides for pair in pairs) else []
    head += ["difference", "right alone", "p", f"{ours} is"]
    lines = []
    for pair, p in zip(pairs, holm([pair.p_value() for pair in pairs]), strict=True):
        mine, other = pair.alone
        said = (f"{pair.difference:+.2f}", f"{mine} : {other}", f"{p:.3f}", verdict(pair.difference, p))
        besides = pair.besides.cells() if pair.besides else ()
        lines.append((*pair.table, *pair.ours.cells(), *pair.theirs.cells(), *besides, *said))
    return Listing(title, remark, tuple(head), tuple(lines), over_tables(pairs, names))
