"""hmmlearn on one thread: `hidden_markov.py FILE ITERATIONS REPEATS`, with data and start in an .npz file.

One line of JSON: seconds of the processor for fitting and for Viterbi, log likelihood after fitting, memory before
and at its peak.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from pathlib import Path

import numpy as np
from hmmlearn.hmm import CategoricalHMM, GaussianHMM


def memory(field):
    """Return a field of the process's status in MB."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field + ":"))


def started(given, iterations):
    """Return a model with the given start that makes exactly so many iterations."""
    options = {"n_iter": iterations, "tol": -np.inf, "init_params": "", "implementation": "scaling"}
    if "table" in given:
        model = CategoricalHMM(len(given["start"]), n_features=given["table"].shape[1], **options)
        model.emissionprob_ = given["table"].copy()
    else:
        model = GaussianHMM(len(given["start"]), "diag", covars_prior=0.0, **options)
        model.means_, model.covars_ = given["means"].copy(), given["variances"].copy()
    model.startprob_, model.transmat_ = given["start"].copy(), given["transitions"].copy()
    return model


def main(path, iterations, repeats):
    """Fit several times; the best time counts."""
    given = dict(np.load(path))
    X, lengths = given["X"], given["lengths"]
    started(given, 1).fit(X[: lengths[0]])
    before, fits, paths = memory("VmRSS"), [], []
    for _ in range(repeats):
        model = started(given, iterations)
        begin = time.process_time()
        model.fit(X, lengths)
        fits.append(time.process_time() - begin)
        begin = time.process_time()
        model.predict(X, lengths)
        paths.append(time.process_time() - begin)
    found = {"fit": min(fits), "decode": min(paths), "score": model.score(X, lengths)}
    print(json.dumps({**found, "before": before, "peak": memory("VmHWM")}))


if __name__ == "__main__":
    logging.disable()
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
