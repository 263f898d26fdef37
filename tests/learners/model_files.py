"""Whole model files of every kind, damaged by seeds: each is refused by a sentence, or does all it is asked for.

``python -m tests.learners.model_files --seeds 0 50`` tries fifty seeds on every kind, in bounded memory.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
import polars as pl

import induce
from induce.bayes import NoisyOr
from induce.belief_networks.library import textbook_network
from induce.core.archive import Archive, pack
from induce.core.errors import InputError, ModelFileError
from induce.core.registry import VALUES
from induce.environments import grid_world
from induce.reinforcement import DynamicProgramming
from tests.conftest import SMALL
from tests.learners.damage import damage
from tests.learners.tables import LEARNERS, table
from tests.learners.test_experience import CASES, made, source
from tests.learners.test_learners import LONG_LOOPS
from tests.learners.test_payloads import from_few_rows, program, state_machine, theory

PICTURES = {"png", "pdf"}
OTHER_COLUMNS = "The feature names should match those that were passed during fit."
"""Scikit-learn's answer to rows with other columns than the model's."""
MEMORY = 2_000_000_000
"""Bytes of address space beyond those of the process that has imported all."""
SECONDS = 20
"""Processor seconds for all that one damaged file is asked for."""


class Kind(NamedTuple):
    """What has been saved, and the rows that it is asked about."""

    document: Any
    arrays: list[Any]
    frames: tuple[Any, ...]


def kinds() -> dict[str, Callable[[], tuple[Any, Any]]]:
    """Return what makes each learner or hypothesis that is saved, with rows to ask about."""
    makers: dict[str, Callable[[], tuple[Any, Any]]] = {
        learner.__name__: lambda learner=learner: _from_table(learner) for learner in LEARNERS
    }
    makers |= {name: lambda name=name: (made(name).learn(source(name)), None) for name in CASES}
    makers |= {
        "HiddenMarkovModel": _chain,
        "LiteralDisjunction": _disjunction,
        **{
            name: lambda name=name: _from_experts(name)
            for name in ("Halving", "WeightedMajority", "RandomizedWeightedMajority")
        },
        "Policy": lambda: (
            DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_,
            None,
        ),
        "Theory": lambda: (theory(), pl.DataFrame({"a": ["ann", "zoe"], "b": ["cid", "dan"]})),
        "BeliefNetwork": lambda: (textbook_network("sprinkler"), None),
        "NetworkClassifier": lambda: (
            textbook_network("sprinkler").classifier("Rain"),
            None,
        ),
        "NoisyOr": lambda: (_noisy_or(), None),
        "StateMachine": lambda: (state_machine(), None),
        "Program": lambda: (program(), None),
        "BackgroundTheory": _related,
        "Conformal": _conformal,
    }
    return makers


def _from_table(learner: Any) -> tuple[Any, Any]:
    X, y = table(learner)
    if learner.__name__ in LONG_LOOPS:
        return from_few_rows(learner), pl.DataFrame({"a": ["x", "y"], "p": [1.0, 2.0]})
    return learner(**SMALL.get(learner.__name__, {})).fit(X, y), X


def _chain() -> tuple[Any, Any]:
    rows = pl.DataFrame(
        {
            "day": [1, 1, 1, 2, 2, 2],
            "weather": ["wet", "dry", "wet", "dry", "dry", "wet"],
            "heat": [1.0, 2, 1, 3, 2, 1],
        }
    )
    return induce.HiddenMarkovModel().fit(induce.Sequences.of(rows, sequence="day")), None


def _disjunction() -> tuple[Any, Any]:
    X = pl.DataFrame({"a": ["x", "y", "z", "x"], "p": [1.0, 2.0, 5.0, 6.0]})
    return induce.LiteralDisjunction().fit(X, ["no", "no", "yes", "yes"]), X


def _from_experts(name: str) -> tuple[Any, Any]:
    X = pl.DataFrame({"ann": ["y", "n", "y", "n"], "bob": ["y", "y", "n", "n"], "cid": ["y", "n", "y", "n"]})
    return getattr(induce, name)().fit(X, ["y", "n", "y", "n"]), X


def _noisy_or() -> Any:
    return NoisyOr(("cold", "flu")).update(np.array([[1, 0], [0, 1], [1, 1]]), [1, 0, 1])


def _related() -> tuple[Any, Any]:
    parents = pl.DataFrame({"elder": ["ann", "bea", "cid"], "child": ["bea", "cid", "dan"]})
    X = pl.DataFrame({"a": ["ann", "bea", "ann", "dan"], "b": ["cid", "dan", "bea", "ann"]})
    known = induce.Relations({"parent": parents})
    return induce.Progol(background=known).fit(X, [True, True, False, False]), X


def _conformal() -> tuple[Any, Any]:
    X, y = induce.dataset("play-tennis")
    learner = induce.NaiveBayes().fit(X, y)
    learner.conformal_ = induce.evaluation.conformal(induce.NaiveBayes(), X, y)
    return learner, X


@cache
def kind(name: str) -> Kind:
    """Return the parts of the model file of a kind."""
    with warnings.catch_warnings(action="ignore"), tempfile.TemporaryDirectory() as folder:
        thing, rows = kinds()[name]()
        path = Path(folder, "model.induce")
        induce.save(thing, path)
        with path.open("rb") as file, Archive(file) as archive:
            count = len(archive._unread)
            return Kind(archive.document(), [archive.array(k) for k in range(count)], frames(rows))


def frames(rows: Any) -> tuple[Any, ...]:
    """Return a few training rows; and rows with holes, unseen categories and huge numbers."""
    if rows is None:
        return ()
    few = rows[:5]
    text = few.with_columns(pl.col(pl.Enum).cast(pl.String))
    unseen = text.with_columns(pl.lit("mauve").alias(name) for name in text.select(pl.col(pl.String)).columns)
    numeric = text.select(pl.col(pl.Float64, pl.Int64)).columns
    huge = text.with_columns(pl.lit(1e300).alias(name) for name in numeric)
    holes = text.with_columns(pl.lit(None, dtype=dtype).alias(name) for name, dtype in text.schema.items())
    return few, pl.concat([unseen[:2], huge[:2], holes[:2]], how="vertical_relaxed"), huge[:1]


def mutant(name: str, seed: int) -> bytes:
    """Return a model file of a kind with a thing or two changed."""
    rng = random.Random(f"{name} {seed}")
    whole = kind(name)
    document, arrays = copy.deepcopy(whole.document), [array.copy() for array in whole.arrays]
    if rng.random() < 0.05:
        rename(document, rng)
    for _ in range(rng.choice((1, 1, 1, 2))):
        damage(document, arrays, rng)
    return pack(document, arrays, compressed=False)


def rename(document: Any, rng: random.Random) -> None:
    """Give a value of a file the class of another, in place."""
    values: list[Any] = []

    def visit(node: Any) -> None:
        if isinstance(node, dict):
            if "fields" in node and "value" in node:
                values.append(node)
            node = list(node.values())
        if isinstance(node, list):
            for part in node:
                visit(part)

    visit(document)
    if values:
        rng.choice(values)["value"] = rng.choice([*VALUES, *(node["value"] for node in values)])


def operations(
    model: Any, frames: tuple[Any, ...], omitted: set[str]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield all that people ask of a model, except for some forms."""
    hypothesis = getattr(model, "hypothesis_", model)
    yield "repr", lambda: repr(model)
    yield "str", lambda: str(hypothesis)
    for method in ("parts", "size", "to_view"):
        yield method, getattr(hypothesis, method)
    for number, rows in enumerate(frames):
        if hypothesis.answer:
            yield f"answers {number}", lambda rows=rows: hypothesis.answers(rows)
        for asked in (model, hypothesis):
            if hasattr(asked, "predict_proba"):
                yield f"predict_proba {number}", lambda asked=asked, rows=rows: probabilities(asked, rows)
        predicts = ("predict",) if model is not hypothesis else ()
        for method in (*predicts, "score_samples", "predict_set", "predict_interval"):
            if hasattr(model, method):
                yield f"{method} {number}", lambda method=method, rows=rows: getattr(model, method)(rows)
        if hypothesis.explains:
            yield (
                f"explain {number}",
                lambda rows=rows: [(str(part), part.to_dict()) for part in hypothesis.explain(rows)],
            )
            yield f"explained {number}", lambda rows=rows: hypothesis.explained(rows)
        if hypothesis.decides_by_parts:
            yield f"deciders {number}", lambda rows=rows: hypothesis.deciders(rows)
    if "svg" in hypothesis.forms():
        yield "draw", lambda: plt.close(hypothesis.draw())
    for form in hypothesis.forms():
        if form not in omitted:
            yield form, lambda form=form: written(hypothesis, form)


def written(hypothesis: Any, form: str) -> None:
    """Write a hypothesis in a form; onnxruntime must accept its graph."""
    content = hypothesis.written(form)
    if form == "onnx":
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        onnxruntime.InferenceSession(content, options)


def probabilities(model: Any, rows: Any) -> None:
    """Check that what a model calls probabilities are some."""
    shares = np.asarray(model.predict_proba(rows), np.float64)
    assert not np.isnan(shares).any(), "nan among the probabilities"
    assert shares.min(initial=0) >= -1e-9, f"the probability {shares.min()}"
    assert shares.max(initial=0) <= 1 + 1e-6, f"the probability {shares.max()}"


def try_mutant(name: str, seed: int, folder: Path) -> bool:
    """Damage a file, ask all of it if it loads, and return whether it does; raise an error if it fails later."""
    path = folder / "mutant.induce"
    try:
        path.write_bytes(mutant(name, seed))
    except InputError:
        return False
    # matplotlib takes most of the time to write a figure that `draw` has made
    omitted = PICTURES if seed % 4 == 0 else PICTURES | {"svg"}
    quiet = warnings.catch_warnings(action="ignore")
    with quiet, np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        try:
            model = induce.load(path)
        except ModelFileError as error:
            one_sentence(f"{name} {seed}: load", error)
            return False
        for operation, ask in operations(model, kind(name).frames, omitted):
            title = f"{name} {seed}: {operation}"
            try:
                ask()
            except InputError as error:
                one_sentence(title, error)
            except (TimeIsUpError, MemoryError):
                raise
            except Exception as error:
                if not str(error).startswith(OTHER_COLUMNS):
                    raise AssertionError(
                        f"{title}: {type(error).__name__}: {error} {origin(error)}"
                    ) from error
    return True


def one_sentence(title: str, error: Exception) -> None:
    """Raise an `AssertionError` unless a refusal is one sentence."""
    if "\n" in str(error):
        raise AssertionError(f"{title}: {error}")


def origin(error: Exception) -> str:
    """Return the last line of ours that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f"{frame.filename}:{frame.lineno}" for frame in frames if "/induce/" in frame.filename]
    return ours[-1].rpartition("/src/")[2] if ours else ""


class TimeIsUpError(Exception):
    """A damaged file takes too long."""


def stop(number: int, frame: FrameType | None) -> None:
    raise TimeIsUpError(f"{SECONDS} seconds of processor time")


def bounded(names: list[str], seeds: range, first: int) -> None:
    """Try all seeds of all kinds, from a number in this order, in bounded memory and time; print a line for each."""
    for name in names:
        kind(name)
    mapped = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
    signal.signal(signal.SIGPROF, stop)
    cases = [(name, seed) for name in names for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, seed) in enumerate(cases[first:], first):
            print(f"{number} {name} {seed}", end=" ", flush=True)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                state = "loaded" if try_mutant(name, seed, Path(folder)) else "refused"
            except (AssertionError, TimeIsUpError, MemoryError) as error:
                state = f"FAILED {error!r}"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            print(" ".join(state.split()), flush=True)


def main() -> None:
    """Try seeds on kinds in a child, which is started again if it dies; print failures, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 10))
    parser.add_argument("--kinds", nargs="+", default=[*kinds()])
    parser.add_argument("--part", nargs=2, type=int, default=(0, 1), help="every n-th kind, from the k-th")
    parser.add_argument("--first", type=int)
    asked = parser.parse_args()
    names, seeds = asked.kinds[asked.part[0] :: asked.part[1]], range(*asked.seeds)
    if asked.first is not None:
        bounded(names, seeds, asked.first)
        return
    done = loaded = 0
    while done < len(names) * len(seeds):
        command = [
            sys.executable,
            "-m",
            "tests.learners.model_files",
            "--first",
            str(done),
            "--kinds",
            *names,
        ]
        command += ["--seeds", *map(str, asked.seeds)]
        before = done
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as child:
            assert child.stdout is not None
            for line in child.stdout:
                number, name, seed, *rest = line.rstrip().split(maxsplit=3)
                state = rest[0] if rest else "FAILED: the process died"
                done, loaded = int(number) + 1, loaded + (state != "refused")
                if state.startswith("FAILED"):
                    print(name, seed, state, flush=True)
        if done == before or child.returncode == -signal.SIGTERM:
            raise SystemExit(f"the process ended with {child.returncode}")
    print(f"{len(names)} kinds, {seeds}: {done:,} files, {loaded:,} loaded", flush=True)


if __name__ == "__main__":
    os.environ["INDUCE_LOOPS"] = "plain"
    main()
