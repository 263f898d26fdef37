"""The profile of other processors: what it sets is understood here, and breaks nothing elsewhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).with_name("portable.py")
SHOW = """
import numpy
from numpy._core import _multiarray_umath as built
print(*(name for name in built.__cpu_dispatch__ if built.__cpu_features__.get(name)))
"""


@pytest.fixture
def script() -> ModuleType:
    specification = importlib.util.spec_from_file_location("portable", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_numpy_turns_its_features_off_without_a_word(script):
    settings = next(iter(script.profiles().values()))
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOW],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert (shown.stdout, shown.stderr) == ("\n", "")


def test_a_processor_that_openblas_does_not_know_keeps_its_own(script, monkeypatch):
    monkeypatch.setattr(script.platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(script, "dispatched", list)
    (only,) = script.profiles().values()
    assert set(only) == {"NUMBA_CPU_NAME", "NUMBA_CACHE_DIR", "GLIBC_TUNABLES"}


@pytest.mark.parametrize("machine", ["x86_64", "AMD64", "arm64", "aarch64"])
def test_two_processors_that_differ(script, monkeypatch, machine):
    monkeypatch.setattr(script.platform, "machine", lambda: machine)
    plain, common = script.profiles().values()
    assert plain["OPENBLAS_CORETYPE"] != common["OPENBLAS_CORETYPE"]


def test_what_is_run_exists(script):
    assert all((script.ROOT / path).exists() for path in script.SHOWN)
