"""Accuracy as a function of the amount of data and the damage to a theory (Mitchell 12.1, Fig. 12.1)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.evaluation.experiments.factory import built
from induce.evaluation.experiments.plan import read_plan
from induce.evaluation.experiments.running import experiment
from induce.evaluation.experiments.tables import loaded
from induce.evaluation.reports import Report, Table
from induce.hypotheses.expert_rules.theory import ExpertRules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
DATA = "data"
INDUCTIVE, ANALYTICAL, COMBINED = KINDS = ("inductive", "analytical", "combined")


@dataclass(frozen=True, eq=False)
class Spectrum(Report):
    """Accuracies of a learner without a theory, of the theory alone, and of the learner with the theory.

    Parameters
    ----------
    learner : str
        Name of the combined learner.
    sizes : tuple of int
        Numbers of training rows.
    damages : tuple of int
        Numbers of random changes to the theory.
    accuracies : array of float64, shape (3, seeds, sizes, damages)
        Accuracies of the inductive, analytical and combined learners on held-out rows. All seeds are paired.
    """

    learner: str
    sizes: tuple[int, ...]
    damages: tuple[int, ...]
    accuracies: Floats

    def mean(self, kind: str) -> Floats:
        """Return the mean accuracy of one learner type by size (rows) and damage (columns).

        Parameters
        ----------
        kind : {"inductive", "analytical", "combined"}
        """
        if kind not in KINDS:
            raise InputError(f"kind is {kind!r}; it can be {', '.join(map(repr, KINDS))}")
        return np.asarray(self.accuracies[KINDS.index(kind)].mean(axis=0))

    def caption(self) -> str:
        """Return the heading of the table."""
        n = self.accuracies.shape[1]
        return (
            f"accuracy of {self.learner} without a theory / theory alone / {self.learner} with the "
            f"theory, {n} draws"
        )

    def table(self) -> Table:
        """Return one row per size and one column per number of changes to the theory."""
        means = [self.mean(kind) for kind in KINDS]
        rows = [
            [
                str(size),
                *(" / ".join(f"{mean[k, j]:.2f}" for mean in means) for j in range(len(self.damages))),
            ]
            for k, size in enumerate(self.sizes)
        ]
        return ["rows", *(f"{damage} changes" for damage in self.damages)], rows

    def remark(self) -> str:
        """Return the number of cells in which the combined learner is at least as good as both others."""
        without, alone, both = (self.mean(kind) for kind in KINDS)
        best = int(((both >= without - 1e-9) & (both >= alone - 1e-9)).sum())
        return f"{self.learner} with the theory is at least as good as both in {best} of {both.size} cells"

    def draw(self) -> Figure:
        """Return a figure of the three surfaces side by side."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(11.0, 4.0), layout="constrained")
        titles = (
            f"inductive: {self.learner}",
            "analytical: the theory",
            f"combined: {self.learner} with theory",
        )
        x, y = np.meshgrid(np.arange(len(self.damages)), np.arange(len(self.sizes)))
        lowest = min(float(self.mean(kind).min()) for kind in KINDS)
        for k, (kind, title) in enumerate(zip(KINDS, titles, strict=True)):
            axes: Any = figure.add_subplot(1, 3, k + 1, projection="3d")
            axes.plot_surface(
                x, y, self.mean(kind), cmap="viridis", vmin=lowest, vmax=1.0, edgecolor="#222222", lw=0.4
            )
            axes.set_title(title, fontsize=10)
            axes.set_xticks(range(len(self.damages)), list(map(str, self.damages)))
            axes.set_yticks(range(len(self.sizes)), list(map(str, self.sizes)))
            axes.set_zlim(lowest, 1.0)
            axes.set_xlabel("changes to the theory")
            axes.set_ylabel("training rows")
            axes.set_zlabel("accuracy")
            axes.view_init(elev=22, azim=-125)
            axes.set_box_aspect(None, zoom=0.82)
        return figure


def spectrum(
    data: str | Mapping[str, Any],
    knowledge: str,
    learner: str | Mapping[str, Any] = "KBANN",
    *,
    sizes: Sequence[int] = (10, 20, 50, 100),
    damages: Sequence[int] = (0, 1, 2, 4, 8),
    concept: str = "",
    columns: Mapping[str, str] | None = None,
    seeds: int = 5,
    n_jobs: int | None = None,
) -> Spectrum:
    """Compute accuracy surfaces over growing training sets and increasingly damaged theories.

    Every seed draws new rows and damages. For each size and seed, one `experiment` trains the learner without
    knowledge and with each theory on the same rows, and tests each theory alone.

    Parameters
    ----------
    data : str or dict
        Data set, in the notation of experiment plans: a shipped one, a file, or a table with `data` and `target`.
    knowledge : str
        Rules, in the notation of `ExpertRules`.
    learner : str or dict
        A learner with the parameters `knowledge`, `concept` and `columns`, in the notation of experiment plans.
    sizes : sequence of int
        Numbers of training rows; the remaining rows are held out.
    damages : sequence of int
        Numbers of random changes to the theory (`damaged_rules`).
    concept : str
        Concept that denotes one of the two classes.
    columns : dict, optional
        Patterns for literals with several arguments.
    seeds : int
        Number of random draws.
    n_jobs : int, optional
        Number of parallel jobs.

    Examples
    --------
    >>> rules = "IF Outlook = Overcast THEN play" + chr(10) + "IF Humidity = Normal AND Wind = Weak THEN play"
    >>> found = spectrum("play-tennis", rules, "FOCL", sizes=(6, 10), damages=(0, 2), seeds=2)
    >>> found.mean("analytical").shape
    (2, 2)
    """
    at_least("seeds", seeds, 1, whole=True)
    definition = {"learner": learner} if isinstance(learner, str) else dict(learner)
    missing = {"knowledge", "concept", "columns"} - set(built(definition).get_params(deep=False))
    if missing:
        raise InputError(
            f"{definition['learner']} takes no rules as knowledge; give KBANN, FOCL, EBNN or TheoryRevision"
        )
    sizes, damages = tuple(sizes), tuple(damages)
    named = {"datasets": {DATA: data}, "splits": {"hold_out": 0.5}}
    (table,) = loaded(read_plan({"learners": {"tree": "DecisionStump"}, **named}))
    rows = len(table.data.X)
    for size in sizes:
        at_least("sizes", size, 2, whole=True)
        if size > rows - 2:
            raise InputError(
                f"sizes contains {size}, but the table has {rows} rows, some of which are for testing; "
                "give smaller sizes"
            )
    schema = table.data.schema.inputs()
    theory = ExpertRules(schema, knowledge, concept, tuple((columns or {}).items()))
    found = np.empty((3, seeds, len(sizes), len(damages)))
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            given = _theories(theory, damages, table.data.X, seed)
            shared = {"concept": theory.about()} | ({"columns": dict(columns)} if columns else {})
            learners: dict[str, Any] = {INDUCTIVE: definition}
            for k, text in enumerate(given):
                known = {"knowledge": text, **shared}
                learners[f"{ANALYTICAL} {k}"] = {"learner": "TheoryRevision", "max_changes": 0, **known}
                learners[f"{COMBINED} {k}"] = {**definition, **known}
            for at, size in enumerate(sizes):
                plan = {
                    "learners": learners,
                    "datasets": {DATA: data},
                    "splits": {"hold_out": rows - size},
                    "seeds": [seed],
                    "keep": "none",
                }
                tried = experiment(plan, os.path.join(folder, f"{seed}-{size}.sqlite"), n_jobs=n_jobs)
                scores = {name: 1.0 - float(np.nanmean(each)) for name, each in tried.scores(DATA).items()}
                found[0, seed, at] = scores[INDUCTIVE]
                for place, kind in ((1, ANALYTICAL), (2, COMBINED)):
                    found[place, seed, at] = [scores[f"{kind} {k}"] for k in range(len(damages))]
    return Spectrum(str(definition["learner"]), sizes, damages, found)


def _theories(theory: ExpertRules, damages: Sequence[int], X: Any, seed: int) -> list[str]:
    from induce.knowledge.studies.damage import damaged_rules

    return [damaged_rules(theory, n, X, np.random.default_rng([seed, n])).text for n in damages]
