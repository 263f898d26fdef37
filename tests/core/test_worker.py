"""Work in a process that can be ended: what it gives, raises, says, and what becomes of it when it is late."""

import os
import subprocess
import sys
import threading
import time
import warnings

import pytest

from induce.core import worker
from induce.core.errors import InputError
from induce.core.time_limit import uncounted
from induce.core.worker import UnsendableError, in_process


def fails():
    try:
        raise KeyError("inside")
    except KeyError as problem:
        raise InputError("C45 failed in fold 3") from problem


def warns():
    warnings.warn("mind the gap", UserWarning, stacklevel=1)
    return 7


class Stubborn:
    """Cannot be sent back."""

    def __reduce__(self):
        raise TypeError("not me")


def test_one_process_does_all_tasks():
    mine, factor = os.getpid(), 6
    process = in_process(os.getpid, 30)
    assert process != mine
    assert in_process(lambda: (os.getpid(), 7 * factor), 30) == (process, 42)
    with pytest.raises(InputError, match="C45 failed in fold 3") as raised:
        in_process(fails, 30)
    assert isinstance(raised.value.__cause__, KeyError)
    with pytest.warns(UserWarning, match="mind the gap"):
        assert in_process(warns, 30) == 7
    with pytest.raises(InputError, match="cannot be sent back"):
        in_process(lambda: Stubborn(), 30)
    assert in_process(os.getpid, 30) == process


def test_what_cannot_be_sent():
    with pytest.raises(UnsendableError, match="cannot pickle"):
        in_process(threading.Lock().locked, 30)


def compiles():
    with uncounted():
        time.sleep(0.4)
    return "compiled"


@pytest.mark.slow
def test_compiling_does_not_count():
    assert in_process(compiles, 0.3) == "compiled"


def spins():
    while True:
        pass


@pytest.mark.slow
def test_late_or_dead_work_costs_its_process_only():
    with pytest.raises(TimeoutError, match=r"it takes longer than 0\.05 s"):
        in_process(spins, 0.05)
    with pytest.raises(InputError, match="its process died with the status 3"):
        in_process(lambda: os._exit(3), 30)
    assert in_process(lambda: 1, 30) == 1


@pytest.mark.slow
def test_a_process_that_ended_while_idle_is_replaced():
    in_process(os.getpid, 30)
    for each in worker._idle:
        each._process.terminate()
        each._process.join()
    assert in_process(lambda: 1, 30) == 1


ENDS = """
from functools import partial
from induce.core.worker import in_process

print(in_process(partial(divmod, 7, 2), 60.0, 3600.0))
"""


def test_an_idle_process_does_not_delay_the_end():
    """The process that uses it ends at once, although multiprocessing waits for its children."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == "(3, 1)\n"
