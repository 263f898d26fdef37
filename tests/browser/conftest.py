"""One Chromium and one workbench for all tests, a fresh context for each."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
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


class Served:
    """A workbench that runs in a folder, with the arguments of its command line."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self.arguments = folder, arguments
        self.start()

    def start(self) -> None:
        """Start the server, or start it again."""
        command = [sys.executable, "-m", "induce", "workbench", *self.arguments]
        command += ["--no-browser", "--folder", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.address = found[0]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="session")
def common(tmp_path_factory: Any) -> Iterator[Served]:
    """The workbench of all tests that leave it running; each test opens sheets of its own."""
    found = Served(tmp_path_factory.mktemp("common") / "bench")
    yield found
    found.end()


@pytest.fixture
def shared(common: Served) -> str:
    """The address of the workbench that tests share."""
    return common.address


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
