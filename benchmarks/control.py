"""Search control: means-ends planning with and without learned rules, on problems larger than those of training."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.measure import TIMES, Listing, Row, Section

SIZES = {
    "blocks": (range(6, 11), range(11, 15)),
    "two-rooms": (range(2, 7), range(8, 15)),
    "logistics": (range(3, 13), range(13, 19)),
    "eight-puzzle": (range(4, 11), range(12, 17)),
}
"""Sizes of training and test problems."""
MOST_NODES = 20_000
TRAIN, TEST = 5_000, 9_000
"""The first seeds."""
MORE = 25
"""Test problems of the curves."""


@dataclass(frozen=True)
class Searched:
    """Searches of the test problems."""

    nodes: tuple[int, ...]
    solved: tuple[bool, ...]
    seconds: float
    """Processor time with grounding and matching."""
    searching: float
    """The same without grounding."""


def control(domains: Sequence[str] = tuple(SIZES), n: int = 100) -> Iterator[Section | Listing]:
    """Each domain: rules, nodes and time; curves over the number of training problems."""
    rows: list[Row] = []
    curves: list[tuple[str, ...]] = []
    for domain in domains:
        found, lines = _domain(domain, n)
        rows += found
        curves += lines
    yield Section(
        "Search control",
        f"Means-ends planning, {n} training and {n} larger test problems a domain (sizes "
        + "; ".join(f"{name} {a[0]} to {a[-1]} and {b[0]} to {b[-1]}" for name, (a, b) in SIZES.items())
        + f"), at most {MOST_NODES:,} nodes. `SearchControl` with utility analysis beside the planner without rules; "
        "processor time with grounding and matching, in brackets without grounding.",
        tuple(rows),
    )
    yield Listing(
        "Search control: curves",
        f"Medians of nodes and processor time of searching and matching on the first {MORE} test problems.",
        (
            "domain",
            "training problems",
            "conflicts",
            "taken",
            "kept",
            "nodes",
            "time",
            "all rules",
            "nodes",
            "time",
        ),
        tuple(curves),
        "",
    )


def _domain(domain: str, n: int) -> tuple[list[Row], list[tuple[str, ...]]]:
    from induce.analytical import SearchControl
    from induce.planning import random_problem

    small, large = SIZES[domain]
    train = [random_problem(domain, small[i % len(small)], TRAIN + i) for i in range(n)]
    test = [random_problem(domain, large[i % len(large)], TEST + i) for i in range(n)]
    curves: list[tuple[str, ...]] = []
    rules: Any = None
    for share in (10, 4, 1):
        some = train[: n // share]
        rules = SearchControl().learn(some).hypothesis_
        everything = SearchControl(analysis=False).learn(some).hypothesis_
        ours, all_rules = _searched(test[:MORE], rules), _searched(test[:MORE], everything)
        curves.append(
            (
                domain,
                str(len(some)),
                f"{rules.n_chances:,}",
                str(rules.n_taken),
                str(len(rules.rules)),
                f"{median(ours.nodes):,.0f}",
                f"{ours.searching:.2f} s",
                str(len(everything.rules)),
                f"{median(all_rules.nodes):,.0f}",
                f"{all_rules.searching:.2f} s",
            )
        )
    before, after = _searched(test, None), _searched(test, rules)
    lost = sum(a and not b for a, b in zip(before.solved, after.solved, strict=True))
    fewer = median(before.nodes) / median(after.nodes)
    slower = after.seconds / before.seconds - 1
    return [
        Row(
            f"{domain}: median of nodes",
            f"{median(after.nodes):,.0f}",
            f"without rules {median(before.nodes):,.0f}",
            f"{fewer:.1f}{TIMES} fewer",
            f"≥ 2{TIMES} in two domains",
            fewer >= 2,
        ),
        Row(
            f"{domain}: time",
            f"{after.seconds:.2f} s ({after.searching:.2f})",
            f"{before.seconds:.2f} s ({before.searching:.2f})",
            f"{slower:+.0%}",
            "≤ +10%",
            slower <= 0.1,
        ),
        Row(
            f"{domain}: problems solved",
            f"{sum(after.solved)}",
            f"{sum(before.solved)}",
            f"{lost} lost",
            "none lost",
            lost == 0,
        ),
        Row(
            f"{domain}: conflicts, rules taken, rules kept",
            f"{rules.n_chances:,}, {rules.n_taken}, {len(rules.rules)}",
        ),
    ], curves


def _searched(problems: Sequence[Any], rules: Any) -> Searched:
    from induce.planning.grounding import ground
    from induce.planning.means_ends_search import search

    nodes, solved = [], []
    start, searching = time.process_time(), 0.0
    for problem in problems:
        task = ground(problem)
        begun = time.process_time()
        control = rules.control(problem, task) if rules is not None and rules.rules else None
        record, _ = search(task, control, MOST_NODES)
        n_nodes = len(record.decisions)
        if record.solution < 0 and control is not None:
            record, _ = search(task, None, MOST_NODES)  # what `means_ends` does
            n_nodes += len(record.decisions)
        searching += time.process_time() - begun
        nodes.append(n_nodes)
        solved.append(record.solution >= 0)
    return Searched(tuple(nodes), tuple(solved), time.process_time() - start, searching)
