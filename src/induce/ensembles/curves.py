"""Errors and margins of a vote by the number of members (AIMA figure 18.35)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.ensembles.members import codes_in
from induce.hypotheses.naming import plural
from induce.pictures.style import DARK, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.ensembles.hypothesis import Ensemble

Floats = NDArray[np.float64]

QUANTILES = (0.0, 0.1, 0.5)


@dataclass(frozen=True, eq=False)
class VoteCurve:
    """Errors and margins of an ensemble by the number of its members, from the first one on.

    The margin of a row is the fraction of the weight for its class minus the largest fraction for another
    class. It is positive for a correct row, and larger for a clearer vote.

    Parameters
    ----------
    errors : dict of str to array
        Error rate by the number of members, for each set of rows.
    margins : dict of str to array, shape (members, 3)
        Minimum, lowest decile and median of the margin, for each set of rows.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(induce.AdaBoost(n_estimators=6).fit(X, y).hypothesis_.curve({"training": (X, y)}))
    members  training error  least margin
          1           0.167         -1.00
          2           0.250         -0.04
          3           0.083         -0.25
          4           0.167         -0.05
          5           0.000          0.12
          6           0.000          0.06
    """

    errors: dict[str, Floats]
    margins: dict[str, Floats]

    def __str__(self) -> str:
        n = len(next(iter(self.errors.values())))
        shown = _spread(n)
        heads = ["members", *(f"{name} error" for name in self.errors), "least margin"]
        first = next(iter(self.margins.values()))
        rows = [
            [str(k + 1), *(f"{errors[k]:.3f}" for errors in self.errors.values()), f"{first[k, 0]:.2f}"]
            for k in shown
        ]
        wide = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        return "\n".join(
            "  ".join(f"{cell:>{width}}" for cell, width in zip(line, wide, strict=True))
            for line in (heads, *rows)
        )

    def draw(self) -> Figure:
        """Return a figure: accuracy on all rows, and the margins of the first set of rows."""
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator

        figure = Figure(figsize=(9.0, 3.8), layout="constrained")
        left, right = figure.subplots(1, 2)
        for (name, errors), colour in zip(self.errors.items(), PALETTE, strict=False):
            members = np.arange(1, len(errors) + 1)
            left.plot(members, 1 - errors, color=colour, lw=1.8, label=f"{name}: {1 - errors[-1]:.3f}")
        name, margins = next(iter(self.margins.items()))
        labels = ("least", "lowest tenth", "median")
        for k, label in enumerate(labels):
            right.plot(np.arange(1, len(margins) + 1), margins[:, k], color=PALETTE[k], lw=1.8, label=label)
        right.axhline(0, color=DARK, lw=0.8)
        left.set(xlabel="members", ylabel="share of correct rows")
        right.set(xlabel="members", ylabel=f"margin of the {name} rows")
        for axes in (left, right):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.legend(frameon=False, fontsize=9, loc="lower right")
            tidy(axes)
        return figure


def vote_curve(ensemble: Ensemble, rows: Mapping[str, tuple[Any, Any]]) -> VoteCurve:
    """Compute errors and margins on several sets of rows, for increasing numbers of members."""
    if not rows:
        raise InputError("rows is empty; give a dict such as {'training': (X, y)}")
    errors, margins = {}, {}
    for name, (X, y) in rows.items():
        actual = codes_in(y, ensemble.classes)
        scores: Floats = np.zeros((len(actual), len(ensemble.classes)))
        wrong, found = [], []
        for votes in ensemble.votes(X):
            if len(votes) != len(actual):
                raise InputError(
                    f"{name!r} has {plural(len(votes), 'row')} and "
                    f"{plural(len(actual), 'class')[:-1]}es; give one class per row"
                )
            scores += votes
            wrong.append(float(np.mean(scores.argmax(axis=1) != actual)))
            found.append(np.quantile(_margins(scores, actual), QUANTILES))
        errors[name], margins[name] = np.array(wrong), np.array(found)
    return VoteCurve(errors, margins)


def _margins(scores: Floats, actual: NDArray[np.int64]) -> Floats:
    rows = np.arange(len(scores))
    own = scores[rows, actual]
    others = scores.copy()
    others[rows, actual] = -np.inf
    rivals = others.max(axis=1) if scores.shape[1] > 1 else np.zeros(len(scores))
    return np.asarray((own - rivals) / np.maximum(scores.sum(axis=1), 1e-300))


def _spread(n: int) -> list[int]:
    """Return at most a dozen of `n` indices, dense at the beginning and including the last."""
    return sorted({*range(min(n, 6)), *(int(k) for k in np.geomspace(6, n, 7) - 1 if k < n), n - 1})
