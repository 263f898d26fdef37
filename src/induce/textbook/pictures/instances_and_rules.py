"""Mitchell, chapters 8 to 10: neighbours, cases, genetic programs, rules and clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import induce
from induce.pictures.style import DARK, PALETTE
from induce.textbook.pictures.panels import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _neighbours() -> Figure:
    from induce.textbook.neighbors import FIGURE, SIGNS

    nearest = induce.KNeighborsClassifier(1, metric="euclidean").fit(FIGURE, SIGNS).hypothesis_
    figure: Figure = nearest.draw()
    return figure


def _kernels() -> Figure:
    from induce.textbook.local_learning import SQUARES

    network = induce.RBFNetworkRegressor(centers="all", width=1.0, ridge=0.0, intercept="zero", scale=None)
    figure: Figure = network.fit(*SQUARES).hypothesis_.draw()
    return figure


def _faucet() -> Figure:
    from induce.instances.cases import read_cases, read_specification

    library, faucet = read_cases("devices"), read_specification("faucet")
    figure: Figure = library.retrieve(faucet)[0].draw()
    return figure


def _program_tree() -> Figure:
    from induce.evolution import Formula

    return Formula.parse("(+ (sin x) (sqrt (+ (^ x 2) y)))", ("x", "y")).draw()


def _program_crossover() -> Figure:
    from induce.evolution import Formula
    from induce.textbook.programs import PARENTS, offspring

    figure, places = panels(4, 2.6, 3.0)
    texts = [*PARENTS, *offspring()]
    names = ("first parent", "second parent", "first child", "second child")
    for axes, text, name in zip(places, texts, names, strict=True):
        Formula.parse(text, ("x", "y")).draw(axes)
        axes.set_title(name, fontsize=10)
    return figure


def _blocks() -> Figure:
    """Draw blocks on the stack and on the table, before and after the discovered program runs."""
    from matplotlib.patches import Rectangle

    from induce.evolution import BlockWorld, Program
    from induce.evolution.programs.problems.blocks import DISCOVERED, WORD

    world = BlockWorld()
    stacks = {"before": "nvi", "after": world.after(Program.parse(DISCOVERED, world.language), "nvi")[0]}
    figure, both = panels(2, 3.4, 2.8)
    for axes, (name, stack) in zip(both, stacks.items(), strict=True):
        for k, letter in enumerate([*stack, *(letter for letter in WORD if letter not in stack)]):
            x, y = (0, k) if k < len(stack) else (1 + 1.2 * (k - len(stack)), 0)
            axes.add_patch(Rectangle((x, y), 0.9, 0.9, fc=PALETTE[4], ec=DARK, alpha=0.6))
            axes.text(x + 0.45, y + 0.45, letter, ha="center", va="center", fontsize=10)
        axes.axhline(0, color=DARK, lw=1.2)
        axes.set(xlim=(-0.4, 9), ylim=(-0.3, 9.4), aspect="equal", title=name)
        axes.set_axis_off()
    return figure


def _first_rules() -> Figure:
    from induce.textbook.traces import traced

    return traced("mitchell-10.2").draw()


def _resolution() -> Figure:
    from induce.relational.pictures import draw_inverse_resolution
    from induce.textbook.logic import exam_steps

    return draw_inverse_resolution(exam_steps()[0])


def _grandchild() -> Figure:
    from induce.relational.pictures import draw_inverse_resolution
    from induce.textbook.logic import grandchild_steps

    return draw_inverse_resolution(grandchild_steps())


PICTURES = {
    "mitchell-8.1-neighbours": _neighbours,
    "mitchell-8.4-exact-network": _kernels,
    "mitchell-8.5-t-junction": _faucet,
    "mitchell-9.1-program-tree": _program_tree,
    "mitchell-9.2-program-crossover": _program_crossover,
    "mitchell-9.5.2-discovered-program": _blocks,
    "mitchell-10.1-first-rule": _first_rules,
    "mitchell-10.7.1-inverse-resolution": _resolution,
    "mitchell-10.7.3-grandchild": _grandchild,
}
