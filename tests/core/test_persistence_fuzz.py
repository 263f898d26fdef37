"""Thousands of damaged and hostile model files: each is refused or harmless, and none does anything else."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import struct
import sys
import threading
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from induce.core import archive, registry
from induce.core.errors import InputError, ModelFileError
from induce.core.hypothesis import Hypothesis
from induce.core.persistence import load, load_hypothesis, save
from induce.data.schema import Column, Schema

CHUNKS = 20
PER_CHUNK = 4 * settings.default.max_examples

Members = list[tuple[str, bytes]]


@dataclass(frozen=True)
class Stumps(Hypothesis):
    schema: Schema
    feature: Any
    threshold: Any
    counts: Any
    classes: Any
    on: Any = None

    def check(self) -> None:
        if self.feature.max(initial=0) >= len(self.schema):
            raise InputError("a stump tests a column that is not there")


class Learner:
    def __init__(self, criterion: Any = "gain", max_depth: Any = None) -> None:
        self.criterion = criterion
        self.max_depth = max_depth

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"criterion": self.criterion, "max_depth": self.max_depth}

    def _resumable_state(self) -> dict[str, Any]:
        return {"seen": 10**40, "means": [np.array([0.5, np.nan], dtype=np.float32)], "best": float("inf")}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any] | None) -> None:
        self.hypothesis_ = hypothesis


class Danger:
    """Leaves a mark when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("unpickled",)


def sample_learner() -> Learner:
    learner = Learner(max_depth=3)
    schema = Schema((Column("wind", "nominal", ("weak", "strong")), Column("humidity", cost=0.5)))
    learner.hypothesis_ = Stumps(
        schema,
        feature=np.array([0, 1, 1], dtype=np.int32),
        threshold=np.array([np.nan, 70.5, 80.0]),
        counts=np.arange(12, dtype=np.uint16).reshape(3, 2, 2),
        classes=("no", "yes"),
        on=np.array([True, False, True]),
    )
    return learner


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    # only what is already imported, because the watch below takes every import for an attack
    known = {cls.__name__: registry.target_of(cls) for cls in (Stumps, Column, Schema)}
    monkeypatch.setattr(registry, "VALUES", known)
    monkeypatch.setattr(registry, "ESTIMATORS", {"Learner": registry.target_of(Learner)})


@pytest.fixture
def healthy(tmp_path: Path) -> bytes:
    save(sample_learner(), tmp_path / "healthy.induce")
    load(tmp_path / "healthy.induce")  # the types of its fields are read once for each class
    return (tmp_path / "healthy.induce").read_bytes()


# --- what loading does besides returning ----------------------------------------------------------------

_seen: list[tuple[str, Any]] = []
_watched_thread: int | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if threading.get_ident() != _watched_thread:
        return
    reads_only = event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if not reads_only and event != "builtins.id":
        _seen.append((event, arguments))


sys.addaudithook(_watch)


@contextmanager
def nothing_else_happens(folder: Path) -> Iterator[None]:
    """Fail when the block imports, compiles, executes, unpickles, spawns, connects or writes anything."""
    global _watched_thread
    before = sorted(os.listdir(folder))
    _seen.clear()
    _watched_thread = threading.get_ident()
    try:
        yield
    finally:
        _watched_thread = None
    assert _seen == []
    assert sorted(os.listdir(folder)) == before


def attempt(path: Path) -> bool:
    """Load a file both ways and say whether that worked; only `ModelFileError` may come out."""
    try:
        assert isinstance(load_hypothesis(path), Hypothesis)
    except ModelFileError as error:
        assert_one_sentence(error, path)
    try:
        assert isinstance(load(path), Learner | Hypothesis)
    except ModelFileError as error:
        assert_one_sentence(error, path)
        return False
    return True


def assert_one_sentence(error: ModelFileError, path: Path) -> None:
    message = str(error)
    assert str(path) in message
    assert "\n" not in message
    assert len(message) < len(str(path)) + 400


# --- damage to the bytes of the zip ------------------------------------------------------------------------


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.choice((1, 2, 4, 30))) + data[at:]


def delete(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice((1, 2, 4, 30)) :]


def overwrite(rng: random.Random, data: bytes) -> bytes:
    at, size = rng.randrange(len(data)), rng.choice((1, 2, 4, 8))
    return data[:at] + rng.choice((b"\x00", b"\xff", b"\x7f", b"PK")) * size + data[at + size :]


def repeat(rng: random.Random, data: bytes) -> bytes:
    start, end = sorted(rng.randrange(len(data)) for _ in range(2))
    return data[:end] + data[start:]


BYTES = (cut, flip, insert, delete, overwrite, repeat)


def tamper_with_directory(rng: random.Random, data: bytes) -> bytes:
    """Change one field of one entry of the zip's directory: method, flags, sizes, checksum, offset."""
    changed = bytearray(data)
    entry = changed.find(b"PK\x01\x02")
    for _ in range(rng.randrange(4)):
        entry = max(entry, changed.find(b"PK\x01\x02", entry + 1))
    at, form = rng.choice(
        (
            (8, "<H"),
            (10, "<H"),
            (16, "<L"),
            (20, "<L"),
            (24, "<L"),
            (28, "<H"),
            (30, "<H"),
            (32, "<H"),
            (42, "<L"),
        )
    )
    top = 2 ** (8 * struct.calcsize(form)) - 1
    old = struct.unpack_from(form, changed, entry + at)[0]
    new = rng.choice(
        (0, 1, 8, 12, 14, 99, old + 1, max(old - 1, 0), old * 1000, top // 2, top, rng.randint(0, top))
    )
    struct.pack_into(form, changed, entry + at, min(new, top))
    return bytes(changed)


# --- damage inside a zip that is in order ---------------------------------------------------------------


def members_of(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return [(name, opened.read(name)) for name in opened.namelist()]


def zipped(members: Members) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that come twice are what we want
        for name, data in members:
            info = zipfile.ZipInfo("to be named")
            info.filename = name  # past the clean-up that the constructor does
            info.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(info, data, compresslevel=1)
    return buffer.getvalue()


def change_text(rng: random.Random, members: Members) -> Members:
    (name, text), *arrays = members
    return [(name, rng.choice(BYTES)(rng, text)), *arrays]


ODD_VALUES: tuple[Callable[[random.Random], Any], ...] = (
    lambda rng: rng.choice(
        (None, True, 0, -1, 3, 2**31, -(2**63), 10**25, 1e308, -0.0, "", "no", "\ud800", "\n" * 500)
    ),
    lambda rng: float(rng.choice(("nan", "inf"))),
    lambda rng: {"array": rng.choice((0, 1, 2, 3, 4, 5, -1, 99, True, 10**12))},
    lambda rng: {"value": rng.choice(("Stumps", "Column", "os:system", "Learner", "")), "fields": {}},
    lambda rng: {"value": "Schema", "fields": {"columns": [{"value": "Column", "fields": {"name": "wind"}}]}},
    lambda rng: {
        rng.choice(("list", "dict", "int", "float", "array", "value", "__reduce__")): rng.choice(
            ([], {}, 1, "x")
        )
    },
    lambda rng: {"int": rng.choice(("0x1", "-0x" + "f" * 1000, "12", "0x", "__import__('os')"))},
    lambda rng: {"float": rng.choice(("nan", "-inf", "1e5", "infinity"))},
    lambda rng: json.loads("[" * (depth := rng.choice((2, 50, 120, 400))) + "]" * depth),
    lambda rng: [rng.randint(-5, 5) for _ in range(rng.choice((0, 1, 3, 100)))],
)


def places_in(node: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) of a JSON document."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
    return [place for key in keys for place in ((node, key), *places_in(node[key]))]


def change_value(rng: random.Random, members: Members) -> Members:
    (name, text), *arrays = members
    document = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        places = places_in(document)
        if not places:
            break
        container, key = rng.choice(places)
        what = rng.randrange(6)
        if what == 0:
            del container[key]
        elif what == 1 and isinstance(container, dict):
            container[rng.choice(("__class__", "at", key + "_", ""))] = container.pop(key)
        elif what == 2:
            other, place = rng.choice(places)
            container[key] = json.loads(json.dumps(other[place]))
        else:
            container[key] = rng.choice(ODD_VALUES)(rng)
    return [(name, json.dumps(document).encode()), *arrays]


DTYPES = (
    "|O",
    "<U8",
    ">f8",
    "<f16",
    "|V8",
    "<c16",
    "<M8[s]",
    "|b1",
    "|i1",
    "<u8",
    "<i4",
    "<f4",
    "<f1",
    "|S9",
)
SHAPES = (
    "(3,)",
    "()",
    "(-3,)",
    "(0,)",
    "(10**9,)",
    "(99999999999999,)",
    "(4294967296, 4294967296)",
    "(3, 2, 2)",
)
SHAPES += (
    "(0, 999999999999999999)",
    "(1,)*99",
    "(True,)",
    "(3.0,)",
    "__import__('os').mkdir('ran')",
    "(2, 6)",
)


def change_header(rng: random.Random, members: Members) -> Members:
    changed = list(members)
    at = rng.randrange(1, len(members))
    name, data = members[at]
    length = struct.unpack_from("<H", data, 8)[0]
    header, body = data[10 : 10 + length], data[10 + length :]
    if rng.random() < 0.3:
        start = bytearray(data[: 10 + length])
        start[rng.randrange(len(start))] = rng.randrange(256)
        changed[at] = (name, bytes(start) + body)
        return changed
    parts = {"descr": rng.choice(DTYPES), "fortran_order": "False", "shape": rng.choice(SHAPES)}
    if rng.random() < 0.2:
        parts["fortran_order"] = rng.choice(("True", "0", "__import__('os').mkdir('ran')"))
    header = "{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}\n".format(
        **parts
    ).encode()
    if rng.random() < 0.2:
        body = pickle.dumps(Danger())
    version = rng.choice((b"\x01\x00", b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x09\x00"))
    changed[at] = (name, b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + body)
    return changed


def change_array(rng: random.Random, members: Members) -> Members:
    changed = list(members)
    at, other = (rng.randrange(1, len(members)) for _ in range(2))
    what = rng.randrange(4)
    if what == 0:
        changed[at], changed[other] = (members[at][0], members[other][1]), (members[other][0], members[at][1])
    elif what == 1:
        changed[at] = (members[at][0], rng.choice(BYTES)(rng, members[at][1]))
    elif what == 2:
        changed[at] = (members[at][0], pickle.dumps(Danger()))
    else:
        changed[at] = (members[at][0], members[at][1][:128] + rng.randbytes(len(members[at][1]) - 128))
    return changed


NAMES = (
    "../evil",
    "/etc/evil",
    "arrays/../evil.npy",
    "C:\\evil",
    "arrays/5.npy",
    "arrays/0.npy\x00.txt",
    "model.json/",
)
NAMES += ("model.json", "arrays/0.npy", "arrays/00.npy", "arrays/٣.npy", "", "é", "x" * 60000, "__main__.py")


def change_members(rng: random.Random, members: Members) -> Members:
    changed = list(members)
    what = rng.randrange(5)
    if what == 0:
        changed.insert(rng.randrange(len(members) + 1), (rng.choice(NAMES), rng.choice(members)[1]))
    elif what == 1:
        del changed[rng.randrange(len(members))]
    elif what == 2:
        at = rng.randrange(len(members))
        changed[at] = (rng.choice(NAMES), members[at][1])
    elif what == 3:
        rng.shuffle(changed)
    else:
        changed += [
            (f"arrays/{i}.npy", members[1][1]) for i in range(len(members) - 1, rng.choice((10, 100)))
        ]
    return changed


INSIDE = (change_text, change_value, change_value, change_header, change_array, change_members)


def mutated(rng: random.Random, data: bytes) -> bytes:
    if rng.random() < 0.4:
        return rng.choice((*BYTES, tamper_with_directory, tamper_with_directory))(rng, data)
    return zipped(rng.choice(INSIDE)(rng, members_of(data)))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_damaged_files_are_refused_or_harmless(
    chunk: int, healthy: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.induce"
    "".encode("cp437")  # zipfile loads this codec when it first needs it
    rng = random.Random(chunk)
    file.write_bytes(healthy)
    with nothing_else_happens(tmp_path):
        assert attempt(file)
    accepted = 0
    for _ in range(PER_CHUNK):
        file.unlink()  # a new file is written sooner than an old one is replaced
        file.write_bytes(mutated(rng, healthy))
        with nothing_else_happens(tmp_path):
            accepted += attempt(file)
    assert 0 < accepted < PER_CHUNK / 2


def test_the_watch_sees_what_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    deeds: tuple[Callable[[], Any], ...] = (
        lambda: pickle.loads(pickle.dumps(Danger())),
        lambda: eval("1"),
        lambda: os.system("true"),
        lambda: (tmp_path / "written").write_bytes(b""),
    )
    for deed in deeds:
        with pytest.raises(AssertionError), nothing_else_happens(tmp_path):
            deed()


# --- files that ask for more memory than they are worth ---------------------------------------------------

MEGABYTE = 2**20


def bomb(name: str, start: bytes, fill: bytes, size: int, healthy: bytes) -> bytes:
    """Return the healthy file with one member made of `start` and then `size` bytes of filling."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as opened:
        for other, data in members_of(healthy):
            with opened.open(other, "w") as stream:
                if other == name:
                    stream.write(start)
                    block = fill * (MEGABYTE // len(fill))
                    for _ in range(size // MEGABYTE):
                        stream.write(block)
                else:
                    stream.write(data)
    return buffer.getvalue()


def declare(data: bytes, name: str, **numbers: int) -> bytes:
    """Make the directory's entry for `name` say something else."""
    changed = bytearray(data)
    entry = changed.find(b"PK\x01\x02")
    while changed[entry + 46 :][: len(name)] != name.encode():
        entry = changed.find(b"PK\x01\x02", entry + 1)
    for field, number in numbers.items():
        struct.pack_into("<L", changed, entry + {"packed": 20, "size": 24, "offset": 42}[field], number)
    return bytes(changed)


def array_header(shape: str) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def honest_but_unused(healthy: bytes) -> bytes:
    members = members_of(healthy)
    text = members[0][1].replace(b'"on":{"array":', b'"on":{"dict":{}},"off":{"array":')
    assert text != members[0][1]
    changed = zipped([("model.json", text), *members[1:]])
    return bomb("arrays/4.npy", array_header(f"({MEGABYTE * 8},)"), b"\0", 64 * MEGABYTE, changed)


def many_entries(healthy: bytes) -> bytes:
    entry = healthy[healthy.index(b"PK\x01\x02") :][: 46 + len("model.json")]
    count = 200_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 6, 6, len(entry) * count, 0, 0)
    return entry * count + end


def overlapping(healthy: bytes) -> bytes:
    """Let every array be the same large member, as in zip bombs that need no nesting."""
    data = bomb("arrays/0.npy", array_header(f"({MEGABYTE * 8},)"), b"\0", 64 * MEGABYTE, healthy)
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        big = opened.getinfo("arrays/0.npy")
    for i in range(1, 5):
        data = declare(
            data, f"arrays/{i}.npy", packed=big.compress_size, size=big.file_size, offset=big.header_offset
        )
    return data


BOMBS: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "text of spaces": (lambda data: bomb("model.json", b"", b" ", 64 * MEGABYTE, data), 2),
    "text that lies": (
        lambda data: declare(bomb("model.json", b"", b" ", 64 * MEGABYTE, data), "model.json", size=100),
        2,
    ),
    "text of lists": (lambda data: bomb("model.json", b"[", b"[],[],[],[],[],[", 31 * MEGABYTE, data), 200),
    "text of strings": (lambda data: bomb("model.json", b"[", b'"",', 31 * MEGABYTE, data), 200),
    "text of backslashes": (lambda data: bomb("model.json", b'"', b'\\"', 31 * MEGABYTE, data), 200),
    "array larger than its shape": (
        lambda data: bomb("arrays/0.npy", array_header("(3,)"), b"\0", 64 * MEGABYTE, data),
        4,
    ),
    "array that lies": (
        lambda data: declare(
            bomb("arrays/0.npy", array_header("(3,)"), b"\0", 64 * MEGABYTE, data),
            "arrays/0.npy",
            size=len(array_header("(3,)")) + 24,
        ),
        4,
    ),
    "array smaller than its shape": (
        lambda data: bomb("arrays/0.npy", array_header("(99999999999,)"), b"\0", MEGABYTE, data),
        4,
    ),
    "size beyond the file": (lambda data: declare(data, "arrays/0.npy", packed=2**29, size=2**29), 2),
    "size beyond deflate": (lambda data: declare(data, "arrays/0.npy", size=2**29), 2),
    "size beyond the limit": (lambda data: declare(data, "arrays/0.npy", size=2**32 - 2), 2),
    "array that is not used": (honest_but_unused, 4),
    "many entries": (many_entries, 2),
    "overlapping members": (overlapping, 70),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_do_not_go_off(
    name: str, healthy: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.induce"
    make, megabytes = BOMBS[name]
    file.write_bytes(make(healthy))
    monkeypatch.setattr(
        archive, "MAX_TOKENS", archive.MAX_TOKENS // 40
    )  # counting is slow when memory is traced
    tracemalloc.start()
    try:
        for read in (load, load_hypothesis):
            with pytest.raises(ModelFileError) as caught, nothing_else_happens(tmp_path):
                read(file)
            assert_one_sentence(caught.value, file)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < megabytes * MEGABYTE
