"""Figures of the books, redrawn from results of the library: a picture for an entry, by the entry's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from induce.textbook.pictures import (
    analytical_and_control,
    concepts_and_trees,
    evaluation_and_theory,
    instances_and_rules,
    learning_from_examples,
    networks,
    statistical_learning,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES: dict[str, Callable[[], Figure]] = {
    **concepts_and_trees.PICTURES,
    **networks.PICTURES,
    **evaluation_and_theory.PICTURES,
    **instances_and_rules.PICTURES,
    **analytical_and_control.PICTURES,
    **learning_from_examples.PICTURES,
    **statistical_learning.PICTURES,
}
