"""Comparison of learners over many data sets by ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of, share
from induce.core.errors import InputError
from induce.core.progress import progress, report
from induce.core.randomness import RandomState
from induce.data.dataset import Dataset
from induce.evaluation.comparing.comparison import Pair
from induce.evaluation.comparing.significance import SIGN, WILCOXON
from induce.evaluation.comparing.trials import (
    Learners,
    by_name,
    check_classes,
    common_kind,
    run_trials,
    scorings_of,
    unheard,
)
from induce.evaluation.estimating.kinds import CLASSES, DENSITY, actual_values
from induce.evaluation.estimating.splits import plan
from induce.evaluation.losses.measure import score_text
from induce.evaluation.reports import html_table, text_table
from induce.hypotheses.naming import plural
from induce.statistics.ranks import Ranking, friedman
from induce.statistics.verdict import p_text
from induce.statistics.verdicts import holm, sign, wilcoxon

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

_PAIRWISE = {WILCOXON: wilcoxon, SIGN: sign}


@dataclass(frozen=True, eq=False)
class DatasetsComparison:
    """A comparison of learners over several data sets.

    Parameters
    ----------
    names, datasets : tuple of str
        Names of the learners and of the data sets.
    scores : array of float64, shape (data sets, learners)
        Scores by data set (rows) and learner (columns).
    measure : str
        Measure of the scores, such as ``"error"``.
    higher : bool
        Whether higher is better.
    ranking : Ranking or None
        Friedman's test, mean ranks and Nemenyi's critical difference; None for two learners.
    pairs : tuple of Pair
        All pairs of learners, by Wilcoxon's test or the sign test over the data sets, with Holm's correction.
    confidence : float
        Confidence level; the significance level of the tests is 1 minus it.
    method : str
        Source of the scores.
    """

    names: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: Floats = field(repr=False)
    measure: str
    higher: bool
    ranking: Ranking | None
    pairs: tuple[Pair, ...]
    confidence: float = 0.95
    method: str = "given scores"

    def wins(self, one: str, other: str) -> tuple[int, int, int]:
        """Return the numbers of data sets on which the first is better, both tie, and the second is better."""
        first, second = (self.scores[:, self.names.index(name)] for name in (one, other))
        gain = first - second if self.higher else second - first
        return int((gain > 0).sum()), int((gain == 0).sum()), int((gain < 0).sum())

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        rows = [
            (name, *map(score_text, row))
            for name, row in zip(self.datasets, self.scores.tolist(), strict=True)
        ]
        if self.ranking is not None:
            rows.append(("mean rank", *(f"{rank:.2f}" for rank in self.ranking.mean_ranks)))
        return (self.measure, *self.names), rows

    def _verdicts(self) -> list[str]:
        alpha = 1 - self.confidence
        lines = []
        if self.ranking is not None:
            differ = (
                "the learners differ"
                if self.ranking.p_value <= alpha
                else "no evidence that the learners differ"
            )
            lines = [
                f"{differ}: {p_text(self.ranking.p_value)} (Friedman, Iman and Davenport); Nemenyi's "
                f"critical difference of mean ranks is {self.ranking.critical_difference(alpha):.2f}"
            ]
        for pair in self.pairs:
            better, equal, worse = self.wins(pair.first, pair.second)
            record = f"{better} won, {equal} tied, {worse} lost"
            lines.append(f"{pair.first} and {pair.second}: {pair.says(alpha)} ({record})")
        return lines

    @property
    def title(self) -> str:
        """Measure, method and test in one line."""
        corrected = f", p-values corrected for {len(self.pairs)} pairs (Holm)" if len(self.pairs) > 1 else ""
        test = self.pairs[0].verdict.method
        return f"{plural(len(self.datasets), 'data set')}, {self.method}; {test}{corrected}"

    def __str__(self) -> str:
        return "\n".join([self.title, text_table(*self._table()), "", *self._verdicts()])

    def _repr_html_(self) -> str:
        verdicts = "<br>".join(map(escape, self._verdicts()))
        return f"{html_table(self.title, *self._table())}<p>{verdicts}</p>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return the critical-difference diagram: mean ranks on an axis, bars under groups that do not differ."""
        from induce.statistics.critical_difference import draw_ranking

        if self.ranking is None:
            raise InputError(
                "a critical-difference diagram needs at least three learners; give three or more"
            )
        return draw_ranking(self.ranking, ax, 1 - self.confidence)


def compare_over(
    learners: Learners,
    datasets: Mapping[str, Any] | Iterable[Dataset],
    cv: Any = 10,
    *,
    repeats: int = 1,
    test: str = WILCOXON,
    score: Any = None,
    confidence: float = 0.95,
    test_size: float | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> DatasetsComparison:
    """Compare learners over many data sets by ranks (after Demšar).

    On each data set all learners get the same splits. Averaging errors over different data sets is not meaningful, so
    the tests use ranks: Friedman's test over all learners, Wilcoxon's or the sign test for each pair.

    Parameters
    ----------
    learners : dict or list
        Learners, by name or named after their classes.
    datasets : dict or list
        Pairs ``(X, y)`` or `Dataset` objects by name, or a list of `Dataset` objects. For density estimators `y` is
        None.
    cv, repeats, test_size, score, n_jobs, random_state
        Parameters of `compare`.
    test : {"wilcoxon", "sign"}
        Test for pairs of learners.
    confidence : float
        Confidence level; the significance level of all tests is 1 minus it.

    Examples
    --------
    >>> import induce
    >>> tables = [induce.dataset(name) for name in ("iris", "wine", "restaurant")]
    >>> found = compare_over([induce.C45(), induce.DecisionStump()], tables, cv=3)
    >>> found.wins("C45", "DecisionStump")
    (2, 1, 0)
    """
    named = by_name(learners)
    kind = common_kind(named)
    one_of("test", test, _PAIRWISE)
    tables = _by_name(datasets, kind)
    rows, method, what = [], "", ("", False)
    for place, (name, (X, y)) in enumerate(tables.items()):
        try:
            actual = actual_values(kind, X, y, next(iter(named)))
            made = plan(
                X,
                actual,
                cv,
                repeats=repeats,
                test_size=test_size,
                stratify=kind == CLASSES,
                random_state=random_state,
            )
            if kind == CLASSES:
                check_classes(actual, made.splits)
            scorings = scorings_of(named, score, actual, kind)
            with progress(unheard):
                trials = run_trials(named, X, y, actual, made, scorings, n_jobs=n_jobs)
        except InputError as problem:
            raise InputError(f"data set {name}: {problem}") from problem
        rows.append([trial.scores.mean() for trial in trials.values()])
        method, scoring = made.method, next(iter(scorings.values()))
        what = scoring.name, scoring.higher
        report((place + 1) / len(tables))
    return _compared(np.array(rows), tuple(named), tuple(tables), what, test, confidence, method)


def rank_over(
    scores: Any,
    names: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    *,
    higher: bool = False,
    test: str = WILCOXON,
    confidence: float = 0.95,
) -> DatasetsComparison:
    """Compare learners by precomputed scores, one row per data set.

    Parameters
    ----------
    scores : dict, frame or array
        Scores on each data set by learner, or a table with a column per learner and a row per data set.
    names, datasets : sequence of str, optional
        Names of the learners, unless the columns are named, and of the data sets.
    higher : bool
        Whether higher scores are better.
    test : {"wilcoxon", "sign"}
        Test for pairs of learners.
    confidence : float
        Confidence level; the significance level of all tests is 1 minus it.

    Examples
    --------
    >>> errors = {"tree": [0.1, 0.2, 0.1, 0.05, 0.3], "rules": [0.2, 0.3, 0.2, 0.1, 0.2], "net": [0.3] * 5}
    >>> found = rank_over(errors)
    >>> found.ranking.mean_ranks
    array([1.3, 1.9, 2.8])
    """
    one_of("test", test, _PAIRWISE)
    table, found = _score_table(scores)
    known = tuple(map(str, names if names is not None else found or _numbered("learner", table.shape[1])))
    rows = tuple(map(str, datasets if datasets is not None else _numbered("data set", len(table))))
    for what, given, wanted in (("names", known, table.shape[1]), ("datasets", rows, len(table))):
        if len(given) != wanted:
            raise InputError(f"{what} has {len(given)} names, but scores has {wanted}; give one name each")
        if len(set(given)) < len(given):
            raise InputError(f"{what} contains a name twice; give unique names")
    return _compared(table, known, rows, ("score" if higher else "error", higher), test, confidence)


def _compared(
    scores: Floats,
    names: tuple[str, ...],
    datasets: tuple[str, ...],
    what: tuple[str, bool],
    test: str,
    confidence: float,
    method: str = "given scores",
) -> DatasetsComparison:
    share("confidence", confidence)
    if len(datasets) < 2:
        raise InputError(
            "one data set does not allow conclusions about others; give two or more, or use compare "
            "for this one"
        )
    missing = np.argwhere(~np.isfinite(scores))
    if missing.size:
        row, column = missing[0]
        raise InputError(
            f"scores has {scores[row, column]} for {names[column]} on {datasets[row]}; leave that data set out"
        )
    couples = list(combinations(range(len(names)), 2))
    differences = [scores[:, one] - scores[:, other] for one, other in couples]
    verdicts = [_PAIRWISE[test](each) for each in differences]
    adjusted = holm([verdict.p_value for verdict in verdicts]).tolist()
    pairs = tuple(
        Pair(names[one], names[other], each, verdict, p_value, *what)
        for (one, other), each, verdict, p_value in zip(couples, differences, verdicts, adjusted, strict=True)
    )
    ranking = friedman(scores, names, lower_is_better=not what[1]) if len(names) > 2 else None
    return DatasetsComparison(names, datasets, scores, *what, ranking, pairs, confidence, method)


def _by_name(datasets: Any, kind: str) -> dict[str, tuple[Any, Any]]:
    if isinstance(datasets, Mapping):
        items = [(str(name), table) for name, table in datasets.items()]
    else:
        given = list(datasets)
        if not all(isinstance(table, Dataset) for table in given):
            raise TypeError(
                "datasets must be a dict from names to pairs (X, y), or a list of Dataset objects"
            )
        items = [(table.name or f"data set {place}", table) for place, table in enumerate(given, start=1)]
    found: dict[str, tuple[Any, Any]] = {}
    for name, table in items:
        if name in found:
            raise InputError(f"two data sets are called {name}; give them as a dict with unique names")
        try:
            X, y = table
        except (TypeError, ValueError):
            raise TypeError(f"data set {name} must be a pair (X, y) or a Dataset, not {table!r}") from None
        if y is None and kind != DENSITY:
            raise InputError(f"data set {name} has no target; name its target when reading it")
        found[name] = X, y
    return found


def _score_table(scores: Any) -> tuple[Floats, tuple[str, ...] | None]:
    names = None
    if isinstance(scores, Mapping):
        names, scores = tuple(scores), list(zip(*scores.values(), strict=False))
    elif hasattr(scores, "columns"):
        names = tuple(map(str, scores.columns))
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "scores must be numbers, with one row per data set and one column per learner"
        ) from None
    if table.ndim != 2 or table.shape[1] < 2:
        raise InputError(
            f"scores has the shape {table.shape}; give one row per data set and one column for each of "
            "two or more learners"
        )
    return table, names


def _numbered(what: str, count: int) -> list[str]:
    return [f"{what} {place}" for place in range(1, count + 1)]
