"""What it takes to begin: importing, the command line, the first fit."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Row, Section, at_most, in_child, interleaved, run, seconds

REPEATS = 5
IMPORT = "import time; start = time.perf_counter(); import induce; print(time.perf_counter() - start)"


def startup() -> Section:
    """Seconds of each beginning in fresh processes."""
    alone = [float(run([sys.executable, "-c", IMPORT]).stdout) for _ in range(REPEATS)]
    rows = [at_most("`import induce`", min(alone), 0.3)]
    command = shutil.which("induce", path=str(Path(sys.executable).parent)) or shutil.which("induce")
    if command is not None:
        (best, _), *_ = interleaved(REPEATS, {"help": lambda: run([command, "--help"])}).values()
        rows.append(at_most("`induce --help`, whole process", best, 0.5))
    with tempfile.TemporaryDirectory() as cache:
        fresh = {"NUMBA_CACHE_DIR": cache}
        first = in_child("first_fit", environment=fresh)
        later = in_child("first_fit", environment=fresh)
    rows += [
        at_most("first `C45` fit ever: compiles", first["fit"], 10),
        Row("the same from `import` to tree", seconds(first["whole"])),
        Row("first prediction ever: compiles", seconds(first["predict"])),
        at_most("first `C45` fit in a later process, from `import` to tree", later["whole"], 3),
        Row("first prediction in a later process", seconds(later["predict"])),
    ]
    remark = "Fresh processes; the fits start with an empty cache of compiled loops."
    return Section("Start-up and compiling", remark, tuple(rows))
