"""The command line: `induce learn`, `predict`, `compare`, `experiment` and the others that `app` lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence

FAILED = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Bad input, unusable files and wrong options are reported in one line on standard error, with exit code 2;
    Ctrl-C exits with 130.

    Examples
    --------
    >>> main(["--version"])
    induce 0.2.0
    0
    """
    from induce.core.interrupts import is_ctrl_c

    if sys.stdout is None:
        if sys.stderr is not None:
            print("induce: error: standard output is closed; redirect it to a file", file=sys.stderr)
        return FAILED
    try:
        code = _run(arguments)
    except (KeyboardInterrupt, SystemError) as problem:
        if not is_ctrl_c(problem):
            raise
        code = INTERRUPTED
    if code == INTERRUPTED:
        print("induce: interrupted", file=sys.stderr)
    return code


def _run(arguments: Sequence[str] | None) -> int:
    from typer.exceptions import TyperException

    from induce.cli.app import all_commands
    from induce.cli.notes import notes_on_stderr

    try:
        with notes_on_stderr():
            return int(all_commands()(arguments, prog_name="induce", standalone_mode=False) or 0)
    except TyperException as error:
        message = error.format_message().replace(": Value error, ", ": ")  # the type is pydantic's
    except (ValueError, TypeError, OSError) as error:
        message = str(error)
    except MemoryError:
        message = "there is not enough memory for this"
    except RecursionError:
        message = "the input is nested too deeply"
    except BaseException as error:
        if (
            type(error).__name__ != "PanicException"
        ):  # a polars error; its class is matched by name because polars may not be loaded
            raise
        message = f"the table cannot be read or written: {error}"
    print(f"induce: error: {' '.join(message.split())}", file=sys.stderr)
    return FAILED
