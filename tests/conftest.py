"""What holds of the whole suite: how loops run, how much is tried at random, on how many threads, in which order.

Loops run plain, as long as that is feasible: a test takes milliseconds, and compiling all loops takes minutes. Tests
that prove that a compiled loop gives the same, or that are about what happens with much work, are marked `compiled`.
With `--compiled` every test runs as users do, by the work.
"""

import gc
import os
import re
import signal
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import induce

ROOT = Path(__file__).parents[1]

# the tables here are small: a second thread of BLAS or polars only waits, and takes a core from the next test
for pool in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(pool, "1")

# in the background of a shell Ctrl-C is ignored, also by the processes that tests start
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("suite", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--compiled", action="store_true", help="choose plain or compiled loops by the work, everywhere"
    )
    parser.addoption("--check", default="", help="of each learner only the checks with this in their name")


def pytest_configure(config: pytest.Config) -> None:
    run_plain(not config.getoption("--compiled"))
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what stays, all tests and modules: it would go through them each time."""
    gc.enable()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def run_plain(plain: bool) -> None:
    """Let all loops run plain, or let the work decide: here and in the processes that tests start."""
    from induce.core import loops

    loops.always_plain = plain
    if plain:
        os.environ["INDUCE_LOOPS"] = "plain"
    else:
        os.environ.pop("INDUCE_LOOPS", None)


@pytest.fixture(autouse=True)
def compiled_where_marked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the work decide in tests that are marked `compiled`.

    What plain loops did in earlier tests is forgotten: it would add up until all of them are compiled after all.
    """
    from induce.core import loops

    loops._done.clear()
    marked = request.node.get_closest_marker("compiled") is not None
    if marked:
        run_plain(False)
    yield
    if marked:
        run_plain(not request.config.getoption("--compiled"))


def layers() -> dict[str, int]:
    """Return how high up in the import contract each package is."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return {
        package: height
        for height, layer in enumerate(reversed(listed))
        for package in re.findall(r"induce\.(\w+)", layer)
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order tests by layer from the ground upwards; what belongs to no package, as every learner's, comes last.

    Of two processes one starts at the beginning, the other in the middle. So one tests the ground, which compiles
    little, while the other compiles the loops of all learners; in another order both would compile the same.
    Within a layer those come first that compile its loops, which are at hand for the others from then on.
    """
    heights = layers()

    def height(item: pytest.Item) -> tuple[int, bool]:
        folders = item.nodeid.partition("::")[0].split("/")
        found = next((heights[name] for name in folders if name in heights), len(heights))
        compiles = folders[-1] == "test_plain_loops.py" or ("plain" in item.name and "compiled" in item.name)
        return found, not compiles

    items.sort(key=height)


SMALL: dict[str, dict[str, Any]] = {
    "AdaBoost": {"n_estimators": 10},
    "AdaBoostRegressor": {"n_estimators": 5},
    "Bagging": {"n_estimators": 10},
    "BaggingRegressor": {"n_estimators": 5},
    "CascadeCorrelation": {"max_units": 2, "candidates": 2, "max_epochs": 30},
    "EBNN": {"hidden": 4, "max_epochs": 60, "weight_decay": 0.2},
    "GABIL": {"population_size": 40, "generations": 40},
    "KBANN": {"hidden": 4, "max_epochs": 60},
    "NeuralNetworkClassifier": {"hidden": 4, "max_epochs": 60},
    "NeuralNetworkRegressor": {"hidden": 4, "max_epochs": 60},
    "OC1": {"restarts": 1},
    "ProgramLearner": {"max_literals": 1, "time_limit": None},
    "RandomForest": {"n_estimators": 5},
    "RandomForestRegressor": {"n_estimators": 5},
    "StructureSampler": {"n_moves": 30, "n_chains": 2},
    "SymbolicClassifier": {"population_size": 20, "generations": 3},
    "SymbolicRegressor": {"population_size": 20, "generations": 3},
    "TangentProp": {"hidden": 4, "max_epochs": 60, "weight_decay": 0.2},
    "TangentPropRegressor": {"hidden": 4, "max_epochs": 60},
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """Let learners search and draw little, where a test is not about what they find."""
    for name, parameters in SMALL.items():
        for parameter, value in parameters.items():
            monkeypatch.setitem(getattr(induce, name).__init__.__kwdefaults__, parameter, value)
    return SMALL


@pytest.fixture
def scored() -> tuple[Any, Any]:
    """A table of a nominal and two numeric columns with holes, and a number that depends on it."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(5)
    n = 60
    numbers = np.where(rng.random((n, 2)) < 0.1, np.nan, rng.integers(0, 9, (n, 2)))
    X = pl.DataFrame(
        {"a": rng.choice(["x", "y", "z"], n), "p": numbers[:, 0], "q": numbers[:, 1]}
    ).with_columns(pl.col("p", "q").fill_nan(None))
    score = np.nan_to_num(numbers[:, 0]) + 3 * (X["a"] == "x").to_numpy() + rng.normal(size=n)
    return X, score


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[], None]]:
    """Press Ctrl-C soon after the call, also where the suite runs in the background, which ignores it.

    A signal that arrives in a collection of garbage is lost, as hypothesis times them: it is sent again each second.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    over = threading.Event()

    def press() -> None:
        wait = 0.05
        while not over.wait(wait):
            os.kill(os.getpid(), signal.SIGINT)
            wait = 1.0

    thread = threading.Thread(target=press)
    yield thread.start
    over.set()
    if thread.ident:
        thread.join()
    signal.signal(signal.SIGINT, before)
