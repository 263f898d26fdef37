"""Declarations of parameters shared by learners from environments."""

from __future__ import annotations

from induce.core.parameters import number, whole

DISCOUNT = number("Discount factor: value of a reward one step later.", at_least=0, at_most=1)
MAX_STEPS = whole(
    "Steps after which an episode is cut off; None is the environment's own limit, or 1000.",
    at_least=1,
    none=True,
)
