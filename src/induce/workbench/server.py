"""The server: routes from the page to what steps, tables, runs and players give, all of it plain data."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.workbench import catalogue, dialogues, rows, runs, tables
from induce.workbench.assessment import locked_rows
from induce.workbench.exports import exported, plan_of
from induce.workbench.guard import Guard
from induce.workbench.jobs import Jobs
from induce.workbench.players.lessons import lesson_page, lessons, played
from induce.workbench.scripts import command_of, game_scripts, python_of
from induce.workbench.steps import (
    CompareStep,
    CurveStep,
    ExperimentStep,
    JobStep,
    OpenStep,
    RunStep,
    Sheets,
    SourceStep,
    Steps,
    TableStep,
    step_of,
)

PAGE = Path(__file__).parent / "page"
ELEMENTS = Path(__file__).parent.parent / "pictures" / "elements"
ASSET = re.compile(r"[a-z_]+\.(js|css)")
TABLES = "csv|tsv|txt|tab|dat|json|jsonl|ndjson|parquet|arff|xlsx|xls|ods"
RELATIONAL = (".pl", ".pro", ".b", ".f", ".n", ".sqlite", ".sqlite3", ".db")
ENDINGS = "|".join([TABLES, "toml", *(each[1:] for each in RELATIONAL)])
UPLOAD = re.compile(rf"[^/\\\x00-\x1f]{{1,120}}\.({ENDINGS})", re.IGNORECASE)
URL = re.compile(r"[a-z][a-z0-9+]*://")
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
        from induce.environments.catalogue import ENVIRONMENTS
        from induce.environments.games.game import game_names

        told = [
            {"name": name, "source": self.sheets.steps(name).table.source} for name in self.sheets.names()
        ]
        return {
            "sheets": told,
            "datasets": [entry._asdict() for entry in datasets()],
            "environments": [{"name": name, "summary": each.summary} for name, each in ENVIRONMENTS.items()],
            "games": list(game_names()),
            "lessons": lessons(),
            "source": self.source,
            "sourceStep": None if self.source is None else _kind_of(self.source),
        }

    def open(self, told: dict[str, Any]) -> dict[str, Any]:
        """Open a table, relations or a world in a new sheet; guess the target where a table does not say."""
        step = self.checked({"step": _kind_of(str(told.get("source")))} | told)
        if isinstance(step, TableStep):
            step = tables.guessed(step, self.tables)
            tables.opened(
                step, self.tables
            )  # with its target, so that the columns are there when they are asked for
        else:
            tables.source_view(step, self.tables)
        return {"sheet": self.sheets.begin(step)}

    def tell(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Say what the columns of a sheet's table are, or what its relations or its world are."""
        before = self.sheets.steps(sheet).table
        columns = told.pop("columns", None)
        if columns is not None:
            told = told | {"schema": self._schema(sheet, before, columns)}
        step = self.checked({"step": before.kind} | asdict(before) | told)
        if not isinstance(step, TableStep):
            tables.source_view(step, self.tables)
        else:
            tables.opened(step, self.tables)
        self.sheets.tell(sheet, step)
        return self.sheet(sheet)

    def _schema(self, sheet: str, table: SourceStep, columns: Any) -> str:
        """Keep what is said of columns in a schema file, and return its name."""
        from induce.data.schema_overrides import schema_file

        if not isinstance(table, TableStep) or not isinstance(columns, dict):
            raise InputError("columns are told about by their names")
        known = {} if table.schema is None else schema_file(table.schema)
        for name, said in columns.items():
            before = known.get(name, {})
            known[name] = (before if isinstance(before, dict) else {"kind": before}) | dict(said)
        path = self.uploads / f"{sheet}-schema-{len(self.sheets.steps(sheet).steps)}.json"
        write_whole(str(path), json.dumps(known, ensure_ascii=False, indent=1).encode())
        return str(path)

    def lock(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Put rows of a sheet's table under lock."""
        table = self.sheets.steps(sheet).table
        if not isinstance(table, TableStep):
            raise InputError("only rows of a table can be put under lock")
        share = float(told.get("share") or 0.25)
        self.sheets.tell(sheet, tables.lock_rows(table, self.tables, self.uploads, share))
        return self.sheet(sheet)

    def checked(self, told: dict[str, Any]) -> SourceStep:
        """Return the step that plain data describe; refuse files outside the folder that nobody named."""
        from induce.data.catalogue import datasets

        step = step_of(told)
        if not isinstance(step, SourceStep):
            raise TypeError("a sheet begins with a table, relations or a world")
        known = {entry.name for entry in datasets()} | {self.source}
        for name in step.files():
            if name in known or (step.kind == "relations" and _is_remote(name)):
                continue
            if _file_of(name).resolve().parent != self.uploads.resolve():
                raise InputError(
                    f"{name!r} is not in the workspace; upload it, or name it to induce workbench"
                )
        return step

    def sheet(self, name: str) -> dict[str, Any]:
        """Return the state of a sheet: table, runs, and all of it as script and command."""
        steps = self.sheets.steps(name)
        jobs = [self._job(name, step) for step in steps.jobs]
        return {
            "sheet": name,
            "kind": steps.table.kind,
            "table": asdict(steps.table),
            "python": python_of(steps.table),
            "command": command_of(steps.table),
            "runs": [job for job in jobs if job["kind"] == "run"],
            "others": [job for job in jobs if job["kind"] != "run"],
        }

    def _job(self, sheet: str, step: JobStep) -> dict[str, Any]:
        told: dict[str, Any] = {"run": step.run, "kind": step.kind}
        told |= {"python": python_of(step), "command": command_of(step)}
        if isinstance(step, RunStep):
            told |= {"learner": step.learner, "settings": step.settings, "name": runs.model_name(step)}
            told |= {"target": step.table.target, "cv": step.cv, "seed": step.seed}
            told |= {"locked": isinstance(step.table, TableStep) and step.table.test is not None}
        elif isinstance(step, CompareStep):
            told |= {"of": [each.run for each in step.of]}
        elif isinstance(step, CurveStep | OpenStep):
            told |= {"of": [step.of.run]}
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
        table = self.sheets.steps(sheet).table
        tried = RunStep(1, table, str(told.get("learner")), settings, cv, seed)
        runs.parameters_of(tried)  # what is wrong is said before anything is kept
        return self._begin(sheet, lambda number, steps: replace(tried, run=number, table=steps.table))

    def judge(self, sheet: str, told: dict[str, Any]) -> dict[str, Any]:
        """Begin a comparison, a learning curve, a test on the rows under lock, or an experiment."""
        kind, steps = told.get("job"), self.sheets.steps(sheet)
        if kind == "experiment":
            return self._experiment(sheet, str(told.get("plan") or ""))
        of = [steps.run(int(number)) for number in told.get("runs") or ()]
        if kind == "compare":
            if len({runs.model_name(each) for each in of}) < 2:
                raise InputError("choose at least two runs that differ")
            if len({(each.table, each.cv, each.seed) for each in of}) > 1 or of[0].table.kind == "world":
                raise InputError("only runs on the same table, with the same folds and seed, can be compared")
            return self._begin(sheet, lambda number, steps: CompareStep(number, tuple(of)))
        if kind == "curve" and len(of) == 1 and isinstance(of[0].table, TableStep):
            return self._begin(sheet, lambda number, steps: CurveStep(number, of[0]))
        if kind == "open" and len(of) == 1:
            locked_rows(of[0].table, self.tables, str(self.sheets.room(sheet)))
            return self._begin(sheet, lambda number, steps: OpenStep(number, of[0]))
        raise InputError("there is no such thing to do with these runs")

    def _experiment(self, sheet: str, plan: str) -> dict[str, Any]:
        from induce.evaluation.experiments.plan import read_plan

        number = len(self.sheets.steps(sheet).jobs) + 1
        path = self.sheets.room(sheet) / f"experiment-{number}.toml"
        write_whole(str(path), plan.encode())
        try:
            found = read_plan(str(path))
            for definition in found.datasets.values():
                self.checked({"source": str(definition["data"])})
        except InputError:
            path.unlink()
            raise
        return self._begin(sheet, lambda number, steps: ExperimentStep(number, str(path)))

    def plan(self, sheet: str) -> dict[str, Any]:
        """Return a plan to begin with: the runs of a sheet, or what is advised, on its table."""
        return {"plan": plan_of(self.sheets.steps(sheet), self.tables)}

    def _begin(self, sheet: str, make: Callable[[int, Steps], JobStep]) -> dict[str, Any]:
        step = self.sheets.add(sheet, make)
        self.jobs.begin(sheet, step, self.tables, str(self.sheets.room(sheet)))
        return self.sheet(sheet)

    def stop(self, sheet: str, run: int) -> dict[str, Any]:
        """Ask a run to stop."""
        self.jobs.stop(sheet, run)
        return self.sheet(sheet)

    def found(self, sheet: str, run: int) -> tuple[RunStep, str]:
        """Return a run and the folder of its results."""
        return self.sheets.steps(sheet).run(run), str(self.sheets.room(sheet))

    def dialogue(self, sheet: str, told: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the question that a version space asks; with `told`, after these answers."""
        steps = self.sheets.steps(sheet)
        step = steps.answers or dialogues.begun(steps.table)
        if told is not None:
            answers = tuple(bool(each) for each in told.get("answers") or ())
            step = replace(step, answers=answers, unlabelled=bool(told.get("unlabelled")))
        view = dialogues.dialogue_view(step, self.tables)
        if told is not None:
            self.sheets.tell(sheet, step)
        return view | {"python": python_of(step), "command": command_of(step)}

    def game(self, sheet: str, run: int, told: dict[str, Any]) -> dict[str, Any]:
        """Return the board of a game against the player that a run learned."""
        step, room = self.found(sheet, run)
        moves = [str(each) for each in told.get("moves") or ()]
        player = runs.hypothesis_of(step, room)
        view = dialogues.game_view(step, player, moves, bool(told.get("second")), int(told.get("seed") or 0))
        return view | dict(
            zip(("python", "command"), game_scripts(step, bool(told.get("second"))), strict=True)
        )


def _kind_of(source: str) -> str:
    """Return the kind of step that a source begins: by its name, its ending, or what is in a folder."""
    from induce.environments.catalogue import ENVIRONMENTS
    from induce.environments.games.game import game_names

    if source in ENVIRONMENTS or source in game_names():
        return "world"
    if URL.match(source) or source.lower().endswith(RELATIONAL) or Path(source).is_dir():
        return "relations"
    return "table"


def is_known(source: str) -> bool:
    """Say whether a source is a shipped table, an environment, a game or a URL, which no file has to be there for."""
    from induce.data.table_sources import is_shipped

    return is_shipped(source) or bool(URL.match(source)) or _kind_of(source) == "world"


def _is_remote(source: str) -> bool:
    """Say whether a URL is that of a server, not of a file."""
    return bool(URL.match(source)) and not source.startswith(("sqlite", "duckdb", "file"))


def _file_of(source: str) -> Path:
    """Return the file that a source or the URL of a database file names."""
    return Path(re.sub(r"^[a-z0-9+]+:///?", "", source)) if URL.match(source) else Path(source)


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
            except Exception as problem:  # a fault of ours: the page says so, the terminal says where
                traceback.print_exc()
                return _refused(f"this failed inside the workbench: {type(problem).__name__}: {problem}", 500)
            return found if isinstance(found, Response) else JSONResponse(found)

        return Route(path, endpoint, methods=[method])

    def of_sheet(work: Callable[[SourceStep, Request], Any]) -> Callable[..., Any]:
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
        route(f"{at}/columns", of_sheet(lambda step, request: tables.source_view(step, bench.tables))),
        route(f"{at}/lock", lambda request, body: bench.lock(request.path_params["sheet"], body), "POST"),
        route(f"{at}/jobs", lambda request, body: bench.judge(request.path_params["sheet"], body), "POST"),
        route(f"{at}/plan", lambda request, body: bench.plan(request.path_params["sheet"])),
        route(f"{at}/dialogue", lambda request, body: bench.dialogue(request.path_params["sheet"])),
        route(
            f"{at}/dialogue", lambda request, body: bench.dialogue(request.path_params["sheet"], body), "POST"
        ),
        route(f"{at}/schema", of_sheet(lambda step, request: _schema(bench, step))),
        route(f"{run}/game", lambda request, body: bench.game(*_place(request), body), "POST"),
        route(f"{run}/report", lambda request, body: _report(bench, request)),
        route(f"{at}/suspicions", of_sheet(lambda step, request: tables.suspicions_view(step, bench.tables))),
        route(
            f"{at}/rows",
            of_sheet(lambda step, request: tables.rows_view(step, bench.tables, *_block(request))),
        ),
        route(
            f"{at}/catalogue", of_sheet(lambda step, request: catalogue.catalogue_view(step, bench.tables))
        ),
        route(f"{at}/runs", lambda request, body: bench.learn(request.path_params["sheet"], body), "POST"),
        route(f"{run}/stop", lambda request, body: bench.stop(*_place(request)), "POST"),
        route(f"{run}/view", of_run(lambda step, room, request, body: _view(bench, step, room))),
        route(f"{run}/explain", of_run(_explained), "POST"),
        route(f"{run}/rows", of_run(lambda step, room, request, body: _rows(bench, step, room, request))),
        route(f"{run}/export/{{form}}", of_run(_download)),
        route("/api/learners/{name}", lambda request, body: catalogue.form_of(request.path_params["name"])),
        route("/api/lessons/{name}", lambda request, body: played(request.path_params["name"], body), "POST"),
        route("/api/lessons/{name}/page", lambda request, body: _lesson(request, body)),
        route("/api/lessons/{name}/page", lambda request, body: _lesson(request, body), "POST"),
        Route("/api/uploads/{name}", upload, methods=["PUT"]),
    ]
    return Guard(Starlette(routes=routes), token, port, limit)


def _refused(sentence: str, status: int = 400) -> Response:
    return JSONResponse({"problem": sentence}, status_code=status)


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


def _view(bench: Workbench, step: RunStep, room: str) -> Any:
    view = runs.hypothesis_view(step, room)
    if view["view"] != "neural" or not isinstance(step.table, TableStep):
        return view
    codes = rows.codes_view(step.table, bench.tables, runs.hypothesis_of(step, room))
    if codes is None:
        return view
    return view | {"codes": {"units": view["layers"][-2]["units"], "rows": codes}}


def _rows(bench: Workbench, step: RunStep, room: str, request: Request) -> Any:
    asked = request.query_params
    part, second = asked.get("part"), asked.get("second")
    if second is not None:
        bench.checked({"source": second})
    return rows.rows_view(step, bench.tables, room, None if part is None else int(part), second)


def _download(step: RunStep, room: str, request: Request, body: dict[str, Any]) -> Response:
    name, content, kind = exported(step, room, request.path_params["form"])
    how = "inline" if request.query_params.get("show") else f'attachment; filename="{name}"'
    return Response(content, media_type=kind, headers={"content-disposition": how})


def _schema(bench: Workbench, step: SourceStep) -> Response:
    document = tables.schema_document(tables.opened(step, bench.tables)[0])
    head = {"content-disposition": 'attachment; filename="schema.json"'}
    return Response(
        json.dumps(document, ensure_ascii=False, indent=1), media_type="application/json", headers=head
    )


def _report(bench: Workbench, request: Request) -> Response:
    """Return the report of an experiment: a page of its own that may style itself and do nothing else."""
    sheet, number = _place(request)
    step = bench.sheets.steps(sheet).job(number)
    path = Path(step.plan).with_suffix(".html") if isinstance(step, ExperimentStep) else None
    if path is None or not path.exists():
        raise InputError(f"run {number} has no report")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    return Response(path.read_bytes(), media_type="text/html", headers={"content-security-policy": policy})


def _lesson(request: Request, body: dict[str, Any]) -> Response:
    """Return the page of a lesson, with other cells where the request brings them."""
    name = request.path_params["name"]
    content = lesson_page(name, body)
    head = {"content-disposition": f'attachment; filename="{name}.html"'}
    return Response(content, media_type="text/html", headers=head)


async def _upload(bench: Workbench, request: Request) -> Response:
    """Keep a file that was sent; it is read as a table later, and never run."""
    name = request.path_params["name"]
    if not UPLOAD.fullmatch(name) or name.startswith("."):
        return _refused(
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
