"""Compiled loops of the problems."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop


@loop
def schedules(
    population: NDArray[np.int64], machine: NDArray[np.int64], time: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the start times of each individual's operations, scheduled in order, each as early as possible.

    Operation k belongs to job k // n_machines; the job's operations are taken in order of occurrence.
    """
    n_jobs, n_machines = machine.shape
    starts = np.empty((len(population), n_jobs, n_machines))
    for row in range(len(population)):
        job_free = np.zeros(n_jobs)
        machine_free = np.zeros(n_machines)
        done = np.zeros(n_jobs, dtype=np.int64)
        for place in range(population.shape[1]):
            job = population[row, place] // n_machines
            step = done[job]
            where = machine[job, step]
            start = max(job_free[job], machine_free[where])
            starts[row, job, step] = start
            job_free[job] = machine_free[where] = start + time[job, step]
            done[job] += 1
    return starts
