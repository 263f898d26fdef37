"""One Chromium for all tests, a fresh context and a workbench of its own for each."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

MISSING = (
    "no Chromium was found; install one (Debian: apt-get install chromium) to test the workbench in a browser"
)


def chromium() -> str:
    """Return the browser's path; without one, skip with one line, or fail where it is needed."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and os.environ.get("INDUCE_BROWSER") == "needed":
        pytest.fail(MISSING, pytrace=False)
    if found is None:
        pytest.skip(MISSING)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium())
        yield found
        found.close()


@dataclass
class Served:
    """A running workbench."""

    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].split("/")[0])


def serve(folder: Path, *arguments: str) -> Served:
    command = [
        sys.executable,
        "-m",
        "induce",
        "workbench",
        *arguments,
        "--no-browser",
        "--folder",
        str(folder),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    return Served(process, found[0], folder)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: Any) -> Iterator[str]:
    """The address of a workbench for all tests that leave it running; each opens sheets of its own."""
    found = serve(tmp_path_factory.mktemp("shared") / "bench")
    yield found.address
    found.process.terminate()
    found.process.wait()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Any]:
    """Return what starts a workbench; all are ended with the test."""
    running: list[Served] = []

    def start(*arguments: str) -> Served:
        running.append(serve(tmp_path / "bench", *arguments))
        return running[-1]

    yield start
    for each in running:
        each.process.terminate()
        each.process.wait()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page whose console must stay silent and which asks nobody but its server."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    found = context.new_page()
    said: list[str] = []
    foreign: list[str] = []
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on(
        "console", lambda message: said.append(message.text) if "Content Security" in message.text else None
    )
    found.on(
        "request",
        lambda request: (
            None
            if re.match(r"(http://127\.0\.0\.1:|data:|file:|blob:)", request.url)
            else foreign.append(request.url)
        ),
    )
    found.set_default_timeout(60_000)
    yield found
    assert said == []
    assert foreign == []
    context.close()
