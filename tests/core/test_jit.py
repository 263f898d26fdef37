"""Compiled loops: cached where that is possible, working where it is not, announced once."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from induce.core import jit as module
from induce.core.jit import KNOWN, announce_compilation, jit
from induce.core.notes import Note

LOOP = """
from induce.core.jit import inner_jit, jit


@inner_jit
def double(x):
    return 2.0 * x


@jit
def total(values):
    whole = 0.0
    for value in values:
        whole += double(value)
    return whole
"""
USE = "import numpy, loop; print(loop.total(numpy.arange(4.0)), loop.total._cache._cache_path)"


def run_python(code: str, where: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    source = str(Path(module.__file__).parents[2])
    path = os.pathsep.join([str(where), source])
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        encoding="utf-8",
    )


@pytest.mark.compiled
@pytest.mark.skipif(numba.version_info.short not in KNOWN, reason="this version of numba makes it")
def test_an_inner_loop_makes_no_machine_code_of_its_own_and_refuses_a_call(tmp_path):
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    asked = "; part = next(iter(loop.double.overloads.values())).library; print(part._final_module in engine)"
    watched = "import numba.core.codegen as c; engine = []; add = c.JITCPUCodegen._add_module; "
    watched += (
        "c.JITCPUCodegen._add_module = lambda self, module: (engine.append(module), add(self, module))[1]; "
    )
    refused = "\ntry: loop.double(1.0)\nexcept TypeError: print('refused')"
    result = run_python(watched + USE + asked + refused, tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[1:] == ["False", "refused"]


@pytest.mark.compiled
def test_a_loop_is_cached_beside_its_file(tmp_path):
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    result = run_python(USE, tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("12.0 ")
    assert list((tmp_path / "__pycache__").glob("loop.total-*.nbi"))


@pytest.mark.compiled
def test_a_loop_works_where_no_cache_can_be_written(monkeypatch):
    """numba refuses to cache with a RuntimeError when no directory can be written."""
    import numba

    asked = []
    real = numba.njit

    def njit(*functions: object, **options: bool):
        asked.append(options.get("cache", False))
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*functions, **options)

    monkeypatch.setattr(module.numba, "njit", njit)
    monkeypatch.setattr(module, "_warned", False)

    def triple(x: float) -> float:
        return 3.0 * x

    with pytest.warns(Note, match="set NUMBA_CACHE_DIR to a writable directory"):
        assert jit(triple)(2.0) == 6.0
    assert asked[:2] == [True, False]
    with warnings.catch_warnings(action="error"):
        jit(triple)


@pytest.mark.compiled
def test_a_read_only_installation_works(tmp_path):
    """Neither the directory of the file nor the user's cache can be written."""
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    refuse = """
import numba.core.caching as caching


def refuse(*args, **kwargs):
    raise OSError("read-only file system")


for locator in caching.CacheImpl._locator_classes:
    locator.ensure_cache_path = refuse
import numpy, loop
print(loop.total(numpy.arange(4.0)))
"""
    result = run_python(refuse, tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "12.0\n"
    assert result.stderr.count("every process compiles its loops again") == 1
    assert not list(tmp_path.rglob("*.nbi"))


def test_compilation_is_announced_once_and_only_on_a_terminal(monkeypatch, capsys):
    loop = SimpleNamespace(overloads={}, _cache=None)
    monkeypatch.setattr(module, "_announced", False)
    monkeypatch.setattr(module, "_warned", False)
    announce_compilation(loop)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(module, "_announced", False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    announce_compilation(loop)
    announce_compilation(loop)
    assert capsys.readouterr().err == "induce: compiling once, later runs start at once\n"


def test_nothing_is_announced_of_a_compiled_or_cached_loop(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(module, "_announced", False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    announce_compilation(SimpleNamespace(overloads={"float64(float64)": None}))
    index = tmp_path / "loop.nbi"
    index.touch()
    cached = SimpleNamespace(
        overloads={}, _cache=SimpleNamespace(_cache_file=SimpleNamespace(_index_path=str(index)))
    )
    announce_compilation(cached)
    assert capsys.readouterr().err == ""


def test_a_damaged_cache_is_emptied():
    emptied = []

    class Damaged:
        def load_overload(self, *_):
            raise MemoryError

        def flush(self):
            emptied.append(True)

    assert module._Mended(Damaged()).load_overload("signature", None) is None
    assert emptied == [True]


def test_ctrl_c_while_the_compiler_works(monkeypatch):
    """The compiler fails over an exception without a text when it tries to say where it was."""

    def compile_extra(self, func):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as problem:
            return problem.args[0]

    monkeypatch.setattr(module.Compiler, "compile_extra", compile_extra)
    compiler = object.__new__(module._Undisturbed)
    compiler.state = type("State", (), {"flags": module.Flags()})()
    with pytest.raises(KeyboardInterrupt):
        compiler.compile_extra(None)
