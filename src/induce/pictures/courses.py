"""Plots of errors over the epochs of a training run (Mitchell Fig. 4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.pictures.style import GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Course = tuple[NDArray[np.int64], NDArray[np.float64]]


def draw_course(courses: Mapping[str, Course], title: str, chosen: int | None = None) -> Figure:
    """Draw the errors of several measures, each with its epochs, and mark the chosen epoch."""
    figure, axes = axes_for(None)
    for number, (label, (epochs, errors)) in enumerate(courses.items()):
        axes.plot(epochs, errors, color=PALETTE[number % len(PALETTE)], label=label)
    if chosen is not None:
        axes.axvline(chosen, color=GREY, lw=0.9, ls=":", label=f"chosen: epoch {chosen}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("epoch")
    axes.legend(frameon=False, fontsize=9)
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    tidy(axes)
    return figure
