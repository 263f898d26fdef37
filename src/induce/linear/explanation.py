"""Explanation of a linear model: the contribution of each column to the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.ties import largest_first
from induce.core.values import Value
from induce.data.table import MISSING, Table
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from induce.linear.model import LinearClassifier, LinearFunction

Floats = NDArray[np.float64]

SHOWN = 8
"""Maximum number of printed contributions."""
NOTHING = 1e-12
"""Fraction of the total up to which contributions are rounding errors: a cell at the mean adds nothing."""


@dataclass(frozen=True)
class LinearPart:
    """Contribution of a column, a power or a product to the sum, relative to the mean of the training rows."""

    name: str
    cell: str
    adds: float


@dataclass(frozen=True)
class LinearExplanation(Explained):
    """A prediction as a sum: `base` plus the contributions make `score`.

    Parameters
    ----------
    prediction : number or class
        Predicted number or class.
    score : float
        Weighted sum of the deciding output.
    base : float
        Sum for a row with all terms at their training means.
    parts : tuple of LinearPart
        Contributions, largest first.
    probability : float or None
        Probability of the predicted class.
    output : str
        Class of the sum; empty for regression.
    """

    prediction: Value | tuple[float, ...]
    score: float
    base: float
    parts: tuple[LinearPart, ...]
    probability: float | None
    output: str

    def __str__(self) -> str:
        said = _said(self.prediction)
        chance = "" if self.probability is None else f" (probability {self.probability:.3g})"
        of = f" for {self.output}" if self.output else ""
        lines = [
            f"{said}{chance} because the sum{of} is {self.score:.4g}",
            f"  {self.base:>9.4g}  at the means",
        ]
        lines += [f"  {part.adds:>+9.4g}  {part.name} = {part.cell}" for part in self.parts[:SHOWN]]
        rest = self.parts[SHOWN:]
        if rest:
            lines.append(f"  {sum(part.adds for part in rest):>+9.4g}  {plural(len(rest), 'smaller part')}")
        return "\n".join(lines)


def explained(model: LinearFunction, table: Table) -> tuple[LinearExplanation, ...]:
    """Explain each row of an encoded table."""
    classes = getattr(model, "classes", None)
    if classes is not None and len(classes) == 1:
        return tuple(LinearExplanation(classes[0], 0.0, 0.0, (), 1.0, "") for _ in range(len(table)))
    sums = model.sums(table)
    said, outputs, chances = _decisions(model, sums)
    groups = list(model.design.groups())
    values = [_values(model, table, places) for _, places in groups]
    cells = [_cells(model, table, places) for _, places in groups]
    names = [
        column.name if column is not None else model.design.names[places[0]] for column, places in groups
    ]
    found = []
    for row in range(len(table)):
        output = outputs[row]
        weights = model.weights[output]
        adds = np.array(
            [
                float(weights[places] @ (value[row] - model.known.means[places]))
                for (_, places), value in zip(groups, values, strict=True)
            ]
        )
        base = float(model.intercepts[output] + weights @ model.known.means)
        least = NOTHING * (abs(base) + float(np.abs(adds).sum()))
        order = [k for k in largest_first(np.abs(adds)).tolist() if abs(adds[k]) > least] if len(adds) else []
        parts = tuple(
            LinearPart(
                value_text(names[k]) if names[k] in model.schema.names() else names[k],
                cells[k][row],
                float(adds[k]),
            )
            for k in order
        )
        name = model.outputs()[output] if classes is not None else ""
        found.append(LinearExplanation(said[row], float(sums[row, output]), base, parts, chances[row], name))
    return tuple(found)


def _decisions(
    model: LinearFunction, sums: Floats
) -> tuple[list[Value | tuple[float, ...]], list[int], list[float | None]]:
    """Return the prediction for each row, the deciding output, and the probability of a class."""
    if not hasattr(model, "classes"):
        said: list[Value | tuple[float, ...]] = [
            float(row[0]) if len(row) == 1 else tuple(row.tolist()) for row in sums
        ]
        return said, [0] * len(sums), [None] * len(sums)
    classifier: LinearClassifier = model  # type: ignore[assignment]
    two = len(classifier.classes) == 2
    scores = np.column_stack([np.zeros(len(sums)), sums]) if two else sums
    places = classifier._decided(scores)
    shares = classifier._shares(scores) if classifier.link != "threshold" else None
    chances = [None if shares is None else float(shares[row, place]) for row, place in enumerate(places)]
    return [classifier.classes[place] for place in places], [0 if two else int(p) for p in places], chances


def _values(model: LinearFunction, table: Table, places: list[int]) -> Floats:
    return np.column_stack([model.design.values(model.design.terms[place], table) for place in places])


def _cells(model: LinearFunction, table: Table, places: list[int]) -> list[str]:
    """Return the cells read by the given terms as text."""
    factors = model.design.terms[places[0]].factors
    schema = model.design.schema
    texts = []
    for factor in factors:
        column = schema[factor.column]
        cells = table.column(schema.names().index(column.name)).tolist()
        if column.kind == "nominal":
            texts.append(
                [
                    value_text(column.domain[c]) if c >= 0 else "missing" if c == MISSING else "unseen"
                    for c in cells
                ]
            )
        else:
            texts.append(["missing" if cell != cell else f"{cell:.6g}" for cell in cells])
    return [", ".join(row) for row in zip(*texts, strict=True)]


def _said(prediction: Value | tuple[float, ...]) -> str:
    if isinstance(prediction, tuple):
        return ", ".join(f"{number:.4g}" for number in prediction)
    return f"{prediction:.4g}" if isinstance(prediction, float) else value_text(prediction)
