"""Mitchell, section 9.3: the strings of GABIL."""

from __future__ import annotations

import numpy as np

from induce.core.randomness import streams
from induce.data.schema import Column, Schema
from induce.evolution.rule_sets import _loops
from induce.evolution.rule_sets.encoding import RuleEncoding
from induce.textbook.result import Outcome, Result

BOOLEANS = Schema(tuple(Column(name, "nominal", ("T", "F")) for name in ("a1", "a2")))
ENCODING = RuleEncoding(BOOLEANS, ((), ()), 2)
FIRST, SECOND = "10 01 1 11 10 0", "01 11 0 10 01 0"


def _representation() -> Outcome:
    rules = [
        f"IF {' AND '.join(map(str, conditions))} THEN c = {'TF'[head]}"
        for conditions, head in ENCODING.premises(ENCODING.read(FIRST))
    ]
    return Outcome(
        "; ".join(rules),
        rules == ["IF a1 = T AND a2 = F THEN c = T", "IF a2 = T THEN c = F"],
        "the first fires",
    )


def _crossover() -> Outcome:
    moving = streams(0, n=1)[0]
    allowed = set()
    for _ in range(3000):
        cut = [0, 0, 0, 0]
        if _loops.points(2, 2, 5, 4, False, 20, moving, cut) and cut[:2] == [1, 8]:
            allowed.add((cut[2], cut[3]))
    one, two = ENCODING.read(FIRST), ENCODING.read(SECOND)
    children = []
    for parent, other, (left, right), (a, b) in ((one, two, (1, 8), (1, 3)), (two, one, (1, 3), (1, 8))):
        child = np.zeros(20, dtype=np.uint8)
        length = _loops.swapped(parent, len(parent), other, left, right, a, b, child)
        children.append(ENCODING.text(child[:length]))
    return Outcome(
        f"allowed {sorted(allowed)}; with (1, 3): {children[0]} and {children[1]}",
        allowed == {(1, 3), (1, 8), (6, 8)} and children == ["11 10 0", "00 01 1 11 11 0 10 01 0"],
    )


RESULTS = (
    Result(
        "mitchell-9.3-representation",
        "Mitchell, section 9.3",
        "a set of two rules is one string of bits",
        "10 01 1 11 10 0: IF a1 = T AND a2 = F THEN c = T; IF a2 = T THEN c = F",
        _representation,
    ),
    Result(
        "mitchell-9.3-crossover",
        "Mitchell, section 9.3",
        "crossover points after bits 1 and 8 of the first string allow three pairs of points in the second",
        "(1, 3), (1, 8), (6, 8); with (1, 3): 11 10 0 and 00 01 1 11 11 0 10 01 0",
        _crossover,
    ),
)
