"""A generation: the resumable state of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from induce.evolution.genomes.kind import Floats, Genome
from induce.search.history import History


@dataclass(frozen=True, eq=False)
class Generation:
    """State of a run after some generations.

    Parameters
    ----------
    genome : Genome
        Genome of the individuals.
    seed : int
        Random seed; together with the generation number it determines every random choice.
    number : int
        Generation number; 0 for the first, random generation.
    population : population
        Individuals of the generation.
    scores : array of float
        Scores; higher is better, -infinity if the evaluation failed.
    best : individual
        Best individual of the whole run.
    best_score : float
        Score of the best individual.
    history : History
        History of the run.
    goal : float or None
        Score at which the run ends.
    memory : dict
        Additional state of the learner, such as step sizes.
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
