"""Comparison of learners: paired differences on the same splits and their significance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import share
from induce.core.notes import note
from induce.core.randomness import RandomState
from induce.core.ties import first_largest, first_smallest
from induce.data.names import unknown
from induce.evaluation.comparing.significance import CAUTIOUS, check_test, judge, remarks_on, splits_for
from induce.evaluation.comparing.trials import (
    Learners,
    Scoring,
    Trial,
    by_name,
    check_classes,
    common_kind,
    run_trials,
    scorings_of,
)
from induce.evaluation.estimating.kinds import (
    CLASSES,
    NUMBERS,
    actual_values,
    predicts_several,
    remarks_on_densities,
)
from induce.evaluation.estimating.scores import RowScoring
from induce.evaluation.estimating.splits import Plan, plan, rows_of
from induce.evaluation.experience.estimates import Acting, by_acting, refuse_acting
from induce.evaluation.losses.measure import score_text
from induce.evaluation.reports import html_table, text_table
from induce.statistics.verdict import Verdict, p_text
from induce.statistics.verdicts import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pair:
    """A comparison of two learners on the same splits.

    Parameters
    ----------
    first, second : str
        Names of the two learners.
    differences : array of float64
        Score of the first minus the score of the second on each split: the δ of Mitchell's table 5.5.
    verdict : Verdict
        Uncorrected test result for this pair.
    p_value : float
        P-value corrected for the number of pairs by Holm's method.
    measure : str
        Measure of the differences.
    higher : bool
        Whether higher is better.
    """

    first: str
    second: str
    differences: Floats = field(repr=False)
    verdict: Verdict
    p_value: float
    measure: str
    higher: bool

    def differs(self, alpha: float = 0.05) -> bool:
        """Return whether the difference is significant after correction for the number of pairs."""
        share("alpha", alpha)
        return self.p_value <= alpha

    def says(self, alpha: float = 0.05) -> str:
        """Return the verdict as a plain sentence."""
        if not self.differs(alpha):
            return replace(self.verdict, p_value=self.p_value).says(alpha=alpha)
        better = self.first if (self.verdict.difference > 0) == self.higher else self.second
        direction = "higher" if self.higher else "lower"
        return f"{better} has the {direction} {self.measure}: {p_text(self.p_value)}"

    def line(self, alpha: float = 0.05) -> str:
        """Return the verdict with its numbers."""
        verdict = self.verdict
        decimals = 3 if verdict.interval is None else verdict.interval.decimals
        found = [f"difference {verdict.difference:.{decimals}f}"]
        if verdict.interval is not None:
            found.append(verdict.interval.summary)
        if not math.isnan(verdict.effect):
            found.append(f"effect {verdict.effect:.2f}")
        return f"{self.first} and {self.second}: {self.says(alpha)} ({', '.join(found)})"

    def __str__(self) -> str:
        return self.line()


@dataclass(frozen=True, eq=False)
class Comparison:
    """A comparison of learners on the same splits.

    Parameters
    ----------
    names : tuple of str
        Names of the learners, in the given order.
    scores : array of float64, shape (splits, learners)
        Error, or other `measure`, of each learner on each split.
    pairs : tuple of Pair
        All pairs of learners, in the order of `names`.
    measure : str
        Measure of the scores, such as ``"error"``.
    higher : bool
        Whether higher is better.
    method : str
        Resampling method, such as ``"10-fold cross-validation"``.
    n_rows : int
        Number of rows; the total over all samples if fresh samples were drawn.
    confidence : float
        Confidence level of the intervals; the significance level of the verdicts is 1 minus it.
    remarks : tuple of str
        Caveats.
    of : str
        Unit of `n_rows`, such as ``"1,000 episodes"``; rows by default.
    """

    names: tuple[str, ...]
    scores: Floats = field(repr=False)
    pairs: tuple[Pair, ...]
    measure: str
    higher: bool
    method: str
    n_rows: int
    confidence: float = 0.95
    remarks: tuple[str, ...] = ()
    of: str = ""

    @property
    def means(self) -> dict[str, float]:
        """Mean over the splits for each learner."""
        return dict(zip(self.names, self.scores.mean(axis=0).tolist(), strict=True))

    @property
    def best(self) -> str:
        """Learner with the best mean; ties are broken by order."""
        means = self.scores.mean(axis=0)
        return self.names[first_largest(means) if self.higher else first_smallest(means)]

    def pair(self, one: str, other: str) -> Pair:
        """Return the comparison of two learners, named in either order."""
        for name in (one, other):
            if name not in self.names:
                raise unknown("learner", name, self.names)
        return next(pair for pair in self.pairs if {pair.first, pair.second} == {one, other})

    @property
    def title(self) -> str:
        """Measure, method and test in one line."""
        corrected = f", p-values corrected for {len(self.pairs)} pairs (Holm)" if len(self.pairs) > 1 else ""
        test = self.pairs[0].verdict.method
        return f"{self.measure} by {self.method}, {self.of or rows_of(self.n_rows)}; {test}{corrected}"

    def _table(self) -> list[tuple[str, ...]]:
        spread = self.scores.std(axis=0, ddof=1) if len(self.scores) > 1 else None
        return [
            (
                name,
                score_text(mean),
                *([] if spread is None else [f"± {score_text(spread[place])}"]),
            )
            for place, (name, mean) in enumerate(self.means.items())
        ]

    def __str__(self) -> str:
        rows = self._table()
        verdicts = [pair.line(1 - self.confidence) for pair in self.pairs]
        table = text_table(("", "mean", "± sd")[: len(rows[0])], rows)
        return "\n".join([self.title, table, "", *verdicts, *(f"note: {text}" for text in self.remarks)])

    def _repr_html_(self) -> str:
        alpha = 1 - self.confidence
        header = ("pair", "difference", "interval", "effect", "p", "verdict")
        rows = []
        for pair in self.pairs:
            verdict = pair.verdict
            interval = "" if verdict.interval is None else verdict.interval.summary
            effect = "" if math.isnan(verdict.effect) else f"{verdict.effect:.2f}"
            row = (f"{pair.first} and {pair.second}", f"{verdict.difference:.4f}", interval, effect)
            rows.append((*row, p_text(pair.p_value), pair.says(alpha)))
        means = self._table()
        tables = html_table(self.title, ("", "mean", "± sd")[: len(means[0])], means)
        remarks = "".join(f"<p><small>{escape(text)}</small></p>" for text in self.remarks)
        return f"{tables}{html_table('', header, rows)}{remarks}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the differences: a dot per split and the mean with its interval."""
        from induce.evaluation.comparing.pictures import draw_differences

        return draw_differences(self, ax)


def compare(
    learners: Learners,
    X: Any,
    y: Any = None,
    cv: Any = 10,
    *,
    repeats: int = 1,
    test: str = CAUTIOUS,
    score: Any = None,
    confidence: float = 0.95,
    groups: Any = None,
    time: Any = None,
    test_size: float | None = None,
    stratify: bool = True,
    episodes: int | None = None,
    runs: int | None = None,
    discount: float | None = None,
    max_steps: int | None = None,
    opponent: Any = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Comparison:
    """Compare learners pairwise on the same splits of a table (Mitchell, section 5.6).

    Policies are compared by episodes with the same random numbers, reinforcement learners by independent runs. The
    learners are not modified: copies of them are fitted.

    Parameters
    ----------
    learners : dict or list
        Classifiers, regressors or density estimators from any library, by name or named after their classes.
    X, y : frame or array, series or array
        Table and target. Omit `y` for density estimators. Several numeric target columns are for multi-output
        learners; the loss of a row is then its mean over the outputs.
    cv : int, "loo", splitter, iterable of (train, test) or None
        Resampling method, as in `evaluate`; None compares fitted learners on the rows of `X`.
    repeats : int
        Number of repetitions with new folds. Repetitions stabilise the means but make the test overconfident.
    test : {"cautious t", "corrected t", "paired t", "5x2cv", "5x2cv F", "mcnemar", "sign", "wilcoxon"}
        Significance test. The corrected resampled t test allows for the training rows shared by splits; the
        cautious one allows for twice as much overlap, as unstable learners need. The plain paired t test of
        table 5.5 does not, and finds differences too often. 5x2cv and the combined 5x2cv F create five random
        halvings of their own. McNemar's test counts the rows misclassified by only one of two classifiers, so
        every row must be tested exactly once.
    score : str, LossTable, callable or None
        Score to compare by, as in `evaluate`: a loss per row or a scikit-learn scorer. None uses the error rate of
        classifiers, the absolute error of regressors and the log-likelihood of density estimators.
    confidence : float
        Confidence level of the intervals; the significance level of the verdicts is 1 minus it.
    groups : array, optional
        Group of each row; rows of the same group are never split between training and testing. Without groups,
        duplicate rows are kept together.
    time : array, optional
        Time of each row: every split trains on earlier rows and tests on the next ones.
    test_size : float or int, optional
        Fraction or number of rows to hold out for a single test, instead of `cv`. The test then uses the differences
        on the test rows, and the verdict is about the two hypotheses rather than the learners.
    stratify : bool
        Whether to preserve the class proportions in every fold.
    episodes, runs, discount, max_steps, opponent : optional
        For policies and reinforcement learners, as in `evaluate`; `X` is then the environment.
    n_jobs : int, optional
        Number of parallel fits; it does not affect the result.
    random_state : int, Generator or None
        Random seed.

    Returns
    -------
    Comparison
        With several pairs, p-values are corrected by Holm's method; the intervals of the pairs are not corrected.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> found = compare({"tree": induce.C45(), "stump": induce.DecisionStump()}, X, y)
    >>> print(found.pairs[0].says())
    tree has the lower error: p < 0.001
    """
    named = by_name(learners, checked=False)
    if any(map(by_acting, named.values())):
        from induce.evaluation.experience.comparison import compare_acting

        return compare_acting(
            named,
            Acting(X, episodes, discount, max_steps, opponent),
            runs=runs,
            confidence=confidence,
            n_jobs=n_jobs,
            random_state=random_state,
        )
    refuse_acting(episodes=episodes, runs=runs, discount=discount, max_steps=max_steps, opponent=opponent)
    kind = common_kind(named, y is not None)
    share("confidence", confidence)
    cv, repeats = splits_for(test, cv, repeats, test_size)
    several = kind == NUMBERS and all(map(predicts_several, named.values()))
    actual = actual_values(kind, X, y, next(iter(named)), several)
    scorings = scorings_of(named, score, actual, kind)
    made = plan(
        X,
        actual if actual.ndim == 1 else actual[:, 0],
        cv,
        repeats=repeats,
        groups=groups,
        time=time,
        test_size=test_size,
        stratify=stratify and kind == CLASSES,
        random_state=random_state,
    )
    if kind == CLASSES:
        check_classes(actual, made.splits)
    scoring = next(iter(scorings.values()))
    check_test(test, made, scoring)
    trials = run_trials(named, X, y, actual, made, scorings, n_jobs=n_jobs)
    found = comparison_of(trials, made, scoring, test, confidence)
    return replace(found, remarks=(*found.remarks, *remarks_on_densities(named)))


def comparison_of(
    trials: Mapping[str, Trial], made: Plan, scoring: Scoring, test: str, confidence: float
) -> Comparison:
    """Return the test results of all pairs of learners evaluated on the same splits."""
    remarks = remarks_on(test, made, isinstance(scoring, RowScoring))
    if test != CAUTIOUS:  # report an unsuitable test chosen by the user before anything is fitted
        for remark in remarks:
            note(remark)
    what = scoring.name, scoring.higher
    couples = list(combinations(trials, 2))
    verdicts = [
        judge(test, trials[one], trials[other], made.test_share, confidence) for one, other in couples
    ]
    adjusted = holm([verdict.p_value for verdict in verdicts]).tolist()
    pairs = [
        Pair(one, other, trials[one].scores - trials[other].scores, verdict, p_value, *what)
        for (one, other), verdict, p_value in zip(couples, verdicts, adjusted, strict=True)
    ]
    scores = np.column_stack([trial.scores for trial in trials.values()])
    return Comparison(
        tuple(trials), scores, tuple(pairs), *what, made.method, made.n_rows, confidence, remarks
    )
