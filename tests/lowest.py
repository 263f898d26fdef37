"""Install the oldest versions that pyproject.toml allows, and run a part of the tests with them.

Run as a script by `make test-lowest`, with the folder of the environment to make. On the oldest Python the versions
installed must be the declared ones: bounds that no installation can have say nothing. On a later Python some of them
have no wheel, and the oldest that has one is taken.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PART = (
    "tests/core",
    "tests/data",
    "tests/trees/learners",
    "tests/cli/test_learn.py",
    "tests/cli/test_predict.py",
)
"""Tests that use every library that is needed: files, frames, estimators, loops, pictures, the command line."""
BOUND = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([0-9.]+)")


def declared() -> dict[str, str]:
    """Return the lower bound of every library that induce or its tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    found = [BOUND.fullmatch(each) for each in wanted]
    return {_name(match[1]): match[2] for match in found if match}


def oldest_python() -> tuple[int, ...]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return _numbers(project["requires-python"].removeprefix(">="))


def differing(bounds: dict[str, str], installed: dict[str, str]) -> list[str]:
    """Return a sentence for every bound that is not what was installed.

    Examples
    --------
    >>> differing({"rich": "13.7"}, {"rich": "13.8.0"})
    ['rich>=13.7 is declared, but the oldest that can be installed with the others is 13.8.0']
    """
    return [
        f"{name}>={bound} is declared, but the oldest that can be installed with the others is {installed[name]}"
        for name, bound in bounds.items()
        if _numbers(bound) != _numbers(installed[name])
    ]


def _name(text: str) -> str:
    return text.lower().replace("_", "-")


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def main(folder: Path) -> int:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder], check=True)
    python = next(path for path in (folder / "bin/python", folder / "Scripts/python.exe") if path.exists())
    install = ["pip", "install", "--quiet", "--python", python, "--resolution", "lowest-direct"]
    subprocess.run([*uv, *install, "--only-binary", ":all:", "-e", f"{ROOT}[test]"], check=True)
    listed = subprocess.run(
        [*uv, "pip", "freeze", "--python", python], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    installed = {
        _name(name): version for name, version in re.findall(r"^(\S+)==(\S+)$", listed, re.MULTILINE)
    }
    wrong = differing(declared(), installed) if sys.version_info[:2] == oldest_python()[:2] else []
    if wrong:
        print(*wrong, sep="\n")
        return 1
    # without the cache of pytest, which remembers what failed with the other versions
    command = [python.absolute(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *PART]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
