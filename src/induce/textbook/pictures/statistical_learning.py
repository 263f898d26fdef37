"""Russell and Norvig, chapter 20 of the second edition: candies, parameters, mixtures and densities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import induce
from induce.pictures.style import DARK, GREY, PALETTE, tidy
from induce.textbook.pictures.panels import boxes_and_arrows, curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _candy() -> Figure:
    from induce.textbook.statistical_learning import bags

    figure: Figure = bags().evolve(["lime"] * 10).draw("lime")
    return figure


def _naive_bayes() -> Figure:
    from induce.textbook.naive_bayes import SIZES, curve

    means = curve()
    lines = {name: (SIZES, [means[f"{name} {size}"] for size in SIZES]) for name in ("tree", "naive Bayes")}
    return curves(lines, "training evenings", "share right")


def _line() -> Figure:
    from induce.bayes import fit_line
    from induce.textbook.statistical_learning import LINE

    figure: Figure = fit_line(*LINE).draw(*LINE)
    return figure


def _betas() -> Figure:
    from induce.bayes import Beta

    figure, both = panels(2, 4.0, 3.0)
    for axes, several in zip(both, ([(1, 1), (2, 2), (5, 5)], [(3, 1), (6, 2), (30, 10)]), strict=True):
        for counts in several:
            Beta(*counts).draw(axes)
    return figure


def _three_gaussians() -> Figure:
    from induce.textbook.mixtures import five_hundred

    points, found = five_hundred()
    figure, (left, right) = panels(2, 3.8, 3.4)
    left.plot(*points.T, ".", color=DARK, ms=2.5)
    left.set(xlabel="x1", ylabel="x2", title="500 points")
    which = found.predict(points)
    for k in range(3):
        right.plot(*points[which == k].T, ".", color=PALETTE[k], ms=2.5)
        right.plot(*found.centres[k], "x", color=DARK, ms=7)
    right.set(xlabel="x1", title="model fitted by EM")
    return figure


def _likelihoods() -> Figure:
    from induce.textbook.mixtures import candy_course, gaussian_course

    _, course, true = candy_course()
    figure, both = panels(2, 4.0, 3.0)
    courses = {"three Gaussians (a)": gaussian_course(), "bags of candies (b)": (course, true)}
    for axes, (title, (values, level)) in zip(both, courses.items(), strict=True):
        axes.plot(range(len(values)), values, marker="o", ms=4, color=PALETTE[0], label="EM")
        axes.axhline(level, color=GREY, ls="--", lw=1.2, label="generating model")
        axes.set(xlabel="iteration", ylabel="log likelihood", title=title)
        tidy(axes)
        axes.legend(frameon=False, fontsize=9)
    return figure


def _heart() -> Figure:
    from induce.textbook.belief_networks import heart_disease

    with_hidden, _ = heart_disease()
    figure: Figure = with_hidden.draw()
    return figure


def _densities(learners: dict[str, induce.KernelDensity | induce.NeighborDensity]) -> Figure:
    from induce.textbook.densities import three_gaussians

    points = three_gaussians(0)
    steps = (np.arange(60) + 0.5) / 60
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    figure, places = panels(len(learners), 2.9, 2.9)
    for axes, (name, learner) in zip(places, learners.items(), strict=True):
        density = np.exp(learner.fit(points).score_samples(grid)).reshape(60, 60)
        axes.contourf(steps, steps, np.minimum(density, 12), levels=np.linspace(0, 12, 9), cmap="Blues")
        axes.plot(*points.T, ".", color=DARK, ms=2)
        axes.set(title=name, xlim=(0, 1), ylim=(0, 1))
    return figure


def _neighbour_densities() -> Figure:
    return _densities({f"k = {k}": induce.NeighborDensity(n_neighbors=k, scale=None) for k in (3, 10, 40)})


def _kernel_densities() -> Figure:
    return _densities({f"w = {w}": induce.KernelDensity(bandwidth=w, scale=None) for w in (0.02, 0.07, 0.2)})


def _umbrella() -> Figure:
    from induce.textbook.sequences import umbrella

    figure: Figure = umbrella().draw()
    return figure


def _flavor_and_wrapper() -> Figure:
    """Draw the network of figure 20.2b with the maximum likelihood parameters of a thousand candies."""
    from induce.belief_networks import NetworkParameters

    X = induce.dataset("candy").X.drop("Hole")
    learned: Any = NetworkParameters({"Wrapper": ["Flavor"]}, alpha=0).fit(X).hypothesis_
    figure: Figure = learned.draw(tables=True)
    return figure


def _bags() -> Figure:
    from induce.textbook.exercises import two_bags

    figure: Figure = two_bags(0.6, 0.6, 0.4).draw(tables=True)
    return figure


def _unrolled_umbrella() -> Figure:
    from induce.belief_networks import textbook_network

    figure: Figure = textbook_network("umbrella").draw(tables=True)
    return figure


def _margin() -> Figure:
    from induce.textbook.aima_figures import lifted_circle

    machine, squares, inside = lifted_circle()
    figure: Figure = machine.hypothesis_.draw(X=squares, y=inside)
    return figure


def _unrolled() -> Figure:
    """Draw parameters as nodes of their own, with three candies that depend on them (figure 20.6)."""
    places = {"Θ": (3.2, 3.5), "Θ1": (2.0, 0.3), "Θ2": (4.4, 0.3)}
    arrows = []
    for k, x in enumerate((0.9, 3.2, 5.5), start=1):
        places[f"Flavor {k}"], places[f"Wrapper {k}"] = (x, 2.5), (x, 1.4)
        arrows += [("Θ", f"Flavor {k}", ""), (f"Flavor {k}", f"Wrapper {k}", "")]
        arrows += [("Θ1", f"Wrapper {k}", ""), ("Θ2", f"Wrapper {k}", "")]
    return boxes_and_arrows(places, arrows, 6.4, 3.8, shrink=20)


def _neighbourhoods() -> Figure:
    """Draw two queries with their ten nearest points, and the density that made the points (figure 20.12)."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    from induce.textbook.densities import QUERIES, neighbourhoods, three_gaussians, true_density

    points = three_gaussians(0)
    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    left, right = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2, projection="3d")
    left.plot(*points.T, ".", color=DARK, ms=3)
    for query, radius in zip(QUERIES, neighbourhoods(), strict=True):
        left.plot(*query, "x", color=PALETTE[1], ms=7)
        left.add_patch(Circle(query, radius, fill=False, edgecolor=PALETTE[1]))
    left.set(xlabel="x1", ylabel="x2", aspect="equal", title="ten nearest of 128 points")
    steps = (np.arange(40) + 0.5) / 40
    grid = np.stack(np.meshgrid(steps, steps), axis=-1)
    density = true_density(grid.reshape(-1, 2)).reshape(40, 40)
    surface: Any = right
    surface.plot_wireframe(grid[..., 0], grid[..., 1], density, lw=0.5, color=PALETTE[0])
    right.set(title="true density")
    return figure


PICTURES = {
    "aima-20.2-unrolled": _unrolled,
    "aima-20.12-neighbourhoods": _neighbourhoods,
    "aima-20.2-shares": _flavor_and_wrapper,
    "aima-exercise-20.10c-symmetry": _bags,
    "aima-15.2-umbrella": _unrolled_umbrella,
    "aima-20.28-margin": _margin,
    "aima-20.1-candy": _candy,
    "aima-20.2-naive-bayes-curve": _naive_bayes,
    "aima-20.2-line": _line,
    "aima-20.2-betas": _betas,
    "aima-20.3-heart-disease": _heart,
    "aima-20.8-three-gaussians": _three_gaussians,
    "aima-20.3-candy-em": _likelihoods,
    "aima-20.3-hidden-markov-models": _umbrella,
    "aima-20.4-neighbours": _neighbour_densities,
    "aima-20.4-widths": _kernel_densities,
}
