"""Learners with `knowledge=`, given half-wrong theories: accuracy with the theory less accuracy without."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from benchmarks.measure import Listing

DRAWS, TESTED = 20, 2_000
SIZES = (200, 1_000)
NOISE = 0.1
AT_LEAST = -0.5
"""Smallest mean difference in points that is acceptable."""
LOANS = """
IF income > 50 AND debt < 20 THEN accept
IF owner = yes AND age > 40 THEN accept
IF income < 30 THEN accept
IF debt > 60 THEN accept
"""
MACHINES = """
IF overheated AND serviced = no THEN fails
IF temperature > 70 THEN overheated
IF load = low THEN overheated
IF age < 3 THEN fails
"""
MASSES = """
IF "worst radius" > 17 THEN malignant
IF "worst concave points" > 0.15 THEN malignant
IF "mean texture" < 15 THEN malignant
IF "mean smoothness" < 0.08 THEN malignant
"""


@dataclass(frozen=True)
class Problem:
    """Rows to draw, and a theory whose first half is right and whose second half is wrong."""

    name: str
    theory: str
    draw: Callable[[int, np.random.Generator], tuple[pl.DataFrame, list[str]]]
    sizes: tuple[int, ...] = SIZES


def loans(n: int, random: np.random.Generator) -> tuple[pl.DataFrame, list[str]]:
    """Draw applications, accepted by two rules; a tenth of the classes is wrong."""
    columns = {name: random.uniform(0, 100, n).round(1) for name in ("income", "debt", "savings", "years")}
    columns |= {"age": random.integers(18, 80, n), "owner": random.choice(["no", "yes"], n)}
    columns |= {"region": random.choice(["north", "south", "east"], n)}
    rich = (columns["income"] > 50) & (columns["debt"] < 20)
    accepted = rich | ((columns["owner"] == "yes") & (columns["age"] > 40))
    return pl.DataFrame(columns), _named(accepted, ("accept", "refuse"), random)


def machines(n: int, random: np.random.Generator) -> tuple[pl.DataFrame, list[str]]:
    """Draw machines, which fail if they are overheated and not serviced; a tenth of the classes is wrong."""
    columns = {name: random.uniform(0, 100, n).round(1) for name in ("temperature", "speed", "pressure")}
    columns |= {"age": random.integers(0, 20, n), "serviced": random.choice(["no", "yes"], n, p=[0.7, 0.3])}
    columns |= {
        "load": random.choice(["low", "middle", "high"], n),
        "maker": random.choice(["a", "b", "c"], n),
    }
    overheated = (columns["temperature"] > 70) | (columns["load"] == "high")
    return pl.DataFrame(columns), _named(
        overheated & (columns["serviced"] == "no"), ("fails", "runs"), random
    )


def masses(n: int, random: np.random.Generator) -> tuple[pl.DataFrame, list[str]]:
    """Draw rows of the shipped table of breast masses, in random order."""
    import induce

    table = induce.dataset("breast-cancer")
    rows = random.permutation(len(table.y))[:n]
    return table.X[rows], table.y[rows].cast(pl.String).to_list()


def _named(positive: Any, names: tuple[str, str], random: np.random.Generator) -> list[str]:
    noisy = positive ^ (random.random(len(positive)) < NOISE)
    return [names[0] if value else names[1] for value in noisy]


PROBLEMS = (
    Problem("loans", LOANS, loans),
    Problem("machines", MACHINES, machines),
    Problem("breast-cancer", MASSES, masses, (200,)),
)


def learners() -> dict[str, Callable[[Any], Any]]:
    """Return the learners, each made from knowledge or None."""
    import induce

    def guided(learner: Any) -> Callable[[Any], Any]:
        return lambda known: induce.GuidedClassifier(learner, knowledge=known)

    return {
        "C45": lambda known: induce.C45(knowledge=known),
        "CART": lambda known: induce.CART(knowledge=known),
        "C45Rules": lambda known: induce.C45Rules(knowledge=known),
        "RIPPER": lambda known: induce.RIPPER(knowledge=known),
        "CN2": lambda known: induce.CN2(knowledge=known),
        "RuleLearner": lambda known: induce.RuleLearner(knowledge=known),
        "FOCL": lambda known: induce.FOCL(knowledge=known),
        "TheoryRevision": lambda known: induce.TheoryRevision(knowledge=known),
        "KBANN": lambda known: induce.KBANN(knowledge=known),
        "EBNN": lambda known: induce.EBNN(knowledge=known),
        "Guided NaiveBayes": guided(induce.NaiveBayes()),
        "Guided LogisticRegression": guided(induce.LogisticRegression()),
        "Guided KNeighbors": guided(induce.KNeighborsClassifier()),
    }


def difference(problem: Problem, make: Callable[[Any], Any], n: int, seed: int) -> float:
    """Return the accuracy with the theory less that without, in points, on fresh rows."""
    X, y = problem.draw(n + TESTED, np.random.default_rng([seed, n]))
    with_theory, without = (
        float((make(known).fit(X[:n], y[:n]).predict(X[n:]) == np.array(y[n:])).mean())
        for known in (problem.theory, None)
    )
    return 100 * (with_theory - without)


def wrong_theories(names: tuple[str, ...] = (), draws: int = DRAWS) -> Iterator[Listing]:
    """Measure the learners, or some of them by name."""
    warnings.simplefilter("ignore")
    lines = []
    for name, make in learners().items():
        if names and name not in names:
            continue
        for problem in PROBLEMS:
            for n in problem.sizes:
                points = np.array([difference(problem, make, n, seed) for seed in range(draws)])
                half = 2.093 * points.std(ddof=1) / np.sqrt(draws)  # Student, 19 degrees of freedom
                mean = points.mean()
                limits = f"[{mean - half:+.2f}, {mean + half:+.2f}]"
                lines.append(
                    (name, problem.name, str(n), f"{mean:+.2f}", limits, "" if mean >= AT_LEAST else "worse")
                )
                print(*lines[-1], flush=True)
    yield Listing(
        "Theories that are half wrong",
        f"Accuracy on {TESTED:,} fresh rows (breast-cancer: on the rest of its 569 rows) with a theory less that "
        f"without it, in points: means of {draws} draws with 95% intervals. Two of the four rules of each theory are "
        "wrong; in the generated tables a tenth of the classes is wrong, too. Defaults throughout.",
        ("learner", "table", "rows", "difference", "interval", "verdict"),
        tuple(lines),
        f"No mean difference may be below {AT_LEAST} points.",
    )
