"""Arcs of belief networks learned from samples of known networks, beside pyAgrum and pgmpy: speed and recovery."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, run, seconds

SERVED = Path(__file__).parent / "peers" / "served" / "structures.py"
SPEED_ROWS, MANY_ROWS = 10_000, 137_000
REPEATS = 3
K2_ROWS, K2_DRAWS, K2_ORDERS = 3_000, 20, 3
NETWORKS = ("asia", "sachs", "child", "insurance", "alarm")
SIZES = (500, 2_000, 10_000, 50_000)
DRAWS, HIDDEN_DRAWS = 5, 5
SLOW, MOST_SLOW = ("asia", "sachs", "child"), 2_000
"""Networks that slow peers learn, and from how many rows at most."""
RESTARTS = 10
"""Of our climb: from the best graph after random changes."""
LIMIT = 1.5
LEAST = 30.0


def structures(folder: Path, peers: str | None) -> Iterator[Section | Listing]:
    """Speed first, then K2 on alarm, then recovery."""
    with tempfile.TemporaryDirectory() as place:
        jobs = Jobs(Path(place), peers)
        yield Section(
            "Structure learning: speed",
            f"Hill-climbing by BIC on {SPEED_ROWS:,} cases of alarm (37 nodes) from the empty graph; "
            f"the best of {REPEATS} in turn, one run of pgmpy. Only learning the arcs is timed, with "
            "the table in memory. All scores are our BIC of the learned graph.",
            tuple(_speed(folder, jobs)),
        )
        yield Listing(
            "K2 on alarm",
            f"{K2_ROWS:,} cases, {K2_DRAWS} samples, and {K2_ORDERS} orders consistent with the "
            "network's arcs. The table lists the arcs that K2 lost and added; the book reports one of "
            "each for its own sample (Mitchell 6.11.6).",
            ("order", "system", "lost", "added", "most frequent arcs"),
            tuple(_k2(folder, jobs)),
            "Ours is the published algorithm, with the score of Cooper and Herskovits.",
        )
        lines, closing = _recovery(folder, jobs)
        yield Listing(
            "Structure learning: recovery",
            "The structural Hamming distance between the equivalence classes of the learned graph and "
            f"the network; the mean of {DRAWS} samples, the same for all systems. Search is tabu "
            "search by BIC (pgmpy: hill-climbing); PC has a significance level of 0.01. pgmpy and "
            f"pyAgrum's PC take minutes on large problems, so they learn from at most {MOST_SLOW:,} "
            "rows of asia, sachs and child.",
            ("network", "rows", *SYSTEMS),
            lines,
            closing,
        )
        yield _holes(folder)
        yield _hidden()


SYSTEMS = ("search", "PC", "pyAgrum search", "pyAgrum PC", "pgmpy search", "pgmpy PC")


class Jobs:
    """Tables in files, and what peers learn from them."""

    def __init__(self, place: Path, peers: str | None) -> None:
        self.place, self.peers = place, peers

    def learned(
        self, tables: Sequence[Any], wanted: Sequence[tuple[str, str]], order: Sequence[str] = ()
    ) -> list[dict[tuple[str, str], dict[str, Any]]]:
        """Return what systems learn by methods from each table, all in one process; nothing without peers."""
        import polars as pl

        if self.peers is None or not wanted:
            return [{} for _ in tables]
        jobs = []
        for number, X in enumerate(tables):
            path = self.place / f"{number}.csv"  # a value is its code, so that every system reads it alike
            X.select(("s" + pl.col(c).to_physical().cast(pl.String)).alias(c) for c in X.columns).write_csv(
                path
            )
            for system, method in wanted:
                job = {"table": str(path), "system": system, "method": method, "order": list(order)}
                jobs.append(job)
        path = self.place / "jobs.json"
        path.write_text(json.dumps(jobs), encoding="utf-8")
        done = run([self.peers, str(SERVED), str(path)])
        answers = iter([json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")])
        found = [{way: next(answers) for way in wanted} for _ in tables]
        return [{way: each for way, each in ways.items() if "failed" not in each} for ways in found]


def _network(folder: Path, name: str) -> Any:
    from induce.belief_networks import BeliefNetwork

    return BeliefNetwork.read(folder / "networks" / f"{name}.bif.gz")


def _class(nodes: Sequence[str], found: dict[str, Any]) -> Any:
    """Return what a peer learned as a graph of arcs and edges."""
    from induce.belief_networks import Dag, PartialGraph

    place = {name: k for k, name in enumerate(nodes)}
    if found["edges"]:
        arcs = frozenset((place[a], place[b]) for a, b in found["arcs"])
        edges = frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in found["edges"])
        return PartialGraph(tuple(nodes), arcs, edges)
    parents: dict[str, list[str]] = {name: [] for name in nodes}
    for a, b in found["arcs"]:
        parents[b].append(a)
    try:
        return Dag.of(parents, nodes).equivalence_class()
    except ValueError:  # arcs of a peer's PC may make a cycle
        return PartialGraph(
            tuple(nodes), frozenset((place[a], place[b]) for a, b in found["arcs"]), frozenset()
        )


def _bic(network: Any, X: Any) -> float:
    """Our BIC of a graph."""
    from induce.belief_networks.rows import evidence_rows
    from induce.belief_networks.structure.scores import CodedRows, FamilyScores

    codes, _ = evidence_rows(network, X)
    sizes = [len(column.domain) for column in network.schema]
    return FamilyScores(CodedRows.of(codes, sizes), "bic").total(network.parents)


def _speed(folder: Path, jobs: Jobs) -> Iterator[Row]:
    from induce.belief_networks import BeliefNetwork
    from induce.belief_networks.rows import evidence_rows
    from induce.belief_networks.structure.knowledge import constraints_of
    from induce.belief_networks.structure.scores import CodedRows, FamilyScores
    from induce.belief_networks.structure.search import hill_climb, restarted
    from induce.hypotheses.knowledge import Knowledge

    network = _network(folder, "alarm")
    limits = constraints_of(Knowledge(), network.schema)
    sizes = [len(column.domain) for column in network.schema]

    def ours(codes: Any) -> tuple[float, Any]:
        start = time.perf_counter()
        families = FamilyScores(CodedRows.of(codes, sizes), "bic")
        found = hill_climb(families, limits, [()] * len(sizes))
        found = restarted(found, families, limits, RESTARTS, np.random.default_rng(0))
        return time.perf_counter() - start, found

    X = network.sample(SPEED_ROWS, random_state=0)
    codes, _ = evidence_rows(network, X)
    ours(codes)  # compiles
    times: dict[str, list[float]] = {"induce": [], "pyAgrum": [], "pgmpy": []}
    graphs: dict[str, Any] = {}
    for repeat in range(REPEATS):
        took, found = ours(codes)
        times["induce"].append(took)
        wanted = [("pyAgrum", "hill-climbing")] + ([("pgmpy", "hill-climbing")] if repeat == 0 else [])
        for (system, _), learned in jobs.learned([X], wanted)[0].items():
            times[system].append(learned["seconds"])
            graphs[system] = learned["arcs"]
    best = min(times["induce"])
    score = found.score
    for system, least in (("pgmpy", LEAST), ("pyAgrum", 1 / LIMIT)):
        if not times[system]:
            continue
        theirs = min(times[system])
        target = f"≥ {least:g}{TIMES}" if least > 1 else f"at most {LIMIT}{TIMES} its time"
        yield Row(
            f"hill-climbing with {RESTARTS} restarts, compared with {system}",
            seconds(best),
            f"{system} {seconds(theirs)}",
            f"{theirs / best:.1f}{TIMES}",
            target,
            theirs / best >= least,
        )
        parents: dict[str, list[str]] = {}
        for a, b in graphs[system]:
            parents.setdefault(b, []).append(a)
        other = BeliefNetwork.of(
            {name: parents.get(name, []) for name in network.nodes},
            values={name: network.column(name).domain for name in network.nodes},
        )
        peer = _bic(other, X.select(other.nodes))
        yield Row("the score", f"{score:.1f}", f"{system} {peer:.1f}", "", "no lower", score >= peer - 1e-6)
    many, _ = evidence_rows(network, network.sample(MANY_ROWS, random_state=1))
    took, _ = ours(many)
    yield Row(f"the same, {MANY_ROWS:,} rows", seconds(took), "", "", "ends in a minute", took < 60)


def _k2(folder: Path, jobs: Jobs) -> Iterator[tuple[str, ...]]:
    import induce

    network = _network(folder, "alarm")
    truth = set(network.graph.arcs)
    rng = np.random.default_rng(0)
    for number in range(K2_ORDERS):
        order = [network.nodes[k] for k in _order(network, rng if number else None)]
        tallies: dict[str, tuple[list[int], list[int], Counter[str]]] = {}
        tables = [network.sample(K2_ROWS, random_state=draw) for draw in range(K2_DRAWS)]
        for X, peers in zip(tables, jobs.learned(tables, [("pyAgrum", "k2")], order), strict=True):
            learner = induce.K2(knowledge=induce.Knowledge(order=order)).fit(X)
            graphs = {"induce": set(learner.hypothesis_.graph.arcs)}
            for learned in peers.values():
                graphs["pyAgrum"] = {(a, b) for a, b in learned["arcs"]}
            for system, arcs in graphs.items():
                lost, added, which = tallies.setdefault(system, ([], [], Counter()))
                lost.append(len(truth - arcs))
                added.append(len(arcs - truth))
                which.update(
                    [f"lost {a}→{b}" for a, b in truth - arcs] + [f"added {a}→{b}" for a, b in arcs - truth]
                )
        for system, (lost, added, which) in tallies.items():
            named = ", ".join(f"{arc} {n}{TIMES}" for arc, n in which.most_common(4))
            yield (str(number + 1), system, _spread(lost), _spread(added), named)


def _spread(numbers: Sequence[int]) -> str:
    return f"{np.mean(numbers):.2f} ({min(numbers)} to {max(numbers)})"


def _order(network: Any, rng: np.random.Generator | None) -> list[int]:
    """Return an order of the nodes that fits the arcs: that of the graph, or one at random."""
    if rng is None:
        return list(network.graph.order)
    left, found = set(range(len(network.nodes))), []
    while left:
        ready = sorted(k for k in left if not set(network.parents[k]) & left)
        found.append(ready[int(rng.integers(len(ready)))])
        left.discard(found[-1])
    return found


def _recovery(folder: Path, jobs: Jobs) -> tuple[tuple[tuple[str, ...], ...], str]:
    import induce

    lines = []
    distances: dict[str, list[float]] = {system: [] for system in SYSTEMS}
    for name in NETWORKS:
        network = _network(folder, name)
        truth = network.graph.equivalence_class()
        for n in SIZES:
            found: dict[str, list[int]] = {system: [] for system in SYSTEMS}
            wanted = [("pyAgrum", "tabu")]
            if n <= MOST_SLOW and name in SLOW:
                wanted += [("pyAgrum", "pc"), ("pgmpy", "hill-climbing"), ("pgmpy", "pc")]
            tables = [network.sample(n, random_state=1000 + draw) for draw in range(DRAWS)]
            for X, peers in zip(tables, jobs.learned(tables, wanted), strict=True):
                search = induce.StructureSearch(method="tabu").fit(X).hypothesis_
                found["search"].append(search.graph.equivalence_class().distance(truth))
                found["PC"].append(induce.PC().fit(X).hypothesis_.partial.distance(truth))
                for (system, method), learned in peers.items():
                    word = "PC" if method == "pc" else "search"
                    found[f"{system} {word}"].append(_class(network.nodes, learned).distance(truth))
            for system in SYSTEMS:
                distances[system] += found[system] if found[system] else [np.nan] * DRAWS
            lines.append(
                (
                    name,
                    f"{n:,}",
                    *(f"{np.mean(found[s]):.1f}" if found[s] else "" for s in SYSTEMS),
                )
            )
            print("|", " | ".join(lines[-1]), "|", flush=True)
    return tuple(lines), _verdicts(distances)


def _verdicts(distances: dict[str, list[float]]) -> str:
    """Say of each pair of systems which is nearer, by Wilcoxon's test over all samples that both learned from."""
    from scipy.stats import wilcoxon

    said = []
    for ours, theirs in (
        ("search", "pyAgrum search"),
        ("search", "pgmpy search"),
        ("PC", "pyAgrum PC"),
        ("PC", "pgmpy PC"),
    ):
        pairs = np.array([distances[ours], distances[theirs]])
        if pairs.shape[1] == 0 or np.isnan(pairs[1]).all():
            continue
        pairs = pairs[:, ~np.isnan(pairs[1])]
        gap = pairs[0] - pairs[1]
        p = float(wilcoxon(gap).pvalue) if gap.any() else 1.0
        said.append(
            f"{ours} minus {theirs}: {gap.mean():+.2f} on average over {len(gap)} samples (Wilcoxon p = {p:.2g})"
        )
    return "Differences in distance; below 0, ours is closer. " + "; ".join(said) + "." if said else ""


def _holes(folder: Path) -> Listing:
    """Return what is found where a fifth of all cells is missing."""
    import warnings

    import polars as pl

    import induce
    from induce.core.notes import Note

    warnings.simplefilter("ignore", Note)
    lines = []
    for name in ("asia", "sachs", "child"):
        network = _network(folder, name)
        truth = network.graph.equivalence_class()
        for n in (500, 2_000):
            found: dict[str, list[int]] = {"whole": [], "available": [], "rows": [], "em": []}
            for draw in range(DRAWS):
                X = network.sample(n, random_state=2000 + draw)
                rng = np.random.default_rng(draw)
                holed = X.with_columns(
                    pl.when(pl.Series(rng.random(n) < 0.2)).then(None).otherwise(pl.col(c)).alias(c)
                    for c in X.columns
                )
                tasks = {
                    "whole": (induce.StructureSearch(), X),
                    "available": (induce.StructureSearch(), holed),
                    "em": (induce.StructuralEM(random_state=0), holed),
                }
                if holed.drop_nulls().height > 1:
                    tasks["rows"] = (induce.StructureSearch(), holed.drop_nulls())
                for way, (learner, table) in tasks.items():
                    graph = learner.fit(table).hypothesis_.graph
                    found[way].append(graph.equivalence_class().distance(truth))
            lines.append(
                (name, f"{n:,}", *(f"{np.mean(each):.1f}" if each else "" for each in found.values()))
            )
            print("|", " | ".join(lines[-1]), "|", flush=True)
    return Listing(
        "Structure learning with a fifth of the cells missing",
        "Distances as above for hill-climbing by BIC: on the complete table, with available-case "
        "counts (rows complete for a family), with complete rows only, and with structural EM; the "
        f"mean of {DRAWS} samples.",
        ("network", "rows", "complete", "available counts", "complete rows only", "structural EM"),
        tuple(lines),
        "",
    )


def _hidden() -> Listing:
    """Return how often structural EM finds a hidden node that was there."""
    import induce

    lines = []
    for what, network, hidden, values in (
        ("heart disease (AIMA, figure 20.7)", _heart(), "heart", 3),
        ("candy bags, three features", _candy(3), "bag", 2),
        ("candy bags, five features", _candy(5), "bag", 2),
    ):
        for n in (1_000, 5_000):
            found: dict[str, list[bool]] = {"declared": [], "invented": []}
            gains = []
            for draw in range(HIDDEN_DRAWS):
                X = network.sample(n, random_state=draw).drop(hidden)
                given = {"declared": {"hidden": {hidden: values}}, "invented": {"invent": 1}}
                without = induce.StructureSearch(method="tabu").fit(X).scores_
                for way, parameters in given.items():
                    learner = induce.StructuralEM(**parameters, random_state=draw).fit(X)
                    found[way].append(_same_place(learner.hypothesis_, network, hidden))
                    if way == "declared":
                        gains.append(learner.scores_[-1] - max(without))
            shares = [f"{sum(each)} of {HIDDEN_DRAWS}" for each in found.values()]
            lines.append((what, f"{n:,}", *shares, f"{np.mean(gains):+.1f}"))
            print("|", " | ".join(lines[-1]), "|", flush=True)
    return Listing(
        "Hidden nodes found by structural EM",
        f"{HIDDEN_DRAWS} samples of a network without the column of its hidden node. A node is found "
        "if the learned graph is in the network's equivalence class and the node has the right number "
        "of values. Declared: its name and number of values are given; invented: neither is. The gain "
        "is in BIC over the best graph without a hidden node. With three features a hidden bag scores "
        "exactly as well as the complete graph, so it is invented only by chance.",
        ("network", "rows", "declared", "invented", "gain"),
        tuple(lines),
        "",
    )


def _same_place(found: Any, network: Any, hidden: str) -> bool:
    """Say whether a network is that of the sample, whatever its hidden node is called."""
    from induce.belief_networks import Dag

    if len(found.nodes) != len(network.nodes):
        return False
    mine = found.nodes[-1]
    if len(found.column(mine).domain) != len(network.column(hidden).domain):
        return False
    parents = {hidden if name == mine else name: found.graph.parents_of(name) for name in found.nodes}
    renamed = {name: [hidden if p == mine else p for p in above] for name, above in parents.items()}
    graph = Dag.of(renamed, network.nodes)
    return bool(graph.equivalence_class() == network.graph.equivalence_class())


def _heart() -> Any:
    from induce.belief_networks import BeliefNetwork

    causes, symptoms = ("smoking", "diet", "exercise"), ("s1", "s2", "s3")
    disease = np.full((3, 3, 3, 3), 0.075)
    for state in np.ndindex(3, 3, 3):
        disease[state][min(sum(state) // 2, 2)] = 0.85
    symptom = {name: np.roll(np.eye(3) * 0.75 + 1 / 12, k, axis=1) for k, name in enumerate(symptoms)}
    return BeliefNetwork.of(
        {"heart": causes, **{name: ["heart"] for name in symptoms}},
        {**{name: [0.4, 0.35, 0.25] for name in causes}, "heart": disease, **symptom},
        values={name: ["no", "mild", "severe"] for name in (*causes, "heart", *symptoms)},
    )


def _candy(n_features: int) -> Any:
    from induce.belief_networks import BeliefNetwork

    features = ("flavor", "wrapper", "hole", "size", "shape")[:n_features]
    return BeliefNetwork.of(
        {name: ["bag"] for name in features},
        {"bag": {1: 0.5, 2: 0.5}} | {name: {1: 0.8, 2: 0.3} for name in features},
    )
