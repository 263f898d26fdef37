"""Responses shared by all routes: JSON, downloads and error messages."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from induce.core.documents import DocumentError, json_of
from induce.core.errors import InputError

DOCUMENT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Policy of a document that the browser shows by itself: its own styles, no scripts, no access to the page."""
SHEET = "/api/sheets/{sheet}"
RUN = f"{SHEET}/runs/{{run:int}}"


def route(path: str, work: Callable[[Request, dict[str, Any]], Any], method: str = "GET") -> Route:
    """Return a route that responds with the result of `work`, called with the request and its JSON body."""

    async def endpoint(request: Request) -> Response:
        body = {}
        if method == "POST":
            try:
                body = json_of(await request.body())
            except DocumentError as problem:
                return refused(f"the request is not JSON: {problem}")
            if not isinstance(body, dict):
                return refused("the request is not a JSON object")
        try:
            found = await to_thread.run_sync(lambda: work(request, body))
        except (InputError, ValueError, TypeError, OSError, OverflowError) as problem:
            return refused(" ".join(str(problem).split()))
        except Exception as problem:  # a bug: the page reports it, the terminal shows the traceback
            traceback.print_exc()
            return refused(f"internal error of the workbench: {type(problem).__name__}: {problem}", 500)
        return found if isinstance(found, Response) else JSONResponse(found)

    return Route(path, endpoint, methods=[method])


def refused(sentence: str, status: int = 400) -> Response:
    """Return an error message for the page."""
    return JSONResponse({"problem": sentence}, status_code=status)


def downloaded(name: str, content: str | bytes, kind: str) -> Response:
    """Return a file download."""
    head = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=head)


def shown(content: str | bytes, kind: str) -> Response:
    """Return a file that the browser shows, such as a report, under a policy of its own."""
    head = {"content-disposition": "inline", "content-security-policy": DOCUMENT}
    return Response(content, media_type=kind, headers=head)


def sheet_of(request: Request) -> str:
    """Return the sheet named in a request's path."""
    return str(request.path_params["sheet"])


def place_of(request: Request) -> tuple[str, int]:
    """Return the sheet and the run number in a request's path."""
    return sheet_of(request), int(request.path_params["run"])
