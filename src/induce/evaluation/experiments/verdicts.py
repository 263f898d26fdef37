"""Best learners: on each data set by their scores on the splits, over all data sets by ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import best_of
from induce.evaluation.comparing.datasets import DatasetsComparison, rank_over
from induce.evaluation.losses.measure import Measure
from induce.statistics.intervals import Interval, cautious_proportion, clopper_pearson, variance_over_folds
from induce.statistics.ranks import Ranking
from induce.statistics.verdict import Verdict, p_text
from induce.statistics.verdicts import cautious_t, holm

if TYPE_CHECKING:
    from induce.evaluation.experiments.results import Tried

Floats = NDArray[np.float64]
ALPHA = 0.05
ERROR = "error"
_RESAMPLED = (
    "splits share training rows, so their errors are not independent; a larger variance allows for that"
)


@dataclass(frozen=True)
class Standing:
    """Verdict on a learner on one data set.

    Parameters
    ----------
    learner, dataset : str
    done, splits : int
        Number of finished splits, and total number of splits; the others failed or are pending.
    mean, deviation : float
        Mean and standard deviation of the scores of the finished splits; NaN if there are none.
    interval : Interval or None
        Confidence interval of the score; over the distinct test rows for an error, otherwise over the splits.
    best : bool
        Whether no learner has a better mean here. Learners with all splits precede others.
    verdict : Verdict or None
        Verdict on the difference from the best.
    p_value : float
        P-value of the verdict, corrected for the number of learners (Holm); NaN if there is none.
    seconds : float or None
        Mean time per fit.
    size : str
        Size of the first hypothesis, in its own terms.
    """

    learner: str
    dataset: str
    done: int
    splits: int
    mean: float
    deviation: float
    interval: Interval | None
    best: bool = False
    verdict: Verdict | None = None
    p_value: float = np.nan
    seconds: float | None = None
    size: str = ""

    @property
    def worse(self) -> bool:
        """Whether it is significantly worse than the best."""
        return self.p_value <= ALPHA

    @property
    def mark(self) -> str:
        """Symbol for best, worse than the best, or neither."""
        return "*" if self.best else "-" if self.worse else ""

    def row(self) -> dict[str, Any]:
        """Return the numbers as a table row."""
        return {
            "dataset": self.dataset,
            "learner": self.learner,
            "mean": _finite(self.mean),
            "deviation": _finite(self.deviation),
            "low": None if self.interval is None else self.interval.low,
            "high": None if self.interval is None else self.interval.high,
            "done": self.done,
            "splits": self.splits,
            "best": self.best,
            "p_value": _finite(self.p_value),
            "worse": self.worse,
            "seconds": self.seconds,
            "size": self.size,
        }


@dataclass(frozen=True)
class Overall:
    """Best learners over all data sets.

    Parameters
    ----------
    says, detail : str
        Conclusion in plain language, or the reason why there is none, and its basis.
    learners, datasets : tuple of str
        Compared learners and data sets; only complete results can be ranked.
    comparison : DatasetsComparison or None
        Ranks, and all pairs of learners by Wilcoxon's test; None with fewer than two learners or data sets.
    """

    says: str
    learners: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    comparison: DatasetsComparison | None = None
    detail: str = ""

    @property
    def ranking(self) -> Ranking | None:
        """Mean ranks and their critical difference, for at least three learners."""
        return None if self.comparison is None else self.comparison.ranking


def standings(scores: Mapping[str, Floats], tried: Tried, measure: Measure) -> list[Standing]:
    """Rank the learners on one data set by their scores on its splits."""
    found = [_standing(learner, values, tried, measure) for learner, values in scores.items()]
    sign = -1 if measure.higher else 1
    judged = [each for each in found if each.done]
    if not judged:
        return found
    whole = [each for each in judged if each.done == each.splits] or judged
    best = best_of(whole, lambda each: -sign * each.mean)
    verdicts = {
        each.learner: _against(scores[each.learner], scores[best.learner], sign, tried.test_share)
        for each in judged
        if each is not best
    }
    raw = [np.nan if verdict is None else verdict.p_value for verdict in verdicts.values()]
    corrected = dict(zip(verdicts, holm(raw).tolist() if raw else [], strict=True))
    return [
        replace(
            each,
            best=each is best or (math.isclose(each.mean, best.mean) and each.done == best.done),
            verdict=verdicts.get(each.learner),
            p_value=corrected.get(each.learner, np.nan),
        )
        for each in found
    ]


def overall(
    standing: Mapping[tuple[str, str], Standing],
    learners: Sequence[str],
    datasets: Sequence[str],
    measure: Measure,
) -> Overall:
    """Compare the learners over all data sets with complete results."""
    complete = {key for key, each in standing.items() if each.done == each.splits}
    whole = tuple(name for name in learners if any((name, each) in complete for each in datasets))
    common = tuple(each for each in datasets if all((name, each) in complete for name in whole))
    if len(whole) < 2:
        return Overall("Fewer than two learners have complete results, so no ranks can be computed.")
    if len(common) < 2:
        return Overall(
            "Ranks need complete results on at least two data sets; see the table above.",
            whole,
            common,
        )
    # equal scores in another order can have means that differ in the last digits, which must not affect ranks
    means = np.round([[standing[name, each].mean for name in whole] for each in common], 12)
    compared = rank_over(means, whole, common, higher=measure.higher, confidence=1 - ALPHA)
    ranking = compared.ranking
    if ranking is None:
        (pair,) = compared.pairs
        won, _, lost = compared.wins(*whole)
        verdict = replace(pair, measure=measure.name).says(ALPHA)
        says = f"{whole[0]} is better on {won} data sets, {whole[1]} on {lost}; {verdict} ({pair.verdict.method})."
        return Overall(says, whole, common, compared)
    leader = ranking.names[ranking.order[0]]
    differ = (
        "The learners differ" if ranking.p_value <= ALPHA else "There is no evidence that the learners differ"
    )
    return Overall(
        f"{leader} has the best mean rank, {ranking.mean_ranks.min():.2f}. {differ}: {p_text(ranking.p_value)} "
        f"(Friedman, {len(common)} data sets).",
        whole,
        common,
        compared,
        f"Friedman's test with the F statistic of Iman and Davenport. {_told_apart(ranking)}",
    )


def _told_apart(ranking: Ranking) -> str:
    reach, groups = ranking.critical_difference(ALPHA), ranking.groups(ALPHA)
    if not groups:
        return f"All mean ranks differ by more than the critical difference of {reach:.2f} (Nemenyi)."
    said = "; ".join(", ".join(group) for group in groups)
    return f"Mean ranks closer than {reach:.2f} (Nemenyi) are not significantly different: {said}."


def _standing(learner: str, values: Floats, tried: Tried, measure: Measure) -> Standing:
    done = values[~np.isnan(values)]
    return Standing(
        learner=learner,
        dataset=tried.name,
        done=done.size,
        splits=values.size,
        mean=float(done.mean()) if done.size else np.nan,
        deviation=float(done.std(ddof=1)) if done.size > 1 else np.nan,
        interval=_interval(done, tried, measure),
    )


def _interval(done: Floats, tried: Tried, measure: Measure) -> Interval | None:
    if measure.name == ERROR and done.size:
        rate = float(done.mean())
        wrong = round(rate * tried.tested)
        if tried.splits == 1:
            return clopper_pearson(wrong, tried.tested)
        found = cautious_proportion(wrong, tried.tested, variance=variance_over_folds(done, tried.test_share))
        # the interval of the rounded count may not contain the rate itself
        low, high = min(found.low, rate), max(found.high, rate)
        return replace(found, low=low, high=high, holds=False, preconditions=_RESAMPLED)
    return cautious_t(done, tried.test_share).interval if done.size > 1 else None


def _against(values: Floats, best: Floats, sign: int, test_share: float) -> Verdict | None:
    differences = sign * (values - best)
    paired = differences[~np.isnan(differences)]
    return cautious_t(paired, test_share) if paired.size else None


def _finite(value: float) -> float | None:
    return None if np.isnan(value) else value
