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
                f"Half of the rows are cups, of two kinds of grasp; {seeds} samples of rows and "
                f"damages by `induce experiment`. Each cell: accuracy of {learner} without a theory / "
                f"of the theory alone / of {learner} with it. Random changes drop, add and change "
                "conditions and rules.",
                tuple(head),
                tuple(map(tuple, lines)),
                f"With the right theory: {clean.mean():.3f}, against {without[:, :, 0].mean():.3f} "
                f"without a theory and {alone[:, :, 0].mean():.3f} for the theory alone; with "
                f"{DAMAGES[-1]} changes: {noisy.mean():.3f}, against {without[:, :, -1].mean():.3f} "
                f"and {alone[:, :, -1].mean():.3f}. Over all cells: {both.mean():.3f}, against "
                f"{without.mean():.3f} without a theory (p = {p_better:.2g}, paired over samples) and "
                f"{alone.mean():.3f}. {found.remark()[0].upper()}{found.remark()[1:]}.",
            )
    yield noise(seeds)


NOISES = (0.0, 0.1, 0.2)
NOISY_ROWS, NOISY_CHANGES = 100, 2


def noise(seeds: int = SEEDS, learners: tuple[str, ...] = LEARNERS) -> Listing:
    """Measure the same learners where classes of training rows are wrong, with a theory that is right or damaged."""
    from scipy.stats import ttest_rel

    import induce
    from induce.knowledge import damaged_rules

    warnings.simplefilter("ignore")
    truth = induce.ExpertRules(induce.dataset("cup").schema.inputs(), CUP)
    lines = []
    for learner in learners:
        for share in NOISES:
            found = []
            for seed in range(seeds):
                rng = np.random.default_rng(seed)
                rows = some_cups(NOISY_ROWS + 1_000, rng)
                classes = truth.holds(rows)
                told = classes[:NOISY_ROWS] ^ (rng.random(NOISY_ROWS) < share)
                damaged = damaged_rules(truth, NOISY_CHANGES, random_state=rng)
                train, test = rows[:NOISY_ROWS], rows[NOISY_ROWS:]
                right = []
                for theory in (None, CUP, damaged.text):
                    known = {} if theory is None else {"knowledge": theory, "concept": "cup"}
                    model = getattr(induce, learner)(**known).fit(train, np.where(told, "yes", "no"))
                    right.append(float(np.mean((model.predict(test) == "yes") == classes[NOISY_ROWS:])))
                found.append([*right, float(np.mean(damaged.holds(test) == classes[NOISY_ROWS:]))])
            means = np.mean(found, axis=0)
            p_right, p_damaged = (
                float(ttest_rel(np.array(found)[:, k], np.array(found)[:, 0]).pvalue) for k in (1, 2)
            )
            cells = (
                f"{means[0]:.3f}",
                f"{means[1]:.3f} ({p_right:.2g})",
                f"{means[2]:.3f} ({p_damaged:.2g})",
            )
            lines.append((learner, f"{share:.0%}", *cells, f"{means[3]:.3f}"))
    return Listing(
        "Spectrum: label noise",
        f"{NOISY_ROWS} training rows, a fraction of them with the wrong class, and 1,000 correctly "
        f"labelled test rows; mean accuracy of {seeds} samples, and p of a paired t test against no "
        f"theory. The damaged theory has {NOISY_CHANGES} random changes.",
        ("learner", "label noise", "no theory", "right theory", "damaged theory", "damaged theory alone"),
        tuple(lines),
        "",
    )
