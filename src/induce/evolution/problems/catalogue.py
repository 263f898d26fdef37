"""Built-in problems by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from induce.core.errors import InputError
from induce.data.names import unknown
from induce.evolution.genomes.genes import Genes
from induce.evolution.genomes.kind import Genome
from induce.evolution.genomes.permutations import Permutations
from induce.evolution.genomes.vectors import Bits, Reals, Wholes
from induce.evolution.genomes.weights import Weights
from induce.evolution.problems.bit_strings import OneMax, Traps
from induce.evolution.problems.hinton_nowlan import HintonNowlan
from induce.evolution.problems.job_shop import JobShop
from induce.evolution.problems.multiplexer import Multiplexer


@dataclass(frozen=True)
class Shipped:
    """A built-in problem.

    Parameters
    ----------
    summary : str
        Goal in one line.
    make : callable
        Function from the size, or None, to the problem.
    settings : dict
        Recommended parameters of the learner.
    learner : str
        Learner intended for the problem.
    """

    summary: str
    make: Callable[[int | None], Any]
    settings: dict[str, Any]
    learner: str = "GeneticAlgorithm"


def _blocks(size: int | None) -> Any:
    from induce.evolution.programs.problems.blocks import BlockWorld

    return BlockWorld(size or 166)


def _ant(size: int | None) -> Any:
    from induce.evolution.programs.problems.ants import AntTrail

    return AntTrail(size or 400)


def _filter(size: int | None) -> Any:
    from induce.evolution.programs.problems.circuits import LowPass

    return LowPass()


PROBLEMS: dict[str, Shipped] = {
    "onemax": Shipped(
        "a bit string of all ones; --size: number of bits",
        lambda size: OneMax(size or 100),
        {"population_size": 300, "m": 0.2, "selection": "tournament", "generations": 60},
    ),
    "traps": Shipped(
        "deceptive blocks of four ones: smaller schemas lead away; --size: number of blocks",
        lambda size: Traps(size or 10),
        {
            "population_size": 300,
            "m": 0.2,
            "selection": "tournament",
            "crossover": "two-point",
            "generations": 100,
        },
    ),
    "multiplexer": Shipped(
        "weights of a network that computes a multiplexer; --size: number of address bits",
        lambda size: Multiplexer(size or 2),
        {"population_size": 200, "m": 1.0, "selection": "tournament", "elite": 2, "generations": 300},
    ),
    "job-shop": Shipped(
        "the shortest schedule of 6 jobs on 6 machines (Fisher and Thompson)",
        lambda size: JobShop(),
        {"population_size": 200, "m": 0.9, "selection": "tournament", "elite": 1, "generations": 200},
    ),
    "hinton-nowlan": Shipped(
        "networks that learn in their lifetime (the Baldwin effect); --size: number of connections",
        lambda size: HintonNowlan(size or 20),
        {"population_size": 1000, "r": 1.0, "m": 0.0, "selection": "roulette", "elite": 0, "generations": 50},
    ),
    "blocks": Shipped(
        "a program that stacks blocks to spell a word (Koza); --size: number of cases",
        _blocks,
        {"population_size": 300, "generations": 50},
        "GeneticProgramming",
    ),
    "ant": Shipped(
        "a program for an ant that follows a trail of food; --size: number of actions",
        _ant,
        {"population_size": 500, "generations": 50, "p_point_mutation": 0.05},
        "GeneticProgramming",
    ),
    "filter": Shipped(
        "a circuit that passes low frequencies",
        _filter,
        {
            "population_size": 500,
            "generations": 20,
            "p_crossover": 0.6,
            "p_subtree_mutation": 0.1,
            "p_point_mutation": 0.25,
            "p_point_replace": 0.2,
            "max_size": 30,
            "max_depth": 8,
            "init_depth": (1, 4),
        },
        "GeneticProgramming",
    ),
}


def problem(name: str, size: int | None = None) -> Any:
    """Return a built-in problem by name.

    Parameters
    ----------
    name : str
        ``"onemax"``, ``"traps"``, ``"multiplexer"``, ``"job-shop"``, ``"hinton-nowlan"``, ``"blocks"``, ``"ant"`` or
        ``"filter"``.
    size : int, optional
        Size of the problem, if it is adjustable.

    Examples
    --------
    >>> problem("onemax", 20)
    OneMax(n=20, minimise=False, noisy=False)
    """
    if name not in PROBLEMS:
        raise unknown("problem", name, list(PROBLEMS))
    return PROBLEMS[name].make(size)


KINDS: dict[str, tuple[int, int, Callable[..., Genome]]] = {
    "bits": (1, 1, lambda n: Bits(int(n))),
    "wholes": (3, 3, lambda n, low, high: Wholes(int(n), int(low), int(high))),
    "reals": (1, 3, lambda n, low=0, high=1: Reals(int(n), float(low), float(high))),
    "permutation": (1, 1, lambda n: Permutations(int(n))),
    "weights": (2, 9, lambda *layers: Weights(tuple(int(units) for units in layers))),
}
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def genome_of(text: str) -> Genome:
    """Parse a genome from its text form.

    Examples
    --------
    >>> genome_of("bits:20").n
    20
    >>> genome_of("reals:3:-5:5").high
    5.0
    """
    name, *numbers = text.split(":")
    if name in KINDS and all(NUMBER.fullmatch(number) for number in numbers):
        least, most, make = KINDS[name]
        if least <= len(numbers) <= most and not ("." in "".join(numbers) and name != "reals"):
            return make(*map(float, numbers)) if name == "reals" else make(*map(int, numbers))
    raise InputError(
        f"--genome is {text!r}; write bits:N, wholes:N:LOW:HIGH, reals:N:LOW:HIGH, permutation:N, weights:N:N:N, or "
        f"the name of a genome in the file, such as a {Genes.__name__}"
    )
