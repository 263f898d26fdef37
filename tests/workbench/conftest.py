"""A workbench in a folder of its own, whose runs are done when they are asked for."""

from pathlib import Path

import pytest

from induce.workbench import assessment
from induce.workbench.bench import Workbench
from induce.workbench.jobs import Job, Jobs


class AtOnce(Jobs):
    """Jobs in the test's own process."""

    def begin(self, sheet, step, folder, room):
        job = self._jobs[sheet, step.run] = Job()
        try:
            job.state = assessment.done(step, folder, room)
        except Exception as problem:
            job.state, job.problem = "failed", str(problem)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    found = Workbench(tmp_path / "bench")
    found.jobs = AtOnce()
    return found
