"""The picture of `which-learner.md`: what you have, what you want, and the learner to begin with.

`python docs/_ext/which_learner.py` draws it again; the table is also what the page is tested against.
"""

from __future__ import annotations

from pathlib import Path

CHOICES = {
    "one table": {
        "a class": {
            "a tree to read": "C45",
            "rules to sign": "C45Rules",
            "a probability": "NaiveBayes",
            "weights of columns": "LogisticRegression",
            "few errors above all": "RandomForest",
        },
        "a number": {
            "a tree with lines": "ModelTree",
            "weights of columns": "LinearRegression",
            "a free formula": "SymbolicRegressor",
            "few errors above all": "RandomForestRegressor",
        },
        "no target": {
            "groups": "GaussianMixture",
            "dependencies": "StructureSearch",
            "unusual rows": "KernelDensity",
        },
    },
    "texts": {"a class": {"": "TextNaiveBayes"}},
    "sequences": {"states, forecasts": {"": "HiddenMarkovModel"}},
    "several tables": {
        "clauses": {
            "nothing to tune": "RelationalLearner",
            "in a declared language": "Progol",
            "recursive": "ProgramLearner",
        }
    },
    "expert rules and\na table": {"better rules": {"as rules": "TheoryRevision", "as a network": "KBANN"}},
    "a known process": {"a policy": {"": "DynamicProgramming"}},
    "a simulator": {"a policy": {"few states": "QLearning", "many states": "ApproximateQLearning"}},
    "a game": {"a player": {"": "GameLearner"}},
    "a fitness": {"a design": {"": "GeneticAlgorithm"}},
}
COLUMNS = (0.0, 3.0, 6.0, 9.4)
HEADS = ("you have", "you want", "what matters", "begin with")


def recommended() -> list[str]:
    """Return the learners of the picture, from top to bottom."""
    return [name for wants in CHOICES.values() for ways in wants.values() for name in ways.values()]


def draw(path: Path) -> None:
    """Draw the ways from left to right, each row a learner."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    n = len(recommended())
    figure, axes = pyplot.subplots(figsize=(9.2, 0.34 * (n + 1.5)))
    axes.set_xlim(-0.2, 12.4)
    axes.set_ylim(n + 0.2, -1.2)
    axes.axis("off")
    for x, head in zip(COLUMNS, HEADS, strict=True):
        axes.text(x, -0.8, head, fontsize=10, color="#555555", style="italic", va="center")

    def line(start: tuple[float, float], end: tuple[float, float]) -> None:
        middle = end[0] - 0.5
        xs, ys = (start[0], middle, middle, end[0]), (start[1], start[1], end[1], end[1])
        axes.plot(xs, ys, color="#9aa7b5", linewidth=1.1, zorder=0, solid_capstyle="round")

    def box(x: float, y: float, text: str, colour: str) -> None:
        style = {"boxstyle": "round,pad=0.25", "facecolor": colour, "edgecolor": "#9aa7b5", "linewidth": 0.8}
        axes.text(x, y, text, fontsize=9.5, va="center", ha="left", bbox=style)

    row = 0
    for have, wants in CHOICES.items():
        size = sum(map(len, wants.values()))
        top = row + (size - 1) / 2
        for want, ways in wants.items():
            middle = row + (len(ways) - 1) / 2
            line((COLUMNS[0], top), (COLUMNS[1] - 0.1, middle))
            for matter, learner in ways.items():
                line((COLUMNS[1], middle), (COLUMNS[2] - 0.1, row))
                if matter:
                    line((COLUMNS[2] + 2.9, row), (COLUMNS[3] - 0.1, row))
                    axes.text(COLUMNS[2], row, matter, fontsize=9.5, va="center")
                else:
                    line((COLUMNS[2] - 0.1, row), (COLUMNS[3] - 0.1, row))
                box(COLUMNS[3], row, learner, "#e3eef9")
                row += 1
            box(COLUMNS[1], middle, want, "#f4f1e6")
        box(COLUMNS[0], top, have, "#eef4ea")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).parent.parent / "images" / "which-learner.svg")
