"""Mitchell, chapters 1 to 3: the design of a learner, version spaces and decision trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import induce
from induce.textbook.pictures.panels import boxes_and_arrows, curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _modules() -> Figure:
    places = {
        "Experiment generator": (3.2, 3.4),
        "Performance system": (5.5, 1.9),
        "Critic": (3.2, 0.4),
        "Generalizer": (0.9, 1.9),
    }
    arrows = (
        ("Experiment generator", "Performance system", "new problem\n(first board)"),
        ("Performance system", "Critic", "solution trace\n(history of the game)"),
        ("Critic", "Generalizer", "training examples"),
        ("Generalizer", "Experiment generator", "hypothesis"),
    )
    return boxes_and_arrows(places, arrows)


def _ordering() -> Figure:
    from induce.pictures.style import LINE
    from induce.pictures.trees import Box, write_box
    from induce.textbook.mitchell_figures import HYPOTHESES, INSTANCES, covering, more_general

    figure, (left, right) = panels(2, 4.4, 2.6)
    left.set_title("instances", fontsize=10)
    right.set_title("hypotheses, more general ones above", fontsize=10)
    covers, order = covering(), more_general()
    for k, (name, instance) in enumerate(INSTANCES.items()):
        text = f"{name} = ⟨{', '.join(instance)}⟩\nsatisfies {', '.join(covers[name])}"
        write_box(left, 0.5, 0.72 - 0.45 * k, Box(text), size=7.5)
    above = [name for name in HYPOTHESES if any(name == general for general, _ in order)]
    below = [name for name in HYPOTHESES if name not in above]
    places = {
        name: ((k + 0.5) / len(names), height)
        for names, height in ((above, 0.72), (below, 0.27))
        for k, name in enumerate(names)
    }
    for pair in order:
        right.plot(*zip(*(places[name] for name in pair), strict=True), color=LINE, lw=1.2, zorder=1)
    for name, place in places.items():
        write_box(right, *place, Box(f"{name}\n⟨{', '.join(HYPOTHESES[name])}⟩"), size=7.5)
    for axes in (left, right):
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.set_axis_off()
    return figure


def _version_space() -> Figure:
    figure: Figure = induce.CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_.draw()
    return figure


def _deduction() -> Figure:
    places = {
        "training examples": (0.9, 3.1),
        "new instance": (0.9, 2.3),
        "candidate elimination\nin the conjunctions": (3.3, 2.7),
        "examples, instance,\n“the concept is a conjunction”": (1.2, 0.8),
        "deduction": (3.6, 0.8),
        "the same answers": (5.6, 1.75),
    }
    arrows = [
        ("training examples", "candidate elimination\nin the conjunctions", ""),
        ("new instance", "candidate elimination\nin the conjunctions", ""),
        ("candidate elimination\nin the conjunctions", "the same answers", ""),
        ("examples, instance,\n“the concept is a conjunction”", "deduction", ""),
        ("deduction", "the same answers", ""),
    ]
    return boxes_and_arrows(places, arrows, 6.6, 3.6)


def _play_tennis() -> Figure:
    figure: Figure = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_.draw()
    return figure


def _with_gains() -> Figure:
    figure: Figure = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_.draw(gains=True)
    return figure


def _entropy() -> Figure:
    from induce.textbook.mitchell_figures import entropy_curve

    return curves({"entropy": entropy_curve(50)}, "fraction of positive examples", "entropy (bits)", "")


def _two_splits() -> Figure:
    from induce.trees.book_pictures import draw_with_gains

    X, y = induce.dataset("play-tennis")
    figure, both = panels(2, 4.6, 2.4)
    for axes, name in zip(both, ("Humidity", "Wind"), strict=True):
        draw_with_gains(induce.DecisionStump().fit(X[[name]], y).hypothesis_, axes)
    return figure


def _search() -> Figure:
    from induce.textbook.mitchell_figures import search_of_id3
    from induce.trees.book_pictures import draw_with_gains

    trees = search_of_id3()
    figure, places = panels(len(trees), 4.2, 2.9)
    for axes, tree in zip(places, trees, strict=True):
        draw_with_gains(tree, axes)
    return figure


def _overfitting() -> Figure:
    from induce.textbook.overfitting import curves as accuracies

    sizes, training, test = accuracies()
    return curves({"training": (sizes, training), "test": (sizes, test)}, "nodes", "accuracy")


PICTURES = {
    "mitchell-1.1-modules": _modules,
    "mitchell-2.1-ordering": _ordering,
    "mitchell-2.5-version-space": _version_space,
    "mitchell-2.8-deduction": _deduction,
    "mitchell-3.1-tree": _play_tennis,
    "mitchell-3.2-entropy-curve": _entropy,
    "mitchell-3.3-humidity-entropy": _two_splits,
    "mitchell-3.4-sunny-branch": _with_gains,
    "mitchell-3.5-search": _search,
    "mitchell-3.6-overfitting": _overfitting,
}
