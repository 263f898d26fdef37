"""Routes of the Learn and Hypothesis pages: learners, runs, jobs, views, rows and exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from induce.core.errors import InputError
from induce.workbench import catalogue, rows, runs
from induce.workbench.bench import Workbench
from induce.workbench.exports import exported
from induce.workbench.reading import apart
from induce.workbench.routes.answers import RUN, SHEET, downloaded, place_of, route, sheet_of, shown
from induce.workbench.steps import ExperimentStep, RunStep, TableStep


def routes(bench: Workbench) -> list[Route]:
    """Return the routes of the Learn and Hypothesis pages."""

    def of_run(work: Callable[..., Any]) -> Callable[..., Any]:
        return lambda request, body: work(*bench.found(*place_of(request)), request, body)

    return [
        route("/api/learners/{name}", lambda request, body: catalogue.form_of(request.path_params["name"])),
        route(f"{SHEET}/catalogue", lambda request, body: _catalogue(bench, request)),
        route(f"{SHEET}/runs", lambda request, body: bench.learn(sheet_of(request), body), "POST"),
        route(f"{SHEET}/jobs", lambda request, body: bench.judge(sheet_of(request), body), "POST"),
        route(f"{SHEET}/plan", lambda request, body: bench.plan(sheet_of(request))),
        route(f"{RUN}/stop", lambda request, body: bench.stop(*place_of(request)), "POST"),
        route(f"{RUN}/report", lambda request, body: _report(bench, request)),
        route(f"{RUN}/view", of_run(lambda step, room, request, body: _view(bench, step, room))),
        route(f"{RUN}/explain", of_run(_explained), "POST"),
        route(f"{RUN}/rows", of_run(lambda step, room, request, body: _rows(bench, step, room, request))),
        route(f"{RUN}/export/{{form}}", of_run(_download)),
    ]


def _catalogue(bench: Workbench, request: Request) -> Any:
    return apart(catalogue.catalogue_view, bench.sheets.steps(sheet_of(request)).table, bench.tables)


def _view(bench: Workbench, step: RunStep, room: str) -> Any:
    view = runs.hypothesis_view(step, room)
    if view["view"] != "neural" or not isinstance(step.table, TableStep):
        return view
    codes = apart(rows.codes_view, step, bench.tables, room)
    if codes is None:
        return view
    return view | {"codes": {"units": view["layers"][-2]["units"], "rows": codes}}


def _explained(step: RunStep, room: str, request: Request, body: dict[str, Any]) -> Any:
    row, fixed, to = body.get("row") or {}, body.get("fixed") or [], body.get("to")
    return runs.explained(step, room, dict(row), list(fixed), to)


def _rows(bench: Workbench, step: RunStep, room: str, request: Request) -> Any:
    asked = request.query_params
    part, second = asked.get("part"), asked.get("second")
    if second is not None:
        bench.checked({"source": second})
    return apart(rows.rows_view, step, bench.tables, room, None if part is None else int(part), second)


def _download(step: RunStep, room: str, request: Request, body: dict[str, Any]) -> Response:
    name, content, kind = exported(step, room, request.path_params["form"])
    if request.query_params.get("show"):
        return shown(content, kind)
    return downloaded(name, content, kind)


def _report(bench: Workbench, request: Request) -> Response:
    """Return the report of an experiment."""
    sheet, number = place_of(request)
    step = bench.sheets.steps(sheet).job(number)
    path = Path(step.plan).with_suffix(".html") if isinstance(step, ExperimentStep) else None
    if path is None or not path.exists():
        raise InputError(f"run {number} has no report")
    return shown(path.read_bytes(), "text/html")
