"""What is declared of parameters that learners from environments share."""

from __future__ import annotations

from induce.core.parameters import number, whole

DISCOUNT = number("Value of a reward one step later, as a share.", at_least=0, at_most=1)
MAX_STEPS = whole(
    "Steps after which an episode is cut off; None is the environment's own limit, or 1000.",
    at_least=1,
    none=True,
)
