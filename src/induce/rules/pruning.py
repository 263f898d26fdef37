"""Post-pruning of a rule: preconditions go as long as that improves it on examples it was not learned from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from induce.rules import _loops
from induce.rules.coding import Coded, State, Test
from induce.rules.measures import performance
from induce.rules.training import Floats


def pruned(coded: Coded, rule: State, root: State, held: State, task: _loops.Task, prior: Floats) -> State:
    """Drop preconditions one by one, each time the one whose loss improves performance on `held` the most (§10.3).

    Parameters
    ----------
    coded : Coded
    rule : State
    root : State
        All examples that the rule was learned from.
    held : State
        The examples to prune by.
    task : Task
        How rules are judged, with the class that the rule predicts.
    prior : array
    """

    def on(examples: State, tests: tuple[Test, ...]) -> State:
        state = replace(examples, tests=())
        for test in tests:
            state = coded.take(state, test)
        return state

    def judged(tests: tuple[Test, ...]) -> float:
        counts = on(held, tests).counts
        if counts.sum() < task.lightest:
            return -np.inf
        return performance(counts, task, prior)[1]

    tests, best = rule.tests, judged(rule.tests)
    while len(tests) > 1:
        shorter = [tests[:i] + tests[i + 1 :] for i in range(len(tests))]
        values = [judged(each) for each in shorter]
        if max(values) <= best:
            break
        best = max(values)
        tests = shorter[values.index(best)]
    return rule if tests == rule.tests else replace(on(root, tests), steps=rule.steps)
