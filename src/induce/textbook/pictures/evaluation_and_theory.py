"""Mitchell, chapters 5 to 7: intervals, beliefs, mixtures and exhausted version spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.pictures.style import DARK, GREY, PALETTE, TINT, axes_for, tidy
from induce.textbook.pictures.panels import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _normal_intervals() -> Figure:
    import numpy as np

    from induce.statistics import Normal, Student

    x = np.linspace(-3.5, 3.5, 211)
    figure, both = panels(2, 3.8, 2.8)
    low, high = Normal().within(0.80)
    bound = Student().ppf(0.90)
    spans = ((low, high, f"80% between {low:.2f} and {high:.2f}"), (-3.5, bound, f"90% below {bound:.2f}"))
    for axes, (start, end, title) in zip(both, spans, strict=True):
        density = Normal().pdf(x)
        axes.plot(x, density, color=PALETTE[0], lw=1.6)
        inside = (x >= start) & (x <= end)
        axes.fill_between(x[inside], density[inside], color=TINT, lw=0)
        axes.set_title(title, fontsize=10)
        axes.set_ylim(0, 0.44)
        tidy(axes)
    return figure


def _binomial() -> Figure:
    from induce.statistics import Binomial

    errors = Binomial(40, 0.3)
    figure, axes = axes_for(None, 6.0, 3.4)
    axes.bar(range(41), [float(errors.pmf(k)) for k in range(41)], color=PALETTE[0], width=0.8)
    axes.set(xlabel="errors among 40 examples", ylabel="probability")
    tidy(axes)
    return figure


def _fitted_line() -> Figure:
    from induce.bayes import fit_line
    from induce.textbook.bayes import NOISY

    figure: Figure = fit_line(*NOISY).draw(*NOISY)
    return figure


def _forest_fire() -> Figure:
    from induce.belief_networks import textbook_network

    figure: Figure = textbook_network("forest-fire").draw()
    return figure


def _two_normals() -> Figure:
    import numpy as np

    from induce.mixtures import Mixture
    from induce.textbook.local_learning import SIX, two_means

    ends = two_means().hypothesis.means.ravel()
    figure = Mixture.of([0.5, 0.5], ends[:, np.newaxis], [[[1.0]], [[1.0]]]).draw()
    axes = figure.axes[0]
    axes.plot(SIX, np.zeros_like(SIX), "o", color=DARK, ms=5, clip_on=False, zorder=4)
    axes.set_xlabel("x")
    return figure


def _true_error() -> Figure:
    from matplotlib.patches import Rectangle

    from induce.textbook.mitchell_figures import CONCEPT, DRAWN, true_and_learned

    points, inside, learner = true_and_learned()
    said = learner.predict(points) == "+"
    figure, axes = axes_for(None, 4.6, 4.4)
    wrong = points[said != inside]
    axes.plot(*wrong.T, "s", color=TINT, ms=15, mew=0, label="concept and hypothesis differ")
    covered = points[said]
    for (low, high), colour, name in (
        (CONCEPT, PALETTE[0], "concept c"),
        ((covered.min(axis=0), covered.max(axis=0)), PALETTE[5], "hypothesis h"),
    ):
        width, height = (high[k] - low[k] + 1 for k in range(2))
        box = Rectangle(
            (low[0] - 0.5, low[1] - 0.5), width, height, fill=False, ec=colour, lw=1.8, label=name
        )
        axes.add_patch(box)
    for x, y in DRAWN:
        axes.text(x, y, "+" if inside[10 * x + y] else "-", ha="center", va="center", fontsize=13, color=DARK)
    axes.set(xlim=(-0.6, 9.6), ylim=(-0.6, 9.6), aspect="equal")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=8)
    return figure


def _exhaustion() -> Figure:
    from induce.textbook.learning_theory import ROWS, WRONG
    from induce.theory import exhaustion

    table = [[int(x in wrong) for x in range(10)] for wrong in WRONG]
    figure: Figure = exhaustion(table, [0] * 10, ROWS, epsilon=0.25).draw()
    return figure


def _three_shattered() -> Figure:
    """Draw the subsets of three instances, each above the conjunction that selects it."""
    from itertools import product

    from induce.theory import conjunction_table

    table = conjunction_table(3)
    figure, axes = axes_for(None, 8.0, 2.0)
    for column, inside in enumerate(product((0, 1), repeat=3)):
        code = next(code for code in range(27) if tuple(table[code][[4, 2, 1]].astype(int)) == inside)
        digits = [code // 9, code // 3 % 3, code % 3]
        literals = [("¬l" if digit == 0 else "l") + str(k + 1) for k, digit in enumerate(digits) if digit < 2]
        for row, filled in enumerate(inside):
            axes.plot(column, 2 - row, "o", ms=11, mec=DARK, mfc=PALETTE[0] if filled else "white")
        axes.text(column, -0.7, "\n".join(literals) or "all", ha="center", va="top", fontsize=8)
    axes.set_yticks([2, 1, 0], ["100", "010", "001"])
    axes.set(xlim=(-0.6, 7.6), ylim=(-2.4, 2.6), xticks=[])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=GREY)
    return figure


def _plane() -> Figure:
    from induce.theory import draw_dichotomies

    figure: Figure = draw_dichotomies([[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]])
    return figure


PICTURES = {
    "mitchell-5.1-figure": _normal_intervals,
    "mitchell-5.3-binomial": _binomial,
    "mitchell-6.4-least-squares": _fitted_line,
    "mitchell-6.11.2-campfire": _forest_fire,
    "mitchell-6.12.1-two-means": _two_normals,
    "mitchell-7.1-true-error": _true_error,
    "mitchell-7.2-version-space": _exhaustion,
    "mitchell-7.4-three-instances": _three_shattered,
    "mitchell-7.4-plane": _plane,
}
