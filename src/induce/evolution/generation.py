"""A generation: the state of a run, from which it can be resumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from induce.evolution.genomes.kind import Floats, Genome
from induce.search.history import History


@dataclass(frozen=True, eq=False)
class Generation:
    """A run after some generations.

    Parameters
    ----------
    genome : Genome
        The kind of individuals.
    seed : int
        Random seed; together with the number of the generation it determines every random choice.
    number : int
        0 for the first, random generation.
    population : population
    scores : array of float
        The larger the better; -infinity where the evaluation failed.
    best : individual
        The best of the whole run.
    best_score : float
    history : History
    goal : float or None
        The score at which the run ends.
    memory : dict
        Further state of a learner, such as its step sizes.
    """

    genome: Genome
    seed: int
    number: int
    population: Any
    scores: Floats
    best: Any
    best_score: float
    history: History
    goal: float | None = None
    memory: Mapping[str, Any] = field(default_factory=dict)
