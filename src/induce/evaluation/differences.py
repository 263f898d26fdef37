"""Differences between two hypotheses: their text, their predictions, and the significance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.evaluation.fixed_hypothesis import given
from induce.evaluation.predictors import hypothesis_of, predicts_numbers
from induce.statistics.verdict import Verdict
from induce.statistics.verdicts import mcnemar, paired_t

COUNTS = re.compile(r" \([\d.,]+/[\d.,]+\)$")
"""Pattern of coverage counts, which change with every row."""
MOST_SHOWN = 20
ROWS_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Answers:
    """Predictions of two hypotheses for the same rows.

    Parameters
    ----------
    n : int
        Number of rows.
    rows : array of int
        Rows with different predictions.
    first, second : array
        Predictions for these rows.
    errors : tuple of float or None
        Error rate, or mean absolute error, of each hypothesis if the true values are known.
    verdict : Verdict or None
        Significance of the difference: McNemar's test for classification, the paired t test for regression.
    """

    n: int
    rows: NDArray[np.intp]
    first: NDArray[Any]
    second: NDArray[Any]
    errors: tuple[float, float] | None = None
    verdict: Verdict | None = None

    def lines(self, names: tuple[str, str]) -> list[str]:
        """Return the report about the predictions."""
        found = [f"{len(self.rows):,} of {self.n:,} predictions differ"]
        for row, one, other in zip(self.rows[:ROWS_SHOWN], self.first, self.second, strict=False):
            found.append(f"  row {row + 1}: {_said(one)} by {names[0]}, {_said(other)} by {names[1]}")
        if len(self.rows) > ROWS_SHOWN:
            found.append(f"  … and {len(self.rows) - ROWS_SHOWN:,} more")
        if self.errors is not None and self.verdict is not None:
            one, other = self.errors
            found.append(
                f"error {one:.3f} of {names[0]}, {other:.3f} of {names[1]}: {self.verdict.says(*names)}"
            )
        return found


@dataclass(frozen=True, eq=False)
class ModelDifference:
    """Differences between two hypotheses.

    Parameters
    ----------
    names : (str, str)
    what : str
        Type of the compared items: rules, or lines of text.
    gone, added : tuple of str
        Items only in the first, and items only in the second.
    kept : int
        Number of common items.
    tests_gone, tests_added : tuple of str
        Rule conditions only in the first, and only in the second.
    sizes : (str, str)
        Sizes of the hypotheses, in their own terms.
    answers : Answers or None
    """

    names: tuple[str, str]
    what: str
    gone: tuple[str, ...]
    added: tuple[str, ...]
    kept: int
    tests_gone: tuple[str, ...]
    tests_added: tuple[str, ...]
    sizes: tuple[str, str]
    answers: Answers | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name."""
        from induce.core.plain import plain

        found: dict[str, Any] = {
            "names": list(self.names),
            "sizes": list(self.sizes),
            "compared": self.what,
            "gone": list(self.gone),
            "added": list(self.added),
            "kept": self.kept,
            "tests_gone": list(self.tests_gone),
            "tests_added": list(self.tests_added),
        }
        if self.answers is not None:
            found["answers"] = {
                "rows": self.answers.n,
                "different": len(self.answers.rows),
                "errors": plain(self.answers.errors),
                "p_value": None if self.answers.verdict is None else plain(self.answers.verdict.p_value),
            }
        return found

    def __str__(self) -> str:
        first, second = self.names
        lines = [f"{first}: {self.sizes[0]}", f"{second}: {self.sizes[1]}"]
        if not self.gone and not self.added:
            lines.append(f"the same {self.what}")
        else:
            lines.append(f"{self.what}: {self.kept} kept, {len(self.gone)} gone, {len(self.added)} added")
            lines += _marked("- ", self.gone) + _marked("+ ", self.added)
        if self.tests_gone or self.tests_added:
            lines.append(f"tests: {len(self.tests_gone)} gone, {len(self.tests_added)} added")
            lines += _marked("- ", self.tests_gone) + _marked("+ ", self.tests_added)
        if self.answers is not None:
            lines += ["", *self.answers.lines(self.names)]
        return "\n".join(lines)


def difference(
    first: Any, second: Any, X: Any = None, y: Any = None, names: tuple[str, str] = ("first", "second")
) -> ModelDifference:
    """Compare two hypotheses, and their predictions if rows are given.

    Parameters
    ----------
    first, second : Hypothesis or fitted learner
        Hypotheses or fitted learners to compare.
    X : frame or array, or a pair of them, optional
        Rows; a pair if each hypothesis uses its own encoding.
    y : array, optional
        True value of each row.
    names : (str, str)
        Names of the two hypotheses in the report.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(difference(induce.ID3().fit(X, y), induce.ID3(max_depth=1).fit(X, y), X, y, ("deep", "flat")))
    deep: 8 nodes, 5 leaves, depth 2
    flat: 4 nodes, 3 leaves, depth 1
    rules: 1 kept, 4 gone, 2 added
    - IF Outlook = Sunny AND Humidity = High THEN No
    - IF Outlook = Sunny AND Humidity = Normal THEN Yes
    - IF Outlook = Rain AND Wind = Weak THEN Yes
    - IF Outlook = Rain AND Wind = Strong THEN No
    + IF Outlook = Sunny THEN No
    + IF Outlook = Rain THEN Yes
    tests: 4 gone, 0 added
    - Humidity = High
    - Humidity = Normal
    - Wind = Weak
    - Wind = Strong
    <BLANKLINE>
    4 of 14 predictions differ
      row 6: No by deep, Yes by flat
      row 9: Yes by deep, No by flat
      row 11: Yes by deep, No by flat
      row 14: No by deep, Yes by flat
    error 0.000 of deep, 0.286 of flat: no evidence of a difference: p = 0.12
    """
    one, other = _hypothesis(first), _hypothesis(second)
    if one.targets() != other.targets() or one.answer != other.answer:
        raise InputError(
            f"{names[0]} predicts {_targets(one)} and {names[1]} predicts {_targets(other)}; compare "
            "models with the same target"
        )
    ruled = one.can("rules") and other.can("rules")
    parts = [_rules(each) if ruled else _lines(each) for each in (one, other)]
    tests = [_tests(each) if ruled else [] for each in (one, other)]
    return ModelDifference(
        names,
        "rules" if ruled else "lines",
        _only(parts[0], parts[1]),
        _only(parts[1], parts[0]),
        len(set(parts[0]) & set(parts[1])),
        _only(tests[0], tests[1]),
        _only(tests[1], tests[0]),
        (one.size(), other.size()),
        None if X is None else _answers(one, other, X, y),
    )


def _answers(one: Any, other: Any, X: Any, y: Any) -> Answers:
    X1, X2 = X if isinstance(X, tuple) else (X, X)
    first, second = given(one).predict(X1), given(other).predict(X2)
    if predicts_numbers(one):
        scale = np.maximum(np.abs(first), np.abs(second))
        rows = np.flatnonzero(np.abs(first - second) > 1e-9 * np.maximum(scale, 1.0))
    else:
        rows = np.flatnonzero(first != second)
    if y is None:
        return Answers(len(first), rows, first[rows], second[rows])
    actual = np.asarray(y)
    if predicts_numbers(one):
        off = [np.abs(each - actual.astype(np.float64)) for each in (first, second)]
        verdict = paired_t(off[0] - off[1])
    else:
        off = [np.asarray(each != actual, dtype=np.float64) for each in (first, second)]
        verdict = mcnemar(int((off[0] > off[1]).sum()), int((off[1] > off[0]).sum()), n=len(actual))
    errors = float(off[0].mean()), float(off[1].mean())
    return Answers(len(first), rows, first[rows], second[rows], errors, verdict)


def _hypothesis(thing: Any) -> Any:
    found = hypothesis_of(thing)
    if found is None:
        raise TypeError(
            f"only hypotheses and fitted learners of induce can be compared, not {type(thing).__name__}"
        )
    return found


def _targets(hypothesis: Any) -> str:
    return ", ".join(map(repr, hypothesis.targets())) or "no target"


def _rules(hypothesis: Any) -> list[str]:
    return [
        COUNTS.sub("", line) for line in str(hypothesis.to_rules()).splitlines() if line.startswith("IF ")
    ]


def _tests(hypothesis: Any) -> list[str]:
    """Return the conditions of the rules in order."""
    rules = getattr(hypothesis.to_rules(), "rules", ())
    return list(dict.fromkeys(str(condition) for rule in rules for condition in rule.conditions))


def _lines(hypothesis: Any) -> list[str]:
    return [COUNTS.sub("", line.rstrip()) for line in str(hypothesis).splitlines() if line.strip()]


def _only(these: list[str], those: list[str]) -> tuple[str, ...]:
    there = set(those)
    return tuple(dict.fromkeys(each for each in these if each not in there))


def _marked(mark: str, texts: tuple[str, ...]) -> list[str]:
    more = [f"{mark}… {len(texts) - MOST_SHOWN:,} more"] if len(texts) > MOST_SHOWN else []
    return [mark + shortened(text, 160) for text in texts[:MOST_SHOWN]] + more


def _said(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
