"""What holds of the checks of every learner."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def searching_little(small: dict[str, dict[str, Any]]) -> None:
    """What is asked here of every learner does not depend on how long it searches."""
