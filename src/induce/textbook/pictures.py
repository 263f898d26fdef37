"""Figures of the books, drawn again from what the library computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import induce

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _learned(learner: Any, dataset: str) -> Figure:
    figure: Figure = learner.fit(*induce.dataset(dataset)).hypothesis_.draw()
    return figure


def _version_space() -> Figure:
    return _learned(induce.CandidateElimination(), "enjoy-sport")


def _play_tennis() -> Figure:
    return _learned(induce.ID3(), "play-tennis")


def _restaurant() -> Figure:
    return _learned(induce.ID3(), "restaurant")


def _boosted() -> Figure:
    return _learned(induce.AdaBoost(n_estimators=5), "restaurant")


def _overfitting() -> Figure:
    from induce.pictures.style import axes_for
    from induce.textbook.overfitting import curves

    sizes, training, test = curves()
    figure, axes = axes_for(None, width=6.0, height=4.0)
    axes.plot(sizes, training, marker="o", label="training")
    axes.plot(sizes, test, marker="o", label="test")
    axes.set(xlabel="nodes", ylabel="accuracy")
    axes.legend()
    return figure


def _exhaustion() -> Figure:
    from induce.textbook.learning_theory import ROWS, WRONG
    from induce.theory import exhaustion

    table = [[int(x in wrong) for x in range(10)] for wrong in WRONG]
    figure: Figure = exhaustion(table, [0] * 10, ROWS, epsilon=0.25).draw()
    return figure


def _values() -> Figure:
    learner = induce.DynamicProgramming(discount=0.9)
    figure: Figure = learner.learn("mitchell-13.2").hypothesis_.draw()
    return figure


def _program_tree() -> Figure:
    from induce.evolution import Formula

    return Formula.parse("(+ (sin x) (sqrt (+ (^ x 2) y)))", ("x", "y")).draw()


def _forest_fire() -> Figure:
    from induce.belief_networks import textbook_network

    figure: Figure = textbook_network("forest-fire").draw()
    return figure


def _first_rules() -> Figure:
    from induce.textbook.traces import traced

    return traced("mitchell-10.2").draw()


PICTURES: dict[str, Callable[[], Figure]] = {
    "mitchell-2.5-version-space": _version_space,
    "mitchell-3.1-tree": _play_tennis,
    "mitchell-3.6-overfitting": _overfitting,
    "mitchell-6.11.2-campfire": _forest_fire,
    "mitchell-7.2-version-space": _exhaustion,
    "mitchell-9.1-program-tree": _program_tree,
    "mitchell-10.1-first-rule": _first_rules,
    "mitchell-13.2-values": _values,
    "aima-18.6-restaurant-tree": _restaurant,
    "aima-18.34-adaboost": _boosted,
}
