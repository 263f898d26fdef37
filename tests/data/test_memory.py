"""Under a limit of the address space, reading ends with a table or a sentence, never with an abort."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

pytest.importorskip("resource")

READ = """
import resource, sys, warnings
from pathlib import Path
import fastexcel, pyarrow
import induce.data.reading
warnings.simplefilter("ignore")
mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
limit = mapped + int(sys.argv[2]) * 1_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    print(len(induce.data.reading.read(sys.argv[1])))
except (ValueError, MemoryError) as problem:
    print(problem)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(0)
    frame = pl.DataFrame({f"x{k}": random.normal(size=100_000) for k in range(8)})
    frame.write_csv(folder / "t.csv")
    frame.write_parquet(folder / "t.parquet")
    frame.write_ndjson(folder / "t.jsonl")
    frame.head(5_000).write_excel(folder / "t.xlsx")
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("limit", [100, 600, pytest.param(1200, marks=pytest.mark.slow), 3000])
@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.jsonl", "t.xlsx"])
def test_reading_under_a_limit(files, name, limit):
    done = subprocess.run(
        [sys.executable, "-c", READ, str(files / name), str(limit)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if limit == 3000:
        assert int(done.stdout) in (5_000, 100_000)
    elif limit == 100:
        assert "there is not enough memory for" in done.stdout
