"""Genetic programming: speed beside gplearn and DEAP, formulas, stacking blocks, the design of a filter."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, run, speed

ARITHMETIC = ("add", "sub", "mul", "div")
MORE = (*ARITHMETIC, "sin", "cos", "log", "sqrt")
SPEEDS = (
    ("arithmetic", ARITHMETIC, 50, 20, 100.0),
    ("arithmetic", ARITHMETIC, 1_000, 20, 40.0),
    ("arithmetic", ARITHMETIC, 10_000, 5, 8.0),
    ("sin, cos, log, sqrt too", MORE, 1_000, 20, 20.0),
    ("sin, cos, log, sqrt too", MORE, 10_000, 5, 2.0),
)
POPULATION, GENERATIONS = 1_000, 20
HIT = 0.01
"""A formula is found when no row is off by more (Koza 1992)."""
STUDY_POPULATION = 500
"""Of formulas that are known, in every system: gplearn needs many hours for more."""
EVALUATIONS = STUDY_POPULATION * GENERATIONS
FILTER = {
    "population_size": 1_000,
    "generations": 19,
    "p_crossover": 0.6,
    "p_subtree_mutation": 0.1,
    "p_point_mutation": 0.25,
    "p_point_replace": 0.2,
    "max_size": 30,
    "max_depth": 8,
    "init_depth": (1, 4),
}


def programs(
    folder: Path | None, peers: str | None, seeds: int = 30, peer_seeds: int = 30, few: int = 3
) -> Iterator[Section | Listing]:
    """All studies; plain search and the peers may have fewer seeds, for they are slow."""
    yield speeds(peers)
    yield memory()
    yield formulas(peers, seeds, peer_seeds, few)
    yield laws()
    yield blocks(seeds, few)
    yield filters(few)
    yield tables(folder)


# --- speed and memory


def speeds(peers: str | None) -> Section:
    """Time for each node that was worked out, breeding and everything else included."""
    return Section(
        "Formulas: speed",
        f"Populations of {POPULATION:,} and 20 generations (5 at 10,000 rows), five columns, with each "
        "system's own settings and constants from -1 to 1. Ours fits up to six coefficients of every "
        "formula, which the peers do not, or none, as the peers do. CPU time on one thread per "
        "evaluated node, over the whole fit; ours is the best of 3, the peers ran once, in the same "
        "run.",
        tuple(_speeds(peers)),
    )


def target(n: int) -> tuple[Any, Any]:
    """The rows of the peers."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (n, 5))
    return X, X[:, 0] ** 3 + X[:, 1] * X[:, 2] - X[:, 3] / (2 + X[:, 4] ** 2)


def _speeds(peers: str | None) -> Iterator[Row]:
    from induce.evolution import SymbolicRegressor

    warnings.simplefilter("ignore")
    SymbolicRegressor().fit(*target(200))  # loads what is compiled
    for what, functions, n, generations, least in SPEEDS:
        arithmetic = functions is ARITHMETIC
        ours: dict[str | None, float] = {}
        whole: dict[str | None, float] = {}
        for fitted in ("inherited", None) if arithmetic else ("inherited",):
            for _ in range(3):
                learner = SymbolicRegressor(
                    generations=generations, function_set=functions, fit_constants=fitted
                )
                start = time.process_time()
                learner.fit(*target(n))
                taken = time.process_time() - start
                whole[fitted] = min(whole.get(fitted, np.inf), taken)
                ours[fitted] = min(ours.get(fitted, np.inf), taken / learner.n_nodes_)
        asked = {"functions": functions, "rows": n, "population": POPULATION, "generations": generations}
        asked |= {"seed": 0, "constants": (-1.0, 1.0)}
        systems = ["gplearn", "DEAP"] if arithmetic else ["gplearn"]
        found = served(peers, [{**asked, "system": system} for system in systems])
        for system, peer in zip(systems, found, strict=False):
            theirs, bound = peer["seconds"] / peer["nodes"], 40.0 if system == "DEAP" else least
            for fitted, mine in ours.items():
                yield Row(
                    f"{what}, {n:,} rows{'' if fitted else ', no coefficients fitted'}",
                    f"{mine * 1e9:,.0f} ns",
                    f"{system} {theirs * 1e9:,.0f} ns",
                    f"{theirs / mine:,.0f}{TIMES}",
                    f"≥ {bound:g}{TIMES}",
                    theirs / mine >= bound,
                )
            yield speed(f"{what}, {n:,} rows, the whole fit", whole["inherited"], system, peer["seconds"])
        if not found:
            yield Row(f"{what}, {n:,} rows", f"{ours['inherited'] * 1e9:,.0f} ns")


def memory() -> Section:
    """The peak of a fresh process."""
    done = run([sys.executable, "-m", "benchmarks.programs", "memory"])
    megabytes = json.loads(done.stdout.splitlines()[-1])
    row = Row(
        "100,000 programs of up to 100 nodes, 3 generations, 1,000 rows",
        f"{megabytes:,.0f} MB",
        target="≤ 1,000 MB",
        holds=megabytes <= 1_000,
    )
    return Section("Formulas: memory", "The peak of a fresh process, everything included.", (row,))


def measure_memory() -> float:
    """Breed a large population in this process; return its peak in megabytes."""
    from benchmarks.child import _status
    from induce.evolution import SymbolicRegressor

    SymbolicRegressor(population_size=100_000, generations=3).fit(*target(1_000))
    return float(_status("VmHWM"))


def served(peers: str | None, tasks: list[dict[str, Any]]) -> list[dict[str, float]]:
    """What the peers make of some tasks, in a process of their own."""
    if peers is None:
        return []
    script = Path(__file__).parent / "peers" / "served" / "formulas.py"
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
        json.dump(tasks, file)
        file.flush()
        done = run([peers, str(script), file.name])
    found: list[dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    return found


# --- formulas that are known


def known() -> dict[str, tuple[Any, Any, tuple[str, ...]]]:
    """Koza's quartic and Nguyen's formulas: 20 rows each."""

    def one(low: float, high: float, f: Any) -> tuple[Any, Any, tuple[str, ...]]:
        x = np.random.default_rng(1).uniform(low, high, 20)
        return x[:, None], f(x), MORE

    return {
        "quartic x⁴+x³+x²+x": (*one(-1, 1, lambda x: x**4 + x**3 + x**2 + x)[:2], ARITHMETIC),
        "1: x³+x²+x": one(-1, 1, lambda x: x**3 + x**2 + x),
        "2: x⁴+x³+x²+x": one(-1, 1, lambda x: x**4 + x**3 + x**2 + x),
        "3: x⁵+x⁴+x³+x²+x": one(-1, 1, lambda x: x**5 + x**4 + x**3 + x**2 + x),
        "4: x⁶+x⁵+x⁴+x³+x²+x": one(-1, 1, lambda x: x**6 + x**5 + x**4 + x**3 + x**2 + x),
        "5: sin(x²)cos(x)-1": one(-1, 1, lambda x: np.sin(x**2) * np.cos(x) - 1),
        "6: sin(x)+sin(x+x²)": one(-1, 1, lambda x: np.sin(x) + np.sin(x + x**2)),
        "7: ln(x+1)+ln(x²+1)": one(0, 2, lambda x: np.log(x + 1) + np.log(x**2 + 1)),
        "8: √x": one(0, 4, np.sqrt),
    }


def formulas(peers: str | None, seeds: int, peer_seeds: int, few: int) -> Listing:
    """How often each system finds formulas that are known."""
    lines, lower, higher = [], [], []
    for name, (X, y, functions) in known().items():
        print(f"  formula {name}", file=sys.stderr, flush=True)
        ours = [found(X, y, functions, seed) for seed in range(seeds)]
        tasks = [
            {
                "system": "gplearn",
                "X": X.tolist(),
                "y": y.tolist(),
                "functions": functions,
                "population": STUDY_POPULATION,
                "generations": GENERATIONS,
                "seed": seed,
                "stop": 0.001,
            }
            for seed in range(peer_seeds)
        ]
        theirs = [each["worst"] < HIT for each in served(peers, tasks)]
        plain = [searched(X, y, functions, seed) for seed in range(few)]
        mine = [each[0] for each in ours]
        if theirs:
            apart = np.mean(mine) - np.mean(theirs)
            (lower if apart < 0 else higher if apart > 0 else []).append(name)
        lines.append(
            (
                name,
                f"{sum(mine)} of {seeds}",
                f"{max(each[1] for each in ours):,}",
                f"{sum(theirs)} of {len(theirs)}" if theirs else "",
                *(f"{sum(each[k] for each in plain)} of {few}" if few else "" for k in range(2)),
            )
        )
    return Listing(
        "Formulas: problems of Koza and Nguyen",
        f"20 rows each. A run has found a formula when the error is below {HIT:g} on every row. All "
        f"systems have at most about {EVALUATIONS:,} evaluations, the same functions (arithmetic for "
        "the quartic, otherwise also sin, cos, log and sqrt) and no random constants. Ours fits "
        "coefficients of terms by default; so do hill-climbing and simulated annealing over the same "
        "formulas.",
        ("formula", "found", "maximum evaluations", "gplearn", "hill-climbing", "simulated annealing"),
        tuple(lines),
        f"Found less often than by gplearn: {', '.join(lower) or 'none'}. More often: {len(higher)} of {len(lines)}."
        if peers is not None
        else "Not compared with gplearn.",
    )


def found(X: Any, y: Any, functions: tuple[str, ...], seed: int) -> tuple[bool, int]:
    """Whether a run finds a formula, and what it took."""
    from induce.evolution import Formula, SymbolicRegressor

    learner = SymbolicRegressor(
        population_size=STUDY_POPULATION,
        generations=GENERATIONS,
        function_set=functions,
        const_range=None,
        validation_fraction=None,
        random_state=seed,
    ).fit(X, y)
    names = learner.hypothesis_.schema.names()
    front = learner.hypothesis_.front
    off = [float(np.abs(Formula.parse(text, names).predict(X) - y).max()) for text in front.formulas]
    return min(off) < HIT, learner.n_evaluations_


def searched(X: Any, y: Any, functions: tuple[str, ...], seed: int) -> tuple[bool, bool]:
    """Whether hill-climbing and simulated annealing find a formula with as many evaluations."""
    from induce.evolution.programs.evaluation import Fit
    from induce.evolution.programs.functions import function_codes
    from induce.evolution.programs.genome import Genes, gathered, rows_of
    from induce.evolution.programs.population import Breeding
    from induce.evolution.programs.regression import MOST_TERMS
    from induce.evolution.programs.vocabulary import formula_grammar
    from induce.search import anneal, hill_climb

    grammar = formula_grammar(function_codes(functions), X.shape[1], None)
    fit = Fit.of(X, y, np.ones(len(y)), EVALUATIONS)
    first = Breeding()
    changes = Breeding(
        tournament_size=1,
        p_crossover=0.0,
        p_subtree_mutation=0.45,
        p_hoist_mutation=0.1,
        p_point_mutation=0.45,
        p_point_replace=0.1,
    )

    def draw(rng: Any) -> Genes:
        made = rows_of(first.first(grammar, 12, int(rng.integers(2**62)), fit.work))
        return made[int(rng.integers(12))]

    def change(genes: Genes, rng: Any) -> Genes:
        place = int(rng.integers(2**62)), 0
        return rows_of(changes.next(gathered([genes], 100), np.zeros(1), grammar, place, work=fit.work))[0]

    def score(genes: Genes) -> float:
        return -fit.coefficients(genes[0], genes[1], MOST_TERMS).error

    def hits(genes: Genes) -> bool:
        fitted = fit.coefficients(genes[0], genes[1], MOST_TERMS)
        given = fitted.intercept + fitted.coefficients @ fit.design(genes[0], fitted, [])
        return bool(np.abs(given - y).max() < HIT)

    start = draw(np.random.default_rng(seed))
    common = {"evaluations": EVALUATIONS, "random_state": seed}
    climbed = hill_climb(score, start, change, restart=draw, **common)
    cooled = anneal(score, start, change, **common)
    return hits(climbed.best), hits(cooled.best)


# --- constants inside functions


LAWS: dict[str, tuple[tuple[tuple[float, float], ...], Any]] = {
    "3 exp(-1.3 x) cos(2.2 y)": (((0, 2), (-2, 2)), lambda x, y: 3 * np.exp(-1.3 * x) * np.cos(2.2 * y)),
    "1.5 sin(2.7 x) + 0.4 x y": (((-2, 2), (-3, 3)), lambda x, y: 1.5 * np.sin(2.7 * x) + 0.4 * x * y),
    "x exp(-0.35 y) + 2 z": (((-2, 2), (0, 5), (-1, 1)), lambda x, y, z: x * np.exp(-0.35 * y) + 2 * z),
    "sqrt(x) sin(3.1 y + 0.5)": (((0.1, 4), (-1.5, 1.5)), lambda x, y: np.sqrt(x) * np.sin(3.1 * y + 0.5)),
    "log(0.6 + x) cos(1.6 y)": (((0, 5), (-2, 2)), lambda x, y: np.log(0.6 + x) * np.cos(1.6 * y)),
}
"""The ranges of the columns and the law; settings were chosen on other laws."""
LAW_FUNCTIONS = (*ARITHMETIC, "sin", "cos", "exp", "log", "sqrt")


def laws(seeds: int = 6) -> Listing:
    """How often laws with constants inside functions are found, with the defaults."""
    from induce.evolution import SymbolicRegressor

    lines, least = [], seeds
    for name, (ranges, law) in LAWS.items():
        hits, start, said = 0, time.process_time(), ""
        for seed in range(seeds):
            rng = np.random.default_rng(1000 + seed)
            X, Z = (np.column_stack([rng.uniform(*each, 200) for each in ranges]) for _ in range(2))
            y, w = law(*X.T), law(*Z.T)
            learner = SymbolicRegressor(function_set=LAW_FUNCTIONS, random_state=seed).fit(X, y)
            off = np.sqrt(np.mean((learner.predict(Z) - w) ** 2)) / w.std()
            if off < 1e-8:
                hits, said = hits + 1, learner.hypothesis_.right_side()
        taken = (time.process_time() - start) / seeds
        least = min(least, hits)
        lines.append((name, f"{hits} of {seeds}", f"{taken:.2f} s", said))
    return Listing(
        "Formulas: constants inside functions",
        f"Five laws, {seeds} tables of 200 rows each, the defaults with {', '.join(LAW_FUNCTIONS)}. A "
        "law counts as found if the formula's error on 200 other rows is below 1e-8 of the target's "
        "spread; CPU time of a fit.",
        ("law", "found", "time", "printed as"),
        tuple(lines),
        f"Every law is found in at least {least} of {seeds} tables (target: half).",
    )


# --- blocks


def blocks(seeds: int, few: int) -> Listing:
    """Programs that stack blocks, each winner tried on all stacks."""
    from induce.evolution import BlockWorld, GeneticProgramming, Programs
    from induce.evolution.programs.problems.blocks import all_stacks
    from induce.search import anneal, hill_climb

    world, stacks = BlockWorld(), all_stacks()
    lines, solved, general = [], 0, []
    for seed in range(seeds):
        learner = GeneticProgramming(population_size=300, generations=50, random_state=seed).learn(world)
        program = learner.hypothesis_
        right = program.fitness == world.optimum
        share = world.solved(program, stacks) / len(stacks[1]) if right else np.nan
        solved += right
        general.append(share)
        lines.append(
            (
                str(seed),
                f"{program.fitness:.0f}",
                str(len(learner.history_.rows) - 1),
                str(program.n_nodes),
                f"{share:.2%}" if right else "",
            )
        )
    genome = Programs(world.language)
    for seed in range(few):
        start = genome.random(np.random.default_rng(seed))
        common = {"evaluations": 300 * 51, "random_state": seed}

        def score(genes: Any) -> float:
            return float(world.scores([genes])[0])

        for name, result in (
            ("hill-climbing", hill_climb(score, start, genome.mutate, restart=genome.random, **common)),
            ("simulated annealing", anneal(score, start, genome.mutate, **common)),
        ):
            program = genome.value(result.best)
            share = world.solved(program, stacks) / len(stacks[1]) if result.score == 166 else np.nan
            lines.append(
                (
                    f"{name}, {seed}",
                    f"{result.score:.0f}",
                    "",
                    str(program.n_nodes),
                    f"{share:.2%}" if share == share else "",
                )
            )
    whole = sum(share == 1.0 for share in general)
    return Listing(
        "Stacking blocks",
        "`GeneticProgramming` on `BlockWorld`: 300 programs, at most 50 generations, one in ten "
        "copied, the rest produced by crossover, no mutation; loops end after 25 iterations, programs "
        "after 400 steps. Successful programs are tested on all 986,410 stacks. Hill-climbing and "
        "simulated annealing get as many evaluations.",
        ("seed", "cases solved of 166", "generations", "nodes", "of all stacks"),
        tuple(lines),
        f"All cases in {solved} of {seeds} seeds (target: 27 of 30); {whole} of these programs solve every stack.",
    )


# --- a filter


def filters(few: int) -> Listing:
    """Filters by evolution and by plain search."""
    import induce
    from induce.evolution import GeneticProgramming, LowPass, Programs

    problem = LowPass(n_jobs=2)
    lines = []
    for seed in range(few):
        start = time.perf_counter()
        with induce.trace(only="generation") as events, warnings.catch_warnings(action="ignore"):
            learner = GeneticProgramming(random_state=seed, **FILTER).learn(problem)
        taken = time.perf_counter() - start
        shares = [float(np.isinf(event["scores"]).mean()) for event in events]
        mean = float(np.mean(shares[3:]))
        parts = len(problem.circuit(learner.hypothesis_).components) - 2
        lines.append(
            (
                f"evolution, {seed}",
                f"{learner.hypothesis_.fitness:.4f}",
                str(parts),
                f"{learner.history_.evaluations:,}",
                f"{taken:.0f} s",
                ", ".join(f"{share:.1%}" for share in shares[:3]) + f"; {mean:.1%}",
            )
        )
    genome = Programs(problem.language, FILTER["max_size"], FILTER["max_depth"], FILTER["init_depth"])
    for seed in range(few):
        first = genome.random(np.random.default_rng(seed))

        for name in ("hill-climbing", "simulated annealing"):
            start = time.perf_counter()
            best, error = _searched_filter(problem, genome, first, name, seed)
            taken = time.perf_counter() - start
            parts = len(problem.circuit(genome.value(best)).components) - 2
            lines.append((f"{name}, {seed}", f"{error:.4f}", str(parts), "20,000", f"{taken:.0f} s", ""))
    worst = max(float(line[1]) for line in lines if line[0].startswith("evolution"))
    return Listing(
        "The design of a filter",
        "`GeneticProgramming` on `LowPass`: 1,000 programs and 20 generations, 20,000 circuits. One "
        "capacitor scores 2.80, an inductor and a capacitor 0.94, the third-order Butterworth ladder "
        "0.50. The book's 640,000 programs reached 0.8 on a different target, with programs that edit "
        "circuits more freely than ours; 98 % of its initial circuits could not be simulated.",
        (
            "search, seed",
            "sum of errors",
            "components",
            "circuits",
            "time",
            "not simulatable: first three; mean later",
        ),
        tuple(lines),
        f"Largest sum of errors by evolution: {worst:.4f} (target: 1.0 within 15 minutes).",
    )


def _searched_filter(problem: Any, genome: Any, first: Any, name: str, seed: int) -> tuple[Any, float]:
    """The best filter that a plain search finds with as many circuits."""
    from induce.search import anneal, hill_climb

    def score(genes: Any) -> float:
        return -float(problem.error(genome.value(genes)))

    common: dict[str, Any] = {"evaluations": 20_000, "random_state": seed}
    if name == "hill-climbing":
        result = hill_climb(score, first, genome.mutate, restart=genome.random, **common)
    else:
        result = anneal(score, first, genome.mutate, **common)
    return result.best, -result.score


# --- real tables


def tables(folder: Path | None) -> Listing:
    """Formulas beside model trees and linear regression on tables with numbers to predict."""
    import polars as pl
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.datasets import load_diabetes
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    import induce

    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    given = {"diabetes (progression)": (pl.from_pandas(X), pl.Series("progression", y.to_numpy()))}
    if folder is not None:
        for file, name in (("autos", "price"), ("heart.c", "thalach")):
            frame = induce.read(str(folder / "arff" / f"{file}.arff")).X
            frame = frame.filter(pl.col(name).is_not_null())
            given[f"{file} ({name})"] = frame.drop(name), frame.get_column(name)
    lines: list[tuple[str, ...]] = []
    behind: dict[str, list[str]] = {}
    for name, (X, y) in given.items():
        print(f"  table {name}", file=sys.stderr, flush=True)
        frame = X.to_pandas()
        text = make_column_selector(dtype_exclude="number")(frame)
        frame[text] = frame[text].astype(object).where(frame[text].notna(), "missing").astype(str)
        line = make_pipeline(
            make_column_transformer(
                (OneHotEncoder(handle_unknown="ignore"), text),
                (SimpleImputer(), [column for column in frame if column not in text]),
            ),
            LinearRegression(),
        )
        with warnings.catch_warnings(action="ignore"):
            learners = {
                "SymbolicRegressor": induce.SymbolicRegressor(population_size=2_000, generations=40),
                "ModelTree": induce.ModelTree(),
                "linear regression": line,
            }
            compared = induce.compare(learners, frame, y.to_numpy(), cv=10)
            size = (
                induce.SymbolicRegressor(population_size=2_000, generations=40).fit(X, y).hypothesis_.size()
            )
        lines.append((name, f"{len(y):,}", str(X.shape[1]), *_told(compared), size))
        mine, *others = compared.means.values()
        for other, mean in zip(compared.names[1:], others, strict=True):
            behind.setdefault(other, []).extend([name] if mine > mean else [])
    return Listing(
        "Formulas: real tables",
        "Ten-fold cross-validation by `induce.compare`, the mean absolute error on the same folds; "
        "formulas from 2,000 programs and 40 generations. p is the p-value of the corrected t test of "
        "the formulas against each other learner.",
        (
            *("table", "rows", "columns", "SymbolicRegressor", "ModelTree", "linear regression"),
            *("p, ModelTree", "p, linear regression", "size of the formula"),
        ),
        tuple(lines),
        " ".join(
            f"Formulas have a larger error than {other} on {', '.join(tables) or 'no table'}."
            for other, tables in behind.items()
        ),
    )


def _told(compared: Any) -> tuple[str, ...]:
    """The error of each learner, and how sure the differences are."""
    means = [f"{mean:.4g}" for mean in compared.means.values()]
    others = [compared.pair("SymbolicRegressor", name).p_value for name in compared.names[1:]]
    return (*means, *(f"{p:.3f}" for p in others))


if __name__ == "__main__":
    print(json.dumps(measure_memory()))
