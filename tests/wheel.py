"""Build the wheel, install it in a fresh environment and use it outside the source tree.

Run as a script by `make test`; its closing line counts the checks that passed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    finished = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    if finished.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{finished.stdout}{finished.stderr}")
    return finished.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        away = Path(name)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", away, ROOT, cwd=away)
        (wheel,) = away.glob("*.whl")
        run(sys.executable, "-m", "venv", away / "env", cwd=away)
        python = away / "env" / "bin" / "python"
        # most modules of what it needs are never imported here
        pip = ("install", "--quiet", "--disable-pip-version-check", "--no-compile")
        run(python, "-m", "pip", *pip, wheel, cwd=away)
        induce = away / "env" / "bin" / "induce"
        where = run(python, "-c", "import induce; print(induce.__file__)", cwd=away)
        assert str(away) in where, where
        learned = run(
            induce,
            "learn",
            "play-tennis",
            "--out",
            "m.induce",
            "--draw",
            "t.svg",
            "min_samples_leaf=1",
            cwd=away,
        )
        assert "Outlook = Overcast: Yes (4/4)" in learned, learned
        assert "interval" in learned, learned
        assert (away / "t.svg").read_text(encoding="utf-8").startswith("<?xml"), "no picture"
        (away / "new.csv").write_text(
            "Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n", encoding="utf-8"
        )
        predicted = run(induce, "predict", "m.induce", "new.csv", cwd=away)
        assert predicted.splitlines()[-1] == "Sunny,Hot,High,Weak,No", predicted
        rules = run(induce, "show", "m.induce", "--as", "rules", cwd=away)
        assert "IF Outlook = Sunny AND Humidity = High THEN No (3/3)" in rules, rules
    print("wheel: 6 passed, 0 failed")


if __name__ == "__main__":
    main()
