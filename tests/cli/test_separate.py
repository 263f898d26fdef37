"""Commands that read native formats run in a process of their own, whose death is one sentence."""

import contextlib
import gzip
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image

from induce.cli import main, separate

COMMAND = [sys.executable, "-c", "import sys; from induce.cli import main; sys.exit(main())"]
LOOKS = 3_000
ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="S"><table:table-row table:number-rows-repeated="{}"><table:table-cell '
    'table:number-columns-repeated="{}" office:value-type="float" office:value="5"><text:p>5</text:p>'
    "</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>"
    "</office:document-content>"
)
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="/" '
    'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>'
)


def spreadsheet(path, rows, columns):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", ODS.format(rows, columns))
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file in every format."""
    folder = tmp_path_factory.mktemp("files")
    frame = pl.DataFrame({"a": [1, 2, 3], "b": ["p", "q", "p"]})
    frame.write_parquet(folder / "t.parquet")
    frame.write_csv(folder / "t.csv")
    frame.write_csv(folder / "t.tsv", separator="\t")
    frame.write_ndjson(folder / "t.jsonl")
    (folder / "t.csv.gz").write_bytes(gzip.compress(frame.write_csv().encode(), mtime=0))
    (folder / "t.pl").write_text("p(a).\n", encoding="utf-8")
    (folder / "without").write_bytes((folder / "t.parquet").read_bytes())
    spreadsheet(folder / "t.ods", 3, 2)
    with contextlib.closing(sqlite3.connect(folder / "t.db")) as base:
        base.execute("CREATE TABLE t (a INTEGER)")
    Image.fromarray(np.zeros((2, 2), np.uint8)).save(folder / "t.png")
    (folder / "images").mkdir()
    Image.fromarray(np.zeros((2, 2), np.uint8)).save(folder / "images" / "t.pgm")
    return folder


@pytest.mark.parametrize("name", ["t.parquet", "t.ods", "t.db", "t.png", "images", "without", "t.csv.gz"])
def test_native_formats_are_recognised(files, name):
    assert separate._is_native(str(files / name))


@pytest.mark.parametrize(
    "name", ["t.csv", "t.tsv", "t.jsonl", "t.pl", "play-tennis", "", "a\0b", "absent.csv"]
)
def test_text_stays_in_the_process(files, name):
    assert not separate._is_native(str(files / name) if name.startswith("t.") else name)


def test_what_is_redirected_stays_in_the_process(files, run):
    assert not separate.is_needed(["data", str(files / "t.parquet")])
    assert run("data", files / "t.parquet").code == 0


def done(*arguments, limit=None, stdin=b""):
    def limited():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, preexec_fn=limited, input=stdin, check=False
    )


@pytest.mark.parametrize("name", ["t.parquet", "t.ods", "t.csv.gz"])
def test_the_answer_is_the_same(files, name, run):
    apart, here = done("data", files / name), run("data", files / name)
    assert (apart.returncode, apart.stdout.decode()) == (here.code, here.out)
    assert apart.stderr.decode() == here.err


def test_standard_input_may_be_native(files):
    found = done("data", "-", stdin=(files / "t.parquet").read_bytes())
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(b"table: 3 rows")


def test_an_error_is_said_once(files):
    found = done("data", files / "t.parquet", "--target", "c")
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr.startswith(b"induce: error: ")
    assert found.stderr.count(b"\n") == 1


def test_a_sheet_without_end_is_one_sentence(tmp_path):
    path = spreadsheet(tmp_path / "t.ods", 1_048_576, 16_384)
    found = done("data", path, limit=4_000_000_000)
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr.startswith(b"induce: error: "), found.stderr
    assert found.stderr.count(b"\n") == 1


def children(pid):
    with contextlib.suppress(OSError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()]
    return []


def until(look):
    for _ in range(LOOKS):
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it never happened")


@pytest.fixture
def slow(tmp_path):
    """A command that takes long, as a process with a child."""
    random = np.random.default_rng(0)
    path = tmp_path / "slow.parquet"
    pl.DataFrame({f"x{j}": random.normal(size=100_000) for j in range(20)}).with_columns(
        y=pl.Series(random.choice(["p", "q"], 100_000))
    ).write_parquet(path)
    process = subprocess.Popen(
        [*COMMAND, "learn", str(path), "--target", "y"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    (child,) = until(lambda: children(process.pid))
    yield process, child
    process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGABRT", "SIGSEGV"])
def test_the_death_of_the_process_is_one_sentence(slow, name):
    process, child = slow
    os.kill(child, getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert err.decode() == (
        f"induce: error: the process for the command ended with {name}: there is not enough memory for the "
        "contents of 'slow.parquet', or they are damaged\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_the_process_ends_with_the_command(slow, name):
    process, child = slow
    time.sleep(1)  # it watches once it has started
    process.send_signal(getattr(signal, name))
    process.communicate()
    until(lambda: not Path(f"/proc/{child}").exists() or b"Z" in Path(f"/proc/{child}/stat").read_bytes())


def test_a_list_of_arguments_is_run_apart_too(files):
    code = f"import sys; from induce.cli import main; sys.exit(main(['data', {str(files / 't.parquet')!r}]))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert b"3 rows" in found.stdout
    assert main(["--version"]) == 0
