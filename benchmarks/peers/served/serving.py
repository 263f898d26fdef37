"""What is the same in every Python that serves: it needs numpy, and nothing of induce.

A line of words divided by tabs comes in, a line of JSON goes out::

    learn    LEARNER  TABLE.npz  [ROWS]    →  seconds, rules, conditions, memory in MB before and at its peak
    predict  TABLE.npz                     →  the place of the class of each row, by what was learned last
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Given:
    """Rows as numbers, values of nominal columns by their place in `domains`; see `benchmarks.peers.exchange`."""

    names: list[str]
    domains: list[Any]
    classes: list[str]
    X: Any
    y: Any

    @classmethod
    def read(cls, path: str, rows: int | None = None) -> "Given":
        """Read a table, or its first rows."""
        with np.load(path) as file:
            return cls(**json.loads(str(file["about"])), X=file["X"][:rows], y=file["y"][:rows])


def serve(system: Any) -> None:
    """Answer until nobody asks any more.

    `system.prepared(given)` makes the table that the system knows, `system.learned(name, table)` is timed,
    `system.predicted(model, table)` returns places of classes and `system.size(model)` counts rules and conditions.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # what a library prints is no answer
    model = None
    for line in sys.stdin:
        order, *words = line.rstrip("\n").split("\t")
        try:
            if order == "learn":
                name, path, *rows = words
                table = system.prepared(Given.read(path, *map(int, rows)))
                before = _status("VmRSS")
                start = time.perf_counter()
                model = system.learned(name, table)
                seconds = time.perf_counter() - start
                rules, conditions = system.size(model)
                answer = {
                    "seconds": seconds,
                    "rules": rules,
                    "conditions": conditions,
                    "before": before,
                    "peak": _status("VmHWM"),
                }
            else:
                answer = {
                    "codes": [int(k) for k in system.predicted(model, system.prepared(Given.read(*words)))]
                }
        except Exception as problem:
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), file=answers, flush=True)


def _status(field: str) -> float:
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field + ":"))
