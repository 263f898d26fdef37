"""Answers that all routes share: plain data as JSON, downloads, and refusals in one sentence."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from induce.core.errors import InputError

SHEET = "/api/sheets/{sheet}"
RUN = f"{SHEET}/runs/{{run:int}}"


def route(path: str, work: Callable[[Request, dict[str, Any]], Any], method: str = "GET") -> Route:
    """Return a route that answers with what `work` returns, given the request and its JSON body."""

    async def endpoint(request: Request) -> Response:
        body = {}
        if method == "POST":
            try:
                body = await request.json()
            except ValueError:
                return refused("the request is not JSON")
            if not isinstance(body, dict):
                return refused("the request is not a JSON object")
        try:
            found = await to_thread.run_sync(lambda: work(request, body))
        except (InputError, ValueError, TypeError, OSError, OverflowError) as problem:
            return refused(" ".join(str(problem).split()))
        except Exception as problem:  # a fault of ours: the page says so, the terminal says where
            traceback.print_exc()
            return refused(f"this failed inside the workbench: {type(problem).__name__}: {problem}", 500)
        return found if isinstance(found, Response) else JSONResponse(found)

    return Route(path, endpoint, methods=[method])


def refused(sentence: str, status: int = 400) -> Response:
    """Return a refusal that the page shows."""
    return JSONResponse({"problem": sentence}, status_code=status)


def downloaded(name: str, content: str | bytes, kind: str) -> Response:
    """Return a file that the browser saves."""
    head = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=head)


def sheet_of(request: Request) -> str:
    """Return the name of the sheet in an address."""
    return str(request.path_params["sheet"])


def place_of(request: Request) -> tuple[str, int]:
    """Return the sheet and the run in an address."""
    return sheet_of(request), int(request.path_params["run"])
