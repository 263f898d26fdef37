"""Routes of the Play page: lessons, version-space dialogues and games."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from induce.workbench.bench import Workbench
from induce.workbench.players.lessons import lesson_page, played
from induce.workbench.routes.answers import RUN, SHEET, downloaded, place_of, route, sheet_of

LESSON = "/api/lessons/{name}"


def routes(bench: Workbench) -> list[Route]:
    """Return the routes of the Play page."""
    return [
        route(LESSON, lambda request, body: played(request.path_params["name"], body), "POST"),
        route(f"{LESSON}/page", _lesson),
        route(f"{LESSON}/page", _lesson, "POST"),
        route(f"{SHEET}/dialogue", lambda request, body: bench.dialogue(sheet_of(request))),
        route(f"{SHEET}/dialogue", lambda request, body: bench.dialogue(sheet_of(request), body), "POST"),
        route(f"{RUN}/game", lambda request, body: bench.game(*place_of(request), body), "POST"),
    ]


def _lesson(request: Request, body: dict[str, Any]) -> Response:
    """Return a lesson as a page, with the cells of the request if it has any."""
    name = request.path_params["name"]
    return downloaded(f"{name}.html", lesson_page(name, body), "text/html")
