"""The spectrum of Mitchell's Fig. 12.1: accuracy over the amount of data and the damage to a theory."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.ebnn import CUP, some_cups
from benchmarks.measure import Listing

LEARNERS = ("KBANN", "EBNN", "FOCL", "TheoryRevision")
SIZES = (10, 20, 50, 100, 300)
DAMAGES = (0, 1, 2, 4, 8, 16)
SEEDS = 10
ROWS = 1_300


def spectra(seeds: int = SEEDS, pictures: Path | None = None) -> Iterator[Listing]:
    """Measure the combined learners beside their inductive parents and the theory alone."""
    from scipy.stats import ttest_rel

    import induce
    from induce.evaluation import spectrum

    warnings.simplefilter("ignore")
    truth = induce.ExpertRules(induce.dataset("cup").schema.inputs(), CUP)
    rows = some_cups(ROWS, np.random.default_rng(0))
    table = rows.with_columns(cup=np.where(truth.holds(rows), "yes", "no"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cups.csv"
        table.write_csv(file)
        for learner in LEARNERS:
            found = spectrum(
                {"data": str(file), "target": "cup"},
                CUP,
                learner,
                sizes=SIZES,
                damages=DAMAGES,
                concept="cup",
                seeds=seeds,
            )
            if pictures is not None:
                found.draw().savefig(pictures / f"spectrum-{learner.lower()}.svg")
            head, lines = found.table()
            without, alone, both = found.accuracies
            clean, noisy = both[:, :, 0], both[:, :, -1]
            p_better = float(ttest_rel(both.mean(axis=(1, 2)), without.mean(axis=(1, 2))).pvalue)
            yield Listing(
                f"Spectrum: {learner}",
                f"Cups of two kinds of grasp, one half of the rows; {seeds} draws of rows and damages by `induce "
                f"experiment`. Each cell: accuracy of {learner} without a theory / of the theory alone / of "
                f"{learner} with it. Random changes drop, add and change conditions and rules.",
                tuple(head),
                tuple(map(tuple, lines)),
                f"With the right theory {clean.mean():.3f} against {without[:, :, 0].mean():.3f} without and "
                f"{alone[:, :, 0].mean():.3f} of the theory; with {DAMAGES[-1]} changes {noisy.mean():.3f} against "
                f"{without[:, :, -1].mean():.3f} and {alone[:, :, -1].mean():.3f}. Over all cells {both.mean():.3f}, "
                f"{without.mean():.3f} without (p = {p_better:.2g}, paired over draws) and {alone.mean():.3f}. "
                f"{found.remark()[0].upper()}{found.remark()[1:]}.",
            )
