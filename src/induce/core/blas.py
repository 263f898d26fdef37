"""Limit of one BLAS thread while a learner works, because small products in a loop would keep waking all threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_turn = threading.Lock()
_inside = 0
_limiter: Any = None
_controllers: dict[bool, Any] = {}


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS use one thread inside the block; restore the previous number after it.

    The number of threads is global to the process. Blocks may be nested, or run in several threads at once;
    the last one to end restores the number that the first one found. Results do not depend on the number of
    cores.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    global _inside, _limiter
    with _turn:
        if not _inside:
            controller = _controller()
            _let_any_thread_set(controller)
            _limiter = controller.limit(limits=1, user_api="blas")
            _let_any_thread_set(controller)
        _inside += 1
    try:
        yield
    finally:
        with _turn:
            _inside -= 1
            if not _inside:
                _limiter.restore_original_limits()
                _let_any_thread_set(_controller())
                _limiter = None


def _controller() -> Any:
    """Return the controller of the loaded libraries' threads.

    It is created once, and again after scipy's are loaded.
    """
    with_scipy = "scipy.linalg" in sys.modules
    if with_scipy not in _controllers:
        from threadpoolctl import ThreadpoolController

        _controllers[with_scipy] = ThreadpoolController().select(user_api="blas")
    return _controllers[with_scipy]


def _let_any_thread_set(controller: Any) -> None:
    """Allow any thread to set the number of threads.

    Some versions accept it only from the first thread that set it.
    """
    for library in controller.lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear(force=True)
