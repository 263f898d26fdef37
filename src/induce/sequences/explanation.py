"""Explanation of a step's state by earlier, current and later observations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.explained import Explained
from induce.core.reports import text_table
from induce.core.ties import first_largest
from induce.core.values import Value
from induce.hypotheses.naming import threshold_text, value_text, with_unit
from induce.sequences.hypothesis import HiddenMarkovChain
from induce.sequences.inference import best_paths, smoothed
from induce.sequences.parameters import Floats
from induce.sequences.sequences import Steps

DECIBANS = 10 / math.log(10)


@dataclass(frozen=True)
class StepExplanation(Explained):
    """Evidence for the state of a step against the most probable alternative.

    Parameters
    ----------
    state : object
        State of the step in the most probable path.
    probability : float
        P(state | all observations).
    other : object or None
        Most probable alternative state; None if there is none.
    evidence : tuple of (str, float)
        Evidence for the state against the alternative, in decibans (10 is ten to one). The terms sum to the log odds
        of the two states given all observations.
    """

    state: Value
    probability: float
    other: Value | None
    evidence: tuple[tuple[str, float], ...]

    @property
    def decibans(self) -> float:
        """Log odds of the state against the alternative, in decibans."""
        return sum(weight for _, weight in self.evidence)

    def __str__(self) -> str:
        head = f"{value_text(self.state)} ({self.probability:.4g})"
        if self.other is None:
            return head
        lines = [(text, f"{weight:+.1f}") for text, weight in (*self.evidence, ("together", self.decibans))]
        return f"{head} rather than {value_text(self.other)}, in decibans\n{text_table(lines)}"


def explained(chain: HiddenMarkovChain, X: Any) -> tuple[StepExplanation, ...]:
    """Implement `HiddenMarkovChain.explain`."""
    sequences, steps, past = chain.read(X)
    parameters = chain.parameters
    states = smoothed(parameters, steps, past).states
    paths, _ = best_paths(parameters, steps)
    before = np.empty_like(states)
    before[1:] = past.states[:-1] @ parameters.transitions
    before[steps.offsets[:-1]] = parameters.start
    firsts, lasts = set(steps.offsets[:-1].tolist()), set((steps.offsets[1:] - 1).tolist())
    found = []
    for t, state in enumerate(paths[0].tolist()):
        others = np.where(np.arange(len(chain.states)) == state, -1.0, states[t])
        other = first_largest(others)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [("start" if t in firsts else "before", np.log(before[t])), *_shown(chain, steps, t)]
            if t not in lasts:
                logs.append(("after", np.log(np.where(past.states[t] > 0, states[t] / past.states[t], 0.0))))
        evidence = tuple((text, DECIBANS * float(log[state] - log[other])) for text, log in logs)
        alone = other == state
        found.append(
            StepExplanation(
                chain.states[state],
                float(states[t, state]),
                None if alone else chain.states[other],
                () if alone else evidence,
            )
        )
    places = sequences.in_rows(np.arange(len(found)))
    return tuple(found[place] for place in places.tolist())


def _shown(chain: HiddenMarkovChain, steps: Steps, t: int) -> Iterator[tuple[str, Floats]]:
    """Yield the observations of a step with their log probability in each state; mixture numbers are joint."""
    parameters = chain.parameters
    nominal = number = 0
    together: Floats = np.zeros_like(parameters.weights)
    texts: list[str] = []
    _, means, halves, norms = parameters.densities
    for column in chain.schema.inputs():
        if column.kind == "nominal":
            code = int(steps.codes[t, nominal])
            if code >= 0:
                value = f"{value_text(column.name)} = {value_text(column.domain[code])}"
                yield value, np.log(parameters.tables[nominal][:, code])
            nominal += 1
            continue
        seen = float(steps.numbers[t, number])
        if not math.isnan(seen):
            number_seen = with_unit(f"{seen:.6g}", column.counted)
            told = threshold_text(seen, column.temporal) if column.temporal else number_seen
            texts.append(f"{value_text(column.name)} = {told}")
            logs = norms[:, :, number] - halves[:, :, number] * (seen - means[:, :, number]) ** 2
            together = together + logs
            if logs.shape[1] == 1:
                yield texts[-1], logs[:, 0]
        number += 1
    if texts and together.shape[1] > 1:
        yield ", ".join(texts), np.log((parameters.weights * np.exp(together)).sum(axis=1))
