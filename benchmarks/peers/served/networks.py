"""Belief networks by pyAgrum and pgmpy; it needs these and numpy, and nothing of induce.

    networks.py posteriors FILE.bif CASES.npz OUT.npy ENGINE SECONDS  →  seconds, cases, memory in MB
    networks.py em FILE.bif ROWS.csv ITERATIONS                       →  seconds, iterations
    networks.py marginals FILE.bif                                    →  seconds of pgmpy's for all nodes, once

`CASES.npz` holds `names`, `labels` and `parents` (JSON), tables of the nodes, and `codes` (-1 where a node is not
observed). A run ends after some
seconds, and tells how many cases were done.
"""

import json
import sys
import time
from typing import Any

import numpy as np


def status(field: str) -> float:
    """A line of the process's memory, in MB."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field + ":"))


def posteriors(network: str, cases: str, out: str, engine: str, limit: str) -> dict[str, Any]:
    """All posteriors of each case, with one engine of pyAgrum."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    bn = gum.loadBN(network)
    with np.load(cases) as file:
        names, labels = json.loads(str(file["names"])), json.loads(str(file["labels"]))
        codes, parents = file["codes"], json.loads(str(file["parents"]))
        tables = [file[f"table{k}"] for k in range(len(names))]
    ids = [bn.idFromName(name) for name in names]
    places = [
        [list(bn.variable(node).labels()).index(label) for label in own]
        for node, own in zip(ids, labels, strict=True)
    ]
    place = dict(zip(names, places, strict=True))
    for name, above, table in zip(names, parents, tables, strict=True):
        # what it read from the file has the precision of 32 bits
        cpt, axes = bn.cpt(name), [*above, name]
        theirs = list(reversed(cpt.names))
        numbers = np.empty([len(place[axis]) for axis in theirs])
        numbers[np.ix_(*(place[axis] for axis in theirs))] = table.transpose(
            [axes.index(axis) for axis in theirs]
        )
        cpt[:] = numbers
    asked = {"lazy": gum.LazyPropagation, "shafer-shenoy": gum.ShaferShenoyInference}[engine](bn)
    asked.makeInference()
    answers, before, begin = [], status("VmRSS"), time.process_time()
    for case in codes:
        asked.eraseAllEvidence()
        for k in np.flatnonzero(case >= 0).tolist():
            asked.addEvidence(ids[k], places[k][case[k]])
        asked.makeInference()
        answers.append([asked.posterior(node) for node in ids])
        if time.process_time() - begin > float(limit):
            break
    seconds = time.process_time() - begin
    flat = [
        np.concatenate([p.toarray()[order] for p, order in zip(a, places, strict=True)]) for a in answers[:50]
    ]
    np.save(out, np.array(flat))
    return {"seconds": seconds, "cases": len(answers), "added": status("VmHWM") - before}


def em(network: str, rows: str, iterations: str) -> dict[str, Any]:
    """EM by pyAgrum from the graph of a network."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    bn = gum.loadBN(network)
    learner = gum.BNLearner(rows, bn, ["?"])
    learner.useEM(1e-12)
    learner.EMsetMaxIter(int(iterations))
    learner.useSmoothingPrior(1.0)
    begin = time.process_time()
    learner.learnParameters(bn.dag())
    return {"seconds": time.process_time() - begin, "iterations": learner.EMnbrIterations()}


def marginals(network: str) -> dict[str, Any]:
    """The marginals of all nodes by pgmpy, tree and all."""
    from pgmpy.inference import BeliefPropagation, VariableElimination
    from pgmpy.readwrite import BIFReader

    model = BIFReader(network).get_model()
    begin = time.process_time()
    asked = VariableElimination(model)
    for node in model.nodes():
        asked.query([node], show_progress=False)
    elimination = time.process_time() - begin
    begin = time.process_time()
    tree = BeliefPropagation(model)
    tree.calibrate()
    for node in model.nodes():
        tree.query([node], show_progress=False)
    return {"elimination": elimination, "tree": time.process_time() - begin}


if __name__ == "__main__":
    order, *words = sys.argv[1:]
    print(json.dumps({"posteriors": posteriors, "em": em, "marginals": marginals}[order](*words)))
