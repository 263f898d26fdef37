"""Job-shop scheduling: jobs whose operations each need one machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.evolution.genomes.kind import GENERATIONS, Floats
from induce.evolution.genomes.permutations import Permutations
from induce.evolution.problems import _loops

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Fisher and Thompson (1963), 6 jobs on 6 machines: the machine and the time of each operation
FT06 = (
    ((2, 1), (0, 3), (1, 6), (3, 7), (5, 3), (4, 6)),
    ((1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)),
    ((2, 5), (3, 4), (5, 8), (0, 9), (1, 1), (4, 7)),
    ((1, 5), (0, 5), (2, 5), (3, 3), (4, 8), (5, 9)),
    ((2, 9), (1, 3), (4, 5), (5, 4), (0, 3), (3, 1)),
    ((1, 3), (3, 3), (5, 9), (0, 10), (4, 4), (2, 1)),
)


@dataclass(frozen=True)
class JobShop:
    """Find the order of operations that minimises the makespan.

    Parameters
    ----------
    jobs : tuple
        For each job, the machine and the duration of its operations in order; equally many per job. By default the
        6 x 6 instance of Fisher and Thompson, whose optimal makespan is 55.
    shortest : float, optional
        Optimal makespan, if known; a run that reaches it ends.

    Examples
    --------
    >>> shop = JobShop((((0, 3), (1, 2)), ((1, 2), (0, 4))), None)
    >>> shop.scores(np.array([[0, 1, 2, 3], [0, 2, 1, 3]])).tolist()
    [11.0, 7.0]
    """

    jobs: tuple[tuple[tuple[int, float], ...], ...] = FT06
    shortest: float | None = 55.0
    minimise: bool = field(default=True, init=False)
    noisy: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if not self.jobs or len({len(job) for job in self.jobs}) != 1 or not self.jobs[0]:
            raise InputError("jobs must have the same number of operations, at least one")
        for job in self.jobs:
            for machine, time in job:
                if machine not in range(len(self.jobs[0])) or not time >= 0:
                    raise InputError(
                        f"an operation is {(machine, time)}; give a machine from 0 to {len(self.jobs[0]) - 1} and a "
                        "time of at least 0"
                    )

    @property
    def genome(self) -> Permutations:
        """Permutations of all operations."""
        return Permutations(len(self.jobs) * len(self.jobs[0]), by="single-point", mutation="insertion")

    @property
    def optimum(self) -> float | None:
        """Optimal makespan."""
        return self.shortest

    @cached_property
    def _tables(self) -> tuple[Any, Any]:
        table = np.array(self.jobs, dtype=np.float64)
        return table[:, :, 0].astype(np.int64), np.ascontiguousarray(table[:, :, 1])

    def starts(self, population: Any) -> Floats:
        """Return the start time of each operation, by individual, job and operation."""
        machine, time = self._tables
        rows = np.ascontiguousarray(population, dtype=np.int64)
        return sized(_loops.schedules, GENERATIONS * rows.size, 1 / GENERATIONS)(rows, machine, time)

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the makespan of each individual."""
        found: Floats = (self.starts(population) + self._tables[1]).max(axis=(1, 2))
        return found

    def draw(self, individual: Any) -> Figure:
        """Plot the schedule as a Gantt chart: one row per machine, one colour per job."""
        from induce.pictures.style import PALETTE, axes_for, tidy

        machine, time = self._tables
        starts = self.starts(np.asarray(individual)[None])[0]
        figure, axes = axes_for(None, height=0.5 * len(self.jobs[0]) + 1.2)
        for job in range(len(self.jobs)):
            axes.barh(
                machine[job],
                time[job],
                left=starts[job],
                height=0.7,
                color=PALETTE[job % len(PALETTE)],
                label=f"job {job}",
            )
        axes.set_yticks(range(len(self.jobs[0])), [f"machine {k}" for k in range(len(self.jobs[0]))])
        axes.invert_yaxis()
        axes.set_xlabel("time")
        axes.legend(frameon=False, fontsize=8, ncols=6, loc="upper center", bbox_to_anchor=(0.5, 1.15))
        tidy(axes, "x")
        return figure
