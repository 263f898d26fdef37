"""Routes of the Data page: sheets, columns, suspicions, rows, schemas, uploads and locked rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from induce.workbench import tables
from induce.workbench.bench import Workbench
from induce.workbench.reading import apart
from induce.workbench.routes.answers import SHEET, downloaded, refused, route, sheet_of
from induce.workbench.sources import UPLOAD
from induce.workbench.steps import SourceStep


def routes(bench: Workbench) -> list[Route]:
    """Return the routes of the Data page."""

    def of_source(work: Callable[[SourceStep, Request], Any]) -> Callable[..., Any]:
        return lambda request, body: work(bench.sheets.steps(sheet_of(request)).table, request)

    async def upload(request: Request) -> Response:
        return await _upload(bench, request)

    return [
        route("/api/sheets", lambda request, body: bench.open(body), "POST"),
        route(SHEET, lambda request, body: bench.sheet(sheet_of(request))),
        route(f"{SHEET}/table", lambda request, body: bench.tell(sheet_of(request), body), "POST"),
        route(f"{SHEET}/lock", lambda request, body: bench.lock(sheet_of(request), body), "POST"),
        route(
            f"{SHEET}/columns", of_source(lambda step, request: apart(tables.source_view, step, bench.tables))
        ),
        route(
            f"{SHEET}/suspicions",
            of_source(lambda step, request: apart(tables.suspicions_view, step, bench.tables)),
        ),
        route(
            f"{SHEET}/rows",
            of_source(lambda step, request: apart(tables.rows_view, step, bench.tables, *_block(request))),
        ),
        route(f"{SHEET}/schema", of_source(lambda step, request: _schema(bench, step))),
        Route("/api/uploads/{name}", upload, methods=["PUT"]),
    ]


def _block(request: Request) -> tuple[int, int]:
    asked = request.query_params
    return int(asked.get("start", 0)), int(asked.get("count", 100))


def _schema(bench: Workbench, step: SourceStep) -> Response:
    document = apart(tables.schema_view, step, bench.tables)
    return downloaded("schema.json", json.dumps(document, ensure_ascii=False, indent=1), "application/json")


async def _upload(bench: Workbench, request: Request) -> Response:
    """Save an uploaded file; it is parsed as data later and never executed."""
    name = request.path_params["name"]
    if not UPLOAD.fullmatch(name) or name.startswith("."):
        return refused(
            "only tables, Prolog files and databases can be opened: csv, tsv, json, parquet, arff, a spreadsheet, "
            "pl or sqlite"
        )
    path = bench.uploads / name
    part = path.with_name(f".{name}.part")
    try:
        with part.open("wb") as file:
            async for piece in request.stream():
                file.write(piece)
    except ClientDisconnect:
        part.unlink()
        return Response("the file is too large\n", status_code=413)
    part.replace(path)
    return JSONResponse({"source": str(path)})
