"""Macro-operators: problems solved with and without them, on sizes larger than those of training."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from benchmarks.measure import TIMES, Listing

SEARCHES = {
    "breadth-first": (range(3, 7), range(7, 11)),
    "means-ends": (range(4, 9), range(9, 17)),
}
"""Sizes of training and test problems: numbers of blocks, boxes or packages, the same in all domains."""
MOVES = range(10, 21), range(25, 41)
"""The same of the eight-puzzle, whose size is a number of random moves."""
DOMAINS = ("blocks", "two-rooms", "logistics", "eight-puzzle")
MOST_NODES = 100_000
TRAIN, TEST = 510_000, 640_000
"""The first seeds."""


def macros(domains: Sequence[str] = DOMAINS, n: int = 40) -> Iterator[Listing]:
    """Each search and domain: macros met and kept, problems solved, nodes and time before and after."""
    sizes = "; ".join(f"{name} {a[0]} to {a[-1]} and {b[0]} to {b[-1]}" for name, (a, b) in SEARCHES.items())
    yield Listing(
        "Macro-operators",
        f"`MacroLearner`, {n} training and {n} larger test problems per domain (sizes of {sizes}; eight-puzzle "
        f"{MOVES[0][0]} to {MOVES[0][-1]} and {MOVES[1][0]} to {MOVES[1][-1]} moves), at most {MOST_NODES:,} nodes. "
        "Median of nodes, and processor time including grounding and instantiating macros, before and after.",
        (
            "search",
            "domain",
            "candidates",
            "promising",
            "kept",
            "solved",
            "with macros",
            "nodes",
            "time",
            "lost",
        ),
        tuple(_line(search, domain, n) for search in SEARCHES for domain in domains),
        "",
    )


def _line(search: str, domain: str, n: int) -> tuple[str, ...]:
    from induce.analytical import MacroLearner
    from induce.planning import random_problem

    small, large = MOVES if domain == "eight-puzzle" else SEARCHES[search]
    train = [random_problem(domain, small[i % len(small)], TRAIN + i) for i in range(n)]
    test = [random_problem(domain, large[i % len(large)], TEST + i) for i in range(n)]
    learned: Any = MacroLearner(search=search).learn(train).hypothesis_  # type: ignore[arg-type]
    before, after = _searched(search, test, None), _searched(search, test, learned)
    lost = sum(a and not b for a, b in zip(before[0], after[0], strict=True))
    fewer = median(before[1]) / max(1, median(after[1]))
    line = (
        search,
        domain,
        f"{learned.n_chances:,}",
        str(learned.n_taken),
        str(len(learned.macros)),
        str(sum(before[0])),
        str(sum(after[0])),
        f"{median(before[1]):,.0f} → {median(after[1]):,.0f} ({fewer:.1f}{TIMES})",
        f"{before[2]:.2f} → {after[2]:.2f} s",
        str(lost),
    )
    print("|", " | ".join(line), "|", *(f"\n{one}" for one in learned.report().splitlines()), flush=True)
    return line


def _searched(search: str, problems: Sequence[Any], learned: Any) -> tuple[list[bool], list[int], float]:
    from induce.planning import best_first, breadth_first, means_ends
    from induce.planning.grounding import ground

    searches = {"breadth-first": breadth_first, "best-first": best_first, "means-ends": means_ends}
    solved, nodes = [], []
    start = time.process_time()
    for problem in problems:
        task = ground(problem) if learned is None else learned.task(problem)
        plan = searches[search](task, max_nodes=MOST_NODES)
        solved.append(bool(plan))
        nodes.append(plan.expanded)
    return solved, nodes, time.process_time() - start
