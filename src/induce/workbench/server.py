"""The server: routes from the page to what steps, tables, runs and players give, all of it plain data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from induce.core.errors import InputError
from induce.workbench import runs, tables
from induce.workbench.exporting import exported
from induce.workbench.guard import Guard
from induce.workbench.jobs import Jobs
from induce.workbench.players.lessons import lesson_page, lessons, played
from induce.workbench.scripts import command_of, python_of
from induce.workbench.steps import RunStep, Sheets, TableStep, table_step

PAGE = Path(__file__).parent / "page"
ELEMENTS = Path(__file__).parent.parent / "pictures" / "elements"
ASSET = re.compile(r"[a-z_]+\.(js|css)")
TABLES = "csv|tsv|txt|tab|dat|json|jsonl|ndjson|parquet|arff|xlsx|xls|ods"
UPLOAD = re.compile(rf"[^/\\\x00-\x1f]{{1,120}}\.({TABLES})", re.IGNORECASE)
LIMIT = 500_000_000
"""Bytes that may be sent to the server at once."""


class Workbench:
    """A workspace folder with its sheets, uploads and jobs.

    Parameters
    ----------
    folder : Path
    source : str or None
        What the user named on the command line: the only file outside the folder that may be read.
    """

    def __init__(self, folder: Path, source: str | None = None) -> None:
        self.sheets = Sheets(folder)
        self.tables = str(folder / "tables")
        self.uploads = folder / "uploads"
        self.uploads.mkdir(exist_ok=True)
        self.source = source
        self.jobs = Jobs()

    def start(self) -> dict[str, Any]:
        """Return what the page has to know first."""
        from induce.data.catalogue import datasets

        told = [
            {"name": name, "source": self.sheets.steps(name).table.source} for name in self.sheets.names()
        ]
        return {
            "sheets": told,
            "datasets": [entry._asdict() for entry in datasets()],
            "lessons": lessons(),
            "source": self.source,
        }

    def open(self, told: dict[str, Any]) -> dict[str, Any]:
        """Open a table in a new sheet; guess the target where the table does not say."""
        step = self._checked(table_step(told))
        step = tables.guessed(step, self.tables)
        return {"sheet": self.sheets.begin(step)}

    def tell(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Say what the columns of a sheet's table are."""
        before = self.sheets.steps(sheet).table
        step = self._checked(table_step(asdict(before) | told))
        tables.opened(step, self.tables)
        self.sheets.tell(sheet, step)
        return self.sheet(sheet)

    def _checked(self, step: TableStep) -> TableStep:
        """Refuse a source outside the folder that was not named on the command line."""
        from induce.data.catalogue import datasets

        inside = Path(step.source).resolve()
        known = step.source in {entry.name for entry in datasets()} or step.source == self.source
        if not known and inside.parent != self.uploads.resolve():
            raise InputError(
                f"{step.source!r} is not in the workspace; upload it, or name it to induce workbench"
            )
        return step

    def sheet(self, name: str) -> dict[str, Any]:
        """Return the state of a sheet: table, runs, and both as script and command."""
        steps = self.sheets.steps(name)
        return {
            "sheet": name,
            "table": asdict(steps.table),
            "python": python_of(steps.table),
            "command": command_of(steps.table),
            "runs": [self._run(name, step) for step in steps.runs],
        }

    def _run(self, sheet: str, step: RunStep) -> dict[str, Any]:
        told = {
            "run": step.run,
            "learner": step.learner,
            "settings": step.settings,
            "target": step.table.target,
        }
        told |= {"cv": step.cv, "seed": step.seed, "python": python_of(step), "command": command_of(step)}
        path = self.sheets.room(sheet) / f"run-{step.run}.json"
        job = self.jobs.job(sheet, step.run)
        if job is not None and job.state in ("waiting", "running", "failed"):
            return told | job.to_dict()
        if path.exists():
            kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return told | kept
        if job is not None:
            return told | job.to_dict()
        return told | {"state": "failed", "problem": "the workbench ended before the run did; run it again"}

    def learn(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Begin a run."""
        settings = {str(name): str(text) for name, text in (told.get("settings") or {}).items()}
        cv, seed = int(told.get("cv") or 10), told.get("seed")
        seed = None if seed in (None, "") else int(seed)
        if cv < 2 or (seed is not None and seed < 0):
            raise InputError("an estimate needs at least 2 folds, and a seed is at least 0")
        tried = RunStep(1, self.sheets.steps(sheet).table, str(told.get("learner")), settings, cv, seed)
        runs.parameters_of(tried)  # what is wrong is said before anything is kept
        step = self.sheets.add_run(sheet, tried.learner, settings, cv, seed)
        self.jobs.begin(sheet, step, self.tables, str(self.sheets.room(sheet)))
        return self.sheet(sheet)

    def stop(self, sheet: str, run: int) -> dict[str, Any]:
        """Ask a run to stop."""
        self.jobs.stop(sheet, run)
        return self.sheet(sheet)

    def found(self, sheet: str, run: int) -> tuple[RunStep, str]:
        """Return a run and the folder of its results."""
        return self.sheets.steps(sheet).run(run), str(self.sheets.room(sheet))


def application(bench: Workbench, token: str, port: int, limit: int = LIMIT) -> Guard:
    """Return the ASGI application, behind its guard."""

    def route(path: str, work: Callable[..., Any], method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            body = {}
            if method == "POST":
                try:
                    body = await request.json()
                except ValueError:
                    return _refused("the request is no JSON")
                if not isinstance(body, dict):
                    return _refused("the request is no JSON object")
            try:
                found = await to_thread.run_sync(lambda: work(request, body))
            except (InputError, ValueError, TypeError, OSError, OverflowError) as problem:
                return _refused(" ".join(str(problem).split()))
            return found if isinstance(found, Response) else JSONResponse(found)

        return Route(path, endpoint, methods=[method])

    def of_sheet(work: Callable[[TableStep, Request], Any]) -> Callable[..., Any]:
        return lambda request, body: work(bench.sheets.steps(request.path_params["sheet"]).table, request)

    def of_run(work: Callable[..., Any]) -> Callable[..., Any]:
        return lambda request, body: work(*bench.found(*_place(request)), request, body)

    async def upload(request: Request) -> Response:
        return await _upload(bench, request)

    at, run = "/api/sheets/{sheet}", "/api/sheets/{sheet}/runs/{run:int}"
    routes = [
        route("/", lambda request, body: FileResponse(PAGE / "index.html")),
        route("/page/{name}", lambda request, body: _asset(PAGE, request)),
        route("/elements/{name}", lambda request, body: _asset(ELEMENTS, request)),
        route("/api/alive", lambda request, body: {}),
        route("/api/start", lambda request, body: bench.start()),
        route("/api/sheets", lambda request, body: bench.open(body), "POST"),
        route(at, lambda request, body: bench.sheet(request.path_params["sheet"])),
        route(f"{at}/table", lambda request, body: bench.tell(request.path_params["sheet"], body), "POST"),
        route(f"{at}/columns", of_sheet(lambda step, request: tables.columns_view(step, bench.tables))),
        route(f"{at}/suspicions", of_sheet(lambda step, request: tables.suspicions_view(step, bench.tables))),
        route(
            f"{at}/rows",
            of_sheet(lambda step, request: tables.rows_view(step, bench.tables, *_block(request))),
        ),
        route(f"{at}/catalogue", of_sheet(lambda step, request: runs.catalogue_view(step, bench.tables))),
        route(f"{at}/runs", lambda request, body: bench.learn(request.path_params["sheet"], body), "POST"),
        route(f"{run}/stop", lambda request, body: bench.stop(*_place(request)), "POST"),
        route(f"{run}/view", of_run(lambda step, room, request, body: runs.hypothesis_view(step, room))),
        route(f"{run}/explain", of_run(_explained), "POST"),
        route(f"{run}/rows", of_run(lambda step, room, request, body: _rows(bench, step, room, request))),
        route(f"{run}/export/{{form}}", of_run(_download)),
        route("/api/learners/{name}", lambda request, body: runs.form_of(request.path_params["name"])),
        route("/api/lessons/{name}", lambda request, body: played(request.path_params["name"], body), "POST"),
        route("/api/lessons/{name}/page", lambda request, body: _lesson(request)),
        Route("/api/uploads/{name}", upload, methods=["PUT"]),
    ]
    return Guard(Starlette(routes=routes), token, port, limit)


def _refused(sentence: str) -> Response:
    return JSONResponse({"problem": sentence}, status_code=400)


def _place(request: Request) -> tuple[str, int]:
    return request.path_params["sheet"], int(request.path_params["run"])


def _block(request: Request) -> tuple[int, int]:
    asked = request.query_params
    return int(asked.get("start", 0)), int(asked.get("count", 100))


def _asset(folder: Path, request: Request) -> Response:
    name = request.path_params["name"]
    if not ASSET.fullmatch(name) or not (folder / name).exists():
        return Response("there is no such file\n", status_code=404)
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return FileResponse(folder / name, media_type=kind)


def _explained(step: RunStep, room: str, request: Request, body: dict[str, Any]) -> Any:
    row, fixed, to = body.get("row") or {}, body.get("fixed") or [], body.get("to")
    return runs.explained(step, room, dict(row), list(fixed), to)


def _rows(bench: Workbench, step: RunStep, room: str, request: Request) -> Any:
    return runs.rows_of(step, bench.tables, room, int(request.query_params.get("part", 0)))


def _download(step: RunStep, room: str, request: Request, body: dict[str, Any]) -> Response:
    name, content, kind = exported(step, room, request.path_params["form"])
    how = "inline" if request.query_params.get("show") else f'attachment; filename="{name}"'
    return Response(content, media_type=kind, headers={"content-disposition": how})


def _lesson(request: Request) -> Response:
    name = request.path_params["name"]
    head = {"content-disposition": f'attachment; filename="{name}.html"'}
    return Response(lesson_page(name), media_type="text/html", headers=head)


async def _upload(bench: Workbench, request: Request) -> Response:
    """Keep a file that was sent; it is read as a table later, and never run."""
    name = request.path_params["name"]
    if not UPLOAD.fullmatch(name) or name.startswith("."):
        return _refused("only tables can be opened: csv, tsv, json, jsonl, parquet, arff or a spreadsheet")
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


def run_server(folder: Path, source: str | None, port: int, token: str, ready: Callable[[], None]) -> None:
    """Serve the workbench until Ctrl-C; `ready` is called when it listens."""
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
