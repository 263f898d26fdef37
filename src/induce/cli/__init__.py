"""The command line: `induce learn`, `predict`, `compare`, `experiment` and the others that `app` lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence

FAILED = 2
INTERRUPTED = 130
NO_MEMORY = "there is not enough memory for this"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Bad input, unusable files and wrong options are reported in one line on standard error, with exit code 2;
    Ctrl-C exits with 130. A command that reads a spreadsheet, Parquet, a database or images runs in a process of
    its own: native code parses them, and may abort its process.

    Examples
    --------
    >>> main(["--version"])
    induce 0.2.0
    0
    """
    from induce.cli import separate

    given = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        if sys.stderr is not None:
            print("induce: error: standard output is closed; redirect it to a file", file=sys.stderr)
        return FAILED
    return separate.run(given) if separate.is_needed(given) else run_here(given)


def run_here(arguments: Sequence[str]) -> int:
    """Run the command line in this process."""
    from induce.core.interrupts import is_ctrl_c

    try:
        code = _run(arguments)
    except (KeyboardInterrupt, SystemError) as problem:
        if not is_ctrl_c(problem):
            raise
        code = INTERRUPTED
    if code == INTERRUPTED:
        print("induce: interrupted", file=sys.stderr)
    return code


def _run(arguments: Sequence[str]) -> int:
    from typer.exceptions import TyperException

    from induce.cli.app import all_commands
    from induce.cli.notes import notes_on_stderr
    from induce.core.memory import is_shortage

    try:
        with notes_on_stderr():
            return int(all_commands()(arguments, prog_name="induce", standalone_mode=False) or 0)
    except TyperException as error:
        message = error.format_message().replace(": Value error, ", ": ")  # the type is pydantic's
    except (ValueError, TypeError, OSError) as error:
        message = NO_MEMORY if is_shortage(error) else str(error)
    except RecursionError:
        message = "the input is nested too deeply"
    except BaseException as error:
        # a polars error; its class is matched by name because polars may not be loaded
        panic = type(error).__name__ == "PanicException"
        if not panic and not is_shortage(error):
            raise
        message = NO_MEMORY if is_shortage(error) else f"the table cannot be read or written: {error}"
    print(f"induce: error: {' '.join(message.split())}", file=sys.stderr)
    return FAILED
