"""Under a limit of the address space, reading ends with a table or a sentence, never with an abort."""

import gzip
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing

import numpy as np
import polars as pl
import pytest
from PIL import Image

pytest.importorskip("resource")

READ = """
import resource, sys, warnings
from pathlib import Path
import fastexcel, pyarrow
import induce.data.images.reading, induce.data.reading
import induce.belief_networks.files.network_file, induce.relational.readers.databases
from induce.core.memory import is_shortage
warnings.simplefilter("ignore")
mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
limit = mapped + int(sys.argv[2]) * 1_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
path = Path(sys.argv[1])
try:
    if path.suffix == ".bif":
        print(len(induce.belief_networks.files.network_file.read_network(path).nodes))
    elif path.suffix == ".sqlite":
        print(len(induce.relational.readers.databases.read_database(path).listed))
    elif path.suffix == ".png":
        print(len(induce.data.images.reading.read_images(path)))
    else:
        print(len(induce.data.reading.read(path)))
except (ValueError, MemoryError, OSError) as problem:
    short = is_shortage(problem) and not isinstance(problem, ValueError)
    print("there is not enough memory for it" if short else problem)
"""
SHEET = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="a">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
)
CELL = (
    '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
)
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
    'manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
    "</manifest:manifest>"
)
BIF = """network n { }
variable a { type discrete [ 2 ] { x, y }; }
probability ( a ) { table 0.5, 0.5; }
"""


def write_ods(path, rows):
    text = "".join(f"<table:table-row>{''.join(map(CELL.format, row))}</table:table-row>" for row in rows)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", SHEET.format(rows=text))


def write_database(path, frame):
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"create table t ({', '.join(frame.columns)})")
        database.executemany(f"insert into t values ({', '.join('?' * frame.width)})", frame.rows())
        database.commit()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(0)
    frame = pl.DataFrame({f"x{k}": random.normal(size=100_000) for k in range(8)})
    frame.write_csv(folder / "t.csv")
    frame.write_parquet(folder / "t.parquet")
    frame.write_ndjson(folder / "t.jsonl")
    frame.head(5_000).write_excel(folder / "t.xlsx")
    frame.write_csv(folder / "t.tsv", separator="\t")
    (folder / "t.csv.gz").write_bytes(gzip.compress((folder / "t.csv").read_bytes(), 1))
    write_ods(folder / "t.ods", frame.head(5_000).rows())
    write_database(folder / "t.sqlite", frame.head(20_000))
    (folder / "t.bif").write_text(BIF, encoding="ascii")
    Image.fromarray(np.zeros((2_000, 2_000), np.uint8)).save(folder / "t.png")
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


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize(
    ("name", "limit", "result"),
    [
        ("t.tsv", 800, None),
        ("t.csv.gz", 1000, None),
        ("t.ods", 1400, None),
        ("t.sqlite", 200, None),
        ("t.bif", 100, 1),
        ("t.png", 2000, None),
    ],
)
def test_other_formats_under_a_limit(files, name, limit, result):
    done = subprocess.run(
        [sys.executable, "-c", READ, str(files / name), str(limit)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().isdecimal() or "there is not enough memory for" in done.stdout
    if result is not None:
        assert int(done.stdout) == result
