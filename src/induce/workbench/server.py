"""Server of the page, its assets and the routes of its places."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from induce.workbench.bench import Workbench
from induce.workbench.guard import Guard
from induce.workbench.routes import play, runs, tables
from induce.workbench.routes.answers import route

PAGE = Path(__file__).parent / "page"
ELEMENTS = Path(__file__).parent.parent / "pictures" / "elements"
ASSET = re.compile(r"[a-z_]+\.(js|css)")
LIMIT = 500_000_000
"""Maximum size of a request in bytes."""


def application(bench: Workbench, token: str, port: int, limit: int = LIMIT) -> Guard:
    """Return the guarded ASGI application."""
    shell = [
        route("/", lambda request, body: FileResponse(PAGE / "index.html")),
        route("/page/{name}", lambda request, body: _asset(PAGE, request)),
        route("/elements/{name}", lambda request, body: _asset(ELEMENTS, request)),
        route("/api/alive", lambda request, body: {}),
        route("/api/start", lambda request, body: bench.start()),
    ]
    places = [*tables.routes(bench), *runs.routes(bench), *play.routes(bench)]
    return Guard(Starlette(routes=[*shell, *places]), token, port, limit)


def _asset(folder: Path, request: Request) -> Response:
    name = request.path_params["name"]
    if not ASSET.fullmatch(name) or not (folder / name).exists():
        return Response("there is no such file\n", status_code=404)
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return FileResponse(folder / name, media_type=kind)


def run_server(folder: Path, source: str | None, port: int, token: str, ready: Callable[[], None]) -> None:
    """Serve the workbench until Ctrl-C; call `ready` once it listens."""
    import uvicorn

    bench = Workbench(folder, source)
    bench.jobs.warm()
    config = uvicorn.Config(
        application(bench, token, port), host="127.0.0.1", port=port, log_level="error", access_log=False
    )
    server = uvicorn.Server(config)
    started = server.startup

    async def startup(*arguments: Any, **named: Any) -> None:
        await started(*arguments, **named)
        ready()

    server.startup = startup  # type: ignore[method-assign]
    try:
        server.run()
    finally:
        bench.jobs.close()
