"""faiss and hnswlib on one thread: `approximate.py FOLDER K RECALL`, with X, Q and truth as .npy files in the folder.

A line of JSON for each kind of index: the fastest of its settings that reaches the recall.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import faiss
import hnswlib
import numpy as np


def timed(search, settings):
    """Return seconds, places and the setting of each."""
    for setting in settings:
        search(setting, 10)
        start = time.perf_counter()
        places = search(setting, None)
        yield time.perf_counter() - start, places


def best(name, build, search, settings, truth, least):
    """Print the fastest setting that reaches the recall."""
    found = []
    for query, places in timed(search, settings):
        pairs = zip(places.tolist(), truth.tolist(), strict=True)
        share = np.mean([len(set(mine) & set(true)) / len(true) for mine, true in pairs])
        found.append((share < least, query, share))
    _, query, share = min(found)
    print(json.dumps({"name": name, "build": build, "query": query, "recall": float(share)}), flush=True)


def main(folder, k, least):
    X, Q, truth = (np.load(Path(folder, f"{name}.npy")) for name in ("X", "Q", "truth"))
    X, Q = X.astype(np.float32), Q.astype(np.float32)
    faiss.omp_set_num_threads(1)
    width = X.shape[1]

    start = time.perf_counter()
    flat = faiss.IndexFlatL2(width)
    flat.add(X)
    best(
        "faiss flat (exact)",
        time.perf_counter() - start,
        lambda _, n: flat.search(Q[:n], k)[1],
        [0],
        truth,
        least,
    )

    start = time.perf_counter()
    lists = faiss.IndexIVFFlat(faiss.IndexFlatL2(width), width, max(1, min(1000, len(X) // 40)))
    lists.train(X)
    lists.add(X)
    build = time.perf_counter() - start

    def inverted(probes, n):
        lists.nprobe = probes
        return lists.search(Q[:n], k)[1]

    best("faiss inverted lists", build, inverted, (1, 2, 4, 8, 16, 32), truth, least)

    start = time.perf_counter()
    hashed = faiss.IndexLSH(width, 2 * width)
    hashed.train(X)
    hashed.add(X)
    best("faiss LSH", time.perf_counter() - start, lambda _, n: hashed.search(Q[:n], k)[1], [0], truth, least)

    start = time.perf_counter()
    graph = hnswlib.Index("l2", width)
    graph.init_index(len(X), ef_construction=100, M=16, random_seed=0)
    graph.set_num_threads(1)
    graph.add_items(X)
    build = time.perf_counter() - start

    def walked(ef, n):
        graph.set_ef(ef)
        return graph.knn_query(Q[:n], k)[0].astype(np.int64)

    best("hnswlib", build, walked, (10, 20, 40, 80, 160), truth, least)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
