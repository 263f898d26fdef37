"""Accuracy and size of rule learners on real tables: an experiment in which the peers take part.

The pairs were fixed before any of them was run; `rules.toml` says which tables, folds and learners of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.measure import Listing
from benchmarks.paired import Pair, paired

PLAN = Path(__file__).with_name("rules.toml")
PAIRS = (
    Pair("cn2-ordered", "CN2(ordered=True)", "orange", "CN2Learner"),
    Pair("cn2", "CN2", "orange", "CN2UnorderedLearner"),
    Pair("ripper", "RIPPER", "weka", "rules.JRip"),
    Pair("part", "PART", "weka", "rules.PART"),
)


def rules(folder: Path, places: Mapping[str, str], results: Path | None = None) -> list[Listing]:
    """Run what is missing of the experiment and compare each pair whose peer has a place on this machine."""
    return paired(PLAN, PAIRS, folder, places, results)
