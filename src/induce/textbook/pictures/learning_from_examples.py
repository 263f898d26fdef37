"""Russell and Norvig, chapter 18: trees, lines, networks, neighbours, margins and ensembles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import induce
from induce.pictures.style import DARK, GREY, PALETTE, TINT, axes_for, tidy
from induce.textbook.pictures.panels import curves, panels
from induce.textbook.pictures.planes import decided

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _two_splits() -> Figure:
    from induce.trees.book_pictures import draw_with_gains

    X, y = induce.dataset("restaurant")
    figure, both = panels(2, 5.0, 2.2)
    for axes, name in zip(both, ("Type", "Pat"), strict=True):
        draw_with_gains(induce.DecisionTreeClassifier(max_depth=1).fit(X[[name]], y).hypothesis_, axes)
    return figure


def _restaurant() -> Figure:
    figure: Figure = induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_.draw()
    return figure


def _learning_curve() -> Figure:
    from induce.textbook.restaurant import learning_curve

    accuracy = learning_curve()
    return curves(
        {"tree": ([*accuracy], [*accuracy.values()])}, "training evenings", "accuracy on all evenings"
    )


def _list_curve() -> Figure:
    from induce.textbook.online import SIZES, list_curve

    lines = {name: (SIZES, means) for name, means in list_curve().items()}
    return curves(lines, "training evenings", "accuracy on all evenings")


def _penalties() -> Figure:
    """Draw the contours of the squared error of four points, and the weights allowed by both penalties."""
    X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    y = X @ [3.0, 0.2]
    steps = np.linspace(-3.2, 4.0, 61)
    w1, w2 = np.meshgrid(steps, steps)
    errors = (
        np.square(X @ np.stack([w1.ravel(), w2.ravel()]) - y[:, np.newaxis]).mean(axis=0).reshape(w1.shape)
    )
    figure, both = panels(2, 3.7, 3.5)
    for axes, penalty in zip(both, ("l1", "l2"), strict=True):
        model = (
            induce.LinearRegression(penalty=penalty, strength=1.0, fit_intercept=False).fit(X, y).hypothesis_
        )
        weights = [round(float(w), 6) for w in model.weights[0]]
        sizes = np.abs(weights)
        reach = sizes.sum() if penalty == "l1" else float(np.hypot(*sizes))
        axes.contour(w1, w2, errors, levels=[0.05, 0.5, 1.5, 3, 6, 10], colors=GREY, linewidths=0.7)
        turn = np.linspace(0, 2 * np.pi, 101)
        edge = (
            np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [1, 0]]).T
            if penalty == "l1"
            else np.array([np.cos(turn), np.sin(turn)])
        )
        axes.fill(*(reach * edge), color=TINT, alpha=0.7, lw=0)
        axes.plot(*weights, "o", color=PALETTE[5], ms=6)
        axes.plot(3.0, 0.2, "x", color=DARK, ms=6)
        axes.set_title(f"{penalty.upper()}: w = ({weights[0]:g}, {weights[1]:g})", fontsize=10)
        axes.set(xlabel="w1", ylabel="w2", aspect="equal")
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _earthquakes() -> Figure:
    figure, both = panels(2, 3.7, 3.3)
    for axes, name in zip(both, ("earthquakes", "earthquakes-noisy"), strict=True):
        X, y = induce.dataset(name)
        decided(axes, induce.LogisticRegression(penalty="l2", strength=0.01).fit(X, y), X, y.to_list(), 0.3)
        axes.set(xlabel="x1", ylabel="x2")
    across = np.linspace(4.5, 7.5, 2)
    both[0].plot(across, 1.7 * across - 4.9, "--", color=DARK, lw=1.2, label="x2 = 1.7 x1 - 4.9")
    both[0].legend(frameon=False, fontsize=8)
    return figure


def _thresholds() -> Figure:
    from induce.textbook.aima_figures import logistic

    z = np.linspace(-8, 8, 161)
    figure, both = panels(2, 3.4, 2.6)
    both[0].step(z, np.where(z >= 0, 1.0, 0.0), color=PALETTE[0], lw=1.7)
    both[1].plot(z, logistic(z), color=PALETTE[0], lw=1.7)
    for axes, title in zip(both, ("hard threshold", "logistic function"), strict=True):
        axes.set_title(title, fontsize=10)
        tidy(axes)
    return figure


def _separability() -> Figure:
    from induce.textbook.aima_figures import CORNERS, GATES, gate

    figure, three = panels(3, 2.8, 2.8)
    for axes, (name, bits) in zip(three, GATES.items(), strict=True):
        unit, y = gate(bits)
        decided(axes, unit, CORNERS, y, 0.5)
        axes.set_title(f"{name}: {round(4 * unit.score(CORNERS, y))} of 4 right", fontsize=10)
    return figure


def _bump() -> Figure:
    from induce.textbook.neural import bump, ridge

    figure, both = panels(2, 3.6, 3.2)
    steps = np.linspace(-4, 4, 25)
    x, y = np.meshgrid(steps, steps)
    for k, (network, title) in enumerate(((ridge(), "a ridge"), (bump(), "a bump"))):
        both[k].remove()
        axes: Any = figure.add_subplot(1, 2, k + 1, projection="3d")
        height = network(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
        axes.plot_wireframe(x, y, height, color=PALETTE[0], lw=0.6)
        axes.set_title(title, fontsize=10)
        axes.set_zlim(0, 1)
    return figure


def _neighbours() -> Figure:
    X, y = induce.dataset("earthquakes-noisy")
    figure, both = panels(2, 3.7, 3.3)
    for axes, k in zip(both, (1, 5), strict=True):
        decided(axes, induce.KNeighborsClassifier(k, metric="euclidean").fit(X, y), X, y.to_list(), 0.3)
        axes.set_title(f"k = {k}", fontsize=10)
        axes.set(xlabel="x1", ylabel="x2")
    return figure


def _dimensions() -> Figure:
    from induce.instances import neighbourhood_edge, shell_share

    sizes = [*range(1, 201)]
    figure, (left, right) = panels(2, 3.8, 2.9)
    left.plot(sizes, [neighbourhood_edge(10, 1_000_000, d) for d in sizes], color=PALETTE[0])
    right.plot(sizes, [shell_share(d) for d in sizes], color=PALETTE[0])
    left.set(xlabel="dimensions", ylabel="edge of a cube with 10\nof 1,000,000 points")
    right.set(xlabel="dimensions", ylabel="fraction within 1% of the surface")
    for axes in (left, right):
        axes.set_ylim(0, 1.02)
        tidy(axes)
    return figure


def _four_models() -> Figure:
    from induce.textbook.local_learning import OUTLIER, four_models

    X, y = OUTLIER
    asked = np.linspace(0, 14, 281)[:, np.newaxis]
    figure, places = panels(4, 2.7, 2.6)
    for axes, (name, learner) in zip(places, four_models().items(), strict=True):
        axes.plot(asked, learner.fit(X, y).predict(asked), color=PALETTE[0], lw=1.4)
        axes.plot(X, y, "o", color=DARK, ms=4)
        axes.set_title(name, fontsize=10)
        tidy(axes)
    return figure


def _kernel() -> Figure:
    from induce.instances.kernels import DistanceKernel

    x = np.linspace(-10, 10, 161)
    lines = {"quadratic, width 10": (x.tolist(), DistanceKernel("quadratic", 10)(np.abs(x)).tolist())}
    return curves(lines, "distance", "weight", "")


def _margin() -> Figure:
    from induce.textbook.kernels import SIDES, SIX

    machine = induce.SVM(kernel="linear", C=np.inf, scale=None, tol=1e-10).fit(np.asarray(SIX, float), SIDES)
    figure: Figure = machine.hypothesis_.draw(X=np.asarray(SIX, float), y=SIDES)
    return figure


def _circle() -> Figure:
    from induce.textbook.aima_figures import lifted_circle
    from induce.textbook.kernels import INSIDE, ROUND, SQUARE

    points = np.asarray(ROUND, float)
    machine = induce.SVM(kernel=SQUARE, C=np.inf, scale=None, tol=1e-10).fit(points, INSIDE)
    figure, (left, right) = panels(2, 3.7, 3.4)
    decided(left, machine, points, INSIDE, 0.6)
    left.set(title="two columns", xlabel="x1", ylabel="x2", aspect="equal")
    lifted, squares, _ = lifted_circle()
    decided(right, lifted, squares, INSIDE, 0.6)
    right.set(title="their squares", xlabel="x1²", ylabel="x2²")
    return figure


def _triangle() -> Figure:
    from induce.textbook.ensembles import LINES

    steps = np.linspace(-0.5, 1.5, 121)
    x, y = np.meshgrid(steps, steps)
    points = np.column_stack([x.ravel(), y.ravel()])
    votes = sum((line.predict(points) == "yes").astype(float) for line in LINES).reshape(x.shape)
    figure, axes = axes_for(None, 4.4, 3.6)
    axes.contourf(
        x, y, votes, levels=[-0.5, 0.5, 1.5, 2.5, 3.5], colors=["white", "#eef3f7", "#d6e3ee", TINT]
    )
    for line in LINES:
        axes.contour(x, y, line.a * x + line.b * y - line.c, levels=[0.0], colors=DARK, linewidths=1.2)
    axes.text(0.5, 0.35, "all three say yes", ha="center", fontsize=9)
    axes.set(xlabel="x", ylabel="y")
    return figure


def _boosted() -> Figure:
    figure: Figure = induce.AdaBoost(n_estimators=5).fit(*induce.dataset("restaurant")).hypothesis_.draw()
    return figure


def _weights_of_rounds() -> Figure:
    """Draw the weight of each example in each round: misclassified examples grow."""
    from induce.textbook.aima_figures import weights_by_round

    weights = weights_by_round(5)
    figure, axes = axes_for(None, 6.2, 3.0)
    shown = axes.imshow(weights, cmap="Blues", aspect="auto", vmin=0)
    axes.set_xticks(range(12), [str(k + 1) for k in range(12)])
    axes.set_yticks(range(len(weights)), [f"round {k + 1}" for k in range(len(weights))])
    axes.set_xlabel("example")
    figure.colorbar(shown, ax=axes).set_label("weight")
    return figure


def _boosting_curves() -> Figure:
    from induce.textbook.ensembles import boosting_curves

    found = boosting_curves()
    members = [*range(1, min(len(curve.errors["test"]) for curve in found) + 1)]
    lines = {
        name: (members, np.mean([1 - curve.errors[name][: len(members)] for curve in found], axis=0).tolist())
        for name in ("training", "test")
    }
    return curves(lines, "stumps", "mean share right", "")


def _stumps() -> Figure:
    from induce.textbook.ensembles import STUMP_SIZES, stump_curve

    lines = {name: (STUMP_SIZES, means) for name, means in stump_curve().items()}
    return curves(lines, "training evenings", "accuracy on all evenings")


def _digits() -> Figure:
    """Draw the easiest digit of each class above the hardest."""
    from matplotlib.figure import Figure

    from induce.textbook.aima_figures import easy_and_hard_digits

    X, _ = induce.dataset("digits")
    images = X.to_numpy().reshape(-1, 8, 8)
    figure = Figure(figsize=(8.0, 2.0), layout="constrained")
    for line, rows in enumerate(easy_and_hard_digits()):
        for digit, row in enumerate(rows):
            axes = figure.add_subplot(2, 10, 10 * line + digit + 1)
            axes.imshow(images[row], cmap="gray_r", interpolation="nearest")
            axes.set(xticks=[], yticks=[])
            if digit == 0:
                axes.set_ylabel(("easy", "hard")[line])
            if line == 0:
                axes.set_title(str(digit), fontsize=10)
    return figure


PICTURES = {
    "aima-18.6-restaurant-tree": _restaurant,
    "aima-18.7-learning-curve": _learning_curve,
    "aima-18.3.4-patrons-gain": _two_splits,
    "aima-18.12-learning-curve": _list_curve,
    "aima-18.14-penalties": _penalties,
    "aima-18.15-line": _earthquakes,
    "aima-18.17-thresholds": _thresholds,
    "aima-18.21-separability": _separability,
    "aima-18.23-bump": _bump,
    "aima-18.26-neighbours": _neighbours,
    "aima-18.8.1-shells": _dimensions,
    "aima-18.28-four-models": _four_models,
    "aima-18.8.4-kernel": _kernel,
    "aima-18.9-maximum-margin": _margin,
    "aima-18.31-circle": _circle,
    "aima-18.32-triangle": _triangle,
    "aima-18.33-weights": _weights_of_rounds,
    "aima-18.34-adaboost": _boosted,
    "aima-18.35-boosted-stumps": _stumps,
    "aima-18.35-curve": _boosting_curves,
    "aima-18.36-digits": _digits,
}
