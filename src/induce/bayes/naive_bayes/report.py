"""Naive Bayes as text: the weight of evidence of each value for each class, with counts and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.bayes.naive_bayes.column import ColumnModel
from induce.bayes.naive_bayes.nominal import NominalColumn
from induce.bayes.naive_bayes.numeric import SMALLEST, KernelColumn, NumericColumn
from induce.bayes.naive_bayes.smoothing import weights_of_evidence
from induce.bayes.naive_bayes.words import WordsColumn
from induce.core.ties import levelled, ranked
from induce.counts.additive import Floats
from induce.hypotheses.naming import count_text, mean_text, plural, spread_text, value_text
from induce.statistics.constants import z

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel

MOST_VALUES = 12
"""Maximum number of printed values per column and class: the strongest evidence."""
MOST_COLUMNS = 20
"""Maximum number of printed columns per class: the strongest evidence."""
MOST_CLASSES = 20
CONFIDENCE = 0.95
RULED_OUT = 20.0
"""Limit of log odds in the ordering of columns, for values that the other classes never have."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence of the values of one column.

    Parameters
    ----------
    labels : list of str
    counts : array of float64, shape (values, classes)
    totals : array of float64
        Number of rows or words of each class.
    weight, low, high : arrays of float64, shape (values, classes)
        Log ratio of the probabilities of the value in a class and in the others, with its interval.
    """

    labels: Sequence[str]
    counts: Floats
    totals: Floats
    weight: Floats
    low: Floats
    high: Floats

    def strongest(self, place: int, most: int = MOST_VALUES) -> list[int]:
        """Return the values with the strongest evidence for or against a class, sorted from for to against.

        Values that no row has are omitted.
        """
        weight, counts = self.weight[:, place], self.counts.sum(axis=1)
        order = np.lexsort((-counts, -levelled(np.abs(weight))))
        order = order[counts[order] > 0][:most]
        return ranked(order.tolist(), lambda value: weight[value])


def evidence_of(column: ColumnModel) -> Evidence | None:
    """Return the evidence of the values of a column; None for a column with a density."""
    if isinstance(column, NominalColumn):
        labels, counts, pseudo = column.labels(), column.table, column.pseudo
        if column.as_values:
            name = value_text(column.column.name)
            labels = [*labels, f"{name} was not seen in training", f"{name} is missing"]
        totals = counts.sum(axis=0)
    elif isinstance(column, WordsColumn):
        name = value_text(column.column.name)
        labels = [f"{name}: {value_text(word)}" for word in column.vocabulary]
        counts, pseudo = column.counts.table(column.kept), np.full(len(column.kept), column.alpha)
        totals = column.texts if column.variant == "bernoulli" else column.totals
    else:
        return None
    weight, deviation = weights_of_evidence(counts, pseudo)
    sure = np.isfinite(weight) & np.isfinite(deviation)
    reach = np.where(sure, z(CONFIDENCE) * np.where(sure, deviation, 0.0), np.inf)
    centre = np.where(sure, weight, 0.0)
    return Evidence(labels, counts, totals, weight, centre - reach, centre + reach)


def report(model: NaiveBayesModel) -> str:
    """Print the classes with their evidence, strongest columns first.

    With two classes, only the evidence for the second is printed.
    """
    classes = [value_text(value) for value in model.classes]
    if len(classes) == 1:
        return f"always {classes[0]}"
    shown = range(len(classes)) if len(classes) > 2 else range(1, 2)
    found = [(column, evidence_of(column)) for column in model.columns]
    parts = [_heading(model)]
    for place in shown[:MOST_CLASSES]:
        rival = classes[0] if len(classes) == 2 else "the others"
        parts += ["", f"{classes[place]} against {rival}: log odds, {100 * CONFIDENCE:g}% interval, count"]
        said = ranked(found, partial(_strength, place=place))
        lines = [line for each in said[:MOST_COLUMNS] for line in _lines(model, *each, place)]
        if len(said) > MOST_COLUMNS:
            lines.append((f"and {plural(len(said) - MOST_COLUMNS, 'column')} with weaker evidence", ""))
        width = max((len(label) for label, rest in lines if rest), default=0)
        parts += [f"  {label:{width}}  {rest}" if rest else f"  {label}" for label, rest in lines]
    if len(shown) > MOST_CLASSES:
        parts += ["", f"and {len(shown) - MOST_CLASSES:,} other classes"]
    return "\n".join(parts)


def _strength(found: tuple[ColumnModel, Evidence | None], place: int) -> float:
    """Return the mean log odds that a column gives rows of a class: the strength of its evidence for that class.

    For values it is the divergence of their probabilities in the class from those in the others; for numbers,
    the divergence of two normal densities.
    """
    column, evidence = found
    if evidence is not None:
        weight, count = evidence.weight[:, place], evidence.counts[:, place]
        there = count > 0  # a value that the class does not have may have minus infinity
        finite = np.clip(weight[there], -RULED_OUT, RULED_OUT)
        return float(count[there] @ finite) / max(float(evidence.totals[place]), 1.0)
    if not isinstance(column, NumericColumn):
        return 0.0
    others = np.arange(len(column.holes)) != place
    mean, variance = (each[place] for each in column.spread)
    rest = column.moments[others].total()
    spread = max(float(rest.variance), SMALLEST)
    with np.errstate(over="ignore", invalid="ignore"):  # huge numbers
        said = 0.5 * (np.log(spread / variance) + (variance + (mean - rest.mean) ** 2) / spread - 1)
    return float(np.nan_to_num(said, nan=0.0))


def _heading(model: NaiveBayesModel) -> str:
    counts = model.class_counts.tolist()
    named = [
        f"{value_text(value)} {share:.3g} ({count_text(count)})"
        for value, share, count in zip(model.classes, model.priors.tolist(), counts, strict=True)
    ]
    more = f", and {len(named) - MOST_CLASSES:,} more" if len(named) > MOST_CLASSES else ""
    return f"P({value_text(model.target)}): " + ", ".join(named[:MOST_CLASSES]) + more


def _lines(
    model: NaiveBayesModel, column: ColumnModel, evidence: Evidence | None, place: int
) -> list[tuple[str, str]]:
    """Return the evidence of one column for a class as lines of values and numbers."""
    if evidence is None:
        return [(_density(model, column, place), "")] if isinstance(column, NumericColumn) else []
    if len(evidence.labels) == 1:  # intervals without a cut point
        return [(f"{value_text(column.column.name)} carries no evidence", "")]
    others = float(evidence.totals.sum() - evidence.totals[place])
    lines = []
    for value in evidence.strongest(place):
        weight, low, high = (each[value, place] for each in (evidence.weight, evidence.low, evidence.high))
        interval = f"[{low:+.2f}, {high:+.2f}]" if np.isfinite([low, high]).all() else ""
        here = float(evidence.counts[value, place])
        there = float(evidence.counts[value].sum()) - here
        share = f"{count_text(here)}/{count_text(float(evidence.totals[place]))}"
        lines.append(
            (
                evidence.labels[value],
                f"{weight:+6.2f}  {interval:16}  {share} against {count_text(there)}/{count_text(others)}",
            )
        )
    left = int(np.count_nonzero(evidence.counts.sum(axis=1))) - len(lines)
    more = [(f"and {plural(left, 'more value')} of {value_text(column.column.name)}", "")]
    return [*lines, *(more if left else [])]


def _density(model: NaiveBayesModel, column: NumericColumn, place: int) -> str:
    """Return the numbers of a class compared with the other classes as text."""
    others = np.arange(len(model.classes)) != place
    sides = []
    for moments in (column.moments[place], column.moments[others].total()):
        mean, deviation = float(moments.mean), float(np.sqrt(moments.variance))
        spread = spread_text(mean, mean_text(deviation, digits=3), column.column.counted)
        sides.append(f"{spread} ({count_text(float(moments.count))})")
    kind = ""
    if isinstance(column, KernelColumn):
        kind = f", kernels of width {column.widths[place]:.3g}"
    return f"  {value_text(column.column.name)}: {sides[0]} against {sides[1]}{kind}"


def evidence_frame(model: NaiveBayesModel) -> Any:
    """Return the evidence of all values, intervals and words as a polars frame."""
    import polars as pl

    names = {
        "column": pl.String,
        "value": pl.String,
        "class": pl.String,
        "count": pl.Float64,
        "of": pl.Float64,
    }
    names |= dict.fromkeys(("weight", "low", "high"), pl.Float64)
    parts = [pl.DataFrame(schema=names)]
    classes = list(map(str, model.classes))
    for column in model.columns:
        found = evidence_of(column)
        if found is not None:
            n_values = len(found.labels)
            parts.append(
                pl.DataFrame(
                    {
                        "column": [column.column.name] * (n_values * len(classes)),
                        "value": np.repeat(np.array(found.labels, dtype=object), len(classes)).tolist(),
                        "class": classes * n_values,
                        "count": found.counts.ravel(),
                        "of": np.tile(found.totals, n_values),
                        "weight": found.weight.ravel(),
                        "low": found.low.ravel(),
                        "high": found.high.ravel(),
                    },
                    schema=names,
                )
            )
    return pl.concat(parts)
