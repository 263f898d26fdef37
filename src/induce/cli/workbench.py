"""`induce workbench`: from a file to a hypothesis in the browser."""

from __future__ import annotations

from typing import Annotated

import typer


def workbench(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATA]",
            help="A table, Prolog file, database URL, shipped data set, environment or game to open.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=65535, help="Port of the page; 0 takes the last one, or a free one."
        ),
    ] = 0,
    folder: Annotated[
        str, typer.Option(metavar="DIR", help="Workspace folder for sheets, models and uploads.")
    ] = "induce-workbench",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open the page in a browser.")
    ] = True,
) -> None:
    """Open a local page: a table, learners, hypotheses with their errors, and algorithms step by step."""
    from pathlib import Path

    from induce.cli.output import put_lines
    from induce.core.errors import InputError, not_installed

    try:
        from induce.workbench.guard import keep_address, kept_address
        from induce.workbench.server import run_server
        from induce.workbench.sources import is_known
    except ModuleNotFoundError as missing:
        raise not_installed("the workbench", str(missing.name)) from None
    if source is not None and not is_known(source) and not Path(source).exists():
        raise InputError(f"there is no file, shipped data set, environment or game {source!r}")
    last, token = kept_address(Path(folder))
    port = _free(port) if port else _free(last, or_any=True)
    keep_address(Path(folder), port, token)
    address = f"http://127.0.0.1:{port}/?token={token}"

    def ready() -> None:
        put_lines(f"the workbench is at {address}", "Ctrl-C ends it")
        if browser:
            import webbrowser

            webbrowser.open(address)

    run_server(Path(folder), source, port, token, ready)


def _free(port: int, or_any: bool = False) -> int:
    """Return a free port: this one, or any other if that is allowed."""
    import socket

    from induce.core.errors import InputError

    with socket.socket() as tried:
        # a port just released by a workbench is free
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            if or_any:
                return _free(0)
            raise InputError(f"port {port} is in use; give another with --port, or none") from None
        return int(tried.getsockname()[1])
