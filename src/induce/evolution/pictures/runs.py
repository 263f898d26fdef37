"""Plots of a traced run: crowding, operator success and the winner's ancestry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import first_largest
from induce.evolution.reproduction import CROSSED, MUTATED
from induce.pictures.style import GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def generations_of(events: Iterable[Any]) -> list[Any]:
    """Return the generations of a trace, in order."""
    found = [event for event in events if event.kind == "generation"]
    if not found:
        raise InputError("the trace contains no generation; learn inside `with induce.trace() as events`")
    return found


def draw_crowding(events: Iterable[Any]) -> Figure:
    """Plot diversity, crowding and operator success in every generation.

    Parameters
    ----------
    events : trace
        Trace of an evolutionary learner.
    """
    found = generations_of(events)
    figure, axes = axes_for(None)
    x = [event["number"] for event in found]
    for name, colour, label in (
        ("diversity", PALETTE[0], "mean pairwise distance"),
        ("crowding", PALETTE[5], "fraction of the most common individual"),
        ("crossover_success", PALETTE[2], "offspring better than both parents"),
        ("mutation_success", PALETTE[1], "mutants better than their parent"),
    ):
        y = [np.nan if event[name] is None else event[name] for event in found]
        if not np.isnan(y).all():
            axes.plot(x, y, color=colour, label=label, lw=1.4)
    axes.set_xlabel("generation")
    axes.set_ylabel("share")
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, fontsize=8)
    tidy(axes)
    return figure


def family(
    events: Iterable[Any], most: int | None = None
) -> list[list[tuple[int, tuple[int, int], int, float]]]:
    """Return the ancestors of the fittest individual of the last generation, earliest generation first.

    Parameters
    ----------
    events : trace
        Trace of an evolutionary learner.
    most : int, optional
        Maximum number of generations to go back.

    Returns
    -------
    list
        For each generation, the index, parent indices, operator and fitness of each ancestor.
    """
    found = generations_of(events)
    found = found if most is None else found[-(most + 1) :]
    top = first_largest(found[-1]["scores"])
    places = {top}
    # higher scores are better: with minimised fitness, scores are negated
    sign = 1.0 if found[-1]["scores"][top] == found[-1]["top"] else -1.0
    levels = []
    for event in reversed(found):
        parents, how, scores = event["parents"], event["how"], event["scores"]
        first = parents is None or event is found[0]
        levels.append(
            [
                (
                    place,
                    (-1, -1) if first else (int(parents[place, 0]), int(parents[place, 1])),
                    0 if first else int(how[place]),
                    sign * float(scores[place]),
                )
                for place in sorted(places)
            ]
        )
        if not first:
            places = {parent for _, both, _, _ in levels[-1] for parent in both}
    return levels[::-1]


def draw_family(events: Iterable[Any], most: int | None = None) -> Figure:
    """Plot the winner's ancestors, one column per generation, with lines from their parents.

    Parameters
    ----------
    events : trace
        Trace of a learner whose population is replaced by its offspring, such as `GeneticAlgorithm`.
    most : int, optional
        Maximum number of generations to go back.
    """
    events = list(events)
    levels = family(events, most)
    last = generations_of(events)[-1]["number"]
    figure, axes = axes_for(None, height=4.6)
    height = [{place: _level(k, len(level)) for k, (place, *_) in enumerate(level)} for level in levels]
    scores = [score for level in levels for *_, score in level if np.isfinite(score)]
    for k, level in enumerate(levels):
        for place, parents, _, _ in level:
            for parent in set(parents) - {-1}:
                axes.plot(
                    [last - len(levels) + k, last - len(levels) + k + 1],
                    [height[k - 1][parent], height[k][place]],
                    color=GREY,
                    lw=0.5,
                    alpha=0.6,
                    zorder=1,
                )
    for how, marker, label in (
        (0, "o", "copied, or of the first generation"),
        (CROSSED, "s", "by crossover"),
        (MUTATED, "^", "by mutation"),
        (CROSSED + MUTATED, "D", "by crossover and mutation"),
    ):
        dots = [
            (last - len(levels) + k + 1, height[k][place], score)
            for k, level in enumerate(levels)
            for place, _, came, score in level
            if came == how
        ]
        if dots:
            x, y, colour = zip(*dots, strict=True)
            shown = axes.scatter(
                x,
                y,
                c=colour,
                cmap="viridis",
                vmin=min(scores),
                vmax=max(scores),
                marker=marker,
                s=22,
                zorder=2,
                label=label,
                edgecolors="white",
                linewidths=0.4,
            )
    figure.colorbar(shown, ax=axes, label="fitness", shrink=0.8)
    axes.set_xlabel("generation")
    axes.set_yticks([])
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 1.12), ncols=2)
    tidy(axes, "x")
    axes.spines["left"].set_visible(False)
    return figure


def _level(k: int, n: int) -> float:
    """Return the vertical position of the k-th of n ancestors."""
    return (k + 0.5) / n
