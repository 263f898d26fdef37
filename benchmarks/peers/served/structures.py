"""pyAgrum and pgmpy learn arcs on one thread: `structures.py JOBS`, a JSON list of {table, system, method, order}.

A line of JSON for each job: seconds, the arcs and the edges without direction, by the names of columns.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

import pandas as pd

warnings.filterwarnings("ignore")
SIGNIFICANCE = 0.01


def pyagrum(table, method, order):
    """Hill-climbing and tabu search by BIC, PC by G tests, or K2 by its own score."""
    import pyagrum as gum

    learner = gum.BNLearner(table)
    learner.setNumberOfThreads(1)
    if method == "k2":
        learner.useScoreK2()
        learner.useNoPrior()
        learner.useK2([list(table.columns).index(name) for name in order])
    elif method == "pc":
        learner.usePC()
        learner.useG2Test()
        learner.setPCAlpha(SIGNIFICANCE)
    else:
        learner.useScoreBIC()
        learner.useNoPrior()
        if method == "tabu":
            learner.useLocalSearchWithTabuList()
        else:
            learner.useGreedyHillClimbing()
    names = list(table.columns)
    start = time.perf_counter()
    graph = learner.learnPDAG() if method == "pc" else learner.learnDAG()
    seconds = time.perf_counter() - start
    edges = [(names[a], names[b]) for a, b in graph.edges()] if method == "pc" else []
    return seconds, [(names[a], names[b]) for a, b in graph.arcs()], edges


def pgmpy(table, method, order):
    """Hill-climbing by BIC, or stable PC by χ² tests."""
    from pgmpy.estimators import PC, HillClimbSearch

    start = time.perf_counter()
    if method == "pc":
        found = PC(table).estimate(
            variant="stable",
            ci_test="chi_square",
            significance_level=SIGNIFICANCE,
            return_type="cpdag",
            show_progress=False,
        )
        seconds = time.perf_counter() - start
        return seconds, list(found.directed_edges), list(found.undirected_edges)
    found = HillClimbSearch(table).estimate(scoring_method="bic-d", show_progress=False)
    return time.perf_counter() - start, list(found.edges()), []


def main():
    """Do all jobs, in turn."""
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    for job in jobs:
        table = pd.read_csv(job["table"], dtype=str, keep_default_na=False)
        try:
            seconds, arcs, edges = {"pyAgrum": pyagrum, "pgmpy": pgmpy}[job["system"]](
                table, job["method"], job.get("order")
            )
        except Exception as problem:
            print(json.dumps({"failed": f"{type(problem).__name__}: {problem}"[:200]}), flush=True)
            continue
        print(json.dumps({"seconds": seconds, "arcs": arcs, "edges": edges}), flush=True)


if __name__ == "__main__":
    main()
