"""Search control: means-ends planning with and without learned rules, on problems larger than those of training."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.control_domains import FRESH, fresh_problem
from benchmarks.measure import TIMES, Listing, Row, Section

USUAL = "logistics, usual form"
SIZES = {
    "blocks": (range(4, 9), range(9, 17)),
    "two-rooms": (range(4, 9), range(9, 17)),
    "logistics": (range(4, 9), range(9, 17)),
    USUAL: (range(4, 9), range(9, 17)),
    "eight-puzzle": (range(10, 21), range(25, 41)),
    **{name: (range(4, 9), range(9, 17)) for name in FRESH},
}
"""Sizes of training and test problems: 4 to 8 and 9 to 16 things everywhere; of the eight-puzzle, moves."""
MOST_NODES = 20_000
TRAIN, TEST = 210_000, 340_000
"""The first seeds."""
SHARES = (20, 10, 4, 2, 1)
"""Parts of the training problems that the curves are drawn over."""
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
        f"Means-ends planning, {n} training and {n} larger test problems per domain (sizes "
        + "; ".join(f"{name} {a[0]} to {a[-1]} and {b[0]} to {b[-1]}" for name, (a, b) in SIZES.items())
        + (
            f"), at most {MOST_NODES:,} nodes. `SearchControl` with utility analysis, compared with the "
            "planner without rules; processor time with grounding and matching, and without grounding "
            "in brackets."
        ),
        tuple(rows),
    )
    yield Listing(
        "Search control: curves",
        f"Medians of nodes and of the processor time of searching and matching on the first {MORE} test problems.",
        (
            "domain",
            "training problems",
            "conflicts",
            "accepted",
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

    small, large = SIZES[domain]
    train = [problem(domain, small[i % len(small)], TRAIN + i) for i in range(n)]
    test = [problem(domain, large[i % len(large)], TEST + i) for i in range(n)]
    curves: list[tuple[str, ...]] = []
    rules: Any = None
    for share in (1,) if domain in FRESH else SHARES:
        some = train[: n // share]
        rules = SearchControl().learn(some).hypothesis_
        everything = SearchControl(analysis=False).learn(some).hypothesis_
        ours, all_rules = _searched(test[:MORE], (rules, everything))
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
    before, after = _searched(test, (None, rules))
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
            f"{domain}: conflicts, rules accepted, rules kept",
            f"{rules.n_chances:,}, {rules.n_taken}, {len(rules.rules)}",
        ),
    ], curves


def _searched(problems: Sequence[Any], several: Sequence[Any]) -> list[Searched]:
    """Search for a plan of each problem with several sets of rules in turn, so that all meet the same machine."""
    from induce.planning.grounding import ground
    from induce.planning.means_ends_search import advised_search

    found: list[tuple[list[int], list[bool], list[float]]] = [([], [], [0.0, 0.0]) for _ in several]
    for number, one in enumerate(problems):
        # each goes first as often as the others
        for place in range(len(several)):
            turn = (place + number) % len(several)
            rules, (nodes, solved, spent) = several[turn], found[turn]
            start = time.process_time()
            task = ground(one)
            begun = time.process_time()
            control = rules.control(one, task) if rules is not None and rules.rules else None
            record, _, n_nodes = advised_search(task, control, MOST_NODES)
            ended = time.process_time()
            spent[0] += ended - start
            spent[1] += ended - begun
            nodes.append(n_nodes)
            solved.append(record.solution >= 0)
    return [Searched(tuple(nodes), tuple(solved), *spent) for nodes, solved, spent in found]


def problem(domain: str, size: int, seed: int) -> Any:
    """Return a random problem; of the usual form of logistics, in which a truck's city is that of its place."""
    from induce.planning import Domain, Operator, PlanningProblem, random_problem

    if domain in FRESH:
        return fresh_problem(domain, size, seed)
    if domain != USUAL:
        return random_problem(domain, size, seed)
    found = random_problem("logistics", size, seed)
    operators = []
    for one in found.domain.operators:
        conditions = [each for each in one.preconditions if each.name != "serves"]
        if one.name != "drive":
            conditions = [each for each in conditions if each.name != "in-city"]
        left = {each for literal in (*conditions, *one.adds, *one.deletes) for each in literal.variables()}
        typed = [each for each in zip(one.parameters, one.types, strict=True) if each[0] in left]
        operators.append(
            Operator(
                one.name,
                tuple(each for each, _ in typed),
                tuple(kind for _, kind in typed),
                tuple(conditions),
                one.adds,
                one.deletes,
            )
        )
    known = {name: kinds for name, kinds in found.domain.predicates.items() if name != "serves"}
    usual = Domain("usual-logistics", tuple(operators), known, found.domain.types)
    initial = frozenset(each for each in found.initial if each.name != "serves")
    return PlanningProblem(usual, found.objects, initial, found.goal, found.name)


def curves(lines: Sequence[Sequence[str]]) -> Any:
    """Return a figure of the lines of the second listing: time over training problems, with and without analysis."""
    from matplotlib.figure import Figure

    domains = [*dict.fromkeys(line[0] for line in lines)]
    figure = Figure(figsize=(3.2 * len(domains), 3), layout="constrained")
    for axes, domain in zip(figure.subplots(1, len(domains)), domains, strict=True):
        own = [line for line in lines if line[0] == domain]
        trained = [int(line[1]) for line in own]
        for place, label in ((6, "with analysis"), (9, "all rules")):
            seconds = [float(line[place].removesuffix(" s")) for line in own]
            axes.plot(trained, seconds, marker="o", label=label)
        axes.set_xscale("log")
        axes.set_xticks(trained, map(str, trained))
        axes.minorticks_off()
        axes.set_ylim(0)
        axes.set_title(domain)
        axes.set_xlabel("training problems")
    figure.axes[0].set_ylabel(f"seconds, {MORE} test problems")
    figure.axes[0].legend(loc="center")
    return figure
