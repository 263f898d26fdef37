"""Declarations of parameters shared by reinforcement learners."""

from __future__ import annotations

from induce.core.parameters import number, whole

DISCOUNT = number("Discount factor: value of a reward one step later.", at_least=0, at_most=1)
MAX_STEPS = whole(
    "Maximum number of steps per episode; None uses the environment's limit, or 1000.",
    at_least=1,
    none=True,
)
