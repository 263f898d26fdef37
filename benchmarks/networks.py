"""Belief networks: all posteriors and EM beside pyAgrum, marginals beside pgmpy; EM against dropping rows."""

from __future__ import annotations

import gzip
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.measure import TIMES, Row, Section, run, seconds
from induce.belief_networks import BeliefNetwork, Cases, JunctionTree, NetworkParameters
from induce.belief_networks.parameters.families import Families
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.parameters.search import Hill
from induce.core.errors import InputError

SERVED = Path(__file__).parent / "peers" / "served" / "networks.py"
ENGINES = ("lazy", "shafer-shenoy")
CASES, OBSERVED = 1000, 0.2
LEAST = {"alarm": 100.0, "andes": 5.0, "pigs": 1.0, "munin3": 1.0, "diabetes": 1.0, "mildew": 0.5}
LIMIT = 5.0
"""Seconds that pyAgrum has for each network and engine; then the cases that it has done count."""
REPEATS = 3
ROWS, HOLES, ITERATIONS = 2000, 0.05, 3
MANY_HOLES, DRAWS = 0.2, 3


def networks(folder: Path, python: str | None) -> Iterator[Section]:
    """All comparisons; those with peers only where a Python has them."""
    if python is not None:
        yield _posteriors(folder, python)
        yield _marginals(folder, python)
        yield _em(folder, python)
    yield _study(folder)


def _read(folder: Path, name: str) -> BeliefNetwork:
    return BeliefNetwork.read(folder / "networks" / f"{name}.bif.gz")


def _unpacked(folder: Path, name: str, into: str) -> Path:
    path = Path(into, f"{name}.bif")
    path.write_bytes(gzip.decompress((folder / "networks" / f"{name}.bif.gz").read_bytes()))
    return path


def _peer(python: str, *words: object) -> dict[str, Any]:
    done = run([python, str(SERVED), *map(str, words)])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _best(task: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, Any]:
    """The least processor time of a task that has run once before, and its last result."""
    task()
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        result = task()
        times.append(time.process_time() - begin)
    return min(times), result


def _posteriors(folder: Path, python: str) -> Section:
    rows = []
    with tempfile.TemporaryDirectory() as into:
        for name, least in LEAST.items():
            network, bif = _read(folder, name), _unpacked(folder, name, into)
            rng = np.random.default_rng(0)
            codes = np.column_stack(network.sample_values(CASES, rng)).astype(np.int32)
            codes[rng.random(codes.shape) >= OBSERVED] = -1
            labels = [[str(value) for value in column.domain] for column in network.schema]
            cases, out = Path(into, "cases.npz"), Path(into, "out.npy")
            above = [[network.nodes[k] for k in parents] for parents in network.parents]
            np.savez(
                cases,
                codes=codes,
                names=json.dumps(network.nodes),
                labels=json.dumps(labels),
                parents=json.dumps(above),
                **{f"table{k}": each.probabilities for k, each in enumerate(network.conditionals)},
            )
            tree = JunctionTree(network.factors, network.graph.order)
            before = _peak()
            ours, found = _best(lambda tree=tree, codes=codes: tree.posteriors(codes))
            added, theirs = _peak() - before, {}
            for engine in ENGINES:
                theirs[engine] = _peer(python, "posteriors", bif, cases, out, engine, LIMIT)
                answers = np.load(out)
                theirs[engine]["gap"] = float(np.abs(answers - found.probabilities[: len(answers)]).max())
            engine = min(theirs, key=lambda each: theirs[each]["seconds"] / theirs[each]["cases"])
            peer = theirs[engine]
            each, other = ours / CASES, peer["seconds"] / peer["cases"]
            rows += [
                Row(
                    f"{name}, a case",
                    seconds(each),
                    f"pyAgrum ({engine}, {peer['cases']} cases) {seconds(other)}",
                    f"{other / each:.2f}{TIMES}",
                    f"≥ {least:g}{TIMES}",
                    other / each >= least,
                ),
                Row(f"{name}, memory added", f"{added:.0f} MB", f"{peer['added']:.0f} MB"),
                Row(
                    f"{name}, largest difference",
                    f"{peer['gap']:.1e}",
                    target="≤ 1e-12",
                    holds=peer["gap"] <= 1e-12,
                ),
            ]
    return Section(
        f"All posteriors of belief networks, {OBSERVED:.0%} of the nodes observed",
        f"`JunctionTree.posteriors` of {CASES:,} cases, each with different observed nodes, compared "
        "with the faster of pyAgrum's LazyPropagation and ShaferShenoyInference on as many of these "
        f"cases as it processes in {LIMIT:g} s. One thread each; processor time, ours the best of "
        f"{REPEATS}, with the compiled loops already loaded. Answers are compared on the first 50 "
        "cases.",
        tuple(rows),
    )


def _marginals(folder: Path, python: str) -> Section:
    rows = []
    with tempfile.TemporaryDirectory() as into:
        network = _read(folder, "alarm")
        ours, _ = _best(lambda: BeliefNetwork.marginals(BeliefNetwork(*_parts(network))))
        theirs = _peer(python, "marginals", _unpacked(folder, "alarm", into))
        name = min(("elimination", "tree"), key=lambda each: theirs[each])
        ratio = theirs[name] / ours
        peer = f"pgmpy ({name}) {seconds(theirs[name])}"
        rows.append(
            Row(
                "alarm, all marginals, cold",
                seconds(ours),
                peer,
                f"{ratio:.2f}{TIMES}",
                f"≥ 5{TIMES}",
                ratio >= 5,
            )
        )
    try:
        begin = time.process_time()
        _read(folder, "munin1").marginals()
        said = f"answered in {seconds(time.process_time() - begin)}"
    except InputError as problem:
        said = f"refused: {problem}"
    rows.append(Row("munin1, all marginals", said))
    return Section(
        "One question to a belief network",
        "The marginals of all nodes without evidence, the tree included, by `BeliefNetwork.marginals` and by the "
        "faster of pgmpy's VariableElimination and BeliefPropagation. munin1 is too large for most.",
        tuple(rows),
    )


def _parts(network: BeliefNetwork) -> tuple[Any, ...]:
    return network.schema, network.parents, network.conditionals, network.name


def _em(folder: Path, python: str) -> Section:
    network = _read(folder, "alarm")
    rng = np.random.default_rng(0)
    X = network.sample(ROWS, rng)
    holes = rng.random(X.shape) < HOLES
    codes = np.column_stack([X[name].to_physical().to_numpy() for name in X.columns]).astype(np.int32)
    codes[holes] = -1
    cases = Cases.of(network.schema, codes)
    families = Families.of(cases, network.parents)
    planning, hill = _best(lambda: Hill.of(families, cases, Prior()))
    point = hill.guess()
    ours, _ = _best(lambda: hill.best(hill.expected(point), point), 20)
    with tempfile.TemporaryDirectory() as into:
        path = Path(into, "rows.csv")
        _with_holes(X, holes).fill_null("?").write_csv(path)
        bif = _unpacked(folder, "alarm", into)
        few, many = (_peer(python, "em", bif, path, n) for n in (1, ITERATIONS))
    theirs = (many["seconds"] - few["seconds"]) / (many["iterations"] - few["iterations"])
    ratio = theirs / ours
    return Section(
        f"EM: alarm, {ROWS:,} cases, {HOLES:.0%} of the cells missing",
        'One iteration of `NetworkParameters(method="em")`, and of pyAgrum\'s `BNLearner.useEM`: the '
        f"cost of {ITERATIONS} iterations minus that of one, per iteration, which excludes reading the "
        "data. Work done once before the first iteration is listed separately. One thread, processor "
        "time.",
        (
            Row(
                "an iteration",
                seconds(ours),
                f"pyAgrum {seconds(theirs)}",
                f"{ratio:.0f}{TIMES}",
                f"≥ 20{TIMES}",
                ratio >= 20,
            ),
            Row("once before", seconds(planning)),
        ),
    )


def _with_holes(X: pl.DataFrame, holes: Any) -> pl.DataFrame:
    return X.select(
        pl.when(pl.Series(holes[:, k])).then(None).otherwise(pl.col(name).cast(pl.String)).alias(name)
        for k, name in enumerate(X.columns)
    )


def _study(folder: Path) -> Section:
    """Tables learned from alarm with many holes, against the tables that made the rows."""
    network = _read(folder, "alarm")
    ways = {
        "EM": "em",
        "counts of complete families": "counts",
        "counts of complete rows": "rows",
        "nothing missing": "",
    }
    errors: dict[str, list[float]] = {way: [] for way in ways}
    left = []
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        X = network.sample(ROWS, rng)
        holed = _with_holes(X, rng.random(X.shape) < MANY_HOLES)
        whole = holed.drop_nulls()
        left.append(whole.height)
        for way, method in ways.items():
            learner = NetworkParameters(network, method=method if method in ("em", "counts") else "counts")
            learner.set_params(tolerance=1e-6)
            if method == "em":
                learner.set_params(structure=network.graph, schema=network.schema)
            rows = {"rows": whole, "": X}.get(method, holed)
            errors[way].append(_divergence(network, _learned(learner, rows, network)))
    means = {way: float(np.mean(found)) for way, found in errors.items()}
    rows = [
        Row(
            way,
            f"{means[way]:.3f} ± {np.std(found, ddof=1) / np.sqrt(len(found)):.3f}",
            ratio=f"{means[way] / means['EM']:.2f}{TIMES}",
        )
        for way, found in errors.items()
    ]
    rows.append(Row("complete rows", f"{np.mean(left):.1f} of {ROWS:,}"))
    return Section(
        f"alarm with {MANY_HOLES:.0%} of the cells missing: EM and complete-case counts",
        "Divergence of the learned network from the true one, in nats per row (mean and standard "
        f"error over {DRAWS} samples of {ROWS:,} rows): the sum of P(parents) KL(true, learned) over "
        "all table rows. One pseudo-count per cell; EM starts from counts, not from the true tables. "
        "The ratio is relative to EM.",
        tuple(rows),
    )


def _learned(learner: NetworkParameters, rows: pl.DataFrame, network: BeliefNetwork) -> BeliefNetwork:
    if not rows.height:  # nothing is left to count: what the pseudo-counts say
        return network.with_tables(
            np.concatenate([np.full(t.size, 1 / t.shape[-1]) for t in _tables(network)])
        )
    found = learner.fit(rows).hypothesis_
    assert isinstance(found, BeliefNetwork)
    return found


def _tables(network: BeliefNetwork) -> list[Any]:
    return [network.factors.table(k) for k in range(len(network.factors))]


def _divergence(truth: BeliefNetwork, learned: BeliefNetwork) -> float:
    """KL(truth, learned): it falls into a sum over families."""
    nothing = np.full((1, len(truth.nodes)), -1, np.int32)
    joint, _ = JunctionTree(truth.factors, truth.graph.order).expected_counts(nothing)
    other = np.concatenate([learned.conditional(name).table(()).reshape(-1) for name in truth.nodes])
    seen = joint > 0
    return float(joint[seen] @ np.log(truth.factors.tables[seen] / other[seen]))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
