"""Comparison of policies or reinforcement learners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from induce.core.checks import share
from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.randomness import RandomState, seed_of
from induce.evaluation.comparing.comparison import Comparison, Pair
from induce.evaluation.experience.estimates import Acting, learned_values
from induce.statistics.verdicts import holm, paired_t


def compare_acting(
    named: Mapping[str, Any],
    acting: Acting,
    *,
    runs: int | None,
    confidence: float,
    n_jobs: int | None,
    random_state: RandomState,
) -> Comparison:
    """Compare policies with common random numbers, or learners over independent runs; see `induce.compare`."""
    share("confidence", confidence)
    learning = [name for name, one in named.items() if isinstance(one, ExperienceLearner)]
    if learning and len(learning) < len(named):
        policy = next(name for name in named if name not in learning)
        raise InputError(f"{learning[0]} learns and {policy} is a policy; compare learners, or policies")
    seed = seed_of(random_state)
    if learning:
        tried = {name: learned_values(one, acting, runs, n_jobs, seed) for name, one in named.items()}
        found = {name: each.values for name, each in tried.items()}
        longest = max(map(len, found.values()))
        if longest < 2:
            raise InputError(
                "each learner has a single run, and one difference cannot be tested; give more runs"
            )
        # a deterministic learner has the same value in every run
        scores = {name: np.broadcast_to(values, longest) for name, values in found.items()}
        factors = {each.discount: each.measure for each in tried.values()}
        method, of = "policies of independent runs", f"{longest} runs"
    else:
        if runs is not None:
            raise InputError("runs is for learners; give episodes for policies")
        if acting.discount is None:
            acting = replace(acting, discount=_common_discount(named))
        played = {name: acting.play(one, seed) for name, one in named.items()}
        scores = {name: each.returns for name, each in played.items()}
        factors = {each.discount: each.measure for each in played.values()}
        n = len(next(iter(scores.values())))
        if n < 2:
            raise InputError("episodes is 1, and one difference cannot be tested; give more")
        method, of = (
            "play with common random numbers",
            f"{n:,} {'games' if next(iter(played.values())).won else 'episodes'}",
        )
    if len(factors) > 1:
        raise InputError(
            f"the discount factors differ ({', '.join(f'{each:g}' for each in sorted(factors))}); give "
            "one as discount"
        )
    return _compared(scores, factors.popitem()[1], method, of, confidence)


def _common_discount(named: Mapping[str, Any]) -> float | None:
    """Return the common discount factor of the policies that have one; it is used for all policies."""
    found = {getattr(one, "discount", None) for one in named.values()} - {None}
    return found.pop() if len(found) == 1 else None


def _compared(scores: Mapping[str, Any], measure: str, method: str, of: str, confidence: float) -> Comparison:
    couples = list(combinations(scores, 2))
    verdicts = [paired_t(scores[one] - scores[other], confidence) for one, other in couples]
    adjusted = holm([verdict.p_value for verdict in verdicts]).tolist()
    pairs = tuple(
        Pair(one, other, scores[one] - scores[other], verdict, p_value, measure, True)
        for (one, other), verdict, p_value in zip(couples, verdicts, adjusted, strict=True)
    )
    columns = np.column_stack(list(scores.values()))
    return Comparison(tuple(scores), columns, pairs, measure, True, method, len(columns), confidence, of=of)
