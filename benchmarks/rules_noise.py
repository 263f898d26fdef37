"""Processor time and error of learners of rules on many noisy rows, beside RIPPER's."""

from __future__ import annotations

import time
from collections.abc import Iterator

import induce
from benchmarks.measure import TIMES, Listing, seconds
from benchmarks.rules_speed import HOLES, NOISE, VALUES, mixed_table

LEARNERS = ("RIPPER", "C45", "CN2", "AQ", "PART", "PRISM", "IB2")
N, WIDTH, FRESH, WARM = 64_000, 20, 16_000, 4_000


def rules_noise(n: int = N, fresh: int = FRESH, warm: int = WARM) -> Iterator[Listing]:
    """Every learner with its defaults, one after the other."""
    table = mixed_table(n + fresh, WIDTH)
    X, y = table.drop("class"), table["class"]
    found: dict[str, tuple[float, float, str]] = {}
    for name in LEARNERS:
        learner = getattr(induce, name)
        learner().fit(X[:warm], y[:warm])
        started = time.process_time()
        fitted = learner().fit(X[:n], y[:n])
        taken = time.process_time() - started
        wrong = sum(a != b for a, b in zip(fitted.predict(X[n:]), y[n:], strict=True))
        found[name] = taken, wrong / fresh, str(fitted.hypothesis_.size())
    usual = y[n:].value_counts(sort=True)["count"][0]
    yield Listing(
        f"Rules from {n:,} noisy rows",
        f"Learners with their defaults on {n:,} rows of {WIDTH} columns, half numeric, half nominal "
        f"with 2 to {VALUES} values, three classes defined by rules, {NOISE:.0%} of the labels wrong, "
        f"{HOLES:.0%} of the cells missing. The time is the processor time of one fit after a warm-up "
        f"that compiles the loops; the error is measured on {fresh:,} fresh rows with the same noise, "
        f"where always predicting the most frequent class has an error of {1 - usual / fresh:.3f}.",
        ("learner", "processor time", "relative to RIPPER", "error", "error minus RIPPER's", "size"),
        tuple(line(name, found) for name in LEARNERS),
        "",
    )


def line(name: str, found: dict[str, tuple[float, float, str]]) -> tuple[str, ...]:
    """A learner's figures beside RIPPER's."""
    (taken, error, size), (least, usual, _) = found[name], found["RIPPER"]
    above = "" if name == "RIPPER" else f"{error - usual:+.4f}"
    return f"`{name}`", seconds(taken), f"{taken / least:.1f}{TIMES}", f"{error:.4f}", above, size
