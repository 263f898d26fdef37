"""Run the tests whose results people see as other processors would: `python tests/portable.py [pytest's options]`.

BLAS, vector instructions and fused multiply-add round differently from processor to processor. Here libraries are
told to work for two others than the one at hand: an old one without all of these, and a common one.

Pages, doctests, the textbook's results and the learners' properties are run; the rest of the suite computes the same
numbers and looks at them with a tolerance.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = Path(sys.prefix) / "portable-loops"
"""Loops compiled for the old processor; beside the others they would be taken for stale, and compiled each time."""
SHOWN = ("tests/test_docs.py", "src", "tests/textbook", "tests/learners/test_learners.py")
BLAS = {
    "x86_64": ("Prescott", "Haswell"),
    "amd64": ("Prescott", "Haswell"),
    "aarch64": ("ARMV8", "NEOVERSEN1"),
    "arm64": ("ARMV8", "NEOVERSEN1"),
}
"""Processors that OpenBLAS can be told to work for: without vector instructions, and with them."""


def dispatched() -> list[str]:
    """Return the features for which numpy has code of its own and which this processor has: these can be turned off.

    numpy warns of any other.
    """
    from numpy._core import _multiarray_umath as built

    return [name for name in built.__cpu_dispatch__ if built.__cpu_features__.get(name)]


def profiles() -> dict[str, dict[str, str]]:
    """Return what to set for each of the processors; elsewhere than on x86 and ARM, BLAS stays as it is."""
    old, common = BLAS.get(platform.machine().lower(), (None, None))
    plain = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CACHE_DIR": str(CACHE),
        # the C library's logarithms and powers: names that it does not know have no effect
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
    }
    if features := dispatched():
        plain["NPY_DISABLE_CPU_FEATURES"] = " ".join(features)
    if old is None or common is None:
        return {"a plain processor": plain}
    return {
        f"a plain processor ({old})": {**plain, "OPENBLAS_CORETYPE": old},
        f"a common processor ({common})": {"OPENBLAS_CORETYPE": common},
    }


def main(options: list[str]) -> int:
    """Run the tests for each processor; return whether any failed."""
    failed = []
    for name, settings in profiles().items():
        print(f"as {name}", flush=True)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "--assert=plain"]
        command += ["-p", "no:cacheprovider", "-m", "not slow", "--check", "properties.", *SHOWN, *options]
        if subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode:
            failed.append(name)
            assignments = " ".join(f"{key}='{value}'" for key, value in settings.items())
            print(f"to repeat a test: {assignments} {sys.executable} -m pytest …", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
