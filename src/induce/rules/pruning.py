"""Post-pruning of a rule: by held-out examples, or by the description length of its preconditions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from induce.rules import _loops
from induce.rules.encoding import Coded, State, Test
from induce.rules.measures import performance
from induce.rules.training import Floats


def pruned(coded: Coded, rule: State, root: State, held: State, task: _loops.Task, prior: Floats) -> State:
    """Drop the precondition whose removal improves performance on `held` most, repeatedly (§10.3).

    Parameters
    ----------
    coded : Coded
        Encoded training table.
    rule : State
        The rule to prune, with the rows it covers.
    root : State
        Training examples of the rule.
    held : State
        Pruning examples.
    task : Task
        Settings of the evaluation, including the class that the rule predicts.
    prior : array
        Class frequencies in the training table.
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


def price_of_a_test(coded: Coded) -> float:
    """Return the minimum likelihood ratio at which a test pays for its description.

    A likelihood ratio is twice a difference of log-likelihoods, so encoding one of n tests costs 2 ln n.
    RIPPER takes half of the bits of a theory because attributes are redundant; a quarter preserves the error
    rate of voting rules.
    """
    cuts = np.where(coded.slots >= 0, 2 * np.maximum(np.diff(coded.offsets) - 1, 0), 0)
    n_tests = float(np.diff(coded.starts).sum() + cuts.sum())
    return math.log(max(n_tests, 2.0)) / 2
