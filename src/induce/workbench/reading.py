"""The process that reads the files of the user and computes what the page shows of them.

The server itself parses no such file, so none can end it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from induce.core.errors import InputError
from induce.core.memory import is_shortage
from induce.core.worker import DeadError, in_process, silence_native_code

Result = TypeVar("Result")

LONGEST = 3600.0
"""Seconds after which the process is killed."""
KEPT = 12 * 3600.0
"""Seconds that the process, with the tables that it has read, waits for the next request."""
DIED = (
    "the process that reads the file ended, because the file is damaged or memory ran out; the workbench goes on "
    "without it"
)

_turn = threading.Lock()


def apart(function: Callable[..., Result], *arguments: Any) -> Result:
    """Return the result of a function called in the reading process; its death is an `InputError`.

    Examples
    --------
    >>> apart(divmod, 7, 2)
    (3, 1)
    """
    with _turn:  # one process is enough, and it has the tables
        try:
            return in_process(partial(_called, function, arguments), LONGEST, KEPT)
        except DeadError:
            raise InputError(DIED) from None
        except Exception as problem:
            if is_shortage(problem):
                raise InputError("there is not enough memory for the file; close other programs") from None
            raise


def _called(function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    silence_native_code()
    return function(*arguments)
