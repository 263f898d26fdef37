"""Solve a random process with quantecon's modified policy iteration; print the CPU seconds as JSON.

It runs in a Python of its own, so it imports nothing from here.
"""

import json
import sys
import time

import numpy as np
from quantecon.markov import DiscreteDP
from scipy import sparse

path, discount, tolerance, repeats = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
with np.load(path) as given:
    after, chance, reward = given["after"], given["chance"], given["reward"]
n_pairs, n_next = after.shape
n_actions = int(sys.argv[5])
n = n_pairs // n_actions
first = np.arange(0, n_pairs * n_next + 1, n_next)
matrix = sparse.csr_matrix((chance.ravel(), after.ravel(), first), shape=(n_pairs, n))
process = DiscreteDP(
    reward, matrix, discount, np.repeat(np.arange(n), n_actions), np.tile(np.arange(n_actions), n)
)
process.solve(method="mpi", epsilon=tolerance)  # compiles
found = []
for _ in range(repeats):
    started = time.process_time()
    solved = process.solve(method="mpi", epsilon=tolerance)
    found.append(time.process_time() - started)
print(json.dumps({"seconds": min(found), "value": float(solved.v.mean())}))
